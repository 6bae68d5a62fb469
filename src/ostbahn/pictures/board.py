"""Boards: every hex as it lies, with coordinates, barriers, highlights and routes, and land around the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from ostbahn.kernel.map.board import Hex, Map
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.pictures.geometry import APOTHEM, CORNERS, RADIUS, Point
from ostbahn.pictures.hexes import ABOVE, BESIDE, BoardTitle, Frame, Scene, draw_hex, frame_of, hex_group
from ostbahn.pictures.placing import CAPITALS, SMALL, ink_height, width_of
from ostbahn.pictures.routes import DrawnRoute, draw_route, stops_above
from ostbahn.pictures.svg import document, element, group, number, text
from ostbahn.pictures.terrain import Land, Neighbour
from ostbahn.pictures.themes import LIGHT, Theme, mixed
from ostbahn.pictures.tiles import outline

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


__all__ = [
    "STYLE",
    "BoardTitle",
    "DrawnRoute",
    "Frame",
    "Scene",
    "draw_board",
    "draw_hex",
    "draw_route",
    "frame_of",
    "hex_group",
    "stops_above",
]

STYLE: Final = "text{font-family:'Source Sans Pro','Segoe UI','Helvetica Neue',Arial,sans-serif}"


def draw_board(
    scene: Scene,
    theme: Theme = LIGHT,
    routes: Iterable[DrawnRoute] = (),
    highlights: Iterable[str] = (),
    name: str = "Board",
) -> str:
    """The board as one picture. Each hex is a group with an id of its own, so that single ones can be replaced."""
    frame = frame_of(scene.title.map)
    parts = [element("rect", width=frame.width, height=frame.height, fill=theme.paper)]
    parts.append(draw_surroundings(scene.title.map, scene.land, theme))
    parts += [hex_group(scene, frame, hex_, theme) for hex_ in scene.title.map]
    parts.append(_barriers(scene.title.map, frame, theme))
    parts += [_highlight(frame, hex_id, theme) for hex_id in highlights]
    drawn = list(routes)
    parts += [draw_route(scene, frame, route, index, theme) for index, route in enumerate(drawn)]
    parts += stops_above(scene, frame, drawn, theme)
    laid, stations = len(scene.board.tiles), sum(map(len, scene.board.stations.values()))
    return document(frame.width, frame.height, parts, name, f"{laid} tiles and {stations} stations", STYLE)


def _barriers(map_: Map, frame: Frame, theme: Theme) -> str:
    """A bar along every side that no track may meet, above the hexes at both sides of it."""
    return draw_bars("".join(barrier_path(hex_, frame.centre(hex_.id)) for hex_ in map_), theme)


def barrier_path(hex_: Hex, centre: Point) -> str:
    """The sides of a hex that no track may meet, as path data."""
    ends = [
        (centre.plus(CORNERS[side - 1]), centre.plus(CORNERS[side]))
        for side, name in enumerate(DIRECTIONS)
        if name in hex_.printed.barriers
    ]
    return "".join(f"M{number(one.x)} {number(one.y)}L{number(other.x)} {number(other.y)}" for one, other in ends)


def draw_bars(path: str, theme: Theme) -> str:
    if not path:
        return ""
    return element("path", d=path, class_="barriers", stroke=theme.ink, stroke_width=6, stroke_linecap="round")


def _highlight(frame: Frame, hex_id: str, theme: Theme) -> str:
    x, y = frame.centre(hex_id)
    return element(
        "polygon",
        points=outline(2),
        transform=f"translate({number(x)} {number(y)})",
        fill="none",
        stroke=theme.highlight,
        stroke_width=4,
        class_="highlight",
    )
