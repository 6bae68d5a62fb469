"""How 18Mag looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ostbahn.kernel.map.board import city_id
from ostbahn.kernel.money import BANK
from ostbahn.pictures.look import Aid, Charter, Look, Subject
from ostbahn.pictures.terrain import Land, LandFile
from ostbahn.pictures.themes import LIGHT, Mark, Theme, mark
from ostbahn.titles.mag.pictures import aid, charters, process, trains
from ostbahn.titles.mag.pictures.services import services_picture
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.title import MagTitle, read

SHORT: Final = {
    "RÁBA": "RÁ",
    "G&C": "GC",
    "SNW": "SN",
    "SIK": "SI",
    "SzKÉV": "SK",
    "LdStEG": "Ld",
    "MÁVAG": "MÁ",
    "CIWL": "CI",
}
"""Majors on their markers."""
START_CARD: Final = "#b7c9a8"


class MagLook(Look[MagTitle, MagTable]):
    subjects: Mapping[str, Subject] = {
        "services": Subject(lambda game, _, theme: services_picture(game, theme), "what majors of 18Mag sell")
    }

    def marks(self, title: MagTitle) -> Mapping[str, Mark]:
        colours = LIGHT.companies
        majors = {id_: mark(SHORT[id_], major.colour) for id_, major in title.companies.items()}
        return {**majors, **{id_: mark(id_, colours[(int(id_) - 1) % len(colours)]) for id_ in title.minors}}

    def phase_colour(self, table: MagTable) -> str:
        return table.state.phase

    def awaited_homes(self, table: MagTable) -> Mapping[str, Sequence[str]]:
        """Of minors that can still be drafted; the others have a station at home, or are out of the game (V/7)."""
        minors, owners = table.title.minors, table.state.owners
        waiting = [id_ for id_ in minors if owners.get(id_) == BANK]
        return {city_id(minors[id_].home.hex, minors[id_].home.node): (id_,) for id_ in waiting}

    def land(self, title: MagTitle) -> Land:
        return Land(title.map, read("land.toml" if title.variant == "base" else "land_two_player.toml", LandFile))

    def start_marks(self, title: MagTitle, price: int) -> Sequence[tuple[str, str]]:
        count = title.chart.start_cards.count(price)
        return [(f"×{count}", START_CARD)] if count else []

    def start_legend(self, title: MagTitle) -> str:
        return "×2: two start cards show the price"

    def process(self, table: MagTable, theme: Theme) -> str:
        return process.process(table, theme)

    def in_play(self, table: MagTable) -> list[str]:
        return charters.in_play(table)

    def charter(self, table: MagTable, company: str) -> Charter:
        return charters.charter_of(table, company)

    def train_cards(self, table: MagTable, theme: Theme) -> list[str]:
        return trains.train_cards(table, theme)

    def aid(self, title: MagTitle) -> Aid:
        return aid.aid(title)


LOOK: Final = MagLook()
