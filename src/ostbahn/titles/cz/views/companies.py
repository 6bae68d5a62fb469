"""The companies of 18CZ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ostbahn.kernel import chart
from ostbahn.kernel.money import director, holdings, share_unit
from ostbahn.titles.cz.bohemia_table import is_his
from ostbahn.titles.cz.phases import train_limit
from ostbahn.titles.cz.purchase import forced
from ostbahn.titles.cz.rounds import dividend
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stations import markers_left, next_price
from ostbahn.titles.cz.stock import FLOATS_AT
from ostbahn.titles.cz.views.course import turns_of
from ostbahn.titles.cz.views.papers import locals_of
from ostbahn.titles.cz.views.trains import train_view
from ostbahn.views.common import left_in_bank, mark_view, place_views, share_figures, shares_of, sold_out, who_view
from ostbahn.views.models import CompanyState, CompanyView, TrainView
from ostbahn.views.title_views import Past, Turns


def cz_companies(table: CzTable, past: Past) -> tuple[CompanyView, ...]:
    started = chart.by_price(table)
    waiting = [company for company in table.title.companies if company not in started]
    turns = turns_of(table)
    operating = turns.in_order([company for company in started if company in table.state.floated])
    found = [_company(table, past, company, turns) for company in dict.fromkeys([*operating, *started, *waiting])]
    return tuple(sorted(found, key=lambda company: company.state in ("closed", "out of the game")))


def state_of(table: CzTable, company: str) -> tuple[CompanyState, str]:
    """How far a company has come, and how people are told of it."""
    state, opens = table.state, table.title.companies[company].spec.opens_in_phase
    if company in state.closed:
        return "closed", "closed: another company has taken it over"
    if company not in state.certificates:
        return "out of the game", "not in this game"
    if company in state.floated:
        return "operating", "operates" if company in state.operated else "floated, has not operated yet"
    if company in state.start_prices:
        sold = sum(holdings(table, company).values())
        return "started", f"not floated: {sold}% of {FLOATS_AT}% sold"
    if not table.phase_from(opens):
        return "unavailable", f"opens with the first {opens}-train"
    return "not started", "can be started in a stock round"


def _company(table: CzTable, past: Past, company: str, turns: Turns) -> CompanyView:
    spec = table.title.companies[company]
    state, words = state_of(table, company)
    return CompanyView(
        id=company,
        name=spec.name,
        kind=spec.size,
        mark=mark_view(table, company),
        state=state,
        state_words=words,
        opens_in_phase=spec.spec.opens_in_phase,
        start_prices=spec.spec.start_prices if state in ("unavailable", "not started") else (),
        homes=place_views(table, spec.homes),
        shares=shares_of(table, company),
        holding_limit=spec.spec.holding_limit,
        operating_place=turns.place_of(company),
        in_turn=turns.in_turn == company,
        marks=tuple(_marks(table, company)),
        **left_in_bank(table, company),
        **(_in_business(table, past, company) if company in table.state.start_prices else {}),
    )


def _marks(table: CzTable, company: str) -> Iterator[str]:
    """What stands out about a company."""
    state = table.state
    if company in state.start_prices and company not in state.floated:
        yield "unfloated"
    if sold_out(table, company):
        yield "sold out"
    if company in state.floated:
        if not state.trains.get(company):
            yield "no train"
        elif forced(table, company):
            yield "no train it can run"
        if company not in state.revenue:
            yield "first run next"
    if is_his(table, company):
        yield "always pays out"  # XI.1/13


def _in_business(table: CzTable, past: Past, company: str) -> dict[str, Any]:
    """What only a company has that has started."""
    state = table.state
    leader = director(table, company)
    unit = share_unit(table, company)
    fields: dict[str, Any] = {
        **share_figures(table, past, company, state.start_prices[company], lambda paid: dividend(paid, unit)),
        "director": who_view(table, leader) if leader is not None else None,
        "price": chart.price(table, company),
        "last_revenue": state.revenue.get(company),
        "papers": locals_of(table, company),
        "stations": place_views(table, state.board.stations_of(company)),
    }
    if company in state.floated:
        left = markers_left(table, company)
        fields |= {
            "treasury": state.cash[company],
            "trains": _trains(table, company),
            "train_limit": train_limit(table, company),
            "markers_left": left,
            "marker_price": next_price(table, company) if left else None,
        }
    return fields


def _trains(table: CzTable, company: str) -> tuple[TrainView, ...]:
    """Its own, and the one that it has been given for a run."""
    own = [train_view(table, train, table.size(company)) for train in table.state.trains.get(company, ())]
    return (*own, *(train_view(table, train, guest=True) for train in table.guests(company)))
