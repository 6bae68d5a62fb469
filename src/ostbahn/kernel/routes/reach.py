"""What a company can reach from its stations, over track that it does not use twice.

A connection is a trail: it crosses every hex side and visits every revenue location at most once,
does not reverse at junctions, does not pass a city closed by others' stations, and ends at a red tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

from ostbahn.kernel.map.board import Board, Hex, Map, city_id
from ostbahn.kernel.map.hexes import opposite, sides_of
from ostbahn.kernel.map.tiles import NEVER_FULL, Face, Node, TileSet
from ostbahn.kernel.native import native

NOWHERE: Final = -1
"""In the place of a state, where the map ends or a trail begins."""
UNSEEN: Final = -2
"""Before a state that no trail has entered."""
UNTOUCHED: Final = -1
"""In the place of the sides of a hex to which no trail has come."""


class Reach:
    """The hex sides and revenue locations that a company can trace a connection to."""

    __slots__ = ("nodes", "sides")

    def __init__(self, nodes: dict[str, tuple[Hex, int]], sides: dict[str, int]) -> None:
        self.nodes = nodes
        self.sides = sides
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
            NOWHERE if there is None else there.index * 6 + opposite(side)
            for hex_ in map_
            for side, there in enumerate(hex_.neighbours)
        )
        """For each half of a hex side (hex and side as a number) the other one, or nowhere."""

    def closed(self, board: Board, hex_: Hex, node: int, company: str) -> bool:
        """Whether a company may end but not pass there: a red tile, or a city full of others' stations."""
        place = self.tile_set.lying(board, hex_).nodes[node]
        return closed_to(place, board.stations.get(hex_.cities[node], ()), company)

    def faces(self, board: Board) -> list[Face]:
        """What lies on each hex, by its number; found once for a board, and mostly taken from the one before."""
        nearby = board.nearby
        faces = nearby.faces
        if faces is None:
            faces = [self.tile_set.lying(board, hex_) for hex_ in self.hexes]
        elif nearby.stale:
            faces = faces.copy()
            for hex_id in nearby.stale:
                hex_ = self.map[hex_id]
                faces[hex_.index] = self.tile_set.lying(board, hex_)
        nearby.faces, nearby.stale = faces, ()
        return faces

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
        key = (hex_.id, node)
        found = board.nearby.get(key)
        if found is None:
            found = board.nearby.known[key] = self._leaving(board, hex_, node)
        return cast("Leaving", found)

    def _leaving(self, board: Board, hex_: Hex, node: int) -> Leaving:
        leaving = Leaving([], {hex_.id})
        faces = self.faces(board)
        exits = faces[hex_.index].node_exits
        start = city_id(hex_.id, node)
        for side in sides_of(exits[node]) if node < len(exits) else ():  # a home may wait for its tile
            self._follow(faces, start, hex_, side, 0, (), leaving)
        return leaving

    def _follow(
        self, faces: list[Face], start: str, hex_: Hex, side: int, used: int, passed: tuple[str, ...], found: Leaving
    ) -> None:
        there = hex_.neighbours[side]
        if there is None or used & hex_.bits[side]:
            return
        used |= hex_.bits[side]
        found.hexes.add(there.id)
        face = faces[there.index]
        entry = opposite(side)
        for node in face.node_at[entry]:
            end = there.cities[node]
            if end != start:
                found.tracks.append(Track(start, end, used, passed))
        for onward in face.through[entry]:
            self._follow(faces, start, there, onward, used, (*passed, there.id), found)


class Track(NamedTuple):
    """Track from one revenue location to another without a third between them."""

    start: str
    end: str
    sides: int
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

    A state is a number, hex and side, and what is known of states and hexes stands in lists by these numbers:
    compiled, such lists cost next to nothing, while sets and mappings cost what they always do.
    """

    def __init__(self, surveyor: Surveyor, board: Board, company: str) -> None:
        self.hexes = surveyor.hexes
        self.across = surveyor.across
        self.faces = surveyor.faces(board)
        self.stations = board.stations
        self.own = sorted([city for city, companies in self.stations.items() if company in companies])
        self.before = [UNSEEN] * len(self.across)
        """For each state that was entered the one before it on its trail."""
        self.queue: list[int] = []
        self.turned_away: list[int] = []
        self.sides = [UNTOUCHED] * len(self.hexes)
        self.touched: list[int] = []
        """Hexes in the order in which trails came to them."""
        self.places: dict[str, Any] = surveyor.map.places
        self.nodes: dict[str, Any] = {}
        """Hex and node by name; taken from the map as they are, not put together anew."""
        self._begin(surveyor.map)
        self._run()
        if self._more_beyond():
            self._take(_Alternating(self).entered)

    @property
    def reach(self) -> Reach:
        return Reach(self.nodes, {self.hexes[number].id: self.sides[number] for number in self.touched})

    def _begin(self, map_: Map) -> None:
        """At the stations; one that has no city yet is only there."""
        for city in self.own:
            hex_id, _, node = city.partition(".")
            hex_ = map_[hex_id]
            self._touch(hex_.index, 0)
            self.sides[hex_.index] = hex_.marked
            if node:
                self.nodes[city] = self.places[city]
                self._leave(hex_.index, sides_of(self.faces[hex_.index].node_exits[int(node)]), NOWHERE)

    def _run(self) -> None:
        number = 0
        while number < len(self.queue):
            state = self.queue[number]
            number += 1
            index, entry = state // 6, state % 6
            face = self.faces[index]
            if face.node_at[entry]:
                self._call(index, entry)
            self._leave(index, face.through[entry], state)
            for node in face.node_at[entry]:
                self._leave(index, self._past(index, entry, node), state)

    def onward(self, state: int) -> tuple[int, ...]:
        """The sides by which one may leave a hex entered by a side; stations of one's own are where trails begin."""
        index, entry = state // 6, state % 6
        face = self.faces[index]
        sides = face.through[entry]
        for node in face.node_at[entry]:
            sides += self._past(index, entry, node)
        return sides

    def _past(self, index: int, entry: int, node: int) -> tuple[int, ...]:
        """The sides to which a revenue location leads on that was come to by a side."""
        face = self.faces[index]
        room = face.room[node]
        if room < NEVER_FULL:
            city = self.hexes[index].cities[node]
            if city in self.own or len(self.stations.get(city, ())) >= room:
                return ()
        return sides_of(face.node_exits[node] & ~(1 << entry))

    def _leave(self, index: int, by: tuple[int, ...], state: int) -> None:
        """Go on from a hex that was come to, by some of its sides."""
        for side in by:
            self.sides[index] |= 1 << side
            half = index * 6 + side
            there = self.across[half]
            if there == NOWHERE or self.before[there] != UNSEEN:
                continue
            if self.before[half] != UNSEEN and self._crossed(half, state):
                self.turned_away.append(there)
                continue
            self.before[there] = state
            self._touch(there // 6, 1 << there % 6)
            self.queue.append(there)

    def _crossed(self, half: int, state: int) -> bool:
        """Whether a trail has come over a hex side before, the other way."""
        while state != NOWHERE and state != half:
            state = self.before[state]
        return state == half

    def _touch(self, index: int, sides: int) -> None:
        if self.sides[index] == UNTOUCHED:
            self.touched.append(index)
            self.sides[index] = sides
        else:
            self.sides[index] |= sides

    def _call(self, index: int, entry: int) -> None:
        hex_ = self.hexes[index]
        for node in self.faces[index].node_at[entry]:
            city = hex_.cities[node]
            if city not in self.nodes:
                self.nodes[city] = self.places[city]

    def _more_beyond(self) -> bool:
        """Whether states that trails were turned away from lead, by any walk at all, to something not yet reached."""
        todo = [state for state in self.turned_away if self.before[state] == UNSEEN]
        walked = set(todo)
        while todo:
            state = todo.pop()
            index = state // 6
            hex_ = self.hexes[index]
            for node in self.faces[index].node_at[state % 6]:
                if hex_.cities[node] not in self.nodes:
                    return True
            for side in self.onward(state):
                if self.sides[index] == UNTOUCHED or not self.sides[index] >> side & 1:
                    return True
                there = self.across[index * 6 + side]
                if there != NOWHERE and self.before[there] == UNSEEN and there not in walked:
                    walked.add(there)
                    todo.append(there)
        return False

    def _take(self, entered: list[bool]) -> None:
        """Everything beside the states that were entered is reached, beyond what was seen already."""
        for state in range(len(self.across)):
            there = self.across[state]
            if entered[state] and self.before[state] == UNSEEN and there != NOWHERE:
                self._touch(state // 6, 1 << state % 6)
                self._touch(there // 6, 1 << there % 6)
                self._call(state // 6, state % 6)


class _Alternating:
    """All states that some trail enters, exactly and in little time, whatever loops there are.

    Take both halves of every hex side as points; the side joins its two halves, and track joins halves on the
    same hex. A trail then crosses sides and follows track in turn, and uses no half twice: it is an alternating
    path, with the sides as a matching, that begins at the one unmatched point, the stations (the root). Which points
    such paths come to is what Edmonds' search for augmenting paths finds out (his paths, trees and flowers):
    it grows a tree, and where two branches meet it draws the loop together, as it can be run round both ways.
    """

    def __init__(self, trails: _Trails) -> None:
        self.trails = trails
        self.across = trails.across
        self.root = len(self.across)
        """A point beyond those of the map."""
        self.starts: list[int] = []
        self.starting = [False] * self.root
        for city in trails.own:
            if "." in city:
                hex_, node = trails.nodes[city]
                for side in sides_of(trails.faces[hex_.index].node_exits[node]):
                    self.starts.append(hex_.index * 6 + side)
                    self.starting[hex_.index * 6 + side] = True
        self.base = list(range(self.root + 1))
        """For points in a loop that was drawn together, the point where it is entered; for others they themselves."""
        self.within: dict[int, list[int]] = {}
        """For points where such loops are entered, all points in them."""
        self.parent = [NOWHERE] * self.root
        """For halves that were left, the point from which track led to them."""
        self.entered = [False] * (self.root + 1)
        self.queue: list[int] = []
        self._enter(self.root)
        self._grow()

    def _grow(self) -> None:
        number = 0
        while number < len(self.queue):
            point = self.queue[number]
            number += 1
            if point == self.root:
                for half in self.starts:
                    self._join(point, half)
            else:
                first = point // 6 * 6
                for side in self.trails.onward(point):
                    self._join(point, first + side)
                if self.starting[point]:
                    self._join(point, self.root)

    def _join(self, point: int, half: int) -> None:
        """Follow track from a point that was entered to a half beside it."""
        if self.entered[half]:
            if self.base[point] != self.base[half]:
                self._draw_together(point, half)
        elif self.parent[half] == NOWHERE:
            self.parent[half] = point
            self._enter(self.across[half])

    def _enter(self, point: int) -> None:
        if not self.entered[point]:
            self.entered[point] = True
            self.queue.append(point)

    def _draw_together(self, one: int, other: int) -> None:
        """Two branches meet: every half on the loop that they make can be entered as well as left."""
        top = self._fork(one, other)
        loop = self._climb(one, top, other) | self._climb(other, top, one)
        points = [point for base in sorted(loop) for point in self.within.pop(base, [base])]
        self.within.setdefault(top, [top]).extend(points)
        for point in points:
            self.base[point] = top
            self._enter(point)

    def _fork(self, one: int, other: int) -> int:
        one, other = self.base[one], self.base[other]
        above = {one}
        while one != self.root:
            one = self.base[self.parent[self.across[one]]]
            above.add(one)
        while other not in above:
            other = self.base[self.parent[self.across[other]]]
        return other

    def _climb(self, point: int, top: int, child: int) -> set[int]:
        loop: set[int] = set()
        while self.base[point] != top:
            left = self.across[point]
            loop.add(self.base[point])
            loop.add(self.base[left])
            self.parent[point] = child
            child, point = left, self.parent[left]
        return loop
