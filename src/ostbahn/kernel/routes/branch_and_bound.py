"""Set packing without dual prices: one route for each train, none of which share track, by branch and bound.

The routes of a kind of train are sorted, best first, and a set of them is an integer with a bit for each. The routes
off some hex sides are then a few `&` of such integers, and the best of a set is its lowest bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.budget import Budget, BudgetExceededError
from ostbahn.kernel.routes.network import NO_ROUTE, Route, TrainKind
from ostbahn.kernel.routes.pricer import Pricer


class RoutePool:
    """Routes of one kind of train, best first."""

    def __init__(self, routes: Iterable[Route]) -> None:
        """Of routes over the same hex sides only the best is kept."""
        best: dict[int, Route] = {}
        for route in routes:
            if route.sides not in best or best[route.sides].worth < route.worth:
                best[route.sides] = route
        self.routes = sorted(best.values(), key=lambda route: (-route.worth, route.sides.bit_count(), route.sides))
        self.all = (1 << len(self.routes)) - 1
        users = members_by_bit([route.sides for route in self.routes])
        self._avoiding = {side: self.all & ~routes for side, routes in users.items()}
        """For each hex side the routes that do not cross it."""

    def avoiding(self, sides: int, among: int) -> int:
        """Those among some routes that cross none of these hex sides."""
        avoiding = self._avoiding
        for side in bits(sides):
            if side in avoiding:
                among &= avoiding[side]
        return among

    def free_routes(self, sides: int) -> Iterator[Route]:
        """Those that cross none of these hex sides, best first."""
        among = self.avoiding(sides, self.all)
        while among:
            yield self.routes[lowest_bit(among)]
            among &= among - 1

    def best(self, among: int) -> Route:
        return self.routes[lowest_bit(among)] if among else NO_ROUTE


class TrainGroup(NamedTuple):
    """All trains of one kind."""

    kind: TrainKind
    trains: int
    pool: RoutePool


class BranchAndBound:
    """Looks for the best run that is worth more than a floor."""

    def __init__(
        self,
        order: Sequence[TrainKind],
        pricers: Mapping[TrainKind, Pricer],
        best_alone: Mapping[TrainKind, int],
        floor: int,
        known: int,
    ) -> None:
        """best_alone: what a train of each kind earns without others. known: the worth of the best known run."""
        self.order = order
        self.pricers = pricers
        self.best_alone = best_alone
        self.floor = floor
        self.worth = known
        """The worth of the best run, found here or known before."""
        self.is_complete = False
        """Whether no run is worth more than both floor and best run."""
        self._best: dict[TrainKind, list[Route]] | None = None

    @property
    def best(self) -> list[Route]:
        """The best run found, a route for each train in order; empty if there is none."""
        if self._best is None:
            return []
        routes = {kind: iter(chosen) for kind, chosen in self._best.items()}
        return [next(routes[kind]) for kind in self.order]

    def search(self, budget: Budget) -> None:
        """What was found stays if the budget ends."""
        has_all_routes = self._list_routes(budget.portion(parameters.active.enumeration_share))
        self.budget = budget
        try:
            self._complete_greedily()
            self.least = max(self.worth, self.floor)
            self._branch(0, self.groups[0].trains, tuple(group.pool.all for group in self.groups), 0, {})
            self.is_complete = has_all_routes
        except BudgetExceededError:
            pass

    def _complete_greedily(self) -> None:
        """First runs: a route of the first group, and for each other train the best that is left."""
        for first in self.groups[0].pool.routes[: parameters.active.greedy_first_routes]:
            if not self.budget.take_step():
                raise BudgetExceededError
            used, run = first.sides, {self.groups[0].kind: [first]}
            for group in self.groups:
                routes = run.setdefault(group.kind, [])
                while len(routes) < group.trains:
                    routes.append(group.pool.best(group.pool.avoiding(used, group.pool.all)))
                    used |= routes[-1].sides
            worth = sum(route.worth for routes in run.values() for route in routes)
            if worth > self.worth and all(
                route.worth or not kind.must_run for kind, routes in run.items() for route in routes
            ):
                self.worth, self._best = worth, run

    def _list_routes(self, budget: Budget) -> bool:
        """Fill the pools with the routes that such a run may have; says whether these are all of them."""
        gap = sum(self.best_alone[kind] for kind in self.order) - self.floor
        self.groups: list[TrainGroup] = []
        has_all_routes = True
        for kind, trains in Counter(self.order).items():
            routes, is_complete = self.pricers[kind].better_than(max(self.best_alone[kind] - gap, 0), budget)
            self.groups.append(TrainGroup(kind, trains, RoutePool(priced.route for priced in routes)))
            has_all_routes = has_all_routes and is_complete
        return has_all_routes

    def _branch(
        self, number: int, left: int, free: tuple[int, ...], worth: int, run: dict[TrainKind, list[Route]]
    ) -> None:
        """Choose routes for the trains left in a group, and then for the groups after it, among the free ones."""
        if number == len(self.groups):
            if worth > self.least:
                self.least = self.worth = worth
                self._best = run
            return
        group, among = self.groups[number], free[0]
        others = list(zip(self.groups[number + 1 :], free[1:], strict=True))
        bound_of_others = sum(other.trains * other.pool.best(rest).worth for other, rest in others)
        while among:
            if not self.budget.take_step():
                raise BudgetExceededError
            route = group.pool.routes[lowest_bit(among)]
            if worth + route.worth * left + bound_of_others <= self.least:
                break
            among &= among - 1
            extended = {**run, group.kind: [*run.get(group.kind, ()), route]}
            following = tuple(other.pool.avoiding(route.sides, rest) for other, rest in others)
            if left > 1:
                same_group = group.pool.avoiding(route.sides, among)
                self._branch(number, left - 1, (same_group, *following), worth + route.worth, extended)
            else:
                self._next_group(number, following, worth + route.worth, extended)
        if not group.kind.must_run and worth + bound_of_others > self.least:
            with_idle = [*run.get(group.kind, ()), *[NO_ROUTE] * left]
            self._next_group(number, free[1:], worth, {**run, group.kind: with_idle})

    def _next_group(self, number: int, free: tuple[int, ...], worth: int, run: dict[TrainKind, list[Route]]) -> None:
        trains = self.groups[number + 1].trains if number + 1 < len(self.groups) else 0
        self._branch(number + 1, trains, free, worth, run)


def lowest_bit(bits: int) -> int:
    """The number of the lowest bit."""
    return (bits & -bits).bit_length() - 1


def members_by_bit(sets: Sequence[int]) -> dict[int, int]:
    """For each bit the sets that have it, as bits by their numbers."""
    size = len(sets) // 8 + 1
    members: dict[int, bytearray] = {}
    for number, elements in enumerate(sets):
        for bit in bits(elements):
            members.setdefault(bit, bytearray(size))[number >> 3] |= 1 << (number & 7)
    return {bit: int.from_bytes(numbers, "little") for bit, numbers in members.items()}


def bits(number: int) -> Iterator[int]:
    """The bits of an integer, lowest first."""
    while number:
        low = number & -number
        yield low
        number ^= low
