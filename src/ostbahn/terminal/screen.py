"""Printing to the terminal: lines, tables, charts, and the protocol of a title's terminal renderer."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Protocol

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.table import Table
from ostbahn.kits.catalogue import kit_of

WIDTH_OF_FILES = 120
"""Width of output into a file or a pipe."""


def open_console() -> Console:
    """A new console for each command, since tests replace stdout. No markup."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH_OF_FILES
    return Console(width=width, markup=False, highlight=False, emoji=False)


def print_line(console: Console, text: str, style: str | None = None) -> None:
    """Print text; the terminal wraps long lines, so that paths can be copied whole."""
    console.print(text, style=style, soft_wrap=True)


def print_lines(console: Console, lines: Iterable[Text]) -> None:
    """Print lines of a drawing without wrapping."""
    for line in lines:
        console.print(line, no_wrap=True, crop=False, overflow="ignore")


WIDE = 117
"""From this width on charts and companies are drawn in full."""
NONE = "–"


def print_table(
    console: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[str]
) -> None:
    """Print rows as a table, or each as a line where the terminal is too narrow."""
    grid, rows = Grid(padding=(0, 1, 0, 0), box=SIMPLE_HEAD, show_edge=False, pad_edge=False), list(rows)
    for column in columns:
        grid.add_column(column, justify="right" if column in right else "left")
    for row in rows:
        grid.add_row(*row)
    print_line(console, title, "bold")
    if console.width >= WIDE or _width_of(console, grid) <= console.width:
        console.print(grid)
        return
    for who, *values in rows:
        cells = [f"{name} {value}" for name, value in zip(columns[1:], values, strict=True) if value != NONE]
        console.print(Padding(f"{who}: {', '.join(cells)}", (0, 0, 0, 2), expand=False))


def _width_of(console: Console, grid: Grid) -> int:
    """The natural width of a table."""
    return Measurement.get(console, console.options.update(max_width=10 * WIDE), grid).maximum


def print_chart(console: Console, table: Table, currency: str) -> None:
    """Print the share-price chart: only prices with markers, highest first."""
    prices, stacks = table.title.prices, table.state.chart
    spaces = [f"{prices[space]} {currency} {' '.join(stack)}" for space, stack in enumerate(stacks) if stack]
    print_line(console, " · ".join(reversed(spaces)) or "no company has started")


def short_city(table: Table, city: str) -> str:
    """The id of a city, or only its hex if that has no other city."""
    hex_id = hex_of(city)
    face = table.state.board.face(table.title.tile_set, table.title.map[hex_id])
    return hex_id if len(face.nodes) == 1 else city


class TerminalRenderer(Protocol):
    @property
    def legend(self) -> tuple[str, ...]:
        """Lines that explain the signs on the board."""

    def show_table(self, console: Console) -> None:
        """Players, companies, chart and trains."""

    def board_lines(self, width: int) -> list[Text]: ...


def terminal_renderer_of(game: Game) -> TerminalRenderer:
    return kit_of(game).terminal_renderer(game)
