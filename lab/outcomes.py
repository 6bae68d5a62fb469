"""What became of a game, as a net is taught to foresee it: payouts of companies, and their last prices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from ostbahn.kernel import chart
from ostbahn.kernel.money import director
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Record, Revenue
from ostbahn.kernel.table import Table
from ostbahn.titles.cz.actions import PayOut
from ostbahn.titles.cz.opponents.prospects import CzBotView
from ostbahn.titles.cz.opponents.weights import cz_search_weights
from ostbahn.titles.cz.state import CzTable, UseIncome
from ostbahn.titles.mag.events import PaidOut
from ostbahn.titles.mag.opponents.weights import mag_search_weights
from ostbahn.titles.mag.opponents.worth import cash_value
from ostbahn.titles.mag.state import MagTable


class Payout(NamedTuple):
    """What a company pays to those who hold it, all of them together."""

    company: str
    amount: float
    grown: float
    """What the amount becomes until the end, well invested."""


def prices(table: Table) -> dict[str, int]:
    """What a share of each company costs, of those that have a price."""
    companies = table.title.companies
    return {company: chart.price(table, company) for company in companies if chart.position(table, company) is not None}


def cz_payouts(question: Question, record: Record, table: CzTable) -> list[Payout]:
    """Dividends, each with what it becomes until the end."""
    task = question.task
    found = []
    if isinstance(task, UseIncome) and isinstance(record.action, PayOut):
        found.append((task.company, task.revenue))
    found += [
        (event.company, event.amount)
        for event in record.events
        if isinstance(event, Revenue) and _always_pays(table, event.company)
    ]
    grown = CzBotView(table, cz_search_weights()).calendar.cash_now if found else 0.0
    return [Payout(company, float(amount), amount * grown) for company, amount in found]


def _always_pays(table: CzTable, company: str) -> bool:
    """A company that no player directs: Vaclav's pay out every run, and nobody is asked (XI.1)."""
    return company in table.state.certificates and director(table, company) not in table.state.players


def mag_payouts(question: Question, record: Record, table: MagTable) -> list[Payout]:
    """Payouts of majors, and the owner's part of a minor's run."""
    numerator, denominator = table.title.minor.owner_part
    grown = cash_value(table, mag_search_weights())
    found = []
    for event in record.events:
        if isinstance(event, PaidOut):
            found.append(Payout(event.company, float(event.amount), event.amount * grown))
        elif isinstance(event, Revenue) and event.company in table.title.minors:
            part = event.amount * numerator / denominator
            found.append(Payout(event.company, part, part * grown))
    return found


PAYOUTS: Final[Mapping[str, Callable[[Question, Record, Any], list[Payout]]]] = {
    "18CZ": cz_payouts,
    "18Mag": mag_payouts,
}
"""By title: what was paid by an answer; the table is the one after it."""
