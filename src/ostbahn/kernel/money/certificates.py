"""Share certificates: things with an identity. Number 0 of a company is its Director's certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ostbahn.kernel.money.ledger import BANK
from ostbahn.kernel.records import CertificateMoved, DirectorChanged

if TYPE_CHECKING:
    from ostbahn.kernel.table import Table


def director(table: Table, company: str) -> str | None:
    """The player who holds the Director's certificate."""
    holder = table.state.certificates[company][0]
    return None if holder == BANK else holder


def holding(table: Table, owner: str, company: str) -> int:
    """The percentage of a company that somebody holds."""
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
    found = {player: holding(table, player, company) for player in table.state.order}
    return {player: percent for player, percent in found.items() if percent}


def share_unit(table: Table, company: str) -> int:
    """The percentage of one ordinary share."""
    return table.title.companies[company].certificates[-1]


def count(table: Table, player: str) -> int:
    """How many share certificates a player has; the Director's is one."""
    certificates = table.state.certificates
    if table.counted is not certificates:
        table.counted, table.counts = certificates, {}
    found = table.counts.get(player)
    if found is None:
        found = table.counts[player] = sum(holders.count(player) for holders in certificates.values())
    return found


def move(table: Table, company: str, number: int, target: str) -> None:
    """Hand one certificate over."""
    holders = list(table.state.certificates[company])
    source, holders[number] = holders[number], target
    table.state.certificates = {**table.state.certificates, company: tuple(holders)}
    percent = table.title.companies[company].certificates[number]
    table.note(CertificateMoved(company, percent, source, target))


def ordinary(table: Table, owner: str, company: str) -> list[int]:
    """The numbers of the ordinary certificates that somebody holds."""
    holders = table.state.certificates[company]
    return [number for number in range(1, len(holders)) if holders[number] == owner]


def hand_over_directorship(table: Table, company: str, successor: str) -> None:
    """Swap the Director's certificate for ordinary shares of the same percentage."""
    predecessor = table.state.certificates[company][0]
    percents = table.title.companies[company].certificates
    owed = percents[0]
    for number in ordinary(table, successor, company):
        if owed > 0:
            move(table, company, number, predecessor)
            owed -= percents[number]
    move(table, company, 0, successor)
    table.note(DirectorChanged(company, predecessor, successor))
