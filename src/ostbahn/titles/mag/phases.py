"""Phases, and what happens when no train is sold (18Mag VI.3.9, VI.4.3)."""

from __future__ import annotations

from ostbahn.kernel.records import PhaseBegan
from ostbahn.titles.mag.events import NoTrainSold
from ostbahn.titles.mag.state import MagTable


def train_sold(table: MagTable, face: str) -> None:
    """The first train from a stack with an indicator tile begins the next phase (VI.3.9/1 to VI.3.9/3)."""
    state = table.state
    state.sold_train = True
    new = face in state.indicators
    if new:
        state.indicators = tuple(other for other in state.indicators if other != face)
        begin_next_phase(table)
    first = table.title.stacks[face].indicator and state.cards[face] == 1
    if first or table.ruled("no_train_sold_count") == "any from a stack":
        state.no_train = 0


def begin_next_phase(table: MagTable) -> None:
    """The set of Operating Rounds ends with the present one (VI.3.9/4); after the last phase nothing follows."""
    phases = list(table.title.phases)
    following = phases.index(table.state.phase) + 1
    if following == len(phases):
        return
    table.state.phase = phases[following]
    table.state.phase_began = True
    table.note(PhaseBegan(phases[following]))


def no_train_sold(table: MagTable) -> None:
    """A token for a round without a sale; the third one advances the phase (VI.4.3/6 to VI.4.3/8)."""
    state = table.state
    if state.sold_train or not state.indicators or table.phase.final:
        return
    state.no_train += 1
    table.note(NoTrainSold(state.no_train))
    if state.no_train < table.title.no_train_tokens:
        return
    state.no_train = 0
    if table.ruled("no_train_sold_advance") == "its tile is used up":
        # The tokens lie on the lowest stack that has an indicator tile, and that tile is the one that is used.
        state.indicators = state.indicators[1:]
    begin_next_phase(table)
