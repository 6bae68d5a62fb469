"""The best run of a company: all its trains together, exact, with the bound that proves it.

First every train takes the best route that the ones before it left (a good run, often the best). If the trains'
own best routes together would be worth more, every route is collected that could be part of a better run, and
the combinations are searched, best routes first, given up where even the best of the rest could not win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ostbahn.kernel.exploring import Explorer
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
    counted_stops,
    endless,
)

__all__ = ["Link", "Network", "Patience", "Route", "Run", "Stop", "Train", "best_run", "counted_stops", "endless"]


@dataclass(frozen=True, slots=True)
class Run:
    """A route for each train that runs, and what they earn together."""

    routes: tuple[tuple[str, Route], ...]
    """Train and route."""
    revenue: int
    bound: int
    """No run earns more."""

    @property
    def proven(self) -> bool:
        return self.bound == self.revenue


def best_run(network: Network, trains: Sequence[Train], patience: Patience = endless) -> Run:
    """The run with the highest revenue; among equals always the same one.

    When patience ends before the proof does, the best run found by then, with a bound on what it may have missed.
    """
    order = sorted(trains, key=lambda train: (-train.stops, train.cities is None, -(train.cities or 0), train.id))
    explorers = {train.kind: Explorer(network, train, patience) for train in order}
    run, bound = _search(order, explorers, patience)
    routes = tuple((train.id, route) for train, route in zip(order, run, strict=True) if route.revenue)
    return Run(routes, sum(route.revenue for _, route in routes), bound)


def _search(order: Sequence[Train], explorers: Mapping[Kind, Explorer], patience: Patience) -> tuple[list[Route], int]:
    """A run and what no run can exceed, as good as patience allows."""
    alone = {kind: explorer.best() for kind, explorer in explorers.items()}
    tops = [
        explorers[train.kind].bound if explorers[train.kind].gave_up else alone[train.kind].revenue for train in order
    ]
    run = _one_after_another(order, explorers, alone)
    bound = sum(tops)
    if bound == sum(route.revenue for route in run):
        return run, bound
    combination = _Combination(order, explorers, tops, run)
    if not any(explorer.gave_up for explorer in explorers.values()):
        try:
            combination.search(patience)
            bound = combination.revenue
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
    """The search for a run that is better than a known one."""

    def __init__(
        self, order: Sequence[Train], explorers: Mapping[Kind, Explorer], tops: list[int], known: list[Route]
    ) -> None:
        self.best = known
        self.revenue = sum(route.revenue for route in known)
        self.alike = [index > 0 and order[index].kind == order[index - 1].kind for index in range(len(order))]
        """Whether a train can do the same as the one before it; their routes are then chosen in order."""
        self.rest = [sum(tops[index:]) for index in range(len(order) + 1)]
        spare = sum(tops) - self.revenue
        pools: dict[Kind, list[Route]] = {}
        for train, top in zip(order, tops, strict=True):
            if train.kind not in pools:
                pools[train.kind] = _worthwhile(explorers[train.kind], max(top - spare, 0))
        self.pools = [pools[train.kind] for train in order]

    def search(self, patience: Patience) -> None:
        """Find the best combination; when patience ends, the best so far stays."""
        self.patience = patience
        self._choose(0, 0, 0, [], 0)

    def _choose(self, index: int, used: int, revenue: int, run: list[Route], first: int) -> None:
        if index == len(self.pools):
            if revenue > self.revenue:
                self.revenue, self.best = revenue, run
            return
        if not self.patience():
            raise OutOfPatienceError
        start = first if self.alike[index] else 0
        for number in range(start, len(self.pools[index])):
            route = self.pools[index][number]
            if revenue + self._hope(index, route.revenue) <= self.revenue:
                break
            if not route.sides & used:
                self._choose(index + 1, used | route.sides, revenue + route.revenue, [*run, route], number + 1)
        idle = self._next_kind(index)
        if revenue + self.rest[idle] > self.revenue:
            self._choose(idle, used, revenue, [*run, *[NO_ROUTE] * (idle - index)], 0)

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
        if route.sides not in found or found[route.sides].revenue < route.revenue:
            found[route.sides] = route
    return sorted(found.values(), key=lambda route: (-route.revenue, route.sides.bit_count(), route.sides))
