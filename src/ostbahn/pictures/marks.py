"""How companies look: letters and colours of our own, which can be told apart without colour."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kits.files import KEPT
from ostbahn.pictures.board import BoardTitle, Scene
from ostbahn.pictures.themes import LIGHT
from ostbahn.pictures.tiles import Mark
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import CzTitle
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.title import MagTitle

SHORT: Final = {"RÁBA": "RÁ", "G&C": "GC", "SNW": "SN", "SIK": "SI", "SzKÉV": "SK", "LdStEG": "Ld", "MÁVAG": "MÁ"}
"""Majors of 18Mag on their markers."""
DARK_INK: Final = "#000000"
"""Nothing brighter: on a colour of middling brightness only black or white are read easily."""
LIGHT_INK: Final = "#ffffff"


def ink_on(colour: str) -> str:
    """Dark or light letters, whichever contrast more with a colour."""
    bright = luminance(colour)
    dark = (bright + 0.05) / (luminance(DARK_INK) + 0.05)
    light = (luminance(LIGHT_INK) + 0.05) / (bright + 0.05)
    return DARK_INK if dark >= light else LIGHT_INK


def luminance(colour: str) -> float:
    """How bright a colour looks, from 0 to 1 (WCAG)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mark(letters: str, colour: str) -> Mark:
    return Mark(letters, colour, ink_on(colour))


@lru_cache(maxsize=KEPT)
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
