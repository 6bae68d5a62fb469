"""The spreadsheet: players by companies, and what each Operating Round brought."""

from __future__ import annotations

from collections.abc import Iterable

from ostbahn.views.figure_models import CellView, ColumnView, IncomeView, RowView, SheetView
from ostbahn.views.models import CompanyView, PlayerView
from ostbahn.views.past import Past


def sheet_view(players: Iterable[PlayerView], companies: Iterable[CompanyView], past: Past) -> SheetView:
    """From views that are made already. Minors have no shares, and companies that are gone no column."""
    return SheetView(
        columns=tuple(_column(company) for company in companies if company.bank_percent is not None),
        rows=tuple(_row(player) for player in players),
        incomes=tuple(IncomeView(round=earned.round, received=dict(earned.received)) for earned in past.earned),
    )


def _column(company: CompanyView) -> ColumnView:
    return ColumnView(
        company=company.id,
        name=company.name,
        mark=company.mark,
        state=company.state,
        price=company.price,
        price_moved=company.price_moved,
        bank_percent=company.bank_percent,
        treasury=company.treasury,
        trains=tuple(train.face for train in company.trains),
        last_revenue=company.last_revenue,
        last_dividend=company.last_dividend,
        yield_percent=company.yield_percent,
    )


def _row(player: PlayerView) -> RowView:
    return RowView(
        seat=player.seat,
        name=player.name,
        shares={
            held.company: CellView(percent=held.percent, value=held.value, is_director=held.is_director)
            for held in player.holdings
        },
        cash=player.cash,
        shares_value=sum(held.value for held in player.holdings),
        papers_value=sum(paper.value for paper in player.papers),
        owed=player.debt + player.penalty,
        worth=player.worth,
        rank=player.rank,
        can_raise=player.can_raise,
        certificates=player.certificates,
        certificate_limit=player.certificate_limit,
    )
