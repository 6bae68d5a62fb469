"""A part of the board around some routes, small enough to stand beside a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ostbahn.kernel.map.board import hex_of
from ostbahn.pictures.geometry import APOTHEM, RADIUS
from ostbahn.pictures.hexes import draw_hex
from ostbahn.pictures.routes import DrawnRoute, draw_route, stops_above
from ostbahn.pictures.scenes import Frame, Scene, frame_of
from ostbahn.pictures.svg import document, element, group, number
from ostbahn.pictures.themes import LIGHT, Theme

AROUND: Final = 0.6
"""How much of the hexes beside a route is seen, in hexes."""
LETTERS: Final = "'Source Sans Pro', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


def draw_clipping(
    scene: Scene, routes: Sequence[DrawnRoute], around: Iterable[str] = (), theme: Theme = LIGHT, name: str = "Routes"
) -> str:
    """Routes with the hexes that they come to, and others that are to be seen too: places or hexes by their ids.

    Nothing in it has an id or a style of its own, so several can stand on one page.
    """
    shown = {hex_of(place) for place in (*around, *(place for route in routes for place in route.path))}
    frame = _frame(scene, shown or {hex_.id for hex_ in scene.title.map})
    parts = [element("rect", width=frame.width, height=frame.height, fill=theme.paper)]
    for hex_ in scene.title.map:
        x, y = frame.centre(hex_.id)
        if -RADIUS < x < frame.width + RADIUS and -RADIUS < y < frame.height + RADIUS:
            parts.append(group([draw_hex(scene, hex_, theme)], transform=f"translate({number(x)} {number(y)})"))
    drawn = [route for route in routes if route.path]
    parts += [draw_route(scene, frame, route, index, theme) for index, route in enumerate(drawn)]
    parts += stops_above(scene, frame, drawn, theme)
    return document(frame.width, frame.height, [group(parts, font_family=LETTERS)], name)


def _frame(scene: Scene, hexes: set[str]) -> Frame:
    """The part of the plane that these hexes cover, and some of what is around them."""
    whole = frame_of(scene.title.map)
    centres = [whole.centre(hex_id) for hex_id in hexes]
    left, right = min(point.x for point in centres), max(point.x for point in centres)
    top, bottom = min(point.y for point in centres), max(point.y for point in centres)
    beside, above = APOTHEM * (1 + AROUND), RADIUS * (1 + AROUND)
    return whole._replace(
        left=whole.left + left - beside,
        top=whole.top + top - above,
        width=right - left + 2 * beside,
        height=bottom - top + 2 * above,
    )
