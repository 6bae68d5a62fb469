"""What a major pays: enough to move its marker, and no more than the coming rounds can spare."""

from __future__ import annotations

from functools import cache
from math import floor

from ostbahn.bots.mag.horizon import cash_value, rounds_after
from ostbahn.bots.mag.majors import income, shares
from ostbahn.bots.mag.weights import MagWeights
from ostbahn.bots.proposal import Proposal, best_first
from ostbahn.kernel import chart
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.actions import PayDividend
from ostbahn.titles.mag.state import MagTable, PayOut


def proposals(question: Question, table: MagTable, task: PayOut, weights: MagWeights) -> list[Proposal]:
    """Amounts that just move the marker, and everything; each followed by the best that can be done later."""
    plan = Plan(table, task.company, question.decider, weights)
    cash = table.state.cash[task.company]
    space = chart.position(table, task.company) or 0
    found = []
    for amount in plan.amounts(cash):
        score = plan.now(amount, cash, space)
        spaces = plan.spaces(amount)
        found.append(
            Proposal(PayDividend(amount), score, (f"moves the price by {spaces}", f"leaves {cash - amount} Ft"))
        )
    return best_first(found)


class Plan:
    """The payouts of a major until the end, for one of its shareholders."""

    def __init__(self, table: MagTable, major: str, player: str, weights: MagWeights) -> None:
        self.table = table
        self.held = shares(table, player, major)
        self.prices = table.title.prices
        self.step = table.title.major.payout_step
        self.rows = [(row.up_to, row.spaces) for row in table.title.payouts]
        rounds = floor(rounds_after(table, weights) + 0.5)
        self.rounds = min(rounds, weights.payout.horizon)
        self.discount = weights.payout.discount
        self.cash = cash_value(table, weights)
        self.income = int(income(table, major, weights, table.state.phase)) // self.step * self.step
        self.later = cache(self._later)

    def amounts(self, cash: int) -> list[int]:
        """Nothing, the least for each move of the marker, and everything."""
        least = [0, *((up_to or 0) + self.step for up_to, _ in self.rows[:-1])]
        everything = cash // self.step * self.step
        return sorted({amount for amount in least if amount <= everything} | {everything})

    def spaces(self, amount: int) -> int:
        return next(spaces for up_to, spaces in self.rows if up_to is None or amount <= up_to)

    def moved(self, space: int, amount: int) -> int:
        return min(max(space + self.spaces(amount), 0), len(self.prices) - 1)

    def now(self, amount: int, cash: int, space: int) -> float:
        return self.cash * self.held * amount / 10 + self.later(cash - amount, self.moved(space, amount), self.rounds)

    def _later(self, cash: int, space: int, rounds: int) -> float:
        """The best from the next round on, with what the major is expected to get."""
        if not rounds:
            return float(self.held * self.prices[space])
        cash += self.income
        return max(
            self.discount ** (self.rounds - rounds + 1) * self.cash * self.held * amount / 10
            + self.later(cash - amount, self.moved(space, amount), rounds - 1)
            for amount in self.amounts(cash)
        )
