"""The geometry of a pointy-top hex: where its sides and corners are, how track runs between its sides, and where cities
and towns stand on a face."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple

from ostbahn.kernel.map.hexes import sides_of
from ostbahn.kernel.map.tiles import Face

RADIUS: Final = 50.0
"""From the middle of a hex to a corner."""
APOTHEM: Final = RADIUS * math.sqrt(3) / 2
"""From the middle of a hex to the middle of a side."""


class Point(NamedTuple):
    x: float
    y: float

    def plus(self, other: Point, times: float = 1.0) -> Point:
        return Point(self.x + other.x * times, self.y + other.y * times)

    def distance(self, other: Point) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


CENTRE: Final = Point(0.0, 0.0)

_ANGLES: Final = (120, 180, 240, 300, 0, 60)
"""Where the sides SW, W, NW, NE, E and SE lie, in degrees from the east, downwards."""


def _at(degrees: float, distance: float) -> Point:
    angle = math.radians(degrees)
    return Point(math.cos(angle) * distance, math.sin(angle) * distance)


NORMALS: Final = tuple(_at(angle, 1.0) for angle in _ANGLES)
"""For each side the direction in which one leaves the hex there."""
SIDES: Final = tuple(_at(angle, APOTHEM) for angle in _ANGLES)
"""The middle of each side."""
CORNERS: Final = tuple(_at(angle + 30, RADIUS) for angle in _ANGLES)
"""The corner after each side, in order of rotation."""


class Curve(NamedTuple):
    """Track from the middle of one side to the middle of another, at right angles to both: a line or an arc."""

    start: int
    end: int

    @property
    def turn(self) -> int:
        """How many sides apart the ends are: 1 is a sharp bend, 2 a gentle one, 3 a straight line."""
        apart = (self.end - self.start) % 6
        return min(apart, 6 - apart)

    @property
    def radius(self) -> float:
        return {1: RADIUS / 2, 2: RADIUS * 1.5, 3: 0.0}[self.turn]

    @property
    def length(self) -> float:
        return {1: RADIUS / 2 * math.pi * 2 / 3, 2: RADIUS * 1.5 * math.pi / 3, 3: 2 * APOTHEM}[self.turn]

    @property
    def centre(self) -> Point:
        """The centre of the arc: where the lines of the two sides meet."""
        both = NORMALS[self.start].plus(NORMALS[self.end])
        length = math.hypot(*both)
        # The sides' lines are at the apothem along their normals, and meet on the line halfway between these.
        along = APOTHEM / (length / 2)
        return Point(both.x / length * along, both.y / length * along)

    def point(self, part: float) -> Point:
        """The point after a part of the way."""
        start, end = SIDES[self.start], SIDES[self.end]
        if self.turn == 3:
            return start.plus(end.plus(start, -1.0), part)
        centre = self.centre
        first = math.atan2(start.y - centre.y, start.x - centre.x)
        last = math.atan2(end.y - centre.y, end.x - centre.x)
        swing = (last - first + math.pi) % (2 * math.pi) - math.pi
        angle = first + swing * part
        return Point(centre.x + math.cos(angle) * self.radius, centre.y + math.sin(angle) * self.radius)

    def crosses(self, other: Curve) -> bool:
        """Whether track crosses other track in the hex; where both begin at one side it does not, but parts from it."""
        if {self.start, self.end} & {other.start, other.end}:
            return False
        between = {(self.start + step) % 6 for step in range(1, (self.end - self.start) % 6)}
        return (other.start in between) != (other.end in between)

    @property
    def clockwise(self) -> bool:
        """Which way round the arc runs, as SVG wants to know it."""
        return (self.end - self.start) % 6 > 3


def inside(point: Point, margin: float = 0.0) -> bool:
    """Whether a point is in the hex, at least so far from its border."""
    return all(point.x * normal.x + point.y * normal.y <= APOTHEM - margin + 1e-9 for normal in NORMALS)


def centre_of(row: int, column: int) -> Point:
    """The middle of a hex on a board; columns go up by two from one hex to the next."""
    return Point(column * APOTHEM, row * RADIUS * 1.5)


SLOT: Final = RADIUS * 0.248
"""Radius of a place for a station: three letters find room in it."""
GAP: Final = RADIUS * 0.03


class NodePlace(NamedTuple):
    """A revenue location on a face: where it is, how its track gets there, and the places for stations in it."""

    centre: Point
    spokes: tuple[int, ...]
    """Sides from which track leads straight to it."""
    curves: tuple[Curve, ...]
    """Track that passes it."""
    slots: tuple[Point, ...]
    bar: float | None = None
    """For a town on passing track, the angle of the bar across it, in degrees."""


@lru_cache(maxsize=4096)
def curves_of(face: Face) -> tuple[Curve, ...]:
    return tuple(Curve(*sides_of(pair)) for pair in sorted(face.pairs))


def spoke_points(side: int, place: Point) -> list[Point]:
    """Points along the track from a side to a place, close to each other; it bends as `tiles.spoke_path` draws it."""
    start, bend, parts = SIDES[side], bend_of(side, place), [step / 24 for step in range(25)]
    if bend is None:
        return [start.plus(place.plus(start, -1.0), part) for part in parts]
    return [
        Point(*((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in zip(start, bend, place, strict=True)))
        for t in parts
    ]


def bend_of(side: int, place: Point) -> Point | None:
    """Where track from a side bends on its way to a place; None if it leads straight there."""
    start = SIDES[side]
    if abs(start.x * place.y - start.y * place.x) < 1e-6:
        return None
    return CENTRE.plus(start, 0.45)


@lru_cache(maxsize=4096)
def place_nodes(face: Face) -> tuple[NodePlace, ...]:
    """Where cities and towns stand: as far apart as they can. Every way to set the first two is tried, and the others
    follow one by one. For three places nothing is better; to try every way for more would take ever longer with each.
    """
    options = [list(_options(face, node)) for node in range(len(face.nodes))]
    if len(options) == 1:
        return (options[0][0],)
    return max((_followed(pair, options[2:]) for pair in product(*options[:2])), key=_spread, default=())


def _followed(places: tuple[NodePlace, ...], others: Sequence[Sequence[NodePlace]]) -> tuple[NodePlace, ...]:
    """Places with others beside them, each where it is farthest from those before it."""
    spread = _spread(places)
    for options in others:
        spreads = [min(spread, *(place.centre.distance(other.centre) for other in places)) for place in options]
        spread = max(spreads)
        places = (*places, options[spreads.index(spread)])
    return places


def _spread(places: Sequence[NodePlace]) -> float:
    return min((one.centre.distance(other.centre) for one, other in combinations(places, 2)), default=0.0)


def _options(face: Face, node: int) -> Iterator[NodePlace]:
    """Where a place may stand, the best for itself first."""
    exits = sides_of(face.node_exits[node])
    spec, alone = face.nodes[node], len(face.nodes) == 1
    if spec.kind == "town" and len(exits) == 2:
        curve = Curve(*exits)
        for part in (0.5, 0.35, 0.65):
            yield NodePlace(curve.point(part), (), (curve,), (), _across(curve, part))
    elif alone:
        yield NodePlace(CENTRE, exits, (), _slots(CENTRE, spec.slots))
    elif len(exits) == 2:
        curve = Curve(*exits)
        aside = _aside(curve)
        for part in (0.5, aside, 1 - aside):
            yield NodePlace(curve.point(part), (), (curve,), _slots(curve.point(part), spec.slots))
    elif exits:
        middle = CENTRE
        for side in exits:
            middle = middle.plus(NORMALS[side])
        length = math.hypot(*middle) or 1.0
        centre = Point(middle.x / length * RADIUS * 0.535, middle.y / length * RADIUS * 0.535)
        yield NodePlace(centre, exits, (), _slots(centre, spec.slots))
    else:
        for side in (4, 1, 0, 2, 3, 5):
            centre = CENTRE.plus(NORMALS[side], RADIUS * 0.4)
            yield NodePlace(centre, (), (), _slots(centre, spec.slots))


@cache
def _aside(curve: Curve) -> float:
    """The part of the way after which a city on a curve lies in the hex with all its border."""
    return next(part / 100 for part in range(25, 51) if inside(curve.point(part / 100), SLOT + GAP))


def _across(curve: Curve, part: float) -> float:
    """The direction across track at a point of it."""
    before, after = curve.point(part - 0.05), curve.point(part + 0.05)
    return math.degrees(math.atan2(after.y - before.y, after.x - before.x)) + 90


def _slots(centre: Point, number: int) -> tuple[Point, ...]:
    """Places for stations, side by side; from three on in two rows."""
    step = slot_radius(number)
    offsets = {
        0: (),
        1: ((0.0, 0.0),),
        2: ((-step, 0.0), (step, 0.0)),
        3: ((-step, step * 0.87), (step, step * 0.87), (0.0, -step * 0.87)),
        4: ((-step, -step), (step, -step), (-step, step), (step, step)),
    }[number]
    return tuple(Point(centre.x + x, centre.y + y) for x, y in offsets)


def slot_radius(number: int) -> float:
    """Three or four places are a little smaller, so that a value and a name go beside them."""
    return SLOT if number < 3 else SLOT * 0.87
