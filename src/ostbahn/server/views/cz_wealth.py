"""The parts of a player's wealth in 18CZ (X.2)."""

from __future__ import annotations

from ostbahn.server.views.holdings import holdings_of
from ostbahn.server.views.papers import locals_of
from ostbahn.titles.cz.state import CzTable


def cz_parts(table: CzTable, seat: str) -> dict[str, int]:
    """By name; parts that are nothing are there too, so that everybody has the same."""
    state = table.state
    return {
        "cash": state.cash[seat],
        "shares": sum(held.value for held in holdings_of(table, seat)),
        "Local Railways": sum(paper.value for paper in locals_of(table, seat)),
        "debt": -state.debts.get(seat, 0),
        "penalty": -state.penalties.get(seat, 0),
    }
