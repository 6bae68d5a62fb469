"""Figures from which decisions about shares are taken: yields, incomes, what is left, what could be raised."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK, holding, share_unit
from ostbahn.kernel.questions import Option
from ostbahn.kernel.table import Table
from ostbahn.views.common import who_view
from ostbahn.views.models import ShareView, WhoView
from ostbahn.views.past import Past


def income_figures(past: Past, seat: str) -> dict[str, Any]:
    """What somebody earned in the last Operating Round, as fields of their view."""
    if not past.earned:
        return {}
    last = past.earned[-1]
    return {"last_income": last.received.get(seat), "income_round": last.round}


def share_figures(
    table: Table, past: Past, company: str, start_price: int | None, per_share: Callable[[int], int]
) -> dict[str, Any]:
    """What one asks about a company whose shares have a price, as fields of its view.

    per_share: what one share gets of all that is paid.
    """
    paid, price = past.paid.get(company), chart.price(table, company)
    dividend = per_share(paid) if paid is not None else None
    return {
        "start_price": start_price,
        "price_moved": past.moved.get(company, 0),
        "last_dividend": dividend,
        "yield_percent": rounded(100 * dividend, price) if dividend is not None else None,
    }


def rounded(numerator: int, denominator: int) -> int:
    """A quotient to the nearest whole number, halves upwards."""
    return (2 * numerator + denominator) // (2 * denominator)


def left_in_bank(table: Table, company: str) -> dict[str, Any]:
    """What can still be bought of a company, as fields of its view; nothing if it is not in the game."""
    if company not in table.state.certificates:
        return {}
    percent = holding(table, BANK, company)
    return {"bank_percent": percent, "places": (place(table, company, percent),) if percent else ()}


def place(
    table: Table, company: str, percent: int, certificates: int | None = None, name: str | None = None
) -> ShareView:
    """Shares that nobody holds, where they lie."""
    return ShareView(
        holder=who_view(table, BANK) if name is None else WhoView(seat=BANK, name=name),
        kind="bank",
        percent=percent,
        certificates=table.state.certificates[company].count(BANK) if certificates is None else certificates,
    )


def all_sold(sales: Iterable[Option], subject: Callable[[Any], str], brings: Callable[[Any], int]) -> int:
    """What the largest sale of every company brings together; one does not touch the price of another."""
    best: dict[str, int] = {}
    for sale in sales:
        company = subject(sale.action)
        best[company] = max(best.get(company, 0), brings(sale.action))
    return sum(best.values())


def sold_out(table: Table, company: str) -> bool:
    """Whether the bank has nothing of it."""
    return BANK not in table.state.certificates.get(company, (BANK,))


def per_unit(table: Table, company: str) -> Callable[[int], int]:
    """What one share gets of all that is paid, where fractions are lost."""
    unit = share_unit(table, company)
    return lambda paid: paid * unit // 100
