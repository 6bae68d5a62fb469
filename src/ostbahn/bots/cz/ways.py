"""Ways to build: how near the places are that a company does not reach yet."""

from __future__ import annotations

from collections import deque

from ostbahn.bots.cz.prospects import View
from ostbahn.kernel.board import Hex
from ostbahn.kernel.hexes import opposite, sides_of
from ostbahn.kernel.tiles import Node

Y_BONUS = 10
PRAHA = 40


def promise(hex_: Hex, nodes: tuple[Node, ...]) -> float:
    """What a place will pay once it is built: more than the first tile on it shows."""
    if hex_.printed.reserved_for:
        return 40.0
    if not nodes:
        return 0.0
    if nodes[0].kind == "town":
        return 10.0
    return {"P": PRAHA, "Y": 30.0 + Y_BONUS, "OO": 45.0}.get(hex_.printed.label or "", 30.0)


class Ways:
    """For a company, what lies ahead of every hex that its track could be led to."""

    def __init__(self, view: View, company: str) -> None:
        self.table = view.table
        self.weights = view.weights.building
        title, board = self.table.title, self.table.state.board
        self.reach = title.surveyor.reach(board, company)
        self.reached = {hex_.id for hex_, _ in self.reach.nodes.values()}
        self._ahead: dict[str, float] = {}
        for hex_ in title.map:
            worth = promise(hex_, board.face(title.tile_set, hex_).nodes)
            if worth > 10 and hex_.id not in self.reached and self._open(hex_):
                self._spread(hex_, worth)

    def _open(self, hex_: Hex) -> bool:
        """Whether there is track, or may be: OO hexes wait for green tiles, red ones for their company."""
        if hex_.id in self.table.state.board.tiles:
            return True
        ground = hex_.printed.ground
        if ground == "yellow":
            return self.table.title.colour_open("green", self.table.state.phase)
        return ground == "open"

    def _spread(self, goal: Hex, worth: float) -> None:
        """A goal is worth less the more tiles are between; of several goals the best counts, others a little."""
        seen = {goal.id}
        queue = deque([(goal, 0)])
        while queue:
            hex_, distance = queue.popleft()
            amount = worth * self.weights.decay**distance
            self._ahead[hex_.id] = max(self._ahead.get(hex_.id, 0.0), amount) + 0.1 * amount
            if distance == self.weights.farthest:
                continue
            for side, there in enumerate(hex_.neighbours):
                if there is None or there.id in seen or not hex_.marked >> side & 1:
                    continue
                if there.printed.ground in ("red", "grey") or not self._open(there):
                    continue
                seen.add(there.id)
                queue.append((there, distance + (there.id not in self.table.state.board.tiles)))

    def arrives(self, hex_: Hex) -> int:
        """The sides at which the company's track already comes to a hex."""
        board, tile_set = self.table.state.board, self.table.title.tile_set
        found = 0
        for side in sides_of(self.reach.sides.get(hex_.id, 0)):
            there = hex_.neighbours[side]
            if there is not None and board.face(tile_set, there).exits >> opposite(side) & 1:
                found |= 1 << side
        return found

    def beyond(self, hex_: Hex, exits: int) -> float:
        """What track that leaves a hex by these sides leads towards."""
        board, tile_set = self.table.state.board, self.table.title.tile_set
        found = []
        for side in sides_of(exits):
            there = hex_.neighbours[side]
            if there is None:
                continue
            ahead = self._ahead.get(there.id, 0.0)
            if there.id in board.tiles:
                joins = board.face(tile_set, there).exits >> opposite(side) & 1
                ahead *= 1.3 if joins else 0.4
            found.append(ahead)
        found.sort(reverse=True)
        return sum(amount * self.weights.second_way**place for place, amount in enumerate(found))
