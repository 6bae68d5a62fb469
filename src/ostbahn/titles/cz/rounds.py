"""The course of the game: process track, Operating Rounds, dividends, final wealth (18CZ V, VIII.1 to 3, VIII.8, X)."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK, holdings, pay
from ostbahn.kernel.records import RoundBegan, TurnBegan
from ostbahn.kernel.steps import PlainStep, Routine
from ostbahn.titles.cz import state as tasks
from ostbahn.titles.cz.actions import PayOut, Withhold
from ostbahn.titles.cz.phases import export
from ostbahn.titles.cz.state import CompanyTask, CzTable
from ostbahn.titles.cz.stations import find_home
from ostbahn.titles.cz.stock import fall_without_dividend, rise_for_dividend

# The process track


class NextBox(Routine[CzTable, tasks.Timetable]):
    """Move the turn marker to the next box and begin its round (V/1, V/2)."""

    def proceed(self, table: CzTable, task: tasks.Timetable) -> None:
        boxes = table.title.boxes
        if task.box == len(boxes):
            table.pop()
            table.note_final_wealth()
            return
        box = boxes[task.box]
        table.replace(tasks.Timetable(task.box + 1))
        if box == "export":
            self._between_sets(table, task.box + 1)
            return
        name = round_at(boxes, task.box)
        table.state.round = name
        table.note(RoundBegan(name))
        if box == "SR":
            table.push(tasks.StockRound(first=name == "SR 1", player=table.state.order[0]))
        else:
            self.begin_operating(table, int(box))

    def begin_operating(self, table: CzTable, local_price: int) -> None:
        """Raise the price of Local Railways, pay their income, then let companies act by price (IV.1/5, VIII.2)."""
        table.state.local_price = local_price
        pay_locals(table)
        begin_operating_round(table)

    def _between_sets(self, table: CzTable, box: int) -> None:
        """Export, and ask for returned trains first in the Stock Round that follows."""
        depth = len(table.state.agenda)
        self.end_set(table)
        returns = table.state.agenda[depth:]
        table.state.agenda = table.state.agenda[:depth]
        self.proceed(table, tasks.Timetable(box))
        table.push(*returns)

    def end_set(self, table: CzTable) -> None:
        """Export a train after every set of Operating Rounds but the last (V/4)."""
        export(table)


def round_at(boxes: tuple[str | int, ...], at: int) -> str:
    """Return the name of the round in a box: `SR 3`, `OR 5.2`."""
    starts = [index for index in range(at + 1) if boxes[index] == "SR"]
    return f"SR {len(starts)}" if boxes[at] == "SR" else f"OR {len(starts)}.{at - starts[-1]}"


def present_box(table: CzTable) -> int:
    """Return the index of the current box: -1 before the first, the number of boxes at the end."""
    task = next((task for task in table.state.agenda if isinstance(task, tasks.Timetable)), None)
    return len(table.title.boxes) if task is None else task.box - 1


def sets_of(boxes: tuple[str | int, ...]) -> list[range]:
    """Return the box indices of each set: Stock Round, Operating Rounds and export."""
    starts = [at for at, kind in enumerate(boxes) if kind == "SR"]
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(boxes)], strict=True)]


# Operating Rounds


def pay_locals(table: CzTable) -> None:
    for local, owner in table.state.locals.items():
        pay(table, BANK, owner, table.title.locals[local].income, f"income of {local}", "incomes")


def begin_operating_round(table: CzTable) -> None:
    floated = [company for company in chart.companies_by_price(table) if company in table.state.floated]
    table.push(tasks.OperatingRound(tuple(floated)))


class NextCompany(Routine[CzTable, tasks.OperatingRound]):
    """Begin the next company's turn, skipping those taken over meanwhile (VIII.9/19)."""

    def proceed(self, table: CzTable, task: tasks.OperatingRound) -> None:
        closed = table.state.closed
        waiting = tuple([company for company in task.waiting if company not in closed]) if closed else task.waiting
        if not waiting:
            table.pop()
            return
        company = waiting[0]
        table.replace(tasks.OperatingRound(waiting[1:]))
        first = company not in table.state.operated
        table.note(TurnBegan(company))
        table.push_in_order(self.turn(table, company, first))
        if first:
            table.state.operated = (*table.state.operated, company)
            find_home(table, company)

    def turn(self, table: CzTable, company: str, first: bool) -> tuple[CompanyTask, ...]:
        """Return the steps of a company's turn in order (VIII.3/1)."""
        return (
            tasks.LayTrack(company, first),
            tasks.EstablishStation(company),
            tasks.OperateTrains(company),
            tasks.Acquire(company),
            tasks.PurchaseTrains(company),
            tasks.EndTurn(company),
        )


# Dividends: paid out or withheld


def dividend(revenue: int, percent: int) -> int:
    """Return a player's dividend, rounded up once for the whole holding (VIII.8/15)."""
    return -(-revenue * percent // 100)


def pay_out(table: CzTable, company: str, revenue: int) -> None:
    """Pay the shareholders; the bank keeps its own part (VIII.8/14)."""
    for player, percent in holdings(table, company).items():
        pay(table, BANK, player, dividend(revenue, percent), f"dividend of {company}", "dividends")
    rise_for_dividend(table, company)


class PayOutStep(PlainStep[CzTable, tasks.UseIncome, PayOut]):
    """Pay the revenue as a dividend (VIII.8/14)."""

    action = PayOut

    def perform(self, table: CzTable, task: tasks.UseIncome, action: PayOut) -> None:
        table.pop()
        pay_out(table, task.company, task.revenue)


class WithholdStep(PlainStep[CzTable, tasks.UseIncome, Withhold]):
    """Put the revenue into the treasury (VIII.8/17)."""

    action = Withhold

    def perform(self, table: CzTable, task: tasks.UseIncome, action: Withhold) -> None:
        table.pop()
        pay(table, BANK, task.company, task.revenue, "revenue withheld", "runs")
        fall_without_dividend(table, task.company)
