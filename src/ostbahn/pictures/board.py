"""Boards: hexes with coordinates, barriers and highlights; over them routes, a company's network, or an excerpt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.kernel.map.board import Hex, Map, city_id, hex_of
from ostbahn.kernel.map.hexes import DIRECTIONS, sides_of
from ostbahn.kernel.map.tiles import Face
from ostbahn.kernel.routes.reach import Reach
from ostbahn.pictures.geometry import APOTHEM, CENTRE, CORNERS, RADIUS, SIDES, Point, slot_radius
from ostbahn.pictures.hexes import (
    ABOVE,
    BESIDE,
    REACH,
    BoardScene,
    Frame,
    draw_hex,
    face_labels_of,
    frame_of,
    ground_of,
    hex_group,
    is_area,
)
from ostbahn.pictures.label_placement import CAPITALS, SMALL, ink_height, width_of
from ostbahn.pictures.svg import document, element, group, page, polyline, text, title_tag, translate
from ostbahn.pictures.terrain import Land, Neighbour
from ostbahn.pictures.themes import DASHES, LIGHT, Theme, mix_colours
from ostbahn.pictures.tiles import curve_path, draw_names, draw_place, half_path, layout_of, outline, spoke_path

BAND: Final = RADIUS * 0.44
"""How broad the band is."""
SPACING: Final = 2.5
"""Between the letters of a neighbour's name."""


@lru_cache(maxsize=64)
def rim_path(map_: Map) -> str:
    """The outline of the map: a loop, or several with holes or islands."""
    frame = frame_of(map_)
    onward: dict[Point, Point] = {}
    for hex_ in map_:
        middle = frame.centre(hex_.id)
        for side in range(6):
            if hex_.neighbours[side] is None:
                onward[_rounded(middle.plus(CORNERS[side - 1]))] = _rounded(middle.plus(CORNERS[side]))
    return "".join(_loops(onward))


def _rounded(point: Point) -> Point:
    """Round, so that hexes share their corners exactly."""
    return Point(round(point.x), round(point.y))


def _loops(onward: dict[Point, Point]) -> Iterator[str]:
    while onward:
        start, here = onward.popitem()
        points = [start]
        while here != start and here in onward:
            points.append(here)
            here = onward.pop(here)
        yield f"{polyline(points)}Z"


@lru_cache(maxsize=64)
def draw_surroundings(map_: Map, land: Land, theme: Theme) -> str:
    """The static layer beneath the hexes."""
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
    colour = mix_colours(theme.faint, theme.ink, 0.7)
    return group(parts, class_="neighbours", font_size=SMALL, text_anchor="middle", fill=colour, letter_spacing=SPACING)


def _width(name: str) -> float:
    return width_of(name) + SPACING * (len(name) - 1)


def _has_room(one: Neighbour, frame: Frame, map_: Map) -> bool:
    """Whether a name lies in the picture and covers no hex or coordinate."""
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
    colour = mix_colours(theme.faint, theme.ink, 0.7)
    return group(parts, class_="coordinates", font_size=SMALL, text_anchor="middle", fill=colour)


def draw_board(
    scene: BoardScene,
    theme: Theme = LIGHT,
    routes: Iterable[DrawnRoute] = (),
    highlights: Iterable[str] = (),
    name: str = "Board",
) -> str:
    """The board. Each hex is a group with an id, so that pages can replace single ones."""
    frame = frame_of(scene.title.map)
    parts = [draw_surroundings(scene.title.map, scene.land, theme)]
    parts += [hex_group(scene, frame, hex_, theme) for hex_ in scene.title.map]
    bars = "".join(barrier_path(hex_, frame.centre(hex_.id)) for hex_ in scene.title.map)
    parts.append(draw_barriers(bars, theme))
    parts += [_highlight(frame, hex_id, theme) for hex_id in highlights]
    drawn = list(routes)
    parts += [draw_route(scene, frame, route, index, theme) for index, route in enumerate(drawn)]
    parts += draw_stops(scene, frame, drawn, theme)
    laid, stations = len(scene.board.tiles), sum(map(len, scene.board.stations.values()))
    return page(frame.width, frame.height, parts, theme, name, f"{laid} tiles and {stations} stations")


def barrier_path(hex_: Hex, centre: Point) -> str:
    return "".join(
        polyline((centre.plus(CORNERS[side - 1]), centre.plus(CORNERS[side])))
        for side, name in enumerate(DIRECTIONS)
        if name in hex_.printed.barriers
    )


def draw_barriers(path: str, theme: Theme) -> str:
    """Barriers, above the hexes on both sides."""
    if not path:
        return ""
    return element("path", d=path, class_="barriers", stroke=theme.ink, stroke_width=6, stroke_linecap="round")


def _highlight(frame: Frame, hex_id: str, theme: Theme) -> str:
    place, style = translate(*frame.centre(hex_id)), {"fill": "none", "stroke": theme.highlight}
    return element("polygon", points=outline(2), transform=place, **style, stroke_width=4, class_="highlight")


class DrawnRoute(NamedTuple):
    """A route to draw over the board: names of places and of the hexes between them."""

    path: Sequence[str]
    name: str = ""


def draw_route(scene: BoardScene, frame: Frame, route: DrawnRoute, index: int, theme: Theme) -> str:
    parts = []
    hexes = [name.partition(".")[0] for name in route.path]
    for position, name in enumerate(route.path):
        hex_ = scene.title.map[hexes[position]]
        sides = [hex_.towards[hexes[other]] for other in (position - 1, position + 1) if 0 <= other < len(hexes)]
        face = scene.board.face(scene.title.tile_set, hex_)
        if path := route_path_in_hex(face, name.partition(".")[2], sides):
            parts.append(element("path", d=path, transform=translate(*frame.centre(hex_.id))))
    colour = theme.routes[index % len(theme.routes)]
    dashes = DASHES[index % len(DASHES)] or None
    rim = group(parts, stroke=theme.route_rim, stroke_width=10)
    line = group(parts, stroke=colour, stroke_width=7, stroke_dasharray=dashes)
    named = title_tag(route.name) if route.name else ""
    return group([named, rim, line], class_="route", fill="none", stroke_linecap="butt", stroke_linejoin="round")


def route_path_in_hex(face: Face, node: str, sides: Sequence[int]) -> str:
    """Path of a route through a hex; in an off-board area only as far as its arrow."""
    layout = layout_of(face)
    if not node:
        matching = {curve for curve in layout.curves if set(curve) == set(sides)}
        return "".join(curve_path(curve) for curve in matching)
    if not isinstance(face.nodes[int(node)].value, int) and not face.nodes[int(node)].slots:
        return "".join(spoke_path(side, CENTRE.plus(SIDES[side], REACH)) for side in sides)
    place = layout.places[int(node)]
    passing = [curve for curve in place.curves if set(sides) <= set(curve)]
    if passing and len(sides) == 2:
        return curve_path(passing[0])
    if passing and sides:
        return half_path(passing[0], sides[0], place.centre)
    return "".join(spoke_path(side, place.centre) for side in sides)


def draw_stops(scene: BoardScene, frame: Frame, routes: Sequence[DrawnRoute], theme: Theme) -> list[str]:
    """Redraw the stops and names on routes above the lines."""
    stops: dict[str, set[int]] = {}
    for name in (name for route in routes for name in route.path):
        hex_id, _, node = name.partition(".")
        stops.setdefault(hex_id, set()).update([int(node)] if node else [])
    drawn = ((hex_id, _above(scene, scene.title.map[hex_id], nodes, theme)) for hex_id, nodes in stops.items())
    return [group([content], transform=translate(*frame.centre(hex_id))) for hex_id, content in drawn if content]


def _above(scene: BoardScene, hex_: Hex, nodes: Iterable[int], theme: Theme) -> str:
    board, face = scene.board, scene.board.face(scene.title.tile_set, hex_)
    if is_area(face) and not any(node.slots for node in face.nodes):
        return ""
    laid = board.tiles.get(hex_.id)
    tile = None if laid is None else scene.title.tiles[laid[0]]
    layout = layout_of(face, face_labels_of(hex_, tile))
    parts = []
    for node in sorted(nodes):
        occupants = scene.occupants_at(city_id(hex_.id, node))
        parts.append(draw_place(layout.places[node], face.nodes[node], occupants, theme))
    parts.append(draw_names(layout.names, ground_of(hex_, tile, theme)))
    return "".join(parts)


WIDE: Final = RADIUS * 0.3
RIM: Final = RADIUS * 0.46
SEEN_THROUGH: Final = "0.75"


def draw_network(scene: BoardScene, frame: Frame, company: str, reach: Reach | None, theme: Theme) -> str:
    """A company's network as an overlay, transparent as a whole so that overlaps are no brighter; empty without
    track."""
    lines = [] if reach is None else _reached_track(scene, frame, reach)
    if not lines:
        return ""
    lit = [
        group(lines, stroke=theme.route_rim, stroke_width=RIM),
        group(lines, stroke=scene.marks[company].colour, stroke_width=WIDE),
    ]
    return group(lit, class_="network-track", fill="none", opacity=SEEN_THROUGH, stroke_linecap="round")


def _reached_track(scene: BoardScene, frame: Frame, reach: Reach) -> list[str]:
    """The track that the company's network covers."""
    lines = []
    for hex_id, sides in reach.sides.items():
        face = scene.board.face(scene.title.tile_set, scene.title.map[hex_id])
        ways = [route_path_in_hex(face, "", sides_of(pair)) for pair in sorted(face.pairs) if not pair & ~sides]
        for node, exits in enumerate(face.node_exits):
            if city_id(hex_id, node) in reach.nodes:
                ways += [route_path_in_hex(face, str(node), [side]) for side in sides_of(exits & sides)]
        if path := "".join(ways):
            lines.append(element("path", d=path, transform=translate(*frame.centre(hex_id))))
    return lines


def draw_rings(scene: BoardScene, frame: Frame, company: str, theme: Theme) -> str:
    rings = []
    for city in scene.board.stations_of(company):
        hex_id, _, node = city.partition(".")
        spot, radius = _slot(scene, company, city, int(node)) if node else (CENTRE, RADIUS * 0.4)
        middle = frame.centre(hex_id).plus(spot)
        rings.append(element("circle", cx=middle.x, cy=middle.y, r=radius, stroke=theme.highlight))
    return group(rings, class_="network-stations", fill="none", stroke_width=4)


def _slot(scene: BoardScene, company: str, city: str, node: int) -> tuple[Point, float]:
    """Position of a station on its hex, and the radius of its ring."""
    face = scene.board.face(scene.title.tile_set, scene.title.map[hex_of(city)])
    if node >= len(face.nodes):  # a home may wait for its tile
        return CENTRE, RADIUS * 0.4
    place = layout_of(face).places[node]
    slots = place.slots or (place.centre,)
    at = scene.board.stations[city].index(company)
    return slots[min(at, len(slots) - 1)], slot_radius(len(slots)) + 2


AROUND: Final = 0.6
"""Margin around an excerpt, in hexes."""
LETTERS: Final = "'Source Sans Pro', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


def draw_route_excerpt(
    scene: BoardScene,
    routes: Sequence[DrawnRoute],
    around: Iterable[str] = (),
    theme: Theme = LIGHT,
    name: str = "Routes",
) -> str:
    """Routes on the part of the board around them and around further hexes. It has no ids or styles, so that several
    fit on one page."""
    shown = {hex_of(place) for place in (*around, *(place for route in routes for place in route.path))}
    frame = _frame(scene, shown or {hex_.id for hex_ in scene.title.map})
    parts = [element("rect", width=frame.width, height=frame.height, fill=theme.paper)]
    for hex_ in scene.title.map:
        x, y = frame.centre(hex_.id)
        if -RADIUS < x < frame.width + RADIUS and -RADIUS < y < frame.height + RADIUS:
            parts.append(group([draw_hex(scene, hex_, theme)], transform=translate(x, y)))
    drawn = [route for route in routes if route.path]
    parts += [draw_route(scene, frame, route, index, theme) for index, route in enumerate(drawn)]
    parts += draw_stops(scene, frame, drawn, theme)
    return document(frame.width, frame.height, [group(parts, font_family=LETTERS)], name)


def _frame(scene: BoardScene, hexes: set[str]) -> Frame:
    """The frame around these hexes, with a margin."""
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
