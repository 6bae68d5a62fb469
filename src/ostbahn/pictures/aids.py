"""Player aids: one page of A4 with the order of play, phases, prices, terrain, and what is worth what."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from ostbahn.kernel.map.tiles import COLOURS
from ostbahn.kernel.title import Title
from ostbahn.kits.data import Spec, read_data
from ostbahn.pictures.look import NONE, Section, full_name, look_of
from ostbahn.pictures.panels import Lines, heading, line, page, paragraph, rule, soft, table_of
from ostbahn.pictures.svg import group
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.pictures.upgrades import grounds_of, promotions_of

A4: Final = (840.0, 1188.0)
"""Four units for a millimetre."""
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


def texts_for(title: Title, package: str) -> list[Section]:
    """What stands in `aids.toml` among the data of a package, for the variant."""
    return [
        Section(text.heading, text.lines)
        for text in _texts(title.name, package).text
        if text.variants is None or title.variant in text.variants
    ]


# What is worth what


def value_rows(title: Title) -> list[list[str]]:
    """The values of towns and cities by colour, as the tiles show that fit this map; labels apart."""
    found: dict[str, dict[str, set[int]]] = {}
    usable = {new for promoted in promotions_of(title).values() for new in promoted}
    usable |= {name for ground in grounds_of(title) for name in ground.takes}
    for name, tile in title.tiles.items():
        for node in tile.nodes if name in usable else ():
            if isinstance(node.value, int) and node.value:
                kind = f"{node.kind} {tile.label}" if tile.label else node.kind
                found.setdefault(kind, {}).setdefault(tile.colour, set()).add(node.value)
    rows = [["", *COLOURS]]
    for kind in sorted(found, key=lambda kind: (not kind.startswith("town"), kind)):
        rows.append([kind, *(_span(found[kind].get(colour, set())) for colour in COLOURS)])
    return rows + _area_rows(title)


def _area_rows(title: Title) -> list[list[str]]:
    """Red areas, red tiles and mines by phase; those alike in one row."""
    found: dict[tuple[int | None, ...], list[str]] = {}
    nodes = [(hex_.printed.name or node.kind, node) for hex_ in title.map for node in hex_.printed.nodes]
    nodes += [("red tiles", node) for tile in title.tiles.values() for node in tile.nodes]
    for name, node in nodes:
        if not isinstance(node.value, int):
            values = tuple(node.value.get(colour) for colour in COLOURS)
            names = found.setdefault(values, [])
            name = "mines" if node.kind == "mine" else name
            if name not in names:
                names.append(name)
    return [
        [", ".join(names), *(NONE if value is None else str(value) for value in values)]
        for values, names in found.items()
    ]


def _span(values: set[int]) -> str:
    if not values:
        return NONE
    return str(min(values)) if len(values) == 1 else f"{min(values)}–{max(values)}"


# The page


def player_aid(title: Title, theme: Theme = LIGHT) -> str:
    """One page of A4; where there is much to say the letters become smaller."""
    left, right = look_of(title).aid(title)
    right = [*right, Section("Worth", rows=value_rows(title), parts=(5, 2, 2, 2, 2))]
    for size in (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0):
        columns = [_column(left, MARGIN, size, theme), _column(right, MARGIN + COLUMN + GUTTER, size, theme)]
        if max(column.below for column in columns) <= A4[1] - MARGIN:
            break
    head = heading(full_name(title), MARGIN, 48, theme, 30)
    sub = line("player aid", A4[0] - MARGIN, 48, 14, soft(theme), anchor="end")
    words = ", ".join(section.heading for section in (*left, *right))
    parts = [head, sub, *(column.svg for column in columns)]
    return page(*A4, parts, theme, f"Player aid of {full_name(title)}", words)


def _column(sections: Sequence[Section], x: float, size: float, theme: Theme) -> Lines:
    parts, y = [], TOP
    for section in sections:
        drawn = _section(section, x, y, size, theme)
        parts.append(drawn.svg)
        y = drawn.below + size * 1.1
    return Lines("".join(parts), y)


def _section(section: Section, x: float, y: float, size: float, theme: Theme) -> Lines:
    parts = [heading(section.heading, x, y + size * 1.2, theme, size * 1.25), rule(x, y + size * 1.6, COLUMN, theme)]
    below = y + size * 1.8
    if section.rows:
        whole = sum(section.parts)
        table = table_of(section.rows, x, below, [COLUMN * part / whole for part in section.parts], theme, size)
        parts.append(table.svg)
        below = table.below
    for words in section.lines:
        written = paragraph(words, x, below + size * 1.1, size, theme.ink, COLUMN)
        parts.append(written.svg)
        below = written.below - size * 0.85
    return Lines(group(parts, class_="section"), below + size * 0.3)
