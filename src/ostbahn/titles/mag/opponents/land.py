"""The land around a minor's track: places that it has not reached, and how many tiles away they are."""

from __future__ import annotations

from functools import lru_cache

from ostbahn.kernel.map.board import Hex, hex_of
from ostbahn.kits.data import KEPT
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.title import MagTitle

FAR = 99


@lru_cache(maxsize=KEPT)
def distances(title: MagTitle) -> dict[str, dict[str, int]]:
    """For each hex, how many hexes away every other one is, as track may run; a red hex is never passed."""
    return {hex_.id: _from(hex_) for hex_ in title.map}


def _from(start: Hex) -> dict[str, int]:
    found = {start.id: 0}
    queue = [start]
    for here in queue:
        if here is not start and here.printed.ground == "red":
            continue
        for side, there in enumerate(here.neighbours):
            if there is not None and here.marked >> side & 1 and there.id not in found:
                found[there.id] = found[here.id] + 1
                queue.append(there)
    return found


def prize(table: MagTable, hex_: Hex, weights: MagWeights) -> float:
    """What a place will be worth to a train, roughly."""
    spec = weights.track
    nodes = hex_.printed.nodes
    if not nodes:
        return 0.0
    place = nodes[0]
    if place.kind in ("red", "mine"):
        value = place.value if isinstance(place.value, int) else place.value.get(table.state.phase, 0)
        return value + table.phase.off_board_bonus if place.kind == "red" else value * spec.mine_part
    if place.kind == "town":
        return spec.town
    return spec.double_city if len(nodes) > 1 else spec.city


class Land:
    """The land as a minor sees it on a board."""

    def __init__(self, table: MagTable, minor: str, weights: MagWeights) -> None:
        self.table = table
        self.decay = weights.track.decay
        self.apart = distances(table.title)
        reach = table.title.surveyor.reach(table.state.board, minor)
        self.sides = reach.sides
        reached = {hex_of(node) for node in reach.nodes if self._has_track(node)}
        self.wanted = [
            (hex_.id, worth)
            for hex_ in table.title.map
            if hex_.id not in reached and (worth := prize(table, hex_, weights))
        ]
        self._fields: dict[str, float] = {}

    def _has_track(self, node: str) -> bool:
        """A home without a tile is still to be built on."""
        hex_ = self.table.title.map[hex_of(node)]
        return hex_.id in self.table.state.board.tiles or bool(hex_.printed.track)

    def empty(self, hex_: Hex) -> bool:
        return hex_.id not in self.table.state.board.tiles and hex_.printed.ground == "open"

    def field(self, hex_id: str) -> float:
        """What all that is not reached is worth from a hex, the nearer the more."""
        found = self._fields.get(hex_id)
        if found is None:
            apart = self.apart[hex_id]
            found = sum(worth * self.decay ** apart.get(place, FAR) for place, worth in self.wanted)
            self._fields[hex_id] = found
        return found

    def hope(self) -> float:
        """What is within reach: every place that is not reached, from the nearest hex to which track leads."""
        title = self.table.title
        ends = [hex_id for hex_id in self.sides if self.empty(title.map[hex_id])]
        total = 0.0
        for place, worth in self.wanted:
            nearest = min((self.apart[end].get(place, FAR) for end in ends), default=FAR)
            total += worth * self.decay ** (nearest + 1)
        return total
