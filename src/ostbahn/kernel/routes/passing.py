"""Trains that pass stops link by link: only at the end of a route is it seen which of its stops should count.

So run E-trains as 18xx.games has them, and trains with more hops to the next stop that counts than can be listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ostbahn.kernel.routes.ground import Ground
from ostbahn.kernel.routes.network import Hop, TrainKind
from ostbahn.kernel.routes.pricing import Charge
from ostbahn.kernel.routes.search import Patience, Search

Loose = tuple[tuple[int, bool], ...]
"""Stops that a route may count or not, best first: what each is worth, and whether it is a town."""

ANY = 10**6
"""More cities than any route visits."""

NOWHERE = -1
"""Where a route comes from that is at its first stop."""


class Drawn(NamedTuple):
    """A route that is being drawn: what it has used up, and what it has earned."""

    taken: int
    cities: int
    """How many more there may be."""
    room: int
    value: int
    loose: Loose
    homeless: bool


class Drawing(Search):
    """A search that draws routes hop by hop."""

    def __init__(
        self,
        ground: Ground,
        kind: TrainKind,
        charge: Charge,
        hops: Sequence[Sequence[Hop]],
        passing: bool,
        patience: Patience,
        floor: int,
        rising: bool,
    ) -> None:
        """passing: whether stops are passed link by link; otherwise hops lead beyond those that do not count."""
        super().__init__(ground, kind, charge, patience, floor, rising)
        self.hops, self.passing = hops, passing
        self.extra = [stop.is_mine or (passing and kind.optional(stop)) for stop in ground.stops]
        """Stops that need no room: a route may always come by."""
        self.mine = ground.best_mine * charge.unit if passing else 0
        """What a mine may pay beside what outlooks tell."""

    def begun(self, start: int) -> Drawn:
        stop, kind = self.ground.stops[start], self.kind
        cities = (ANY if kind.cities is None else kind.cities) - (not stop.is_town)
        room, value, loose = self._with(start, stop.value * self.charge.unit, kind.stops, 0, ())
        return Drawn(self.ground.place[start], cities, room, value, loose, not stop.own)

    def _with(self, number: int, amount: int, room: int, value: int, loose: Loose) -> tuple[int, int, Loose]:
        """Room, value and optional stops with one stop more, which is worth so much; a mine adds value only."""
        if self.ground.stops[number].is_mine:
            return room, value + amount, loose
        if self.extra[number]:
            return room, value, tuple(sorted((*loose, (amount, self.ground.stops[number].is_town)), reverse=True))
        return room - 1, value + amount, loose

    def extended(self, drawn: Drawn, hop: Hop) -> Drawn | None:
        """A route that goes on by one hop more, if it may."""
        taken, cities, room, value, loose, homeless = drawn
        there, uncounted = hop.there, not hop.counts
        is_city = not self.ground.stops[there].is_town
        if hop.taken & taken or (is_city and not cities) or not (room or self.extra[there] or uncounted):
            return None
        amount = hop.value * self.charge.unit
        if uncounted:
            value += amount
        else:
            room, value, loose = self._with(there, amount, room, value, loose)
        for link in hop.links if self.charge.links else ():
            value -= self.charge.links[link]
        return Drawn(taken | hop.taken, cities - is_city, room, value, loose, homeless and not hop.own)

    def promising(self, end: int, behind: int, drawn: Drawn) -> bool:
        """Whether going on can earn enough, also if some of the optional stops count that were passed."""
        loose, wanted = drawn.loose[: drawn.room], self.wanted(drawn)
        ahead = self.outlooks(end, behind, drawn, drawn.homeless, drawn.room - len(loose))
        if ahead[-1] > wanted:
            return True
        kept = 0
        for count, (worth, _) in enumerate(loose, start=2):
            kept += worth
            if kept + ahead[-count] > wanted:
                return True
        return False

    def outlooks(self, end: int, behind: int, drawn: Drawn, homeless: bool, least: int) -> Sequence[int]:
        """The most that going on from a stop can earn, for every room from the least to that which there is."""
        raise AssertionError("every search has outlooks of its own")

    def wanted(self, drawn: Drawn) -> int:
        """What is ahead must earn more than that."""
        return self.floor - drawn.value - (0 if drawn.taken & self.ground.mine_place else self.mine)

    def note(self, drawn: Drawn, path: Sequence[int], links: Sequence[int]) -> None:
        """Keep the route as it is drawn, with the best of the stops that may count."""
        worth, room, counted = drawn.value, drawn.room, self.kind.stops - drawn.room
        towns = self.kind.stops if self.kind.towns is None else self.kind.towns
        for amount, is_town in drawn.loose:
            if room and (towns or not is_town):
                worth += amount
                room -= 1
                counted += 1
                towns -= is_town
        if worth > self.floor:
            self.keep(path, links, worth - self.charge.tied(self.sides_of(links)), counted)


Onward = dict[tuple[int, int], list[int]]
"""For a stop, and the one that a stroll comes from, what it can still earn with every room."""

Stride = tuple[int, int, int, bool, list[int]]
"""A stop to go to, what it is worth (less than nothing is a mine), the toll, whether it may be passed, and what can be
earned from there with every room."""

REMEMBERED = 2
"""How many places strolls remember: each makes them twice as much work."""


class Strolls:
    """What a route can still earn, never less than it really can.

    A stroll does not turn straight back, and does not come twice to any of the few best places; all else it forgets.
    What strolls earn is worked out beforehand for every stop and room. They do not care for an own station, since a
    route may pass that without counting it. Mines are left out.
    """

    def __init__(self, ground: Ground, kind: TrainKind, charge: Charge, remembered: int) -> None:
        self.ground, self.kind, self.charge = ground, kind, charge
        self.values = [stop.value * charge.unit for stop in ground.stops]
        self.around = [list(dict.fromkeys(way.there for way in ways)) for ways in ground.ways]
        self.tolls: dict[tuple[int, int], int] = {}
        """What it costs at least to go from one stop to the next."""
        for number, ways in enumerate(ground.ways):
            for way in ways:
                ends, toll = (number, way.there), charge.paid(way.links, 0)
                self.tolls[ends] = min(toll, self.tolls.get(ends, toll))
        self.passed = [stop.is_mine or kind.optional(stop) for stop in ground.stops]
        """Stops that a stroll may come by without counting them."""
        self.remembered = self._best_places(remembered)
        self._tables: dict[int, Onward] = {}
        """For each memory what strolls earn."""

    def _best_places(self, most: int) -> int:
        reached = [number for number, near in enumerate(self.around) if near and not self.ground.stops[number].is_mine]
        reached.sort(key=lambda number: (-self.values[number], self.ground.stops[number].id))
        together = 0
        for number in reached:
            if together.bit_count() < most:
                together |= self.ground.place[number]
        return together

    def hopes(self) -> list[tuple[int, int]]:
        """Every stop at which a route may begin, with the most that it could then earn; best first."""
        stops, found = self.ground.stops, []
        for number, near in enumerate(self.around):
            stop = stops[number]
            if near and (stop.is_town or self.kind.cities != 0):
                room = self.kind.stops - (not self.kind.optional(stop) and not stop.is_mine)
                mine = 0 if stop.is_mine else self.ground.best_mine * self.charge.unit
                onward = self.onward(number, NOWHERE, self.ground.place[number])[room]
                found.append((self.values[number] + onward + mine, number))
        return sorted(found, key=lambda row: (-row[0], stops[row[1]].id))

    def onward(self, end: int, behind: int, taken: int) -> list[int]:
        """The most that going on from a stop can earn, for every room."""
        memory = taken & self.remembered
        table = self._tables.get(memory) or self._table(memory)
        if behind != NOWHERE:
            return table[end, behind]
        strides = self._strides(end, memory)
        rooms = range(1, self.kind.stops + 1)
        return [0, *(max([0, *(_worth(stride, room) for stride in strides)]) for room in rooms)]

    def _table(self, memory: int) -> Onward:
        """What strolls earn that have come to some of the best places; first, what those earn that come to one more."""
        rest = self.remembered & ~memory
        while rest:
            place = rest & -rest
            if memory | place not in self._tables:
                self._table(memory | place)
            rest ^= place
        table = self._tables[memory] = {ends: [0] for ends in self.tolls}
        strides = [self._strides(stop, memory) for stop in range(len(self.around))]
        for room in range(1, self.kind.stops + 1):
            for row in table.values():
                row.append(row[-1])
            self._fill(room, strides, table)
        return table

    def _strides(self, stop: int, memory: int) -> list[Stride]:
        """Where a stroll may go from a stop."""
        found = []
        for there in self.around[stop]:
            place = self.ground.place[there] & self.remembered
            if not place & memory:
                value = -1 if self.ground.stops[there].is_mine else self.values[there]
                further = self._tables[memory | place][there, stop]
                found.append((there, value, self.tolls[stop, there], self.passed[there], further))
        return found

    def _fill(self, room: int, strides: Sequence[Sequence[Stride]], table: Onward) -> None:
        stops = self.ground.stops
        todo = [stop for stop in range(len(self.around)) if stops[stop].passable]
        waiting = set(todo)
        for stop in todo:  # which grows, since stops may be passed without counting
            waiting.discard(stop)
            first = second = 0
            best = -1
            for stride in strides[stop]:
                worth = _worth(stride, room)
                if worth > first:
                    first, second, best = worth, first, stride[0]
                elif worth > second:
                    second = worth
            for behind in self.around[stop]:
                worth, row = second if behind == best else first, table[stop, behind]
                if worth > row[room]:
                    row[room] = worth
                    if behind not in waiting and self.passed[stop] and stops[behind].passable:
                        waiting.add(behind)
                        todo.append(behind)


def _worth(stride: Stride, room: int) -> int:
    """What going on to the next stop can earn: it counts, or it is passed if that is allowed."""
    _, value, toll, passed, further = stride
    if value < 0:
        return further[room] - toll
    counting = value + further[room - 1]
    if passed and further[room] > counting:
        return further[room] - toll
    return counting - toll


class PassingSearch(Drawing):
    """A route grows from one of its ends, link by link."""

    def __init__(
        self, strolls: Strolls, hops: Sequence[Sequence[Hop]], patience: Patience, floor: int, rising: bool
    ) -> None:
        super().__init__(strolls.ground, strolls.kind, strolls.charge, hops, True, patience, floor, rising)
        self.strolls = strolls
        self.path: list[int] = []
        self.links: list[int] = []
        self.done: set[int] = set()
        """Stops from which all routes have been found: none need end there any more."""

    def run(self) -> None:
        for hope, start in self.strolls.hopes():
            if hope <= self.floor:
                break
            self.path = [start]
            self._grow(start, NOWHERE, self.begun(start))
            self.done.add(start)

    def outlooks(self, end: int, behind: int, drawn: Drawn, homeless: bool, least: int) -> Sequence[int]:
        return self.strolls.onward(end, behind, drawn.taken)[least : drawn.room + 1]

    def _grow(self, end: int, behind: int, drawn: Drawn) -> None:
        """Note the route as it is, and draw it on to every next stop, while what is ahead could still earn enough."""
        self.step()
        if not self.promising(end, behind, drawn):
            return
        if behind != NOWHERE:
            if not drawn.homeless and end not in self.done:
                self.note(drawn, self.path, self.links)
            if not self.ground.stops[end].passable:
                return
        for hop in self.hops[end]:
            further = self.extended(drawn, hop)
            if further is not None:
                self.path.append(hop.there)
                self.links.append(hop.links[0])
                self._grow(hop.there, end, further)
                self.path.pop()
                self.links.pop()
