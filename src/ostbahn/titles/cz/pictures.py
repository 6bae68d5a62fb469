"""Pictures of 18CZ: companies and homes, charters, the game process, cards and the player aid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ostbahn.eighteen.pictures import MARGIN, ProcessStep, draw_step, face_reach, share_facts, stack_card, station_names
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import city_id
from ostbahn.kernel.money import BANK
from ostbahn.pictures.aids import aid_sections
from ostbahn.pictures.board_style import NONE, Aid, AidSection, BoardStyle, Charter, PictureKind, full_name, money
from ostbahn.pictures.cards import TRAIN, sheet
from ostbahn.pictures.svg import (
    box,
    element,
    group,
    heading,
    label_strip,
    line,
    muted,
    number,
    page,
    paragraph,
    title_tag,
)
from ostbahn.pictures.terrain import Land, LandFile
from ostbahn.pictures.themes import LIGHT, Mark, Theme, mark
from ostbahn.titles.cz.moravia_table import WESTBAHN, MoraviaTable, MoraviaTitle
from ostbahn.titles.cz.phases import train_limit
from ostbahn.titles.cz.rounds import present_box, round_at, sets_of
from ostbahn.titles.cz.state import Auction, CzTable
from ostbahn.titles.cz.stations import free_places, home_node
from ostbahn.titles.cz.title import CzTitle, Local, load_data
from ostbahn.titles.cz.words.text_renderer import cz_table

SIZES: Final = {"small": ("S", "#b7c9a8"), "medium": ("M", "#9fb8cf"), "large": ("L", "#d9b48f")}
"""Letter and colour that mark the start prices of each size."""
WESTBAHN_MARK: Final = mark(WESTBAHN, "#b1cec7")
"""Marker of the Mährische Westbahn, a private paper in Moravia-Silesia."""


class CzBoardStyle(BoardStyle[CzTitle, CzTable]):
    chart_rows = 2
    train_columns = 5
    purple_edge = "Only a Local Railway's power lays this tile."
    picture_kinds: Mapping[str, PictureKind] = {
        "locals": PictureKind(lambda game, _, theme: locals_picture(game, theme), "the Local Railways of 18CZ")
    }

    def marks(self, title: CzTitle) -> Mapping[str, Mark]:
        companies = {id_: mark(id_, company.colour) for id_, company in title.companies.items()}
        return {WESTBAHN: WESTBAHN_MARK, **companies} if isinstance(title, MoraviaTitle) else companies

    def phase_colour(self, table: CzTable) -> str:
        return table.phase.colour

    def awaited_homes(self, table: CzTable) -> Mapping[str, Sequence[str]]:
        """Map each city or red hex to the companies whose home it is or may become."""
        state = table.state
        begun = {company for companies in state.board.stations.values() for company in companies}
        awaited: dict[str, list[str]] = {}
        for company in table.title.companies:
            if company not in begun and company not in state.closed:
                for place in _home_places(table, company):
                    awaited.setdefault(place, []).append(company)
        # If unsold, the Westbahn never gets a station, so it is awaited only during the auction.
        auctioned = any(isinstance(task, Auction) for task in state.agenda)
        if isinstance(table.title, MoraviaTitle) and WESTBAHN not in begun and auctioned:
            awaited.setdefault(city_id(table.title.westbahn_home, 0), []).append(WESTBAHN)
        return awaited

    def land(self, title: CzTitle) -> Land:
        return Land(title.map, load_data("land.toml", LandFile))

    def start_marks(self, title: CzTitle, price: int) -> Sequence[tuple[str, str]]:
        return [SIZES[size] for size, spec in title.sizes.items() if price in spec.start_prices]

    def start_legend(self, title: CzTitle) -> str:
        return f"start prices: {', '.join(f'{SIZES[size][0]} {size}' for size in title.sizes)}"

    def process(self, table: CzTable, theme: Theme) -> str:
        """Draw the process track, as many whole sets per row as fit."""
        title, present = table.title, present_box(table)
        x, y, right = MARGIN, 96.0, 0.0
        parts = [heading(f"{full_name(title)} game process", MARGIN, 34, theme), _draw_opening(table, theme)]
        for number_of_set, numbers in enumerate(sets_of(title.boxes), 1):
            width = len(numbers) * BOX + 2 * GAP
            if x + width > WIDEST:
                x, y = MARGIN, y + HEIGHT + 4 * GAP
            background = box(x, y, width, HEIGHT + 2 * GAP, theme.land, theme.border, round=8)
            boxes = [_draw_box(table, at, x + GAP + place * BOX, y + GAP, theme) for place, at in enumerate(numbers)]
            parts.append(group([background, *boxes], id=f"set-{number_of_set}"))
            x += width + 2 * GAP
            right = max(right, x)
        status = f"now {table.state.round}" if present < len(title.boxes) else "the game is over"
        return page(
            max(right - 2 * GAP + MARGIN, 400),
            y + HEIGHT + 2 * GAP + MARGIN,
            parts,
            theme,
            f"Game process of {full_name(title)}",
            f"{status}; Local Railways at {table.state.local_price} K",
        )

    def in_play(self, table: CzTable) -> list[str]:
        return [company for company in super().in_play(table) if company not in table.state.closed]

    def charter(self, table: CzTable, company: str) -> Charter:
        state, spec = table.state, table.title.companies[company]
        treasury = money(table.title, state.cash[company]) if company in state.floated else "not floated"
        locals_ = [(local, local in state.used_powers) for local, owner in state.locals.items() if owner == company]
        return Charter(
            id=company,
            name=spec.name,
            kind=f"{spec.size} company",
            facts=share_facts(table, company, treasury),
            trains=table.trains_of(company),
            limit=train_limit(table, company) if spec.size in table.phase.train_limit else 0,
            stations=station_names(table, company),
            left=marker_prices(table, company),
            asides=("Local Railways", locals_),
        )

    def train_cards(self, table: CzTable, theme: Theme) -> list[str]:
        return [_draw_card(table, letter, theme) for letter in table.title.stack.letters]

    def aid(self, title: CzTitle) -> Aid:
        rows = [["players", "cash", "certificates"]] + [
            [str(players), f"{spec.cash} K", str(spec.certificate_limit)] for players, spec in title.players.items()
        ]
        *tables, prices = _aid_sections(title)
        texts = aid_sections(title, "ostbahn.titles.cz")
        return Aid([*texts, prices, AidSection("Players", rows=rows, parts=(2, 2, 2))], tables)


BOARD_STYLE: Final = CzBoardStyle()


# Homes of companies that have not begun (VIII.6, VIII.4/22)


def _home_places(table: CzTable, company: str) -> Iterator[str]:
    spec = table.title.companies[company]
    if company in table.title.home_tiles:
        yield from spec.homes
        return
    home, node = spec.homes[0], home_node(table, company)
    free = dict.fromkeys(free_places(table, home))
    if node is not None and city_id(home, node) in free:
        yield city_id(home, node)
    else:
        yield from free


# Charters


def marker_prices(table: CzTable, company: str) -> list[int]:
    """Return the prices of the markers on a charter in order; a free home station comes first."""
    state, prices = table.state, table.title.station_prices
    if company in state.closed:
        return []
    if company not in state.markers:
        return [0, prices.first, *[prices.further] * (table.title.companies[company].spec.markers - 2)]
    left = sum(state.markers[company])
    if table.builds_free(company):
        return [0] * left
    home = [] if state.board.stations_of(company) or company in state.operated else [0]
    cheap = [prices.first] if home or table.first_marker_due(company) else []
    return [*home, *cheap, *[prices.further] * left][:left]


# The game process

BOX: Final = 76.0
HEIGHT: Final = 64.0
GAP: Final = 6.0
WIDEST: Final = 1000.0


def _draw_opening(table: CzTable, theme: Theme) -> str:
    now, words = present_box(table) < 0, table.title.opening
    fill, text = (theme.highlight, words) if now else (muted(theme), f"{words} (done)")
    phase = f"Phase {table.state.phase}, {table.phase.colour} tiles"
    return label_strip(text, MARGIN, 52, fill, size=13) + line(phase, MARGIN + 200, 67, 14, theme.ink, width=180)


def _draw_box(table: CzTable, at: int, x: float, y: float, theme: Theme) -> str:
    boxes = table.title.boxes
    kind = boxes[at]
    name = " ".join(table.title.between_sets) if kind == "export" else round_at(boxes, at)
    upper, lower = table.title.between_sets
    if kind == "SR":
        upper, _, lower = name.partition(" ")
    elif kind != "export":
        upper, lower = name, f"{kind} K"
    step = ProcessStep(at, name, at - present_box(table))
    width = BOX - GAP if at + 1 < len(boxes) and boxes[at + 1] != "SR" else BOX
    middle, room, ink = x + width / 2, width - 8, step.ink(theme)
    words = [
        line(upper, middle, y + 22, 13, ink, anchor="middle", width=room, bold=kind != "export"),
        line(lower, middle, y + 42, 15 if kind != "export" else 12, ink, anchor="middle", width=room),
    ]
    return draw_step(step, (x, y, width, HEIGHT), words, 16, theme)


# Train cards: every face with its price and what it scraps, and how many cards the bank still has


def cards_left(table: CzTable, letter: str) -> int | None:
    """Return the number of cards of a letter in the stack, None if endless."""
    stack = table.title.stack
    count = stack.spec[letter].count
    if count is None:
        return None
    before = sum(stack.spec[other].count or 0 for other in stack.letters[: stack.letters.index(letter)])
    return min(max(before + count - table.state.cards_gone, 0), count)


def _draw_card(table: CzTable, letter: str, theme: Theme) -> str:
    title, high = table.title, TRAIN[1]
    spec, left, phase = title.stack.spec[letter], cards_left(table, letter), title.phases[letter]
    fill, now = theme.tiles[phase.colour], letter == title.stack.card(table.state.cards_gone)[0]
    parts = stack_card(f"{letter}-trains: {', '.join(spec.faces)}", letter, left, spec.count, fill, now, theme)
    for at, (face, price) in enumerate(spec.faces.items()):
        parts.append(_draw_face(table, face, price, 34 + at * 42, theme))
    limits = ", ".join(f"{limit} {size}" for size, limit in phase.train_limit.items())
    parts.append(line(f"limits: {limits}", 12, high - 8, 10, muted(theme), width=TRAIN[0] - 20))
    return group(parts, id=f"train-{letter}", opacity=0.55 if left == 0 else None)


def _draw_face(table: CzTable, face: str, price: int, y: float, theme: Theme) -> str:
    """Draw a face with its price, struck through if out of the game."""
    wide, spec = TRAIN[0], table.title.train_faces[face]
    gone = face in table.state.scrapped
    ink = muted(theme) if gone else theme.ink
    parts = [
        line(face, 12, y + 25, 20, ink, width=60, bold=True),
        line(f"{spec.size}: {face_reach(spec)}", 76, y + 15, 10.5, muted(theme), width=wide - 84),
        line(f"{price} K", wide - 12, y + 31, 14, ink, anchor="end", bold=True),
        element("path", d=f"M10 {number(y + 40)}H{number(wide - 10)}", stroke=theme.border, stroke_width=0.7),
    ]
    if gone:
        parts.append(
            element("path", d=f"M10 {number(y + 18)}H64", stroke=theme.faint, stroke_width=2)
            + line("out of the game", 76, y + 31, 10.5, muted(theme))
        )
    elif spec.scraps:
        parts.append(line(f"scraps {', '.join(spec.scraps)}", 76, y + 31, 10.5, theme.highlight, width=88, bold=True))
    return "".join(parts)


# The Local Railways, which in Moravia-Silesia are private papers, as cards

LOCAL: Final = (226.0, 144.0)
PAPERS: Final = {
    "3E": ("makes one run for a company", "may leave out towns, adds red bonuses"),
    "MW": ("a station on its home hex", "lays the tile there for nothing"),
}
"""Powers of the two papers of Moravia-Silesia that are no Local Railways (XI.2/28 to XI.2/35)."""
INCOMES: Final = {"3E": "none", "MW": "value of its city"}


def locals_picture(game: Game, theme: Theme = LIGHT) -> str:
    """Draw the Local Railways or private papers with income, powers and owners."""
    table = cz_table(game)
    kinds = [local.size for local in table.title.locals.values()]
    columns = max(3, max(map(kinds.count, kinds))) if kinds else 3
    cards = [draw_local(table, local, theme) for local in table.title.locals.values()]
    price = f", {table.state.local_price} K each" if table.state.local_price else ""
    return sheet(cards, LOCAL, columns, f"{full_name(table.title)} Local Railways{price}", theme)


def powers(local: Local) -> list[str]:
    uses = []
    if local.waives:
        *others, last = local.waives
        uses.append(f"waives the cost of a {', '.join(others)}{' or ' if others else ''}{last}")
    if local.purple:
        uses.append(f"lays a purple tile: {', '.join(local.purple)}")
    return uses


def _first_price_words(table: CzTable, local: Local) -> str:
    """Return the price on the pre-stock sheet, or the minimum bid in an auction."""
    if isinstance(table, MoraviaTable):
        return f"least bid {local.price} K"
    return f"{local.size}, {local.price} K at the start"


def draw_local(table: CzTable, local: Local, theme: Theme) -> str:
    (wide, high), state = LOCAL, table.state
    owner = state.locals.get(local.id)
    where = "out of the game" if owner is None else "not sold yet" if owner == BANK else table.name(owner)
    used = local.id in state.used_powers
    name = paragraph(local.name, 66, 20, 12, theme.ink, wide - 76)
    parts = [
        title_tag(f"{local.id} {local.name}, {where}"),
        box(0, 0, wide, high, theme.card, theme.border),
        line(local.id, 12, 29, 22, theme.ink, width=52, bold=True),
        name.svg,
        line(_first_price_words(table, local), 66, name.below, 10.5, muted(theme), width=wide - 76),
        line("income", 12, 72, 10.5, muted(theme)),
        line(INCOMES.get(local.id, f"{local.income} K"), 66, 72, 13, theme.ink, bold=True),
    ]
    for at, words in enumerate(powers(local) or PAPERS.get(local.id, ())):
        parts.append(line(words, 12, 91 + at * 15, 11, muted(theme) if used else theme.ink, width=wide - 24))
    parts.append(line(where, 12, high - 10, 11.5, muted(theme), width=110))
    if used:
        parts.append(label_strip("used", wide - 56, high - 23, theme.tiles["grey"], 46))
    return group(parts, id=f"local-{local.id}", opacity=0.55 if owner is None else None)


# The player aid


def _aid_sections(title: CzTitle) -> list[AidSection]:
    sizes = list(title.sizes)
    phases = [["phase", "tiles", *sizes]] + [
        [letter, phase.colour, *(str(phase.train_limit.get(size, NONE)) for size in sizes)]
        for letter, phase in title.phases.items()
    ]
    specs = list(title.sizes.values())
    certificates = [spec.certificates for spec in specs]
    companies = [
        ["companies", *sizes],
        ["certificates %", *(f"{first}, {len(rest)} × {rest[0]}" for first, *rest in certificates)],
        ["start prices", *(f"{min(spec.start_prices)}–{max(spec.start_prices)}" for spec in specs)],
        ["capital", *(f"{spec.capital} × price" for spec in specs)],
        ["hold at most", *(f"{spec.holding_limit} %" for spec in specs)],
        ["markers", *(str(spec.markers) for spec in specs)],
        ["from phase", *(spec.opens_in_phase for spec in specs)],
        ["dividend", *(f"+{spec.price_steps}" for spec in specs)],
    ]
    costs = {hex_.printed.terrain: hex_.printed.cost for hex_ in title.map if hex_.printed.terrain}
    terrains = ", ".join(f"{terrain} {cost} K" for terrain, cost in sorted(costs.items(), key=lambda row: row[1]))
    stations = title.station_prices
    prices = [
        f"Stations: home free, then {stations.first} K, further ones {stations.further} K.",
        f"First tile on terrain: {terrains}.",
        f"Bonus {title.home_bonus} K for "
        + ("red tiles, to trains that collect it." if title.bonus_everywhere else "the own red home tile."),
        f"Companies may buy Local Railways from phase {title.locals_open_in_phase} on.",
    ]
    return [
        AidSection("Phases: tiles and train limits", rows=phases, parts=(2, 2, *(2 for _ in sizes))),
        AidSection("Companies", rows=companies, parts=(2, *(2 for _ in sizes))),
        AidSection("Trains", rows=_train_rows(title), parts=(3, 3, 6, 3, 4)),
        AidSection("Prices", prices),
    ]


def _train_rows(title: CzTitle) -> list[list[str]]:
    rows = [["train", "cards", "reaches", "price", "scraps"]]
    for face, spec in title.train_faces.items():
        letters = [letter for letter, card in title.stack.spec.items() if face in card.faces]
        price = f"{title.stack.spec[letters[0]].faces[face]} K" if letters else NONE
        rows.append([face, " ".join(letters) or "paper", face_reach(spec), price, ", ".join(spec.scraps) or NONE])
    return rows
