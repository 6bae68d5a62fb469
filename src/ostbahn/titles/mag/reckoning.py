"""The end of the game (18Mag IX)."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.money import holding, share_unit
from ostbahn.kernel.records import Wealth
from ostbahn.titles.mag.state import MagTable


def wealth(table: MagTable, player: str) -> int:
    """Cash and shares at their price; companies' money and trains are worth nothing (IX.2/1, IX.2/2)."""
    shares = sum(
        chart.price(table, major) * holding(table, player, major) // share_unit(table, major)
        for major in table.title.companies
    )
    return table.state.cash[player] + shares


def standings(table: MagTable) -> dict[str, int]:
    """All players by wealth, greatest first."""
    found = {player: wealth(table, player) for player in table.state.players}
    return dict(sorted(found.items(), key=lambda row: -row[1]))


def winners(table: MagTable) -> list[str]:
    """Whoever has the greatest wealth; equals share the win (I/2)."""
    found = standings(table)
    return [player for player, amount in found.items() if amount == max(found.values())]


def reckon(table: MagTable) -> None:
    """The last Operating Round is over: tell what everybody is worth (IX.1)."""
    for player, amount in standings(table).items():
        table.note(Wealth(player, amount))
