"""Establishing stations (18CZ VIII.6)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Hex, city_id, stands_in
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.questions import Option
from ostbahn.kernel.steps import Step
from ostbahn.titles.cz.actions import PlaceStation
from ostbahn.titles.cz.homes import free_places, home_node, put_station
from ostbahn.titles.cz.state import CzTable, EstablishStation


def next_price(table: CzTable, company: str) -> int:
    """40 K for the first own marker while the home is the only station on the map, then 100 K (VIII.6/5)."""
    if table.builds_free(company):
        return 0
    prices = table.title.station_prices
    return prices.first if table.first_marker_due(company) else prices.further


def markers_left(table: CzTable, company: str) -> int:
    return sum(table.state.markers[company])


def station_cities(table: CzTable, company: str) -> Iterator[str]:
    """Every city in which a company may put a station, if it can pay for it."""
    for city, (hex_, node) in table.title.surveyor.reach(table.state.board, company).nodes.items():
        if _no_place(table, company, city, hex_, node) is None:
            yield city


def place_refusal(table: CzTable, company: str, city: str) -> Refusal | None:
    """Why a city takes no station of a company, money aside."""
    reached = table.title.surveyor.reach(table.state.board, company).nodes.get(city)
    if reached is None:
        return table.refuse("VIII.6/7", f"{company} has no open connection from its stations to {table.place(city)}")
    return _no_place(table, company, city, reached[0], reached[1])


def _no_place(table: CzTable, company: str, city: str, hex_: Hex, node: int) -> Refusal | None:
    """The same of a city that the company reaches."""
    board = table.state.board
    place = table.title.tile_set.lying(board, hex_).nodes[node]
    if place.kind != "city":
        return table.refuse("VIII.6/1", f"stations stand in cities: {table.place(city)} is a {place.kind}")
    if stands_in(board, hex_, company):
        return table.refuse("VIII.6/6", f"{company} already has a station in {table.place(hex_.id)}")
    free = place.slots - len(board.stations.get(city, ()))
    if not free:
        return table.refuse("VIII.6/1", f"{table.place(city)} has no free place")
    return _kept_for_homes(table, company, hex_.id, node, free)


def _kept_for_homes(table: CzTable, company: str, hex_id: str, node: int, free: int) -> Refusal | None:
    """Places that must stay free for companies that have not begun to operate (VIII.6/8, VIII.6/10)."""
    waiting = {other: home_node(table, other) for other in homeless(table, hex_id)}
    for other, home in waiting.items():
        if table.title.companies[other].home_node is None and (
            home is None or table.ruled("ate_home_hex_when_brown") == "closed"
        ):
            return table.refuse(
                "VIII.6/10", f"nobody may have a station {table.at(hex_id)} before {other} has placed its home"
            )
    kept, where = [other for other, home in waiting.items() if home == node], city_id(hex_id, node)
    if waiting and table.ruled("praha_places") == "one each on the tile":
        kept, where, free = list(waiting), hex_id, len(free_places(table, hex_id))
    if free <= len(kept):
        return table.refuse("VIII.6/8", f"the last place in {table.place(where)} is kept for {' and '.join(kept)}")
    return None


def homeless(table: CzTable, hex_id: str) -> list[str]:
    """Companies whose home a hex is and who have not placed their station there."""
    state, title = table.state, table.title
    return [
        other for other in title.homes_on.get(hex_id, ()) if other not in state.operated and other not in state.closed
    ]


class Place(Step[CzTable, EstablishStation, PlaceStation]):
    """One station in a turn, beside the free home station (VIII.6/4)."""

    action = PlaceStation

    def answers(self, table: CzTable, task: EstablishStation) -> Iterator[Option]:
        company = task.company
        if markers_left(table, company) and table.state.cash[company] >= next_price(table, company):
            for city in station_cities(table, company):
                yield Option(PlaceStation(city))

    def refusal(self, table: CzTable, task: EstablishStation, action: PlaceStation) -> Refusal | None:
        company = task.company
        if not markers_left(table, company):
            return table.refuse("VIII.6/4", f"{company} has no station marker left")
        if refusal := place_refusal(table, company, action.city):
            return refusal
        price, cash = next_price(table, company), table.state.cash[company]
        if price > cash:
            return table.refuse("VIII.6/11", f"a station costs {company} {price} K and it has only {cash} K")
        return None

    def perform(self, table: CzTable, task: EstablishStation, action: PlaceStation) -> None:
        table.pop()
        pay(table, task.company, BANK, next_price(table, task.company), "station", "stations")
        put_station(table, task.company, action.city)
