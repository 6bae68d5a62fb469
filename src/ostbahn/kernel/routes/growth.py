"""What becomes of the best run when a network changes a little: by a tile or a station more.

A run on the changed network either was possible before, and earns no more than the best run did; or one of its routes
uses something new. So only routes through what is new are searched for, and combined with those that were known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import merge
from typing import NamedTuple

from ostbahn.kernel.routes.combining import Pool
from ostbahn.kernel.routes.network import BestRun, Hop, Network, Route, RunningTrain, Stop, TrainKind
from ostbahn.kernel.routes.optimiser import best_alternative
from ostbahn.kernel.routes.passing import Drawing, Drawn, Strolls
from ostbahn.kernel.routes.search import OutOfPatienceError, Patience
from ostbahn.kernel.routes.single_train import Explorer, explorer_of
from ostbahn.kernel.routes.walks import NEVER

AT_FIRST = 0.6
"""The part of the patience that may go into the best run as it was."""

EACH = 4
"""How many times its fair share of what is then left a changed network may take."""

COLLECTING = 0.4
"""The part of what is left after that which may go into the old routes of a kind of train."""

CLOSED = -1
"""Instead of the stop at the end of an arm that cannot go on."""

Kinds = tuple[TrainKind, ...]


class Part(NamedTuple):
    """Some stops and links of a network; links at one of these stops need not be named."""

    stops: tuple[int, ...]
    links: frozenset[int]


class Outcome(NamedTuple):
    worth: int
    """As far as it was found."""
    gain: int
    """Compared with what it was, as far as that was found."""
    proven: bool
    """Whether the gain is certain."""


class Difference(NamedTuple):
    """What tells a network from what it was before."""

    new: Part
    """Stops and links that were not there, or not as they are."""
    lost_stops: frozenset[str]
    lost_links: frozenset[int]
    """What was better before; links by the numbers of then."""

    @property
    def loses_nothing(self) -> bool:
        return not self.lost_stops and not self.lost_links

    def spares(self, run: BestRun) -> bool:
        """Whether a run on the network of before earns at least as much after."""
        return self.loses_nothing or all(
            self.lost_stops.isdisjoint(stop.id for stop in route.stops) and self.lost_links.isdisjoint(route.links)
            for route in run.routes
        )


def difference(before: Network, after: Network) -> Difference:
    was, now = ({stop.id: stop for stop in network.stops} for network in (before, after))
    old_links, links = _named(before), _named(after)
    stops = tuple(number for number, stop in enumerate(after.stops) if was.get(stop.id) != stop)
    known, there, new = set(old_links), set(links), set(stops)
    added = frozenset(
        number
        for number, (name, link) in enumerate(zip(links, after.links, strict=True))
        if name not in known and link.a not in new and link.b not in new
    )
    return Difference(
        Part(stops, added),
        frozenset(stop.id for stop in before.stops if not _keeps(stop, now.get(stop.id))),
        frozenset(number for number, name in enumerate(old_links) if name not in there),
    )


def _named(network: Network) -> list[tuple[str, str, int]]:
    """Links in words that do not depend on how stops are numbered."""
    ends = ((network.stops[link.a].id, network.stops[link.b].id, link.sides) for link in network.links)
    return [(min(a, b), max(a, b), sides) for a, b, sides in ends]


def _keeps(was: Stop, now: Stop | None) -> bool:
    """Whether routes by a stop earn at least as much as before."""
    if now is None or was == now:
        return now is not None
    alike = was._replace(value=now.value, own=now.own, passable=now.passable) == now
    return alike and now.value >= was.value and now.own >= was.own and now.passable >= was.passable


class Growth:
    """Trains on a network, and what their best run becomes on others that are nearly the same."""

    def __init__(self, network: Network, kinds: Sequence[TrainKind], patience: Patience) -> None:
        self.network = network
        self.kinds: Kinds = tuple(kinds)
        self.patience = patience
        self.at_first = patience.share(AT_FIRST)
        self.run = _best(network, self.kinds, self.at_first)
        self.explorers = {kind: explorer_of(network, kind) for kind in self.kinds}
        self._most: dict[Kinds, int] = {(): 0, self.kinds: self.run.bound}

    def most(self, kinds: Kinds) -> int:
        """What some of the trains could earn at most, as it was."""
        known = self._most.get(kinds)
        if known is None:
            if len(kinds) == 1:
                explorer = self.explorers[kinds[0]]
                explorer.best(patience=self.at_first)
                known = explorer.bound
            else:
                known = sum(self.most((kind,)) for kind in kinds)
                if self.run.proven:  # otherwise there is no patience left
                    known = min(known, _best(self.network, kinds, self.at_first).bound)
            self._most[kinds] = known
        return known

    def outcomes(self, networks: Sequence[Network]) -> list[Outcome]:
        """What the best run becomes on each of them."""
        found: dict[int, Outcome] = {}
        trials: dict[int, _Trial] = {}
        for number, network in enumerate(networks):
            changed = difference(self.network, network)
            share = self.patience.share(min(1.0, EACH / (len(networks) - number)))
            if not changed.spares(self.run):
                found[number] = self._anew(network, -1, share)
                continue
            trial = _Trial(self, network, changed.new, share)
            if trial.ceiling <= self.run.worth:
                found[number] = Outcome(self.run.worth, 0, True)
            elif changed.loses_nothing:
                trials[number] = trial
            else:
                found[number] = self._anew(network, self.run.worth, share)
        pools = self._pools(list(trials.values()))
        found |= {number: trial.outcome(pools) for number, trial in trials.items()}
        return [found[number] for number in range(len(networks))]

    def _anew(self, network: Network, enough: int, patience: Patience) -> Outcome:
        """Where old routes are lost, all is searched again; only for more than what is known to be enough."""
        run = _best(network, self.kinds, patience, enough)
        worth = max(run.worth, enough)
        return Outcome(worth, worth - self.run.worth, self.run.proven and run.bound <= worth)

    def _pools(self, trials: Sequence[_Trial]) -> dict[TrainKind, tuple[Pool, bool]]:
        """The old routes that could go together with new ones in a better run, and whether these are all of them."""
        found = {}
        for kind, explorer in self.explorers.items() if trials and len(self.kinds) > 1 else ():
            floor = min(trial.floors[kind] for trial in trials)
            routes, complete = explorer.better_than(floor, self.patience.share(COLLECTING))
            found[kind] = Pool(each.route for each in routes), complete
        return found


class _Trial:
    """A changed network: the routes through what is new there, and what they make of the run."""

    def __init__(self, growth: Growth, network: Network, new: Part, patience: Patience) -> None:
        self.growth, self.kinds = growth, growth.kinds
        self.new, self.patience = new, patience
        self.worth = growth.run.worth
        self.explorers = {kind: explorer_of(network, kind) for kind in self.kinds}
        self.routes: dict[TrainKind, list[Route]] = {}
        """For each kind of train its new routes that earn more than its floor, the best first."""
        self.caps: dict[TrainKind, int] = {}
        """What a new route earns at most."""
        self.complete = True
        self.floors = {kind: max(self.worth - growth.most(_without(self.kinds, kind)), 0) for kind in self.explorers}
        """What a train must earn more than in a better run."""
        for kind, floor in self.floors.items():
            self._search(kind, floor)
        self._most: dict[Kinds, int] = {(): 0}
        self.ceiling = max(cap + self.most(_without(self.kinds, kind)) for kind, cap in self.caps.items())
        if self.ceiling > self.worth:
            self._lower_floors()

    def _search(self, kind: TrainKind, floor: int) -> None:
        explorer = self.explorers[kind]
        found, complete = routes_through(explorer, self.new, floor, self.patience)
        self.routes[kind] = sorted(found, key=lambda route: -route.worth)
        self.caps[kind] = max([floor, *(route.worth for route in found)]) if complete else max(floor, explorer.bound)
        self.complete = self.complete and complete

    def most(self, kinds: Kinds) -> int:
        """What some of the trains can earn at most, with new routes or without."""
        known = self._most.get(kinds)
        if known is None:
            with_new = (self.caps[kind] + self.most(_without(kinds, kind)) for kind in set(kinds))
            known = self._most[kinds] = max(self.growth.most(kinds), *with_new)
        return known

    def _lower_floors(self) -> None:
        """Beside a good new route lesser ones may be part of a better run."""
        for kind, floor in self.floors.items():
            lower = max(self.worth - self.most(_without(self.kinds, kind)), 0)
            if lower < floor:
                self.floors[kind] = lower
                self._search(kind, lower)

    def outcome(self, pools: Mapping[TrainKind, tuple[Pool, bool]]) -> Outcome:
        """pools: of the old routes."""
        before = self.worth
        complete = self.complete and all(whole for _, whole in pools.values())
        self.pools = {kind: (old, Pool(self.routes[kind])) for kind, (old, _) in pools.items()}
        try:
            for kind in self.routes:
                self._with_new(kind)
        except OutOfPatienceError:
            complete = False
        return Outcome(self.worth, self.worth - before, complete and self.growth.run.proven)

    def _with_new(self, kind: TrainKind) -> None:
        """The best run in which a train of some kind takes a new route."""
        rest = _without(self.kinds, kind)
        most = self.most(rest)
        for route in self.routes[kind]:
            if route.worth + most <= self.worth:
                break
            if not self.patience():
                raise OutOfPatienceError
            self.worth = max(self.worth, route.worth + self._beside(rest, route.sides, self.worth - route.worth))

    def _beside(self, kinds: Kinds, used: int, enough: int) -> int:
        """What some trains can earn off some hex sides; exact only where it is more than enough."""
        if not kinds:
            return 0
        rest, pools = kinds[1:], self.pools[kinds[0]]
        if not rest:
            return max(pool.best(pool.off(used, pool.all)).worth for pool in pools)
        later, best = self.most(rest), enough
        for route in merge(*(pool.free(used) for pool in pools), key=lambda route: -route.worth):
            if route.worth + later <= best:
                break
            if not self.patience():
                raise OutOfPatienceError
            best = max(best, route.worth + self._beside(rest, used | route.sides, best - route.worth))
        return max(best, self._beside(rest, used, best)) if later > best else best


def _without(kinds: Kinds, kind: TrainKind) -> Kinds:
    at = kinds.index(kind)
    return kinds[:at] + kinds[at + 1 :]


def _best(network: Network, kinds: Kinds, patience: Patience, enough: int = -1) -> BestRun:
    trains = [RunningTrain(str(number), kind) for number, kind in enumerate(kinds)]
    return best_alternative(network, (trains,), patience, enough)[1]


# Routes through what is new


def routes_through(explorer: Explorer, part: Part, floor: int, patience: Patience) -> tuple[list[Route], bool]:
    """Routes that use the part and earn more than that, and whether these are all of them."""
    search = _Through(explorer, part, floor, patience)
    try:
        search.run()
    except OutOfPatienceError:
        search.given_up = True
    return [each.route for each in search.found], not search.given_up


class _Through(Drawing):
    """Routes are drawn from a part of the network outwards: first one arm, then the other. One is given up when the
    outlooks of both ends together could not earn enough.

    Once all routes through a stop or link of the part are found, the others are looked for without it.
    """

    def __init__(self, explorer: Explorer, part: Part, floor: int, patience: Patience) -> None:
        ground, kind, passing = explorer.ground, explorer.kind, explorer.is_passing
        super().__init__(ground, kind, explorer.charge, explorer.hops, passing, patience, floor, rising=False)
        self.walks = None if passing else explorer.walks
        self.strolls = Strolls(ground, kind, explorer.charge, 0) if passing else None
        self.part = part
        self.one: list[int] = []
        self.other: list[int] = []
        """The stops of both arms, from the inside outwards."""
        self.one_links: list[int] = []
        self.other_links: list[int] = []

    def run(self) -> None:
        for stop in self.part.stops:
            hops = self.hops[stop]
            for number, hop in enumerate(hops):
                self._begin(stop, hop, hops[number + 1 :])
            self._begin_with([(start, hop) for start, hop in self._one_way() if self._passes(hop, stop)])
            self.hops = [
                [] if start == stop else [hop for hop in row if stop not in hop.stops]
                for start, row in enumerate(self.hops)
            ]
        for link in sorted(self.part.links):
            self._begin_with([(start, hop) for start, hop in self._one_way() if link in hop.links])
            self.hops = [[hop for hop in row if link not in hop.links] for row in self.hops]

    def _one_way(self) -> list[tuple[int, Hop]]:
        """All hops, each in one direction only. There is none back from where a route can only end."""
        only_ends = [stop.is_mine and not self.passing for stop in self.ground.stops]
        return [
            (start, hop)
            for start, row in enumerate(self.hops)
            for hop in row
            if self._only_ends(hop) or (start < hop.there and not only_ends[start])
        ]

    def _passes(self, hop: Hop, stop: int) -> bool:
        """Whether a hop comes by a stop that does not count then."""
        return stop in hop.stops and (hop.there != stop or self._only_ends(hop))

    def _begin_with(self, hops: Sequence[tuple[int, Hop]]) -> None:
        for start, hop in hops:
            self._begin(start, hop, self.hops[start])

    def _begin(self, start: int, hop: Hop, others: Sequence[Hop]) -> None:
        """All routes that leave a stop by one hop, and perhaps by one of some others."""
        begun = self.begun(start)
        drawn = self.extended(begun, hop) if begun.cities >= 0 else None
        if drawn is not None:
            self.one, self.one_links = list(hop.stops), list(hop.links)
            self.other, self.other_links = [start], []
            self._grow_one(hop, start, others if self._goes_on(start) else (), drawn)

    def _goes_on(self, stop: int) -> bool:
        place = self.ground.stops[stop]
        return place.passable and (self.passing or not place.is_mine)

    def _after(self, hop: Hop) -> Sequence[Hop]:
        return self.hops[hop.there] if self._goes_on(hop.there) and not self._only_ends(hop) else ()

    def _only_ends(self, hop: Hop) -> bool:
        """Whether a hop leads to where a route can only end, as nothing counts there: others lead beyond."""
        return not hop.counts and not self.passing

    def _grow_one(self, last: Hop, behind: int, others: Sequence[Hop], drawn: Drawn) -> None:
        """The first arm may end with its last hop, or go on; the second one is drawn from each of its ends."""
        if not self.patience():
            raise OutOfPatienceError
        further = self._after(last)
        if not self._both_promising(last.there if further else CLOSED, behind, bool(others), drawn):
            return
        self._grow_other(self.other[0], self.one[0], others, drawn)
        for hop in further:
            longer = self.extended(drawn, hop)
            if longer is not None:
                self.one += hop.stops
                self.one_links += hop.links
                self._grow_one(hop, last.there, others, longer)
                del self.one[-len(hop.stops) :], self.one_links[-len(hop.links) :]

    def _grow_other(self, end: int, behind: int, hops: Sequence[Hop], drawn: Drawn) -> None:
        if not self.patience():
            raise OutOfPatienceError
        if not self.promising(end, behind, drawn):
            return
        if not drawn.homeless:
            self.note(drawn, self.other[::-1] + self.one, self.other_links[::-1] + self.one_links)
        for hop in hops:
            longer = self.extended(drawn, hop)
            if longer is not None:
                self.other += hop.stops
                self.other_links += hop.links
                self._grow_other(hop.there, end, self._after(hop), longer)
                del self.other[-len(hop.stops) :], self.other_links[-len(hop.links) :]

    def outlooks(self, end: int, behind: int, drawn: Drawn, homeless: bool, least: int) -> Sequence[int]:
        room = drawn.room
        if end == CLOSED:
            return [NEVER if homeless else 0] * (room - least + 1)
        if self.strolls is not None:
            return self.strolls.onward(end, behind, drawn.taken)[least : room + 1]
        walks = self.walks
        assert walks is not None, "where there are no strolls there are walks"
        levels = [
            walks.levels.number(min(each, walks.stops), drawn.cities, homeless) for each in range(least, room + 1)
        ]
        return [walks.onward(level + end, drawn.taken) for level in levels]

    def _both_promising(self, first: int, behind: int, both: bool, drawn: Drawn) -> bool:
        """Whether both arms together could earn enough, however they share the room that is left."""
        wanted, inner, outer = self.wanted(drawn), self.other[0] if both else CLOSED, self.one[0]
        kept = [0]
        for worth, _ in drawn.loose[: drawn.room]:
            kept.append(kept[-1] + worth)
        ahead, back = self.outlooks(first, behind, drawn, False, 0), self.outlooks(inner, outer, drawn, False, 0)
        if kept[-1] + ahead[-1] + back[-1] <= wanted:
            return False
        if not drawn.homeless:
            return _shared(kept, ahead, back) > wanted
        if _shared(kept, self.outlooks(first, behind, drawn, True, 0), back) > wanted:
            return True
        return both and _shared(kept, ahead, self.outlooks(inner, outer, drawn, True, 0)) > wanted


def _shared(kept: Sequence[int], ahead: Sequence[int], back: Sequence[int]) -> int:
    """The most that stops passed so far and both arms can earn, if all of them share the room."""
    room = len(ahead) - 1
    return max(
        passed + ahead[used] + back[room - count - used]
        for count, passed in enumerate(kept)
        for used in range(room - count + 1)
    )
