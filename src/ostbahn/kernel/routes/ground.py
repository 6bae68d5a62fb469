"""A network as trains of one sort see it, whatever their length: what can be reached, and which ways leave a stop.

Getting ready often takes longer than the search itself, and whoever tries out tiles asks about the same network
again and again; so the grounds that were last asked for are kept. Nothing here changes once it is found out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ostbahn.kernel.routes.network import Link, Network, Route, Stop, TrainKind

KEPT = 256
"""How many grounds are kept."""

MEMORY = 8
"""How many places near a stop an outlook remembers: more make it tighter, and slower."""

FAR = 10**6
"""Farther away than any train runs."""

MINE = "a mine"
"""The location that all mines share: a route visits only one of them."""


class Way(NamedTuple):
    """A link as it leaves a stop."""

    there: int
    link: int
    sides: int
    place: int
    """The location at its end, as a bit."""
    is_city: bool
    toll: int = 0
    """What it costs to use it, where a search is to keep off track that others want."""


class Hop(NamedTuple):
    """From one stop that counts to another that may be the next."""

    value: int
    there: int
    place: int
    is_city: bool
    passable: bool
    own: bool
    near: int
    """The places nearest to where it leads, as bits."""


class Ground:
    """The stops and ways that trains may use from the company's stations."""

    def __init__(self, network: Network, paid: bool, mines: bool, red_to_red: int = 0) -> None:
        stops = _as_paid(network.stops) if paid else network.stops
        self.half = -(-red_to_red // 2)
        """What a red tile has in its value of that which two of them bring."""
        self.stops = _as_ends(stops, self.half) if red_to_red else stops
        """All stops; where bonuses are collected, with the bonus in the value."""
        numbers: dict[str, int] = {}
        places = (MINE if stop.is_mine else stop.location for stop in self.stops)
        self.place = [1 << numbers.setdefault(place, len(numbers)) for place in places]
        self.mine_place = 1 << numbers[MINE] if MINE in numbers else 0
        self.ways = self._within_reach(self._ways(network.links, mines))
        self.around = [list(dict.fromkeys(way.there for way in ways)) for ways in self.ways]
        """For each stop those at the end of its ways, good ones first."""
        found = [stop.value for stop, ways in zip(self.stops, self.ways, strict=True) if stop.is_mine and ways]
        self.best_mine = max(found, default=0)
        self.alone: dict[TrainKind, tuple[Route, int]] = {}
        """For kinds of trains the best route, as far as it was looked for, where no other train is in the way; and how
        many steps it took."""
        self.hopes: dict[tuple[int | None, int, bool], list[tuple[int, int]]] = {}
        """For trains with some cities and stops, which skip towns or do not: where a route may begin, and what it could
        then earn."""
        self._surroundings: dict[bool, Surroundings] = {}

    def surroundings(self, skips_towns: bool) -> Surroundings:
        if skips_towns not in self._surroundings:
            self._surroundings[skips_towns] = Surroundings(self, skips_towns)
        return self._surroundings[skips_towns]

    def _ways(self, links: Sequence[Link], mines: bool) -> list[list[Way]]:
        """For each stop the links that leave it, good stops first."""
        stops, place = self.stops, self.place
        joining: dict[tuple[int, int], list[int]] = {}
        for number, link in enumerate(links):
            a, b = link.a, link.b
            if place[a] != place[b] and (mines or not (stops[a].is_mine or stops[b].is_mine)):
                joining.setdefault((a, b) if a < b else (b, a), []).append(number)
        ways: list[list[Way]] = [[] for _ in stops]
        for (a, b), numbers in joining.items():
            for number in _worth_keeping(links, numbers) if len(numbers) > 1 else numbers:
                sides = links[number].sides
                ways[a].append(Way(b, number, sides, place[b], not stops[b].is_town))
                ways[b].append(Way(a, number, sides, place[a], not stops[a].is_town))
        looks = [(-stop.value, stop.id) for stop in stops]
        for row in ways:
            if len(row) > 1:
                row.sort(key=lambda way: (looks[way.there], way.sides))
        return ways

    def _within_reach(self, ways: list[list[Way]]) -> list[list[Way]]:
        """Track that no route from an own station can use only costs time."""
        todo = [number for number, stop in enumerate(self.stops) if stop.own]
        seen = set(todo)
        for here in todo:
            for way in ways[here]:
                if way.there not in seen:
                    seen.add(way.there)
                    if self.stops[way.there].passable:
                        todo.append(way.there)
        if len(seen) == len(ways):
            return ways
        return [[way for way in row if way.there in seen] if stop in seen else [] for stop, row in enumerate(ways)]


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


def _worth_keeping(links: Sequence[Link], numbers: Sequence[int]) -> list[int]:
    """Of links that join the same stops, those without another one on part of their hex sides."""
    kept: list[int] = []
    for number in sorted(numbers, key=lambda number: _looks(links[number])):
        if not any(links[rival].sides & ~links[number].sides == 0 for rival in kept):
            kept.append(number)
    return kept


def _looks(link: Link) -> tuple[int, int, tuple[str, ...]]:
    return (link.sides.bit_count(), link.sides, min(link.hexes, link.hexes[::-1]))


class Surroundings:
    """What lies around each stop for trains that must count every city; found out when it is first asked for."""

    def __init__(self, ground: Ground, skips_towns: bool) -> None:
        self.place = ground.place
        self.top = max((stop.value for stop in ground.stops if not stop.is_mine), default=0)
        """No stop is worth more."""
        self.strict = not any(stop.own and stop.is_town and skips_towns for stop in ground.stops)
        """Whether the own station must be among the stops that count; it is, unless it stands in a town."""
        self._stops = ground.stops
        self._around = ground.around
        self._passed = [stop.passable and (stop.is_mine or (skips_towns and stop.is_town)) for stop in ground.stops]
        self._next: list[list[int] | None] = [None] * len(ground.stops)
        self._near: list[int] = [0] * len(ground.stops)
        self._hops: list[list[Hop] | None] = [None] * len(ground.stops)
        self.known: dict[tuple[int, int, int, int, bool], int] = {}
        """What outlooks found out here; it holds for trains of every length."""
        self.away = self._away()
        """How many more stops must count until there is an own station."""

    def hops(self, stop: int) -> list[Hop]:
        """Where a route may go on to from a stop, the best first."""
        found = self._hops[stop]
        if found is None:
            found = self._hops[stop] = [self._hop(there) for there in self.next(stop)]
        return found

    def _hop(self, there: int) -> Hop:
        stop = self._stops[there]
        near = self.near(there) if stop.passable else 0
        return Hop(
            value=stop.value,
            there=there,
            place=self.place[there],
            is_city=not stop.is_town,
            passable=stop.passable,
            own=stop.own,
            near=near,
        )

    def next(self, stop: int) -> list[int]:
        """The stops that may be the next to count: beyond any number of towns that are passed, and mines."""
        found = self._next[stop]
        if found is None:
            found = self._next[stop] = self._beyond(stop)
        return found

    def _beyond(self, stop: int) -> list[int]:
        stops, passed = self._stops, self._passed
        if not any(passed[there] for there in self._around[stop]):
            return [there for there in self._around[stop] if not stops[there].is_mine]
        seen = {stop}
        queue = [stop]
        for here in queue:
            for there in self._around[here]:
                if there not in seen:
                    seen.add(there)
                    if passed[there]:
                        queue.append(there)
        found = (there for there in seen if there != stop and not stops[there].is_mine)
        return sorted(found, key=lambda there: (-stops[there].value, stops[there].id))

    def near(self, stop: int) -> int:
        """The places nearest to a stop, as bits; its own is always among them."""
        return self._near[stop] or self._look_round(stop)

    def _look_round(self, stop: int) -> int:
        queue = [stop]
        places = self.place[stop]
        for here in queue:
            for there in self.next(here):
                if there not in queue and len(queue) <= MEMORY:
                    queue.append(there)
                    places |= self.place[there]
            if len(queue) > MEMORY:
                break
        self._near[stop] = places
        return places

    def _away(self) -> list[int]:
        away = [0 if stop.own else FAR for stop in self._stops]
        queue = [number for number, stop in enumerate(self._stops) if stop.own]
        for here in queue:
            for there in self.next(here):
                if away[there] == FAR:
                    away[there] = away[here] + 1
                    queue.append(there)
        for number, stop in enumerate(self._stops):
            if stop.is_mine and not stop.own:  # a route may begin there, but none counts it
                away[number] = 1 + min((away[there] for there in self.next(number)), default=FAR)
        return away


class TolledGround(Ground):
    """A ground on which each link costs a toll. All else is as it was without tolls."""

    def __init__(self, tollfree: Ground, tolls: Sequence[int]) -> None:
        self.tollfree = tollfree
        self.half, self.stops, self.place = tollfree.half, tollfree.stops, tollfree.place
        self.mine_place, self.best_mine, self.around = tollfree.mine_place, tollfree.best_mine, tollfree.around
        self.ways = [[way._replace(toll=tolls[way.link]) for way in row] for row in tollfree.ways]
        self.alone, self.hopes, self._surroundings = {}, {}, {}

    def surroundings(self, skips_towns: bool) -> Surroundings:
        return TolledSurroundings(self, self.tollfree.surroundings(skips_towns))


class TolledSurroundings(Surroundings):
    """What lies around each stop is the same as without tolls; only going there may cost something."""

    def __init__(self, ground: Ground, tollfree: Surroundings) -> None:
        self.place, self.top, self.strict, self.away = tollfree.place, tollfree.top, tollfree.strict, tollfree.away
        self._ways, self._passed = ground.ways, tollfree._passed
        self._tollfree = tollfree
        self._hops = [None] * len(ground.stops)
        self.known = {}

    def next(self, stop: int) -> list[int]:
        return self._tollfree.next(stop)

    def near(self, stop: int) -> int:
        return self._tollfree.near(stop)

    def hops(self, stop: int) -> list[Hop]:
        found = self._hops[stop]
        if found is None:
            tolls = self._least_tolls(stop)
            found = [
                hop if not tolls[hop.there] else hop._replace(value=hop.value - tolls[hop.there])
                for hop in self._tollfree.hops(stop)
            ]
            found.sort(key=lambda hop: -hop.value)
            self._hops[stop] = found
        return found

    def _least_tolls(self, stop: int) -> dict[int, int]:
        """What it costs at least to get to the stops that may be the next to count."""
        least = {stop: 0}
        queue = [stop]
        for here in queue:  # which grows; a stop comes again when there is a cheaper way to it
            paid = least[here]
            for way in self._ways[here]:
                cost = paid + way.toll
                if cost < least.get(way.there, FAR):
                    least[way.there] = cost
                    if self._passed[way.there]:
                        queue.append(way.there)
        return least
