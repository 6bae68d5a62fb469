"""Tolls on track, at which the trains of a run keep out of each other's way, and the bound that follows from them.

Whatever the tolls, no run earns more than all tolls together and what each train keeps of its best walk after paying.
The right ones are found by turns: `Sharing` says what track is worth among the routes that are known, and best walks
at these tolls are new routes, until none is better. A walk that is no route is shared as if it were one, so that tolls
keep walks from using track twice. Tolls are integers, finer than money, and the bound is made of integers alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from ostbahn.kernel.routes.combining import bits
from ostbahn.kernel.routes.ground import Ground, ground_of
from ostbahn.kernel.routes.network import NO_ROUTE, Hop, Knot, Network, Route, TrainKind
from ostbahn.kernel.routes.pricing import Charge, Memory
from ostbahn.kernel.routes.search import Found, OutOfPatienceError, Patience, Search, Steps
from ostbahn.kernel.routes.sharing import Sharing, added
from ostbahn.kernel.routes.single_train import Explorer, hops_of

FINE = 16
"""So many units of tolls make one of money."""

EXCHANGE = 40
"""As many steps of a search as an exchange of routes in `Sharing` takes."""

OUTLOOK = 2
"""As many steps of a search as it takes to work an outlook out."""

TURNS = 200
"""How often tolls are changed at most."""

DRAWN = 1000
"""Steps in which the best route is looked for where the best walk is none."""

NEARLY = 500
"""Steps in which routes are collected that are nearly as good as the best new one, where walks do not tell of any."""

MOST_NEARLY = 50

MOST_REMEMBERED = 6
"""How much more walks may remember at a stop than what is near."""

MOST_WALKS = 3
"""How many walks that are no routes are shared at a time."""

TOO_MUCH = 0.05
"""By how much shares must go beyond what a knot allows to be worth a knot."""

AT_ONCE = 8

CERTAIN = 0.01
"""By how much of a unit of money the worth of shares may be wrong."""


Detour = tuple[int, int, list[Hop]]
"""A walk that is no route: what it keeps, where it begins, and its hops."""

Looked = tuple[int, list[Found], list[Detour]]
"""What no route keeps more of, routes that were found, and walks that are to be shared as if they were routes."""


class Levy(NamedTuple):
    """Tolls, and what trains keep of their best routes after paying."""

    limits: tuple[int, ...]
    """For each limit, and after them for each knot that has one."""
    charge: Charge
    """For each link those of all limits on it together, and for knots."""
    tops: Mapping[TrainKind, int]
    """What no route of a kind of train keeps more of."""
    bound: int
    """What no run is worth more than. All of this in units of tolls."""

    def kept(self, route: Route) -> int:
        return route.worth * FINE - self.charge.paid(route.links, route.sides)


class Shared(NamedTuple):
    """A route that is shared, or a walk that is none."""

    kind: TrainKind
    worth: int
    """In units of tolls."""
    links: tuple[int, ...]
    sides: int
    start: int = 0
    hops: tuple[Hop, ...] = ()
    """Only of walks."""


class Limits(NamedTuple):
    """Which links exclude each other, as they share a hex side. Where one limit is part of another it is left out."""

    links: tuple[frozenset[int], ...]
    sides: tuple[int, ...]
    """For each limit the hex side that its links share, or one of them, as a bit."""
    of_link: tuple[tuple[int, ...], ...]
    """For each link the limits that it takes part in."""

    def taken(self, links: Sequence[int]) -> int:
        """The limits that some links take part in, as bits."""
        together = 0
        for link in links:
            for limit in self.of_link[link]:
                together |= 1 << limit
        return together


def limits_of(network: Network) -> Limits:
    users: dict[int, set[int]] = {}
    for number, link in enumerate(network.links):
        for side in bits(link.sides):
            users.setdefault(side, set()).add(number)
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
    def __init__(self, network: Network, trains: Sequence[TrainKind], patience: Patience) -> None:
        self.trains = Counter(trains)
        self.grounds = {
            kind: ground_of(network, kind.bonuses > 0, kind.visits_mine, kind.red_to_red) for kind in self.trains
        }
        self.patience = patience
        self.limits = limits_of(network)
        self.best: Levy | None = None
        """The tolls with the lowest bound so far."""
        self.known: dict[TrainKind, dict[int, Route]] = {kind: {} for kind in self.trains}
        """For each kind of train its routes that are known, by their hex sides."""
        self._knots: list[int] = []
        """Three hex sides each, as bits."""
        self._memories: dict[TrainKind, Memory] = {}
        """What walks of each kind of train remember."""
        self.outlooks = 0
        self._steps = dict.fromkeys(self.trains, DRAWN)
        self._shared: list[Shared] = []
        self._sharing = self._begun()

    def add(self, kind: TrainKind, route: Route) -> bool:
        """Make a route known; says whether that is new."""
        known = self.known[kind]
        if route.sides in known and known[route.sides].worth >= route.worth:
            return False
        known[route.sides] = route
        self._share(Shared(kind, route.worth * FINE, route.links, route.sides))
        return True

    def _begun(self) -> Sharing:
        return Sharing([*self.trains.values(), *([1] * (len(self.limits.links) + len(self._knots)))])

    def _share(self, shared: Shared) -> None:
        kind, worth, links, sides, _, _ = shared
        first, knots = len(self.trains), len(self.trains) + len(self.limits.links)
        taken = [first + limit for link in links for limit in self.limits.of_link[link]]
        tied = [knots + number for number, knot in enumerate(self._knots) if (knot & sides).bit_count() > 1]
        self._shared.append(shared)
        self._sharing.add(worth, (list(self.trains).index(kind), *sorted(taken), *tied))

    def explorer(self, kind: TrainKind, charge: Charge) -> Explorer:
        """For routes of a kind of train where tolls are paid."""
        ground = self.grounds[kind]
        if kind not in self._memories and hops_of(ground, kind) is not None:
            self._memories[kind] = Memory(ground, kind.skips_towns)
        return Explorer(ground, kind, charge, self._memories.get(kind))

    def settle(self, grain: int, enough: int) -> None:
        """Change tolls until no others could lower the bound by a grain, or it is low enough; best has the best."""
        for _ in range(TURNS):
            self._sharing.solve(lambda: self._spend(EXCHANGE))
            levy, news = self._priced()
            if self.best is None or levy.bound < self.best.bound:
                self.best = levy
            lowest = int(self._sharing.worth + CERTAIN * FINE)
            if not news or self.best.bound // grain <= max(lowest, enough) // grain:
                break

    def best_route(self, kind: TrainKind, charge: Charge) -> Route:
        """The route that keeps most at some tolls, as far as that is soon found out."""
        explorer = self.explorer(kind, charge)
        highest = self._highest(explorer)
        if explorer.is_passing:
            routes: list[Found] = []
        else:
            routes, _ = self._traced(explorer, 0)
            routes.sort(key=lambda found: found.kept)
        best = routes[-1].kept if routes else 0
        if best < highest:
            routes += explorer.better_than(best, Steps(DRAWN, self.patience, 0), rising=True)[0]
        return routes[-1].route if routes else NO_ROUTE

    def _spend(self, steps: int) -> None:
        if not (self.patience() and self.patience.covers(steps)):
            raise OutOfPatienceError

    def _priced(self) -> tuple[Levy, bool]:
        """The tolls as they are now, and whether anything better at them was found than what was known."""
        tolls = [max(round(toll), 0) for toll in self._sharing.tolls[len(self.trains) :]]
        limits, rest = tolls[: len(self.limits.links)], tolls[len(self.limits.links) :]
        knots = tuple(Knot(sides, toll) for sides, toll in zip(self._knots, rest, strict=True) if toll)
        links = tuple(sum([limits[limit] for limit in on_it]) for on_it in self.limits.of_link)
        levy = Levy((*limits, *(knot.toll for knot in knots)), Charge(FINE, links, knots), {}, 0)
        tops, news = {}, False
        for kind in self.trains:
            top = max([0, *(levy.kept(route) for route in self.known[kind].values())])
            tops[kind], new = self._looked(kind, levy.charge, top)
            news = news or new
        bound = sum(levy.limits) + sum(tops[kind] * count for kind, count in self.trains.items())
        return levy._replace(tops=tops, bound=bound), news

    def _looked(self, kind: TrainKind, charge: Charge, top: int) -> tuple[int, bool]:
        """What no route keeps more of, if a known one keeps so much; and whether something better was found."""
        explorer = self.explorer(kind, charge)
        highest = self._highest(explorer)
        if highest <= top:
            return top, False
        highest, routes, walks = self._by_walks(explorer, top, highest)
        news = [self.add(kind, found.route) for found in routes]
        news += [self._add_walk(kind, charge, *walk) for walk in walks]
        return highest, any(news)

    def _highest(self, explorer: Explorer) -> int:
        """What no route keeps more of, as far as outlooks tell."""
        highest = explorer.highest()
        if not explorer.is_passing:
            self.outlooks = len(explorer.walks.known)
            self._spend(self.outlooks * OUTLOOK)
        return highest

    def _by_search(self, explorer: Explorer, top: int) -> Looked:
        """Where stops are passed link by link, the best route is searched for, and some that are nearly as good."""
        routes, complete = explorer.better_than(top, self.patience, rising=True)
        if not complete:
            raise OutOfPatienceError
        if not routes:
            return top, [], []
        nearly, _ = explorer.better_than((top + routes[-1].kept) // 2, Steps(0, grace=NEARLY))
        return routes[-1].kept, [routes[-1], *nearly[:MOST_NEARLY]], []

    def _by_walks(self, explorer: Explorer, top: int, highest: int) -> Looked:
        """The best walks from all stops. Where the very best is no route, the best route is looked for, too, as long as
        that does not take too much time; else walks are shared as if they were routes."""
        if explorer.is_passing:
            return self._by_search(explorer, top)
        routes, walks = self._traced(explorer, top)
        best = max([top, *(found.kept for found in routes)])
        if best == highest:
            return highest, routes, []
        steps = self._steps[explorer.kind]
        drawn, complete = explorer.better_than(best, Steps(steps, self.patience, 0), rising=True)
        routes += drawn[-1:]
        if complete:
            self._steps[explorer.kind] = DRAWN
            return max([best, *(found.kept for found in drawn)]), routes, []
        self._steps[explorer.kind] = max(steps // 2, 20)
        return highest, routes, walks[:MOST_WALKS]

    def _traced(self, explorer: Explorer, top: int) -> tuple[list[Found], list[Detour]]:
        """The best walks from all stops that keep more than that: those that are routes, and the others."""
        ground, walks = explorer.ground, explorer.walks
        routes = Search(ground, explorer.kind, explorer.charge, self.patience, top, rising=False)
        others = []
        for kept, start in explorer.hopes():
            if kept <= top:
                break
            hops, taken = walks.trace(start), ground.place[start]
            for hop in hops:
                if hop.taken & taken:
                    others.append((kept, start, hops))
                    break
                taken |= hop.taken
            else:
                routes.keep_hops(start, hops, kept)
        return routes.found, others

    def _add_walk(self, kind: TrainKind, charge: Charge, kept: int, start: int, hops: Sequence[Hop]) -> bool:
        """Share a walk that is no route; says whether that is new."""
        links = tuple(link for hop in hops for link in hop.links)
        sides = reduce(or_, (hop.sides for hop in hops))
        walk = Shared(kind, kept + charge.paid(links, sides), links, sides, start, tuple(hops))
        if any(each.hops == walk.hops and each.start == start and each.kind == kind for each in self._shared):
            return False
        self._share(walk)
        return True

    def remember(self) -> bool:
        """Let walks remember what those that are shared have forgotten; says whether there was something to do."""
        forgotten = False
        for kind, memory in self._memories.items():
            near = list(memory.near)
            for number, _ in self._sharing.shares():
                shared = self._shared[number]
                if shared.kind == kind and shared.hops:
                    _remind(near, self.grounds[kind], shared.start, shared.hops)
            if near != memory.near:
                self._memories[kind] = Memory(memory.ground, memory.skips_towns, near)
                forgotten = True
        if forgotten:
            self._share_again([each for each in self._shared if not each.hops])
        return forgotten

    def _share_again(self, shared: Sequence[Shared]) -> None:
        self._sharing, self._shared = self._begun(), []
        for each in shared:
            self._share(each)

    def tie(self) -> bool:
        """Add knots that the shares of routes do not respect; says whether there were any.

        Of three hex sides only one route can have two; shares of a half each may have every two of them.
        """
        shares = [(self.limits.taken(self._shared[number].links), share) for number, share in self._sharing.shares()]
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
            self._share_again(self._shared)
        return bool(found)


def _remind(near: list[int], ground: Ground, start: int, hops: Sequence[Hop]) -> None:
    """Let a walk remember what it takes twice, at all stops between."""
    taken, at = [ground.place[start], *(hop.taken for hop in hops)], [start, *(hop.there for hop in hops)]
    for early, late in combinations(range(len(taken)), 2):
        again = taken[late] & taken[early]
        for stop in at[early:late] if again else ():
            if (near[stop] & ~ground.near(stop) | again).bit_count() <= MOST_REMEMBERED:
                near[stop] |= again
