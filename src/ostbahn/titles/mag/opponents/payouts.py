"""What a major pays: enough to move its marker, and no more than the coming rounds can spare."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import floor
from typing import Final

from ostbahn.bots.proposal import Proposal, best_first
from ostbahn.kernel import chart
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.actions import PayDividend
from ostbahn.titles.mag.opponents.horizon import cash_value, rounds_after
from ostbahn.titles.mag.opponents.majors import income, shares, shares_there_are
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import MagTable, PayOut


def proposals(question: Question, table: MagTable, task: PayOut, weights: MagWeights) -> list[Proposal]:
    """Amounts that just move the marker, and everything; each followed by the best that can be done later."""
    plan = _plan_for(table)(table, task.company, question.decider, weights)
    cash = table.state.cash[task.company]
    space = chart.position(table, task.company) or 0
    found = []
    for amount, spaces in plan.choices(cash):
        score = plan.now(amount, spaces, cash, space)
        found.append(Proposal(PayDividend(amount), score, plan.reasons(amount, spaces, cash)))
    return best_first(found)


class Plan:
    """The payouts of a major until the end, for one of its shareholders."""

    def __init__(self, table: MagTable, major: str, player: str, weights: MagWeights) -> None:
        self.held = shares(table, player, major)
        self.all = shares_there_are(table, major)
        self.prices = table.title.prices
        self.step = table.title.major.payout_step
        rows = table.title.payouts
        starts = [0, *((row.up_to or 0) + self.step for row in rows[:-1])]
        self.moves = [(amount, row.spaces) for amount, row in zip(starts, rows, strict=True)]
        """The least amount for each move of the marker."""
        rounds = floor(rounds_after(table, weights) + 0.5)
        self.rounds = min(rounds, weights.payout.horizon)
        self.discount = weights.payout.discount
        self.cash = cash_value(table, weights)
        self.income = int(income(table, major, weights, table.state.phase)) // self.step * self.step
        self.later = cache(self._later)

    def choices(self, cash: int) -> list[tuple[int, int]]:
        """Nothing, the least for each move of the marker, and everything; each with the spaces that it moves."""
        everything = cash // self.step * self.step
        found = [move for move in self.moves if move[0] <= everything]
        if found[-1][0] < everything:
            found.append((everything, found[-1][1]))
        return found

    def now(self, amount: int, spaces: int, cash: int, space: int) -> float:
        return self.cash * self.held * amount / self.all + self.later(
            cash - amount, self.moved(space, spaces), self.rounds
        )

    def reasons(self, amount: int, spaces: int, cash: int) -> tuple[str, ...]:
        """What speaks for an amount: one's own part, a better price, and what is left for later."""
        found = []
        if own := self.held * amount // self.all:
            found.append(f"{own} Ft of it for you")
        if spaces > 0:
            found.append(f"the share price rises by {spaces} space{'s' if spaces > 1 else ''}")
        if left := cash - amount:
            found.append(f"{left} Ft stay for later payouts")
        return tuple(found)

    def moved(self, space: int, spaces: int) -> int:
        return min(max(space + spaces, 0), len(self.prices) - 1)

    def _later(self, cash: int, space: int, rounds: int) -> float:
        """The best from the next round on, with what the major is expected to get."""
        if not rounds:
            return float(self.held * self.prices[space])
        cash += self.income
        paid = self.discount ** (self.rounds - rounds + 1) * self.cash * self.held / self.all
        return max(
            paid * amount + self.later(cash - amount, self.moved(space, spaces), rounds - 1)
            for amount, spaces in self.choices(cash)
        )


class AllOrNothing(Plan):
    """With the module `standard_divs` a major pays everything or nothing, now and later (M.2/1)."""

    def choices(self, cash: int) -> list[tuple[int, int]]:
        nothing, *moves = super().choices(cash)
        return [nothing, *moves[-1:]]


PLANS: Final[Mapping[str, type[Plan]]] = {"standard_divs": AllOrNothing}
"""By modules that say what can be paid out."""


def _plan_for(table: MagTable) -> type[Plan]:
    return next((PLANS[module] for module in table.title.modules if module in PLANS), Plan)
