"""The base of a title's pictures: what titles of share companies draw alike, and the style of a plain title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ostbahn.eighteen.table import PlainTable
from ostbahn.eighteen.title import PlainTitle
from ostbahn.kernel import chart
from ostbahn.kernel.map.board import place_name
from ostbahn.kernel.money import BANK, director, holding
from ostbahn.kernel.state import FaceSpec
from ostbahn.kernel.table import Table
from ostbahn.pictures.board_style import NONE, Aid, AidSection, BoardStyle, Charter, full_name, money
from ostbahn.pictures.cards import TRAIN
from ostbahn.pictures.svg import banner, box, group, heading, label_strip, line, muted, page, title_tag
from ostbahn.pictures.themes import Mark, Theme, ink_on, mark

MARGIN: Final = 20.0


# Charters


def income_words(table: Table, company: str) -> str:
    revenue = table.state.revenue.get(company)
    return NONE if revenue is None else money(table.title, revenue)


def price_words(table: Table, company: str) -> str:
    space = chart.position(table, company)
    return NONE if space is None else money(table.title, table.title.prices[space])


def director_words(table: Table, company: str) -> str:
    holders = table.state.certificates.get(company)
    who = None if holders is None else director(table, company)
    return NONE if who is None else table.name(who)


def station_names(table: Table, company: str) -> list[str]:
    board = table.state.board
    return [place_name(table.title, city, board) for city in board.stations_of(company)]


def share_facts(table: Table, company: str, treasury: str) -> list[tuple[str, str]]:
    return [
        ("Director", director_words(table, company)),
        ("share price", price_words(table, company)),
        ("treasury", treasury),
        ("last income", income_words(table, company)),
        ("bank holds", f"{holding(table, BANK, company)} %"),
    ]


# Trains and rounds


def face_reach(face: FaceSpec) -> str:
    if face.skips_towns:
        return f"{face.cities} cities"
    if face.stops > face.cities:
        return f"{face.cities} stops + {face.stops - face.cities} towns"
    return f"{face.cities} stops"


def stack_card(
    description: str, letter: str, left: int | None, count: int | None, fill: str, now: bool, theme: Theme
) -> list[str]:
    """A train card without its trains: ground, and a head in the colour of tiles. left: None if unlimited."""
    wide, high = TRAIN
    words = "no end of them" if left is None else f"{left} of {count} left"
    return [
        title_tag(f"{description}; {words}"),
        box(0, 0, wide, high, theme.card, theme.highlight if now else theme.border, weight=3 if now else 1),
        banner(1, 1, wide - 2, 30, fill),
        line(letter, 12, 22, 20, ink_on(fill), bold=True) if letter else "",
        line(words, wide - 12, 21, 12, ink_on(fill), anchor="end", width=120),
    ]


class ProcessStep(NamedTuple):
    """A box on the track of rounds."""

    id: int
    name: str
    ahead: int
    """Its distance from the present box; negative for past ones."""

    def ink(self, theme: Theme) -> str:
        return theme.ink if self.ahead >= 0 else muted(theme)


def draw_step(
    step: ProcessStep, spot: tuple[float, float, float, float], words: Sequence[str], foot: float, theme: Theme
) -> str:
    """Draw a box with the word `now` in the present one, `foot` above its lower edge."""
    (x, y, wide, high), now = spot, step.ahead == 0
    parts = [
        title_tag(f"{step.name}{', now' if now else ', done' if step.ahead < 0 else ''}"),
        box(
            *(x, y, wide, high, theme.card if step.ahead >= 0 else theme.land),
            theme.highlight if now else theme.border,
            weight=3.5 if now else 1,
        ),
        *words,
    ]
    if now:
        parts.append(label_strip("now", x + wide / 2 - 18, y + high - foot, theme.highlight, 36, 9.5))
    return group(parts, id=f"box-{step.id}", class_="now" if now else None)


# Plain titles

BOX: Final = (84.0, 52.0)
GAP: Final = 8.0
IN_A_ROW: Final = 8


class PlainBoardStyle(BoardStyle[PlainTitle, PlainTable]):
    """Draws rounds as boxes, trains as cards and rules as a player aid; override what a title draws differently."""

    def marks(self, title: PlainTitle) -> Mapping[str, Mark]:
        return {id_: mark(id_, company.colour) for id_, company in title.companies.items()}

    def phase_colour(self, table: PlainTable) -> str:
        return table.phase.colour

    def awaited_homes(self, table: PlainTable) -> Mapping[str, Sequence[str]]:
        placed = {company for companies in table.state.board.stations.values() for company in companies}
        homes = {id_: company.home for id_, company in table.title.companies.items() if id_ not in placed}
        return {home: [id_ for id_ in homes if homes[id_] == home] for home in homes.values()}

    def start_marks(self, title: PlainTitle, price: int) -> Sequence[tuple[str, str]]:
        return [("start", "#b7c9a8")] if price in title.game.start_prices else []

    def start_legend(self, title: PlainTitle) -> str:
        return "start: companies can start here"

    def process(self, table: PlainTable, theme: Theme) -> str:
        rounds, present = table.rounds, table.round_number
        parts = [heading(f"{full_name(table.title)} course of the game", MARGIN, 34, theme)]
        parts += [_draw_round(ProcessStep(at, code, at - present), theme) for at, code in enumerate(rounds)]
        rows, columns = -(-len(rounds) // IN_A_ROW), min(len(rounds), IN_A_ROW)
        width = max(2 * MARGIN + columns * (BOX[0] + GAP) - GAP, 400)
        now = f"now {rounds[present]}" if present < len(rounds) else "the game is over"
        height = 52 + rows * (BOX[1] + GAP) + MARGIN
        return page(width, height, parts, theme, f"Course of {full_name(table.title)}", now)

    def charter(self, table: PlainTable, company: str) -> Charter:
        state, started = table.state, chart.position(table, company) is not None
        treasury = money(table.title, state.cash[company]) if started else "not started"
        return Charter(
            id=company,
            name=table.title.companies[company].name,
            kind="share company",
            facts=share_facts(table, company, treasury),
            trains=state.trains.get(company, ()),
            limit=table.phase.train_limit,
            stations=station_names(table, company),
            left=(),
            asides=("", ()),
        )

    def train_cards(self, table: PlainTable, theme: Theme) -> list[str]:
        return [_draw_train(table, face, theme) for face in table.title.trains]

    def aid(self, title: PlainTitle) -> Aid:
        chapters: dict[str, list[str]] = {}
        for rule in title.rules.values():
            chapters.setdefault(rule.chapter, []).append(rule.text)
        return Aid([AidSection(chapter, lines) for chapter, lines in chapters.items()], _aid_tables(title))


def _draw_round(step: ProcessStep, theme: Theme) -> str:
    wide, high = BOX
    x, y = MARGIN + step.id % IN_A_ROW * (wide + GAP), 52 + step.id // IN_A_ROW * (high + GAP)
    words = line(step.name, x + wide / 2, y + 24, 15, step.ink(theme), anchor="middle", width=wide - 8, bold=True)
    return draw_step(step, (x, y, wide, high), [words], 18, theme)


def _draw_train(table: PlainTable, face: str, theme: Theme) -> str:
    title, (wide, high) = table.title, TRAIN
    spec, left, phases = title.trains[face], table.left(face), title.phases
    fill = theme.tiles[phases[spec.begins].colour if spec.begins else next(iter(phases.values())).colour]
    description = f"{face}-trains, {money(title, spec.price)}"
    parts = [
        *stack_card(description, "", left, spec.count, fill, face == table.on_sale, theme),
        line(face, 16, 96, 52, theme.ink, width=90, bold=True),
        line(reach(spec.stops), wide - 12, 72, 13, muted(theme), anchor="end", width=110),
        line(money(title, spec.price), wide - 12, 98, 20, theme.ink, anchor="end", width=110, bold=True),
    ]
    if spec.begins:
        words = f"the first begins phase {spec.begins}: {phases[spec.begins].colour} tiles"
        parts.append(line(words, 16, high - 14, 11.5, theme.highlight, width=wide - 28, bold=True))
    return group(parts, id=f"train-{face}", opacity=0.55 if left == 0 else None)


def reach(stops: int) -> str:
    return f"{stops} cities or towns"


def _aid_tables(title: PlainTitle) -> list[AidSection]:
    companies = [["", "company", "home", "certificates %"]] + [
        [id_, spec.name, _home_name(title, spec.home), ", ".join(map(str, spec.certificates))]
        for id_, spec in title.companies.items()
    ]
    trains = [["train", "cards", "reaches", "price", "begins"]] + [
        [face, str(spec.count or "∞"), reach(spec.stops), money(title, spec.price), spec.begins or NONE]
        for face, spec in title.trains.items()
    ]
    phases = [["phase", "tiles", "train limit"]] + [
        [name, phase.colour, str(phase.train_limit)] for name, phase in title.phases.items()
    ]
    return [
        AidSection("Companies", rows=companies, parts=(2, 5, 4, 4)),
        AidSection("Trains", rows=trains, parts=(2, 2, 5, 3, 2)),
        AidSection("Phases", rows=phases, parts=(2, 2, 2)),
    ]


def _home_name(title: PlainTitle, city: str) -> str:
    hex_ = title.map[city.partition(".")[0]]
    return f"{hex_.printed.name or ''} {hex_.id}".strip()
