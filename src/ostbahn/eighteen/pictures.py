"""The look of a title without peculiarities: its rounds in boxes, its trains as cards, its rules as a player aid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ostbahn.eighteen.table import PlainTable
from ostbahn.eighteen.title import PlainTitle
from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK, holding
from ostbahn.pictures.cards import TRAIN, director_words, income_words, price_words, station_names
from ostbahn.pictures.look import NONE, Aid, Charter, Look, Section, full_name, money
from ostbahn.pictures.panels import banner, box, heading, line, page, soft, strip
from ostbahn.pictures.svg import group, titled
from ostbahn.pictures.themes import Mark, Theme, ink_on, mark

MARGIN: Final = 20.0
BOX: Final = (84.0, 52.0)
GAP: Final = 8.0
IN_A_ROW: Final = 8
"""Boxes of rounds, at most."""


class PlainLook(Look[PlainTitle, PlainTable]):
    """What looks otherwise, a title draws in a class of its own made from this one."""

    def marks(self, title: PlainTitle) -> Mapping[str, Mark]:
        return {id_: mark(id_, company.colour) for id_, company in title.companies.items()}

    def phase_colour(self, table: PlainTable) -> str:
        return table.phase.colour

    def awaited_homes(self, table: PlainTable) -> Mapping[str, Sequence[str]]:
        begun = {company for companies in table.state.board.stations.values() for company in companies}
        homes = {id_: company.home for id_, company in table.title.companies.items() if id_ not in begun}
        return {home: [id_ for id_ in homes if homes[id_] == home] for home in homes.values()}

    def start_marks(self, title: PlainTitle, price: int) -> Sequence[tuple[str, str]]:
        return [("start", "#b7c9a8")] if price in title.game.start_prices else []

    def start_legend(self, title: PlainTitle) -> str:
        return "start: companies can start here"

    def process(self, table: PlainTable, theme: Theme) -> str:
        """Every round of the game, the present one marked."""
        rounds, present = table.rounds, table.round_number
        parts = [heading(f"{full_name(table.title)} course of the game", MARGIN, 34, theme)]
        parts += [_round(code, at, present, theme) for at, code in enumerate(rounds)]
        rows, columns = -(-len(rounds) // IN_A_ROW), min(len(rounds), IN_A_ROW)
        width = max(2 * MARGIN + columns * (BOX[0] + GAP) - GAP, 400)
        now = f"now {rounds[present]}" if present < len(rounds) else "the game is over"
        height = 52 + rows * (BOX[1] + GAP) + MARGIN
        return page(width, height, parts, theme, f"Course of {full_name(table.title)}", now)

    def in_play(self, table: PlainTable) -> list[str]:
        """By price."""
        return chart.by_price(table)

    def charter(self, table: PlainTable, company: str) -> Charter:
        state, started = table.state, chart.position(table, company) is not None
        return Charter(
            id=company,
            name=table.title.companies[company].name,
            kind="share company",
            facts=[
                ("Director", director_words(table, company)),
                ("share price", price_words(table, company)),
                ("treasury", money(table.title, state.cash[company]) if started else "not started"),
                ("last income", income_words(table, company)),
                ("bank holds", f"{holding(table, BANK, company)} %"),
            ],
            trains=state.trains.get(company, ()),
            limit=table.phase.train_limit,
            stations=station_names(table, company),
            left=(),
            asides=("", ()),
        )

    def train_cards(self, table: PlainTable, theme: Theme) -> list[str]:
        return [_train(table, face, theme) for face in table.title.trains]

    def aid(self, title: PlainTitle) -> Aid:
        """The rules by their chapters, and what the box holds in tables."""
        chapters: dict[str, list[str]] = {}
        for rule in title.rules.values():
            chapters.setdefault(rule.chapter, []).append(rule.text)
        return Aid([Section(chapter, lines) for chapter, lines in chapters.items()], _tables(title))


def _round(code: str, at: int, present: int, theme: Theme) -> str:
    wide, high = BOX
    x, y = MARGIN + at % IN_A_ROW * (wide + GAP), 52 + at // IN_A_ROW * (high + GAP)
    now, ink = at == present, theme.ink if at >= present else soft(theme)
    parts = [
        titled(f"{code}{', now' if now else ', done' if at < present else ''}"),
        box(
            *(x, y, wide, high, theme.card if at >= present else theme.land),
            theme.highlight if now else theme.border,
            weight=3.5 if now else 1,
        ),
        line(code, x + wide / 2, y + 24, 15, ink, anchor="middle", width=wide - 8, bold=True),
    ]
    if now:
        parts.append(strip("now", x + wide / 2 - 18, y + high - 18, theme.highlight, 36, 9.5))
    return group(parts, id=f"box-{at}", class_="now" if now else None)


def _train(table: PlainTable, face: str, theme: Theme) -> str:
    title, (wide, high) = table.title, TRAIN
    spec, left = title.trains[face], table.left(face)
    count = "no end of them" if left is None else f"{left} of {spec.count} left"
    fill = theme.tiles[title.phases[spec.begins].colour if spec.begins else next(iter(title.phases.values())).colour]
    now = face == table.on_sale
    parts = [
        titled(f"{face}-trains, {money(title, spec.price)}; {count}"),
        box(0, 0, wide, high, theme.card, theme.highlight if now else theme.border, weight=3 if now else 1),
        banner(1, 1, wide - 2, 30, fill),
        line(count, wide - 12, 21, 12, ink_on(fill), anchor="end", width=140),
        line(face, 16, 96, 52, theme.ink, width=90, bold=True),
        line(reach(spec.stops), wide - 12, 72, 13, soft(theme), anchor="end", width=110),
        line(money(title, spec.price), wide - 12, 98, 20, theme.ink, anchor="end", width=110, bold=True),
    ]
    if spec.begins:
        words = f"the first begins phase {spec.begins}: {title.phases[spec.begins].colour} tiles"
        parts.append(line(words, 16, high - 14, 11.5, theme.highlight, width=wide - 28, bold=True))
    return group(parts, id=f"train-{face}", opacity=0.55 if left == 0 else None)


def reach(stops: int) -> str:
    return f"{stops} cities or towns"


def _tables(title: PlainTitle) -> list[Section]:
    companies = [["", "company", "home", "certificates %"]] + [
        [id_, spec.name, _home(title, spec.home), ", ".join(map(str, spec.certificates))]
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
        Section("Companies", rows=companies, parts=(2, 5, 4, 4)),
        Section("Trains", rows=trains, parts=(2, 2, 5, 3, 2)),
        Section("Phases", rows=phases, parts=(2, 2, 2)),
    ]


def _home(title: PlainTitle, city: str) -> str:
    hex_ = title.map[city.partition(".")[0]]
    return f"{hex_.printed.name or ''} {hex_.id}".strip()
