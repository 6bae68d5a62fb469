"""The parts of a player's wealth in 18Mag (IX.2)."""

from __future__ import annotations

from ostbahn.server.views.holdings import holdings_of
from ostbahn.titles.mag.state import MagTable


def mag_parts(table: MagTable, seat: str) -> dict[str, int]:
    return {
        "cash": table.state.cash[seat],
        "shares": sum(held.value for held in holdings_of(table, seat)),
    }
