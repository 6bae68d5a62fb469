"""The companies of 18Mag: minors by number, majors by price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import city_id
from ostbahn.kernel.money import BANK, director, holding, share_unit
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.stations import next_price
from ostbahn.titles.mag.trains import trains_of
from ostbahn.titles.mag.views.course import turns_of
from ostbahn.titles.mag.views.players import is_automaton
from ostbahn.titles.mag.views.trains import train_view
from ostbahn.titles.mag.words.cards import minor_card_words, supporter_words
from ostbahn.titles.mag.words.face import home_name, mag_table, sells
from ostbahn.views.common import (
    mark_view,
    per_unit,
    place,
    place_views,
    plural,
    share_figures,
    shares_of,
    sold_out,
    who_view,
)
from ostbahn.views.models import CompanyState, CompanyView, PlaceView, ShareView
from ostbahn.views.title_views import Past, Turns


def mag_companies(table: MagTable, past: Past, start_prices: Mapping[str, int]) -> tuple[CompanyView, ...]:
    """Minors of players and majors in the order in which they act; then minors that nobody has."""
    owned = [minor for minor in table.title.minors if table.state.owners.get(minor) in table.state.players]
    free = [minor for minor in table.title.minors if minor not in owned]
    turns = turns_of(table)
    active = turns.in_order([*owned, *chart.by_price(table)])
    return tuple(
        _minor(table, company, turns)
        if company in table.title.minors
        else _major(table, past, company, turns, start_prices.get(company))
        for company in (*active, *free)
    )


def start_prices(game: Game) -> dict[str, int]:
    """The prices that the majors were dealt before the game (II.4/2); none if the game was not there from its start."""
    first = mag_table(game.at(0))
    return {major: chart.price(first, major) for major in chart.by_price(first) if first.state.round == "PRE"}


def state_of(table: MagTable, minor: str) -> tuple[CompanyState, str]:
    owner = table.state.owners.get(minor)
    if owner is None:
        return "out of the game", "out of the game: nobody took it"
    return ("not started", "can be taken") if owner == BANK else ("operating", "operates")


def _minor(table: MagTable, minor: str, turns: Turns) -> CompanyView:
    state, spec = table.state, table.title.minors[minor]
    status, words = state_of(table, minor)
    active = status == "operating"
    left = state.markers[minor] if active else None
    return CompanyView(
        id=minor,
        name=spec.name,
        kind="minor",
        mark=mark_view(table, minor),
        state=status,
        state_words=words,
        director=who_view(table, state.owners[minor]) if active else None,
        treasury=state.cash[minor] if active else None,
        trains=tuple(train_view(train) for train in trains_of(table, minor)),
        train_limit=table.title.minor.train_limit,
        markers_left=left,
        marker_price=next_price(table, minor) if left else None,
        homes=(
            PlaceView(id=city_id(spec.home.hex, spec.home.node), hex=spec.home.hex, name=home_name(table.title, minor)),
        ),
        stations=place_views(table, state.board.stations_of(minor)),
        last_revenue=state.revenue.get(minor),
        terrain_tokens=table.terrain_tokens(minor),
        operating_place=turns.place_of(minor),
        in_turn=turns.in_turn == minor,
        marks=tuple(_minor_marks(table, minor)) if active else (),
        notes=(*minor_card_words(table, minor), *supporter_words(table, state.owners.get(minor, BANK))),
    )


def _minor_marks(table: MagTable, minor: str) -> Iterator[str]:
    if not trains_of(table, minor):
        yield "no train"
    if minor not in table.state.revenue:
        yield "first run next"


def _major_marks(table: MagTable, major: str) -> Iterator[str]:
    """Without a director a major pays everything (VI.4.3/5); those of the automaton do so with one (XI.3/1)."""
    leader = director(table, major)
    if sold_out(table, major):
        yield "sold out"
    if leader is None:
        yield "no director"
    elif is_automaton(table, leader):
        yield "always pays out"


def _places(table: MagTable, major: str) -> Iterator[ShareView]:
    """Shares on the charter, and before them those of the package while it is drafted from (V/1)."""
    package, unit = table.state.package.get(major, 0), share_unit(table, major)
    if package:
        yield place(table, major, package * unit, package, "the starting package")
    number = table.state.certificates[major].count(BANK) - package
    if number:
        yield place(table, major, holding(table, BANK, major) - package * unit, number, "the charter")


def _major(table: MagTable, past: Past, major: str, turns: Turns, start_price: int | None) -> CompanyView:
    state, leader = table.state, director(table, major)
    left = state.markers[major]
    package = state.package.get(major, 0)
    return CompanyView(
        id=major,
        name=table.title.companies[major].name,
        kind="major",
        mark=mark_view(table, major),
        state="operating",
        state_words="" if leader else "has no director: it pays out everything",
        director=who_view(table, leader) if leader else None,
        price=chart.price(table, major),
        treasury=state.cash[major],
        markers_left=left,
        marker_price=next_price(table, major) if left else None,
        stations=place_views(table, state.board.stations_of(major)),
        shares=shares_of(table, major),
        holding_limit=table.title.major.holding_limit,
        last_revenue=state.revenue.get(major),
        sells=sells(table.title, major),
        operating_place=turns.place_of(major),
        in_turn=turns.in_turn == major,
        marks=tuple(_major_marks(table, major)),
        bank_percent=holding(table, BANK, major),
        places=tuple(_places(table, major)),
        **share_figures(table, past, major, start_price, per_unit(table, major)),
        notes=(f"{plural(package, 'share')} can be taken now",) if package else (),
    )
