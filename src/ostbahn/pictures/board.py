"""Boards: every hex as it lies, with coordinates, barriers, highlights and routes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ostbahn.kernel.map.board import Hex, Map
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.pictures.borders import draw_surroundings
from ostbahn.pictures.geometry import CORNERS, Point
from ostbahn.pictures.hexes import draw_hex, hex_group
from ostbahn.pictures.routes import DrawnRoute, draw_route, stops_above
from ostbahn.pictures.scenes import BoardTitle, Frame, Scene, frame_of
from ostbahn.pictures.svg import document, element, number
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.pictures.tiles import outline

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
