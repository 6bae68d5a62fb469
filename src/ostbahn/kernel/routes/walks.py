"""What a route that is being drawn can still earn: never less than it really can.

A walk goes from one stop that counts to the next as a route does, but forgets: of what it has taken it remembers only
what lies near the stop where it stands, so it may come to a place again that is far away. What the best walk earns is
soon worked out, since all walks that stand at a stop with the same memory go on alike. Often it is a route.

Where track that others want costs a toll, walks pay as routes do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from ostbahn.kernel.routes.ground import Ground, Leg, bundled
from ostbahn.kernel.routes.network import Knot, TrainKind

NEVER = -(10**9)
"""What a walk earns that cannot become a route."""

MOST_KNOWN = 1_000_000
"""How many outlooks are kept, so that memory stays bounded; then they are worked out anew."""

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

Courses = tuple[int, int, int, int, int, list[Course], list[Course]]
"""A bundle of legs, the best first: what the best one keeps and takes, the sort of all, the number of the first level
at their end, what is remembered there, the legs, and those that walks need, unless that is one without knots."""


class Levels:
    """What walks of a kind of train have left: how many stops may count, how many of them may be cities, and whether an
    own station is still needed. Each such level has a number; with an own station it is even."""

    def __init__(self, kind: TrainKind, beyond: bool) -> None:
        """beyond: whether there are legs that may follow the last stop that counts."""
        cities = kind.stops if kind.cities is None else kind.cities
        self.width = 1 if cities >= kind.stops else cities + 1
        self.beyond = beyond
        every = product(range(kind.stops + 1), range(self.width), (False, True))
        flags = list(product((False, True), repeat=4))
        self.after = [tuple(self._after(*level, *leg) for leg in flags) for level in every]
        """For each level, and each sort of leg, the level after it."""

    def number(self, room: int, cities: int, homeless: bool) -> int:
        return (room * self.width + (min(cities, room) if self.width > 1 else 0)) * 2 + homeless

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
def levels_of(kind: TrainKind, beyond: bool) -> Levels:
    return Levels(kind, beyond)


class Walks:
    """The best walks of a kind of train.

    What one can do hangs on the stop where it stands and on its level, which together are a number, and on its memory:
    bits above all such numbers.
    """

    def __init__(
        self,
        ground: Ground,
        kind: TrainKind,
        charge: Charge = FREE,
        near: Sequence[int] = (),
        forbidden: int = 0,
    ) -> None:
        """near: what is remembered at each stop, as bits, if that is not what lies near. forbidden: hex sides."""
        self.ground, self.kind, self.charge, self.forbidden = ground, kind, charge, forbidden
        self.ties = _ties(charge.knots, ground.bits)
        self._tied = 0
        for tie in self.ties.values():
            self._tied |= tie[0]
        self._remembered = near
        self.levels = levels_of(kind, any(stop.is_mine or (stop.own and kind.optional(stop)) for stop in ground.stops))
        self.after = self.levels.after
        self.size = len(self.after)
        self._courses: list[list[Courses] | None] = [None] * len(ground.stops)
        self.sights = [-1] * (len(ground.stops) * self.size // 2)
        """What walks without a memory earn at most, found out when it is first asked for."""
        self.known: dict[int, int] = {}
        """What walks earn at most, as far as it was asked for."""
        self._hopes: list[tuple[int, int]] | None = None

    def near(self, stop: int) -> int:
        """What is remembered at a stop, as bits."""
        return (self._remembered[stop] if self._remembered else self.ground.near(stop)) | self._tied

    # Getting ready

    def courses(self, stop: int) -> list[Courses]:
        """The legs that leave a stop, as they are after tolls."""
        return self._courses[stop] or self._ready(stop)

    def _ready(self, start: int) -> list[Courses]:
        bundles = self.ground.bundles(self.kind, start)
        if self.forbidden:
            allowed = [leg for bundle in bundles for leg in bundle.legs if not leg.sides & self.forbidden]
            bundles = bundled(self.ground.stops, allowed)
        found = []
        for there, sort, legs in bundles:
            near, best = self.near(there), self._course(legs[0])
            courses, several = [best], [best] if best[2] else []
            if len(legs) > 1:
                courses += [self._course(leg) for leg in legs[1:]]
                courses.sort(key=_kept)
                best = courses[0]
                several = _told_apart(courses, self.near(start) | near)
                if len(several) == 1 and not best[2]:
                    several = []
            found.append((best[0], best[1], sort, there * self.size, near, courses, several))
        found.sort(key=_kept)
        self._courses[start] = found
        return found

    def _course(self, leg: Leg) -> Course:
        charge = self.charge
        if charge is FREE:
            return leg.value, leg.taken, (), leg
        kept = leg.value * charge.unit
        for link in leg.links:
            kept -= charge.links[link]
        return self._with_ties(kept, leg) if self.ties else (kept, leg.taken, (), leg)

    def _with_ties(self, kept: int, leg: Leg) -> Course:
        ties: tuple[Tie, ...] = ()
        taken = leg.taken
        for knot, tie in self.ties.items():
            if knot.sides & leg.sides:
                ties += (tie,)
                taken |= _as_bits(knot.sides, leg.sides, tie[0])
        return kept, taken, ties, leg

    # What walks earn

    def beginning(self, stop: int) -> int:
        """The number of a walk that begins at a stop; less than nothing if none can."""
        begun, room, cities = self.ground.stops[stop], self.kind.stops, self.kind.stops
        if self.kind.cities is not None:
            cities = self.kind.cities
        if not begun.is_mine:
            room, cities = room - 1, cities - (not begun.is_town)
        return stop * self.size + self.levels.number(room, cities, not begun.own) if cities >= 0 else NEVER

    def hopes(self) -> list[tuple[int, int]]:
        """Every stop at which a walk may begin, with the most that it could then earn; best first."""
        if self._hopes is None:
            ground, found = self.ground, []
            for number, ways in enumerate(ground.ways):
                begun = self.beginning(number) if ways else NEVER
                if begun >= 0:
                    onward = self._going_on(begun, ground.place[number], NEVER)
                    found.append((ground.stops[number].value * self.charge.unit + onward, number))
            self._hopes = sorted(found, key=lambda row: (-row[0], ground.stops[row[1]].id))
        return self._hopes

    def onward(self, number: int, taken: int) -> int:
        """The most that going on can earn; far less than nothing if it cannot lead to a route."""
        memory = taken & self.near(number // self.size)
        worth = self.known.get(memory | number)
        return self.ahead(number, memory) if worth is None else worth

    def sight(self, number: int) -> int:
        """The same for walks that remember nothing and need no station: it may be more, and is sooner known."""
        best = self.sights[number >> 1]
        if best < 0:
            best = 0
            stop, level = divmod(number & -2, self.size)
            after = self.after[level]
            for kept, _, sort, first, _, _, _ in self.courses(stop):
                further = after[sort]
                if further == CLOSED:
                    continue
                worth = kept if further < 0 else kept + self.sight(first + further)
                if worth > best:
                    best = worth
            self.sights[number >> 1] = best
        return best

    def ahead(self, number: int, memory: int) -> int:
        """The most that a walk earns that goes on with a memory of what lies near; it is known from then on."""
        best = self._going_on(number, memory, NEVER if number & 1 else 0)
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[memory | number] = best
        return best

    def _going_on(self, number: int, memory: int, best: int) -> int:
        """The most that a walk earns by one leg at least, or so much that is already certain."""
        stop, level = divmod(number, self.size)
        after, known, sights = self.after[level], self.known, self.sights
        for kept, taken, sort, first, near, courses, several in self.courses(stop):
            further = after[sort]
            if further == CLOSED:
                continue
            if further < 0:
                if kept > best:
                    best = self._ending(several or courses, memory, best)
                continue
            further += first
            sight = sights[further >> 1]
            if sight < 0:
                sight = self.sight(further)
            if kept + sight <= best:
                continue
            if several:
                best = self._by_one_of(several, further, near, sight, memory, best)
            elif not taken & memory:
                remembered = (memory | taken) & near
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

    def _by_one_of(self, courses: Sequence[Course], further: int, near: int, sight: int, memory: int, best: int) -> int:
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
        while worth > 0 or (worth > NEVER // 2 and (number & 1 or not legs)):
            number, memory, worth, leg = self._next(number, memory, worth)
            legs.append(leg)
            if number < 0:
                break
        return legs

    def _next(self, number: int, memory: int, worth: int) -> tuple[int, int, int, Leg]:
        stop, level = divmod(number, self.size)
        after = self.after[level]
        for _, _, sort, first, near, courses, _ in self.courses(stop):
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
                elif kept + self.sight(first + further) >= worth:
                    remembered = (memory | taken) & near
                    rest = self.onward(first + further, remembered)
                    if kept + rest == worth:
                        return first + further, remembered, rest, leg
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
