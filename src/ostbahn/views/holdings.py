"""Shares: what somebody holds of all companies, and who holds what of one."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK, holding, share_unit
from ostbahn.kernel.table import Table
from ostbahn.views.common import mark_view, who_view
from ostbahn.views.models import HolderKind, HoldingView, ShareView


def holdings_of(table: Table, owner: str) -> tuple[HoldingView, ...]:
    """What somebody holds, highest price first."""
    found = []
    for company in chart.by_price(table):
        percent, holders = holding(table, owner, company), table.state.certificates[company]
        if percent:
            price = chart.price(table, company)
            found.append(
                HoldingView(
                    company=company,
                    name=table.title.companies[company].name,
                    mark=mark_view(table, company),
                    percent=percent,
                    certificates=holders.count(owner),
                    is_director=holders[0] == owner,
                    price=price,
                    value=price * percent // share_unit(table, company),
                )
            )
    return tuple(found)


def shares_of(table: Table, company: str) -> tuple[ShareView, ...]:
    """Who holds how much: the director, other players by their holding, and what is left in the bank."""
    holders = table.state.certificates.get(company, ())
    shares = [
        ShareView(
            holder=who_view(table, holder),
            kind=_kind(table, holder),
            percent=holding(table, holder, company),
            certificates=holders.count(holder),
            is_director=holder == holders[0] != BANK,
        )
        for holder in dict.fromkeys(holders)
    ]
    return tuple(sorted(shares, key=lambda share: (share.kind == "bank", not share.is_director, -share.percent)))


def _kind(table: Table, holder: str) -> HolderKind:
    if holder == BANK:
        return "bank"
    return "player" if holder in table.state.players else "bystander"
