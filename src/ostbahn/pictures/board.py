"""Boards: every hex as it lies, stations, routes and highlights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

from ostbahn.kernel.map.board import Board, Hex, Map, city_id
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.map.tiles import Face, Tile, TileSet
from ostbahn.pictures.geometry import APOTHEM, CENTRE, CORNERS, RADIUS, SIDES, Point, centre_of
from ostbahn.pictures.layout import NAMES, Place, name_height, slot_radius
from ostbahn.pictures.svg import document, element, group, number, text, titled
from ostbahn.pictures.themes import DASHES, LIGHT, Theme
from ostbahn.pictures.tiles import (
    Mark,
    curve_path,
    draw_face,
    draw_mine,
    draw_name,
    draw_place,
    draw_tile,
    half_path,
    layout_of,
    outline,
    spoke_path,
)

MARGIN: Final = RADIUS * 0.9


class BoardTitle(Protocol):
    """What a picture wants to know of a title."""

    def __hash__(self) -> int: ...
    @property
    def map(self) -> Map: ...
    @property
    def tiles(self) -> Mapping[str, Tile]: ...
    @property
    def tile_set(self) -> TileSet: ...


class DrawnRoute(NamedTuple):
    """A route to draw over the board: names of places and of the hexes between them."""

    path: Sequence[str]
    name: str = ""


class Scene(NamedTuple):
    """A board to draw, and how the title looks at it."""

    title: BoardTitle
    board: Board
    colour: str
    """The colour of the phase, by which red areas and mines are worth what they are."""
    marks: Mapping[str, Mark]
    """How each company's stations look."""


# Where things are


class Frame(NamedTuple):
    """The part of the plane that a map covers."""

    rows: str
    left: float
    top: float
    width: float
    height: float

    def centre(self, hex_id: str) -> Point:
        point = centre_of(self.rows.index(hex_id[0]), int(hex_id[1:]))
        return Point(point.x - self.left, point.y - self.top)


@lru_cache(maxsize=64)
def frame_of(map_: Map) -> Frame:
    rows = _rows(map_)
    centres = [centre_of(rows.index(hex_.id[0]), int(hex_.id[1:])) for hex_ in map_]
    left, right = min(point.x for point in centres) - APOTHEM, max(point.x for point in centres) + APOTHEM
    top, bottom = min(point.y for point in centres) - RADIUS, max(point.y for point in centres) + RADIUS
    return Frame(rows, left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)


def _rows(map_: Map) -> str:
    """The rows from north to south: a row with a small letter lies above row A."""
    letters = sorted({hex_.id[0] for hex_ in map_}, key=lambda letter: (letter.isupper(), letter))
    capitals = [letter for letter in letters if letter.isupper()]
    between = [chr(code) for code in range(ord(capitals[0]), ord(capitals[-1]) + 1)]
    return "".join([*(letter for letter in letters if letter.islower()), *between])


# Hexes


def draw_hex(scene: Scene, hex_: Hex, theme: Theme = LIGHT) -> str:
    """One hex with everything on it, around the origin; it can replace the hex of the same id in a board."""
    board = scene.board
    face = board.face(scene.title.tile_set, hex_)
    marks = tuple(
        tuple(scene.marks[company] for company in board.stations.get(city_id(hex_.id, node), ()))
        for node in range(len(face.nodes))
    )
    waiting = tuple(scene.marks[company].letters for company in board.stations.get(hex_.id, ()))
    return _drawn(scene.title, hex_, board.tiles.get(hex_.id), marks, waiting, scene.colour, theme)


@lru_cache(maxsize=20_000)
def _drawn(
    title: BoardTitle,
    hex_: Hex,
    laid: tuple[str, int] | None,
    marks: tuple[tuple[Mark, ...], ...],
    waiting: tuple[str, ...],
    colour: str,
    theme: Theme,
) -> str:
    """What a hex looks like depends on nothing else, so it is drawn once."""
    by_node = dict(enumerate(marks))
    if laid is None:
        return _printed(hex_, by_node, waiting, colour, theme)
    face = title.tile_set.faces[laid[0]][laid[1]]
    content = draw_tile(laid[0], title.tiles[laid[0]], face, theme, by_node, name=hex_.printed.name)
    lake = _lake(hex_, theme)
    return content + lake + _red_value(face, colour)


def _printed(hex_: Hex, marks: Mapping[int, Sequence[Mark]], waiting: Sequence[str], colour: str, theme: Theme) -> str:
    printed, face = hex_.printed, hex_.face
    fill = theme.land if printed.reserved_for else theme.tiles.get(printed.ground, theme.land)
    parts = [element("polygon", points=outline(), fill=fill, stroke=theme.border, stroke_width=1)]
    if printed.reserved_for:
        parts.append(element("polygon", points=outline(3), fill="none", stroke=theme.tiles["red"], stroke_width=4))
        parts.append(_line(f"home of {printed.reserved_for}", 4, 9, theme.ink))
    if printed.terrain:
        parts.append(_terrain(printed.terrain, printed.cost, face, printed.label is not None, theme))
    parts += [_stub(side, theme) for side in range(6) if hex_.stubs >> side & 1]
    red = any(not isinstance(node.value, int) for node in face.nodes)
    parts.append(_arrows(face, theme) if red else draw_face(face, theme, marks, printed.label))
    parts.append(_lake(hex_, theme))
    if waiting:
        parts.append(_line(" ".join(waiting), 3, 8, "#1d1d1d"))
    if red:
        parts.append(_area(face, colour, printed.name or "", theme))
    elif printed.name:
        parts.append(_names(hex_, theme))
    return "".join(parts)


def _line(words: str, y: float, size: float, colour: str) -> str:
    """A line of text, as small as the hex is narrow there."""
    room = 2 * min(APOTHEM, (RADIUS - abs(y)) * 3**0.5) - 4
    return text(words, 0, y, font_size=min(size, room / len(words) / 0.55), text_anchor="middle", fill=colour)


def _names(hex_: Hex, theme: Theme) -> str:
    """A name beneath the city, or where it covers none; of two cities one above the other, or each beside its own."""
    name, face = hex_.printed.name or "", hex_.face
    if not face.nodes:
        return _line(name, 4, 8, theme.ink)
    places = layout_of(face).places
    height = name_height(places)
    if height is None and len(hex_.printed.city_names) == len(places):
        return "".join(_beside(place, own, theme) for place, own in zip(places, hex_.printed.city_names, strict=True))
    y = RADIUS * 0.62 if height is None or height == NAMES[0] else height
    if " & " not in name:
        aside = -RADIUS * 0.42 if all(place.centre.x > RADIUS * 0.1 for place in places) else 0.0
        return group([_line(name, y, 8, theme.ink)], transform=f"translate({number(aside)} 0)" if aside else None)
    first, second = name.split(" & ")
    return _line(first, y - 4, 7, theme.ink) + _line(f"& {second}", y + 3, 7, theme.ink)


def _beside(place: Place, name: str, theme: Theme) -> str:
    """A city's name on the side of it that faces the middle of the hex."""
    slot, radius = place.slots[0], slot_radius(len(place.slots))
    left = slot.x < 0
    x = slot.x + (radius + 2 if left else -radius - 2)
    return text(name, x, slot.y + 2.5, font_size=7, text_anchor="start" if left else "end", fill=theme.ink)


def _terrain(terrain: str, cost: int, face: Face, labelled: bool, theme: Theme) -> str:
    """The kind of terrain and what the first tile costs, in the middle or where no city is."""
    kinds = terrain.split(" and ")
    colours = {"river": theme.water, "hill": theme.hill, "mountain": theme.mountain}
    step = 17
    width = step * len(kinds) + 13
    parts = []
    for index, kind in enumerate(kinds):
        x = step * index + 6 - width / 2
        parts.append(
            element("path", d=ICONS[kind], transform=f"translate({number(x)} -4)", **_ink(kind, colours[kind]))
        )
    words = text(str(cost), width / 2, 0, font_size=12, font_weight="bold", text_anchor="end", fill=colours[kinds[-1]])
    spot = _terrain_spot(face, labelled)
    return group([*parts, words], transform=f"translate({number(spot.x)} {number(spot.y)})")


def _terrain_spot(face: Face, labelled: bool) -> Point:
    """The middle of open country; beside cities and towns the first of some spots that keeps off them and the label."""
    if not face.nodes:
        return Point(0, 4)
    layout = layout_of(face, labelled)
    things = [slot for place in layout.places for slot in place.slots] or [place.centre for place in layout.places]
    things += [layout.label] if labelled else []
    things += [badge for badge in layout.values if badge is not None]
    aside, up = RADIUS * 0.5, RADIUS * 0.42
    spots = (
        Point(0, -RADIUS * 0.44),
        *(
            Point(x, y + 4)
            for x, y in ((-aside, -up), (aside, -up), (-aside, up), (aside, up), (-aside, 0), (aside, 0))
        ),
    )
    return max(spots, key=lambda spot: min(round(min(spot.plus(Point(0, -4)).distance(t) for t in things)), 21))


ICONS: Final = {
    "river": "M-6 -2q3 -3 6 0t6 0M-6 3q3 -3 6 0t6 0",
    "hill": "M-6 4q6 -13 12 0",
    "mountain": "M-6 4L0 -6L6 4z",
}
"""Terrain as small signs around a point."""


def _ink(kind: str, colour: str) -> dict[str, str | float]:
    if kind == "mountain":
        return {"fill": colour}
    return {"fill": "none", "stroke": colour, "stroke_width": 2, "stroke_linecap": "round"}


def _stub(side: int, theme: Theme) -> str:
    start = SIDES[side]
    path = f"M{number(start.x)} {number(start.y)}L{number(start.x * 0.72)} {number(start.y * 0.72)}"
    return element("path", d=path, stroke=theme.track, stroke_width=6, fill="none")


def _barriers(map_: Map, frame: Frame, theme: Theme) -> str:
    """A bar along every side that no track may meet, above the hexes at both sides of it."""
    parts = []
    for hex_ in map_:
        centre = frame.centre(hex_.id)
        for side, name in enumerate(DIRECTIONS):
            if name in hex_.printed.barriers:
                one, other = centre.plus(CORNERS[side - 1]), centre.plus(CORNERS[side])
                parts.append(f"M{number(one.x)} {number(one.y)}L{number(other.x)} {number(other.y)}")
    if not parts:
        return ""
    path = "".join(parts)
    return element("path", d=path, class_="barriers", stroke=theme.ink, stroke_width=6, stroke_linecap="round")


def _lake(hex_: Hex, theme: Theme) -> str:
    """A lake, from corner to corner between its two shores; nothing where there is none."""
    if not hex_.shores:
        return ""
    apart = (at for at in range(6) if not any(shore >> at & 1 and shore >> (at + 1) % 6 & 1 for shore in hex_.shores))
    turn = complex(*CORNERS[next(apart)]) / complex(*CORNERS[0])
    points = [point * turn for point in (complex(*CORNERS[0]), -15 + 8j, 15 + 2j, complex(*CORNERS[3]))]
    one, bend, back, other = (f"{number(point.real)} {number(point.imag)}" for point in points)
    path = f"M{one}C{bend} {back} {other}"
    return element("path", d=path, stroke=theme.water, stroke_width=9, stroke_linecap="round", fill="none")


def _arrows(face: Face, theme: Theme) -> str:
    """Where track leads into an area at the rim of the map."""
    parts = []
    for side in range(6):
        if face.exits >> side & 1:
            tip, base = SIDES[side], Point(SIDES[side].x * 0.72, SIDES[side].y * 0.72)
            across = Point(-SIDES[side].y / APOTHEM * 6, SIDES[side].x / APOTHEM * 6)
            points = (tip, base.plus(across), base.plus(across, -1.0))
            parts.append(
                element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), fill=theme.track)
            )
    return "".join(parts)


def _area(face: Face, present: str, name: str, theme: Theme) -> str:
    """An off-board area or a mine: its name and its values by phase, the present one in a frame."""
    node = face.nodes[0]
    assert not isinstance(node.value, int)
    mine = node.kind == "mine"
    parts = [_line(name, -10, 9, "#1d1d1d") if name else ""]
    if mine:
        parts.append(group([draw_mine(CENTRE, theme)], transform="translate(0 -17) scale(0.6)"))
    steps = len(node.value)
    for index, (colour, worth) in enumerate(node.value.items()):
        x = (index - (steps - 1) / 2) * 15
        now = colour == present
        width = 2.0 if now else 0.5
        parts.append(
            element(
                "rect",
                x=x - 7,
                y=-4,
                width=14,
                height=12,
                fill=theme.tiles[colour],
                stroke="#1d1d1d",
                stroke_width=width,
                opacity=None if now else 0.55,
            )
        )
        weight = "bold" if now else None
        parts.append(text(str(worth), x, 5, font_size=8.5, font_weight=weight, text_anchor="middle", fill="#1d1d1d"))
    return "".join(parts)


def _red_value(face: Face, colour: str) -> str:
    """What a red tile is worth in this phase; its face shows none."""
    values = [node.value for node in face.nodes if not isinstance(node.value, int)]
    worth = values[0].get(colour, 0) if values else 0
    if not worth:
        return ""
    return text(str(worth), 0, -RADIUS * 0.45, font_size=11, font_weight="bold", text_anchor="middle", fill="#1d1d1d")


# Routes


def draw_route(scene: Scene, frame: Frame, route: DrawnRoute, index: int, theme: Theme) -> str:
    """A route over the board, in a colour and a dash of its own."""
    parts = []
    hexes = [name.partition(".")[0] for name in route.path]
    for position, name in enumerate(route.path):
        hex_ = scene.title.map[hexes[position]]
        sides = [hex_.towards[hexes[other]] for other in (position - 1, position + 1) if 0 <= other < len(hexes)]
        face = scene.board.face(scene.title.tile_set, hex_)
        path = _through(face, name.partition(".")[2], sides)
        if path:
            x, y = frame.centre(hex_.id)
            parts.append(element("path", d=path, transform=f"translate({number(x)} {number(y)})"))
    colour = theme.routes[index % len(theme.routes)]
    dashes = DASHES[index % len(DASHES)] or None
    rim = group(parts, stroke=theme.route_rim, stroke_width=10)
    line = group(parts, stroke=colour, stroke_width=7, stroke_dasharray=dashes)
    named = titled(route.name) if route.name else ""
    return group([named, rim, line], class_="route", fill="none", stroke_linecap="butt", stroke_linejoin="round")


def _through(face: Face, node: str, sides: Sequence[int]) -> str:
    """The way of a route through one hex; into an area at the rim only as far as its arrow."""
    layout = layout_of(face)
    if not node:
        wanted = {curve for curve in layout.curves if set(curve) == set(sides)}
        return "".join(curve_path(curve) for curve in wanted)
    if not isinstance(face.nodes[int(node)].value, int) and not face.nodes[int(node)].slots:
        return "".join(spoke_path(side, Point(SIDES[side].x * 0.72, SIDES[side].y * 0.72)) for side in sides)
    place = layout.places[int(node)]
    passing = [curve for curve in place.curves if set(sides) <= set(curve)]
    if passing and len(sides) == 2:
        return curve_path(passing[0])
    if passing and sides:
        return half_path(passing[0], sides[0], place.centre)
    return "".join(spoke_path(side, place.centre) for side in sides)


def stops_above(scene: Scene, frame: Frame, routes: Sequence[DrawnRoute], theme: Theme) -> list[str]:
    """The places on routes once more, so that no line covers a station."""
    parts = []
    for name in dict.fromkeys(name for route in routes for name in route.path if "." in name):
        hex_id, _, node = name.partition(".")
        face = scene.board.face(scene.title.tile_set, scene.title.map[hex_id])
        place, spec = layout_of(face).places[int(node)], face.nodes[int(node)]
        marks = [scene.marks[company] for company in scene.board.stations.get(name, ())]
        x, y = frame.centre(hex_id)
        if isinstance(spec.value, int) or spec.kind == "red":
            content = draw_place(place, spec, marks, theme)
            laid, called = scene.board.tiles.get(hex_id), scene.title.map[hex_id].printed.name
            if laid is not None and called is not None:
                content += draw_name(called, scene.title.tiles[laid[0]], face, theme)
            parts.append(group([content], transform=f"translate({number(x)} {number(y)})"))
    return parts


# The whole board


def draw_board(
    scene: Scene,
    theme: Theme = LIGHT,
    routes: Iterable[DrawnRoute] = (),
    highlights: Iterable[str] = (),
    name: str = "Board",
) -> str:
    """The board as one picture. Each hex is a group with an id of its own, so that single ones can be replaced."""
    frame = frame_of(scene.title.map)
    parts = [element("rect", width=frame.width, height=frame.height, fill=theme.paper), _coordinates(frame, theme)]
    parts += [hex_group(scene, frame, hex_, theme) for hex_ in scene.title.map]
    parts.append(_barriers(scene.title.map, frame, theme))
    parts += [_highlight(frame, hex_id, theme) for hex_id in highlights]
    drawn = list(routes)
    parts += [draw_route(scene, frame, route, index, theme) for index, route in enumerate(drawn)]
    parts += stops_above(scene, frame, drawn, theme)
    laid, stations = len(scene.board.tiles), sum(map(len, scene.board.stations.values()))
    return document(frame.width, frame.height, parts, name, f"{laid} tiles and {stations} stations", STYLE)


STYLE: Final = "text{font-family:'Source Sans Pro','Segoe UI','Helvetica Neue',Arial,sans-serif}"


def hex_group(scene: Scene, frame: Frame, hex_: Hex, theme: Theme) -> str:
    x, y = frame.centre(hex_.id)
    laid = scene.board.tiles.get(hex_.id)
    nodes = range(len(scene.board.face(scene.title.tile_set, hex_).nodes))
    places = [hex_.id, *(city_id(hex_.id, node) for node in nodes)]
    here = [company for place in places for company in scene.board.stations.get(place, ())]
    told = [
        hex_.id if hex_.printed.name is None else f"{hex_.id} {hex_.printed.name}",
        f"tile {laid[0]}" if laid else f"{hex_.printed.terrain} {hex_.printed.cost}" if hex_.printed.terrain else "",
        f"stations: {', '.join(here)}" if here else "",
    ]
    label = "; ".join(part for part in told if part)
    return group(
        [titled(label), draw_hex(scene, hex_, theme)],
        id=f"hex-{hex_.id}",
        class_="hex",
        transform=f"translate({number(x)} {number(y)})",
    )


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


def _coordinates(frame: Frame, theme: Theme) -> str:
    """Rows at the left and right, columns at the top and bottom."""
    parts = []
    for index, letter in enumerate(frame.rows):
        y = index * RADIUS * 1.5 - frame.top + 4
        for x in (MARGIN * 0.4, frame.width - MARGIN * 0.4):
            parts.append(text(letter, x, y, font_size=13, text_anchor="middle", fill=theme.faint))
    first = round((frame.left + MARGIN + APOTHEM) / APOTHEM)
    last = round((frame.left + frame.width - MARGIN - APOTHEM) / APOTHEM)
    for column in range(first, last + 1):
        x = column * APOTHEM - frame.left
        for y in (MARGIN * 0.55, frame.height - MARGIN * 0.3):
            parts.append(text(str(column), x, y, font_size=11, text_anchor="middle", fill=theme.faint))
    return group(parts, class_="coordinates")
