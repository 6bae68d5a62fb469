"""Track (4)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Board, moved_stations
from ostbahn.kernel.map.tiles import COLOURS, heirs
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.records import TileLaid
from ostbahn.kernel.steps import Listed
from ostbahn_wee.actions import LayTile
from ostbahn_wee.state import LayTrack, WeeTable

MOST = 2
"""Yellow tiles in a turn (4.1)."""


class Lay(Listed[WeeTable, LayTrack, LayTile]):
    action = LayTile

    def candidates(self, table: WeeTable, task: LayTrack) -> Iterator[LayTile]:
        """Of rotations that look the same the first."""
        title, board = table.title, table.state.board
        for hex_id in title.surveyor.reach(board, task.company).sides:
            for tile, rotations in title.fitting(title.map[hex_id], board.tiles.get(hex_id)).items():
                yield from (LayTile(hex_id, tile, turn) for turn in title.tile_set.distinct(tile, rotations))

    def refusal(self, table: WeeTable, task: LayTrack, action: LayTile) -> Refusal | None:
        title, board = table.title, table.state.board
        hex_ = title.map.hexes.get(action.hex)
        laid = board.tiles.get(action.hex)
        if hex_ is None or action.rotation not in title.fitting(hex_, laid).get(action.tile, ()):
            return table.refuse(
                "4.2", f"tile {action.tile} at rotation {action.rotation} does not fit {table.at(action.hex)}"
            )
        colour = title.tiles[action.tile].colour
        if COLOURS.index(colour) > COLOURS.index(table.phase.colour) or (laid and task.laid):
            return table.refuse("4.1", f"{colour} tiles cannot be laid now")
        if not table.state.supply[action.tile]:
            return table.refuse("4.2", f"no tile {action.tile} is left")
        connected = title.surveyor.reach(board, task.company).sides.get(action.hex, 0)
        if not title.tile_set.faces[action.tile][action.rotation].exits & connected:
            return table.refuse("4.1", f"{task.company} has no connection to that track {table.at(action.hex)}")
        cost, cash = ground_cost(table, action.hex), table.state.cash[task.company]
        if cost > cash:
            return table.refuse(
                "4.3", f"the ground {table.at(action.hex)} costs {cost}, and {task.company} has only {cash}"
            )
        return None

    def perform(self, table: WeeTable, task: LayTrack, action: LayTile) -> None:
        state, old = table.state, table.state.board.tiles.get(action.hex)
        if old is None and task.laid + 1 < MOST:
            table.replace(LayTrack(task.company, task.laid + 1))
        else:
            table.pop()
        pay(table, task.company, BANK, ground_cost(table, action.hex), f"ground {table.at(action.hex)}", "track")
        supply = {**state.supply, action.tile: state.supply[action.tile] - 1}
        state.supply = supply if old is None else {**supply, old[0]: supply[old[0]] + 1}
        state.board = board_after(table, action)
        table.note(TileLaid(action.hex, action.tile, action.rotation, task.company))


def ground_cost(table: WeeTable, hex_id: str) -> int:
    return 0 if hex_id in table.state.board.tiles else table.title.map[hex_id].printed.cost


def board_after(table: WeeTable, action: LayTile) -> Board:
    """The board with a tile more; stations stay in their cities."""
    tiles, board, hex_ = table.title.tile_set, table.state.board, table.title.map[action.hex]
    same = heirs(board.face(tiles, hex_), tiles.faces[action.tile][action.rotation]) or ()
    return board.with_tile(hex_.id, action.tile, action.rotation, moved_stations(board, hex_, same))
