"""Routes over a board, each in a colour and a dash of its own, and their stops above them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ostbahn.kernel.map.board import Hex, city_id
from ostbahn.kernel.map.tiles import Face
from ostbahn.pictures.areas import REACH, is_area
from ostbahn.pictures.geometry import SIDES, Point
from ostbahn.pictures.hexes import ground_of, guests_at, words_of
from ostbahn.pictures.scenes import Frame, Scene
from ostbahn.pictures.svg import element, group, number, titled
from ostbahn.pictures.themes import DASHES, Theme
from ostbahn.pictures.tiles import curve_path, draw_names, draw_place, half_path, layout_of, spoke_path


class DrawnRoute(NamedTuple):
    """A route to draw over the board: names of places and of the hexes between them."""

    path: Sequence[str]
    name: str = ""


def draw_route(scene: Scene, frame: Frame, route: DrawnRoute, index: int, theme: Theme) -> str:
    """A route over the board, in a colour and a dash of its own."""
    parts = []
    hexes = [name.partition(".")[0] for name in route.path]
    for position, name in enumerate(route.path):
        hex_ = scene.title.map[hexes[position]]
        sides = [hex_.towards[hexes[other]] for other in (position - 1, position + 1) if 0 <= other < len(hexes)]
        face = scene.board.face(scene.title.tile_set, hex_)
        path = way_through(face, name.partition(".")[2], sides)
        if path:
            x, y = frame.centre(hex_.id)
            parts.append(element("path", d=path, transform=f"translate({number(x)} {number(y)})"))
    colour = theme.routes[index % len(theme.routes)]
    dashes = DASHES[index % len(DASHES)] or None
    rim = group(parts, stroke=theme.route_rim, stroke_width=10)
    line = group(parts, stroke=colour, stroke_width=7, stroke_dasharray=dashes)
    named = titled(route.name) if route.name else ""
    return group([named, rim, line], class_="route", fill="none", stroke_linecap="butt", stroke_linejoin="round")


def way_through(face: Face, node: str, sides: Sequence[int]) -> str:
    """The way of a route through one hex; into an area at the rim only as far as its arrow."""
    layout = layout_of(face)
    if not node:
        wanted = {curve for curve in layout.curves if set(curve) == set(sides)}
        return "".join(curve_path(curve) for curve in wanted)
    if not isinstance(face.nodes[int(node)].value, int) and not face.nodes[int(node)].slots:
        return "".join(spoke_path(side, Point(SIDES[side].x * REACH, SIDES[side].y * REACH)) for side in sides)
    place = layout.places[int(node)]
    passing = [curve for curve in place.curves if set(sides) <= set(curve)]
    if passing and len(sides) == 2:
        return curve_path(passing[0])
    if passing and sides:
        return half_path(passing[0], sides[0], place.centre)
    return "".join(spoke_path(side, place.centre) for side in sides)


def stops_above(scene: Scene, frame: Frame, routes: Sequence[DrawnRoute], theme: Theme) -> list[str]:
    """The places on routes once more, and the names of all hexes on the way, so that no line covers them."""
    stops: dict[str, set[int]] = {}
    for name in (name for route in routes for name in route.path):
        hex_id, _, node = name.partition(".")
        stops.setdefault(hex_id, set()).update([int(node)] if node else [])
    drawn = ((hex_id, _above(scene, scene.title.map[hex_id], nodes, theme)) for hex_id, nodes in stops.items())
    return [_put(frame.centre(hex_id), content) for hex_id, content in drawn if content]


def _above(scene: Scene, hex_: Hex, nodes: Iterable[int], theme: Theme) -> str:
    board, face = scene.board, scene.board.face(scene.title.tile_set, hex_)
    if is_area(face) and not any(node.slots for node in face.nodes):
        return ""
    laid = board.tiles.get(hex_.id)
    tile = None if laid is None else scene.title.tiles[laid[0]]
    layout = layout_of(face, words_of(hex_, tile))
    parts = []
    for node in sorted(nodes):
        guests = guests_at(scene, city_id(hex_.id, node))
        parts.append(draw_place(layout.places[node], face.nodes[node], guests, theme))
    parts.append(draw_names(layout.names, ground_of(hex_, tile, theme)))
    return "".join(parts)


def _put(middle: Point, content: str) -> str:
    return group([content], transform=f"translate({number(middle.x)} {number(middle.y)})")
