"""Charters of minors and majors."""

from __future__ import annotations

from ostbahn.kernel import chart
from ostbahn.kernel.map.board import place_name
from ostbahn.kernel.money import BANK, holding
from ostbahn.pictures.cards import director_words, income_words, price_words, station_names
from ostbahn.pictures.look import NONE, Charter, money
from ostbahn.titles.mag.pictures.services import sells
from ostbahn.titles.mag.state import MagTable


def in_play(table: MagTable) -> list[str]:
    """Minors first, as they act first; majors by price."""
    owned = [minor for minor in table.title.minors if table.state.owners.get(minor, BANK) != BANK]
    return owned + chart.by_price(table)


def charter_of(table: MagTable, company: str) -> Charter:
    return _minor(table, company) if company in table.title.minors else _major(table, company)


def _minor(table: MagTable, minor: str) -> Charter:
    state, spec, kind = table.state, table.title.minors[minor], table.title.minor
    owner = state.owners.get(minor)
    taken = owner is not None and owner != BANK
    begun = minor in state.markers
    tokens = state.terrain_tokens.get(minor, spec.terrain_tokens)
    facts = [
        ("owner", table.name(owner) if taken else "nobody yet"),
        ("treasury", money(table.title, state.cash.get(minor, 0)) if taken else NONE),
        ("last income", income_words(table, minor)),
        ("home", place_name(table.title, f"{spec.home.hex}.{spec.home.node}")),
    ]
    left = list(kind.station_prices)
    if begun:
        left = left[len(left) - min(state.markers[minor], len(left)) :]
    return Charter(
        id=minor,
        name=spec.name,
        kind=f"minor {minor} ({spec.short})",
        facts=facts,
        trains=state.trains.get(minor, ()),
        limit=kind.train_limit,
        stations=station_names(table, minor),
        left=left,
        asides=("terrain tokens", [("▲", False)] * tokens),
    )


def _major(table: MagTable, major: str) -> Charter:
    state, title = table.state, table.title
    facts = [
        ("director", director_words(table, major)),
        ("share price", price_words(table, major)),
        ("treasury", money(title, state.cash[major])),
        ("last payout", income_words(table, major)),
        ("bank holds", f"{holding(table, BANK, major)} %"),
    ]
    prices = title.major.marker_prices
    return Charter(
        id=major,
        name=title.companies[major].name,
        kind="major",
        facts=facts,
        trains=(),
        limit=0,
        stations=station_names(table, major),
        left=prices[len(prices) - state.markers[major] :],
        asides=("sells", [(what, False) for what in sells(title, major)]),
    )
