"""The share-price chart: a row of prices with stacks of markers on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ostbahn.kernel.records import PriceMoved

if TYPE_CHECKING:
    from ostbahn.kernel.table import Table


def position(table: Table, company: str) -> int | None:
    """The space of a company's marker, counted from the lowest price; None if it has not started."""
    for space, stack in enumerate(table.state.chart):
        if stack and company in stack:
            return space
    return None


def space_of(table: Table, company: str) -> int:
    """The position of a company that must have started."""
    space = position(table, company)
    if space is None:
        raise KeyError(f"{company} has no marker on the chart")
    return space


def price(table: Table, company: str) -> int:
    return table.title.prices[space_of(table, company)]


def place_marker(table: Table, company: str, space: int, why: str) -> None:
    """Put a marker on a space, beneath those already there; a marker that stays keeps its place."""
    before = position(table, company)
    if before == space:
        return
    remove_marker(table, company)
    chart = list(table.state.chart)
    chart[space] = (*chart[space], company)
    table.state.chart = tuple(chart)
    prices = table.title.prices
    table.note(PriceMoved(company, 0 if before is None else prices[before], prices[space], why))


def remove_marker(table: Table, company: str) -> None:
    space = position(table, company)
    if space is not None:
        chart = list(table.state.chart)
        chart[space] = tuple(other for other in chart[space] if other != company)
        table.state.chart = tuple(chart)


def companies_by_price(table: Table) -> list[str]:
    """All companies on the chart, highest price first, upper marker before lower."""
    return [company for stack in reversed(table.state.chart) for company in stack]
