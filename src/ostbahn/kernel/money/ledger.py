"""Money: integers, moved only here, so that nothing appears and nothing vanishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ostbahn.kernel.records import Paid, Purpose

if TYPE_CHECKING:
    from ostbahn.kernel.table import Table

BANK: Final = "bank"
"""The bank's account: inexhaustible, so it may be below zero; all accounts together are always zero."""


def pay(table: Table, source: str, target: str, amount: int, why: str, purpose: Purpose = "other") -> None:
    """Move money between two accounts; nobody but the bank may be left with less than nothing."""
    if amount == 0 or source == target:
        return
    state = table.state
    cash = dict(state.cash)
    left = cash[source] - amount
    if amount < 0 or (left < 0 and source != BANK):
        raise ValueError(f"{source} cannot pay {amount} to {target} for {why}")
    cash[source] = left
    cash[target] += amount
    state.cash = cash
    table.note(Paid(source, target, amount, why, purpose))
