"""The base of laying track: which tiles may lie where and why not, what a lay costs, and what it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, TypeVar

from ostbahn.eighteen.table import BaseTable
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Board, DistinctFits, Hex, label_for, moved_stations, rotations_reaching
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.map.tiles import COLOURS, Face, Tile, heirs
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.native import Lookup, class_attribute, native
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import TileLaid
from ostbahn.kernel.state import Task
from ostbahn.kernel.steps import Step

TableT = TypeVar("TableT", bound=BaseTable)
TaskT = TypeVar("TaskT", bound=Task)
ActionT = TypeVar("ActionT", bound=Action)

TilesByColour = Lookup[str, tuple[tuple[str, str], ...]]
"""For each colour its tiles, each with the name under which the supply counts it."""


def tiles_left(table: BaseTable, tiles_by_colour: TilesByColour, colours: Sequence[str]) -> set[str]:
    """The tiles of some colours that the supply still has."""
    supply = table.state.supply
    names: set[str] = set()
    for colour in colours:
        for name, piece in tiles_by_colour[colour]:
            if supply[piece]:
                names.add(name)
    return names


def buildable_hexes(table: BaseTable, sides: Lookup[str, int]) -> list[tuple[str, int, DistinctFits]]:
    """The hexes of `sides` on which a tile fits, each with its reached sides and fitting tiles."""
    title = table.title
    hexes, laid, fitter = title.map.hexes, table.state.board.tiles, title.fits
    buildable: list[tuple[str, int, DistinctFits]] = []
    for hex_id, reached_sides in sides.items():
        fits = fitter.distinct(hexes[hex_id], laid.get(hex_id))
        if fits:
            buildable.append((hex_id, reached_sides, fits))
    return buildable


def next_tile_colour(table: BaseTable, hex_: Hex) -> str | None:
    """The colour of the tile that a hex takes next; None if it takes none."""
    laid = table.state.board.tiles.get(hex_.id)
    if laid is None:
        return {"open": "yellow", "yellow": "green"}.get(hex_.printed.ground)
    present = table.title.tiles[laid[0]].colour
    return next(iter(COLOURS[COLOURS.index(present) + 1 :]), None) if present in COLOURS else None


def board_after(
    table: BaseTable, hex_id: str, name: str, rotation: int, successors: Sequence[int] | None = None
) -> Board:
    """The board with a tile on a hex. Stations move to the successors of their cities, by default those by track."""
    board, tiles, hex_ = table.state.board, table.title.tile_set, table.title.map[hex_id]
    if successors is None:
        successors = heirs(tiles.lying(board, hex_), tiles.faces[name][rotation]) or ()
    return board.with_tile(hex_id, name, rotation, moved_stations(board, hex_, successors))


def put_tile(
    table: BaseTable, company: str, hex_id: str, name: str, rotation: int, successors: Sequence[int] | None = None
) -> None:
    """Lay a tile from the supply, which takes the replaced tile back."""
    state, title = table.state, table.title
    old = state.board.tiles.get(hex_id)
    supply = dict(state.supply)
    supply[title.piece(name)] -= 1
    if old is not None:
        supply[title.piece(old[0])] += 1
    state.supply = supply
    state.board = board_after(table, hex_id, name, rotation, successors)
    table.note(TileLaid(hex_id, name, rotation, company))


def terrain_cost(table: BaseTable, hex_id: str) -> int:
    """The terrain cost of a hex; 0 once a tile lies there."""
    return 0 if hex_id in table.state.board.tiles else table.title.map[hex_id].printed.cost


@native(allow_interpreted_subclasses=True)
class BaseLayTile(Step[TableT, TaskT, ActionT]):
    """Lay or promote a tile. A title supplies the rules to cite, costs, lays per turn and the next task."""

    cites: ClassVar[Lookup[str, str]]
    """Rules to cite by kind of refusal; "" is the default."""

    def rule(self, kind: str) -> str:
        """The rule to cite for a kind of refusal."""
        cites: Lookup[str, str] = class_attribute(self, "cites")
        return cites.get(kind) or cites[""]

    # Legal answers

    def answers(self, table: TableT, task: Any) -> Iterator[Option]:
        title, tiles, action = table.title, self.tiles(table), class_attribute(self, "action")
        hexes, laid, fitter = title.map.hexes, table.state.board.tiles, title.fits
        for hex_id, sides in self.reached(table, task.company).items():
            lays = rotations_reaching(fitter.distinct(hexes[hex_id], laid.get(hex_id)), sides, tiles)
            if not lays or self.lay_limit_refusal(table, task, hex_id):
                continue
            payments = self.payments(table, task, hex_id)
            for name, rotation in lays:
                for fields in payments:
                    yield Option(action(hex_id, name, rotation, *fields) if fields else action(hex_id, name, rotation))

    def lays(self, table: TableT, company: str, tiles: set[str]) -> Iterator[tuple[str, str, int]]:
        """Lays of these tiles that fit and connect: hex, tile, rotation (one of those that look the same)."""
        for hex_id, sides, fits in buildable_hexes(table, self.reached(table, company)):
            for name, rotation in rotations_reaching(fits, sides, tiles):
                yield hex_id, name, rotation

    def tiles(self, table: TableT) -> set[str]:
        """The tiles that may be laid now."""
        return tiles_left(table, table.title.tiles_by_colour, table.title.open_colours(table.state.phase))

    def reached(self, table: TableT, company: str) -> Lookup[str, int]:
        """The hexes that a company reaches, each with the sides that its track reaches."""
        return table.title.surveyor.reach(table.state.board, company).sides

    def payments(self, table: TableT, task: Any, hex_id: str) -> list[tuple[Any, ...]]:
        """The ways to pay for a lay, each as further fields of the action; empty if there is none."""
        return [] if self.cannot_afford(table, task.company, hex_id) else [()]

    # Refusals

    def refusal(self, table: TableT, task: Any, action: Any) -> Refusal | None:
        return (
            self.tile_refusal(table, action.hex, action.tile, action.rotation)
            or self.connection_refusal(table, task.company, action)
            or self.lay_limit_refusal(table, task, action.hex)
            or self.unpaid_refusal(table, task, action)
        )

    def tile_refusal(self, table: TableT, hex_id: str, name: str, rotation: int) -> Refusal | None:
        """Why a tile cannot lie on a hex in this rotation, whichever company lays it."""
        title, state = table.title, table.state
        hex_, tile = title.map.hexes.get(hex_id), title.tiles.get(name)
        if hex_ is None:
            return table.refuse(self.rule("off the map"), f"there is no hex {hex_id} on the map")
        if tile is None or rotation not in range(6):
            return table.refuse(self.rule("tiles"), f"there is no tile {name} at rotation {rotation}")
        if rotation not in title.fitting(hex_, state.board.tiles.get(hex_id)).get(name, ()):
            return self.misfit_refusal(table, hex_, name, rotation)
        if not title.is_colour_open(tile.colour, state.phase):
            return self.colour_refusal(table, tile.colour)
        if not state.supply[title.piece(name)]:
            return table.refuse(self.rule("tiles"), f"no tile {name} is left in the supply")
        return None

    def colour_refusal(self, table: TableT, colour: str) -> Refusal:
        return table.refuse(self.rule("phase"), f"{colour} tiles cannot be laid in the {table.state.phase} phase")

    def misfit_refusal(self, table: TableT, hex_: Hex, name: str, rotation: int) -> Refusal:
        """The refusal of a tile that does not fit a hex, by the first rule that it breaks."""
        tile, face = table.title.tiles[name], table.title.tile_set.faces[name][rotation]
        return (
            self._wrong_colour(table, hex_, tile.colour)
            or self._wrong_label(table, hex_, tile)
            or self._wrong_places(table, hex_, face)
            or self.off_map_refusal(table, hex_, face.exits)
            or self._against_print(table, hex_, tile, face, rotation)
            or table.refuse(
                self.rule("track"), f"tile {name} at rotation {rotation} would lose track that lies {table.at(hex_.id)}"
            )
        )

    def _wrong_colour(self, table: TableT, hex_: Hex, colour: str) -> Refusal | None:
        """Tiles come in the order of colours; hexes printed in a later colour take none."""
        laid, ground = table.state.board.tiles.get(hex_.id), hex_.printed.ground
        if laid is None and ground not in ("open", "yellow"):
            return table.refuse(self.rule(ground), f"nothing can be built {table.at(hex_.id)}")
        wanted = next_tile_colour(table, hex_)
        if colour == wanted:
            return None
        present = "bare" if laid is None and ground == "open" else ground
        if laid is not None:
            present = table.title.tiles[laid[0]].colour
        takes = f"a {wanted} tile" if wanted else "no other tile"
        rule = self.rule("first tile" if laid is None and ground == "yellow" else "colour")
        return table.refuse(rule, f"{table.place(hex_.id)} is {present} and takes {takes}, not a {colour} one")

    def _wrong_label(self, table: TableT, hex_: Hex, tile: Tile) -> Refusal | None:
        wanted = label_for(hex_, tile.colour)
        if tile.label == wanted:
            return None
        labels = (tile.label, hex_.printed.label)
        rules: Lookup[str, str] = class_attribute(self, "cites")
        kind = next((kind for kind in rules if kind.removeprefix("label ") in labels), "")
        takes = f"tiles marked {wanted}" if wanted else f"no tile marked {tile.label}"
        return table.refuse(self.rule(kind), f"{table.place(hex_.id)} takes {takes}")

    def _wrong_places(self, table: TableT, hex_: Hex, face: Face) -> Refusal | None:
        """Towns stay towns, cities stay cities, and plain track stays plain track."""
        old = table.title.tile_set.lying(table.state.board, hex_)
        is_promotion = hex_.id in table.state.board.tiles or bool(hex_.printed.track)
        keeps_number = is_promotion or len(old.kinds) == len(face.kinds)
        if set(old.kinds) == set(face.kinds) and keeps_number:
            return None
        kind = str(old.kinds[0]) if old.kinds else "open country"
        if len(old.kinds) == 2 and kind == "town":
            kind = "two towns"
        text = f"{table.place(hex_.id)} is {kind} and takes such tiles only"
        if not is_promotion:
            return table.refuse(self.rule(kind), text)
        return table.refuse(self.rule("places" if old.kinds else "plain track"), text)

    def off_map_refusal(self, table: TableT, hex_: Hex, exits: int) -> Refusal | None:
        beyond = [name for side, name in enumerate(DIRECTIONS) if (exits & ~hex_.marked) >> side & 1]
        if any(name in hex_.printed.barriers for name in beyond):
            return table.refuse(self.rule("barrier"), f"track would run against the barrier at {table.place(hex_.id)}")
        if beyond:
            towards = f"from {table.place(hex_.id)} towards {', '.join(beyond)}"
            return table.refuse(self.rule("off the map"), f"track would run off the map {towards}")
        return None

    def _against_print(self, table: TableT, hex_: Hex, tile: Tile, face: Face, rotation: int) -> Refusal | None:
        """Printed track, a river or a lake on a hex limits the track of its tiles."""
        if hex_.stubs & ~face.exits:
            sides = " and ".join(DIRECTIONS[side] for side in range(6) if hex_.stubs >> side & 1)
            return table.refuse(
                self.rule("stubs"), f"a tile {table.at(hex_.id)} must keep the printed track towards {sides}"
            )
        if tile.rotations is not None and rotation not in tile.rotations:
            return table.refuse(self.rule("river"), "the river on the tile must continue the printed river")
        if hex_.shores and any(all(pair & ~shore for shore in hex_.shores) for pair in face.pairs):
            rule = self.rule("lake" if hex_.id not in table.state.board.tiles else "lake, promoted")
            return table.refuse(rule, f"track {table.at(hex_.id)} would cross the lake")
        return None

    def connection_refusal(self, table: TableT, company: str, action: Any) -> Refusal | None:
        sides = self.reached(table, company).get(action.hex, 0)
        if table.title.tile_set.faces[action.tile][action.rotation].exits & sides:
            return None
        rule = self.rule("promotion connected" if action.hex in table.state.board.tiles else "connected")
        where = f"tile {action.tile} {table.at(action.hex)}"
        return table.refuse(rule, f"{table.name(company)} has no connection to track of {where}")

    def lay_limit_refusal(self, table: TableT, task: Any, hex_id: str) -> Refusal | None:
        """Why the turn allows no further tile on this hex."""
        return None

    def unpaid_refusal(self, table: TableT, task: Any, action: Any) -> Refusal | None:
        return self.cannot_afford(table, task.company, action.hex)

    def cannot_afford(self, table: TableT, company: str, hex_id: str) -> Refusal | None:
        return table.cannot_afford(self.rule("cost"), company, self.cost(table, company, hex_id), table.place(hex_id))

    def cost(self, table: TableT, company: str, hex_id: str) -> int:
        return terrain_cost(table, hex_id)

    # Effects

    def perform(self, table: TableT, task: Any, action: Any) -> None:
        self.continue_turn(table, task, action)
        self.pay(table, task, action)
        self.lay(table, task.company, action)

    def continue_turn(self, table: TableT, task: Any, action: Any) -> None:
        """Set the task after the lay."""
        table.pop()

    def pay(self, table: TableT, task: Any, action: Any) -> None:
        cost = self.cost(table, task.company, action.hex)
        pay(table, task.company, BANK, cost, f"terrain {table.at(action.hex)}", "track")

    def lay(self, table: TableT, company: str, action: Any) -> None:
        put_tile(table, company, action.hex, action.tile, action.rotation)
