"""What a route that is being drawn can still earn: never less than it really can.

Both outlooks look at walks, which may do more than a route. The tighter one remembers which of the places near
the end were visited, so that only far-away places can be visited twice; it suits trains that must count every
city. Where cities may be left out as well, a walk may pass any number of stops, and the simpler outlook is used.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Protocol

from ostbahn.kernel.routes.ground import Ground, Surroundings
from ostbahn.kernel.routes.network import TrainKind

NEVER = -(10**9)
"""What a way earns that cannot become a route."""

MOST_KNOWN = 1_000_000
"""How many outlooks are kept, so that memory stays bounded; then they are worked out anew."""

MOST_SHARED = 2000
"""How many are left for later searches on the same ground; a search that needs more has its own."""

Onward = dict[tuple[int, int], int]
"""For a stop, and the one that a walk comes from, what it can still earn."""


Prospect = tuple[int, int, int, int, bool, bool, bool, int]
"""A hop, and before it the most that it could lead to at first sight."""

first = itemgetter(0)


class Outlook(Protocol):
    def onward(self, end: int, behind: int | None, places: int, room: int, cities: int, homeless: bool) -> int:
        """The most that going on from a stop can earn; less than nothing if it cannot lead to a route.

        `places` are those visited, as bits; `room` is how many stops may still count, `cities` how many more
        cities there may be; `homeless` means that no own station is on the route yet. What a mine may pay is left
        out.
        """


class Walks:
    """The best walks that do not turn straight back, worked out beforehand for every stop and room.

    They care neither for places nor for the own station, since a route may pass that without counting it.
    """

    def __init__(self, ground: Ground, kind: TrainKind) -> None:
        stops, around = ground.stops, ground.around
        self.stops, self.around = stops, around
        self.tolls: dict[tuple[int, int], int] = {}
        """What it costs at least to go from one stop to the next."""
        for number, ways in enumerate(ground.ways):
            for way in ways:
                ends = number, way.there
                self.tolls[ends] = min(way.toll, self.tolls.get(ends, way.toll))
        self.passed = [stop.is_mine or kind.optional(stop) for stop in stops]
        """Stops that a walk may come by without counting them."""
        beginnings = [(stop, behind) for stop, near in enumerate(around) for behind in near]
        self._by_room = [dict.fromkeys(beginnings, 0)]
        for _ in range(kind.stops):
            self._by_room.append(self._with_more_room(self._by_room[-1]))

    def onward(self, end: int, behind: int | None, places: int, room: int, cities: int, homeless: bool) -> int:
        if behind is not None:
            return self._by_room[room][end, behind]
        if not room:
            return 0
        less, more = self._by_room[room - 1], self._by_room[room]
        return max((self._step(less, more, end, there) for there in self.around[end]), default=0)

    def _with_more_room(self, less: Onward) -> Onward:
        more = dict(less)
        todo = [stop for stop in range(len(self.around)) if self.stops[stop].passable]
        waiting = set(todo)
        for stop in todo:  # which grows, since stops may be passed without counting
            waiting.discard(stop)
            around = self.around[stop]
            first = second = 0
            best = -1
            for there in around:
                worth = self._step(less, more, stop, there)
                if worth > first:
                    first, second, best = worth, first, there
                elif worth > second:
                    second = worth
            for behind in around:
                worth = second if behind == best else first
                if worth > more[stop, behind]:
                    more[stop, behind] = worth
                    if behind not in waiting and self.passed[stop] and self.stops[behind].passable:
                        waiting.add(behind)
                        todo.append(behind)
        return more

    def _step(self, less: Onward, more: Onward, stop: int, there: int) -> int:
        """What going on to the next stop can earn: it counts, or it is passed if that is allowed."""
        toll = self.tolls[stop, there]
        if self.stops[there].is_mine:
            return more[there, stop] - toll
        counting = self.stops[there].value + less[there, stop]
        return (max(counting, more[there, stop]) if self.passed[there] else counting) - toll


class Memory:
    """Walks from one stop that counts to the next, which remember the places nearby; worked out when asked for."""

    def __init__(self, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self.place = surroundings.place
        self.away = surroundings.away
        self._strict, self._top = surroundings.strict, surroundings.top
        self._near, self._hops = surroundings.near, surroundings.hops
        self._known = surroundings.known
        self._most = MOST_SHARED
        self._first_sights: dict[tuple[int, int, int], int] = {}
        self._hoped: dict[tuple[int, int, int], list[Prospect]] = {}

    def onward(self, end: int, behind: int | None, places: int, room: int, cities: int, homeless: bool) -> int:
        homeless = homeless and self._strict
        if homeless and self.away[end] > room:
            return NEVER
        if not room:
            return 0
        key = (end, room, cities if cities < room else room, places & self._near(end), homeless)
        known = self._known.get(key)
        return self._onward(key) if known is None else known

    def _at_first_sight(self, end: int, room: int, cities: int) -> int:
        """The same for walks that remember nothing: it may be more, and is sooner known."""
        if not room:
            return 0
        key = (end, room, cities if cities < room else room)
        best = self._first_sights.get(key)
        if best is None:
            best = 0
            room -= 1
            later = room * self._top
            for value, there, _, is_city, passable, _, _ in self._hops(end):
                if value + later <= best:
                    break
                if is_city and not cities:
                    continue
                if room and passable:
                    value += self._at_first_sight(there, room, cities - is_city)
                if value > best:
                    best = value
            self._first_sights[key] = best
        return best

    def _onward(self, key: tuple[int, int, int, int, bool]) -> int:
        """The most that a walk from a stop can earn, not visiting what it remembers; there is room for some more."""
        end, room, cities, memory, homeless = key
        away, known = self.away, self._known
        best = NEVER if homeless else 0
        here = memory | self.place[end]
        room -= 1
        for hope, value, there, place, is_city, passable, own, near in self._ahead(end, room, cities):
            if hope <= best:
                break
            if here & place:
                continue
            seeking = homeless and not own
            if seeking and (not passable or away[there] > room):
                continue
            if room and passable:
                left = cities - is_city
                further = (there, room, left if left < room else room, here & near, seeking)
                worth = known.get(further)
                value += self._onward(further) if worth is None else worth
            if value > best:
                best = value
        if len(self._known) >= self._most:
            self._make_room()
        self._known[key] = best
        return best

    def _ahead(self, end: int, room: int, cities: int) -> list[Prospect]:
        """Where a walk may go on to, the most promising first; there is room for some more after that."""
        key = (end, room, cities if cities <= room else room + 1)
        found = self._hoped.get(key)
        if found is None:
            found = []
            for hop in self._hops(end):
                value, there, _, is_city, passable, _, _ = hop
                if cities or not is_city:
                    if room and passable:
                        value += self._at_first_sight(there, room, cities - is_city)
                    found.append((value, *hop))
            found.sort(key=first)
            found.reverse()
            self._hoped[key] = found
        return found

    def _make_room(self) -> None:
        self._known = {} if self._most == MOST_KNOWN else dict(self._known)
        self._most = MOST_KNOWN
