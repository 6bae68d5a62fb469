"""Share Rounds: what a turn consists of (18Mag VII.1)."""

from __future__ import annotations

from ostbahn.kernel import money
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.steps import Decision, Plain
from ostbahn.titles.mag.shares import Sell, certificate_limit
from ostbahn.titles.mag.state import MagTable, StockRound
from ostbahn.titles.mag.turns import acted, passed


class LeaveStockTurn(Plain[MagTable, StockRound, Pass]):
    """Ending the turn; without a sale it is a pass (VII.1/3, VII.1/4)."""

    action = Pass

    def refusal(self, table: MagTable, task: StockRound, action: Pass) -> Refusal | None:
        """Whoever came above the limit by a swap of director shares sells down first (VII.3/1)."""
        held, limit = money.count_certificates(table, task.player), certificate_limit(table)
        if held > limit and next(Sell().answers(table, task), None) is not None:
            return table.refuse(
                "VII.3/1", f"{table.name(task.player)} has {held} certificates and must sell down to {limit} first"
            )
        return None

    def perform(self, table: MagTable, task: StockRound, action: Pass) -> None:
        if task.sold:
            acted(table, task)
        else:
            passed(table, task)


class StockTurn(Decision[MagTable, StockRound]):
    order_rule = "VII.1/3"
    asks_for = "sell and buy shares"

    def decider(self, table: MagTable, task: StockRound) -> str:
        return task.player
