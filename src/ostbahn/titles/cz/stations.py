"""Home bases and stations (18CZ VII.5, VIII.4, VIII.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from ostbahn.eighteen.operating import BasePlaceStation
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Hex, city_id, has_station_in
from ostbahn.kernel.map.tiles import heir
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.records import StationPlaced
from ostbahn.kernel.steps import ListedStep
from ostbahn.titles.cz.actions import ChooseCity, PlaceStation
from ostbahn.titles.cz.state import CzTable, EstablishStation, HomeCity, RedHome

# Home bases: the free first station, red home tiles, and ATE's choice


def find_home(table: CzTable, company: str) -> None:
    """Place the free home station at the start of the first turn, or ask where (VIII.6/3)."""
    spec = table.title.companies[company]
    if company in table.title.home_tiles:
        table.push(RedHome(company))
        return
    home, node = spec.homes[0], home_node(table, company)
    if node is None or city_id(home, node) not in free_places(table, home):
        table.push(HomeCity(company, home))
    else:
        put_station(table, company, city_id(home, node))


def home_node(table: CzTable, company: str) -> int | None:
    """Return the home node in a company's home hex, None if it may choose (VIII.6/9)."""
    spec = table.title.companies[company]
    hex_ = table.title.map[spec.homes[0]]
    face = table.title.tile_set.lying(table.state.board, hex_)
    if spec.home_node is None:
        return 0 if len(face.nodes) == 1 else None
    return heir(hex_.face.node_exits[spec.home_node], "city", face)


def put_station(table: CzTable, company: str, city: str) -> None:
    """Place one of a company's markers, cheaper own ones first."""
    table.state.board = table.state.board.with_station(city, company)
    markers = table.state.markers[company]
    table.state.markers = {
        **table.state.markers,
        company: markers._replace(own=markers.own - 1) if markers.own else markers._replace(taken=markers.taken - 1),
    }
    table.note(StationPlaced(city, company))


def pick_up_station(table: CzTable, company: str, hex_id: str) -> None:
    """Take back a station that lies in a hex outside any city."""
    board = table.state.board
    table.state.board = board.with_stations(
        {city: companies for city, companies in board.stations.items() if city != hex_id}
    )
    markers = table.state.markers[company]
    table.state.markers = {**table.state.markers, company: markers._replace(own=markers.own + 1)}


def free_places(table: CzTable, hex_id: str) -> list[str]:
    """Return the city of each free station place in a hex."""
    board = table.state.board
    nodes = board.face(table.title.tile_set, table.title.map[hex_id]).nodes
    cities = {city_id(hex_id, number): node.slots for number, node in enumerate(nodes)}
    return [city for city, slots in cities.items() for _ in range(slots - len(board.stations.get(city, ())))]


def home_places(table: CzTable, hex_id: str) -> list[str]:
    """Return where a home station may go: the bare hex, otherwise any city with room."""
    bare = not table.state.board.face(table.title.tile_set, table.title.map[hex_id]).exits
    return [hex_id] if bare else list(dict.fromkeys(free_places(table, hex_id)))


class ChooseCityStep(ListedStep[CzTable, HomeCity, ChooseCity]):
    """Choose the city of a home station: for ATE (VIII.5/15, VIII.6/9), or if BN's or NWB's city in Praha is full."""

    action = ChooseCity

    def candidates(self, table: CzTable, task: HomeCity) -> list[ChooseCity]:
        return [ChooseCity(city) for city in home_places(table, task.hex)]

    def refusal(self, table: CzTable, task: HomeCity, action: ChooseCity) -> Refusal | None:
        places = home_places(table, task.hex)
        if action.city not in places:
            return table.refuse(
                "VIII.6/9", f"the home station of {task.company} stands in {' or '.join(map(table.place, places))}"
            )
        return None

    def perform(self, table: CzTable, task: HomeCity, action: ChooseCity) -> None:
        table.pop()
        put_station(table, task.company, action.city)


# Establishing stations


def _station_refusal(table: CzTable, company: str, city: str, hex_: Hex, node: int) -> Refusal | None:
    """Return why a company cannot place a station in a city that it reaches."""
    board = table.state.board
    place = table.title.tile_set.lying(board, hex_).nodes[node]
    if place.kind != "city":
        return table.refuse("VIII.6/1", f"stations stand in cities: {table.place(city)} is a {place.kind}")
    if has_station_in(board, hex_, company):
        return table.refuse("VIII.6/6", f"{company} already has a station in {table.place(hex_.id)}")
    free = place.slots - len(board.stations.get(city, ()))
    if not free:
        return table.refuse("VIII.6/1", f"{table.place(city)} has no free place")
    return _reserved_refusal(table, company, hex_.id, node, free)


def _reserved_refusal(table: CzTable, company: str, hex_id: str, node: int, free: int) -> Refusal | None:
    """Refuse places kept for companies that have not yet operated (VIII.6/8, VIII.6/10)."""
    waiting = {other: home_node(table, other) for other in homeless(table, hex_id)}
    for other, home in waiting.items():
        if table.title.companies[other].home_node is None and (
            home is None or table.ruled("ate_home_hex_when_brown") == "closed"
        ):
            return table.refuse(
                "VIII.6/10", f"nobody may have a station {table.at(hex_id)} before {other} has placed its home"
            )
    reserved_for, where = [other for other, home in waiting.items() if home == node], city_id(hex_id, node)
    if waiting and table.ruled("praha_places") == "one each on the tile":
        reserved_for, where, free = list(waiting), hex_id, len(free_places(table, hex_id))
    if free <= len(reserved_for):
        return table.refuse(
            "VIII.6/8", f"the last place in {table.place(where)} is kept for {' and '.join(reserved_for)}"
        )
    return None


def homeless(table: CzTable, hex_id: str) -> list[str]:
    """Return companies at home in a hex that have not placed their home station."""
    begun = (*table.state.operated, *table.state.closed)
    return [company for company in table.title.homes_on.get(hex_id, ()) if company not in begun]


class PlaceStationStep(BasePlaceStation[CzTable, EstablishStation, PlaceStation]):
    """Place one station per turn, besides the free home station (VIII.6/4)."""

    action = PlaceStation
    cites: ClassVar[Lookup[str, str]] = {"markers": "VIII.6/4", "cost": "VIII.6/11"}

    def markers(self, table: CzTable, company: str) -> int:
        return sum(table.state.markers[company])

    def price(self, table: CzTable, company: str) -> int:
        """Return 40 K for the first own marker while only the home is on the map, then 100 K (VIII.6/5)."""
        if table.builds_free(company):
            return 0
        prices = table.title.station_prices
        return prices.first if table.first_marker_due(company) else prices.further

    def cities(self, table: CzTable, company: str) -> Iterator[str]:
        for city, (hex_, node) in table.title.surveyor.reach(table.state.board, company).nodes.items():
            if _station_refusal(table, company, city, hex_, node) is None:
                yield city

    def city_refusal(self, table: CzTable, company: str, city: str) -> Refusal | None:
        reached = table.title.surveyor.reach(table.state.board, company).nodes.get(city)
        if reached is None:
            where = table.place(city)
            return table.refuse("VIII.6/7", f"{company} has no open connection from its stations to {where}")
        return _station_refusal(table, company, city, reached[0], reached[1])

    def put(self, table: CzTable, company: str, city: str) -> None:
        put_station(table, company, city)


PLACE: Final = PlaceStationStep()
markers_left, next_price, station_cities = PLACE.markers, PLACE.price, PLACE.cities
