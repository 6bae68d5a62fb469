"""Operating Rounds: income of the Local Railways, and the companies' turns (18CZ VIII.1 to VIII.3)."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.records import TurnBegan
from ostbahn.kernel.steps import Routine
from ostbahn.titles.cz.homes import find_home
from ostbahn.titles.cz.state import (
    Acquire,
    CompanyTask,
    CzTable,
    EndTurn,
    EstablishStation,
    LayTrack,
    OperateTrains,
    OperatingRound,
    PurchaseTrains,
)


def begin_operating_round(table: CzTable, local_price: int) -> None:
    """Local Railways rise in price and pay; then the companies act by price (IV.1/5, VIII.2)."""
    table.state.local_price = local_price
    pay_locals(table)
    line_up(table)


def pay_locals(table: CzTable) -> None:
    for local, owner in table.state.locals.items():
        pay(table, BANK, owner, table.title.locals[local].income, f"income of {local}", "incomes")


def line_up(table: CzTable) -> None:
    floated = [company for company in chart.by_price(table) if company in table.state.floated]
    table.push(OperatingRound(tuple(floated)))


class NextCompany(Routine[CzTable, OperatingRound]):
    """The next company begins its turn; one that was taken over meanwhile has lost it (VIII.9/19)."""

    def proceed(self, table: CzTable, task: OperatingRound) -> None:
        closed = table.state.closed
        waiting = tuple([company for company in task.waiting if company not in closed]) if closed else task.waiting
        if not waiting:
            table.pop()
            return
        company = waiting[0]
        table.replace(OperatingRound(waiting[1:]))
        first = company not in table.state.operated
        table.note(TurnBegan(company))
        table.line_up(self.turn(table, company, first))
        if first:
            table.state.operated = (*table.state.operated, company)
            find_home(table, company)

    def turn(self, table: CzTable, company: str, first: bool) -> tuple[CompanyTask, ...]:
        """The steps of a company's turn in their order (VIII.3/1)."""
        return (
            LayTrack(company, first),
            EstablishStation(company),
            OperateTrains(company),
            Acquire(company),
            PurchaseTrains(company),
            EndTurn(company),
        )


class FinishTurn(Routine[CzTable, EndTurn]):
    """Offers that were declined may be made afresh in the next turn."""

    def proceed(self, table: CzTable, task: EndTurn) -> None:
        table.pop()
        table.state.declined = {}
