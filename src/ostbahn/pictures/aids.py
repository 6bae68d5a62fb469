"""Player aids: one page of A4 with the order of play, phases, prices, terrain, and what is worth what."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from ostbahn.kernel.map.tiles import COLOURS
from ostbahn.kits.data import Spec, read_data
from ostbahn.pictures.cards import able, service_words
from ostbahn.pictures.panels import Lines, heading, line, page, paragraph, rule, soft, table_of
from ostbahn.pictures.svg import group
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.pictures.upgrades import grounds_of, promotions_of
from ostbahn.pictures.views import NONE, AnyTitle, name_of, variant_of
from ostbahn.titles.cz.title import CzTitle
from ostbahn.titles.mag.title import MagTitle

A4: Final = (840.0, 1188.0)
"""Four units for a millimetre."""
MARGIN: Final = 32.0
GUTTER: Final = 24.0
TOP: Final = 76.0
COLUMN: Final = (A4[0] - 2 * MARGIN - GUTTER) / 2


class AidText(Spec, frozen=True):
    title: str
    heading: str
    lines: tuple[str, ...]
    variants: tuple[str, ...] | None = None


class AidsFile(Spec, frozen=True):
    text: tuple[AidText, ...]


class Section(NamedTuple):
    """A part of the aid: lines of text, or a table with the widths of its columns."""

    heading: str
    lines: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    parts: Sequence[int] = ()
    """How wide the columns are, compared with each other."""


@cache
def _texts() -> AidsFile:
    assert __package__
    return read_data("pictures", __package__, "aids.toml", AidsFile)


def texts_for(title: AnyTitle) -> list[Section]:
    variant = variant_of(title)
    return [
        Section(text.heading, text.lines)
        for text in _texts().text
        if text.title == title.name and (text.variants is None or variant in text.variants)
    ]


# What is worth what


def value_rows(title: AnyTitle) -> list[list[str]]:
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


def _area_rows(title: AnyTitle) -> list[list[str]]:
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


def terrain_words(title: CzTitle) -> list[str]:
    """What terrain costs, cheapest first."""
    costs = {hex_.printed.terrain: hex_.printed.cost for hex_ in title.map if hex_.printed.terrain}
    return [f"{terrain} {cost} K" for terrain, cost in sorted(costs.items(), key=lambda row: row[1])]


# 18CZ


def _cz_sections(title: CzTitle) -> list[Section]:
    sizes = list(title.sizes)
    phases = [["phase", "tiles", *sizes]] + [
        [letter, phase.colour, *(str(phase.train_limit.get(size, NONE)) for size in sizes)]
        for letter, phase in title.phases.items()
    ]
    companies = [["companies", *sizes]]
    specs = [title.sizes[size] for size in sizes]
    companies += [
        ["certificates %", *(_few(spec.certificates) for spec in specs)],
        ["start prices", *(f"{min(spec.start_prices)}–{max(spec.start_prices)}" for spec in specs)],
        ["capital", *(f"{spec.capital} × price" for spec in specs)],
        ["hold at most", *(f"{spec.holding_limit} %" for spec in specs)],
        ["markers", *(str(spec.markers) for spec in specs)],
        ["from phase", *(spec.opens_in_phase for spec in specs)],
        ["dividend", *(f"+{spec.price_steps}" for spec in specs)],
    ]
    stations = title.station_prices
    prices = [
        f"Stations: home free, then {stations.first} K, further ones {stations.further} K.",
        f"First tile on terrain: {', '.join(terrain_words(title))}.",
        f"Bonus {title.home_bonus} K for "
        + ("red tiles, to trains that collect it." if title.bonus_everywhere else "the own red home tile."),
        f"Companies may buy Local Railways from phase {title.locals_open_in_phase} on.",
    ]
    return [
        Section("Phases: tiles and train limits", rows=phases, parts=(2, 2, *(2 for _ in sizes))),
        Section("Companies", rows=companies, parts=(2, *(2 for _ in sizes))),
        Section("Trains", rows=_train_rows(title), parts=(3, 3, 6, 3, 4)),
        Section("Prices", prices),
    ]


def _few(certificates: tuple[int, ...]) -> str:
    """20, 8 × 10 instead of nine numbers."""
    first, *rest = certificates
    return f"{first}, {len(rest)} × {rest[0]}"


def _train_rows(title: CzTitle) -> list[list[str]]:
    rows = [["train", "cards", "reaches", "price", "scraps"]]
    for face, spec in title.train_faces.items():
        letters = [letter for letter, card in title.stack.spec.items() if face in card.faces]
        price = f"{title.stack.spec[letters[0]].faces[face]} K" if letters else NONE
        rows.append([face, " ".join(letters) or "paper", able(spec), price, ", ".join(spec.scraps) or NONE])
    return rows


# 18Mag


def _mag_sections(title: MagTitle) -> list[Section]:
    phases = [["phase", "rounds", "rail cars", "off-board"]] + [
        [name, str(spec.operating_rounds), ", ".join(map(str, spec.rail_cars)), f"+{spec.off_board_bonus}"]
        for name, spec in title.phases.items()
    ]
    trains = [["train", "price", "sold by", "as a plus-train"]] + [
        [face, f"{stack.price} Ft", stack.seller, able(title.train_faces[stack.plus])]
        for face, stack in title.stacks.items()
    ]
    lowest = [None, *(payout.up_to for payout in title.payouts)]
    payouts = [["paid out", "spaces"]] + [
        [_payout(below, payout.up_to), f"{payout.spaces:+d}" if payout.spaces else "0"]
        for below, payout in zip(lowest, title.payouts, strict=False)
    ]
    services = [
        f"{major}: {' '.join(word for word in service_words(title, major) if '-trains:' not in word)}"
        for major in title.companies
        if any("-trains:" not in word for word in service_words(title, major))
    ]
    markers = ", ".join(map(str, title.major.marker_prices))
    services.append(f"Markers of majors: {markers} Ft to the bank; each adds {title.major.marker_bonus} to its city.")
    services.append(f"Minors own at most {title.minor.train_limit} trains. Trains are never scrapped by others.")
    return [
        Section("Phases", rows=phases, parts=(2, 2, 3, 2)),
        Section("Trains", rows=trains, parts=(2, 2, 3, 4)),
        Section("Payouts of majors", rows=payouts, parts=(3, 2)),
        Section("Services", services),
    ]


def _payout(below: int | None, up_to: int | None) -> str:
    if up_to is None:
        return f"more than {below} Ft"
    return f"{up_to} Ft" if below is None else f"up to {up_to} Ft"


# The page


def sections_of(title: AnyTitle) -> tuple[list[Section], list[Section]]:
    """What stands in the left and in the right column."""
    worth = Section("Worth", rows=value_rows(title), parts=(5, 2, 2, 2, 2))
    table = Section("Players", rows=_player_rows(title), parts=(2, 2, 2, 2) if title.name == "18Mag" else (2, 2, 2))
    own = _cz_sections(title) if isinstance(title, CzTitle) else _mag_sections(title)
    return [*texts_for(title), own[-1], table], [*own[:-1], worth]


def _player_rows(title: AnyTitle) -> list[list[str]]:
    """By number of players: what they begin with, and how many certificates they may have."""
    if isinstance(title, CzTitle):
        return [["players", "cash", "certificates"]] + [
            [str(number), f"{spec.cash} K", str(spec.certificate_limit)] for number, spec in title.players.items()
        ]
    return [["players", "minors", "shares", "certificates"]] + [
        [str(number), str(spec.minors or NONE), str(spec.shares), str(spec.certificate_limit)]
        for number, spec in title.players.items()
    ]


def player_aid(title: AnyTitle, theme: Theme = LIGHT) -> str:
    """One page of A4; where there is much to say the letters become smaller."""
    left, right = sections_of(title)
    for size in (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0):
        columns = [_column(left, MARGIN, size, theme), _column(right, MARGIN + COLUMN + GUTTER, size, theme)]
        if max(column.below for column in columns) <= A4[1] - MARGIN:
            break
    head = heading(name_of(title), MARGIN, 48, theme, 30)
    sub = line("player aid", A4[0] - MARGIN, 48, 14, soft(theme), anchor="end")
    words = ", ".join(section.heading for section in (*left, *right))
    return page(*A4, [head, sub, *(column.svg for column in columns)], theme, f"Player aid of {name_of(title)}", words)


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
