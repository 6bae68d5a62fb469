"""Ways to build: how near the places are that a company does not reach yet."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ostbahn.kernel.map.board import Hex, Map
from ostbahn.kernel.map.hexes import opposite, sides_of
from ostbahn.kernel.map.tiles import Node
from ostbahn.titles.cz.opponents.weights import CzWeights, FixedPlaces
from ostbahn.titles.cz.state import CzTable

KEPT = 16
"""How many countries are kept: a search for track looks at several boards in turn."""


def promise(hex_: Hex, nodes: tuple[Node, ...], places: FixedPlaces) -> float:
    """What a place will pay once it is built: more than the first tile on it shows."""
    if hex_.printed.reserved_for:
        return places.home
    if not nodes:
        return 0.0
    if nodes[0].kind == "town":
        return places.town
    return places.labelled.get(hex_.printed.label or "", places.city)


class Country:
    """The hexes over which track may be led, and how many tiles are missing between them.

    It changes only when a bare hex is built on or a colour opens, so what is found out is kept for later lays.
    """

    def __init__(self, map_: Map, built: frozenset[str], green: bool) -> None:
        self.built, self.green = built, green
        self._next = {hex_.id: self._steps(hex_) for hex_ in map_}
        self._around: dict[tuple[str, int], dict[str, int]] = {}

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

    def around(self, goal: str, farthest: int) -> Mapping[str, int]:
        """The hexes from which a goal is not too far, with the number of tiles that are missing."""
        key = (goal, farthest)
        found = self._around.get(key)
        if found is None:
            found = self._around[key] = self._spread(goal, farthest)
        return found

    def _spread(self, goal: str, farthest: int) -> dict[str, int]:
        found = {goal: 0}
        queue = [goal]
        for here in queue:
            distance = found[here]
            if distance == farthest:
                continue
            for there, missing in self._next[here]:
                if there not in found:
                    found[there] = distance + missing
                    queue.append(there)
        return found


@lru_cache(maxsize=KEPT)
def country_of(map_: Map, built: frozenset[str], green: bool) -> Country:
    return Country(map_, built, green)


class Ways:
    """For a company, what lies ahead of every hex that its track could be led to."""

    def __init__(self, table: CzTable, weights: CzWeights, company: str) -> None:
        self.table, self.weights = table, weights.building
        self.track, self.places = weights.fixed.track, weights.fixed.places
        title, board = table.title, table.state.board
        self.reach = title.surveyor.reach(board, company)
        self.reached = {hex_.id for hex_, _ in self.reach.nodes.values()}
        self._ahead: dict[str, float] = {}
        country = country_of(title.map, frozenset(board.tiles), title.colour_open("green", table.state.phase))
        self._goals = [
            (country.around(hex_.id, self.weights.farthest), self._amounts(worth))
            for hex_ in title.map
            if hex_.id not in self.reached
            and (worth := promise(hex_, board.face(title.tile_set, hex_).nodes, self.places)) > self.places.town
            and country.open(hex_)
        ]
        """For each place that it does not reach yet how far it is, and what it is worth at every distance."""

    def _amounts(self, worth: float) -> list[float]:
        """A goal is worth less the more tiles are between."""
        return [worth * self.weights.decay**distance for distance in range(self.weights.farthest + 1)]

    def _ahead_of(self, hex_id: str) -> float:
        """What track that comes to a hex leads towards: of several goals the best counts, others a little."""
        found = self._ahead.get(hex_id)
        if found is None:
            found, beside = 0.0, self.track.other_goals
            for distances, amounts in self._goals:
                distance = distances.get(hex_id)
                if distance is not None:
                    amount = amounts[distance]
                    found = max(found, amount) + beside * amount
            self._ahead[hex_id] = found
        return found

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
            ahead = self._ahead_of(there.id)
            if there.id in board.tiles:
                joins = board.face(tile_set, there).exits >> opposite(side) & 1
                ahead *= self.track.joins if joins else self.track.blocked
            found.append(ahead)
        found.sort(reverse=True)
        return sum(amount * self.weights.second_way**place for place, amount in enumerate(found))
