"""Base of the expansion's modules: the title data, handlers, opening and table that they can change (18Mag M.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ostbahn.eighteen.operating import PlayerDecision
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.state import Setup
from ostbahn.kernel.steps import Step
from ostbahn.titles.mag.rounds import TurnDecision
from ostbahn.titles.mag.rulebook import TaskHandlers
from ostbahn.titles.mag.state import MagState, MagTable
from ostbahn.titles.mag.title import MagPlayersSpec, MagTitle, TitleData


class MagModule:
    """A module that changes nothing. Subclasses override what they replace and pass on the rest."""

    table: type[MagTable] = MagTable

    def title_data(self, data: TitleData) -> TitleData:
        return data

    def handlers(self, handlers: TaskHandlers) -> TaskHandlers:
        return handlers

    def draw_lots(self, title: MagTitle, setup: Setup, opening: MagState, chance: Chance) -> None:
        """Make random draws that precede the start prices."""

    def opening_state(self, title: MagTitle, opening: MagState) -> MagState:
        """Change the state before the first action for this module."""
        return opening


def with_steps(decision: Any, *steps: Step[Any, Any, Any]) -> Any:
    """A decision with further steps; a step for the same action replaces the old one in its place."""
    is_described = isinstance(decision, TurnDecision | PlayerDecision)
    description = (decision.asks_for, decision.order_rule) if is_described else ()
    added = {step.action: step for step in steps}
    replaced = [added.pop(step.action, step) for step in decision.steps]
    return type(decision)(*description, *replaced, *added.values())


def with_players(
    players: Mapping[int, MagPlayersSpec], field: str, numbers: Mapping[int, int]
) -> Mapping[int, MagPlayersSpec]:
    """Player specs with new values of a field, only for the given numbers of players."""
    return {number: replace(spec, **{field: numbers[number]}) for number, spec in players.items() if number in numbers}
