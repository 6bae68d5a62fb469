"""Operating Rounds (3): turns, running trains, income, buying trains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ostbahn.eighteen.operating import CompanyTurnDecision
from ostbahn.eighteen.running import PlainRunning
from ostbahn.eighteen.stock import move_price
from ostbahn.eighteen.table import PlainTable
from ostbahn.kernel import money
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.records import TurnBegan
from ostbahn.kernel.steps import ListedStep, PlainStep, Routine
from ostbahn_wee import actions, state

RUNNING: Final = PlainRunning("3.2")


class NextCompany(Routine[PlainTable, state.OperatingRound]):
    """Begin the turn of the next company, with no income yet (3.1)."""

    def proceed(self, table: PlainTable, task: state.OperatingRound) -> None:
        if not task.waiting:
            table.pop()
            return
        company, *rest = task.waiting
        table.replace(state.OperatingRound(tuple(rest)))
        table.note(TurnBegan(company))
        table.state.revenue = {**table.state.revenue, company: 0}
        turn = state.LayTrack, state.OperateTrains, state.UseIncome, state.PurchaseTrains
        table.push(*(step(company) for step in reversed(turn)))


class CompanyTurn(CompanyTurnDecision[PlainTable]):
    """A Director's decision for a company (3.1)."""

    def is_settled(self, table: PlainTable, task: state.CompanyTask) -> bool:
        """Skip runs that earn nothing, missing income, and purchases when no train can be bought."""
        match task:
            case state.OperateTrains():
                return not RUNNING.best(table, task.company).revenue
            case state.UseIncome():
                return not table.state.revenue[task.company]
            case state.PurchaseTrains():
                return next(Purchase().answers(table, task), None) is None
        return False


class PayOut(PlainStep[PlainTable, state.UseIncome, actions.PayOut]):
    action = actions.PayOut

    def perform(self, table: PlainTable, task: state.UseIncome, action: actions.PayOut) -> None:
        """Pay players; the bank pays nothing for its own shares (3.3)."""
        table.pop()
        for player, percent in money.holdings(table, task.company).items():
            amount = table.state.revenue[task.company] * percent // 100
            pay(table, BANK, player, amount, f"dividend of {task.company}", "dividends")
        move_price(table, task.company, 1, "dividend")


class Withhold(PlainStep[PlainTable, state.UseIncome, actions.Withhold]):
    action = actions.Withhold

    def perform(self, table: PlainTable, task: state.UseIncome, action: actions.Withhold) -> None:
        table.pop()
        pay(table, BANK, task.company, table.state.revenue[task.company], "income", "runs")
        move_price(table, task.company, -1, "no dividend")


class Purchase(ListedStep[PlainTable, state.PurchaseTrains, actions.BuyTrain]):
    """Buy one train; the question repeats while the company can buy another (3.4)."""

    action = actions.BuyTrain

    def candidates(self, table: PlainTable, task: state.PurchaseTrains) -> Iterable[actions.BuyTrain]:
        return map(actions.BuyTrain, table.title.trains)

    def refusal(self, table: PlainTable, task: state.PurchaseTrains, action: actions.BuyTrain) -> Refusal | None:
        if action.face != table.on_sale:
            return table.refuse("3.4", f"{table.on_sale}-trains are sold now, not {action.face}-trains")
        if len(table.trains_of(task.company)) >= table.phase.train_limit:
            return table.refuse("3.4", f"{task.company} has as many trains as the limit allows")
        return table.cannot_afford("3.4", task.company, table.title.trains[action.face].price, f"a {action.face}-train")

    def perform(self, table: PlainTable, task: state.PurchaseTrains, action: actions.BuyTrain) -> None:
        table.sell_train(task.company, action.face)
