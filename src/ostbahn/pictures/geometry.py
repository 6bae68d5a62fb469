"""The geometry of a pointy-top hex: where its sides and corners are, and how track runs between its sides."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

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
        one, other = NORMALS[self.start], NORMALS[self.end]
        both = Point(one.x + other.x, one.y + other.y)
        length = math.hypot(*both)
        # The sides' lines are at the apothem along their normals, and meet on the line halfway between these.
        along = APOTHEM / (length / 2)
        return Point(both.x / length * along, both.y / length * along)

    def point(self, part: float) -> Point:
        """The point after a part of the way."""
        start, end = SIDES[self.start], SIDES[self.end]
        if self.turn == 3:
            return start.plus(Point(end.x - start.x, end.y - start.y), part)
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
