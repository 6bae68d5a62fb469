"""The land beneath a map: rivers from hex to hex, and the countries around it, as a title tells them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ostbahn.kernel.map.board import Map
from ostbahn.kernel.map.hexes import DIRECTIONS, ROWS
from ostbahn.kits.data import Spec
from ostbahn.pictures.geometry import RADIUS, SIDES, Point, centre_of
from ostbahn.pictures.svg import number

WANDER: Final = RADIUS * 0.15
"""How far from the middle of a hex a river may bend."""


class RiverSpec(Spec, frozen=True):
    name: str
    course: tuple[str, ...]
    """Hexes from its source to where it ends, whether or not the map has them. A side (`NW`) as the first or last says
    where it comes onto the map or leaves it; a river that ends on a hex flows into the one that passes there."""
    width: float = 2.4


class Neighbour(Spec, frozen=True):
    """A country beyond the border."""

    name: str
    at: str
    """Where its name stands, as a hex would be called that lay there."""


class LandFile(Spec, frozen=True):
    rivers: tuple[RiverSpec, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()


class Stream(NamedTuple):
    """A river on one hex, around its middle."""

    river: str
    path: str
    width: float


class Land:
    """What a title says of the land, worked out for its map. One for each title, so it is known by being itself."""

    def __init__(self, map_: Map, file: LandFile) -> None:
        small = sorted({hex_.id[0] for hex_ in map_ if hex_.id[0].islower()})
        self.neighbours: Sequence[Neighbour] = file.neighbours
        self.streams: Mapping[str, Sequence[Stream]] = _streams(map_, file.rivers, "".join(small) + ROWS)
        """Hex to the rivers on it."""


def _streams(map_: Map, rivers: Sequence[RiverSpec], rows: str) -> dict[str, list[Stream]]:
    found: dict[str, list[Stream]] = {}
    meetings: dict[str, Point] = {}
    for river in rivers:
        for hex_id, points in _pieces(river, rows, meetings):
            if hex_id in map_:
                middle = _middle(hex_id, rows)
                found.setdefault(hex_id, []).append(Stream(river.name, _path(points, middle), river.width))
            if len(points) == 3:
                meetings.setdefault(hex_id, _on_the_way(points))
    return found


def _pieces(river: RiverSpec, rows: str, meetings: Mapping[str, Point]) -> Iterator[tuple[str, list[Point]]]:
    """Each hex of a river with where it enters, where it bends and where it leaves."""
    hexes = [name for name in river.course if name not in DIRECTIONS]
    bends = [_bend(name, rows) for name in hexes]
    ways = [_crossing(*pair, rows) for pair in pairwise(hexes)]
    first = _side(hexes[0], river.course[0], rows)
    last = _side(hexes[-1], river.course[-1], rows) or meetings.get(hexes[-1], bends[-1])
    for at, (name, bend) in enumerate(zip(hexes, bends, strict=True)):
        begin = ways[at - 1] if at else first
        end = ways[at] if at < len(ways) else last
        yield name, [bend, end] if begin is None else [begin, bend, end]


def _side(hex_id: str, name: str, rows: str) -> Point | None:
    """The middle of a side, if it is one that was named."""
    if name not in DIRECTIONS:
        return None
    return _middle(hex_id, rows).plus(SIDES[DIRECTIONS.index(name)])


def _middle(hex_id: str, rows: str) -> Point:
    return centre_of(rows.index(hex_id[0]), int(hex_id[1:]))


def _bend(hex_id: str, rows: str) -> Point:
    """Rivers bend near the middle of a hex, in each somewhere else, and always at the same spot."""
    row, column = rows.index(hex_id[0]), int(hex_id[1:])
    turn = row * 2.4 + column * 1.7
    return _middle(hex_id, rows).plus(Point(math.cos(turn), math.sin(turn)), WANDER)


def _crossing(one: str, other: str, rows: str) -> Point:
    """Where the line from bend to bend meets the side between two hexes: there both pieces have the same direction."""
    here, there = _bend(one, rows), _bend(other, rows)
    a, b = _middle(one, rows), _middle(other, rows)
    across, along = Point(b.x - a.x, b.y - a.y), Point(there.x - here.x, there.y - here.y)
    halfway = Point((a.x + b.x) / 2, (a.y + b.y) / 2)
    part = (across.x * (halfway.x - here.x) + across.y * (halfway.y - here.y)) / (
        across.x * along.x + across.y * along.y
    )
    return here.plus(along, part)


def _on_the_way(points: Sequence[Point]) -> Point:
    """The middle of a bend, where another river may flow in."""
    begin, bend, end = points
    return Point((begin.x + 2 * bend.x + end.x) / 4, (begin.y + 2 * bend.y + end.y) / 4)


def _path(points: Sequence[Point], middle: Point) -> str:
    begin, *others = (f"{number(point.x - middle.x)} {number(point.y - middle.y)}" for point in points)
    return f"M{begin}{'Q' if len(others) == 2 else 'L'}{' '.join(others)}"


NOWHERE: Final = Land(Map({}), LandFile())
"""Where a title tells nothing."""
