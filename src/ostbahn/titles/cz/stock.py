"""A player's turn in a Stock Round (18CZ VII.1)."""

from __future__ import annotations

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.steps import Decision, Plain
from ostbahn.titles.cz.actions import RepayDebt
from ostbahn.titles.cz.shares import Sell, certificate_count, certificate_limit
from ostbahn.titles.cz.state import CzTable, StockRound
from ostbahn.titles.cz.turn_order import next_player


class Repay(Plain[CzTable, StockRound, RepayDebt]):
    """Paying back the whole loan, in one's own turn (VIII.11/10)."""

    action = RepayDebt

    def refusal(self, table: CzTable, task: StockRound, action: RepayDebt) -> Refusal | None:
        debt = table.state.debts.get(task.player, 0)
        if not debt:
            return table.refuse("VIII.11/10", f"{table.name(task.player)} has no debt")
        cash = table.state.cash[task.player]
        if cash < debt:
            return table.refuse(
                "VIII.11/9",
                f"the whole debt of {debt} K must be repaid at once and {table.name(task.player)} has only {cash} K",
            )
        return None

    def perform(self, table: CzTable, task: StockRound, action: RepayDebt) -> None:
        pay(table, task.player, BANK, table.state.debts[task.player], "debt repaid", "loans")
        table.state.debts = {player: debt for player, debt in table.state.debts.items() if player != task.player}


class LeaveStockTurn(Plain[CzTable, StockRound, Pass]):
    """Ending the turn; without a sale it is a pass (VII.1/5)."""

    action = Pass

    def refusal(self, table: CzTable, task: StockRound, action: Pass) -> Refusal | None:
        held, limit = certificate_count(table, task.player), certificate_limit(table)
        forced = held > limit and table.ruled("above_certificate_limit") == "must sell"
        if forced and next(Sell().answers(table, task), None) is not None:
            return table.refuse(
                "VII.4/7",
                f"{table.name(task.player)} has {held} certificates and must sell down to {limit} first",
            )
        return None

    def perform(self, table: CzTable, task: StockRound, action: Pass) -> None:
        next_player(table, task, passed=not task.sold)


class StockTurn(Decision[CzTable, StockRound]):
    order_rule = "IV.2.a/1"
    asks_for = "sell and buy shares"

    def decider(self, table: CzTable, task: StockRound) -> str:
        return task.player
