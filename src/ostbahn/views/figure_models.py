"""The view models that are put together from others: a company's turn step by step, the order, and the spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ostbahn.views.models import MarkView, View, When

# A company's turn


class StepView(View, frozen=True, kw_only=True):
    """A step in the turn of a company."""

    name: str
    """`Track`, `Station`, `Run`, `Income`, `Take over` or `Trains`."""
    state: Literal["done", "now", "ahead", "skipped"]
    words: str
    """What was done in it, or what is to be expected."""


class MatView(View, frozen=True, kw_only=True):
    """The company in turn and the steps of its turn."""

    company: str
    steps: tuple[StepView, ...]
    interrupted: bool
    """Whether another question comes first, such as an offer to agree to."""


class OrderView(View, frozen=True, kw_only=True):
    """A company in the order of the present Operating Round."""

    company: str
    mark: MarkView
    state: When


# The spreadsheet


class CellView(View, frozen=True, kw_only=True):
    """What a player holds of a company."""

    percent: int
    value: int
    is_director: bool


class ColumnView(View, frozen=True, kw_only=True):
    """A company with shares: its price, treasury, trains and what the bank has left."""

    company: str
    name: str
    mark: MarkView
    state: str
    price: int | None
    price_moved: int
    bank_percent: int | None
    treasury: int | None
    trains: tuple[str, ...]
    """The kinds of its trains."""
    last_revenue: int | None
    last_dividend: int | None
    yield_percent: int | None


class RowView(View, frozen=True, kw_only=True):
    """What a player has, and what they would be worth if the game ended now."""

    seat: str
    name: str
    shares: Mapping[str, CellView]
    """Their shares by company; companies of which they hold nothing are left out."""
    cash: int | None
    shares_value: int
    papers_value: int
    owed: int
    """Debt and penalty together."""
    worth: int | None
    rank: int | None
    can_raise: int | None
    certificates: int
    certificate_limit: int | None


class IncomeView(View, frozen=True, kw_only=True):
    """What everybody's holdings brought them in an Operating Round."""

    round: str
    received: Mapping[str, int]
    """By seat, for all players."""


class SheetView(View, frozen=True, kw_only=True):
    """The spreadsheet: a column for each company, a row for each player, and all incomes."""

    columns: tuple[ColumnView, ...]
    """The companies, in their order."""
    rows: tuple[RowView, ...]
    """The players, in playing order."""
    incomes: tuple[IncomeView, ...]
    """One for each Operating Round so far."""
