"""The module `standard_divs`: a major pays out everything or nothing (18Mag M.2)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.questions import Option
from ostbahn.titles.mag.actions import PayDividend
from ostbahn.titles.mag.majors import PayDividendStep
from ostbahn.titles.mag.modules.module import MagModule, with_steps
from ostbahn.titles.mag.rulebook import TaskHandlers
from ostbahn.titles.mag.state import MagTable, PayOut


def full_payout(table: MagTable, major: str) -> int:
    """The treasury, rounded down to a payable amount (M.2/1)."""
    cash = table.state.cash[major]
    return cash - cash % table.title.major.payout_step


class PayAllOrNothing(PayDividendStep):
    """Pay out everything or nothing; prices move as usual (M.2/1, M.2/3)."""

    def answers(self, table: MagTable, task: PayOut) -> Iterator[Option]:
        for amount in sorted({0, full_payout(table, task.company)}):
            yield Option(PayDividend(amount))

    def refusal(self, table: MagTable, task: PayOut, action: PayDividend) -> Refusal | None:
        full_amount = full_payout(table, task.company)
        if action.amount in (0, full_amount):
            return None
        return table.refuse("M.2/1", f"{task.company} pays out {full_amount} Ft or nothing, not {action.amount} Ft")


class StandardDividendsModule(MagModule):
    def handlers(self, handlers: TaskHandlers) -> TaskHandlers:
        """A major without a director still pays everything (M.2/2)."""
        return {**handlers, PayOut: with_steps(handlers[PayOut], PayAllOrNothing())}
