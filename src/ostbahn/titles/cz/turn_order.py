"""Playing Order cards and whose turn it is (18CZ VI, VII.2)."""

from __future__ import annotations

from msgspec.structs import replace

from ostbahn.titles.cz.prices import rise_where_sold_out
from ostbahn.titles.cz.state import CzTable, StockRound


def order_by_cash(table: CzTable, most_first: bool) -> tuple[str, ...]:
    """Players by their cash; equals keep their old relative order (VI/8, VII.2/4)."""
    cash = table.state.cash
    sign = -1 if most_first else 1
    return tuple(sorted(table.state.order, key=lambda player: sign * cash[player]))


def next_player(table: CzTable, task: StockRound, passed: bool) -> None:
    """The turn goes round; when all have passed one after another, the round is over (VII.2/1, VII.2/2)."""
    order = table.state.order
    passes = task.passes + 1 if passed else 0
    if passes == len(order):
        end_stock_round(table)
        return
    following = order[(order.index(task.player) + 1) % len(order)]
    table.replace(replace(task, player=following, passes=passes, sold=()))


def end_stock_round(table: CzTable) -> None:
    """Sold-out companies rise; the player with the MOST money comes first (IX.3/3, VII.2/3)."""
    table.pop()
    rise_where_sold_out(table)
    table.state.order = order_by_cash(table, most_first=True)
