"""Geometry of a pointy-top hex: sides and corners, the course of track, and where cities and towns stand on a face."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple

from ostbahn.kernel.map.hexes import sides_of
from ostbahn.kernel.map.tiles import Face

RADIUS: Final = 50.0
"""Centre to corner."""
APOTHEM: Final = RADIUS * math.sqrt(3) / 2
"""Centre to the middle of a side."""


class Point(NamedTuple):
    x: float
    y: float

    def plus(self, other: Point, times: float = 1.0) -> Point:
        return Point(self.x + other.x * times, self.y + other.y * times)

    def distance(self, other: Point) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


CENTRE: Final = Point(0.0, 0.0)

_ANGLES: Final = (120, 180, 240, 300, 0, 60)
"""Directions of the sides SW, W, NW, NE, E, SE in degrees, clockwise from east."""


def _at(degrees: float, distance: float) -> Point:
    angle = math.radians(degrees)
    return Point(math.cos(angle) * distance, math.sin(angle) * distance)


NORMALS: Final = tuple(_at(angle, 1.0) for angle in _ANGLES)
"""Unit vector through each side."""
SIDES: Final = tuple(_at(angle, APOTHEM) for angle in _ANGLES)
"""The middle of each side."""
CORNERS: Final = tuple(_at(angle + 30, RADIUS) for angle in _ANGLES)
"""The corner after each side, clockwise."""


class Curve(NamedTuple):
    """Track between the middles of two sides, perpendicular to both: a line or an arc."""

    start: int
    end: int

    @property
    def turn(self) -> int:
        """Sides between the ends: 1 sharp bend, 2 gentle bend, 3 straight."""
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
        """Centre of the arc, where the lines of the two sides meet."""
        both = NORMALS[self.start].plus(NORMALS[self.end])
        length = math.hypot(*both)
        # The sides' lines are at the apothem along their normals, and meet on the line halfway between these.
        along = APOTHEM / (length / 2)
        return Point(both.x / length * along, both.y / length * along)

    def point(self, part: float) -> Point:
        """The point at a fraction of the curve."""
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
        """Whether two curves cross; curves from the same side fork instead."""
        if {self.start, self.end} & {other.start, other.end}:
            return False
        between = {(self.start + step) % 6 for step in range(1, (self.end - self.start) % 6)}
        return (other.start in between) != (other.end in between)

    @property
    def clockwise(self) -> bool:
        """The sweep flag of SVG."""
        return (self.end - self.start) % 6 > 3


def inside(point: Point, margin: float = 0.0) -> bool:
    """Whether a point is in the hex, at least `margin` from its border."""
    return all(point.x * normal.x + point.y * normal.y <= APOTHEM - margin + 1e-9 for normal in NORMALS)


def centre_of(row: int, column: int) -> Point:
    """Centre of a hex on a board; neighbours in a row are two columns apart."""
    return Point(column * APOTHEM, row * RADIUS * 1.5)


SLOT: Final = RADIUS * 0.248
"""Radius of a station slot; three letters fit."""
GAP: Final = RADIUS * 0.03


class NodePlace(NamedTuple):
    """Position of a revenue location on a face: its track and its station slots."""

    centre: Point
    spokes: tuple[int, ...]
    curves: tuple[Curve, ...]
    slots: tuple[Point, ...]
    bar: float | None = None
    """Angle of the bar of a town on through track, in degrees."""


@lru_cache(maxsize=4096)
def curves_of(face: Face) -> tuple[Curve, ...]:
    return tuple(Curve(*sides_of(pair)) for pair in sorted(face.pairs))


def spoke_points(side: int, place: Point) -> list[Point]:
    """Dense points along `tiles.spoke_path`, the track from a side to a place."""
    start, bend, parts = SIDES[side], bend_of(side, place), [step / 24 for step in range(25)]
    if bend is None:
        return [start.plus(place.plus(start, -1.0), part) for part in parts]
    return [
        Point(*((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in zip(start, bend, place, strict=True)))
        for t in parts
    ]


def bend_of(side: int, place: Point) -> Point | None:
    """Control point of the bend on the way from a side to a place; None if straight."""
    start = SIDES[side]
    if abs(start.x * place.y - start.y * place.x) < 1e-6:
        return None
    return CENTRE.plus(start, 0.45)


@lru_cache(maxsize=4096)
def place_nodes(face: Face) -> tuple[NodePlace, ...]:
    """Place cities and towns as far apart as possible: all pairs of positions for the first two, then greedily one
    by one. Optimal for up to three; trying every combination of more would be exponential."""
    options = [list(_options(face, node)) for node in range(len(face.nodes))]
    if len(options) == 1:
        return (options[0][0],)
    return max((_followed(pair, options[2:]) for pair in product(*options[:2])), key=_spread, default=())


def _followed(places: tuple[NodePlace, ...], others: Sequence[Sequence[NodePlace]]) -> tuple[NodePlace, ...]:
    """Add further places greedily, each as far as possible from those before it."""
    spread = _spread(places)
    for options in others:
        spreads = [min(spread, *(place.centre.distance(other.centre) for other in places)) for place in options]
        spread = max(spreads)
        places = (*places, options[spreads.index(spread)])
    return places


def _spread(places: Sequence[NodePlace]) -> float:
    return min((one.centre.distance(other.centre) for one, other in combinations(places, 2)), default=0.0)


def _options(face: Face, node: int) -> Iterator[NodePlace]:
    """Candidate positions of a node, the best for itself first."""
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
    """The first fraction of a curve at which a city lies entirely inside the hex."""
    return next(part / 100 for part in range(25, 51) if inside(curve.point(part / 100), SLOT + GAP))


def _across(curve: Curve, part: float) -> float:
    """Angle perpendicular to track at a point of it."""
    before, after = curve.point(part - 0.05), curve.point(part + 0.05)
    return math.degrees(math.atan2(after.y - before.y, after.x - before.x)) + 90


def _slots(centre: Point, number: int) -> tuple[Point, ...]:
    """Station slots side by side; from three on in two rows."""
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
    """Slot radius; smaller from three on, to leave room for value and name."""
    return SLOT if number < 3 else SLOT * 0.87
