"""How companies look: letters and colours of our own, which can be told apart without colour."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.pictures.board import BoardTitle, Scene
from ostbahn.pictures.themes import LIGHT
from ostbahn.pictures.tiles import Mark
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import CzTitle
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.title import MagTitle

SHORT: Final = {"RÁBA": "RÁ", "G&C": "GC", "SNW": "SN", "SIK": "SI", "SzKÉV": "SK", "LdStEG": "Ld", "MÁVAG": "MÁ"}
"""Majors of 18Mag on their markers."""
DARK_INK: Final = "#1d1d1d"
LIGHT_INK: Final = "#ffffff"


def ink_on(colour: str) -> str:
    """Dark letters on light colours, light ones on dark."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return DARK_INK if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else LIGHT_INK


def mark(letters: str, colour: str) -> Mark:
    return Mark(letters, colour, ink_on(colour))


@cache
def marks_of(title: CzTitle | MagTitle) -> Mapping[str, Mark]:
    """For each company of a title the mark of its stations."""
    if isinstance(title, MagTitle):
        majors = {id_: mark(SHORT[id_], major.colour) for id_, major in title.companies.items()}
        colours = LIGHT.companies
        minors = {id_: mark(id_, colours[(int(id_) - 1) % len(colours)]) for id_ in title.minors}
        return {**majors, **minors}
    companies = {id_: mark(id_, company.colour) for id_, company in title.companies.items()}
    return {**companies, "MW": companies.get("MW", mark("MW", "#b1cec7"))}


def scene_of(game: Game) -> Scene:
    """The board of a game as it lies, ready to be drawn."""
    table = game.table
    assert isinstance(table, (CzTable, MagTable))
    colour = table.state.phase
    if isinstance(table, CzTable):
        colour = table.title.phases[table.state.phase].colour
    title: BoardTitle = table.title
    return Scene(title, table.state.board, colour, marks_of(table.title))
