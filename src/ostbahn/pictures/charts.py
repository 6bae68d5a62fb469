"""Share charts with their markers: the zigzag of 18CZ and the row of 18Mag."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.pictures.marks import marks_of
from ostbahn.pictures.panels import box, card_ground, heading, line, page, pill, soft, strip
from ostbahn.pictures.svg import group, titled
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.pictures.views import AnyTable, AnyTitle, money, name_of, table_of_game
from ostbahn.titles.cz.title import CzTitle

WIDTH: Final = 64.0
"""Of a space."""
MARKER: Final = 19.0
"""Height of a marker."""
STEP: Final = 21.0
"""From a marker to the one beneath it."""
HEAD: Final = 26.0
FOOT: Final = 20.0
LEAST: Final = 3
"""Markers for which every space has room."""
MARGIN: Final = 20.0
TOP: Final = 48.0
BETWEEN: Final = 14.0
SIZES: Final = {"small": ("S", "#b7c9a8"), "medium": ("M", "#9fb8cf"), "large": ("L", "#d9b48f")}
"""How start prices of each size are marked: a letter, and a colour beside it."""


def chart_picture(game: Game, theme: Theme = LIGHT, bands: int = 1) -> str:
    """The chart as it lies. On a narrow screen it is better broken into several bands."""
    table = table_of_game(game)
    title = table.title
    rows = 2 if isinstance(title, CzTitle) else 1
    columns = -(-len(title.prices) // rows)
    columns = -(-columns // bands)
    height = HEAD + FOOT + STEP * max(LEAST, *map(len, table.state.chart))
    band = rows * height + (rows - 1) * BETWEEN / 2
    parts = [
        heading(f"{name_of(title)} share prices", MARGIN, 30, theme, width=columns * WIDTH * 0.56),
        _legend(title, columns, theme),
    ]
    for space in range(len(title.prices)):
        column, row = divmod(space, rows)
        number, column = divmod(column, columns)
        x = MARGIN + (column + row / 2) * WIDTH
        y = TOP + number * (band + BETWEEN) + (rows - 1 - row) * (height + BETWEEN / 2)
        parts.append(_space(title, space, table.state.chart[space], x, y, height, theme))
    width = 2 * MARGIN + (columns + (rows - 1) / 2) * WIDTH
    total = TOP + bands * (band + BETWEEN) - BETWEEN + MARGIN
    return page(width, total, parts, theme, f"Share chart of {name_of(title)}", describe(table))


def describe(table: AnyTable) -> str:
    """Prices with the companies on them, highest first, for those who do not see the picture."""
    prices, stacks = table.title.prices, table.state.chart
    found = [f"{money(table.title, prices[space])}: {', '.join(stack)}" for space, stack in enumerate(stacks) if stack]
    return "; ".join(reversed(found)) or "no company has a price yet"


def start_marks(title: AnyTitle, price: int) -> Sequence[tuple[str, str]]:
    """What companies can start at a price: letters of their sizes, or how many start cards show it."""
    if isinstance(title, CzTitle):
        return [SIZES[size] for size, spec in title.sizes.items() if price in spec.start_prices]
    count = title.chart.start_cards.count(price)
    return [(f"start ×{count}", "#b7c9a8")] if count else []


def _legend(title: AnyTitle, columns: int, theme: Theme) -> str:
    right = MARGIN + columns * WIDTH
    if not isinstance(title, CzTitle):
        words = "start ×2: as many start cards show the price"
        return line(words, right, 30, 11, soft(theme), anchor="end", width=columns * WIDTH * 0.4)
    words = ", ".join(f"{SIZES[size][0]} {size}" for size in title.sizes)
    return line(f"start prices: {words}", right, 30, 11, soft(theme), anchor="end", width=columns * WIDTH * 0.4)


@lru_cache(maxsize=4096)
def _space(title: AnyTitle, space: int, stack: tuple[str, ...], x: float, y: float, height: float, theme: Theme) -> str:
    """A space looks the same as long as the same markers lie on it, so it is drawn once."""
    price, marks = title.prices[space], marks_of(title)
    parts = [
        titled(f"{money(title, price)}{': ' + ', '.join(stack) if stack else ''}"),
        box(x + 1, y, WIDTH - 2, height, card_ground(theme), theme.border, round=4),
        line(str(price), x + WIDTH / 2, y + 18, 15, theme.ink, anchor="middle", bold=True),
    ]
    for depth, company in enumerate(stack):
        marker = pill(marks[company], company, x + 5, y + HEAD + depth * STEP, WIDTH - 10, MARKER, theme)
        parts.append(group([titled(company), marker], id=f"marker-{company}"))
    starts = start_marks(title, price)
    wide = (WIDTH - 10) / max(len(starts), 1) if title.name == "18Mag" else 16.0
    for at, (letters, colour) in enumerate(starts):
        left = x + WIDTH / 2 + (at - len(starts) / 2) * (wide + 2) + 1
        parts.append(strip(letters, left, y + height - 18, colour, wide, 9.5))
    return group(parts, id=f"price-{price}", class_="price")
