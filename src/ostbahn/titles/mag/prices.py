"""The share-price chart (18Mag VIII)."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK
from ostbahn.titles.mag.state import MagTable


def fall_for_sale(table: MagTable, major: str) -> None:
    """One space left for each sale, whatever its size (VII.4/7, VIII.3/1)."""
    shift(table, major, table.title.chart.sale, "sale")


def rise_where_sold_out(table: MagTable) -> None:
    """At the end of a Share Round, those of which players hold everything; highest price first (VIII.3/2)."""
    for major in chart.by_price(table):
        if BANK not in table.state.certificates[major]:
            shift(table, major, table.title.chart.sold_out, "sold out")


def move_for_payout(table: MagTable, major: str, amount: int) -> None:
    """By table 8, read by the whole amount that leaves the treasury (VI.4.3/4)."""
    row = next(row for row in table.title.payouts if row.up_to is None or amount <= row.up_to)
    shift(table, major, row.spaces, "dividend" if amount else "no dividend")


def shift(table: MagTable, major: str, spaces: int, why: str) -> None:
    """A marker stops at the ends of the row (VIII.3/1, VIII.3/3)."""
    space = chart.position(table, major)
    assert space is not None, f"{major} has no marker on the chart"
    chart.enter(table, major, min(max(space + spaces, 0), len(table.title.prices) - 1), why)
