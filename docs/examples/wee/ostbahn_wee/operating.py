"""Operating Rounds (3): whose turn it is, what is done with the income, and new trains."""

from __future__ import annotations

from collections.abc import Iterable

from ostbahn.eighteen.operating import Asking
from ostbahn.eighteen.stock import move_price
from ostbahn.kernel import money
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.records import PhaseBegan, TrainMoved, TurnBegan
from ostbahn.kernel.state import Train
from ostbahn.kernel.steps import Listed, Plain, Routine
from ostbahn_wee import actions, state
from ostbahn_wee.actions import BuyTrain
from ostbahn_wee.running import RUNNING
from ostbahn_wee.state import WeeTable


class NextCompany(Routine[WeeTable, state.OperatingRound]):
    """The next company begins its turn, with no income yet (3.1)."""

    def proceed(self, table: WeeTable, task: state.OperatingRound) -> None:
        if not task.waiting:
            table.pop()
            return
        company, *rest = task.waiting
        table.replace(state.OperatingRound(tuple(rest)))
        table.note(TurnBegan(company))
        table.state.revenue = {**table.state.revenue, company: 0}
        turn = state.LayTrack, state.OperateTrains, state.UseIncome, state.PurchaseTrains
        table.push(*(step(company) for step in reversed(turn)))


class CompanyTurn(Asking[WeeTable]):
    """What a Director decides for a company (3.1)."""

    def settled(self, table: WeeTable, task: state.CompanyTask) -> bool:
        """Nobody is asked about trains that earn nothing, no income, or trains that cannot be bought."""
        match task:
            case state.OperateTrains():
                return not RUNNING.best(table, task.company).revenue
            case state.UseIncome():
                return not table.state.revenue[task.company]
            case state.PurchaseTrains():
                return next(Purchase().answers(table, task), None) is None
        return False


class PayOut(Plain[WeeTable, state.UseIncome, actions.PayOut]):
    action = actions.PayOut

    def perform(self, table: WeeTable, task: state.UseIncome, action: actions.PayOut) -> None:
        """What falls to shares in the bank stays there (3.3)."""
        table.pop()
        for player, percent in money.holdings(table, task.company).items():
            amount = table.state.revenue[task.company] * percent // 100
            pay(table, BANK, player, amount, f"dividend of {task.company}", "dividends")
        move_price(table, task.company, 1, "dividend")


class Withhold(Plain[WeeTable, state.UseIncome, actions.Withhold]):
    action = actions.Withhold

    def perform(self, table: WeeTable, task: state.UseIncome, action: actions.Withhold) -> None:
        table.pop()
        pay(table, BANK, task.company, table.state.revenue[task.company], "income", "runs")
        move_price(table, task.company, -1, "no dividend")


class Purchase(Listed[WeeTable, state.PurchaseTrains, BuyTrain]):
    """One train; the question comes again as long as there is another that could be bought (3.4)."""

    action = BuyTrain

    def candidates(self, table: WeeTable, task: state.PurchaseTrains) -> Iterable[BuyTrain]:
        return map(BuyTrain, table.title.trains)

    def refusal(self, table: WeeTable, task: state.PurchaseTrains, action: BuyTrain) -> Refusal | None:
        if action.face != table.on_sale:
            return table.refuse("3.4", f"{table.on_sale}-trains are sold now, not {action.face}-trains")
        if len(table.trains_of(task.company)) >= table.phase.train_limit:
            return table.refuse("3.4", f"{task.company} has as many trains as the limit allows")
        return table.too_dear("3.4", task.company, table.title.trains[action.face].price, f"a {action.face}-train")

    def perform(self, table: WeeTable, task: state.PurchaseTrains, action: BuyTrain) -> None:
        company, face, spec = task.company, action.face, table.title.trains[action.face]
        pay(table, company, BANK, spec.price, f"{face}-train", "trains")
        table.state.sold = {**table.state.sold, face: table.state.sold.get(face, 0) + 1}
        train = Train(f"{face}.{table.state.sold[face]}", face)
        table.give_train(company, train)
        table.note(TrainMoved(train.card, face, "stack", company))
        if spec.begins is not None and table.state.sold[face] == 1:
            table.state.phase = spec.begins
            table.note(PhaseBegan(spec.begins))
