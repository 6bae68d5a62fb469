"""The table of 18CZ, through which its rules read and change the state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ostbahn.eighteen.table import BaseTable
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.native import native
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.title import CzTitle, PhaseSpec

if TYPE_CHECKING:
    from ostbahn.titles.cz.state import CzState


@native(allow_interpreted_subclasses=True)
class CzTable(BaseTable):
    title: CzTitle
    state: CzState

    @property
    def phase(self) -> PhaseSpec:
        return self.title.phases[self.state.phase]

    def size(self, company: str) -> str:
        return self.title.size_of[company]

    def builds_free(self, company: str) -> bool:
        """Whether a company builds track and stations for free."""
        return False

    def first_marker_due(self, company: str) -> bool:
        """Whether the next station marker is the cheap one: the home is the only station on the map (VIII.6/5)."""
        return self.state.markers[company].own > 0 and len(self.state.board.stations_of(company)) <= 1

    def guests(self, company: str) -> tuple[Train, ...]:
        """Return trains that a company may run besides its own, on any track."""
        return ()

    def trains(self) -> Iterator[Train]:
        """Yield all trains, those in the pool and guests included."""
        yield from super().trains()
        yield from self.state.pool
        yield from (train for company in self.state.floated for train in self.guests(company))

    def paper(self, local: str) -> str:
        """Return the name of a Local Railway or private paper: its label, otherwise its full name."""
        label = self.label(local)
        return f"Local Railway {label}" if label else f"the {self.title.locals[local].name}"

    def label(self, local: str) -> str:
        """Return letter and number of a Local Railway, "" for other private papers."""
        spec = self.title.locals.get(local)
        return local if spec is None or spec.income else ""

    def take_local(self, company: str, local: str) -> None:
        """Give a company the Local Railway that it has bought (IV.1/10)."""
        self.state.locals = {**self.state.locals, local: company}

    def draw_one(self, things: Sequence[str]) -> str:
        chance = Chance(self.state.chance)
        drawn = things[chance.pick(len(things))]
        self.state.chance = chance.state
        return drawn

    def phase_from(self, letter: str) -> bool:
        """Whether the phase of a letter has begun."""
        return self.state.phase >= letter

    def wealth(self, player: str) -> int:
        """Return cash, shares and Local Railways at their prices, less penalties and debt (X.2/2)."""
        state, locals_ = self.state, self.title.locals
        held = sum(owner == player and locals_[local].priced for local, owner in state.locals.items())
        owed = state.debts.get(player, 0) + state.penalties.get(player, 0)
        return super().wealth(player) + held * state.local_price - owed

    def winners(self) -> list[str]:
        """Return the wealthiest players (X.2/3), or the winner named by a rule."""
        return super().winners() if self.state.winner is None else [self.state.winner]
