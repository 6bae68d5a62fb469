"""Parts of views that titles share: marks, places, people, holdings, and share figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ostbahn.kernel import chart
from ostbahn.kernel.map.board import hex_of, place_name
from ostbahn.kernel.money import BANK, holding, share_unit
from ostbahn.kernel.table import Table
from ostbahn.pictures.board_style import marks_of
from ostbahn.text.formatting import printable
from ostbahn.text.words import plural
from ostbahn.views.models import HoldingView, MarkView, PlaceView, ShareView, When, WhoView
from ostbahn.views.title_views import RecordStats


def mark_view(table: Table, company: str) -> MarkView:
    mark = marks_of(table.title)[company]
    return MarkView(letters=mark.letters, colour=mark.colour, ink=mark.ink)


def who_view(table: Table, who: str) -> WhoView:
    """A seat, a holder without a seat, or the bank."""
    return WhoView(seat=who, name="the bank" if who == BANK else printable(table.name(who)))


def place_view(table: Table, place: str) -> PlaceView:
    return PlaceView(id=place, hex=hex_of(place), name=place_name(table.title, place, table.state.board))


def place_views(table: Table, places: Iterable[str]) -> tuple[PlaceView, ...]:
    return tuple(place_view(table, place) for place in places)


def ranks(worth: Mapping[str, int]) -> dict[str, int]:
    """Ranks by wealth, 1 for the richest; equals share a rank."""
    return {who: 1 + sum(other > amount for other in worth.values()) for who, amount in worth.items()}


def next_train_words(number: int) -> str:
    return f"after {plural(number, 'more train')}" if number else "the next train"


def when_of(at: int, present: int) -> When:
    """Whether a position in a sequence is done, now or ahead."""
    return "now" if at == present else "done" if at < present else "ahead"


def holdings_of(table: Table, owner: str) -> tuple[HoldingView, ...]:
    """Share holdings of an owner, the highest price first."""
    views = []
    for company in chart.companies_by_price(table):
        percent, holders = holding(table, owner, company), table.state.certificates[company]
        if percent:
            price = chart.price(table, company)
            views.append(
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
    return tuple(views)


def shares_of(table: Table, company: str) -> tuple[ShareView, ...]:
    """Who holds how much: the director, other players by their holding, then the bank."""
    holders = table.state.certificates.get(company, ())
    shares = [
        ShareView(
            holder=who_view(table, holder),
            kind="bank" if holder == BANK else "player" if holder in table.state.players else "bystander",
            percent=holding(table, holder, company),
            certificates=holders.count(holder),
            is_director=holder == holders[0] != BANK,
        )
        for holder in dict.fromkeys(holders)
    ]
    return tuple(sorted(shares, key=lambda share: (share.kind == "bank", not share.is_director, -share.percent)))


def income_fields(past: RecordStats, seat: str) -> dict[str, Any]:
    """Fields of a player view: income in the last Operating Round."""
    if not past.earned:
        return {}
    last = past.earned[-1]
    return {"last_income": last.received.get(seat), "income_round": last.round}


def share_figures(
    table: Table, past: RecordStats, company: str, start_price: int | None, per_share: Callable[[int], int]
) -> dict[str, Any]:
    """Fields of a company view: share prices and dividends.

    per_share: turns the total of a dividend into the amount for one share.
    """
    paid, price = past.paid.get(company), chart.price(table, company)
    dividend = per_share(paid) if paid is not None else None
    return {
        "start_price": start_price,
        "price_moved": past.moved.get(company, 0),
        "last_dividend": dividend,
        "yield_percent": round_quotient(100 * dividend, price) if dividend is not None else None,
    }


def round_quotient(numerator: int, denominator: int) -> int:
    """Divide and round to the nearest integer, halves up."""
    return (2 * numerator + denominator) // (2 * denominator)


def bank_share_fields(table: Table, company: str) -> dict[str, Any]:
    """Fields of a company view: unsold shares; empty if the company is not in the game."""
    if company not in table.state.certificates:
        return {}
    percent = holding(table, BANK, company)
    return {"bank_percent": percent, "places": (unsold_shares(table, company, percent),) if percent else ()}


def unsold_shares(
    table: Table, company: str, percent: int, certificates: int | None = None, name: str | None = None
) -> ShareView:
    """Unsold shares in one place, such as the bank."""
    return ShareView(
        holder=who_view(table, BANK) if name is None else WhoView(seat=BANK, name=name),
        kind="bank",
        percent=percent,
        certificates=table.state.certificates[company].count(BANK) if certificates is None else certificates,
    )


def sold_out(table: Table, company: str) -> bool:
    return BANK not in table.state.certificates.get(company, (BANK,))


def per_unit(table: Table, company: str) -> Callable[[int], int]:
    """Turns the total of a dividend into the amount for one share, rounded down."""
    unit = share_unit(table, company)
    return lambda paid: paid * unit // 100
