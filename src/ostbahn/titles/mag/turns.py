"""Turns in a Share Round, and the PD card (18Mag VII.2)."""

from __future__ import annotations

from msgspec.structs import replace

from ostbahn.titles.mag.prices import rise_where_sold_out
from ostbahn.titles.mag.state import MagTable, StockRound


def acted(table: MagTable, task: StockRound) -> None:
    """Somebody sold or bought, so the passes begin anew (VII.2/1)."""
    _next(table, replace(task, passes=0, last=task.player))


def passed(table: MagTable, task: StockRound) -> None:
    """As many passes in a row as there are players end the round (VII.2/1)."""
    passes = task.passes + 1
    if passes < len(table.state.order):
        _next(table, replace(task, passes=passes))
        return
    table.pop()
    if task.last is not None:
        table.state.priority = left_of(table, task.last)
    rise_where_sold_out(table)


def left_of(table: MagTable, player: str) -> str:
    """The PD card goes to the left neighbour of whoever sold or bought last (VII.2/2)."""
    order = table.state.order
    return order[(order.index(player) + 1) % len(order)]


def _next(table: MagTable, task: StockRound) -> None:
    table.replace(table.stock_turn(replace(task, player=left_of(table, task.player), sold=())))
