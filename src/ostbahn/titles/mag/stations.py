"""Stations of minors and markers of majors (18Mag VI.3.4, VI.4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ostbahn.eighteen.operating import BasePlaceStation
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import city_id, has_station_in
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.native import Lookup, native
from ostbahn.kernel.records import StationPlaced
from ostbahn.titles.mag.actions import PlaceStation
from ostbahn.titles.mag.majors import pay_service
from ostbahn.titles.mag.state import EstablishStation, MagTable


def next_price(table: MagTable, company: str) -> int:
    """Price of a company's next station or marker: 40 Ft, then 80 Ft; free ones do not count (VI.3.4/3, VI.4.2/3)."""
    title = table.title
    prices = title.minor.station_prices if company in title.minors else title.major.marker_prices
    bought = len(table.state.board.stations_of(company)) - table.free_stations(company)
    return prices[min(bought, len(prices) - 1)]


def placement_refusal(table: MagTable, company: str, city: str, full: str = "VI.3.4/5") -> Refusal | None:
    """Why a company cannot place a station in a city, apart from connection and money (VI.3.4/4, VI.4.2/2)."""
    hex_id, _, node = city.partition(".")
    hex_ = table.title.map.hexes.get(hex_id)
    board = table.state.board
    nodes = table.title.tile_set.lying(board, hex_).nodes if hex_ is not None else ()
    if hex_ is None or not node.isdecimal() or int(node) >= len(nodes) or nodes[int(node)].kind != "city":
        return table.refuse("VI.3.4/1", f"{table.place(city)} is not a city")
    if has_station_in(board, hex_, company):
        return table.refuse("VI.3.4/4", f"{table.name(company)} has a station in {table.place(hex_id)} already")
    if len(board.stations.get(city, ())) >= nodes[int(node)].slots:
        return table.refuse(full, f"{table.place(city)} has no free place")
    return None


def place_from_charter(table: MagTable, company: str, city: str) -> None:
    """Place a station or marker of the charter."""
    table.state.markers = {**table.state.markers, company: table.state.markers[company] - 1}
    place_free_station(table, company, city)


def place_free_station(table: MagTable, company: str, city: str) -> None:
    """Place a station that does not come from the charter."""
    table.state.board = table.state.board.with_station(city, company)
    table.note(StationPlaced(city, company))


def open_cities(table: MagTable, minor: str) -> Iterator[str]:
    """Connected cities with room for a minor's station."""
    for city in table.title.surveyor.reach(table.state.board, minor).nodes:
        if placement_refusal(table, minor, city) is None:
            yield city


@native(allow_interpreted_subclasses=True)
class PlaceStationStep(BasePlaceStation[MagTable, EstablishStation, PlaceStation]):
    """Place one station in a turn, connected to one of the minor's own (VI.3.4/2, VI.3.4/5)."""

    action = PlaceStation
    cites: ClassVar[Lookup[str, str]] = {"markers": "VI.3.4/6", "cost": "VI.3.4/3"}

    def markers(self, table: MagTable, company: str) -> int:
        return table.state.markers[company]

    def price(self, table: MagTable, company: str) -> int:
        return next_price(table, company)

    def cities(self, table: MagTable, company: str) -> Iterator[str]:
        return open_cities(table, company)

    def city_refusal(self, table: MagTable, company: str, city: str) -> Refusal | None:
        if refusal := placement_refusal(table, company, city):
            return refusal
        if city not in table.title.surveyor.reach(table.state.board, company).nodes:
            return table.refuse(
                "VI.3.4/5", f"minor {company} has no open connection from its stations to {table.place(city)}"
            )
        return None

    def put(self, table: MagTable, company: str, city: str) -> None:
        place_from_charter(table, company, city)

    def pay(self, table: MagTable, company: str) -> None:
        pay_service(table, company, "station", self.price(table, company), "station", "stations")


class PlaceMarkerStep(PlaceStationStep):
    """Place a major's marker in any city with a free place, connected or not (VI.4.2/1, VI.4.2/2)."""

    cites: ClassVar[Lookup[str, str]] = {"markers": "VI.4.2/1", "cost": "VI.4.2/4"}

    def cities(self, table: MagTable, company: str) -> Iterator[str]:
        for hex_ in table.title.map:
            for node in range(len(table.title.tile_set.lying(table.state.board, hex_).nodes)):
                if placement_refusal(table, company, city_id(hex_.id, node)) is None:
                    yield city_id(hex_.id, node)

    def city_refusal(self, table: MagTable, company: str, city: str) -> Refusal | None:
        return placement_refusal(table, company, city, "VI.4.2/2")

    def pay(self, table: MagTable, company: str) -> None:
        pay(table, company, BANK, self.price(table, company), "marker", "stations")
