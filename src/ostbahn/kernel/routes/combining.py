"""Which routes of several trains go together: a choice of one for each train, none of which share track.

The routes of a kind of train are sorted, best first, and a set of them is a number with a bit for each. What keeps off
a route's hex sides is then a few `&` on these numbers, and the best of what is left is the lowest bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ostbahn.kernel.routes.network import NO_ROUTE, Route, TrainKind
from ostbahn.kernel.routes.search import OutOfPatienceError, Patience
from ostbahn.kernel.routes.single_train import Explorer

COLLECTING = 0.5
"""The part of the patience that collecting routes may take; the rest is for combining them."""

GLANCE = 3000
"""How many routes of the first train are tried with the best of what they leave, before all is looked at."""


class Pool:
    """Routes of one kind of train, best first."""

    def __init__(self, routes: Iterable[Route]) -> None:
        """Of several on the same hex sides only the best counts."""
        found: dict[int, Route] = {}
        for route in routes:
            if route.sides not in found or found[route.sides].worth < route.worth:
                found[route.sides] = route
        self.routes = sorted(found.values(), key=lambda route: (-route.worth, route.sides.bit_count(), route.sides))
        self.all = (1 << len(self.routes)) - 1
        users = by_bit([route.sides for route in self.routes])
        self._off = {side: self.all & ~routes for side, routes in users.items()}
        """For each hex side the routes that do not use it."""

    def off(self, sides: int, among: int) -> int:
        """Those among some routes that use none of some hex sides."""
        known = self._off
        for side in bits(sides):
            if side in known:
                among &= known[side]
        return among

    def free(self, sides: int) -> Iterator[Route]:
        """Those that use none of some hex sides, the best first."""
        among = self.off(sides, self.all)
        while among:
            yield self.routes[lowest(among)]
            among &= among - 1

    def best(self, among: int) -> Route:
        return self.routes[lowest(among)] if among else NO_ROUTE


class Group(NamedTuple):
    kind: TrainKind
    trains: int
    must_run: bool
    pool: Pool


class Combination:
    """The best run among those in which no train earns too much less than it could alone."""

    def __init__(
        self,
        order: Sequence[TrainKind],
        explorers: Mapping[TrainKind, Explorer],
        tops: Mapping[TrainKind, int],
        floor: int,
        known: int,
    ) -> None:
        self.order = order
        self.explorers = explorers
        self.tops = tops
        """What a train of a kind earns at most if no other is in its way."""
        self.floor = floor
        """Every run that is worth more is looked for."""
        self.worth = known
        """What the best run is worth that is known so far."""
        self.complete = False
        """Whether there is none that is worth more than both."""
        self._best: dict[TrainKind, list[Route]] | None = None

    @property
    def best(self) -> list[Route]:
        """The best run, a route for each train in order; nothing if none is worth enough."""
        if self._best is None:
            return []
        routes = {kind: iter(found) for kind, found in self._best.items()}
        return [next(routes[kind]) for kind in self.order]

    def search(self, patience: Patience) -> None:
        """What was found stays if patience ends."""
        collected = self._collect(patience.share(COLLECTING))
        self.patience = patience
        try:
            self._glance()
            self.least = max(self.worth, self.floor)
            self._choose(0, self.groups[0].trains, tuple(group.pool.all for group in self.groups), 0, {})
            self.complete = collected
        except OutOfPatienceError:
            pass

    def _glance(self) -> None:
        """Good runs, to have something if patience ends: a route, and the best that it leaves for one after another."""
        for first in self.groups[0].pool.routes[:GLANCE]:
            if not self.patience():
                raise OutOfPatienceError
            used, run = first.sides, {self.groups[0].kind: [first]}
            for group in self.groups:
                routes = run.setdefault(group.kind, [])
                while len(routes) < group.trains:
                    routes.append(group.pool.best(group.pool.off(used, group.pool.all)))
                    used |= routes[-1].sides
            worth = sum(route.worth for routes in run.values() for route in routes)
            if worth > self.worth and self._runs_what_must(run):
                self.worth, self._best = worth, run

    def _runs_what_must(self, run: Mapping[TrainKind, Sequence[Route]]) -> bool:
        return all(route.worth or not group.must_run for group in self.groups for route in run[group.kind])

    def _collect(self, patience: Patience) -> bool:
        """The routes of each kind of train that could be part of such a run; says whether these are all of them."""
        spare = sum(self.tops[kind] for kind in self.order) - self.floor
        self.groups: list[Group] = []
        complete = True
        for kind, trains in Counter(self.order).items():
            found, all_ = self.explorers[kind].better_than(max(self.tops[kind] - spare, 0), patience)
            self.groups.append(Group(kind, trains, kind.must_run, Pool(each.route for each in found)))
            complete = complete and all_
        return complete

    def _choose(
        self, number: int, left: int, free: tuple[int, ...], worth: int, run: dict[TrainKind, list[Route]]
    ) -> None:
        """Routes for so many trains of a group, then for the groups after it, among those that are still free."""
        if number == len(self.groups):
            if worth > self.least:
                self.least = self.worth = worth
                self._best = run
            return
        group, among = self.groups[number], free[0]
        others = list(zip(self.groups[number + 1 :], free[1:], strict=True))
        later = sum(other.trains * other.pool.best(rest).worth for other, rest in others)
        while among:
            if not self.patience():
                raise OutOfPatienceError
            route = group.pool.routes[lowest(among)]
            if worth + route.worth * left + later <= self.least:
                break
            among &= among - 1
            chosen = {**run, group.kind: [*run.get(group.kind, ()), route]}
            following = tuple(other.pool.off(route.sides, rest) for other, rest in others)
            if left > 1:
                again = group.pool.off(route.sides, among)
                self._choose(number, left - 1, (again, *following), worth + route.worth, chosen)
            else:
                self._next(number, following, worth + route.worth, chosen)
        if not group.must_run and worth + later > self.least:
            idle = [*run.get(group.kind, ()), *[NO_ROUTE] * left]
            self._next(number, free[1:], worth, {**run, group.kind: idle})

    def _next(self, number: int, free: tuple[int, ...], worth: int, run: dict[TrainKind, list[Route]]) -> None:
        trains = self.groups[number + 1].trains if number + 1 < len(self.groups) else 0
        self._choose(number + 1, trains, free, worth, run)


def lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def by_bit(sets: Sequence[int]) -> dict[int, int]:
    """For each bit the sets that have it, as bits by their numbers."""
    size = len(sets) // 8 + 1
    users: dict[int, bytearray] = {}
    for number, members in enumerate(sets):
        for bit in bits(members):
            users.setdefault(bit, bytearray(size))[number >> 3] |= 1 << (number & 7)
    return {bit: int.from_bytes(numbers, "little") for bit, numbers in users.items()}


def bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low
        number ^= low
