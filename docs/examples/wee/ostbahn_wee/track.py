"""Track (4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ostbahn.eighteen.table import PlainTable
from ostbahn.eighteen.track import BaseLayTile
from ostbahn.kernel.errors import Refusal
from ostbahn_wee.actions import LayTile
from ostbahn_wee.state import LayTrack

MAX_YELLOW = 2  # in a turn (4.1)


class Lay(BaseLayTile[PlainTable, LayTrack, LayTile]):
    action = LayTile
    cites: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("phase", "connected", "promotion connected"), "4.1"),
        "": "4.2",
        "cost": "4.3",
    }

    def lay_limit_refusal(self, table: PlainTable, task: LayTrack, hex_id: str) -> Refusal | None:
        if task.laid and hex_id in table.state.board.tiles:
            return table.refuse("4.1", "after a yellow tile none is promoted in the same turn")
        return None

    def continue_turn(self, table: PlainTable, task: LayTrack, action: LayTile) -> None:
        if action.hex in table.state.board.tiles or task.laid + 1 == MAX_YELLOW:
            table.pop()
        else:
            table.replace(LayTrack(task.company, task.laid + 1))
