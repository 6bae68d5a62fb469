"""What a company can reach from its stations, over track that it does not use twice.

A connection is a trail: it crosses every hex side and visits every revenue location at most once,
does not reverse at junctions, does not pass a city closed by others' stations, and ends at a red tile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, cast

from ostbahn.kernel.map.board import Board, Hex, Map
from ostbahn.kernel.map.hexes import opposite, sides_of
from ostbahn.kernel.map.tiles import Face, Node, TileSet
from ostbahn.kernel.native import native

LIKE = "like another board"
"""Under this a board remembers which one it is like, and where it is not."""


class Reach:
    """The hex sides and revenue locations that a company can trace a connection to."""

    __slots__ = ("nodes", "sides")

    def __init__(self) -> None:
        self.nodes: dict[str, tuple[Hex, int]] = {}
        """Reached revenue locations by name."""
        self.sides: dict[str, int] = {}
        """For each hex the sides at which connected track arrives or may be continued."""


def closed_to(place: Node, companies: Sequence[str], company: str) -> bool:
    """Whether a company may end but not pass at a place with these stations."""
    if place.kind == "red":
        return True
    return place.kind == "city" and len(companies) >= place.slots and company not in companies


@native(allow_interpreted_subclasses=True)
class Surveyor:
    """Answers for one map and tile set; what it finds out is remembered by the board."""

    def __init__(self, map_: Map, tile_set: TileSet) -> None:
        self.map = map_
        self.tile_set = tile_set

    def slots(self, board: Board, hex_: Hex, node: int) -> int:
        return self.tile_set.lying(board, hex_).nodes[node].slots

    def closed(self, board: Board, hex_: Hex, node: int, company: str) -> bool:
        """Whether a company may end but not pass there: a red tile, or a city full of others' stations."""
        place = self.tile_set.lying(board, hex_).nodes[node]
        return closed_to(place, board.stations.get(hex_.cities[node], ()), company)

    def reach(self, board: Board, company: str) -> Reach:
        key = ("reach", company)
        found = board.remembered(key)
        if not isinstance(found, Reach):
            found = board.remember(key, _Trails(self, board, company).reach)
        return found

    def tracks(self, board: Board) -> tuple[Track, ...]:
        """All track between two revenue locations, whoever may use it; each piece once."""
        found = board.remembered("tracks")
        if found is None:
            found = board.remember("tracks", tuple(self._tracks(board)))
        return cast("tuple[Track, ...]", found)

    def _tracks(self, board: Board) -> Iterator[Track]:
        for hex_ in self.map:
            for node in range(len(self.tile_set.lying(board, hex_).nodes)):
                yield from (track for track in self.tracks_from(board, hex_, node) if track.start < track.end)

    def tracks_from(self, board: Board, hex_: Hex, node: int) -> list[Track]:
        """All track from one revenue location to another; the same piece is found at its other end too."""
        return self.leaving(board, hex_, node).tracks

    def leaving(self, board: Board, hex_: Hex, node: int) -> Leaving:
        """The same, with the hexes on which it hangs."""
        key = ("tracks", hex_.id, node)
        found = board.remembered(key)
        if found is None:
            found = board.remember(key, self._on_like_board(board, key) or self._leaving(board, hex_, node))
        return cast("Leaving", found)

    def liken(self, board: Board, other: Board, changed: Collection[str]) -> None:
        """Say that a board is like another one but for some hexes: track that keeps off them need not be followed."""
        board.remember(LIKE, (other, changed))

    def _on_like_board(self, board: Board, key: object) -> Leaving | None:
        like = cast("tuple[Board, Collection[str]] | None", board.remembered(LIKE))
        if like is None:
            return None
        found = cast("Leaving | None", like[0].remembered(key))
        return found if found is not None and found.hexes.isdisjoint(like[1]) else None

    def _leaving(self, board: Board, hex_: Hex, node: int) -> Leaving:
        leaving = Leaving([], {hex_.id})
        exits = self.tile_set.lying(board, hex_).node_exits
        start = hex_.cities[node]
        for side in sides_of(exits[node]) if node < len(exits) else ():  # a home may wait for its tile
            self._follow(board, start, hex_, side, 0, (), leaving)
        return leaving

    def _follow(
        self, board: Board, start: str, hex_: Hex, side: int, used: int, passed: tuple[str, ...], found: Leaving
    ) -> None:
        """Find every way from a side of a hex to the next revenue location."""
        there = hex_.neighbours[side]
        if there is None or used & hex_.bits[side]:
            return
        used |= hex_.bits[side]
        found.hexes.add(there.id)
        laid = board.tiles.get(there.id)
        face = there.face if laid is None else self.tile_set.faces[laid[0]][laid[1]]
        entry = opposite(side)
        for node in face.node_at[entry]:
            end = there.cities[node]
            if end != start:
                found.tracks.append(Track(start, end, used, passed))
        for onward in face.through[entry]:
            self._follow(board, start, there, onward, used, (*passed, there.id), found)


class Track(NamedTuple):
    """Track from one revenue location to another without a third between them."""

    start: str
    end: str
    sides: int
    """The hex sides that it crosses."""
    hexes: tuple[str, ...]
    """The hexes of plain track on the way."""


class Leaving(NamedTuple):
    """All track that leaves a revenue location."""

    tracks: list[Track]
    hexes: set[str]
    """Those that it crosses or comes to, also where it leads nowhere; while they stay as they are, it does too."""


class _Trails:
    """A breadth-first search over (hex, side entered by), and Edmonds' search where that may not be enough.

    The first search enters each state once, by the first trail that finds it. That is exact unless a trail was
    turned away only because it had itself crossed that hex side before (a loop), no other trail entered that
    state, and something new lies beyond it. Only then the second search is made. (That a trail visits no
    location twice needs no care: whatever lies behind the second visit can be reached from the first.)
    """

    def __init__(self, surveyor: Surveyor, board: Board, company: str) -> None:
        self.surveyor = surveyor
        self.board = board
        self.company = company
        self.tiles = dict(board.tiles)
        self.stations = dict(board.stations)
        self.faces = surveyor.tile_set.faces
        self.reach = Reach()
        self.seen = [False] * (6 * len(surveyor.map.hexes))
        """For each state (six times the number of the hex, and the side) whether a trail has entered it."""
        self.turned_away: set[int] = set()
        self.queue: list[tuple[Hex, int, int]] = []
        """It grows while it is gone through."""
        self.own = {city for city, companies in board.stations.items() if company in companies}
        self._run()
        if self._more_beyond():
            self._take(_Alternating(self).entered)

    def _run(self) -> None:
        for city in sorted(self.own):
            hex_id, _, node = city.partition(".")
            hex_ = self.surveyor.map[hex_id]
            self.reach.sides[hex_id] = hex_.marked
            if node:
                self.reach.nodes[city] = (hex_, int(node))
                self._leave(hex_, self.exits(hex_, int(node)), 0)
        for hex_, entry, used in self.queue:
            self._enter(hex_, entry, used)

    def exits(self, hex_: Hex, node: int) -> tuple[int, ...]:
        return sides_of(self.face(hex_).node_exits[node])

    def face(self, hex_: Hex) -> Face:
        laid = self.tiles.get(hex_.id)
        return hex_.face if laid is None else self.faces[laid[0]][laid[1]]

    def onward(self, hex_: Hex, entry: int) -> tuple[int, ...]:
        """The sides by which one may leave a hex entered by a side; stations of one's own are where trails begin."""
        return self._onward(hex_, self.face(hex_), entry)

    def _onward(self, hex_: Hex, face: Face, entry: int) -> tuple[int, ...]:
        nodes = face.node_at[entry]
        if not nodes:
            return face.through[entry]
        sides = face.through[entry]
        for node in nodes:
            city = hex_.cities[node]
            if city not in self.own and not closed_to(face.nodes[node], self.stations.get(city, ()), self.company):
                sides += sides_of(face.node_exits[node] & ~(1 << entry))
        return sides

    def _more_beyond(self) -> bool:
        """Whether states that trails were turned away from lead, by any walk at all, to something not yet reached."""
        todo = [state for state in self.turned_away if not self.seen[state]]
        if not todo:
            return False
        hexes = tuple(self.surveyor.map)
        walked = set(todo)
        while todo:
            hex_, entry = hexes[(state := todo.pop()) // 6], state % 6
            face = self.face(hex_)
            if any(hex_.cities[node] not in self.reach.nodes for node in face.node_at[entry]):
                return True
            for side in self.onward(hex_, entry):
                if not self.reach.sides[hex_.id] >> side & 1:
                    return True
                there = hex_.neighbours[side]
                state = -1 if there is None else there.index * 6 + opposite(side)
                if there is not None and state not in walked and not self.seen[state]:
                    walked.add(state)
                    todo.append(state)
        return False

    def _leave(self, hex_: Hex, by: tuple[int, ...], used: int) -> None:
        """Go on by some sides of a hex."""
        sides, seen, left = self.reach.sides, self.seen, 0
        for side in by:
            left |= 1 << side
            there = hex_.neighbours[side]
            if there is None:
                continue
            entry = opposite(side)
            state = there.index * 6 + entry
            if seen[state]:
                continue
            bit = hex_.bits[side]
            if used & bit:
                self.turned_away.add(state)
                continue
            seen[state] = True
            sides[there.id] = sides.get(there.id, 0) | 1 << entry
            self.queue.append((there, entry, used | bit))
        sides[hex_.id] = sides.get(hex_.id, 0) | left

    def _enter(self, hex_: Hex, entry: int, used: int) -> None:
        face = self.face(hex_)
        self._call(hex_, face, entry)
        self._leave(hex_, self._onward(hex_, face, entry), used)

    def _call(self, hex_: Hex, face: Face, entry: int) -> None:
        nodes = self.reach.nodes
        for node in face.node_at[entry]:
            city = hex_.cities[node]
            if city not in nodes:
                nodes[city] = (hex_, node)

    def _take(self, entered: set[int]) -> None:
        """Everything beside the states that were entered is reached."""
        hexes, sides = tuple(self.surveyor.map), self.reach.sides
        for state in sorted(entered):
            here, entry = hexes[state // 6], state % 6
            there = here.neighbours[entry]
            if there is not None:
                sides[here.id] = sides.get(here.id, 0) | 1 << entry
                sides[there.id] = sides.get(there.id, 0) | 1 << opposite(entry)
                self._call(here, self.face(here), entry)


class _Alternating:
    """All states that some trail enters, exactly and in little time, whatever loops there are.

    Take both halves of every hex side as points; the side joins its two halves, and track joins halves on the
    same hex. A trail then crosses sides and follows track in turn, and uses no half twice: it is an alternating
    path, with the sides as a matching, that begins at the one unmatched point, the stations (ROOT). Which points
    such paths come to is what Edmonds' search for augmenting paths finds out (his paths, trees and flowers):
    it grows a tree, and where two branches meet it draws the loop together, as it can be run round both ways.
    """

    ROOT = -1

    def __init__(self, trails: _Trails) -> None:
        self.trails = trails
        self.hexes = tuple(trails.surveyor.map)
        self.starts = [
            hex_.index * 6 + side
            for city in sorted(trails.own)
            if "." in city
            for hex_, node in [trails.reach.nodes[city]]
            for side in trails.exits(hex_, node)
        ]
        self.base: dict[int, int] = {}
        """For points in a loop that was drawn together, the point where it is entered."""
        self.parent: dict[int, int] = {}
        """For halves that were left, the point from which track led to them."""
        self.entered: set[int] = {self.ROOT}
        self.queue = deque([self.ROOT])
        while self.queue:
            point = self.queue.popleft()
            for half in self._beside(point):
                self._join(point, half)
        self.entered.discard(self.ROOT)

    def _across(self, half: int) -> int:
        there = self.hexes[half // 6].neighbours[half % 6]
        assert there is not None, "no track leads off the map"
        return there.index * 6 + opposite(half % 6)

    def _beside(self, point: int) -> list[int]:
        if point == self.ROOT:
            return self.starts
        hex_ = self.hexes[point // 6]
        joined = [hex_.index * 6 + side for side in self.trails.onward(hex_, point % 6)]
        return [*joined, self.ROOT] if point in self.starts else joined

    def _join(self, point: int, half: int) -> None:
        if self._base(point) == self._base(half):
            return
        if half in self.entered:
            self._draw_together(point, half)
        elif half not in self.parent:
            self.parent[half] = point
            self._enter(self._across(half))

    def _enter(self, point: int) -> None:
        if point not in self.entered:
            self.entered.add(point)
            self.queue.append(point)

    def _base(self, point: int) -> int:
        return self.base.get(point, point)

    def _draw_together(self, one: int, other: int) -> None:
        """Two branches meet: every half on the loop that they make can be entered as well as left."""
        top = self._fork(one, other)
        loop = self._climb(one, top, other) | self._climb(other, top, one)
        for point in sorted(self.entered | set(self.parent)):
            if self._base(point) in loop:
                self.base[point] = top
                self._enter(point)

    def _fork(self, one: int, other: int) -> int:
        above = {self._base(one)}
        while (one := self._base(one)) != self.ROOT:
            one = self._base(self.parent[self._across(one)])
            above.add(one)
        while (other := self._base(other)) not in above:
            other = self.parent[self._across(other)]
        return other

    def _climb(self, point: int, top: int, child: int) -> set[int]:
        loop = set()
        while self._base(point) != top:
            left = self._across(point)
            loop |= {self._base(point), self._base(left)}
            self.parent[point] = child
            child, point = left, self.parent[left]
        return loop
