"""A network as trains of one sort see it, whatever their length: what can be reached, and which hops leave a stop.

Getting ready often takes longer than the search itself, and whoever tries out tiles asks about the same network
again and again; so the grounds that were last asked for are kept. Nothing here changes once it is found out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from ostbahn.kernel.routes.network import Hop, Link, Network, Route, Stop, TrainKind

KEPT = 256

MOST_HOPS = 20_000
"""How many hops are listed, so that time and memory stay bounded; where there are more, links must do."""

RESERVED = 30
"""Bits that are left free below those of places and track, for whoever numbers what is remembered of them."""

MEMORY = 6
"""How many places near a stop a walk remembers: more make it tighter, and slower."""

UNCOUNTED, LAST, CITY, OWN = 8, 4, 2, 1
"""What the sort of a hop is made of: the stop at its end does not count, it cannot go on from there, it is a city, the
hop comes to an own station."""

SORTS = 16

MINE = "a mine"
"""The location that all mines share: a route visits only one of them."""


Joined = dict[tuple[int, int], list[int]]

Bundle = tuple[int, int, list[Hop]]
"""Hops to the same stop, of the same sort: the stop, the sort, and the hops."""


class Listing(NamedTuple):
    """All hops of a ground in one list, so that each has a number."""

    hops: list[Hop]
    first: list[int]
    """For each stop the number of the first hop that leaves it, and in the end how many there are."""
    beyond: list[tuple[int, int]]
    """For each hop the number of the one that it goes beyond by a link, counted from 1 (0 if it is a single link); and
    that link."""

    def kept(self, unit: int, tolls: Sequence[int]) -> list[int]:
        """What trains keep of each hop, in units, where links have tolls."""
        paid = [0]
        for before, link in self.beyond:
            paid.append(paid[before] + tolls[link])
        return [hop.value * unit - toll for hop, toll in zip(self.hops, paid[1:], strict=True)]


class Ground:
    """The stops and hops that trains may use from the company's stations."""

    def __init__(self, network: Network, paid: bool, mines: bool, red_to_red: int = 0) -> None:
        stops = _as_paid(network.stops) if paid else network.stops
        self.links = network.links
        self.half = -(-red_to_red // 2)
        """What a red tile has in its value of that which two of them bring."""
        self.stops = _as_ends(stops, self.half) if red_to_red else stops
        """All stops; where bonuses are collected, with the bonus in the value."""
        numbers: dict[str, int] = {}
        places = (MINE if stop.is_mine else stop.location for stop in self.stops)
        self.place = [1 << RESERVED + numbers.setdefault(place, len(numbers)) for place in places]
        """For each stop its location, as a bit."""
        self.mine_place = 1 << RESERVED + numbers[MINE] if MINE in numbers else 0
        joined = self._within_reach(self._joined_by(mines))
        track, self.bits = _shared_track(network.links, joined.values(), RESERVED + len(numbers))
        self.ways = self._ways(joined, track)
        """For each stop the single links that leave it, good stops first."""
        self._near = [0] * len(self.stops)
        found = [stop.value for stop, ways in zip(self.stops, self.ways, strict=True) if stop.is_mine and ways]
        self.best_mine = max(found, default=0)
        self.alone: dict[TrainKind, tuple[Route, int]] = {}
        """For kinds of trains the best route where no other train is in the way, and how many steps it took."""
        self._hops: dict[bool, list[list[Hop]] | None] = {}
        self._bundles: dict[bool, list[list[Bundle] | None]] = {}
        self._listings: dict[bool, Listing] = {}

    def hops(self, skips_towns: bool) -> list[list[Hop]] | None:
        """For each stop the hops that leave it, for trains that must count every city; None if there are too many."""
        if skips_towns not in self._hops:
            skipped = [
                bool(ways) and (stop.is_mine or (skips_towns and stop.is_town))
                for stop, ways in zip(self.stops, self.ways, strict=True)
            ]
            self._hops[skips_towns] = self._listed(skipped) if any(skipped) else self.ways
        return self._hops[skips_towns]

    def goes_beyond(self, skips_towns: bool) -> bool:
        """Whether a hop may follow the last stop that counts: to a mine, or to a station in a town that does not."""
        return any(
            ways and (stop.is_mine or (skips_towns and stop.own and stop.is_town))
            for stop, ways in zip(self.stops, self.ways, strict=True)
        )

    def bundles(self, skips_towns: bool, stop: int) -> list[Bundle]:
        known = self._bundles.setdefault(skips_towns, [None] * len(self.stops))
        found = known[stop]
        if found is None:
            hops = self.hops(skips_towns)
            assert hops is not None, "whoever asks for bundles knows that there are some"
            found = known[stop] = self._bundled(hops[stop])
        return found

    def listing(self, skips_towns: bool) -> Listing:
        if skips_towns not in self._listings:
            hops = self.hops(skips_towns)
            assert hops is not None, "whoever asks for a listing knows that there is one"
            found = Listing([], [0], [])
            for row in hops:
                numbers: dict[tuple[int, ...], int] = {}
                for hop in row:
                    found.hops.append(hop)
                    found.beyond.append((numbers.get(hop.links[:-1], 0), hop.links[-1]))
                    numbers[hop.links] = len(found.hops)
                found.first.append(len(found.hops))
            self._listings[skips_towns] = found
        return self._listings[skips_towns]

    def sort_of(self, hop: Hop) -> int:
        stop = self.stops[hop.there]
        sort = OWN if hop.own else 0
        if not stop.is_town:
            sort += CITY
        if not hop.counts:
            sort += UNCOUNTED + LAST
        elif not stop.passable:
            sort += LAST
        return sort

    def _bundled(self, hops: Sequence[Hop]) -> list[Bundle]:
        bundles: dict[int, list[Hop]] = {}
        for hop in hops:
            of_sort = hop.there * SORTS + self.sort_of(hop)
            if of_sort in bundles:
                bundles[of_sort].append(hop)
            else:
                bundles[of_sort] = [hop]
        return [(of_sort // SORTS, of_sort % SORTS, found) for of_sort, found in bundles.items()]

    def near(self, stop: int) -> int:
        """The places nearest to a stop, and what several of its ways take, as bits."""
        return self._near[stop] or self._look_round(stop)

    def _joined_by(self, mines: bool) -> Joined:
        stops, place = self.stops, self.place
        joined: Joined = {}
        for number, link in enumerate(self.links):
            a, b = link.a, link.b
            if place[a] != place[b] and (mines or not (stops[a].is_mine or stops[b].is_mine)):
                joined.setdefault((a, b) if a < b else (b, a), []).append(number)
        return joined

    def _within_reach(self, joined: Joined) -> Joined:
        """Track that no route from an own station can use only costs time."""
        around: list[list[int]] = [[] for _ in self.stops]
        for a, b in joined:
            around[a].append(b)
            around[b].append(a)
        todo = [number for number, stop in enumerate(self.stops) if stop.own]
        seen = set(todo)
        for here in todo:  # which grows
            for there in around[here]:
                if there not in seen:
                    seen.add(there)
                    if self.stops[there].passable:
                        todo.append(there)
        if len(seen) == len(self.stops):
            return joined
        return {(a, b): links for (a, b), links in joined.items() if a in seen and b in seen}

    def _ways(self, joined: Joined, track: Mapping[int, int]) -> list[list[Hop]]:
        stops, place, links = self.stops, self.place, self.links
        ways: list[list[Hop]] = [[] for _ in stops]
        for (a, b), numbers in joined.items():
            for number in _worth_keeping(links, numbers) if len(numbers) > 1 else numbers:
                by, sides = (number,), links[number].sides
                for here, there in ((a, b), (b, a)):
                    stop, taken = stops[there], track.get(number, 0) | place[there]
                    ways[here].append(Hop(there, stop.value, taken, sides, stop.own, (there,), by, not stop.is_mine))
        looks = [(-stop.value, stop.id) for stop in stops]
        for row in ways:
            if len(row) > 1:
                row.sort(key=lambda hop: (looks[hop.there], hop.sides))
        return ways

    def _look_round(self, stop: int) -> int:
        once = twice = 0
        for way in self.ways[stop]:
            twice |= once & way.taken
            once |= way.taken
        near = twice | self.place[stop] | self.mine_place
        queue = [stop]
        for here in queue:  # which grows
            for way in self.ways[here]:
                if way.there not in queue:
                    if len(queue) > MEMORY:
                        self._near[stop] = near
                        return near
                    queue.append(way.there)
                    near |= self.place[way.there]
        self._near[stop] = near
        return near

    def _listed(self, skipped: Sequence[bool]) -> list[list[Hop]] | None:
        listed: list[list[Hop]] = []
        left = MOST_HOPS
        for start in range(len(self.stops)):
            listed.append(self._leaving(start, skipped, left))
            left -= len(listed[-1])
            if left < 0:
                return None
        return listed

    def _leaving(self, start: int, skipped: Sequence[bool], most: int) -> list[Hop]:
        """The hops from a stop, short ones first. skipped: which stops need not count."""
        stops, here, found = self.stops, self.place[start], list[Hop]()
        to: dict[int, list[Hop]] = {}
        layer = [Hop(start, 0, 0, 0, False, (), ())]
        for hop in layer:  # which grows
            taken = hop.taken | here
            for way in self.ways[hop.there]:
                if way.taken & taken:
                    continue
                further = self._joined(hop, way) if hop.links else way
                rivals = to.setdefault(way.there, [])
                if rivals and any(_spares(rival, further) for rival in rivals):
                    continue
                rivals.append(further)
                found.append(further)
                if skipped[way.there]:
                    if stops[way.there].passable:
                        layer.append(further)
                    if way.own and way.counts:  # a route may also end there to have a station, and nothing more
                        found.append(replace(further, value=further.value - way.value, counts=False))
            if len(found) > most:
                break
        return found

    def _joined(self, hop: Hop, way: Hop) -> Hop:
        """A hop that goes on by one link more; the stop that was at its end does not count any more."""
        mined = 0
        if hop.taken & self.mine_place:
            mined = sum(self.stops[stop].value for stop in hop.stops if self.stops[stop].is_mine)
        return Hop(
            way.there,
            way.value + mined,
            hop.taken | way.taken,
            hop.sides | way.sides,
            hop.own or way.own,
            hop.stops + way.stops,
            hop.links + way.links,
            way.counts,
        )


def _spares(hop: Hop, other: Hop) -> bool:
    """Whether nobody needs another hop to the same stop: it takes all that the one takes, and is no better."""
    return (
        not hop.sides & ~other.sides
        and not hop.taken & ~other.taken
        and hop.value >= other.value
        and hop.own >= other.own
    )


@lru_cache(maxsize=KEPT)
def ground_of(network: Network, paid: bool, mines: bool, red_to_red: int = 0) -> Ground:
    """For trains that collect bonuses or do not, may visit a mine or may not, and earn so much from red to red."""
    return Ground(network, paid, mines, red_to_red)


def _as_paid(stops: tuple[Stop, ...]) -> tuple[Stop, ...]:
    """The stops as if every bonus were paid; where a route has more than its train collects, the rest is taken off."""
    return tuple(stop._replace(value=stop.value + stop.bonus) if stop.bonus else stop for stop in stops)


def _as_ends(stops: tuple[Stop, ...], half: int) -> tuple[Stop, ...]:
    """The stops as if every red tile were one of two; where a route has only one, that is taken off."""
    return tuple(stop._replace(value=stop.value + half) if stop.is_red else stop for stop in stops)


def _shared_track(links: Sequence[Link], used: Iterable[Sequence[int]], first: int) -> tuple[dict[int, int], int]:
    """For links that are used the hex sides that others of them cross too, as bits from the first on, and the first bit
    after them."""
    once = twice = 0
    numbers = [number for several in used for number in several]
    for number in numbers:
        sides = links[number].sides
        twice |= once & sides
        once |= sides
    bits: dict[int, int] = {}
    found = {}
    for number in numbers if twice else ():
        track, shared = 0, links[number].sides & twice
        while shared:
            side = shared & -shared
            track |= bits.setdefault(side, 1 << first + len(bits))
            shared ^= side
        found[number] = track
    return found, first + len(bits)


def _worth_keeping(links: Sequence[Link], numbers: Sequence[int]) -> list[int]:
    """Of links that join the same stops, those without another one on part of their hex sides."""
    kept: list[int] = []
    for number in sorted(numbers, key=lambda number: _looks(links[number])):
        if not any(links[rival].sides & ~links[number].sides == 0 for rival in kept):
            kept.append(number)
    return kept


def _looks(link: Link) -> tuple[int, int, tuple[str, ...]]:
    return (link.sides.bit_count(), link.sides, min(link.hexes, link.hexes[::-1]))
