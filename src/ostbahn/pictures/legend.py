"""The map legend: each sign that stands on the map of a title, beside what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from ostbahn.kernel.map.board import Board, Hex
from ostbahn.kernel.title import Title
from ostbahn.pictures.areas import is_area
from ostbahn.pictures.board import barrier_path, draw_bars
from ostbahn.pictures.geometry import CENTRE
from ostbahn.pictures.hexes import draw_hex
from ostbahn.pictures.layout import SLOT
from ostbahn.pictures.look import full_name, land_of, look_of, marks_of
from ostbahn.pictures.panels import heading, line, page, paragraph, soft
from ostbahn.pictures.scenes import Scene
from ostbahn.pictures.svg import element, group, number
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.pictures.tiles import bare_ground, draw_ghost, draw_station, draw_tile, outline

WIDTH: Final = 440.0
"""So narrow that it can be read on a phone."""
MARGIN: Final = 14.0
TOP: Final = 56.0
ROW: Final = 92.0
SCALE: Final = 0.8
BESIDE: Final = 96.0
"""From the left of an entry to its words."""


class MapSign(NamedTuple):
    """Something that is printed on hexes."""

    name: str
    meaning: str
    stands_on: Callable[[Hex], bool]


class LegendEntry(NamedTuple):
    """A line of the legend."""

    name: str
    meaning: str
    drawing: str
    """Around the origin, as large as a hex."""


def _has(kind: str) -> Callable[[Hex], bool]:
    return lambda hex_: any(node.kind == kind for node in hex_.printed.nodes)


SIGNS: Final = (
    MapSign("Town", "Trains stop here. There is no room for stations.", _has("town")),
    MapSign("City", "Trains stop here. Each circle holds one station.", _has("city")),
    MapSign("Red area", "Trains stop here. The number for the present phase is what it pays.", _has("red")),
    MapSign("Mine", "It pays by phase and takes no tile.", _has("mine")),
    MapSign(
        "Letters",
        "Only tiles with the same letters can be laid here.",
        lambda hex_: hex_.printed.label is not None and hex_.printed.label_from is None,
    ),
    MapSign(
        "Letters for later",
        "The first tiles have no letters; later ones need the same letters.",
        lambda hex_: hex_.printed.label_from is not None,
    ),
    MapSign("Short track", "Every tile laid here must continue it.", lambda hex_: bool(hex_.stubs)),
    MapSign(
        "Red frame", "Reserved for the red home tile of one company.", lambda hex_: bool(hex_.printed.reserved_for)
    ),
    MapSign("Thick bar", "No track can cross this side.", lambda hex_: bool(hex_.printed.barriers)),
    MapSign("Lake", "No track can cross the water.", lambda hex_: bool(hex_.shores)),
    MapSign(
        "Printed in colour",
        "It counts as a tile of this colour.",
        lambda hex_: (
            hex_.printed.ground != "open"
            and not (hex_.printed.reserved_for or is_area(hex_.face) or _has("mine")(hex_))
        ),
    ),
)


def legend_picture(title: Title, theme: Theme = LIGHT) -> str:
    """Only signs that this map has."""
    entries = entries_of(title, theme)
    parts = [heading(f"{full_name(title)}: map legend", MARGIN, 38, theme, 24, WIDTH - 2 * MARGIN)]
    parts += [_draw(entry, TOP + at * ROW, theme) for at, entry in enumerate(entries)]
    words = "; ".join(f"{entry.name}: {entry.meaning}" for entry in entries)
    return page(WIDTH, TOP + len(entries) * ROW + MARGIN, parts, theme, f"Map legend of {full_name(title)}", words)


def _draw(entry: LegendEntry, y: float, theme: Theme) -> str:
    middle, left = y + ROW / 2, MARGIN + BESIDE
    place = f"translate({number(MARGIN + BESIDE / 2 - 6)} {number(middle)}) scale({SCALE})"
    name = line(entry.name, left, middle - 10, 20, theme.ink, width=WIDTH - left - MARGIN, bold=True)
    words = paragraph(entry.meaning, left, middle + 12, 17, soft(theme), WIDTH - left - MARGIN)
    return group([group([entry.drawing], transform=place), name, words.svg], class_="sign")


# What is on the map


def entries_of(title: Title, theme: Theme) -> list[LegendEntry]:
    scene = Scene(title, Board({}, {}), "", marks_of(title), land=land_of(title))
    return [*_terrain(title, scene, theme), *_printed(title, scene, theme), *_pieces(title, theme)]


def _terrain(title: Title, scene: Scene, theme: Theme) -> Iterator[LegendEntry]:
    """Each kind of terrain, and what it costs."""
    kinds: dict[str, list[Hex]] = {}
    for hex_ in title.map:
        if hex_.printed.terrain and hex_.printed.cost:
            kinds.setdefault(hex_.printed.terrain, []).append(hex_)
    for terrain, hexes in kinds.items():
        costs = sorted({hex_.printed.cost for hex_ in hexes})
        price = " or ".join(map(str, costs)) if len(costs) < 3 else f"{costs[0]} to {costs[-1]}"
        meaning = f"The first tile here costs {price} {title.currency}."
        yield LegendEntry(terrain[:1].upper() + terrain[1:], meaning, draw_hex(scene, _plainest(hexes), theme))


def _printed(title: Title, scene: Scene, theme: Theme) -> Iterator[LegendEntry]:
    for sign in SIGNS:
        if hexes := [hex_ for hex_ in title.map if sign.stands_on(hex_)]:
            hex_ = _plainest(hexes)
            yield LegendEntry(
                sign.name, sign.meaning, draw_hex(scene, hex_, theme) + draw_bars(barrier_path(hex_, CENTRE), theme)
            )


def _plainest(hexes: Sequence[Hex]) -> Hex:
    """The hex with the fewest other signs."""

    def signs(hex_: Hex) -> int:
        return sum(sign.stands_on(hex_) for sign in SIGNS) + bool(hex_.printed.terrain) + len(hex_.printed.nodes)

    return min(hexes, key=lambda hex_: (signs(hex_), hex_.id))


def _pieces(title: Title, theme: Theme) -> Iterator[LegendEntry]:
    """What is laid on the map: stations, tiles and their values."""
    bare = element("polygon", points=outline(), fill=bare_ground(theme).colour, stroke=theme.border)
    *_, mark = marks_of(title).values()
    yield LegendEntry("Station", "The company can run from here.", bare + draw_station(mark, CENTRE, SLOT, theme))
    home = "The company shown will have its first station here."
    yield LegendEntry("Future home", home, bare + draw_ghost(mark, CENTRE, SLOT, theme))
    pays = [
        name for name, tile in title.tiles.items() if any(node.value and node.kind == "city" for node in tile.nodes)
    ]
    plain = [name for name in pays if not title.tiles[name].label and not title.tiles[name].purple]
    if plain:
        yield LegendEntry("Number in a circle", "What a train earns by stopping here.", _tile(title, plain[0], theme))
    purple = [name for name, tile in title.tiles.items() if tile.purple]
    if purple and (meaning := look_of(title).purple_edge):
        yield LegendEntry("Purple edge", meaning, _tile(title, purple[0], theme))


def _tile(title: Title, name: str, theme: Theme) -> str:
    return draw_tile(name, title.tiles[name], title.tile_set.faces[name][0], theme)
