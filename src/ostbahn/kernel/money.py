"""Money and share certificates. Money is integers and moves only here, so that none appears or vanishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ostbahn.kernel.records import CertificateMoved, DirectorChanged, Paid, Purpose

if TYPE_CHECKING:
    from ostbahn.kernel.table import Table

BANK: Final = "bank"
"""The bank's account: inexhaustible, so it may be below zero; all accounts together are always zero."""


def pay(table: Table, source: str, target: str, amount: int, why: str, purpose: Purpose = "other") -> None:
    """Move money between two accounts; only the bank may have less than 0."""
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


def director(table: Table, company: str) -> str | None:
    holder = table.state.certificates[company][0]
    return None if holder == BANK else holder


def holding(table: Table, owner: str, company: str) -> int:
    """The percentage of a company that an owner holds."""
    holders = table.state.certificates.get(company, ())
    if owner not in holders:
        return 0
    percents = table.title.companies[company].certificates
    held = 0
    for number, holder in enumerate(holders):
        if holder == owner:
            held += percents[number]
    return held


def holdings(table: Table, company: str) -> dict[str, int]:
    """All holdings of a company by players, in playing order."""
    percents = {player: holding(table, player, company) for player in table.state.order}
    return {player: percent for player, percent in percents.items() if percent}


def share_unit(table: Table, company: str) -> int:
    """The percentage of one ordinary share."""
    return table.title.companies[company].certificates[-1]


def count_certificates(table: Table, player: str) -> int:
    """How many share certificates a player has; the Director's is one."""
    certificates = table.state.certificates
    if table.counted is not certificates:
        table.counted, table.counts = certificates, {}
    count = table.counts.get(player)
    if count is None:
        count = table.counts[player] = sum(holders.count(player) for holders in certificates.values())
    return count


def move_certificate(table: Table, company: str, number: int, target: str) -> None:
    holders = list(table.state.certificates[company])
    source, holders[number] = holders[number], target
    table.state.certificates = {**table.state.certificates, company: tuple(holders)}
    percent = table.title.companies[company].certificates[number]
    table.note(CertificateMoved(company, percent, source, target))


def ordinary_certificates(table: Table, owner: str, company: str) -> list[int]:
    """The numbers of an owner's certificates, without the Director's."""
    holders = table.state.certificates[company]
    return [number for number in range(1, len(holders)) if holders[number] == owner]


def hand_over_directorship(table: Table, company: str, successor: str) -> None:
    """Swap the Director's certificate for ordinary shares of the same percentage."""
    predecessor = table.state.certificates[company][0]
    percents = table.title.companies[company].certificates
    owed = percents[0]
    for number in ordinary_certificates(table, successor, company):
        if owed > 0:
            move_certificate(table, company, number, predecessor)
            owed -= percents[number]
    move_certificate(table, company, 0, successor)
    table.note(DirectorChanged(company, predecessor, successor))
