"""Laying and promoting track (18CZ VIII.4, VIII.5)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Board, Hex, carrying_on, moved_stations
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.map.tiles import COLOURS, Face, heirs
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import TileLaid
from ostbahn.kernel.steps import Step
from ostbahn.titles.cz.actions import LayTile
from ostbahn.titles.cz.events import PowerUsed
from ostbahn.titles.cz.state import CzTable, HomeCity, LayTrack, LayWaived
from ostbahn.titles.cz.stations import off_the_map, pick_up_station

# Which lays there are


def lays(table: CzTable, company: str, purple: tuple[str, ...] | None = None) -> Iterator[tuple[str, str, int]]:
    """Every legal lay as hex, tile, rotation: ordinary tiles, or purple-edged ones of the given colours.

    One rotation stands for all that look the same.
    """
    for hex_id, found in lays_by_hex(table, company, purple):
        for name, rotation in found:
            yield hex_id, name, rotation


def lays_by_hex(
    table: CzTable, company: str, purple: tuple[str, ...] | None = None
) -> list[tuple[str, list[tuple[str, int]]]]:
    """The same hex by hex."""
    title, board = table.title, table.state.board
    tiles = at_hand(table, purple)
    sides = title.surveyor.reach(board, company).sides
    home = bare_home(table, company)
    if home is not None:
        sides = {home: sides.get(home, 0)}
    hexes, laid, fitting = title.map.hexes, board.tiles, title.fits
    lays: list[tuple[str, list[tuple[str, int]]]] = []
    for hex_id, arriving in sides.items():
        found = carrying_on(fitting.apart(hexes[hex_id], laid.get(hex_id)), arriving, tiles)
        if found:
            lays.append((hex_id, found))
    return lays


def at_hand(table: CzTable, purple: tuple[str, ...] | None) -> set[str]:
    """The tiles of open colours of which some are left: ordinary ones, or purple-edged ones of the given colours."""
    title, supply = table.title, table.state.supply
    coloured = title.ordinary_tiles if purple is None else title.purple_tiles
    found: set[str] = set()
    for colour in title.open_colours(table.state.phase):
        if purple is None or colour in purple:
            for name in coloured[colour]:
                if supply[name]:
                    found.add(name)
    return found


def bare_home(table: CzTable, company: str) -> str | None:
    """The home hex, while it has neither tile nor printed track: the first lay must be there (VIII.4/7)."""
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


def lay_refusal(table: CzTable, company: str, hex_id: str, name: str, rotation: int) -> Refusal | None:
    """Why a tile may not be laid so by that company; purple edges and budgets aside."""
    state, title = table.state, table.title
    hex_ = title.map.hexes.get(hex_id)
    tile = title.tiles.get(name)
    if hex_ is None:
        return table.refuse("VIII.4/18", f"there is no hex {hex_id} on the map")
    if tile is None or rotation not in range(6):
        return table.refuse("II/3", f"there is no tile {name} at rotation {rotation}")
    laid = state.board.tiles.get(hex_id)
    if rotation not in title.fitting(hex_, laid).get(name, ()):
        return why_not_fitting(table, hex_, laid, name, rotation)
    if not title.colour_open(tile.colour, state.phase):
        letter = next(letter for letter, phase in title.phases.items() if phase.colour == tile.colour)
        return table.refuse(title.colour_rules[tile.colour], f"{tile.colour} tiles come with the first {letter}-train")
    if not state.supply[name]:
        return table.refuse("II/3", f"no tile {name} is left in the supply")
    home = bare_home(table, company)
    if home is not None and hex_id != home:
        rule = "VIII.5/15" if title.map[home].printed.ground != "open" else "VIII.4/7"
        return table.refuse(rule, f"the first tile that {company} lays must be {table.at(home)}, its home")
    connected = title.surveyor.reach(state.board, company).sides.get(hex_id, 0)
    if not title.tile_set.faces[name][rotation].exits & connected:
        rule = "VIII.4/8" if laid is None else "VIII.5/7"
        return table.refuse(rule, f"{company} has no connection to track of tile {name} {table.at(hex_id)}")
    return None


def why_not_fitting(table: CzTable, hex_: Hex, laid: tuple[str, int] | None, name: str, rotation: int) -> Refusal:
    """The first rule that a tile breaks on a hex where it does not fit."""
    tile, printed = table.title.tiles[name], hex_.printed
    face = table.title.tile_set.faces[name][rotation]
    if tile.colour == "red":
        return table.refuse("VIII.4/22", f"{name} is the home tile of {tile.company} and is laid only by it")
    if printed.reserved_for:
        return table.refuse(
            "VIII.4/24", f"{table.place(hex_.id)} is reserved for the red tile of {printed.reserved_for}"
        )
    if refusal := _wrong_colour(table, hex_, laid, tile.colour):
        return refusal
    if tile.label != printed.label:
        rule = "VIII.4/14" if "P" in (tile.label, printed.label) else "VIII.4/13"
        if "OO" in (tile.label, printed.label):
            rule = "VIII.4/3"
        wanted = f"tiles marked {printed.label}" if printed.label else f"no tile marked {tile.label}"
        return table.refuse(rule, f"{table.place(hex_.id)} takes {wanted}")
    old = table.title.tile_set.lying(table.state.board, hex_)
    if refusal := _wrong_places(table, hex_, laid, old, face):
        return refusal
    if refusal := off_the_map(table, hex_, face.exits):
        return refusal
    if hex_.stubs & ~face.exits:
        sides = " and ".join(DIRECTIONS[side] for side in range(6) if hex_.stubs >> side & 1)
        return table.refuse("VIII.4/21", f"a tile {table.at(hex_.id)} must keep the printed track towards {sides}")
    return table.refuse(
        "VIII.5/8", f"tile {name} at rotation {rotation} would lose track that lies {table.at(hex_.id)}"
    )


def _wrong_colour(table: CzTable, hex_: Hex, laid: tuple[str, int] | None, colour: str) -> Refusal | None:
    """Colours come in order: yellow on bare hexes, green on yellow (or on a bare OO hex), and so on."""
    if laid is not None:
        there = table.title.tiles[laid[0]].colour
        if there not in COLOURS[:-1]:
            return table.refuse("VIII.5/1", f"the {there} tile {table.at(hex_.id)} cannot be promoted")
        wanted = COLOURS[COLOURS.index(there) + 1]
        return (
            None
            if colour == wanted
            else table.refuse(
                "VIII.5/1", f"the {there} tile {table.at(hex_.id)} is promoted to {wanted}, not to {colour}"
            )
        )
    ground = hex_.printed.ground
    if ground == "yellow":
        return (
            None
            if colour == "green"
            else table.refuse("VIII.4/3", f"the first tile {table.at(hex_.id)} is a green one")
        )
    if ground != "open":
        return table.refuse("VIII.4/2", f"nothing can be built on the printed track of {table.place(hex_.id)}")
    return (
        None
        if colour == "yellow"
        else table.refuse("VIII.5/1", f"{table.place(hex_.id)} has no tile yet: only a yellow one can be laid there")
    )


def _wrong_places(table: CzTable, hex_: Hex, laid: tuple[str, int] | None, old: Face, new: Face) -> Refusal | None:
    """Towns stay towns and cities stay cities (VIII.4/9 to /15, VIII.5/9, VIII.5/10)."""
    if laid is not None or hex_.printed.track:
        if set(old.kinds) == set(new.kinds):
            return None
        if not old.kinds:
            return table.refuse("VIII.5/9", f"the plain track {table.at(hex_.id)} is promoted to plain track only")
        return table.refuse("VIII.5/10", f"a promotion must keep the {old.kinds[0]} {table.at(hex_.id)}")
    if old.kinds == new.kinds:
        return None
    if not old.kinds:
        return table.refuse("VIII.4/15", f"{table.place(hex_.id)} is open country and takes plain track only")
    if old.kinds[0] == "city":
        return table.refuse("VIII.4/12", f"{table.place(hex_.id)} is a city and takes city tiles only")
    if len(old.kinds) == 2:
        return table.refuse(
            "VIII.4/10", f"{table.place(hex_.id)} has two towns and takes tiles with two tracks and two towns only"
        )
    return table.refuse("VIII.4/9", f"{table.place(hex_.id)} is a town and takes tiles with one town only")


# What a lay does


def terrain_cost(table: CzTable, company: str, hex_id: str) -> int:
    """The first tile on a hex pays for its terrain, promotions are free (VIII.4/16, VIII.5/17)."""
    if hex_id in table.state.board.tiles or table.builds_free(company):
        return 0
    return table.title.map[hex_id].printed.cost


def lay(table: CzTable, company: str, hex_id: str, name: str, rotation: int) -> None:
    """Put the tile down; stations stay with their cities; the old tile goes back to the supply (VIII.5/13)."""
    state, title = table.state, table.title
    old_tile = state.board.tiles.get(hex_id)
    supply = {**state.supply, name: state.supply[name] - 1}
    if old_tile is not None:
        supply[old_tile[0]] += 1
    state.supply = supply
    stations = carried_over(state.board, title.map[hex_id], table, title.tile_set.faces[name][rotation])
    state.board = state.board.with_tile(hex_id, name, rotation, stations)
    table.note(TileLaid(hex_id, name, rotation, company))
    for waiting in stations.get(hex_id, ()):
        pick_up_station(table, waiting, hex_id)
        table.push(HomeCity(waiting, hex_id))


def carried_over(board: Board, hex_: Hex, table: CzTable, new: Face) -> Lookup[str, tuple[str, ...]]:
    """All stations, those of the hex in the cities that carry on their old ones."""
    return moved_stations(board, hex_, heirs(table.title.tile_set.lying(board, hex_), new) or ())


# The step in a company's turn


def is_promotion(table: CzTable, hex_id: str) -> bool:
    """Whether a lay counts as a promotion: on a tile, on an OO hex, on printed Praha (VIII.3/2, VIII.5/14)."""
    if hex_id in table.state.board.tiles:
        return True
    printed = table.title.map[hex_id].printed
    if printed.track:
        return table.ruled("praha_first_tile") == "promotion"
    return printed.ground != "open"


class Lay(Step[CzTable, LayTrack, LayTile]):
    """One yellow tile (in the first turn two), or one promotion (VIII.4/4, VIII.4/5)."""

    action = LayTile

    def answers(self, table: CzTable, task: LayTrack) -> Iterator[Option]:
        cash = table.state.cash[task.company]
        for hex_id, found in lays_by_hex(table, task.company):
            if self._over_budget(table, task, hex_id):
                continue
            cost = terrain_cost(table, task.company, hex_id)
            locals_ = waivers(table, task.company, hex_id) if cost else []
            for name, rotation in found:
                if cost <= cash:
                    yield Option(LayTile(hex_id, name, rotation))
                for local in locals_:
                    yield Option(LayTile(hex_id, name, rotation, local))

    def refusal(self, table: CzTable, task: LayTrack, action: LayTile) -> Refusal | None:
        tile = table.title.tiles.get(action.tile)
        if tile is not None and tile.purple:
            return table.refuse("VIII.5/5", f"purple-edged tile {action.tile} is laid only by a Local Railway's power")
        if refusal := lay_refusal(table, task.company, action.hex, action.tile, action.rotation):
            return refusal
        if refusal := self._over_budget(table, task, action.hex):
            return refusal
        cost = terrain_cost(table, task.company, action.hex)
        if action.waiver is not None:
            return waiver_refusal(table, task.company, action.waiver, action.hex, cost)
        cash = table.state.cash[task.company]
        if cost > cash:
            return table.refuse(
                "VIII.4/16", f"{table.place(action.hex)} costs {cost} K and {task.company} has only {cash} K"
            )
        return None

    def _over_budget(self, table: CzTable, task: LayTrack, hex_id: str) -> Refusal | None:
        if task.yellows and is_promotion(table, hex_id):
            return table.refuse("VIII.3/2", "after a yellow tile no promotion is possible in the same turn")
        return None

    def perform(self, table: CzTable, task: LayTrack, action: LayTile) -> None:
        cost = terrain_cost(table, task.company, action.hex)
        yellows, promotion = task.yellows + 1, is_promotion(table, action.hex)
        if promotion and task.first and table.ruled("waived_lay_after_promotion") == "allowed":
            table.replace(LayWaived(task.company))
        elif promotion or yellows == (2 if task.first else 1):
            table.pop()
        else:
            table.replace(LayTrack(task.company, task.first, yellows))
        if action.waiver is None:
            pay(table, task.company, BANK, cost, f"terrain {table.at(action.hex)}", "track")
        else:
            use_power(table, action.waiver)
        lay(table, task.company, action.hex, action.tile, action.rotation)


class LayWaivedTile(Step[CzTable, LayWaived, LayTile]):
    """Beside the promotion of a first turn a yellow tile that a Local Railway pays for, where that is the ruling."""

    action = LayTile

    def answers(self, table: CzTable, task: LayWaived) -> Iterator[Option]:
        for hex_id, name, rotation in lays(table, task.company):
            if not is_promotion(table, hex_id) and terrain_cost(table, task.company, hex_id):
                for local in waivers(table, task.company, hex_id):
                    yield Option(LayTile(hex_id, name, rotation, local))

    def refusal(self, table: CzTable, task: LayWaived, action: LayTile) -> Refusal | None:
        known = action.hex in table.title.map.hexes
        if action.waiver is None or (known and is_promotion(table, action.hex)):
            return table.refuse("VIII.3/2", "after a promotion only a yellow tile whose cost is waived can be laid")
        return Lay().refusal(table, LayTrack(task.company, first=True), action)

    def perform(self, table: CzTable, task: LayWaived, action: LayTile) -> None:
        table.pop()
        assert action.waiver is not None
        use_power(table, action.waiver)
        lay(table, task.company, action.hex, action.tile, action.rotation)


# Powers of Local Railways on track (IV.1)


def power_refusal(table: CzTable, company: str, local: str) -> Refusal | None:
    """A power needs a Local Railway that the company owns and has not used (IV.1/15, IV.1/17)."""
    owner = table.state.locals.get(local)
    if owner != company:
        rule = "IV.1/17" if owner in table.state.players else "IV.1/15"
        return table.refuse(rule, f"{company} does not own the Local Railway {local}")
    if local in table.state.used_powers:
        return table.refuse("IV.1/15", f"the power of {local} has been used already")
    return None


def use_power(table: CzTable, local: str) -> None:
    """Turn the card over; the Local Railway stays and pays on (IV.1/16)."""
    table.state.used_powers = (*table.state.used_powers, local)
    table.note(PowerUsed(local))


def unused_locals(table: CzTable, company: str) -> list[str]:
    state = table.state
    return [local for local, owner in state.locals.items() if owner == company and local not in state.used_powers]


def waivers(table: CzTable, company: str, hex_id: str) -> list[str]:
    """The Local Railways that could waive the cost of a hex (IV.1/20 to IV.1/23)."""
    terrain = table.title.map[hex_id].printed.terrain
    return [local for local in unused_locals(table, company) if terrain in table.title.locals[local].waives]


def waiver_refusal(table: CzTable, company: str, local: str, hex_id: str, cost: int) -> Refusal | None:
    if refusal := power_refusal(table, company, local):
        return refusal
    if not cost:
        return table.refuse("IV.1/20", f"there is no cost {table.at(hex_id)} that {local} could waive")
    spec = table.title.locals[local]
    terrain = table.title.map[hex_id].printed.terrain
    if terrain not in spec.waives:
        rule = {"small": "IV.1/21", "medium": "IV.1/22", "large": "IV.1/23"}[spec.size]
        return table.refuse(rule, f"{local} waives the cost of {' and '.join(spec.waives)}, not of a {terrain}")
    return None
