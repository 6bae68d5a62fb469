"""Rail cars: which of them pay for themselves on this run."""

from __future__ import annotations

from typing import Final

from ostbahn.bots.proposal import Proposal, best_first, with_reason
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.actions import BuyCar, Car, RunTrains
from ostbahn.titles.mag.cars import service
from ostbahn.titles.mag.opponents.horizon import cash_value, rounds_after, treasury_value
from ostbahn.titles.mag.opponents.majors import gift
from ostbahn.titles.mag.opponents.runs import Earned
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.running import best, showing_all
from ostbahn.titles.mag.state import MagTable, OperateTrains

WORST: Final = -1000.0
"""Less than any run is worth."""


def proposals(question: Question, table: MagTable, task: OperateTrains, weights: MagWeights) -> list[Proposal]:
    """One car after another, as each is asked about again: the best that shows on the run, or the trains run."""
    judge = Judge(table, task, weights)
    plain = judge.worth(())
    found = []
    for option in question:
        if isinstance(option.action, RunTrains):
            found.append(Proposal(option.action, plain))
        elif isinstance(option.action, BuyCar):
            worth = judge.worth((option.action.car,)) if judge.shows(option.action.car) else WORST
            more = worth - plain
            reasons = (f"the run is worth about {more:.0f} Ft more to you with it",) if more >= 1 else ()
            found.append(Proposal(option.action, worth, reasons))
    ranked = best_first(found)
    runs = bool(ranked) and isinstance(ranked[0].action, RunTrains)
    return with_reason(ranked, "no car pays for itself on this run") if runs and len(ranked) > 1 else ranked


class Judge:
    """What a run with some cars is worth to the owner."""

    def __init__(self, table: MagTable, task: OperateTrains, weights: MagWeights) -> None:
        self.table = table
        self.task = task
        self.weights = weights
        self.treasury = treasury_value(rounds_after(table, weights), weights)
        self.cash = cash_value(table, weights)

    def shows(self, car: Car) -> bool:
        """Whether all cars would show on the run; the trains may not run before they do."""
        return showing_all(self.table, self.task.company, (*self.task.cars, car)) is not None

    def worth(self, more: tuple[Car, ...]) -> float:
        """Below everything where the cars cannot be paid."""
        table, minor, cars = self.table, self.task.company, (*self.task.cars, *more)
        prices = table.phase.rail_cars[len(self.task.cars) : len(cars)]
        if sum(prices) > table.state.cash[minor]:
            return WORST
        run = best(table, minor, cars)
        worth = Earned(run.revenue, run.subsidy - sum(prices)).worth(self.treasury, self.cash)
        return worth + self._back(more, prices)

    def _back(self, more: tuple[Car, ...], prices: tuple[int, ...]) -> float:
        """What comes back by the majors that sell the cars."""
        player = self.table.state.owners[self.task.company]
        back = 0.0
        for car, price in zip(more, prices, strict=False):
            seller = service(self.table, car)
            back += gift(self.table, player, seller.major, price, self.weights) if seller is not None else 0.0
        return back
