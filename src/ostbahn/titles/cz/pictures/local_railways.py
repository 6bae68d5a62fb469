"""The Local Railways, which in Moravia-Silesia are private papers, as cards."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.pictures.cards import sheet
from ostbahn.pictures.look import full_name
from ostbahn.pictures.panels import box, line, paragraph, soft, strip
from ostbahn.pictures.svg import group, titled
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.titles.cz.moravia_table import MoraviaTable
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import Local
from ostbahn.titles.cz.words.face import cz_table

LOCAL: Final = (226.0, 144.0)
PAPERS: Final = {
    "3E": ("makes one run for a company", "may leave out towns, adds red bonuses"),
    "MW": ("a station on its home hex", "lays the tile there for nothing"),
}
"""What the two private papers of Moravia-Silesia do that are no Local Railways (XI.2/28 to XI.2/35)."""
INCOMES: Final = {"3E": "none", "MW": "value of its city"}


def locals_picture(game: Game, theme: Theme = LIGHT) -> str:
    """The Local Railways (in Moravia-Silesia the private papers) with income, powers and owners."""
    table = cz_table(game)
    kinds = [local.size for local in table.title.locals.values()]
    columns = max(3, max(map(kinds.count, kinds))) if kinds else 3
    cards = [draw_local(table, local, theme) for local in table.title.locals.values()]
    price = f", {table.state.local_price} K each" if table.state.local_price else ""
    return sheet(cards, LOCAL, columns, f"{full_name(table.title)} Local Railways{price}", theme)


def powers(local: Local) -> list[str]:
    """What a Local Railway can be used for, once."""
    found = []
    if local.waives:
        *others, last = local.waives
        found.append(f"waives the cost of a {', '.join(others)}{' or ' if others else ''}{last}")
    if local.purple:
        found.append(f"lays a purple tile: {', '.join(local.purple)}")
    return found


def _first_price(table: CzTable, local: Local) -> str:
    """What it costs on the pre-stock sheet; in an auction that is the least bid."""
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
        titled(f"{local.id} {local.name}, {where}"),
        box(0, 0, wide, high, theme.card, theme.border),
        line(local.id, 12, 29, 22, theme.ink, width=52, bold=True),
        name.svg,
        line(_first_price(table, local), 66, name.below, 10.5, soft(theme), width=wide - 76),
        line("income", 12, 72, 10.5, soft(theme)),
        line(INCOMES.get(local.id, f"{local.income} K"), 66, 72, 13, theme.ink, bold=True),
    ]
    for at, words in enumerate(powers(local) or PAPERS.get(local.id, ())):
        parts.append(line(words, 12, 91 + at * 15, 11, soft(theme) if used else theme.ink, width=wide - 24))
    parts.append(line(where, 12, high - 10, 11.5, soft(theme), width=110))
    if used:
        parts.append(strip("used", wide - 56, high - 23, theme.tiles["grey"], 46))
    return group(parts, id=f"local-{local.id}", opacity=0.55 if owner is None else None)
