"""Player aids on one page of A4, and the map legend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from ostbahn.kernel.map.board import Board, Hex
from ostbahn.kernel.map.tiles import COLOURS
from ostbahn.kernel.title import Title
from ostbahn.kits.data import Spec, read_data
from ostbahn.pictures.board import barrier_path, draw_barriers
from ostbahn.pictures.board_style import NONE, AidSection, board_style_of, full_name, land_of, marks_of
from ostbahn.pictures.geometry import CENTRE, SLOT
from ostbahn.pictures.hexes import BoardScene, draw_hex, is_area
from ostbahn.pictures.svg import (
    TextBlock,
    element,
    group,
    heading,
    line,
    muted,
    page,
    paragraph,
    rule,
    text_table,
    translate,
)
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.pictures.tiles import bare_ground, draw_future_station, draw_station, draw_tile, outline
from ostbahn.pictures.upgrades import bare_hexes_of, promotions_of

WIDTH: Final = 440.0
"""Narrow enough for a phone."""
LEGEND_MARGIN: Final = 14.0
LEGEND_TOP: Final = 56.0
ROW: Final = 92.0
SCALE: Final = 0.8
BESIDE: Final = 96.0


class MapSign(NamedTuple):
    name: str
    meaning: str
    stands_on: Callable[[Hex], bool]


class LegendEntry(NamedTuple):
    name: str
    meaning: str
    drawing: str
    """Centred on the origin, in the size of a hex."""


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
    entries = entries_of(title, theme)
    parts = [heading(f"{full_name(title)}: map legend", LEGEND_MARGIN, 38, theme, 24, WIDTH - 2 * LEGEND_MARGIN)]
    parts += [_draw(entry, LEGEND_TOP + at * ROW, theme) for at, entry in enumerate(entries)]
    words = "; ".join(f"{entry.name}: {entry.meaning}" for entry in entries)
    height = LEGEND_TOP + len(entries) * ROW + LEGEND_MARGIN
    return page(WIDTH, height, parts, theme, f"Map legend of {full_name(title)}", words)


def _draw(entry: LegendEntry, y: float, theme: Theme) -> str:
    middle, left = y + ROW / 2, LEGEND_MARGIN + BESIDE
    place = translate(LEGEND_MARGIN + BESIDE / 2 - 6, middle, SCALE)
    name = line(entry.name, left, middle - 10, 20, theme.ink, width=WIDTH - left - LEGEND_MARGIN, bold=True)
    words = paragraph(entry.meaning, left, middle + 12, 17, muted(theme), WIDTH - left - LEGEND_MARGIN)
    return group([group([entry.drawing], transform=place), name, words.svg], class_="sign")


def entries_of(title: Title, theme: Theme) -> list[LegendEntry]:
    scene = BoardScene(title, Board({}, {}), "", marks_of(title), land=land_of(title))
    return [*_terrain(title, scene, theme), *_printed(title, scene, theme), *_pieces(title, theme)]


def _terrain(title: Title, scene: BoardScene, theme: Theme) -> Iterator[LegendEntry]:
    kinds: dict[str, list[Hex]] = {}
    for hex_ in title.map:
        if hex_.printed.terrain and hex_.printed.cost:
            kinds.setdefault(hex_.printed.terrain, []).append(hex_)
    for terrain, hexes in kinds.items():
        costs = sorted({hex_.printed.cost for hex_ in hexes})
        price = " or ".join(map(str, costs)) if len(costs) < 3 else f"{costs[0]} to {costs[-1]}"
        meaning = f"The first tile here costs {price} {title.currency}."
        yield LegendEntry(terrain[:1].upper() + terrain[1:], meaning, draw_hex(scene, _plainest(hexes), theme))


def _printed(title: Title, scene: BoardScene, theme: Theme) -> Iterator[LegendEntry]:
    for sign in SIGNS:
        if hexes := [hex_ for hex_ in title.map if sign.stands_on(hex_)]:
            hex_ = _plainest(hexes)
            yield LegendEntry(
                sign.name, sign.meaning, draw_hex(scene, hex_, theme) + draw_barriers(barrier_path(hex_, CENTRE), theme)
            )


def _plainest(hexes: Sequence[Hex]) -> Hex:
    """The hex with the fewest other signs."""

    def signs(hex_: Hex) -> int:
        return sum(sign.stands_on(hex_) for sign in SIGNS) + bool(hex_.printed.terrain) + len(hex_.printed.nodes)

    return min(hexes, key=lambda hex_: (signs(hex_), hex_.id))


def _pieces(title: Title, theme: Theme) -> Iterator[LegendEntry]:
    bare = element("polygon", points=outline(), fill=bare_ground(theme).colour, stroke=theme.border)
    *_, mark = marks_of(title).values()
    yield LegendEntry("Station", "The company can run from here.", bare + draw_station(mark, CENTRE, SLOT, theme))
    home = "The company shown will have its first station here."
    yield LegendEntry("Future home", home, bare + draw_future_station(mark, CENTRE, SLOT, theme))
    pays = [
        name for name, tile in title.tiles.items() if any(node.value and node.kind == "city" for node in tile.nodes)
    ]
    plain = [name for name in pays if not title.tiles[name].label and not title.tiles[name].purple]
    if plain:
        yield LegendEntry("Number in a circle", "What a train earns by stopping here.", _tile(title, plain[0], theme))
    purple = [name for name, tile in title.tiles.items() if tile.purple]
    if purple and (meaning := board_style_of(title).purple_edge):
        yield LegendEntry("Purple edge", meaning, _tile(title, purple[0], theme))


def _tile(title: Title, name: str, theme: Theme) -> str:
    return draw_tile(name, title.tiles[name], title.tile_set.faces[name][0], theme)


A4: Final = (840.0, 1188.0)
"""Four units per millimetre."""
MARGIN: Final = 32.0
GUTTER: Final = 24.0
TOP: Final = 76.0
COLUMN: Final = (A4[0] - 2 * MARGIN - GUTTER) / 2


class AidText(Spec, frozen=True):
    heading: str
    lines: tuple[str, ...]
    variants: tuple[str, ...] | None = None


class AidsFile(Spec, frozen=True):
    text: tuple[AidText, ...]


@cache
def _texts(title: str, package: str) -> AidsFile:
    return read_data(title, package, "aids.toml", AidsFile)


def aid_sections(title: Title, package: str) -> list[AidSection]:
    """The sections of a package's `aids.toml` for the variant."""
    return [
        AidSection(text.heading, text.lines)
        for text in _texts(title.name, package).text
        if text.variants is None or title.variant in text.variants
    ]


def value_rows(title: Title) -> list[list[str]]:
    """Values of towns and cities by colour, on the tiles that fit this map; labels apart."""
    values: dict[str, dict[str, set[int]]] = {}
    usable = {new for promoted in promotions_of(title).values() for new in promoted}
    usable |= {name for ground in bare_hexes_of(title) for name in ground.takes}
    for name, tile in title.tiles.items():
        for node in tile.nodes if name in usable else ():
            if isinstance(node.value, int) and node.value:
                kind = f"{node.kind} {tile.label}" if tile.label else node.kind
                values.setdefault(kind, {}).setdefault(tile.colour, set()).add(node.value)
    kinds = sorted(values, key=lambda kind: (not kind.startswith("town"), kind))
    rows = [[kind, *(_span(values[kind].get(colour, set())) for colour in COLOURS)] for kind in kinds]
    return [["", *COLOURS], *rows, *_area_rows(title)]


def _area_rows(title: Title) -> list[list[str]]:
    """Values of red areas, red tiles and mines by phase, equal ones merged."""
    by_values: dict[tuple[int | None, ...], list[str]] = {}
    nodes = [(hex_.printed.name or node.kind, node) for hex_ in title.map for node in hex_.printed.nodes]
    nodes += [("red tiles", node) for tile in title.tiles.values() for node in tile.nodes]
    for name, node in nodes:
        if not isinstance(node.value, int):
            values = tuple(node.value.get(colour) for colour in COLOURS)
            by_values.setdefault(values, []).append("mines" if node.kind == "mine" else name)
    return [
        [", ".join(dict.fromkeys(names)), *(NONE if value is None else str(value) for value in values)]
        for values, names in by_values.items()
    ]


def _span(values: set[int]) -> str:
    if not values:
        return NONE
    return str(min(values)) if len(values) == 1 else f"{min(values)}–{max(values)}"


def player_aid(title: Title, theme: Theme = LIGHT) -> str:
    """One page of A4 in the largest font size that fits."""
    left, right = board_style_of(title).aid(title)
    right = [*right, AidSection("Worth", rows=value_rows(title), parts=(5, 2, 2, 2, 2))]
    for size in (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0):
        columns = [_column(left, MARGIN, size, theme), _column(right, MARGIN + COLUMN + GUTTER, size, theme)]
        if max(column.below for column in columns) <= A4[1] - MARGIN:
            break
    head = heading(full_name(title), MARGIN, 48, theme, 30)
    sub = line("player aid", A4[0] - MARGIN, 48, 14, muted(theme), anchor="end")
    words = ", ".join(section.heading for section in (*left, *right))
    parts = [head, sub, *(column.svg for column in columns)]
    return page(*A4, parts, theme, f"Player aid of {full_name(title)}", words)


def _column(sections: Sequence[AidSection], x: float, size: float, theme: Theme) -> TextBlock:
    parts, y = [], TOP
    for section in sections:
        drawn = _section(section, x, y, size, theme)
        parts.append(drawn.svg)
        y = drawn.below + size * 1.1
    return TextBlock("".join(parts), y)


def _section(section: AidSection, x: float, y: float, size: float, theme: Theme) -> TextBlock:
    parts = [heading(section.heading, x, y + size * 1.2, theme, size * 1.25), rule(x, y + size * 1.6, COLUMN, theme)]
    below = y + size * 1.8
    if section.rows:
        whole = sum(section.parts)
        table = text_table(section.rows, x, below, [COLUMN * part / whole for part in section.parts], theme, size)
        parts.append(table.svg)
        below = table.below
    for words in section.lines:
        written = paragraph(words, x, below + size * 1.1, size, theme.ink, COLUMN)
        parts.append(written.svg)
        below = written.below - size * 0.85
    return TextBlock(group(parts, class_="section"), below + size * 0.3)
