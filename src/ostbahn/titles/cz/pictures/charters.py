"""Charters of the companies of 18CZ."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK, holding
from ostbahn.pictures.cards import director_words, income_words, price_words, station_names
from ostbahn.pictures.look import Charter, money
from ostbahn.titles.cz.phases import train_limit
from ostbahn.titles.cz.state import CzTable


def in_play(table: CzTable) -> list[str]:
    """By price."""
    return [company for company in chart.by_price(table) if company not in table.state.closed]


def charter_of(table: CzTable, company: str) -> Charter:
    state, spec = table.state, table.title.companies[company]
    floated = company in state.floated
    facts = [
        ("Director", director_words(table, company)),
        ("share price", price_words(table, company)),
        ("treasury", money(table.title, state.cash[company]) if floated else "not floated"),
        ("last income", income_words(table, company)),
        ("bank holds", f"{holding(table, BANK, company)} %"),
    ]
    trains = state.trains.get(company, ())
    locals_ = [(local, local in state.used_powers) for local, owner in state.locals.items() if owner == company]
    limits = table.title.phases[state.phase].train_limit
    return Charter(
        id=company,
        name=spec.name,
        kind=f"{spec.size} company",
        facts=facts,
        trains=trains,
        limit=train_limit(table, company) if spec.size in limits else 0,
        stations=station_names(table, company),
        left=marker_prices(table, company),
        asides=("Local Railways", locals_),
    )


def marker_prices(table: CzTable, company: str) -> list[int]:
    """What the markers on a charter cost in turn; before it has a home, the first is free and stands there."""
    state, prices = table.state, table.title.station_prices
    if company in state.closed:
        return []
    if company not in state.markers:
        count = table.title.companies[company].spec.markers
        return [0, prices.first, *[prices.further] * (count - 2)]
    left = sum(state.markers[company])
    if table.builds_free(company):
        return [0] * left
    home = [] if state.board.stations_of(company) or company in state.operated else [0]
    cheap = [prices.first] if home or table.first_marker_due(company) else []
    return [*home, *cheap, *[prices.further] * left][:left]
