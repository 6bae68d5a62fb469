"""What a route that is being drawn can still earn: never less than it really can.

A walk goes from one stop that counts to the next, and pays tolls, as a route does. But it remembers only what it has
taken near the stop where it stands, so all walks at a stop with the same memory go on alike: the best is soon found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heapreplace
from itertools import product

from ostbahn.kernel.routes.network import Hop
from ostbahn.kernel.routes.pricing import Course, PricedHops, paid_for

NEVER = -(10**9)
"""What a walk earns that cannot become a route."""

MOST_KNOWN = 1_000_000
"""How many outlooks are kept, so that memory stays bounded; then they are worked out anew."""

HOMELESS = 1 << 12
"""The bit in the number of a level that says that an own station is still needed. The numbers of stops are below."""

STOP = HOMELESS - 1
"""The bits of a number that say at which stop a walk stands."""

CLOSED, ENDS = -1, -2
"""Instead of a level: a walk cannot take this hop, or goes no further after it."""


Hope = tuple[int, bool, str, int]
"""To be sorted: less than nothing by what a walk earns at most, whether that is certain, and where it begins."""


class Levels:
    """What walks have left: how many stops may count, how many of them may be cities, and whether an own station is
    still needed. Each such level is a number above those of stops; `HOMELESS` is part of it if a station is needed."""

    def __init__(self, stops: int, cities: int, beyond: bool) -> None:
        """How many may count at most. beyond: whether there are hops that may follow the last stop that counts."""
        self.limited = cities < stops
        """Whether cities are counted apart."""
        self.width = cities + 1 if self.limited else 1
        self.beyond = beyond
        flags = list(product((False, True), repeat=4))
        self.after = {
            self.number(*level): tuple(self._after(*level, *hop) for hop in flags)
            for level in product(range(stops + 1), range(self.width), (False, True))
        }
        """For each level, and each sort of hop, the level after it."""
        self.beginnings = {
            (is_mine, is_town, own): self._beginning(stops, cities, is_mine, is_town, own)
            for is_mine, is_town, own in product((False, True), repeat=3)
        }
        """The level of a walk that begins at a mine, in a town or elsewhere, at an own station or not."""

    def number(self, room: int, cities: int, homeless: bool) -> int:
        return ((room * self.width + (min(cities, room) if self.limited else 0)) * 2 + homeless) * HOMELESS

    def _beginning(self, room: int, cities: int, is_mine: bool, is_town: bool, own: bool) -> int:
        if not is_mine:
            room, cities = room - 1, cities - (not is_town)
        return self.number(room, cities, not own) if cities >= 0 else CLOSED

    def _after(
        self, room: int, cities: int, homeless: bool, uncounted: bool, is_last: bool, is_city: bool, own: bool
    ) -> int:
        homeless = homeless and not own
        if not uncounted:
            room -= 1
            cities -= is_city and self.limited
            if room < 0 or cities < 0:
                return CLOSED
            is_last = is_last or not (room or self.beyond)
        if is_last:
            return CLOSED if homeless else ENDS
        return self.number(room, cities, homeless)


@lru_cache(maxsize=256)
def levels_of(stops: int, cities: int, beyond: bool) -> Levels:
    return Levels(stops, cities, beyond)


class Walks:
    """The best walks of trains of some length.

    What one can do hangs on the stop where it stands and on its level, which together are a number, and on its memory:
    bits above all such numbers.
    """

    def __init__(self, hops: PricedHops, stops: int, cities: int) -> None:
        """How many stops may count at most, and how many of them may be cities."""
        self.hops, self.ground = hops, hops.ground
        self.stops = min(stops, len(self.ground.stops))
        self.cities = min(cities, self.stops)
        self.levels = levels_of(self.stops, self.cities, self.ground.goes_beyond(hops.skips_towns))
        self.after = self.levels.after
        self._beginnings = self.levels.beginnings
        self.sights: dict[int, int] = {}
        """What walks without a memory earn at most, found out when it is first asked for."""
        self.known: dict[int, int] = {}
        """What walks earn at most, as far as it was asked for."""
        self._first_hopes: list[Hope] | None = None
        self._certain_hopes: dict[int, Hope] = {}

    # What walks earn

    def beginning(self, stop: int) -> int:
        """The number of a walk that begins at a stop; less than nothing if none can."""
        begun = self.ground.stops[stop]
        level = self._beginnings[begun.is_mine, begun.is_town, begun.own]
        return level + stop if level >= 0 else NEVER

    def hopes(self) -> Iterator[tuple[int, int]]:
        """The most that a walk earns, for every stop at which one may begin, and that stop; best first.

        Worked out one by one: first sights tell which could be the next.
        """
        if self._first_hopes is None:
            self._first_hopes = self._at_first_sight()
        certain = self._certain_hopes
        heap = [certain.get(row[3], row) for row in self._first_hopes] if certain else list(self._first_hopes)
        heapify(heap)
        while heap:
            less, is_certain, name, start = heap[0]
            if is_certain:
                heappop(heap)
                yield -less, start
            else:
                value = self.ground.stops[start].value * self.hops.charge.unit
                hope = value + self._going_on(self.beginning(start), self.ground.place[start], NEVER)
                certain[start] = (-hope, True, name, start)
                heapreplace(heap, certain[start])

    def _at_first_sight(self) -> list[Hope]:
        ground, unit, found = self.ground, self.hops.charge.unit, list[Hope]()
        for start, ways in enumerate(ground.ways):
            begun = self.beginning(start) if ways else NEVER
            if begun >= 0:
                stop = ground.stops[start]
                found.append((-stop.value * unit - self.sight(begun), False, stop.id, start))
        return found

    def onward(self, number: int, taken: int) -> int:
        """The most that going on can earn; far less than nothing if it cannot lead to a route."""
        memory = taken & self.hops.near(number & STOP)
        worth = self.known.get(memory | number)
        return self.ahead(number, memory) if worth is None else worth

    def sight(self, number: int) -> int:
        """The same for walks that remember nothing and need no station: it may be more, and is sooner known."""
        number &= ~HOMELESS
        best = self.sights.get(number, -1)
        return self._first_sight(number) if best < 0 else best

    def _first_sight(self, number: int) -> int:
        best, stop, sights = 0, number & STOP, self.sights
        after = self.after[number - stop]
        for kept, _, sort, there, _, _, _ in self.hops.leaving(stop):
            further = after[sort]
            if further >= 0:
                further += there
                onward = sights.get(further, -1)
                kept += self._first_sight(further) if onward < 0 else onward
            elif further == CLOSED:
                continue
            if kept > best:
                best = kept
        sights[number] = best
        return best

    def ahead(self, number: int, memory: int) -> int:
        """The most that a walk earns that goes on with a memory of what lies near; it is known from then on."""
        best = self._going_on(number, memory, NEVER if number & HOMELESS else 0)
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[memory | number] = best
        return best

    def _going_on(self, number: int, memory: int, best: int) -> int:
        """The most that a walk earns by one hop at least, or so much that is already certain."""
        stop = number & STOP
        after, known, sights, nears = self.after[number - stop], self.known, self.sights, self.hops.nears
        for kept, taken, sort, there, _, several, _ in self.hops.leaving(stop):
            further = after[sort]
            if further >= 0:
                further += there
                sight = sights.get(further & ~HOMELESS, -1)
                if sight < 0:
                    sight = self._first_sight(further & ~HOMELESS)
                if kept + sight <= best:
                    continue
                if several:
                    best = self._by_one_of(several, further, sight, memory, best)
                elif not taken & memory:
                    remembered = (memory | taken) & (nears[there] or self.hops.near(there))
                    worth = known.get(remembered | further)
                    kept += self.ahead(further, remembered) if worth is None else worth
                    if kept > best:
                        best = kept
            elif kept > best and further == ENDS:
                if several:
                    best = self._by_one_of(several, further, 0, memory, best)
                elif not taken & memory:
                    best = kept
        return best

    def _by_one_of(self, courses: Sequence[Course], further: int, sight: int, memory: int, best: int) -> int:
        near = self.hops.near(further & STOP) if further >= 0 else 0
        for kept, taken, ties, _ in courses:
            if kept + sight <= best:
                break
            if not taken & memory:
                if further >= 0:
                    remembered = (memory | taken) & near
                    worth = self.known.get(remembered | further)
                    kept += self.ahead(further, remembered) if worth is None else worth
                if ties:
                    kept -= paid_for(ties, memory, taken)
                if kept > best:
                    best = kept
        return best

    # The walk itself

    def trace(self, start: int) -> list[Hop]:
        """The hops of a best walk from a stop; nothing if none can become a route."""
        number, memory = self.beginning(start), self.ground.place[start]
        worth, hops = self._going_on(number, memory, NEVER), list[Hop]()
        while worth > 0 or (worth > NEVER // 2 and (number & HOMELESS or not hops)):
            number, memory, worth, hop = self._next(number, memory, worth)
            hops.append(hop)
            if number < 0:
                break
        return hops

    def _next(self, number: int, memory: int, worth: int) -> tuple[int, int, int, Hop]:
        stop = number & STOP
        after = self.after[number - stop]
        for best, most, sort, there, _, several, first in self.hops.leaving(stop):
            further = after[sort]
            if further == CLOSED:
                continue
            for kept, taken, ties, hop in several or ((best, most, (), first),):
                if taken & memory:
                    continue
                kept -= paid_for(ties, memory, taken)
                if further < 0:
                    if kept == worth:
                        return ENDS, 0, 0, hop
                elif kept + self.sight(further + there) >= worth:
                    remembered = (memory | taken) & self.hops.near(there)
                    rest = self.onward(further + there, remembered)
                    if kept + rest == worth:
                        return further + there, remembered, rest, hop
        raise AssertionError("a walk that was worth so much cannot be found again")
