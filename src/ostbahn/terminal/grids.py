"""Tables in columns, or on a narrow screen in lines; and what else the overviews of all titles share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table as Grid

from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.table import Table
from ostbahn.terminal.screen import say

WIDE = 117
"""From this width on charts and companies are drawn in full."""
NONE = "–"


def grid_of(title: str, *columns: str, right: Sequence[str] = ()) -> Grid:
    grid = Grid(title=title, title_justify="left", title_style="bold", padding=(0, 1, 0, 0))
    grid.box, grid.show_edge, grid.pad_edge = SIMPLE_HEAD, False, False
    for column in columns:
        grid.add_column(column, justify="right" if column in right else "left")
    return grid


def put_rows(
    console: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[str]
) -> None:
    """In columns, or where these would be too narrow, a line for each."""
    grid, rows = grid_of(title, *columns, right=right), list(rows)
    for row in rows:
        grid.add_row(*row)
    if console.width >= WIDE or _width_of(console, grid) <= console.width:
        console.print(grid)
        return
    say(console, title, "bold")
    for who, *values in rows:
        told = [f"{name} {value}" for name, value in zip(columns[1:], values, strict=True) if value != NONE]
        console.print(Padding(f"{who}: {', '.join(told)}", (0, 0, 0, 2), expand=False))


def _width_of(console: Console, grid: Grid) -> int:
    """How wide a table is that may be as wide as it likes."""
    return Measurement.get(console, console.options.update(max_width=10 * WIDE), grid).maximum


def put_prices(console: Console, table: Table, currency: str) -> None:
    """The share-price chart in short: only the prices that carry a marker, the highest first."""
    prices, stacks = table.title.prices, table.state.chart
    found = [f"{prices[space]} {currency} {' '.join(stack)}" for space, stack in enumerate(stacks) if stack]
    say(console, " · ".join(reversed(found)) or "no company has started")


def short_city(table: Table, city: str) -> str:
    """A city by its hex, where the hex has no other."""
    hex_id = hex_of(city)
    face = table.state.board.face(table.title.tile_set, table.title.map[hex_id])
    return hex_id if len(face.nodes) == 1 else city
