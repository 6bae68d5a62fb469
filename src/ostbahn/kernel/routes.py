"""Routes of single trains: what they may visit, what they earn, and the search for good ones.

The search grows a route from an own station, first one arm, then the other. It gives up an arm when even the
best walk from its end could not earn enough: for every stop and every number of stops still allowed, the most
that a walk without turning straight back can earn is worked out beforehand. A walk may do more than a route
(visit a place twice), so the bound is never too low, and what is left out could not have mattered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Kind = tuple[int | None, int, bool, int | None]
"""What tells kinds of trains apart."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A revenue location as the running company sees it."""

    id: str
    is_town: bool
    """Otherwise a city or a red tile, which both count as cities."""
    value: int
    own: bool
    """Whether the company has a station here."""
    passable: bool
    """Whether a route may go on from here; if not, it can only end here."""
    location: str
    """A route visits a location once. Usually the id; the cities of Praha share one."""


@dataclass(frozen=True, slots=True)
class Link:
    """Track between two stops without another stop on it."""

    a: int
    b: int
    sides: int
    """The hex sides that it crosses, as bits."""
    hexes: tuple[str, ...]
    """Hexes of plain track on the way from a to b."""


@dataclass(frozen=True, slots=True)
class Network:
    """All stops, and what joins them."""

    stops: tuple[Stop, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Train:
    """What a train can do: a 3 has (3, 3), a 3+3 has (3, 6), a 3E has (3, 3) and skips towns."""

    id: str
    cities: int | None
    """How many cities a route may visit; None if it may leave cities out, too."""
    stops: int
    """How many stops count at most."""
    skips_towns: bool = False
    towns: int | None = None
    """How many towns count at most, if there is such a limit."""

    @property
    def kind(self) -> Kind:
        """Trains of one kind can do the same."""
        return (self.cities, self.stops, self.skips_towns, self.towns)

    def optional(self, stop: Stop) -> bool:
        """Whether a route may pass the stop without counting it."""
        return self.skips_towns and (stop.is_town or self.cities is None)


@dataclass(frozen=True, slots=True)
class Route:
    """A way over the network: stops and the links between them."""

    stops: tuple[int, ...]
    links: tuple[int, ...]
    revenue: int
    sides: int


def counted_stops(train: Train, stops: Sequence[Stop]) -> tuple[int, ...]:
    """Which stops of a route pay: those that must, and the best of those that may."""
    must = [number for number, stop in enumerate(stops) if not train.optional(stop)]
    may = sorted((number for number, stop in enumerate(stops) if train.optional(stop)), key=lambda n: -stops[n].value)
    if train.towns is not None:
        towns = [number for number in may if stops[number].is_town][: train.towns]
        may = [number for number in may if not stops[number].is_town or number in towns]
    return tuple(sorted(must + may[: max(train.stops - len(must), 0)]))


class Sketch(NamedTuple):
    """A route being drawn: a path from an own station, which is turned round once to grow its other arm."""

    stops: tuple[int, ...]
    links: tuple[int, ...]
    sides: int
    places: int
    """Locations visited, as bits."""
    cities: int
    fixed: int
    """How many stops must count."""
    value: int
    """What they are worth together."""
    loose: tuple[int, ...]
    """Stops that may count."""


class Explorer:
    """Finds the routes of one kind of train on one network."""

    def __init__(self, network: Network, train: Train) -> None:
        self.stops = network.stops
        self.train = train
        numbers: dict[str, int] = {}
        self.place = [1 << numbers.setdefault(stop.location, len(numbers)) for stop in self.stops]
        self.ways = self._ways(network)
        self.around = [sorted({way[0] for way in ways}) for ways in self.ways]
        self.onward = self._onward()
        self._known_arms: dict[tuple[int, int | None, int | None], list[int]] = {}
        self.outward = [
            [self._outward(stop, room) for room in range(train.stops + 1)] for stop in range(len(self.stops))
        ]

    def _ways(self, network: Network) -> list[list[tuple[int, int, int]]]:
        """For each stop the links that leave it (stop, link, sides), good stops first.

        A link is left out where another one joins the same stops on part of its hex sides.
        """
        kept: dict[tuple[int, int], list[int]] = {}
        order = sorted(
            range(len(network.links)),
            key=lambda n: (network.links[n].sides.bit_count(), network.links[n].sides, network.links[n].hexes),
        )
        for number in order:
            link = network.links[number]
            rivals = kept.setdefault((min(link.a, link.b), max(link.a, link.b)), [])
            if self.place[link.a] != self.place[link.b] and not any(
                network.links[rival].sides & ~link.sides == 0 for rival in rivals
            ):
                rivals.append(number)
        ways: list[list[tuple[int, int, int]]] = [[] for _ in self.stops]
        for (a, b), numbers in kept.items():
            for number in numbers:
                ways[a].append((b, number, network.links[number].sides))
                ways[b].append((a, number, network.links[number].sides))
        for row in ways:
            row.sort(key=lambda way: (-self.stops[way[0]].value, self.stops[way[0]].id, way[2]))
        return ways

    # What may still be earned

    def _onward(self) -> list[dict[tuple[int, int], int]]:
        """For each room (stops that may still count): the most a walk earns that stands at a stop, coming from one."""
        steps = [(stop, behind) for stop, around in enumerate(self.around) for behind in around]
        tables = [dict.fromkeys(steps, 0)]
        for _ in range(self.train.stops):
            tables.append(self._with_more_room(tables[-1]))
        return tables

    def _with_more_room(self, less: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        table = dict(less)
        changed = True
        while changed:  # again only where stops may be passed without counting
            changed = False
            for stop, around in enumerate(self.around):
                if not self.stops[stop].passable:
                    continue
                offers = sorted(((self._step(less, table, stop, there), there) for there in around), reverse=True)[:2]
                for behind in around:
                    worth = next((worth for worth, there in offers if there != behind), 0)
                    if worth > table[stop, behind]:
                        table[stop, behind] = worth
                        changed = self.train.skips_towns
        return table

    def _step(self, less: dict[tuple[int, int], int], table: dict[tuple[int, int], int], stop: int, there: int) -> int:
        """What going on to the next stop can earn: it counts, or it is passed if that is allowed."""
        counting = self.stops[there].value + less[there, stop]
        return max(counting, table[there, stop]) if self.train.optional(self.stops[there]) else counting

    def _outward(self, stop: int, room: int) -> int:
        """The most that a walk from a stop earns with so much room, coming from nowhere."""
        if not room:
            return 0
        return max(
            (self._step(self.onward[room - 1], self.onward[room], stop, to) for to in self.around[stop]), default=0
        )

    def _hope(self, sketch: Sketch, root: int | None) -> int:
        """More than any completion of a sketch can earn; with a root its second arm is still to come."""
        room = self.train.stops - sketch.fixed
        if room < 0:
            return -1
        behind = sketch.stops[-2] if len(sketch.stops) > 1 else None
        arms = self._arms(sketch.stops[-1], behind, root)
        if not sketch.loose:
            return sketch.value + arms[room]
        loose = sorted((self.stops[stop].value for stop in sketch.loose), reverse=True)
        return sketch.value + max(arms[r] + sum(loose[: room - r]) for r in range(room + 1))

    def _arms(self, end: int, behind: int | None, root: int | None) -> list[int]:
        """For each room what the arm at the end, and the one from the root if it is still to come, can earn."""
        key = (end, behind, root)
        found = self._known_arms.get(key)
        if found is None:
            rooms = range(self.train.stops + 1)
            found = [self.outward[end][r] if behind is None else self.onward[r][end, behind] for r in rooms]
            if root is not None:
                other = self.outward[root]
                found = [max(found[part] + other[r - part] for part in range(r + 1)) for r in rooms]
            self._known_arms[key] = found
        return found

    # The search

    def routes(self, forbidden: int, floor: Callable[[], int]) -> Iterator[Route]:
        """Every route off the forbidden hex sides that earns more than the floor, which may rise meanwhile."""
        barred: set[int] = set()
        for root, stop in enumerate(self.stops):
            if stop.own:
                start = self._with(Sketch((), (), forbidden, 0, 0, 0, 0, ()), root, None, 0)
                for sketch in self._first_arm(start, barred, floor):
                    yield self._route(sketch, forbidden)
                # A route over several own stations is found from the first of them only.
                barred.add(root)

    def _route(self, sketch: Sketch, forbidden: int) -> Route:
        return Route(sketch.stops, sketch.links, self._worth(sketch), sketch.sides & ~forbidden)

    def _first_arm(self, sketch: Sketch, barred: set[int], floor: Callable[[], int]) -> Iterator[Sketch]:
        root = sketch.stops[0]
        if self._hope(sketch, root) <= floor():
            return
        if self._counts(sketch) and self._worth(sketch) > floor():
            yield sketch
        for further in self._further(sketch, barred):
            yield from self._first_arm(further, barred, floor)
        if len(sketch.stops) > 1 and self.stops[root].passable:
            turned = sketch._replace(stops=sketch.stops[::-1], links=sketch.links[::-1])
            for further in self._further(turned, barred):
                # Of the two ways to draw a route, the one that begins with the lesser link is enough.
                if further.links[-1] > sketch.links[0]:
                    yield from self._second_arm(further, barred, floor)

    def _second_arm(self, sketch: Sketch, barred: set[int], floor: Callable[[], int]) -> Iterator[Sketch]:
        if self._hope(sketch, None) <= floor():
            return
        if self._counts(sketch) and self._worth(sketch) > floor():
            yield sketch
        for further in self._further(sketch, barred):
            yield from self._second_arm(further, barred, floor)

    def _further(self, sketch: Sketch, barred: set[int]) -> Iterator[Sketch]:
        """The sketch, drawn on to each next stop."""
        end = sketch.stops[-1]
        if len(sketch.stops) > 1 and not self.stops[end].passable:
            return
        for stop, link, sides in self.ways[end]:
            if sketch.sides & sides or sketch.places & self.place[stop] or stop in barred:
                continue
            further = self._with(sketch, stop, link, sides)
            if further.fixed <= self.train.stops and (self.train.cities is None or further.cities <= self.train.cities):
                yield further

    def _with(self, sketch: Sketch, stop: int, link: int | None, sides: int) -> Sketch:
        there = self.stops[stop]
        optional = self.train.optional(there)
        return Sketch(
            (*sketch.stops, stop),
            sketch.links if link is None else (*sketch.links, link),
            sketch.sides | sides,
            sketch.places | self.place[stop],
            sketch.cities + (not there.is_town),
            sketch.fixed + (not optional),
            sketch.value + (0 if optional else there.value),
            (*sketch.loose, stop) if optional else sketch.loose,
        )

    def _counts(self, sketch: Sketch) -> bool:
        """A route has at least two stops that count."""
        return len(sketch.stops) > 1 and (sketch.fixed > 1 or self.train.stops > 1)

    def _worth(self, sketch: Sketch) -> int:
        if not sketch.loose:
            return sketch.value
        stops = [self.stops[stop] for stop in sketch.stops]
        return sum(stops[number].value for number in counted_stops(self.train, stops))
