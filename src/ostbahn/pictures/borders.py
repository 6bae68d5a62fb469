"""Around the map: a band of land, the line between it and the map, the names of neighbours, coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ostbahn.kernel.map.board import Map
from ostbahn.pictures.geometry import APOTHEM, CORNERS, RADIUS, Point
from ostbahn.pictures.land import Land, Neighbour
from ostbahn.pictures.letters import CAPITALS, SMALL, ink_height, width_of
from ostbahn.pictures.scenes import ABOVE, BESIDE, Frame, frame_of
from ostbahn.pictures.svg import element, group, number, text
from ostbahn.pictures.themes import Theme
from ostbahn.pictures.tiles import mixed

BAND: Final = RADIUS * 0.44
"""How broad the band is."""
SPACING: Final = 2.5
"""Between the letters of a neighbour's name."""


@lru_cache(maxsize=64)
def rim_path(map_: Map) -> str:
    """The line around all hexes: one loop, or several where a map has holes or islands."""
    frame = frame_of(map_)
    onward: dict[Point, Point] = {}
    for hex_ in map_:
        middle = frame.centre(hex_.id)
        for side in range(6):
            if hex_.neighbours[side] is None:
                onward[_rounded(middle.plus(CORNERS[side - 1]))] = _rounded(middle.plus(CORNERS[side]))
    return "".join(_loops(onward))


def _rounded(point: Point) -> Point:
    """So that a corner of two hexes is one point."""
    return Point(round(point.x), round(point.y))


def _loops(onward: dict[Point, Point]) -> Iterator[str]:
    while onward:
        start, here = onward.popitem()
        points = [start]
        while here != start and here in onward:
            points.append(here)
            here = onward.pop(here)
        yield "M" + "L".join(f"{number(point.x)} {number(point.y)}" for point in points) + "Z"


@lru_cache(maxsize=64)
def draw_surroundings(map_: Map, land: Land, theme: Theme) -> str:
    """What lies beneath the hexes and shows around them; it never changes."""
    rim = rim_path(map_)
    band = element("path", d=rim, stroke=theme.abroad, stroke_width=2 * BAND, fill="none", stroke_linejoin="round")
    line = element("path", d=rim, stroke=theme.frontier, stroke_width=3.5, fill="none", stroke_linejoin="round")
    return group([band, line, _neighbours(map_, land, theme)], class_="surroundings") + _coordinates(map_, theme)


def _neighbours(map_: Map, land: Land, theme: Theme) -> str:
    frame = frame_of(map_)
    parts = [
        text(one.name, *frame.centre(one.at).plus(Point(0, SMALL * CAPITALS / 2)), textLength=_width(one.name))
        for one in land.neighbours
        if one.at[0] in frame.rows and _has_room(one, frame, map_)
    ]
    if not parts:
        return ""
    return group(
        parts,
        class_="neighbours",
        font_size=SMALL,
        text_anchor="middle",
        fill=mixed(theme.faint, theme.ink, 0.7),
        letter_spacing=SPACING,
    )


def _width(name: str) -> float:
    return width_of(name) + SPACING * (len(name) - 1)


def _has_room(one: Neighbour, frame: Frame, map_: Map) -> bool:
    """Whether a name lies in the picture, and off all hexes and coordinates."""
    middle, half = frame.centre(one.at), _width(one.name) / 2
    if not BESIDE * 0.8 <= middle.x - half <= middle.x + half <= frame.width - BESIDE * 0.8:
        return False
    if not ABOVE * 0.8 <= middle.y <= frame.height - ABOVE * 0.8:
        return False
    return all(
        abs(frame.centre(hex_.id).x - middle.x) >= half + APOTHEM
        or abs(frame.centre(hex_.id).y - middle.y) >= ink_height() / 2 + RADIUS
        for hex_ in map_
    )


def _coordinates(map_: Map, theme: Theme) -> str:
    """Rows at the left and right, columns at the top and bottom."""
    frame = frame_of(map_)
    half = SMALL * CAPITALS / 2
    parts = []
    for index, letter in enumerate(frame.rows):
        y = index * RADIUS * 1.5 - frame.top + half
        parts += [text(letter, x, y) for x in (BESIDE * 0.4, frame.width - BESIDE * 0.4)]
    first = round((frame.left + BESIDE + APOTHEM) / APOTHEM)
    last = round((frame.left + frame.width - BESIDE - APOTHEM) / APOTHEM)
    for column in range(first, last + 1):
        x = column * APOTHEM - frame.left
        parts += [text(str(column), x, y + half) for y in (ABOVE * 0.4, frame.height - ABOVE * 0.4)]
    return group(
        parts, class_="coordinates", font_size=SMALL, text_anchor="middle", fill=mixed(theme.faint, theme.ink, 0.7)
    )
