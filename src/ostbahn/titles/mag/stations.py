"""Stations of minors and markers of majors (18Mag VI.3.4, VI.4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import city_id, stands_in
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.native import native, said
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import StationPlaced
from ostbahn.kernel.steps import Step
from ostbahn.titles.mag.actions import PlaceStation
from ostbahn.titles.mag.majors import pay_service
from ostbahn.titles.mag.state import EstablishStation, MagTable, PlaceMarker


def next_price(table: MagTable, company: str) -> int:
    """40 Ft, then 80 Ft, for minors and majors alike; a minor's home is not counted (VI.3.4/3, VI.4.2/3)."""
    title = table.title
    prices = title.minor.station_prices if company in title.minors else title.major.marker_prices
    bought = len(table.state.board.stations_of(company)) - table.free_stations(company)
    return prices[min(bought, len(prices) - 1)]


def no_place(table: MagTable, company: str, city: str, full: str = "VI.3.4/5") -> Refusal | None:
    """Why a city takes no station of a company, connections and money aside (VI.3.4/4, VI.4.2/2)."""
    hex_id, _, node = city.partition(".")
    hex_ = table.title.map.hexes.get(hex_id)
    board = table.state.board
    nodes = table.title.tile_set.lying(board, hex_).nodes if hex_ is not None else ()
    if hex_ is None or not node.isdecimal() or int(node) >= len(nodes) or nodes[int(node)].kind != "city":
        return table.refuse("VI.3.4/1", f"{table.place(city)} is not a city")
    if stands_in(board, hex_, company):
        return table.refuse("VI.3.4/4", f"{table.name(company)} has a station in {table.place(hex_id)} already")
    if len(board.stations.get(city, ())) >= nodes[int(node)].slots:
        return table.refuse(full, f"{table.place(city)} has no free place")
    return None


def put(table: MagTable, company: str, city: str) -> None:
    board = table.state.board
    table.state.board = board.with_stations({**board.stations, city: (*board.stations.get(city, ()), company)})
    table.state.markers = {**table.state.markers, company: table.state.markers[company] - 1}
    table.note(StationPlaced(city, company))


def too_dear(table: MagTable, company: str, price: int, rule: str) -> Refusal | None:
    cash = table.state.cash[company]
    if price > cash:
        return table.refuse(rule, f"the next station costs {price} Ft and {table.name(company)} has only {cash} Ft")
    return None


def station_cities(table: MagTable, minor: str) -> Iterator[str]:
    """Every city in which a minor may put a station, if it can pay for it."""
    for city in table.title.surveyor.reach(table.state.board, minor).nodes:
        if no_place(table, minor, city) is None:
            yield city


@native(allow_interpreted_subclasses=True)
class Place(Step[MagTable, EstablishStation, PlaceStation]):
    """One station in a turn, connected to an own one (VI.3.4/2, VI.3.4/5)."""

    action = PlaceStation

    def answers(self, table: MagTable, task: EstablishStation) -> Iterator[Option]:
        minor = task.company
        if table.state.markers[minor] and too_dear(table, minor, self.price(table, minor), "") is None:
            for city in station_cities(table, minor):
                yield Option(said(self, "action")(city))

    def refusal(self, table: MagTable, task: EstablishStation, action: PlaceStation) -> Refusal | None:
        minor = task.company
        if not table.state.markers[minor]:
            return table.refuse("VI.3.4/6", f"minor {minor} has no station left")
        if refusal := no_place(table, minor, action.city):
            return refusal
        if action.city not in table.title.surveyor.reach(table.state.board, minor).nodes:
            return table.refuse(
                "VI.3.4/5", f"minor {minor} has no open connection from its stations to {table.place(action.city)}"
            )
        return too_dear(table, minor, self.price(table, minor), "VI.3.4/3")

    def perform(self, table: MagTable, task: EstablishStation, action: PlaceStation) -> None:
        table.pop()
        pay_service(table, task.company, "station", self.price(table, task.company), "station", "stations")
        put(table, task.company, action.city)

    def price(self, table: MagTable, minor: str) -> int:
        return next_price(table, minor)


class Mark(Step[MagTable, PlaceMarker, PlaceStation]):
    """A major's marker goes into any city with a free place, connected or not (VI.4.2/1, VI.4.2/2)."""

    action = PlaceStation

    def answers(self, table: MagTable, task: PlaceMarker) -> Iterator[Option]:
        price = next_price(table, task.company)
        if table.state.markers[task.company] and too_dear(table, task.company, price, "") is None:
            for hex_ in table.title.map:
                for node in range(len(table.title.tile_set.lying(table.state.board, hex_).nodes)):
                    if no_place(table, task.company, city_id(hex_.id, node)) is None:
                        yield Option(PlaceStation(city_id(hex_.id, node)))

    def refusal(self, table: MagTable, task: PlaceMarker, action: PlaceStation) -> Refusal | None:
        major = task.company
        if not table.state.markers[major]:
            return table.refuse("VI.4.2/1", f"{major} has no marker left")
        return no_place(table, major, action.city, "VI.4.2/2") or too_dear(
            table, major, next_price(table, major), "VI.4.2/4"
        )

    def perform(self, table: MagTable, task: PlaceMarker, action: PlaceStation) -> None:
        table.pop()
        pay(table, task.company, BANK, next_price(table, task.company), "marker", "stations")
        put(table, task.company, action.city)
