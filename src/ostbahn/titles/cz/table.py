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
        """Whether a company pays neither for terrain nor for stations."""
        return False

    def first_marker_due(self, company: str) -> bool:
        """Whether the next station marker is the cheap one: the home is the only station on the map (VIII.6/5)."""
        return self.state.markers[company].own > 0 and len(self.state.board.stations_of(company)) <= 1

    def guests(self, company: str) -> tuple[Train, ...]:
        """Trains that run beside a company's own, on any track."""
        return ()

    def trains(self) -> Iterator[Train]:
        """Those in the pool too, and those that are only guests."""
        yield from super().trains()
        yield from self.state.pool
        yield from (train for company in self.state.floated for train in self.guests(company))

    def paper(self, local: str) -> str:
        """A Local Railway as people call it: by its letter and number; a private paper of another kind by its name."""
        label = self.label(local)
        return f"Local Railway {label}" if label else f"the {self.title.locals[local].name}"

    def label(self, local: str) -> str:
        """The letter and number of a Local Railway; a private paper of another kind has none."""
        spec = self.title.locals.get(local)
        return local if spec is None or spec.income else ""

    def take_local(self, company: str, local: str) -> None:
        """A company has bought a Local Railway (IV.1/10)."""
        self.state.locals = {**self.state.locals, local: company}

    def draw_one(self, things: Sequence[str]) -> str:
        chance = Chance(self.state.chance)
        drawn = things[chance.pick(len(things))]
        self.state.chance = chance.state
        return drawn

    def phase_from(self, letter: str) -> bool:
        """Whether the phase of that letter has begun."""
        return self.state.phase >= letter

    def wealth(self, player: str) -> int:
        """Cash, shares at their price and Local Railways, less penalties and debt (X.2/2)."""
        state, locals_ = self.state, self.title.locals
        held = sum(owner == player and locals_[local].priced for local, owner in state.locals.items())
        owed = state.debts.get(player, 0) + state.penalties.get(player, 0)
        return super().wealth(player) + held * state.local_price - owed

    def winners(self) -> list[str]:
        """The greatest wealth wins (X.2/3), unless the game ended by a rule that names the winner."""
        return super().winners() if self.state.winner is None else [self.state.winner]
