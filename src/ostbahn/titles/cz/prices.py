"""Share-price changes (18CZ IX)."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK
from ostbahn.titles.cz.state import CzTable

ROW = 2
"""One space right or left is two places in the zigzag of prices, one space diagonally is one."""


def rise_for_dividend(table: CzTable, company: str) -> None:
    """One space right in its row, a large company two; at the end of the row it stops (IX.2/1, IX.2/2)."""
    space = _space(table, company)
    for _ in range(table.title.companies[company].spec.price_steps):
        if space + ROW < len(table.title.prices):
            space += ROW
    chart.enter(table, company, space, "dividend")


def fall_without_dividend(table: CzTable, company: str) -> None:
    """One space left in its row, unless it is at the row's end (IX.2/3, IX.2/4)."""
    space = _space(table, company)
    chart.enter(table, company, space - ROW if space >= ROW else space, "no dividend")


def fall_for_sale(table: CzTable, company: str) -> None:
    """One space diagonally left, whatever the number sold (IX.3/1, IX.3/2)."""
    chart.enter(table, company, max(_space(table, company) - 1, 0), "sale")


def rise_where_sold_out(table: CzTable) -> None:
    """At the end of a Stock Round: one space diagonally right, highest price first (IX.3/3, IX.3/4)."""
    top = len(table.title.prices) - 1
    for company in chart.by_price(table):
        if BANK not in table.state.certificates[company]:
            chart.enter(table, company, min(_space(table, company) + 1, top), "sold out")


def _space(table: CzTable, company: str) -> int:
    space = chart.position(table, company)
    if space is None:
        raise KeyError(f"{company} has no marker on the chart")
    return space
