"""Laying and promoting track (18CZ VIII.4, VIII.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ostbahn.eighteen import track
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Hex, city_id
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import TileLaid
from ostbahn.titles.cz.actions import LayPurpleTile, LayRedTile, LayTile
from ostbahn.titles.cz.events import PowerUsed
from ostbahn.titles.cz.state import CompanyTask, CzTable, HomeCity, LayTrack, LayWaived, RedHome
from ostbahn.titles.cz.stations import pick_up_station, put_station

CITES: Final[Lookup[str, str]] = {
    "": "VIII.5/8",
    "off the map": "VIII.4/18",
    "tiles": "II/3",
    "red": "VIII.4/2",
    "grey": "VIII.4/2",
    "colour": "VIII.5/1",
    "first tile": "VIII.4/3",
    "label OO": "VIII.4/3",
    "label P": "VIII.4/14",
    "label Y": "VIII.4/13",
    "open country": "VIII.4/15",
    "town": "VIII.4/9",
    "two towns": "VIII.4/10",
    "city": "VIII.4/12",
    "plain track": "VIII.5/9",
    "places": "VIII.5/10",
    "stubs": "VIII.4/21",
    "connected": "VIII.4/8",
    "promotion connected": "VIII.5/7",
    "cost": "VIII.4/16",
}


class TrackBuilding(track.BaseLayTile[CzTable, Any, Any]):
    """Rules common to every lay of a company."""

    cites = CITES

    def reached(self, table: CzTable, company: str) -> Lookup[str, int]:
        sides, home = table.title.surveyor.reach(table.state.board, company).sides, bare_home(table, company)
        return sides if home is None else {home: sides.get(home, 0)}

    def colour_refusal(self, table: CzTable, colour: str) -> Refusal:
        letters = [letter for letter, phase in table.title.phases.items() if phase.colour == colour]
        when = f"come with the first {letters[0]}-train" if letters else "are not laid in this game"
        return table.refuse(table.title.colour_rules[colour], f"{colour} tiles {when}")

    def misfit_refusal(self, table: CzTable, hex_: Hex, name: str, rotation: int) -> Refusal:
        tile, owner = table.title.tiles[name], hex_.printed.reserved_for
        if tile.colour == "red":
            return table.refuse("VIII.4/22", f"{name} is the home tile of {tile.company} and is laid only by it")
        if owner:
            return table.refuse("VIII.4/24", f"{table.place(hex_.id)} is reserved for the red tile of {owner}")
        return super().misfit_refusal(table, hex_, name, rotation)

    def connection_refusal(self, table: CzTable, company: str, action: LayTile | LayPurpleTile) -> Refusal | None:
        home = bare_home(table, company)
        if home is not None and action.hex != home:
            rule = "VIII.5/15" if table.title.map[home].printed.ground != "open" else "VIII.4/7"
            return table.refuse(rule, f"the first tile that {company} lays must be {table.at(home)}, its home")
        return super().connection_refusal(table, company, action)

    def cost(self, table: CzTable, company: str, hex_id: str) -> int:
        return terrain_cost(table, company, hex_id)

    def lay(self, table: CzTable, company: str, action: LayTile | LayPurpleTile) -> None:
        """Replace the tile (VIII.5/13), and ask where stations without a city go."""
        super().lay(table, company, action)
        for waiting in table.state.board.stations.get(action.hex, ()):
            pick_up_station(table, waiting, action.hex)
            table.push(HomeCity(waiting, action.hex))


def bare_home(table: CzTable, company: str) -> str | None:
    """Return the home hex while it has neither tile nor track: the first lay must be there (VIII.4/7)."""
    spec = table.title.companies[company]
    if company in table.title.home_tiles:
        return None
    home = spec.homes[0]
    board = table.state.board
    if home in board.tiles or table.title.map[home].printed.track:
        return None
    if table.ruled("first_tile_at_home") == "while nothing else is connected" and len(board.stations_of(company)) > 1:
        return None
    return home


def terrain_cost(table: CzTable, company: str, hex_id: str) -> int:
    """Return the terrain cost of a hex's first tile; promotions are free (VIII.4/16, VIII.5/17)."""
    return 0 if table.builds_free(company) else track.terrain_cost(table, hex_id)


def lays(table: CzTable, company: str, purple: tuple[str, ...] | None = None) -> Iterator[tuple[str, str, int]]:
    """Yield legal lays (hex, tile, rotation) of ordinary tiles, or of purple-edged ones in the given colours."""
    title, opened = table.title, table.title.open_colours(table.state.phase)
    tiles_by_colour, colours = title.tiles_by_colour, opened
    if purple is not None:
        tiles_by_colour, colours = title.purple_tiles, tuple(colour for colour in opened if colour in purple)
    return TrackBuilding().lays(table, company, track.tiles_left(table, tiles_by_colour, colours))


# Ordinary lays


def is_promotion(table: CzTable, hex_id: str) -> bool:
    """Whether a lay counts as a promotion: on a tile, on an OO hex, on printed Praha (VIII.3/2, VIII.5/14)."""
    if hex_id in table.state.board.tiles:
        return True
    printed = table.title.map[hex_id].printed
    if printed.track:
        return table.ruled("praha_first_tile") == "promotion"
    return printed.ground != "open"


class LayOrdinary(TrackBuilding):
    """Lay a tile without purple edges; the company pays, or a Local Railway waives the cost."""

    action = LayTile

    def payments(self, table: CzTable, task: CompanyTask, hex_id: str) -> list[tuple[Any, ...]]:
        """Return the payment options: treasury, or a Local Railway that waives the cost (IV.1/20)."""
        company, cost = task.company, terrain_cost(table, task.company, hex_id)
        if not cost:
            return [()]
        treasury: list[tuple[Any, ...]] = [()] if cost <= table.state.cash[company] else []
        return [*treasury, *((local,) for local in waivers(table, company, hex_id))]

    def tile_refusal(self, table: CzTable, hex_id: str, name: str, rotation: int) -> Refusal | None:
        tile = table.title.tiles.get(name)
        if tile is not None and tile.purple:
            return table.refuse("VIII.5/5", f"purple-edged tile {name} is laid only by a Local Railway's power")
        return super().tile_refusal(table, hex_id, name, rotation)

    def unpaid_refusal(self, table: CzTable, task: CompanyTask, action: LayTile) -> Refusal | None:
        local = action.waiver
        if local is None:
            return super().unpaid_refusal(table, task, action)
        if refusal := power_refusal(table, task.company, local):
            return refusal
        if not self.cost(table, task.company, action.hex):
            return table.refuse("IV.1/20", f"there is no cost {table.at(action.hex)} that {local} could waive")
        spec, terrain = table.title.locals[local], table.title.map[action.hex].printed.terrain
        if terrain in spec.waives:
            return None
        text = f"{local} waives the cost of {' and '.join(spec.waives)}, not of a {terrain}"
        return table.refuse(POWER_RULES[spec.size], text)

    def pay(self, table: CzTable, task: CompanyTask, action: LayTile) -> None:
        if action.waiver is None:
            super().pay(table, task, action)
        else:
            use_power(table, action.waiver)


class LayTileStep(LayOrdinary):
    """Lay one yellow tile (two in the first turn) or one promotion (VIII.4/4, VIII.4/5)."""

    def lay_limit_refusal(self, table: CzTable, task: LayTrack, hex_id: str) -> Refusal | None:
        if task.yellows and is_promotion(table, hex_id):
            return table.refuse("VIII.3/2", "after a yellow tile no promotion is possible in the same turn")
        return None

    def continue_turn(self, table: CzTable, task: LayTrack, action: LayTile) -> None:
        yellows, promotion = task.yellows + 1, is_promotion(table, action.hex)
        if promotion and task.first and table.ruled("waived_lay_after_promotion") == "allowed":
            table.replace(LayWaived(task.company))
        elif promotion or yellows == (2 if task.first else 1):
            table.pop()
        else:
            table.replace(LayTrack(task.company, task.first, yellows))


class LayWaivedTile(LayOrdinary):
    """After the promotion of a first turn, lay a yellow tile whose cost is waived, if the ruling allows it."""

    def payments(self, table: CzTable, task: CompanyTask, hex_id: str) -> list[tuple[Any, ...]]:
        return [fields for fields in super().payments(table, task, hex_id) if fields]

    def refusal(self, table: CzTable, task: LayWaived, action: LayTile) -> Refusal | None:
        on_map = action.hex in table.title.map.hexes
        if action.waiver is None or (on_map and is_promotion(table, action.hex)):
            return table.refuse("VIII.3/2", "after a promotion only a yellow tile whose cost is waived can be laid")
        return super().refusal(table, task, action)

    def lay_limit_refusal(self, table: CzTable, task: LayWaived, hex_id: str) -> Refusal | None:
        if is_promotion(table, hex_id):
            return table.refuse("VIII.3/2", "after a promotion only a yellow tile can be laid")
        return None

    def continue_turn(self, table: CzTable, task: LayWaived, action: LayTile) -> None:
        table.pop()


class LayRedHomeStep(TrackBuilding):
    """Lay a large company's home tile, with its station, on one of its two hexes (VIII.4/22, /23)."""

    action = LayRedTile

    def answers(self, table: CzTable, task: RedHome) -> Iterator[Option]:
        for hex_id in table.title.companies[task.company].homes:
            for rotation in range(6):
                if self.refusal(table, task, LayRedTile(hex_id, rotation)) is None:
                    yield Option(LayRedTile(hex_id, rotation))

    def refusal(self, table: CzTable, task: RedHome, action: LayRedTile) -> Refusal | None:
        homes = table.title.companies[task.company].homes
        if action.hex not in homes:
            text = f"the red tile of {task.company} goes on {' or '.join(homes)}, not on {action.hex}"
            return table.refuse("VIII.4/22", text)
        if action.rotation not in range(6):
            return table.refuse("VIII.4/18", f"a tile has rotations 0 to 5, not {action.rotation}")
        face = table.title.tile_set.faces[table.title.home_tiles[task.company]][action.rotation]
        return self.off_map_refusal(table, table.title.map[action.hex], face.exits)

    def perform(self, table: CzTable, task: RedHome, action: LayRedTile) -> None:
        tile = table.title.home_tiles[task.company]
        table.pop()
        state = table.state
        state.board = state.board.with_tile(action.hex, tile, action.rotation, state.board.stations)
        state.supply = {**state.supply, tile: 0}
        table.note(TileLaid(action.hex, tile, action.rotation, task.company))
        put_station(table, task.company, city_id(action.hex, 0))


# Powers of Local Railways on track (IV.1)

POWER_RULES: Final = {"small": "IV.1/21", "medium": "IV.1/22", "large": "IV.1/23"}


def power_refusal(table: CzTable, company: str, local: str) -> Refusal | None:
    """Refuse the power of a Local Railway that the company does not own or has used (IV.1/15, IV.1/17)."""
    owner = table.state.locals.get(local)
    if owner != company:
        rule = "IV.1/17" if owner in table.state.players else "IV.1/15"
        return table.refuse(rule, f"{company} does not own the Local Railway {local}")
    if local in table.state.used_powers:
        return table.refuse("IV.1/15", f"the power of {local} has been used already")
    return None


def use_power(table: CzTable, local: str) -> None:
    """Mark the power as used; the Local Railway still pays income (IV.1/16)."""
    table.state.used_powers = (*table.state.used_powers, local)
    table.note(PowerUsed(local))


def unused_locals(table: CzTable, company: str) -> list[str]:
    state = table.state
    return [local for local, owner in state.locals.items() if owner == company and local not in state.used_powers]


def waivers(table: CzTable, company: str, hex_id: str) -> list[str]:
    """Return the Local Railways that can waive the cost of a hex (IV.1/20 to IV.1/23)."""
    terrain = table.title.map[hex_id].printed.terrain
    return [local for local in unused_locals(table, company) if terrain in table.title.locals[local].waives]
