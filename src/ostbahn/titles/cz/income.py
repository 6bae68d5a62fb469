"""Dividends: paid out or withheld (18CZ VIII.8)."""

from __future__ import annotations

from ostbahn.kernel.money import BANK, holdings, pay
from ostbahn.kernel.steps import Plain
from ostbahn.titles.cz.actions import PayOut, Withhold
from ostbahn.titles.cz.prices import fall_without_dividend, rise_for_dividend
from ostbahn.titles.cz.state import CzTable, UseIncome


def dividend(revenue: int, percent: int) -> int:
    """A player's part, rounded up once on his whole holding (VIII.8/15)."""
    return -(-revenue * percent // 100)


def pay_out(table: CzTable, company: str, revenue: int) -> None:
    """Everything to the shareholders; what the bank holds stays in the bank (VIII.8/14)."""
    for player, percent in holdings(table, company).items():
        pay(table, BANK, player, dividend(revenue, percent), f"dividend of {company}", "dividends")
    rise_for_dividend(table, company)


class Pay(Plain[CzTable, UseIncome, PayOut]):
    """The dividend (VIII.8/14)."""

    action = PayOut

    def perform(self, table: CzTable, task: UseIncome, action: PayOut) -> None:
        table.pop()
        pay_out(table, task.company, task.revenue)


class Keep(Plain[CzTable, UseIncome, Withhold]):
    """Everything into the treasury (VIII.8/17)."""

    action = Withhold

    def perform(self, table: CzTable, task: UseIncome, action: Withhold) -> None:
        table.pop()
        pay(table, BANK, task.company, task.revenue, "revenue withheld", "runs")
        fall_without_dividend(table, task.company)
