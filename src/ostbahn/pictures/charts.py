"""Share charts with their markers: prices in a row, or in a zigzag of two."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kernel.table import Table
from ostbahn.kernel.title import Title
from ostbahn.pictures.look import full_name, look_of, marks_of, money
from ostbahn.pictures.panels import box, card_ground, heading, line, page, pill, soft, strip
from ostbahn.pictures.svg import group, titled
from ostbahn.pictures.themes import LIGHT, Theme

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
LETTER: Final = 16.0
"""Width of a mark with a single letter."""
MARGIN: Final = 20.0
TOP: Final = 48.0
BETWEEN: Final = 14.0


def chart_picture(game: Game, theme: Theme = LIGHT, bands: int = 1) -> str:
    """The chart as it lies. On a narrow screen it is better broken into several bands."""
    table = game.table
    title = table.title
    rows = look_of(title).chart_rows
    columns = -(-len(title.prices) // rows)
    columns = -(-columns // bands)
    height = HEAD + FOOT + STEP * max(LEAST, *map(len, table.state.chart))
    band = rows * height + (rows - 1) * BETWEEN / 2
    parts = [
        heading(f"{full_name(title)} share prices", MARGIN, 30, theme, width=columns * WIDTH * 0.56),
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
    return page(width, total, parts, theme, f"Share chart of {full_name(title)}", describe(table))


def describe(table: Table) -> str:
    """Prices with the companies on them, highest first, for those who do not see the picture."""
    prices, stacks = table.title.prices, table.state.chart
    found = [f"{money(table.title, prices[space])}: {', '.join(stack)}" for space, stack in enumerate(stacks) if stack]
    return "; ".join(reversed(found)) or "no company has a price yet"


def _legend(title: Title, columns: int, theme: Theme) -> str:
    right, words = MARGIN + columns * WIDTH, look_of(title).start_legend(title)
    return line(words, right, 30, 11, soft(theme), anchor="end", width=columns * WIDTH * 0.4)


@lru_cache(maxsize=4096)
def _space(title: Title, space: int, stack: tuple[str, ...], x: float, y: float, height: float, theme: Theme) -> str:
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
    starts = look_of(title).start_marks(title, price)
    letter = all(len(letters) == 1 for letters, _ in starts)
    wide = LETTER if letter else (WIDTH - 10) / len(starts)
    for at, (letters, colour) in enumerate(starts):
        left = x + WIDTH / 2 + (at - len(starts) / 2) * (wide + 2) + 1
        parts.append(strip(letters, left, y + height - 18, colour, wide, 9.5))
    return group(parts, id=f"price-{price}", class_="price")
