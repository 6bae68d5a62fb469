"""What a company can reach from its stations, over track that it does not use twice.

A connection is a trail: it crosses every hex side and visits every revenue location at most once,
does not reverse at junctions, does not pass a city closed by others' stations, and ends at a red tile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple, cast

from ostbahn.kernel.board import Board, Hex, Map, city_id
from ostbahn.kernel.hexes import opposite, sides_of
from ostbahn.kernel.tiles import TileSet


class Reach:
    """The hex sides and revenue locations that a company can trace a connection to."""

    __slots__ = ("nodes", "sides")

    def __init__(self) -> None:
        self.nodes: dict[str, tuple[Hex, int]] = {}
        """Reached revenue locations by name."""
        self.sides: dict[str, int] = {}
        """For each hex the sides at which connected track arrives or may be continued."""


class Surveyor:
    """Answers for one map and tile set; what it finds out is remembered by the board."""

    def __init__(self, map_: Map, tile_set: TileSet) -> None:
        self.map = map_
        self.tile_set = tile_set

    def slots(self, board: Board, hex_: Hex, node: int) -> int:
        return board.face(self.tile_set, hex_).nodes[node].slots

    def closed(self, board: Board, hex_: Hex, node: int, company: str) -> bool:
        """Whether a company may end but not pass there: a red tile, or a city full of others' stations."""
        place = board.face(self.tile_set, hex_).nodes[node]
        if place.kind == "red":
            return True
        companies = board.stations.get(city_id(hex_.id, node), ())
        return place.kind == "city" and len(companies) >= place.slots and company not in companies

    def reach(self, board: Board, company: str) -> Reach:
        key = ("reach", company)
        found = board.remembered(key)
        if not isinstance(found, Reach):
            found = board.remember(key, _Walk(self, board, company).reach)
        return found

    def tracks(self, board: Board) -> tuple[Track, ...]:
        """All track between two revenue locations, whoever may use it; each piece once."""
        found = board.remembered("tracks")
        if found is None:
            found = board.remember("tracks", tuple(self._tracks(board)))
        return cast("tuple[Track, ...]", found)

    def _tracks(self, board: Board) -> Iterator[Track]:
        for hex_ in self.map:
            face = board.face(self.tile_set, hex_)
            for node, exits in enumerate(face.node_exits):
                start = city_id(hex_.id, node)
                for side in sides_of(exits):
                    for end, used, passed in self._follow(board, hex_, side, 0, ()):
                        if start < end:
                            yield Track(start, end, used, passed)

    def _follow(
        self, board: Board, hex_: Hex, side: int, used: int, passed: tuple[str, ...]
    ) -> Iterator[tuple[str, int, tuple[str, ...]]]:
        """Every way from a side of a hex to the next revenue location: its name, hex sides, hexes between."""
        there = hex_.neighbours[side]
        if there is None or used & hex_.bits[side]:
            return
        used |= hex_.bits[side]
        face = board.face(self.tile_set, there)
        entry = opposite(side)
        for node in face.node_at[entry]:
            yield city_id(there.id, node), used, passed
        for onward in face.through[entry]:
            yield from self._follow(board, there, onward, used, (*passed, there.id))


class Track(NamedTuple):
    """Track from one revenue location to another without a third between them."""

    start: str
    end: str
    sides: int
    """The hex sides that it crosses."""
    hexes: tuple[str, ...]
    """The hexes of plain track on the way."""


class _Walk:
    """A breadth-first search over (hex, side entered by).

    Each state is entered once, by the first trail that finds it. That is exact unless a trail was turned
    away only because it had itself crossed that hex side or visited that location before (a loop), no other
    trail entered that state, and something new lies beyond it. Only then all trails that do not contain one
    another are followed.
    """

    def __init__(self, surveyor: Surveyor, board: Board, company: str) -> None:
        self.surveyor = surveyor
        self.board = board
        self.company = company
        self.faces = surveyor.tile_set.faces
        self.reach = Reach()
        self.seen: dict[int, list[int]] = {}
        self.turned_away: set[int] = set()
        self.queue: deque[tuple[Hex, int, int]] = deque()
        self.own = frozenset(board.stations_of(company))
        self.exhaustive = False
        self._run()
        if self._more_beyond():
            self.exhaustive = True
            self.seen = {}
            self._run()

    def _run(self) -> None:
        for city in sorted(self.own):
            hex_id, _, node = city.partition(".")
            hex_ = self.surveyor.map[hex_id]
            self.reach.sides[hex_id] = hex_.marked
            if node:
                self.reach.nodes[city] = (hex_, int(node))
                for side in sides_of(self.board.face(self.surveyor.tile_set, hex_).node_exits[int(node)]):
                    self._leave(hex_, side, 0)
        while self.queue:
            self._enter(*self.queue.popleft())

    def _more_beyond(self) -> bool:
        """Whether states that trails were turned away from lead, by any walk at all, to something not yet reached."""
        hexes = tuple(self.surveyor.map)
        todo = [state for state in self.turned_away if state not in self.seen]
        walked = set(todo)
        while todo:
            hex_, entry = hexes[(state := todo.pop()) // 6], state % 6
            face = self.board.face(self.surveyor.tile_set, hex_)
            ways = set(face.through[entry])
            for node in face.node_at[entry]:
                if city_id(hex_.id, node) not in self.reach.nodes:
                    return True
                if not self.surveyor.closed(self.board, hex_, node, self.company):
                    ways.update(side for side in sides_of(face.node_exits[node]) if side != entry)
            for side in ways:
                if not self.reach.sides[hex_.id] >> side & 1:
                    return True
                there = hex_.neighbours[side]
                onward = -1 if there is None else there.index * 6 + opposite(side)
                if there is not None and onward not in walked and onward not in self.seen:
                    walked.add(onward)
                    todo.append(onward)
        return False

    def _leave(self, hex_: Hex, side: int, used: int, again: bool = False) -> None:
        sides = self.reach.sides
        sides[hex_.id] = sides.get(hex_.id, 0) | 1 << side
        there = hex_.neighbours[side]
        if there is None:
            return
        entry = opposite(side)
        state = there.index * 6 + entry
        bit = hex_.bits[side]
        trails = self.seen.get(state)
        if again or used & bit:
            if trails is None:
                self.turned_away.add(state)
            return
        used |= bit
        if trails is None:
            self.seen[state] = [used]
            sides[there.id] = sides.get(there.id, 0) | 1 << entry
        elif not self.exhaustive or any(trail & ~used == 0 for trail in trails):
            return
        else:
            trails.append(used)
        self.queue.append((there, entry, used))

    def _enter(self, hex_: Hex, entry: int, used: int) -> None:
        laid = self.board.tiles.get(hex_.id)
        face = hex_.face if laid is None else self.faces[laid[0]][laid[1]]
        for side in face.through[entry]:
            self._leave(hex_, side, used)
        for node in face.node_at[entry]:
            city = city_id(hex_.id, node)
            if city in self.own:
                continue
            self.reach.nodes[city] = (hex_, node)
            if self.surveyor.closed(self.board, hex_, node, self.company):
                continue
            # Bits of a trail above those of the hex sides: the locations it has visited, four to a hex.
            visit = 1 << (self.surveyor.map.side_count + hex_.index * 4 + node)
            for side in sides_of(face.node_exits[node]):
                if side != entry:
                    self._leave(hex_, side, used | visit, bool(used & visit))
