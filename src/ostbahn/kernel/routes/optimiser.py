"""The best run of a company: all its trains together, with a bound that proves it.

First every train takes the best route that the ones before it left. If that is less than the trains' best routes would
be worth without each other, a short branch and bound looks for a better run, and then price-and-cut.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.branch_and_bound import BranchAndBound
from ostbahn.kernel.routes.budget import Budget, StepBudget
from ostbahn.kernel.routes.network import BestRun, Network, Route, RunningTrain, TrainKind, run_of_routes
from ostbahn.kernel.routes.prepared_graph import prepared_graph_of
from ostbahn.kernel.routes.price_and_cut import PriceAndCut
from ostbahn.kernel.routes.pricer import Pricer, clear_relaxation_caches, pricer_of


def best_run(network: Network, trains: Sequence[RunningTrain], budget: Budget | None = None) -> BestRun:
    """The run that earns most; among equals always the same one.

    If the budget ends before the proof, the best run found and a bound.
    """
    return best_alternative(network, (trains,), budget)[1]


def best_alternative(
    network: Network, alternatives: Sequence[Sequence[RunningTrain]], budget: Budget | None = None, enough: int = -1
) -> tuple[int, BestRun]:
    """The number of the alternative that earns most (of equals the first), and its run.

    -1 if no alternative meets its demands, or none earns more than `enough`. Alternatives are what the same trains can
    be, such as with a rail car for one or the other. Without a budget it is that of the game, and results are cached.
    """
    ordered = [sorted(trains, key=_order_of) for trains in alternatives]
    kinds = tuple(tuple(train.kind for train in trains) for trains in ordered)
    best = _cached_best(network, kinds, enough) if budget is None else _find_best(network, kinds, budget, enough)
    running = zip(ordered[best.number], best.run, strict=True) if best.number >= 0 else ()
    return best.number, run_of_routes(network, tuple(running), best.bound)


def _order_of(train: RunningTrain) -> tuple[int, bool, int, str]:
    """Long trains choose first."""
    kind = train.kind
    return (-kind.stops, kind.cities is None, -(kind.cities or 0), train.id)


class _BestAlternative(NamedTuple):
    number: int
    run: list[Route]
    """A route for each of its trains."""
    bound: int
    """On all alternatives."""


@lru_cache(maxsize=parameters.DEFAULTS.cached_runs)
def _cached_best(network: Network, alternatives: tuple[tuple[TrainKind, ...], ...], enough: int) -> _BestAlternative:
    """Many tiles that bots and players consider lead to the same network."""
    return _find_best(network, alternatives, StepBudget(parameters.active.game_steps), enough)


def clear_caches() -> None:
    """Let the next search start from nothing; for measurements and tests."""
    _cached_best.cache_clear()
    prepared_graph_of.cache_clear()
    clear_relaxation_caches()


def _find_best(
    network: Network, alternatives: tuple[tuple[TrainKind, ...], ...], budget: Budget, enough: int
) -> _BestAlternative:
    pricers: dict[TrainKind, Pricer] = {}
    best, most, bound = -1, enough, 0
    routes: list[Route] = []
    for number, kinds in _distinct(alternatives):
        for kind in kinds:
            if kind not in pricers:
                pricers[kind] = pricer_of(network, kind)
        run, run_bound = _search(network, kinds, pricers, budget, most)
        bound = max(bound, run_bound)
        worth = sum(route.worth for route in run)
        if len(run) == len(kinds) and worth > most:
            best, most, routes = number, worth, run
    return _BestAlternative(best, routes, bound)


def _distinct(alternatives: Sequence[tuple[TrainKind, ...]]) -> Iterable[tuple[int, tuple[TrainKind, ...]]]:
    """The alternatives with their numbers; of several with the same kinds of trains the first."""
    distinct: dict[frozenset[tuple[TrainKind, int]], tuple[int, tuple[TrainKind, ...]]] = {}
    for number, kinds in enumerate(alternatives):
        distinct.setdefault(frozenset(Counter(kinds).items()), (number, kinds))
    return distinct.values()


def _search(
    network: Network,
    order: Sequence[TrainKind],
    pricers: Mapping[TrainKind, Pricer],
    budget: Budget,
    enough: int,
) -> tuple[list[Route], int]:
    """A run and a bound; no run if none is worth more than `enough`, or if trains that must run cannot."""
    active = parameters.active
    single_budget = budget.portion(active.single_route_share) if len(order) > 1 else budget
    single_budget = StepBudget(active.single_route_steps, single_budget, budget.free_steps)
    best_alone = {kind: pricers[kind].best(budget=single_budget).worth for kind in order}
    bound = sum(pricers[kind].bound for kind in order)
    if bound <= enough:
        return [], bound
    if any(kind.must_run and not pricers[kind].bound for kind in order):
        return [], 0
    best = _one_after_another(order, pricers, single_budget)
    worth = sum(route.worth for route in best)
    if any(kind.must_run and not route.worth for kind, route in zip(order, best, strict=True)):
        best, worth = [], -1
    worth = max(worth, enough)
    sum_alone = sum(best_alone[kind] for kind in order)
    if sum_alone == bound:  # the best routes of single trains are proven
        steps = active.branch_and_bound_steps
        short_budget = StepBudget(steps, budget, steps)
        for floor in _floors(sum_alone, worth):
            search = BranchAndBound(order, pricers, best_alone, max(floor, worth), worth)
            search.search(short_budget)
            if search.best:
                best, worth = search.best, search.worth
            if search.is_complete:
                bound = max(worth, floor)
            if not search.is_complete or worth >= bound:
                break
    if bound > worth:
        price_and_cut = PriceAndCut(network, order, worth, bound, budget)
        for kind in best_alone:
            price_and_cut.add(kind, pricers[kind].best())
        for kind, route in zip(order, best, strict=False):  # there may be none
            price_and_cut.add(kind, route)
        price_and_cut.search()
        best, bound = price_and_cut.best or best, price_and_cut.bound
    return best, max(bound, 0)


def _floors(most: int, least: int) -> Iterator[int]:
    """Floors on the worth of a run, from nearly the most down to the least.

    Where trains hardly conflict, few routes are above the first floors; and each floor that no run exceeds is a bound.
    """
    gap = most - least
    part = gap // parameters.active.first_gap_divisor
    while part and part < gap:
        yield most - part
        part *= 2
    if gap > 0:
        yield least


def _one_after_another(order: Sequence[TrainKind], pricers: Mapping[TrainKind, Pricer], budget: Budget) -> list[Route]:
    """Each train takes the best route off the track of those before it."""
    run: list[Route] = []
    used = 0
    for kind in order:
        route = pricers[kind].best(used, budget)
        used |= route.sides
        run.append(route)
    return run
