"""Tolls on track, at which the trains of a run keep out of each other's way, and the bound that follows from them.

Where track that others want costs a toll, trains leave it to whoever earns most by it: with the right tolls the best
routes of all trains, each looked for alone, hardly meet. And whatever the tolls, no run earns more than all tolls
together and what each train keeps of its best route after paying. The right ones are found by turns: `Sharing` says
what track is worth among the routes that are known, and the search for single trains finds routes that are better at
these tolls, until there are none.

Tolls are integers, finer than money, and the bound is made of integers alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from ostbahn.kernel.routes.network import Knot, Network, Route, TrainKind
from ostbahn.kernel.routes.patience import OutOfPatienceError, Patience, Steps
from ostbahn.kernel.routes.sharing import Sharing, added
from ostbahn.kernel.routes.single_train import Explorer

FINE = 16
"""So many units of tolls make one of money."""

EXCHANGE = 40
"""As many steps of a search as an exchange of routes in `Sharing` takes."""

TURNS = 100
"""How often tolls are changed at most."""

NEARLY = 500
"""Steps in which routes are collected that are nearly as good as the best new one: many at once save turns."""

MOST_NEW = 50
"""How many of them are taken."""

TOO_MUCH = 0.05
"""By how much shares must go beyond what a knot allows to be worth a knot."""

AT_ONCE = 8
"""How many knots are added at a time."""

CERTAIN = 0.01
"""By how much of a unit of money the worth of shares may be wrong."""


class Levy(NamedTuple):
    """Tolls, and what trains keep of their best routes after paying."""

    limits: tuple[int, ...]
    """For each limit, and after them for each knot that has one."""
    links: tuple[int, ...]
    """For each link: those of all limits on it together."""
    knots: tuple[Knot, ...]
    tops: Mapping[TrainKind, int]
    """What no route of a kind of train keeps more of."""
    bound: int
    """What no run is worth more than. All of this in units of tolls."""


class Limits(NamedTuple):
    """Which links exclude each other, as they share a hex side. Where one limit is part of another it is left out."""

    links: tuple[frozenset[int], ...]
    sides: tuple[int, ...]
    """For each limit the hex side that its links share, or one of them, as a bit."""
    of_link: tuple[tuple[int, ...], ...]
    """For each link the limits that it takes part in."""


def limits_of(network: Network) -> Limits:
    users: dict[int, set[int]] = {}
    for number, link in enumerate(network.links):
        sides = link.sides
        while sides:
            side = sides & -sides
            users.setdefault(side, set()).add(number)
            sides ^= side
    shared = {frozenset(links): side for side, links in users.items()}
    kept: list[frozenset[int]] = []
    for limit in sorted(shared, key=lambda limit: (-len(limit), sorted(limit))):
        if not any(limit <= larger for larger in kept):
            kept.append(limit)
    of_link: list[list[int]] = [[] for _ in network.links]
    for number, limit in enumerate(kept):
        for member in limit:
            of_link[member].append(number)
    return Limits(tuple(kept), tuple(shared[limit] for limit in kept), tuple(map(tuple, of_link)))


class Tolls:
    """The search for the right tolls; routes are those of the network in units of tolls."""

    def __init__(self, network: Network, trains: Sequence[TrainKind], patience: Patience) -> None:
        self.network = in_units(network)
        self.trains = Counter(trains)
        self.kinds = {kind: kind._replace(red_to_red=kind.red_to_red * FINE) for kind in self.trains}
        self.patience = patience
        self.limits = limits_of(network)
        self.best: Levy | None = None
        """The tolls with the lowest bound so far."""
        self._knots: list[int] = []
        """Three hex sides each, as bits."""
        self._sharing = self._begun()
        self._limits: list[int] = []
        """Of each route that is shared the limits that it takes part in, as bits."""
        self.known: dict[TrainKind, dict[int, tuple[int, Route]]] = {kind: {} for kind in self.trains}
        """For each kind of train its routes that are known, by their hex sides, and what each is worth."""

    def add(self, kind: TrainKind, route: Route, worth: int) -> bool:
        """Make a route known; says whether that is new."""
        known = self.known[kind]
        if route.sides in known and known[route.sides][0] >= worth:
            return False
        known[route.sides] = worth, route
        self._share(kind, route, worth)
        return True

    def _begun(self) -> Sharing:
        return Sharing([*self.trains.values(), *([1] * (len(self.limits.links) + len(self._knots)))])

    def _share(self, kind: TrainKind, route: Route, worth: int) -> None:
        limits = {limit for link in route.links for limit in self.limits.of_link[link]}
        self._limits.append(sum(1 << limit for limit in limits))
        first, knots = len(self.trains), len(self.trains) + len(self.limits.links)
        tied = (knots + number for number, sides in enumerate(self._knots) if (sides & route.sides).bit_count() > 1)
        takes = (list(self.trains).index(kind), *(first + limit for limit in sorted(limits)), *tied)
        self._sharing.add(worth, takes)

    def in_money(self, route: Route, worth: int) -> Route:
        """A route as it is without tolls, worth so many units of them."""
        mines = sum(self.network.stops[number].value for number in route.stops if self.network.stops[number].is_mine)
        return route._replace(revenue=(worth - mines) // FINE, subsidy=mines // FINE)

    def explorer(self, kind: TrainKind, levy: Levy) -> Explorer:
        """For routes of a kind of train where tolls are paid."""
        return Explorer(self.network, self.kinds[kind], levy.links, levy.knots)

    def settle(self, grain: int, enough: int) -> None:
        """Change tolls until no others could lower the bound by a grain, or it is low enough; best has the best."""
        for _ in range(TURNS):
            self._sharing.solve(self._exchange)
            levy, found = self._priced()
            if self.best is None or levy.bound < self.best.bound:
                self.best = levy
            lowest = int(self._sharing.worth + CERTAIN * FINE)
            if not found or self.best.bound // grain <= max(lowest, enough) // grain:
                break

    def tie(self) -> bool:
        """Add knots that the shares of routes do not respect; says whether there were any.

        Of three hex sides only one route can have two; shares of a half each may have every two of them.
        """
        shares = [(self._limits[number], share) for number, share in self._sharing.shares()]
        known = set(self._knots)
        users = {
            limit: sum(1 << number for number, (limits, _) in enumerate(shares) if limits >> limit & 1)
            for limit in range(len(self.limits.links))
        }
        found = []
        for (a, on_a), (b, on_b), (c, on_c) in combinations([row for row in users.items() if row[1]], 3):
            tied = on_a & on_b | on_b & on_c | on_a & on_c
            if tied & (tied - 1):
                too_much = added([share for number, (_, share) in enumerate(shares) if tied >> number & 1]) - 1
                sides = self.limits.sides[a] | self.limits.sides[b] | self.limits.sides[c]
                if too_much > TOO_MUCH and sides not in known:
                    found.append((-too_much, sides))
        found.sort()
        self._knots += [sides for _, sides in found[:AT_ONCE]]
        if found:
            self._sharing, self._limits = self._begun(), []
            for kind, routes in self.known.items():
                for worth, route in routes.values():
                    self._share(kind, route, worth)
        return bool(found)

    def _exchange(self) -> None:
        if not (self.patience() and self.patience.covers(EXCHANGE)):
            raise OutOfPatienceError

    def _priced(self) -> tuple[Levy, bool]:
        """The tolls as they are now, and whether there were better routes at them than those that were known."""
        tolls = [max(round(toll), 0) for toll in self._sharing.tolls[len(self.trains) :]]
        limits, rest = tolls[: len(self.limits.links)], tolls[len(self.limits.links) :]
        knots = tuple(Knot(sides, toll) for sides, toll in zip(self._knots, rest, strict=True) if toll)
        links = tuple(sum([limits[limit] for limit in on_it]) for on_it in self.limits.of_link)
        levy = Levy((*limits, *(knot.toll for knot in knots)), links, knots, {}, 0)
        tops, news = {}, False
        for kind in self.trains:
            top = max([0, *(worth - toll_of(route, levy) for worth, route in self.known[kind].values())])
            explorer = self.explorer(kind, levy)
            better = explorer.rising(top, self.patience)
            tops[kind] = better[-1].worth if better else top
            if better:
                nearly, _ = explorer.better_than((top + tops[kind]) // 2, Steps(0, grace=NEARLY))
                for route in (better[-1], *nearly[:MOST_NEW]):
                    news = self.add(kind, route, route.worth + toll_of(route, levy)) or news
        bound = sum(levy.limits) + sum(tops[kind] * count for kind, count in self.trains.items())
        return levy._replace(tops=tops, bound=bound), news


def in_units(network: Network) -> Network:
    """The same network with all values in units of tolls."""
    stops = (stop._replace(value=stop.value * FINE, bonus=stop.bonus * FINE) for stop in network.stops)
    return Network(tuple(stops), network.links)


def toll_of(route: Route, levy: Levy) -> int:
    toll = sum([levy.links[link] for link in route.links])
    for knot in levy.knots:
        if knot.ties(route.sides):
            toll += knot.toll
    return toll
