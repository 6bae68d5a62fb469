"""The best run of a company: all its trains together, exact, with the bound that proves it.

First every train takes the best route that the ones before it left. If the trains' own best routes together would be
worth more, routes that could be part of a better run are combined: first for runs worth nearly that, then for less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ostbahn.kernel.routes.combining import Combination
from ostbahn.kernel.routes.ground import ground_of
from ostbahn.kernel.routes.network import BestRun, Network, Route, RunningTrain, TrainKind, as_run
from ostbahn.kernel.routes.search import Patience, Steps
from ostbahn.kernel.routes.single_train import Explorer, explorer_of, forget_walks
from ostbahn.kernel.routes.together import Together

KEPT = 4096

LASTING = 500_000
"""Steps that a search takes in a game before it is given up: a second or two."""

AT_FIRST = 0.25
"""The part of the patience that goes into the best routes of single trains."""

ALONE = 3000
"""Steps in which the best routes of single trains are looked for without tolls."""

HASTY = 100
"""Steps in which routes are combined as they are, before tolls are looked for: a few thousandths of a second."""

FIRST_PART = 8
"""How small a part of what trains may lose by hindering each other is tried first."""


def best_run(network: Network, trains: Sequence[RunningTrain], patience: Patience | None = None) -> BestRun:
    """The run that earns most; among equals always the same one.

    When patience ends before the proof does, the best run found by then, with a bound on what it may have missed.
    """
    return best_alternative(network, (trains,), patience)[1]


def best_alternative(
    network: Network, alternatives: Sequence[Sequence[RunningTrain]], patience: Patience | None = None, enough: int = -1
) -> tuple[int, BestRun]:
    """Which of several alternatives earns most, and its run; of equals the first. -1 if none can do what it must, or
    none earns more than enough.

    Alternatives are what can be made of the same trains, say by giving rail cars to one or the other. Without a word on
    patience it is the one by which games are played: a number of steps, and what was found is remembered.
    """
    ordered = [sorted(trains, key=_rank) for trains in alternatives]
    kinds = tuple(tuple(train.kind for train in trains) for trains in ordered)
    found = _remembered(network, kinds, enough) if patience is None else _found(network, kinds, patience, enough)
    running = zip(ordered[found.number], found.run, strict=True) if found.number >= 0 else ()
    return found.number, as_run(network, tuple(running), found.bound)


def _rank(train: RunningTrain) -> tuple[int, bool, int, str]:
    """Long trains choose first."""
    kind = train.kind
    return (-kind.stops, kind.cities is None, -(kind.cities or 0), train.id)


class _Winner(NamedTuple):
    """Which alternative earns most, the routes of its trains, and what none can exceed."""

    number: int
    run: list[Route]
    bound: int


@lru_cache(maxsize=KEPT)
def _remembered(network: Network, alternatives: tuple[tuple[TrainKind, ...], ...], enough: int) -> _Winner:
    """With the same patience the answer hangs on nothing else; many a tile that is tried out changes no network."""
    return _found(network, alternatives, Steps(LASTING), enough)


def forget() -> None:
    """For those who measure: the next search starts from nothing."""
    _remembered.cache_clear()
    ground_of.cache_clear()
    forget_walks()


def _found(
    network: Network, alternatives: tuple[tuple[TrainKind, ...], ...], patience: Patience, enough: int
) -> _Winner:
    """No alternative if none earns more than enough."""
    explorers: dict[TrainKind, Explorer] = {}
    best, most, bound = -1, enough, 0
    routes: list[Route] = []
    for number, kinds in _unlike(alternatives):
        for kind in kinds:
            if kind not in explorers:
                explorers[kind] = explorer_of(network, kind)
        run, limit = _search(network, kinds, explorers, patience, most)
        bound = max(bound, limit)
        worth = sum(route.worth for route in run)
        if len(run) == len(kinds) and worth > most:
            best, most, routes = number, worth, run
    return _Winner(best, routes, bound)


def _unlike(alternatives: Sequence[tuple[TrainKind, ...]]) -> Iterable[tuple[int, tuple[TrainKind, ...]]]:
    """The alternatives with their numbers, without those that can do the same as an earlier one."""
    unlike: dict[frozenset[tuple[TrainKind, int]], tuple[int, tuple[TrainKind, ...]]] = {}
    for number, kinds in enumerate(alternatives):
        unlike.setdefault(frozenset(Counter(kinds).items()), (number, kinds))
    return unlike.values()


def _search(
    network: Network,
    order: Sequence[TrainKind],
    explorers: Mapping[TrainKind, Explorer],
    patience: Patience,
    enough: int,
) -> tuple[list[Route], int]:
    """A run and what no run can exceed, as good as patience allows; no run if none is worth more than enough, or if
    trains that must run cannot."""
    at_first = Steps(ALONE, patience.share(AT_FIRST) if len(order) > 1 else patience, patience.grace)
    tops = {kind: explorers[kind].best(patience=at_first).worth for kind in order}
    bound = sum(explorers[kind].bound for kind in order)
    if bound <= enough:
        return [], bound
    if any(kind.must_run and not explorers[kind].bound for kind in order):
        return [], 0
    best = _one_after_another(order, explorers, at_first)
    worth = sum(route.worth for route in best)
    if any(kind.must_run and not route.worth for kind, route in zip(order, best, strict=True)):
        best, worth = [], -1
    worth = max(worth, enough)
    most = sum(tops[kind] for kind in order)
    if most == bound:  # each of them is proven
        hasty = Steps(HASTY, patience, HASTY)
        for floor in _floors(most, worth):
            combination = Combination(order, explorers, tops, max(floor, worth), worth)
            combination.search(hasty)
            if combination.best:
                best, worth = combination.best, combination.worth
            if combination.complete:
                bound = max(worth, floor)
            if not combination.complete or worth >= bound:
                break
    if bound > worth:
        together = Together(network, order, worth, bound, patience)
        for kind in tops:
            together.begin(kind, explorers[kind].best())
        for kind, route in zip(order, best, strict=False):  # there may be none
            together.begin(kind, route)
        together.search()
        best, bound = together.best or best, together.bound
    return best, max(bound, 0)


def _floors(most: int, least: int) -> Iterator[int]:
    """What a run should be worth more than: first nearly the most that it could be, then less and less.

    If trains hardly hinder each other the best run is found among few routes, and while there is none the bound falls.
    """
    spare = most - least
    part = spare // FIRST_PART
    while part and part < spare:
        yield most - part
        part *= 2
    if spare > 0:
        yield least


def _one_after_another(
    order: Sequence[TrainKind], explorers: Mapping[TrainKind, Explorer], patience: Patience
) -> list[Route]:
    """A good run: each train takes the best route off the track of those before it."""
    run: list[Route] = []
    used = 0
    for kind in order:
        route = explorers[kind].best(used, patience)
        used |= route.sides
        run.append(route)
    return run
