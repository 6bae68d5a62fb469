"""The best run of a company: all its trains together, exact, with the bound that proves it.

First every train takes the best route that the ones before it left (a good run, often the best). If the trains'
own best routes together would be worth more, every route is collected that could be part of a better run, and
the combinations are searched, best routes first, given up where even the best of the rest could not win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ostbahn.kernel.exploring import Explorer
from ostbahn.kernel.ground import ground_of
from ostbahn.kernel.routes import (
    NO_ROUTE,
    Kind,
    Link,
    Network,
    OutOfPatienceError,
    Patience,
    Route,
    Stop,
    Train,
    bonus_of,
    counted_stops,
    endless,
)

__all__ = [
    "Link",
    "Network",
    "Patience",
    "Route",
    "Run",
    "Stop",
    "Train",
    "best_of_fleets",
    "best_run",
    "bonus_of",
    "can_earn",
    "counted_stops",
    "endless",
]


KEPT = 4096
"""How many answers are remembered."""


@dataclass(frozen=True, slots=True)
class Run:
    """A route for each train that runs, and what they earn together."""

    routes: tuple[tuple[str, Route], ...]
    """Train and route."""
    revenue: int
    bound: int
    """No run earns more, revenue and subsidy together."""
    subsidy: int = 0
    """What mines pay beside the revenue."""

    @property
    def worth(self) -> int:
        return self.revenue + self.subsidy

    @property
    def proven(self) -> bool:
        return self.bound == self.worth


def best_run(network: Network, trains: Sequence[Train], patience: Patience = endless) -> Run:
    """The run that earns most; among equals always the same one.

    When patience ends before the proof does, the best run found by then, with a bound on what it may have missed.
    """
    return best_of_fleets(network, (trains,), patience)[1]


def best_of_fleets(
    network: Network, fleets: Sequence[Sequence[Train]], patience: Patience = endless
) -> tuple[int, Run]:
    """Which of several fleets earns most, and its run; of equal fleets the first. -1 if none can do what it must.

    The fleets are what can be made of the same trains, say by giving rail cars to one or the other.
    """
    ordered = [sorted(trains, key=_rank) for trains in fleets]
    kinds = tuple(tuple(train.kind for train in trains) for trains in ordered)
    found = _remembered(network, kinds) if patience is endless else _found(network, kinds, patience)
    running = zip(ordered[found.fleet], found.run, strict=True) if found.fleet >= 0 else ()
    routes = tuple((train.id, route) for train, route in running if route.worth)
    revenue, subsidy = sum(route.revenue for _, route in routes), sum(route.subsidy for _, route in routes)
    return found.fleet, Run(routes, revenue, max(found.bound, revenue + subsidy), subsidy)


def can_earn(network: Network, fleets: Sequence[Sequence[Train]], worth: int) -> bool:
    """Whether one of several fleets can earn at least so much. A no comes sooner than by asking for the best."""
    kinds = tuple(tuple(train.kind for train in sorted(trains, key=_rank)) for trains in fleets)
    return _remembered(network, kinds, worth - 1).fleet >= 0


def _rank(train: Train) -> tuple[int, bool, int, str]:
    """Long trains choose first."""
    return (-train.stops, train.cities is None, -(train.cities or 0), train.id)


class _Found(NamedTuple):
    """The fleet that earns most, the routes of its trains, and what no fleet can exceed."""

    fleet: int
    run: list[Route]
    bound: int


@lru_cache(maxsize=KEPT)
def _remembered(network: Network, fleets: tuple[tuple[Kind, ...], ...], enough: int = -1) -> _Found:
    """With all patience the answer hangs on nothing else; many a tile that is tried out changes no network."""
    return _found(network, fleets, endless, enough)


def forget() -> None:
    """For those who measure: the next search starts from nothing."""
    _remembered.cache_clear()
    ground_of.cache_clear()


def _found(network: Network, fleets: tuple[tuple[Kind, ...], ...], patience: Patience, enough: int = -1) -> _Found:
    """No fleet if none earns more than enough."""
    explorers: dict[Kind, Explorer] = {}
    best, most, bound = -1, enough, 0
    routes: list[Route] = []
    for number, kinds in _unlike(fleets):
        for kind in kinds:
            if kind not in explorers:
                explorers[kind] = Explorer(network, Train("", *kind), patience)
        run, limit = _search([Train("", *kind) for kind in kinds], explorers, patience, most)
        bound = max(bound, limit)
        worth = sum(route.worth for route in run)
        if len(run) == len(kinds) and worth > most:
            best, most, routes = number, worth, run
    return _Found(best, routes, bound)


def _unlike(fleets: Sequence[tuple[Kind, ...]]) -> Iterator[tuple[int, tuple[Kind, ...]]]:
    """The fleets with their numbers, without those that can do the same as an earlier one."""
    seen: set[frozenset[tuple[Kind, int]]] = set()
    for number, kinds in enumerate(fleets):
        fleet = frozenset(Counter(kinds).items())
        if fleet not in seen:
            seen.add(fleet)
            yield number, kinds


def _search(
    order: Sequence[Train], explorers: Mapping[Kind, Explorer], patience: Patience, enough: int
) -> tuple[list[Route], int]:
    """A run and what no run can exceed, as good as patience allows; no run if it could not be more than enough, or
    if trains that must run cannot."""
    alone = {train.kind: explorers[train.kind].best() for train in order}
    tops = [
        explorers[train.kind].bound if explorers[train.kind].gave_up else alone[train.kind].worth for train in order
    ]
    bound = sum(tops)
    if bound <= enough:
        return [], bound
    if any(train.must_run and not alone[train.kind].worth for train in order):
        return [], 0
    run = _one_after_another(order, explorers, alone)
    complete = all(route.worth or not train.must_run for train, route in zip(order, run, strict=True))
    if complete and bound == sum(route.worth for route in run):
        return run, bound
    combination = _Combination(order, explorers, tops, run if complete else [], enough)
    if not any(explorers[train.kind].gave_up for train in order):
        try:
            combination.search(patience)
            bound = max(combination.worth, 0)
        except OutOfPatienceError:
            pass
    return combination.best, bound


def _one_after_another(
    order: Sequence[Train], explorers: Mapping[Kind, Explorer], alone: Mapping[Kind, Route]
) -> list[Route]:
    """A good run: each train takes the best route off the track of those before it."""
    run: list[Route] = []
    used = 0
    for train in order:
        route = alone[train.kind]
        if route.sides & used:
            route = explorers[train.kind].best(used)
        used |= route.sides
        run.append(route)
    return run


class _Combination:
    """The search for a run that is better than a known one, and more than enough."""

    def __init__(
        self,
        order: Sequence[Train],
        explorers: Mapping[Kind, Explorer],
        tops: list[int],
        known: list[Route],
        enough: int,
    ) -> None:
        self.best = known
        self.worth = max(enough, sum(route.worth for route in known) if known else -1)
        self.must_run = [train.must_run for train in order]
        self.alike = [index > 0 and order[index].kind == order[index - 1].kind for index in range(len(order))]
        """Whether a train can do the same as the one before it; their routes are then chosen in order."""
        self.rest = [sum(tops[index:]) for index in range(len(order) + 1)]
        spare = sum(tops) - self.worth
        pools: dict[Kind, list[Route]] = {}
        for train, top in zip(order, tops, strict=True):
            if train.kind not in pools:
                pools[train.kind] = _worthwhile(explorers[train.kind], max(top - spare, 0))
        self.pools = [pools[train.kind] for train in order]

    def search(self, patience: Patience) -> None:
        """Find the best combination; when patience ends, the best so far stays."""
        self.patience = patience
        self._choose(0, 0, 0, [], 0)

    def _choose(self, index: int, used: int, worth: int, run: list[Route], first: int) -> None:
        if index == len(self.pools):
            if worth > self.worth:
                self.worth, self.best = worth, run
            return
        if not self.patience():
            raise OutOfPatienceError
        start = first if self.alike[index] else 0
        for number in range(start, len(self.pools[index])):
            route = self.pools[index][number]
            if worth + self._hope(index, route.worth) <= self.worth:
                break
            if not route.sides & used:
                self._choose(index + 1, used | route.sides, worth + route.worth, [*run, route], number + 1)
        idle = self._next_kind(index)
        if any(self.must_run[index:idle]):
            return
        if worth + self.rest[idle] > self.worth:
            self._choose(idle, used, worth, [*run, *[NO_ROUTE] * (idle - index)], 0)

    def _hope(self, index: int, worth: int) -> int:
        """The most that trains from this one on can earn if it earns so much and its like no more than it."""
        following = self._next_kind(index)
        return worth * (following - index) + self.rest[following]

    def _next_kind(self, index: int) -> int:
        index += 1
        while index < len(self.alike) and self.alike[index]:
            index += 1
        return index


def _worthwhile(explorer: Explorer, floor: int) -> list[Route]:
    """Routes that earn more than a floor, best first; of those on the same hex sides only the best."""
    found: dict[int, Route] = {}
    for route in explorer.better_than(floor):
        if route.sides not in found or found[route.sides].worth < route.worth:
            found[route.sides] = route
    return sorted(found.values(), key=lambda route: (-route.worth, route.sides.bit_count(), route.sides))
