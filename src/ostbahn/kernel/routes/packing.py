"""A run that loses little: a route for each train, off each other's track, within what may be lost.

At given tolls a run falls short of the bound by what its routes keep less than the best ones, and by the tolls of track
that nobody uses. A set of routes is a number with a bit for each, those that lose least first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import permutations
from operator import or_
from typing import NamedTuple

from ostbahn.kernel.routes.combining import bits, by_bit, lowest
from ostbahn.kernel.routes.network import NO_ROUTE, Network, Route, TrainKind
from ostbahn.kernel.routes.pricing import Charge
from ostbahn.kernel.routes.search import Found, OutOfPatienceError, Patience
from ostbahn.kernel.routes.tolls import Levy, Limits, Tolls

TOO_DEAR = 10**7
"""A toll that nobody pays."""

PARTS, SWAY = 32, 7
"""Tolls differ by up to so many parts of 32."""


class ByTurns:
    """A run of several trains at some tolls."""

    def __init__(self, network: Network, order: Sequence[TrainKind], tolls: Tolls, charge: Charge) -> None:
        self.network, self.order, self.tolls, self.charge = network, order, tolls, charge
        self.pairs = list(permutations(range(len(order)), 2))
        """Trains that choose again: one that cares for tolls, and the last one."""
        self.turn = 0
        self.routes: list[Route] = []
        *first, last = order
        for kind in first:
            self.routes.append(self._best(kind, self.routes, charge.links))
        self.routes.append(self._best(last, self.routes, ()))

    def again(self) -> None:
        """Two trains choose again; it stays as it was if that is worse."""
        first, last = self.pairs[self.turn % len(self.pairs)]
        self.turn += 1
        routes = list(self.routes)
        others = [route for number, route in enumerate(routes) if number not in (first, last)]
        routes[first] = self._best(self.order[first], others, self._changed())
        routes[last] = self._best(self.order[last], [*others, routes[first]], ())
        if sum(route.worth for route in routes) >= sum(route.worth for route in self.routes):
            self.routes = routes

    def _changed(self) -> list[int]:
        """The tolls of links, some a little higher, some a little lower."""
        found = []
        for number, toll in enumerate(self.charge.links):
            sway = (number * self.turn + self.turn) % (2 * SWAY + 1) - SWAY
            found.append(toll + toll * sway // PARTS)
        return found

    def _best(self, kind: TrainKind, others: Sequence[Route], tolls: Sequence[int]) -> Route:
        """The best route off the track of others, where links have tolls, or none of them."""
        used = reduce(or_, (route.sides for route in others), 0)
        links = tuple(
            TOO_DEAR if link.sides & used else tolls[number] if tolls else 0
            for number, link in enumerate(self.network.links)
        )
        return self.tolls.best_route(kind, Charge(self.charge.unit, links, ()))


NEVER = 10**9
"""What a train loses by standing still that must run."""

NODE = 2
"""As many steps of a search as a choice takes here."""


class Choice(NamedTuple):
    """All trains of one kind, and the routes that they may take."""

    kind: TrainKind
    trains: int
    routes: Sequence[Route]
    losses: Sequence[int]
    """What each route keeps less than the best one."""
    idle: int
    """What a train loses by standing still."""
    limits: Sequence[int]
    """For each route the limits that it takes part in, as bits."""
    users: Mapping[int, int]
    """For each hex side the routes that use it."""
    takers: Mapping[int, int]
    """For each limit with a toll the routes that take part in it."""


def choice(kind: TrainKind, trains: int, found: Sequence[Found], levy: Levy, limits: Limits) -> Choice:
    """Of several routes on the same hex sides only the best counts."""
    best: dict[int, Found] = {}
    for each in found:
        if each.route.sides not in best or best[each.route.sides].kept < each.kept:
            best[each.route.sides] = each
    ordered = sorted(best.values(), key=lambda each: (-each.kept, each.route.sides.bit_count(), each.route.sides))
    routes = [each.route for each in ordered]
    top = levy.tops[kind]
    part_of = [_taken(route, levy, limits) for route in routes]
    return Choice(
        kind,
        trains,
        routes,
        [top - each.kept for each in ordered],
        NEVER if kind.must_run else top,
        part_of,
        by_bit([route.sides for route in routes]),
        {limit.bit_length() - 1: members for limit, members in by_bit(part_of).items()},
    )


def _taken(route: Route, levy: Levy, limits: Limits) -> int:
    """The limits that a route takes part in, and after them the knots, as bits."""
    together = limits.taken(route.links)
    for number, knot in enumerate(levy.charge.knots):
        if knot.ties(route.sides):
            together |= 1 << len(limits.links) + number
    return together


class Packing:
    """Looks for one run that loses no more than it may."""

    def __init__(self, choices: Sequence[Choice], levy: Levy, may_lose: int, patience: Patience) -> None:
        self.choices = choices
        self.tolls = levy.limits
        self.dear = sorted((limit for limit, toll in enumerate(self.tolls) if toll), key=lambda each: -self.tolls[each])
        """Limits with tolls, the dearest first."""
        self.may_lose = may_lose
        self.patience = patience
        self.run: list[tuple[TrainKind, Route]] = []
        self._others: dict[tuple[int, int, int], int] = {}

    def search(self) -> bool:
        trains = [each.trains for each in self.choices]
        free = [(1 << len(each.routes)) - 1 for each in self.choices]
        return self._choose(trains, free, 0, 0)

    def _choose(self, trains: list[int], free: list[int], lost: int, taken: int) -> bool:
        """Routes for all trains that are left, among those that are free; taken are limits that routes take part in."""
        if not (self.patience() and self.patience.covers(NODE)):
            raise OutOfPatienceError
        spare = self.may_lose - lost - self._least_loss(trains, free)
        if spare < 0:
            return False
        wanted, fewest = -1, NEVER
        for limit in self.dear:
            if not taken >> limit & 1:
                takers = self._takers(limit, trains, free)
                if not takers:
                    spare -= self.tolls[limit]
                    if spare < 0:
                        return False
                elif takers < fewest and self.tolls[limit] > spare:
                    wanted, fewest = limit, takers
        if not any(trains):
            return True
        if wanted >= 0:
            return self._take(wanted, trains, free, lost, taken)
        return self._next_train(trains, free, lost, taken)

    def _least_loss(self, trains: Sequence[int], free: Sequence[int]) -> int:
        """What the trains that are left lose at least: no two of them take the same route."""
        least = 0
        for each, left, among in zip(self.choices, trains, free, strict=True):
            while left and among:
                loss = each.losses[lowest(among)]
                if loss >= each.idle:
                    break
                least += loss
                among &= among - 1
                left -= 1
            least += left * each.idle
        return least

    def _takers(self, limit: int, trains: Sequence[int], free: Sequence[int]) -> int:
        count = 0
        for each, left, among in zip(self.choices, trains, free, strict=True):
            if left:
                count += (each.takers.get(limit, 0) & among).bit_count()
        return count

    def _take(self, limit: int, trains: list[int], free: list[int], lost: int, taken: int) -> bool:
        """Some train must take part in a limit, as its toll is more than may still be lost."""
        free = list(free)
        for number, each in enumerate(self.choices):
            if trains[number]:
                takers = each.takers.get(limit, 0) & free[number]
                if self._one_of(number, takers, 1, trains, free, lost, taken):
                    return True
                free[number] &= ~takers
        return False

    def _next_train(self, trains: list[int], free: list[int], lost: int, taken: int) -> bool:
        number = next(number for number, left in enumerate(trains) if left)
        left, free = trains[number], list(free)
        if self._one_of(number, free[number], left, trains, free, lost, taken):
            return True
        lost += left * self.choices[number].idle
        if lost > self.may_lose:
            return False
        kind = self.choices[number].kind
        self.run += [(kind, NO_ROUTE)] * left
        trains, free[number] = [0 if other == number else count for other, count in enumerate(trains)], 0
        if self._choose(trains, free, lost, taken):
            return True
        del self.run[-left:]
        return False

    def _one_of(
        self, number: int, among: int, alike: int, trains: list[int], free: list[int], lost: int, taken: int
    ) -> bool:
        """A train of some kind takes one of some routes. alike: of how many trains none loses less, unless it stands
        still."""
        each = self.choices[number]
        left = [count - (other == number) for other, count in enumerate(trains)]
        while among:
            route = lowest(among)
            loss = each.losses[route]
            if lost + loss + min(loss, each.idle) * (alike - 1) > self.may_lose:
                return False
            among &= among - 1
            free[number] &= ~(1 << route)
            following = [
                rest & self._beside(number, route, other) if left[other] else 0 for other, rest in enumerate(free)
            ]
            self.run.append((each.kind, each.routes[route]))
            if self._choose(left, following, lost + loss, taken | each.limits[route]):
                return True
            self.run.pop()
        return False

    def _beside(self, number: int, route: int, other: int) -> int:
        """The routes of a choice that use no track of a route, as bits; all other bits are set as well."""
        key = (number, route, other)
        found = self._others.get(key)
        if found is None:
            users, clashing = self.choices[other].users, 0
            for side in bits(self.choices[number].routes[route].sides):
                clashing |= users.get(side, 0)
            found = self._others[key] = ~clashing
        return found
