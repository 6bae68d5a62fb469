"""What a module of the expansion can change: tables, handlers, the opening and the table (18Mag M.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ostbahn.eighteen.operating import PlayerAsked
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.state import Setup
from ostbahn.kernel.steps import Step
from ostbahn.titles.mag.rounds import TurnDecision
from ostbahn.titles.mag.rulebook import TaskHandlers
from ostbahn.titles.mag.state import MagState, MagTable
from ostbahn.titles.mag.title import MagPlayersSpec, MagTitle, TitleData


class MagModule:
    """By itself a module changes nothing; each replaces what it is about, and leaves the rest to the others."""

    table: type[MagTable] = MagTable
    """What lies on the table is asked through this class."""

    def title_data(self, data: TitleData) -> TitleData:
        return data

    def handlers(self, handlers: TaskHandlers) -> TaskHandlers:
        return handlers

    def draw_lots(self, title: MagTitle, setup: Setup, opening: MagState, chance: Chance) -> None:
        """Draw what is drawn by lot before the start prices."""

    def opening_state(self, title: MagTitle, opening: MagState) -> MagState:
        """The state before the first action."""
        return opening


def with_steps(handler: Any, *steps: Step[Any, Any, Any]) -> Any:
    """A decision with further answers; one of the same kind is replaced where it stands."""
    described = (handler.asks_for, handler.order_rule) if isinstance(handler, TurnDecision | PlayerAsked) else ()
    new = {step.action: step for step in steps}
    kept = [new.pop(step.action, step) for step in handler.steps]
    return type(handler)(*described, *kept, *new.values())


def with_players(
    players: Mapping[int, MagPlayersSpec], field: str, numbers: Mapping[int, int]
) -> Mapping[int, MagPlayersSpec]:
    """What everybody takes in the first Share Round, with other numbers of one kind."""
    return {number: replace(spec, **{field: numbers[number]}) for number, spec in players.items() if number in numbers}
