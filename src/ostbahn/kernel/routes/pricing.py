"""What trains keep of hops where track that others want costs a toll."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from ostbahn.kernel.routes.ground import Bundle, Ground
from ostbahn.kernel.routes.network import Hop, Knot


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
        toll = 0
        for knot in self.knots:
            if knot.ties(sides):
                toll += knot.toll
        return toll


FREE = Charge(1, (), ())

Tie = tuple[int, int]
"""The hex sides of a knot, as bits of their own, and its toll."""

Course = tuple[int, int, tuple[Tie, ...], Hop]
"""A hop: what a train keeps of it after tolls, what it takes, and the knots that it may tie."""

Courses = tuple[int, int, int, int, list[Course], list[Course], Hop]
"""A bundle of hops, the best first: what the best one keeps and takes, the sort of all, the stop at their end, the
hops (none if they are to be filled in when somebody needs them), those that walks need, unless that is one without
knots, and the best."""

Alike = dict[tuple[int, int], list[list[int]]]
"""For a stop at the end of hops, and their sort, the numbers of those that are alike."""

what_is_kept = itemgetter(0)


class Memory:
    """What walks remember at each stop, and which hops they cannot tell apart then.

    These take the same of all that is remembered at both of their ends; so walks need only the one that keeps most.
    """

    def __init__(self, ground: Ground, skips_towns: bool, near: Sequence[int] = ()) -> None:
        """near: what is remembered at each stop, as bits, if that is not what lies near."""
        self.ground, self.skips_towns = ground, skips_towns
        self.near = list(near) or [ground.near(stop) for stop in range(len(ground.stops))]
        self._alike: list[Alike | None] = [None] * len(ground.stops)

    def alike(self, start: int) -> Alike:
        """Hops from a stop that are alike, by the stop at their end and their sort."""
        found = self._alike[start]
        if found is None:
            groups: dict[tuple[int, int], dict[int, list[int]]] = {}
            listing = self.ground.listing(self.skips_towns)
            for number in range(listing.first[start], listing.first[start + 1]):
                hop = listing.hops[number]
                near = self.near[start] | self.near[hop.there]
                bundle = groups.setdefault((hop.there, self.ground.sort_of(hop)), {})
                bundle.setdefault(hop.taken & near, []).append(number)
            found = self._alike[start] = {key: list(bundle.values()) for key, bundle in groups.items()}
        return found


class PricedHops:
    """The hops that leave each stop, as they are after tolls, and what walks remember there; made ready when needed."""

    def __init__(self, ground: Ground, skips_towns: bool, charge: Charge = FREE, memory: Memory | None = None) -> None:
        """memory: what walks remember, if that is not what lies near."""
        self.ground, self.skips_towns, self.charge, self._memory = ground, skips_towns, charge, memory
        self._ties = _ties(charge.knots, ground.bits)
        self._tied = 0
        for tie in self._ties.values():
            self._tied |= tie[0]
        self.nears = [0] * len(ground.stops)
        """What is remembered at each stop, as bits; nothing if nobody has asked."""
        self._leaving: list[list[Courses] | None] = [None] * len(ground.stops)
        self._kept: list[int] = []
        """Of all hops, where those are made ready together that walks cannot tell apart."""
        if memory is not None and not self._ties:
            self._kept = ground.listing(skips_towns).kept(charge.unit, charge.links)

    def near(self, stop: int) -> int:
        """What is remembered at a stop, as bits."""
        near = self.nears[stop]
        if not near:
            near = (self._memory.near[stop] if self._memory else self.ground.near(stop)) | self._tied
            self.nears[stop] = near
        return near

    def leaving(self, stop: int) -> list[Courses]:
        return self._leaving[stop] or self._ready(stop)

    def _ready(self, start: int) -> list[Courses]:
        if self._memory is not None and self._kept:
            found = self._of_alike(start, self._memory.alike(start))
        else:
            found = self._of_bundles(start, self.ground.bundles(self.skips_towns, start))
        if len(found) > 1:
            found.sort(key=what_is_kept, reverse=True)
        self._leaving[start] = found
        return found

    def _of_bundles(self, start: int, bundles: Sequence[Bundle]) -> list[Courses]:
        found, is_free = list[Courses](), self.charge is FREE
        for there, sort, hops in bundles:
            if is_free and len(hops) == 1:  # mostly, and this is where small networks spend their time
                hop = hops[0]
                found.append((hop.value, hop.taken, sort, there, [(hop.value, hop.taken, (), hop)], [], hop))
            else:
                courses = [self._course(hop) for hop in hops]
                courses.sort(key=what_is_kept, reverse=True)
                several = self._told_apart(start, there, courses)
                found.append((courses[0][0], courses[0][1], sort, there, courses, several, courses[0][3]))
        return found

    def _of_alike(self, start: int, alike: Alike) -> list[Courses]:
        found, kept, hops = list[Courses](), self._kept, self.ground.listing(self.skips_towns).hops
        for (there, sort), groups in alike.items():
            courses: list[Course] = []
            for group in groups:
                number = max(group, key=kept.__getitem__) if len(group) > 1 else group[0]
                courses.append((kept[number], hops[number].taken, (), hops[number]))
            courses.sort(key=what_is_kept, reverse=True)
            several = self._told_apart(start, there, courses)
            found.append((courses[0][0], courses[0][1], sort, there, [], several, courses[0][3]))
        return found

    def fill(self, start: int, there: int, sort: int, courses: list[Course]) -> list[Course]:
        """All hops of a bundle for whoever draws routes; walks do with fewer. The list is the one that is filled."""
        if self._memory is not None and not courses:
            hops = self.ground.listing(self.skips_towns).hops
            for group in self._memory.alike(start)[there, sort]:
                courses += [(self._kept[number], hops[number].taken, (), hops[number]) for number in group]
            courses.sort(key=what_is_kept, reverse=True)
        return courses

    def _told_apart(self, start: int, there: int, courses: Sequence[Course]) -> list[Course]:
        """Those that walks need, of hops between two stops, the best first; nothing if that is one without knots.

        That is none that keeps no more than another and takes all that it takes, as far as these stops remember it.
        """
        if len(courses) == 1:
            return list(courses) if courses[0][2] else []
        near, found = self.near(start) | self.near(there), list[Course]()
        for course in courses:
            free = near & ~course[1]
            for other in found:
                if not other[1] & free:
                    break
            else:
                found.append(course)
        return found if len(found) > 1 or found[0][2] else []

    def _course(self, hop: Hop) -> Course:
        charge = self.charge
        if charge is FREE:
            return hop.value, hop.taken, (), hop
        kept = hop.value * charge.unit
        for link in hop.links:
            kept -= charge.links[link]
        return self._with_ties(kept, hop) if self._ties else (kept, hop.taken, (), hop)

    def _with_ties(self, kept: int, hop: Hop) -> Course:
        ties: tuple[Tie, ...] = ()
        taken = hop.taken
        for knot, tie in self._ties.items():
            if knot.sides & hop.sides:
                ties += (tie,)
                taken |= _as_bits(knot.sides, hop.sides, tie[0])
        return kept, taken, ties, hop


def paid_for(ties: Sequence[Tie], before: int, taken: int) -> int:
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
