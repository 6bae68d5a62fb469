"""The search for routes that use a certain part of a network: what is new there, or not what it was.

Such a route is drawn from that part outwards: first one arm, then the other. It is given up when the outlooks of
both ends together could not earn enough.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ostbahn.kernel.routes.bounds import NEVER
from ostbahn.kernel.routes.ground import Way
from ostbahn.kernel.routes.network import Route
from ostbahn.kernel.routes.patience import OutOfPatienceError, Patience
from ostbahn.kernel.routes.single_train import ANY, Explorer, Loose, Search


class Part(NamedTuple):
    """Some stops and links of a network; links at one of these stops need not be named."""

    stops: tuple[int, ...]
    links: frozenset[int]


class Drawn(NamedTuple):
    """A route that is being drawn: what it has used up, and what it has earned."""

    sides: int
    places: int
    cities: int
    """How many more there may be."""
    room: int
    value: int
    loose: Loose
    homeless: bool


def routes_through(explorer: Explorer, part: Part, floor: int, patience: Patience) -> tuple[list[Route], bool]:
    """Routes that use the part and earn more than that, and whether these are all of them."""
    search = _Through(explorer, part, floor, patience)
    try:
        search.run()
    except OutOfPatienceError:
        return search.found, False
    return search.found, True


class _Through(Search):
    """Once all routes through a stop or link of the part are found, the others are looked for without it."""

    def __init__(self, explorer: Explorer, part: Part, floor: int, patience: Patience) -> None:
        super().__init__(explorer, patience, 0, floor, rising=False)
        self.part = part
        self.stops_done: set[int] = set()
        self.links_done: set[int] = set()
        self.one: list[int] = []
        self.other: list[int] = []
        """The stops of both arms, from the inside outwards."""
        self.one_links: list[int] = []
        self.other_links: list[int] = []

    def run(self) -> None:
        for stop in self.part.stops:
            ways = self.ways[stop]
            for number, way in enumerate(ways):
                self._begin(stop, way, ways[number + 1 :])
            self.stops_done.add(stop)
        for stop, ways in enumerate(self.ways if self.part.links else ()):
            for way in ways:
                if stop < way.there and way.link in self.part.links:
                    self._begin(stop, way, ways)
                    self.links_done.add(way.link)

    def _begin(self, start: int, way: Way, others: Collection[Way]) -> None:
        """All routes that leave a stop by one way, and perhaps by one of some others."""
        stop, cities = self.stops[start], self.kind.cities
        room, value, loose = self._with(start, self.kind.stops, 0, ())
        place = self.explorer.ground.place[start]
        left = (ANY if cities is None else cities) - (not stop.is_town)
        self.one, self.one_links, self.other, self.other_links = [], [], [start], []
        begun = Drawn(0, place, left, room, value, loose, not stop.own)
        drawn = self._extended(begun, way) if left >= 0 else None
        if drawn is not None:
            self.one, self.one_links = [way.there], [way.link]
            self._grow_one(way.there, start, others if stop.passable else (), drawn)

    def _extended(self, drawn: Drawn, way: Way) -> Drawn | None:
        """With one stop more, if the route may go there."""
        sides, places, cities, room, value, loose, homeless = drawn
        there, link, crossed, place, is_city, toll = way
        if crossed & sides or places & place or (is_city and not cities):
            return None
        if there in self.stops_done or link in self.links_done:
            return None
        stop = self.stops[there]
        if self.extra[there]:
            room, value, loose = self._with(there, room, value - toll, loose)
        elif room:
            room, value = room - 1, value + stop.value - toll
        else:
            return None
        return Drawn(sides | crossed, places | place, cities - is_city, room, value, loose, homeless and not stop.own)

    def _grow_one(self, end: int, behind: int, others: Collection[Way], drawn: Drawn) -> None:
        """The first arm may end here, or go on; the second one is drawn from each of its ends."""
        if not self.patience():
            raise OutOfPatienceError
        if not self._promising(end, behind, bool(others), drawn):
            return
        self._grow_other(self.other[0], self.one[0], others, drawn)
        for way in self.ways[end] if self.stops[end].passable else ():
            further = self._extended(drawn, way)
            if further is not None:
                self.one.append(way.there)
                self.one_links.append(way.link)
                self._grow_one(way.there, end, others, further)
                self.one.pop()
                self.one_links.pop()

    def _grow_other(self, end: int, behind: int, ways: Collection[Way], drawn: Drawn) -> None:
        if not self.patience():
            raise OutOfPatienceError
        sides, places, cities, room, value, loose, homeless = drawn
        wanted = self._wanted(drawn)
        if self.onward(end, behind, places, room, cities, homeless) <= wanted and not (
            loose and self._passed_enough(end, behind, places, cities, room, loose, homeless, wanted)
        ):
            return
        if not homeless:
            self.path = self.other[::-1] + self.one
            self.links = self.other_links[::-1] + self.one_links
            self._note(room, value, loose, sides)
        for way in ways:
            further = self._extended(drawn, way)
            if further is not None:
                self.other.append(way.there)
                self.other_links.append(way.link)
                onward = self.ways[way.there] if self.stops[way.there].passable else ()
                self._grow_other(way.there, end, onward, further)
                self.other.pop()
                self.other_links.pop()

    def _wanted(self, drawn: Drawn) -> int:
        """What both arms together must earn more than."""
        return self.floor - drawn.value - (0 if drawn.places & self.mine_place else self.best_mine)

    def _promising(self, end: int, behind: int, both: bool, drawn: Drawn) -> bool:
        """Whether both arms together could earn enough, however they share the room that is left."""
        room, homeless = drawn.room, drawn.homeless
        wanted = self._wanted(drawn)
        kept = [0]
        for worth, _ in drawn.loose[:room]:
            kept.append(kept[-1] + worth)
        inner, near = self.other[0], self.one[0]
        ahead = self._outlooks(end if self.stops[end].passable else None, behind, drawn, False)
        back = self._outlooks(inner if both else None, near, drawn, False)
        if kept[-1] + ahead[room] + back[room] <= wanted:
            return False
        if not homeless:
            return _shared(kept, ahead, back, room) > wanted
        home_ahead = self._outlooks(end if self.stops[end].passable else None, behind, drawn, True)
        if _shared(kept, home_ahead, back, room) > wanted:
            return True
        return both and _shared(kept, ahead, self._outlooks(inner, near, drawn, True), room) > wanted

    def _outlooks(self, end: int | None, behind: int, drawn: Drawn, homeless: bool) -> list[int]:
        """What an arm can still earn, for every room that it may have."""
        rooms = range(drawn.room + 1)
        if end is None:
            return [NEVER if homeless else 0 for _ in rooms]
        onward, places, cities = self.onward, drawn.places, drawn.cities
        return [onward(end, behind, places, room, cities, homeless) for room in rooms]


def _shared(kept: Sequence[int], ahead: Sequence[int], back: Sequence[int], room: int) -> int:
    """The most that stops passed so far and both arms can earn, if all of them share the room."""
    return max(
        passed + ahead[used] + back[room - count - used]
        for count, passed in enumerate(kept)
        for used in range(room - count + 1)
    )
