"""Home bases: the free first station, red home tiles, and ATE's choice (18CZ VII.5, VIII.4, VIII.6)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Hex, city_id
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.map.tiles import heir
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import StationPlaced, TileLaid
from ostbahn.kernel.steps import Step
from ostbahn.titles.cz.actions import ChooseCity, LayRedTile
from ostbahn.titles.cz.state import CzTable, HomeCity, RedHome


def find_home(table: CzTable, company: str) -> None:
    """At the start of its first turn a company puts its free station on its home (VIII.6/3)."""
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
    """Which node of its home hex is a company's home; None where it has the choice (VIII.6/9)."""
    spec = table.title.companies[company]
    hex_ = table.title.map[spec.homes[0]]
    face = table.title.tile_set.lying(table.state.board, hex_)
    if spec.home_node is None:
        return 0 if len(face.nodes) == 1 else None
    return heir(hex_.face.node_exits[spec.home_node], "city", face)


def put_station(table: CzTable, company: str, city: str) -> None:
    """Put one of a company's own markers on the board."""
    board = table.state.board
    table.state.board = board.with_stations({**board.stations, city: (*board.stations.get(city, ()), company)})
    markers = table.state.markers[company]
    table.state.markers = {
        **table.state.markers,
        company: markers._replace(own=markers.own - 1) if markers.own else markers._replace(taken=markers.taken - 1),
    }
    table.note(StationPlaced(city, company))


def pick_up_station(table: CzTable, company: str, hex_id: str) -> None:
    """Take up a station that lies in a hex without a chosen city, to place it in one."""
    board = table.state.board
    table.state.board = board.with_stations(
        {city: companies for city, companies in board.stations.items() if city != hex_id}
    )
    markers = table.state.markers[company]
    table.state.markers = {**table.state.markers, company: markers._replace(own=markers.own + 1)}


class RedTile(Step[CzTable, RedHome, LayRedTile]):
    """A large company's home tile, on one of its two hexes; the station goes on it at once (VIII.4/22, /23)."""

    action = LayRedTile

    def answers(self, table: CzTable, task: RedHome) -> Iterator[Option]:
        for hex_id in table.title.companies[task.company].homes:
            for rotation in range(6):
                if self.refusal(table, task, LayRedTile(hex_id, rotation)) is None:
                    yield Option(LayRedTile(hex_id, rotation))

    def refusal(self, table: CzTable, task: RedHome, action: LayRedTile) -> Refusal | None:
        homes = table.title.companies[task.company].homes
        if action.hex not in homes:
            return table.refuse(
                "VIII.4/22",
                f"the red tile of {task.company} goes on {' or '.join(homes)}, not on {action.hex}",
            )
        if action.rotation not in range(6):
            return table.refuse("VIII.4/18", f"a tile has rotations 0 to 5, not {action.rotation}")
        face = table.title.tile_set.faces[table.title.home_tiles[task.company]][action.rotation]
        return off_the_map(table, table.title.map[action.hex], face.exits)

    def perform(self, table: CzTable, task: RedHome, action: LayRedTile) -> None:
        tile = table.title.home_tiles[task.company]
        table.pop()
        state = table.state
        state.board = state.board.with_tile(action.hex, tile, action.rotation, state.board.stations)
        state.supply = {**state.supply, tile: 0}
        table.note(TileLaid(action.hex, tile, action.rotation, task.company))
        put_station(table, task.company, city_id(action.hex, 0))


def off_the_map(table: CzTable, hex_: Hex, exits: int) -> Refusal | None:
    """Track must not run to where there is no hex (VIII.4/18)."""
    beyond = exits & ~hex_.marked
    if beyond:
        sides = ", ".join(name for side, name in enumerate(DIRECTIONS) if beyond >> side & 1)
        return table.refuse("VIII.4/18", f"track would run off the map from {table.place(hex_.id)} towards {sides}")
    return None


def free_places(table: CzTable, hex_id: str) -> list[str]:
    """Every place for a station that is free in a hex, by its city."""
    board = table.state.board
    nodes = board.face(table.title.tile_set, table.title.map[hex_id]).nodes
    cities = {city_id(hex_id, number): node.slots for number, node in enumerate(nodes)}
    return [city for city, slots in cities.items() for _ in range(slots - len(board.stations.get(city, ())))]


def home_places(table: CzTable, hex_id: str) -> list[str]:
    """Where a home station may stand that has the choice: in the hex while it is bare, later in any city with room."""
    face = table.state.board.face(table.title.tile_set, table.title.map[hex_id])
    if not face.exits:
        return [hex_id]
    return list(dict.fromkeys(free_places(table, hex_id)))


class Choice(Step[CzTable, HomeCity, ChooseCity]):
    """ATE's home hex has two cities: its Director says in which the station stands (VIII.5/15, VIII.6/9).

    So does the Director of BN or NWB, if somebody else was allowed to take its city of Praha.
    """

    action = ChooseCity

    def answers(self, table: CzTable, task: HomeCity) -> Iterator[Option]:
        for city in home_places(table, task.hex):
            yield Option(ChooseCity(city))

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
