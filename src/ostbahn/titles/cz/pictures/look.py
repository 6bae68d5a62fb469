"""How 18CZ looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ostbahn.pictures.look import Aid, Charter, Look, Subject
from ostbahn.pictures.terrain import Land, LandFile
from ostbahn.pictures.themes import Mark, Theme, mark
from ostbahn.titles.cz.moravia_table import WESTBAHN, MoraviaTitle
from ostbahn.titles.cz.pictures import aid, charters, homes, process, trains
from ostbahn.titles.cz.pictures.local_railways import locals_picture
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import CzTitle, read

SIZES: Final = {"small": ("S", "#b7c9a8"), "medium": ("M", "#9fb8cf"), "large": ("L", "#d9b48f")}
"""How start prices of each size are marked: a letter, and a colour beside it."""
WESTBAHN_MARK: Final = mark(WESTBAHN, "#b1cec7")
"""The marker of the Mährische Westbahn, which is a private paper in Moravia-Silesia."""


class CzLook(Look[CzTitle, CzTable]):
    chart_rows = 2
    train_columns = 5
    purple_edge = "Only a Local Railway's power lays this tile."
    subjects: Mapping[str, Subject] = {
        "locals": Subject(lambda game, _, theme: locals_picture(game, theme), "the Local Railways of 18CZ")
    }

    def marks(self, title: CzTitle) -> Mapping[str, Mark]:
        companies = {id_: mark(id_, company.colour) for id_, company in title.companies.items()}
        return {WESTBAHN: WESTBAHN_MARK, **companies} if isinstance(title, MoraviaTitle) else companies

    def phase_colour(self, table: CzTable) -> str:
        return table.title.phases[table.state.phase].colour

    def awaited_homes(self, table: CzTable) -> Mapping[str, Sequence[str]]:
        return homes.awaited_homes(table)

    def land(self, title: CzTitle) -> Land:
        return Land(title.map, read("land.toml", LandFile))

    def start_marks(self, title: CzTitle, price: int) -> Sequence[tuple[str, str]]:
        return [SIZES[size] for size, spec in title.sizes.items() if price in spec.start_prices]

    def start_legend(self, title: CzTitle) -> str:
        return f"start prices: {', '.join(f'{SIZES[size][0]} {size}' for size in title.sizes)}"

    def process(self, table: CzTable, theme: Theme) -> str:
        return process.process(table, theme)

    def in_play(self, table: CzTable) -> list[str]:
        return charters.in_play(table)

    def charter(self, table: CzTable, company: str) -> Charter:
        return charters.charter_of(table, company)

    def train_cards(self, table: CzTable, theme: Theme) -> list[str]:
        return trains.train_cards(table, theme)

    def aid(self, title: CzTitle) -> Aid:
        return aid.aid(title)


LOOK: Final = CzLook()
