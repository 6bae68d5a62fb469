"""What a company can reach from its stations, over track that it does not use twice.

A connection is a trail: it crosses every hex side and visits every revenue location at most once,
does not reverse at junctions, does not pass a city closed by others' stations, and ends at a red tile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from ostbahn.kernel.map.board import Board, Hex, Map, city_id
from ostbahn.kernel.map.hexes import opposite, sides_of
from ostbahn.kernel.map.tiles import Face, Node, TileSet
from ostbahn.kernel.native import native


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
        self.hexes = tuple(map_)
        self.across = tuple(
            -1 if there is None else there.index * 6 + opposite(side)
            for hex_ in map_
            for side, there in enumerate(hex_.neighbours)
        )
        """For each half of a hex side (hex and side as a number) the other one; -1 where the map ends."""

    def slots(self, board: Board, hex_: Hex, node: int) -> int:
        return board.face(self.tile_set, hex_).nodes[node].slots

    def closed(self, board: Board, hex_: Hex, node: int, company: str) -> bool:
        """Whether a company may end but not pass there: a red tile, or a city full of others' stations."""
        place = board.face(self.tile_set, hex_).nodes[node]
        return closed_to(place, board.stations.get(city_id(hex_.id, node), ()), company)

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
            for node in range(len(board.face(self.tile_set, hex_).nodes)):
                yield from (track for track in self.tracks_from(board, hex_, node) if track.start < track.end)

    def tracks_from(self, board: Board, hex_: Hex, node: int) -> list[Track]:
        """All track from one revenue location to another; the same piece is found at its other end too."""
        return self.leaving(board, hex_, node).tracks

    def leaving(self, board: Board, hex_: Hex, node: int) -> Leaving:
        """The same, with the hexes on which it hangs."""
        key = (hex_.id, node)
        found = board.nearby.get(key)
        if found is None:
            found = board.nearby.known[key] = self._leaving(board, hex_, node)
        return cast("Leaving", found)

    def _leaving(self, board: Board, hex_: Hex, node: int) -> Leaving:
        leaving = Leaving([], {hex_.id})
        exits = board.face(self.tile_set, hex_).node_exits
        start = city_id(hex_.id, node)
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
            end = city_id(there.id, node)
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
        self.faces = surveyor.tile_set.faces
        self.reach = Reach()
        self.seen: set[int] = set()
        self.turned_away: set[int] = set()
        self.queue: deque[tuple[Hex, int, int]] = deque()
        self.own = frozenset(board.stations_of(company))
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
        tiles, faces = self.board.tiles, self.faces
        while self.queue:
            hex_, entry, used = self.queue.popleft()
            laid = tiles.get(hex_.id)
            face = hex_.face if laid is None else faces[laid[0]][laid[1]]
            if face.node_at[entry]:
                self._call(hex_, entry)
                self._leave(hex_, self._past_places(hex_, face, entry), used)
            else:
                self._leave(hex_, face.through[entry], used)

    def exits(self, hex_: Hex, node: int) -> tuple[int, ...]:
        return sides_of(self.board.face(self.surveyor.tile_set, hex_).node_exits[node])

    def onward(self, hex_: Hex, entry: int) -> Sequence[int]:
        """The sides by which one may leave a hex entered by a side; stations of one's own are where trails begin."""
        face = self.board.face(self.surveyor.tile_set, hex_)
        return self._past_places(hex_, face, entry) if face.node_at[entry] else face.through[entry]

    def _past_places(self, hex_: Hex, face: Face, entry: int) -> list[int]:
        sides = list(face.through[entry])
        for node in face.node_at[entry]:
            city = city_id(hex_.id, node)
            companies = self.board.stations.get(city, ())
            if city not in self.own and not closed_to(face.nodes[node], companies, self.company):
                sides += sides_of(face.node_exits[node] & ~(1 << entry))
        return sides

    def _more_beyond(self) -> bool:
        """Whether states that trails were turned away from lead, by any walk at all, to something not yet reached."""
        hexes = self.surveyor.hexes
        todo = [state for state in self.turned_away if state not in self.seen]
        walked = set(todo)
        while todo:
            hex_, entry = hexes[(state := todo.pop()) // 6], state % 6
            face = self.board.face(self.surveyor.tile_set, hex_)
            if any(city_id(hex_.id, node) not in self.reach.nodes for node in face.node_at[entry]):
                return True
            for side in self.onward(hex_, entry):
                if not self.reach.sides[hex_.id] >> side & 1:
                    return True
                there = hex_.neighbours[side]
                state = -1 if there is None else there.index * 6 + opposite(side)
                if there is not None and state not in walked and state not in self.seen:
                    walked.add(state)
                    todo.append(state)
        return False

    def _leave(self, hex_: Hex, by: Sequence[int], used: int) -> None:
        """Go on from a hex that was come to, by some of its sides."""
        sides, seen = self.reach.sides, self.seen
        for side in by:
            sides[hex_.id] |= 1 << side
            there = hex_.neighbours[side]
            if there is None:
                continue
            entry = (side + 3) % 6
            state = there.index * 6 + entry
            if state in seen:
                continue
            bit = hex_.bits[side]
            if used & bit:
                self.turned_away.add(state)
                continue
            seen.add(state)
            sides[there.id] = sides.get(there.id, 0) | 1 << entry
            self.queue.append((there, entry, used | bit))

    def _call(self, hex_: Hex, entry: int) -> None:
        laid = self.board.tiles.get(hex_.id)
        for node in (hex_.face if laid is None else self.faces[laid[0]][laid[1]]).node_at[entry]:
            self.reach.nodes.setdefault(city_id(hex_.id, node), (hex_, node))

    def _take(self, entered: set[int]) -> None:
        """Everything beside the states that were entered is reached, beyond what was seen already."""
        hexes, sides = self.surveyor.hexes, self.reach.sides
        for state in sorted(entered - self.seen):
            here, entry = hexes[state // 6], state % 6
            there = here.neighbours[entry]
            if there is not None:
                sides[here.id] = sides.get(here.id, 0) | 1 << entry
                sides[there.id] = sides.get(there.id, 0) | 1 << opposite(entry)
                self._call(here, entry)


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
        self.hexes = trails.surveyor.hexes
        self.across = trails.surveyor.across
        self.starts = [
            hex_.index * 6 + side
            for city in sorted(trails.own)
            if "." in city
            for hex_, node in [trails.reach.nodes[city]]
            for side in trails.exits(hex_, node)
        ]
        self.base: dict[int, int] = {}
        """For points in a loop that was drawn together, the point where it is entered."""
        self.within: dict[int, list[int]] = {}
        """For points where such loops are entered, all points in them."""
        self.parent: dict[int, int] = {}
        """For halves that were left, the point from which track led to them."""
        self.entered: set[int] = {self.ROOT}
        self.queue = deque([self.ROOT])
        while self.queue:
            point = self.queue.popleft()
            for half in self._beside(point):
                if half in self.entered:
                    if self._base(point) != self._base(half):
                        self._draw_together(point, half)
                elif half not in self.parent:
                    self.parent[half] = point
                    self._enter(self.across[half])
        self.entered.discard(self.ROOT)

    def _beside(self, point: int) -> list[int]:
        if point == self.ROOT:
            return self.starts
        number, entry = divmod(point, 6)
        joined = [number * 6 + side for side in self.trails.onward(self.hexes[number], entry)]
        return [*joined, self.ROOT] if point in self.starts else joined

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
        points = [point for base in sorted(loop) for point in self.within.pop(base, (base,))]
        self.within.setdefault(top, [top]).extend(points)
        for point in points:
            self.base[point] = top
            self._enter(point)

    def _fork(self, one: int, other: int) -> int:
        above = {self._base(one)}
        while (one := self._base(one)) != self.ROOT:
            one = self._base(self.parent[self.across[one]])
            above.add(one)
        while (other := self._base(other)) not in above:
            other = self.parent[self.across[other]]
        return other

    def _climb(self, point: int, top: int, child: int) -> set[int]:
        loop = set()
        while self._base(point) != top:
            left = self.across[point]
            loop |= {self._base(point), self._base(left)}
            self.parent[point] = child
            child, point = left, self.parent[left]
        return loop
