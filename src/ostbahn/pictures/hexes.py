"""Hexes with everything on them: print or tile, stations, areas, mines and text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.kernel.map.board import Board, Hex, Map, city_id
from ostbahn.kernel.map.hexes import sides_of
from ostbahn.kernel.map.tiles import Face, Tile
from ostbahn.kernel.title import Title
from ostbahn.pictures.geometry import APOTHEM, CENTRE, CORNERS, RADIUS, SIDES, SLOT, Point, centre_of
from ostbahn.pictures.label_placement import STUB, TRACK, FaceLabels, NameLine, width_of
from ostbahn.pictures.svg import box, element, group, number, polyline, title_tag, translate
from ostbahn.pictures.terrain import (
    NO_LAND,
    Land,
    cost_width,
    draw_cost,
    draw_relief,
    draw_rivers,
    heights_of,
    terrain_kinds,
    tinted_ground,
)
from ostbahn.pictures.themes import LIGHT, Mark, Theme, mix_colours
from ostbahn.pictures.tiles import (
    Background,
    CityOccupants,
    bare_ground,
    centred,
    draw_face,
    draw_future_station,
    draw_mine,
    draw_names,
    draw_station,
    layout_of,
    outline,
    tile_ground,
    tile_paper,
)

BESIDE: Final = RADIUS * 0.6
ABOVE: Final = RADIUS * 0.9
"""Margin above and below, for column numbers."""


class BoardScene(NamedTuple):
    """A board with all that its drawing depends on."""

    title: Title
    board: Board
    colour: str
    """Colour of the phase, which sets the value of red areas and mines."""
    marks: Mapping[str, Mark]
    homes: Mapping[str, Sequence[str]] = {}
    """City (or hex, if the city is open) to the companies that will place their first station there. A company with
    a choice appears at each place."""
    land: Land = NO_LAND

    def occupants_at(self, place: str) -> CityOccupants:
        """Present and expected stations of a city, or of a hex outside its cities."""
        present, awaited = (
            tuple(self.marks[company] for company in companies.get(place, ()))
            for companies in (self.board.stations, self.homes)
        )
        return CityOccupants(present, awaited)


class Frame(NamedTuple):
    """The bounding box of a map, in drawing units."""

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
    return Frame(rows, left - BESIDE, top - ABOVE, right - left + 2 * BESIDE, bottom - top + 2 * ABOVE)


def _rows(map_: Map) -> str:
    """Row letters from north to south; lower-case rows lie above row A."""
    letters = sorted({hex_.id[0] for hex_ in map_}, key=lambda letter: (letter.isupper(), letter))
    capitals = [letter for letter in letters if letter.isupper()]
    between = [chr(code) for code in range(ord(capitals[0]), ord(capitals[-1]) + 1)]
    return "".join([*(letter for letter in letters if letter.islower()), *between])


REACH: Final = 0.74
"""Start of an arrow, as a fraction of the way to the side."""
BOX: Final = (21.0, 14.0)
GAP: Final = 1.5


def is_area(face: Face) -> bool:
    """Whether the value of a face depends on the phase."""
    return any(not isinstance(node.value, int) for node in face.nodes)


def draw_area(face: Face, present: str, name: str, ground: Background, theme: Theme) -> str:
    """An off-board area or mine: name and values by phase, the present one framed."""
    node = face.nodes[0]
    assert not isinstance(node.value, int)
    parts = [_arrows(face, theme)]
    if node.kind == "mine":
        parts.append(group([draw_mine(Point(0, 0), theme)], transform=translate(0, -18, 0.6)))
    for index, (colour, worth) in enumerate(node.value.items()):
        middle = _middle(index, len(node.value))
        parts.append(_value(middle, worth, colour, colour == present, theme))
    if name:
        line = NameLine(name, Point(0, -10), min(width_of(name), 2 * APOTHEM - 24))
        parts.append(draw_names([line], ground))
    return "".join(parts)


def _middle(index: int, count: int) -> Point:
    """Positions in two columns; an odd last value is centred."""
    row, column = divmod(index, 2)
    alone = index == count - 1 and column == 0
    x = 0.0 if alone else (column - 0.5) * (BOX[0] + GAP)
    return Point(x, 2.0 + row * (BOX[1] + GAP))


def _value(middle: Point, worth: int, colour: str, now: bool, theme: Theme) -> str:
    """A value; the present one has a bold frame."""
    corner, edge = (middle.x - BOX[0] / 2, middle.y - BOX[1] / 2), 2.2 if now else 0.5
    frame = box(*corner, *BOX, theme.tiles[colour], theme.edge, edge, round=2)
    weight = {"font_weight": "bold"} if now else {}
    return frame + centred(str(worth), middle, BOX[0] - 3, fill=theme.edge, **weight)


def _arrows(face: Face, theme: Theme) -> str:
    parts = []
    for side in sides_of(face.exits):
        tip, base = SIDES[side], CENTRE.plus(SIDES[side], REACH)
        across = Point(-tip.y / APOTHEM * 6.5, tip.x / APOTHEM * 6.5)
        corners = (tip, base.plus(across), base.plus(across, -1.0))
        points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
        parts.append(element("polygon", points=points, fill=theme.track))
    return "".join(parts)


def draw_hex(scene: BoardScene, hex_: Hex, theme: Theme = LIGHT) -> str:
    """A complete hex around the origin; can replace the hex of the same id on a board."""
    nodes = range(len(scene.board.face(scene.title.tile_set, hex_).nodes))
    inside = tuple(scene.occupants_at(city_id(hex_.id, node)) for node in nodes)
    laid = scene.board.tiles.get(hex_.id)
    return _drawn(scene.title, scene.land, hex_, laid, inside, scene.occupants_at(hex_.id), scene.colour, theme)


def hex_group(scene: BoardScene, frame: Frame, hex_: Hex, theme: Theme) -> str:
    """A hex at its place on the board, with a tooltip."""
    content = [title_tag(hex_description(scene, hex_)), draw_hex(scene, hex_, theme)]
    return group(content, id=f"hex-{hex_.id}", class_="hex", transform=translate(*frame.centre(hex_.id)))


def hex_description(scene: BoardScene, hex_: Hex) -> str:
    """A hex in words for tooltips and screen readers: name, tile or terrain, rivers, stations, future homes."""
    laid = scene.board.tiles.get(hex_.id)
    nodes = range(len(scene.board.face(scene.title.tile_set, hex_).nodes))
    places = [hex_.id, *(city_id(hex_.id, node) for node in nodes)]
    here = [company for place in places for company in scene.board.stations.get(place, ())]
    awaited = dict.fromkeys(company for place in places for company in scene.homes.get(place, ()))
    parts = [
        hex_.id if hex_.printed.name is None else f"{hex_.id} {hex_.printed.name}",
        f"tile {laid[0]}" if laid else f"{hex_.printed.terrain} {hex_.printed.cost}" if hex_.printed.terrain else "",
        "" if laid else ", ".join(stream.river for stream in scene.land.river_segments.get(hex_.id, ())),
        f"stations: {', '.join(here)}" if here else "",
        f"home of {', '.join(awaited)}" if awaited else "",
    ]
    return "; ".join(filter(None, parts))


@lru_cache(maxsize=20_000)
def _drawn(
    title: Title,
    land: Land,
    hex_: Hex,
    laid: tuple[str, int] | None,
    inside: tuple[CityOccupants, ...],
    waiting: CityOccupants,
    colour: str,
    theme: Theme,
) -> str:
    """Cached: the appearance of a hex depends only on these arguments."""
    if laid is None:
        return _bare(title, land, hex_, theme) + _printed(hex_, inside, waiting, colour, theme)
    tile, face = title.tiles[laid[0]], title.tile_set.faces[laid[0]][laid[1]]
    upon = draw_face(face, ground_of(hex_, tile, theme), theme, face_labels_of(hex_, tile), inside, colour)
    return tile_paper(tile, theme) + upon + _lake(hex_, theme)


def face_labels_of(hex_: Hex, tile: Tile | None) -> FaceLabels:
    """The text on a hex, bare or with a tile."""
    printed = hex_.printed
    if tile is not None:
        return FaceLabels(tile.label, printed.name or "", edged=tile.purple)
    return FaceLabels(printed.label, printed.name or "", printed.city_names, cost_width(printed), hex_.stubs)


def ground_of(hex_: Hex, tile: Tile | None, theme: Theme) -> Background:
    colour = hex_.printed.ground if tile is None else tile.colour
    if colour in theme.tiles and not (tile is None and hex_.printed.reserved_for):
        return tile_ground(colour, theme)
    return tinted_ground(bare_ground(theme), terrain_kinds(hex_.printed) if tile is None else (), theme)


def _bare(title: Title, land: Land, hex_: Hex, theme: Theme) -> str:
    """Background of a hex without a tile: colour, relief, rivers."""
    printed, ground = hex_.printed, ground_of(hex_, None, theme)
    kinds = terrain_kinds(printed)
    line = theme.border if printed.ground in theme.tiles else mix_colours(theme.ink, ground.colour, 0.13)
    parts = [element("polygon", points=outline(), fill=ground.colour, stroke=line, stroke_width=1)]
    if printed.reserved_for:
        parts.append(element("polygon", points=outline(3), fill="none", stroke=theme.tiles["red"], stroke_width=4))
    if not is_area(hex_.face) and not printed.reserved_for:
        parts.append(draw_rivers(land.river_segments.get(hex_.id, ()), "river" in kinds, theme))
    if kinds:
        parts.append(draw_relief(kinds, heights_of(title.map)[hex_.id], bool(printed.nodes), ground, theme))
    return "".join(parts)


def _printed(hex_: Hex, inside: Sequence[CityOccupants], waiting: CityOccupants, colour: str, theme: Theme) -> str:
    printed, face, ground = hex_.printed, hex_.face, ground_of(hex_, None, theme)
    if is_area(face):
        return draw_area(face, colour, printed.name or "", ground, theme)
    words = face_labels_of(hex_, None)
    parts = [_stub(side, ground) for side in sides_of(hex_.stubs)]
    parts.append(_lake(hex_, theme))
    if words.cost:
        parts.append(draw_cost(printed, layout_of(face, words).cost, theme))
    parts.append(draw_face(face, ground, theme, words, inside))
    # What belongs to no city stands in the middle: a home tile that is not laid yet, a station between two cities.
    parts += [draw_future_station(mark, CENTRE, SLOT, theme) for mark in waiting.awaited]
    parts += [draw_station(mark, CENTRE, SLOT, theme) for mark in waiting.stations]
    return "".join(parts)


def _stub(side: int, ground: Background) -> str:
    path = polyline((SIDES[side], CENTRE.plus(SIDES[side], STUB)))
    return element("path", d=path, stroke=ground.track, stroke_width=TRACK, fill="none")


def _lake(hex_: Hex, theme: Theme) -> str:
    """A lake between two shores, from corner to corner; empty without shores."""
    if not hex_.shores:
        return ""
    apart = (at for at in range(6) if not any(shore >> at & 1 and shore >> (at + 1) % 6 & 1 for shore in hex_.shores))
    turn = complex(*CORNERS[next(apart)]) / complex(*CORNERS[0])
    one, other = complex(*CORNERS[0]) * turn, complex(*CORNERS[3]) * turn
    north = [point * turn for point in (-15 + 1j, 12 - 4j)]
    south = [point * turn for point in (20 + 8j, -12 + 15j)]
    begin, a, b, end, c, d = (f"{number(point.real)} {number(point.imag)}" for point in (one, *north, other, *south))
    path = f"M{begin}C{a} {b} {end}C{c} {d} {begin}Z"
    return element("path", d=path, class_="lake", fill=theme.river, stroke=theme.water, stroke_width=1.5)
