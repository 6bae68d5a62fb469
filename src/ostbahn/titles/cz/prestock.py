"""The Pre-Stock Round: players buy Local Railways (18CZ VI)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.questions import Option
from ostbahn.kernel.steps import PassStep, Step
from ostbahn.titles.cz.actions import BuyLocal
from ostbahn.titles.cz.state import CzTable, PreStock
from ostbahn.titles.cz.stock import order_by_cash


def player_in_turn(table: CzTable, task: PreStock) -> str:
    """Return the player in snake order; those at the ends act twice in a row (VI/1)."""
    order = table.state.order
    lap, place = divmod(task.turn, len(order))
    return order[place] if lap % 2 == 0 else order[-1 - place]


class BuyLocalStep(Step[CzTable, PreStock, BuyLocal]):
    """Buy any Local Railway on the sheet at its printed price (VI/2)."""

    action = BuyLocal

    def answers(self, table: CzTable, task: PreStock) -> Iterator[Option]:
        cash = table.state.cash[player_in_turn(table, task)]
        for local, owner in table.state.locals.items():
            if owner == BANK and table.title.locals[local].price <= cash:
                yield Option(BuyLocal(local))

    def refusal(self, table: CzTable, task: PreStock, action: BuyLocal) -> Refusal | None:
        spec = table.title.locals.get(action.local)
        if spec is None:
            return table.refuse("VI/2", f"there is no Local Railway called {action.local}")
        owner = table.state.locals.get(action.local)
        if owner != BANK:
            return table.refuse("VI/2", f"{action.local} already belongs to {table.name(owner)}")
        return table.cannot_afford("VI/3", player_in_turn(table, task), spec.price, action.local)

    def perform(self, table: CzTable, task: PreStock, action: BuyLocal) -> None:
        player = player_in_turn(table, task)
        pay(table, player, BANK, table.title.locals[action.local].price, table.paper(action.local), "papers")
        table.state.locals = {**table.state.locals, action.local: player}
        table.replace(PreStock(task.turn + 1, ()))
        if BANK not in table.state.locals.values():
            end(table)


class LeavePreStock(PassStep[CzTable, PreStock]):
    """Pass; the round ends once all have passed since the last purchase (VI/4, VI/6)."""

    def perform(self, table: CzTable, task: PreStock, action: Pass) -> None:
        player = player_in_turn(table, task)
        passed = task.passed if player in task.passed else (*task.passed, player)
        table.replace(PreStock(task.turn + 1, passed))
        if len(passed) == len(table.state.order):
            end(table)


def end(table: CzTable) -> None:
    """Remove unsold Local Railways, and reorder players, LEAST cash first (VI/5, VI/7, VI/8)."""
    table.pop()
    table.state.locals = {local: owner for local, owner in table.state.locals.items() if owner != BANK}
    table.state.order = order_by_cash(table, most_first=False)
