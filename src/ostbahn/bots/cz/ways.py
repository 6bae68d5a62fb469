"""Ways to build: how near the places are that a company does not reach yet."""

from __future__ import annotations

from functools import lru_cache

from ostbahn.bots.cz.weights import Building
from ostbahn.kernel.board import Hex, Map
from ostbahn.kernel.hexes import opposite, sides_of
from ostbahn.kernel.tiles import Node
from ostbahn.titles.cz.state import CzTable

Y_BONUS = 10
PRAHA = 40

KEPT = 16
"""How many countries are kept: a search for track looks at several boards in turn."""


def promise(hex_: Hex, nodes: tuple[Node, ...]) -> float:
    """What a place will pay once it is built: more than the first tile on it shows."""
    if hex_.printed.reserved_for:
        return 40.0
    if not nodes:
        return 0.0
    if nodes[0].kind == "town":
        return 10.0
    return {"P": PRAHA, "Y": 30.0 + Y_BONUS, "OO": 45.0}.get(hex_.printed.label or "", 30.0)


class Country:
    """The hexes over which track may be led, and how many tiles are missing between them.

    It changes only when a bare hex is built on or a colour opens, so what is found out is kept for later lays.
    """

    def __init__(self, map_: Map, built: frozenset[str], green: bool) -> None:
        self.built, self.green = built, green
        self._next = {hex_.id: self._steps(hex_) for hex_ in map_}
        self._around: dict[tuple[str, int], list[tuple[str, int]]] = {}

    def open(self, hex_: Hex) -> bool:
        """Whether there is track, or may be: OO hexes wait for green tiles, red ones for their company."""
        if hex_.id in self.built:
            return True
        ground = hex_.printed.ground
        return self.green if ground == "yellow" else ground == "open"

    def _steps(self, hex_: Hex) -> list[tuple[str, int]]:
        """The hexes to which track may lead from one, each with the tiles that it still needs."""
        return [
            (there.id, int(there.id not in self.built))
            for side, there in enumerate(hex_.neighbours)
            if there is not None
            and hex_.marked >> side & 1
            and there.printed.ground not in ("red", "grey")
            and self.open(there)
        ]

    def around(self, goal: str, farthest: int) -> list[tuple[str, int]]:
        """The hexes from which a goal is not too far, with the number of tiles that are missing."""
        key = (goal, farthest)
        found = self._around.get(key)
        if found is None:
            found = self._around[key] = self._spread(goal, farthest)
        return found

    def _spread(self, goal: str, farthest: int) -> list[tuple[str, int]]:
        seen = {goal}
        found = [(goal, 0)]
        for here, distance in found:
            if distance == farthest:
                continue
            for there, missing in self._next[here]:
                if there not in seen:
                    seen.add(there)
                    found.append((there, distance + missing))
        return found


@lru_cache(maxsize=KEPT)
def country_of(map_: Map, built: frozenset[str], green: bool) -> Country:
    return Country(map_, built, green)


class Ways:
    """For a company, what lies ahead of every hex that its track could be led to."""

    def __init__(self, table: CzTable, weights: Building, company: str) -> None:
        self.table, self.weights = table, weights
        title, board = table.title, table.state.board
        self.reach = title.surveyor.reach(board, company)
        self.reached = {hex_.id for hex_, _ in self.reach.nodes.values()}
        self._ahead: dict[str, float] = {}
        country = country_of(title.map, frozenset(board.tiles), title.colour_open("green", table.state.phase))
        for hex_ in title.map:
            worth = promise(hex_, board.face(title.tile_set, hex_).nodes)
            if worth > 10 and hex_.id not in self.reached and country.open(hex_):
                self._lead_to(country, hex_, worth)

    def _lead_to(self, country: Country, goal: Hex, worth: float) -> None:
        """A goal is worth less the more tiles are between; of several goals the best counts, others a little."""
        amounts = [worth * self.weights.decay**distance for distance in range(self.weights.farthest + 1)]
        ahead = self._ahead
        for hex_id, distance in country.around(goal.id, self.weights.farthest):
            amount = amounts[distance]
            ahead[hex_id] = max(ahead.get(hex_id, 0.0), amount) + 0.1 * amount

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
