"""The table of 18Mag, through which its rules read and change the state."""

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
        """How many stations a company got for nothing: a minor its home."""
        return int(company in self.title.minors)

    def terrain_tokens(self, minor: str) -> int | None:
        """How many a minor has; None if they have no end."""
        return self.state.terrain_tokens[minor]

    def extra_towns(self, card: str) -> int:
        """How many towns a train may visit beyond its number in the present turn, rail cars aside."""
        return 0

    def stock_turn(self, turn: StockRound) -> Task:
        """A player's turn in a Share Round, as it is put on the agenda."""
        return turn

    def name(self, who: str | None) -> str:
        """Minors have numbers only, so people are told that it is a minor."""
        return f"minor {who}" if who in self.title.minors else super().name(who)
