"""The end of the game and the reckoning (18CZ X)."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.money import holding, share_unit
from ostbahn.kernel.records import Wealth
from ostbahn.titles.cz.state import CzTable


def wealth(table: CzTable, player: str) -> int:
    """Cash, shares at their price and Local Railways, less penalties and debt (X.2/2)."""
    state = table.state
    shares = sum(
        chart.price(table, company) * holding(table, player, company) // share_unit(table, company)
        for company in state.start_prices
    )
    locals_held = sum(owner == player and table.title.locals[local].priced for local, owner in state.locals.items())
    owed = state.debts.get(player, 0) + state.penalties.get(player, 0)
    return state.cash[player] + shares + locals_held * state.local_price - owed


def standings(table: CzTable) -> dict[str, int]:
    """All players by wealth, greatest first."""
    found = {player: wealth(table, player) for player in table.state.players}
    return dict(sorted(found.items(), key=lambda row: -row[1]))


def winners(table: CzTable) -> list[str]:
    """Whoever has the greatest wealth; equals share the win (X.2/3)."""
    if table.state.winner is not None:
        return [table.state.winner]
    found = standings(table)
    return [player for player, amount in found.items() if amount == max(found.values())]


def reckon(table: CzTable) -> None:
    """The last Operating Round is over: tell what everybody is worth (X.1)."""
    for player, amount in standings(table).items():
        table.note(Wealth(player, amount))
