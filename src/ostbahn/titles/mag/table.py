"""The table of 18Mag: rules read and change the state through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ostbahn.eighteen.table import BaseTable
from ostbahn.kernel.native import native
from ostbahn.kernel.state import Task
from ostbahn.titles.mag.title import MagTitle, PhaseSpec

if TYPE_CHECKING:
    from ostbahn.titles.mag.state import MagState, StockRound


@native(allow_interpreted_subclasses=True)
class MagTable(BaseTable):
    title: MagTitle
    state: MagState

    @property
    def phase(self) -> PhaseSpec:
        return self.title.phases[self.state.phase]

    def free_stations(self, company: str) -> int:
        """Number of stations that cost nothing: a minor's home."""
        return int(company in self.title.minors)

    def terrain_tokens(self, minor: str) -> int | None:
        """Tokens left to a minor; None if unlimited."""
        return self.state.terrain_tokens[minor]

    def extra_towns(self, card: str) -> int:
        """Towns that a train may visit beyond its own stops in this turn, without rail cars."""
        return 0

    def stock_turn(self, turn: StockRound) -> Task:
        """The agenda's task for a player's turn in a Share Round."""
        return turn

    def name(self, who: str | None) -> str:
        """Minors are only numbers, so the word minor precedes them."""
        return f"minor {who}" if who in self.title.minors else super().name(who)
