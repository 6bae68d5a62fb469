"""What a route that is being drawn can still earn: never less than it really can.

A walk goes from one stop that counts to the next as a route does, but forgets: of what it has taken it remembers only
what lies near the stop where it stands, so it may come to a place again that is far away. What the best walk earns is
soon worked out, since all walks that stand at a stop with the same memory go on alike. Often it is a route.

Where track that others want costs a toll, walks pay as routes do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heapreplace
from itertools import product
from typing import NamedTuple

from ostbahn.kernel.routes.ground import Ground, Leg
from ostbahn.kernel.routes.network import Knot

NEVER = -(10**9)
"""What a walk earns that cannot become a route."""

MOST_KNOWN = 1_000_000
"""How many outlooks are kept, so that memory stays bounded; then they are worked out anew."""

HOMELESS = 1 << 12
"""The bit in the number of a level that says that an own station is still needed. The numbers of stops are below."""

STOP = HOMELESS - 1
"""The bits of a number that say at which stop a walk stands."""

CLOSED, ENDS = -1, -2
"""Instead of a level: a walk cannot take this leg, or goes no further after it."""


class Charge(NamedTuple):
    """What track costs, in units that are finer than money."""

    unit: int
    """So many make one of money."""
    links: Sequence[int]
    knots: Sequence[Knot]

    def paid(self, links: Sequence[int], sides: int) -> int:
        """What a route pays that uses some links, and so crosses some hex sides."""
        return sum([self.links[link] for link in links]) + self.tied(sides) if self.links else 0

    def tied(self, sides: int) -> int:
        """What it pays for knots."""
        toll = 0
        for knot in self.knots:
            if knot.ties(sides):
                toll += knot.toll
        return toll


FREE = Charge(1, (), ())

Tie = tuple[int, int]
"""The hex sides of a knot, as bits of their own, and its toll."""

Course = tuple[int, int, tuple[Tie, ...], Leg]
"""A leg: what a train keeps of it after tolls, what it takes, and the knots that it may tie."""

Courses = tuple[int, int, int, int, list[Course], list[Course]]
"""A bundle of legs, the best first: what the best one keeps and takes, the sort of all, the stop at their end, the
legs, and those that walks need, unless that is one without knots."""


Hope = tuple[int, bool, str, int]
"""To be sorted: less than nothing by what a walk earns at most, whether that is certain, and where it begins."""


class Levels:
    """What walks have left: how many stops may count, how many of them may be cities, and whether an own station is
    still needed. Each such level is a number above those of stops; `HOMELESS` is part of it if a station is needed."""

    def __init__(self, stops: int, cities: int, beyond: bool) -> None:
        """How many may count at most. beyond: whether there are legs that may follow the last stop that counts."""
        self.width = 1 if cities >= stops else cities + 1
        self.beyond = beyond
        flags = list(product((False, True), repeat=4))
        self.after = {
            self.number(*level): tuple(self._after(*level, *leg) for leg in flags)
            for level in product(range(stops + 1), range(self.width), (False, True))
        }
        """For each level, and each sort of leg, the level after it."""
        self.beginnings = {
            (is_mine, is_town, own): self._beginning(stops, cities, is_mine, is_town, own)
            for is_mine, is_town, own in product((False, True), repeat=3)
        }
        """The level of a walk that begins at a mine, in a town or elsewhere, at an own station or not."""

    def number(self, room: int, cities: int, homeless: bool) -> int:
        return ((room * self.width + (min(cities, room) if self.width > 1 else 0)) * 2 + homeless) * HOMELESS

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
            cities -= is_city and self.width > 1
            if room < 0 or cities < 0:
                return CLOSED
            is_last = is_last or not (room or self.beyond)
        if is_last:
            return CLOSED if homeless else ENDS
        return self.number(room, cities, homeless)


@lru_cache(maxsize=256)
def levels_of(stops: int, cities: int, beyond: bool) -> Levels:
    return Levels(stops, cities, beyond)


class PricedLegs:
    """The legs that leave each stop, as they are after tolls, and what walks remember there; made ready when needed."""

    def __init__(
        self, ground: Ground, skips_towns: bool, charge: Charge = FREE, remembered: Sequence[int] = ()
    ) -> None:
        """remembered: what walks remember at each stop, as bits, if that is not what lies near."""
        self.ground, self.skips_towns, self.charge = ground, skips_towns, charge
        self._ties = _ties(charge.knots, ground.bits)
        self._tied = 0
        for tie in self._ties.values():
            self._tied |= tie[0]
        self._remembered = remembered
        self.nears = [0] * len(ground.stops)
        """What is remembered at each stop, as bits; nothing if nobody has asked."""
        self._leaving: list[list[Courses] | None] = [None] * len(ground.stops)

    def near(self, stop: int) -> int:
        """What is remembered at a stop, as bits."""
        near = self.nears[stop]
        if not near:
            near = (self._remembered[stop] if self._remembered else self.ground.near(stop)) | self._tied
            self.nears[stop] = near
        return near

    def leaving(self, stop: int) -> list[Courses]:
        return self._leaving[stop] or self._ready(stop)

    def _ready(self, start: int) -> list[Courses]:
        found, is_free = list[Courses](), self.charge is FREE
        for there, sort, legs in self.ground.bundles(self.skips_towns, start):
            if is_free and len(legs) == 1:  # mostly, and this is where small networks spend their time
                leg = legs[0]
                found.append((leg.value, leg.taken, sort, there, [(leg.value, leg.taken, (), leg)], []))
            else:
                found.append(self._courses(start, there, sort, legs))
        if len(found) > 1:
            found.sort(key=_kept)
        self._leaving[start] = found
        return found

    def _courses(self, start: int, there: int, sort: int, legs: Sequence[Leg]) -> Courses:
        courses = [self._course(leg) for leg in legs]
        several = courses
        if len(courses) > 1:
            courses.sort(key=_kept)
            several = _told_apart(courses, self.near(start) | self.near(there))
        kept, taken, ties, _ = courses[0]
        return kept, taken, sort, there, courses, several if ties or len(several) > 1 else []

    def _course(self, leg: Leg) -> Course:
        charge = self.charge
        if charge is FREE:
            return leg.value, leg.taken, (), leg
        kept = leg.value * charge.unit
        for link in leg.links:
            kept -= charge.links[link]
        return self._with_ties(kept, leg) if self._ties else (kept, leg.taken, (), leg)

    def _with_ties(self, kept: int, leg: Leg) -> Course:
        ties: tuple[Tie, ...] = ()
        taken = leg.taken
        for knot, tie in self._ties.items():
            if knot.sides & leg.sides:
                ties += (tie,)
                taken |= _as_bits(knot.sides, leg.sides, tie[0])
        return kept, taken, ties, leg


class Walks:
    """The best walks of trains of some length.

    What one can do hangs on the stop where it stands and on its level, which together are a number, and on its memory:
    bits above all such numbers.
    """

    def __init__(self, legs: PricedLegs, stops: int, cities: int) -> None:
        """How many stops may count at most, and how many of them may be cities."""
        self.legs, self.ground = legs, legs.ground
        self.stops = min(stops, len(self.ground.stops))
        self.cities = min(cities, self.stops)
        self.levels = levels_of(self.stops, self.cities, self.ground.goes_beyond(legs.skips_towns))
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
                value = self.ground.stops[start].value * self.legs.charge.unit
                hope = value + self._going_on(self.beginning(start), self.ground.place[start], NEVER)
                certain[start] = (-hope, True, name, start)
                heapreplace(heap, certain[start])

    def _at_first_sight(self) -> list[Hope]:
        ground, unit, found = self.ground, self.legs.charge.unit, list[Hope]()
        for start, ways in enumerate(ground.ways):
            begun = self.beginning(start) if ways else NEVER
            if begun >= 0:
                stop = ground.stops[start]
                found.append((-stop.value * unit - self.sight(begun), False, stop.id, start))
        return found

    def onward(self, number: int, taken: int) -> int:
        """The most that going on can earn; far less than nothing if it cannot lead to a route."""
        memory = taken & self.legs.near(number & STOP)
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
        for kept, _, sort, there, _, _ in self.legs.leaving(stop):
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
        """The most that a walk earns by one leg at least, or so much that is already certain."""
        stop = number & STOP
        after, known, sights, nears = self.after[number - stop], self.known, self.sights, self.legs.nears
        for kept, taken, sort, there, courses, several in self.legs.leaving(stop):
            further = after[sort]
            if further == CLOSED:
                continue
            if further < 0:
                if kept > best:
                    best = self._ending(several or courses, memory, best)
                continue
            further += there
            sight = sights.get(further & ~HOMELESS, -1)
            if sight < 0:
                sight = self._first_sight(further & ~HOMELESS)
            if kept + sight <= best:
                continue
            if several:
                best = self._by_one_of(several, further, sight, memory, best)
            elif not taken & memory:
                remembered = (memory | taken) & (nears[there] or self.legs.near(there))
                worth = known.get(remembered | further)
                kept += self.ahead(further, remembered) if worth is None else worth
                if kept > best:
                    best = kept
        return best

    def _ending(self, courses: Sequence[Course], memory: int, best: int) -> int:
        for kept, taken, ties, _ in courses:
            if kept <= best:
                break
            if not taken & memory:
                best = max(best, kept - paid_for(ties, memory, taken))
        return best

    def _by_one_of(self, courses: Sequence[Course], further: int, sight: int, memory: int, best: int) -> int:
        near = self.legs.near(further & STOP)
        for kept, taken, ties, _ in courses:
            if kept + sight <= best:
                break
            if not taken & memory:
                remembered = (memory | taken) & near
                worth = self.known.get(remembered | further)
                kept += self.ahead(further, remembered) if worth is None else worth
                if ties:
                    kept -= paid_for(ties, memory, taken)
                if kept > best:
                    best = kept
        return best

    # The walk itself

    def trace(self, start: int) -> list[Leg]:
        """The legs of a best walk from a stop; nothing if none can become a route."""
        number, memory = self.beginning(start), self.ground.place[start]
        worth, legs = self._going_on(number, memory, NEVER), list[Leg]()
        while worth > 0 or (worth > NEVER // 2 and (number & HOMELESS or not legs)):
            number, memory, worth, leg = self._next(number, memory, worth)
            legs.append(leg)
            if number < 0:
                break
        return legs

    def _next(self, number: int, memory: int, worth: int) -> tuple[int, int, int, Leg]:
        stop = number & STOP
        after = self.after[number - stop]
        for _, _, sort, there, courses, _ in self.legs.leaving(stop):
            further = after[sort]
            if further == CLOSED:
                continue
            for kept, taken, ties, leg in courses:
                if taken & memory:
                    continue
                kept -= paid_for(ties, memory, taken)
                if further < 0:
                    if kept == worth:
                        return ENDS, 0, 0, leg
                elif kept + self.sight(further + there) >= worth:
                    remembered = (memory | taken) & self.legs.near(there)
                    rest = self.onward(further + there, remembered)
                    if kept + rest == worth:
                        return further + there, remembered, rest, leg
        raise AssertionError("a walk that was worth so much cannot be found again")


def _told_apart(courses: Sequence[Course], near: int) -> list[Course]:
    """Those that walks need, of legs between two stops, the best first.

    That is none that keeps no more than another, and takes all that it takes, as far as is remembered at these stops.
    """
    found: list[Course] = []
    for course in courses:
        free = near & ~course[1]
        for other in found:
            if not other[1] & free:
                break
        else:
            found.append(course)
    return found


def _kept(course: tuple[int, ...] | Course | Courses) -> int:
    """To sort by what is kept, the most first."""
    return -course[0]


def paid_for(ties: Sequence[Tie], before: int, taken: int) -> int:
    """What has to be paid for knots by whoever goes on."""
    toll = 0
    for sides, price in ties:
        if (before & sides).bit_count() < 2 <= ((before | taken) & sides).bit_count():
            toll += price
    return toll


def _ties(knots: Sequence[Knot], first: int) -> dict[Knot, Tie]:
    """Knots with three bits of their own."""
    return {knot: (7 << first + 3 * number, knot.toll) for number, knot in enumerate(knots)}


def _as_bits(sides: int, crossed: int, bits: int) -> int:
    """Those of the three bits of a knot whose hex sides are crossed."""
    found, bit = 0, bits & -bits
    while sides:
        side = sides & -sides
        if side & crossed:
            found |= bit
        sides ^= side
        bit <<= 1
    return found
