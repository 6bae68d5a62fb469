"""What a company can reach from its stations.

A connection is a trail: it crosses every hex side and visits every revenue location at most once, does not reverse at
junctions, does not pass a city that others' stations fill, and ends at a red tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

from ostbahn.kernel.map.board import Board, Hex, Map, city_id
from ostbahn.kernel.map.hexes import opposite, sides_of
from ostbahn.kernel.map.tiles import NEVER_FULL, Face, Node, TileSet
from ostbahn.kernel.native import native

NOWHERE: Final = -1
"""Instead of a state: the edge of the map, or the start of a trail."""
UNVISITED: Final = -2
"""The predecessor of a state that no trail has entered."""
UNREACHED: Final = -1
"""Instead of the sides of a hex that no trail has reached."""


class Reach:
    """The revenue locations and hex sides that a company is connected to."""

    __slots__ = ("nodes", "sides")

    def __init__(self, nodes: dict[str, tuple[Hex, int]], sides: dict[str, int]) -> None:
        self.nodes = nodes
        self.sides = sides
        """For each hex the sides at which connected track arrives or can be extended."""


def closed_to(place: Node, companies: Sequence[str], company: str) -> bool:
    """Whether the company's connections end at a place with these stations."""
    if place.kind == "red":
        return True
    return place.kind == "city" and len(companies) >= place.slots and company not in companies


@native(allow_interpreted_subclasses=True)
class Surveyor:
    """Finds track and connections on one map. The board caches the results."""

    def __init__(self, map_: Map, tile_set: TileSet) -> None:
        self.map = map_
        self.tile_set = tile_set
        self.hexes = tuple(map_)
        self.across = tuple(
            NOWHERE if neighbour is None else neighbour.index * 6 + opposite(side)
            for hex_ in map_
            for side, neighbour in enumerate(hex_.neighbours)
        )
        """For each half of a hex side (its number: hex and side) the other half, or NOWHERE."""

    def closed(self, board: Board, hex_: Hex, node: int, company: str) -> bool:
        """Whether a company's connections end there: at a red tile, or in a city full of others' stations."""
        place = self.tile_set.lying(board, hex_).nodes[node]
        return closed_to(place, board.stations.get(hex_.cities[node], ()), company)

    def faces(self, board: Board) -> list[Face]:
        """What lies on each hex, by its number. Cached, and mostly copied from the board before."""
        nearby = board.hex_cache
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
        reach = board.cached(key)
        if not isinstance(reach, Reach):
            reach = board.cache(key, _TrailSearch(self, board, company).reach)
        return reach

    def tracks(self, board: Board) -> tuple[Track, ...]:
        """All track between two revenue locations, each piece once."""
        tracks = board.cached("tracks")
        if tracks is None:
            places = [(hex_, node) for hex_ in self.map for node in range(len(self.tile_set.lying(board, hex_).nodes))]
            all_tracks = (track for hex_, node in places for track in self.tracks_from(board, hex_, node))
            tracks = board.cache("tracks", tuple(track for track in all_tracks if track.start < track.end))
        return cast("tuple[Track, ...]", tracks)

    def tracks_from(self, board: Board, hex_: Hex, node: int) -> list[Track]:
        """All track from one revenue location to others."""
        return self.outgoing_tracks(board, hex_, node).tracks

    def outgoing_tracks(self, board: Board, hex_: Hex, node: int) -> OutgoingTracks:
        """The same, with the hexes on which it depends."""
        key = (hex_.id, node)
        outgoing = board.hex_cache.get(key)
        if outgoing is None:
            outgoing = board.hex_cache.known[key] = self._find_outgoing(board, hex_, node)
        return cast("OutgoingTracks", outgoing)

    def _find_outgoing(self, board: Board, hex_: Hex, node: int) -> OutgoingTracks:
        outgoing = OutgoingTracks([], {hex_.id})
        faces = self.faces(board)
        exits = faces[hex_.index].node_exits
        start = city_id(hex_.id, node)
        for side in sides_of(exits[node]) if node < len(exits) else ():  # a home may wait for its tile
            self._follow(faces, start, hex_, side, 0, (), outgoing)
        return outgoing

    def _follow(
        self,
        faces: list[Face],
        start: str,
        hex_: Hex,
        side: int,
        used: int,
        passed: tuple[str, ...],
        outgoing: OutgoingTracks,
    ) -> None:
        neighbour = hex_.neighbours[side]
        if neighbour is None or used & hex_.bits[side]:
            return
        used |= hex_.bits[side]
        outgoing.hexes.add(neighbour.id)
        face = faces[neighbour.index]
        entry = opposite(side)
        for node in face.node_at[entry]:
            end = neighbour.cities[node]
            if end != start:
                outgoing.tracks.append(Track(start, end, used, passed))
        for onward in face.through[entry]:
            self._follow(faces, start, neighbour, onward, used, (*passed, neighbour.id), outgoing)


class Track(NamedTuple):
    """Track between two revenue locations without a third on it."""

    start: str
    end: str
    sides: int
    hexes: tuple[str, ...]
    """The hexes of plain track on the way."""


class OutgoingTracks(NamedTuple):
    """The track that leaves a revenue location."""

    tracks: list[Track]
    hexes: set[str]
    """All hexes that it crosses or reaches, dead ends included: only a change of one of them can change it."""


class _TrailSearch:
    """Breadth-first search over states (hex and side of entry), and Edmonds' algorithm where that is not exact.

    The first search enters each state once, by the first trail that reaches it. This misses something only if a trail
    could not enter a state because it had crossed that hex side itself (a loop), no other trail entered the state, and
    something new lies beyond. Visits of a location need no check: what lies beyond the second visit can be reached from
    the first.

    States are numbers, and their data are lists: compiled, these are much faster than sets and mappings.
    """

    def __init__(self, surveyor: Surveyor, board: Board, company: str) -> None:
        self.hexes = surveyor.hexes
        self.across = surveyor.across
        self.faces = surveyor.faces(board)
        self.stations = board.stations
        self.own = sorted([city for city, companies in self.stations.items() if company in companies])
        self.before = [UNVISITED] * len(self.across)
        """For each state its predecessor on the trail that entered it."""
        self.queue: list[int] = []
        self.blocked: list[int] = []
        self.sides = [UNREACHED] * len(self.hexes)
        self.reached_hexes: list[int] = []
        """Reached hexes in order."""
        self.places: dict[str, Any] = surveyor.map.places
        self.nodes: dict[str, Any] = {}
        """Reached revenue locations: hex and node by name."""
        self._start(surveyor.map)
        self._run()
        if self._may_have_missed():
            self._add_states(_AlternatingPathSearch(self).entered)

    @property
    def reach(self) -> Reach:
        return Reach(self.nodes, {self.hexes[number].id: self.sides[number] for number in self.reached_hexes})

    def _start(self, map_: Map) -> None:
        """Leave the stations that are in a city; others only reach their hex."""
        for city in self.own:
            hex_id, _, node = city.partition(".")
            hex_ = map_[hex_id]
            self._reach_hex(hex_.index, 0)
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
                self._reach_nodes(index, entry)
            self._leave(index, face.through[entry], state)
            for node in face.node_at[entry]:
                self._leave(index, self._exits_past(index, entry, node), state)

    def onward(self, state: int) -> tuple[int, ...]:
        """The sides by which a trail can leave the hex of a state."""
        index, entry = state // 6, state % 6
        face = self.faces[index]
        sides = face.through[entry]
        for node in face.node_at[entry]:
            sides += self._exits_past(index, entry, node)
        return sides

    def _exits_past(self, index: int, entry: int, node: int) -> tuple[int, ...]:
        """The sides by which a trail can leave a revenue location that it entered by a side. At stations of the company
        trails start anyway."""
        face = self.faces[index]
        room = face.room[node]
        if room < NEVER_FULL:
            city = self.hexes[index].cities[node]
            if city in self.own or len(self.stations.get(city, ())) >= room:
                return ()
        return sides_of(face.node_exits[node] & ~(1 << entry))

    def _leave(self, index: int, by: tuple[int, ...], state: int) -> None:
        """Extend a trail from a hex over some of its sides."""
        for side in by:
            self.sides[index] |= 1 << side
            half = index * 6 + side
            neighbour = self.across[half]
            if neighbour == NOWHERE or self.before[neighbour] != UNVISITED:
                continue
            if self.before[half] != UNVISITED and self._crossed(half, state):
                self.blocked.append(neighbour)
                continue
            self.before[neighbour] = state
            self._reach_hex(neighbour // 6, 1 << neighbour % 6)
            self.queue.append(neighbour)

    def _crossed(self, half: int, state: int) -> bool:
        """Whether the trail of a state has crossed a hex side in the other direction."""
        while state != NOWHERE and state != half:
            state = self.before[state]
        return state == half

    def _reach_hex(self, index: int, sides: int) -> None:
        if self.sides[index] == UNREACHED:
            self.reached_hexes.append(index)
            self.sides[index] = sides
        else:
            self.sides[index] |= sides

    def _reach_nodes(self, index: int, entry: int) -> None:
        hex_ = self.hexes[index]
        for node in self.faces[index].node_at[entry]:
            city = hex_.cities[node]
            if city not in self.nodes:
                self.nodes[city] = self.places[city]

    def _may_have_missed(self) -> bool:
        """Whether blocked states lead to something not yet reached, even by walks that are not trails."""
        queue = [state for state in self.blocked if self.before[state] == UNVISITED]
        visited = set(queue)
        while queue:
            state = queue.pop()
            index = state // 6
            hex_ = self.hexes[index]
            for node in self.faces[index].node_at[state % 6]:
                if hex_.cities[node] not in self.nodes:
                    return True
            for side in self.onward(state):
                if self.sides[index] == UNREACHED or not self.sides[index] >> side & 1:
                    return True
                neighbour = self.across[index * 6 + side]
                if neighbour != NOWHERE and self.before[neighbour] == UNVISITED and neighbour not in visited:
                    visited.add(neighbour)
                    queue.append(neighbour)
        return False

    def _add_states(self, entered: list[bool]) -> None:
        """Reach the hexes and nodes of more states."""
        for state in range(len(self.across)):
            neighbour = self.across[state]
            if entered[state] and self.before[state] == UNVISITED and neighbour != NOWHERE:
                self._reach_hex(state // 6, 1 << state % 6)
                self._reach_hex(neighbour // 6, 1 << neighbour % 6)
                self._reach_nodes(state // 6, state % 6)


class _AlternatingPathSearch:
    """All states that some trail enters, in polynomial time, by Edmonds' blossom algorithm.

    The vertices are the halves of all hex sides. A side is an edge of the matching between its two halves; track joins
    halves on the same hex by other edges. A trail is then an alternating path from the only unmatched vertex, the root,
    which stands for the stations. Edmonds' search for augmenting paths finds all vertices that such paths reach: it
    grows a tree, and shrinks an odd cycle (blossom) to its base, since it can be passed in both directions.
    """

    def __init__(self, trails: _TrailSearch) -> None:
        self.trails = trails
        self.across = trails.across
        self.root = len(self.across)
        """A vertex beyond those of the map."""
        self.starts: list[int] = []
        self.starting = [False] * self.root
        for city in trails.own:
            if "." in city:
                hex_, node = trails.nodes[city]
                for side in sides_of(trails.faces[hex_.index].node_exits[node]):
                    self.starts.append(hex_.index * 6 + side)
                    self.starting[hex_.index * 6 + side] = True
        self.base = list(range(self.root + 1))
        """For vertices in a blossom its base; for others themselves."""
        self.blossoms: dict[int, list[int]] = {}
        """For the bases of blossoms all vertices in them."""
        self.parent = [NOWHERE] * self.root
        """For halves that were left, the vertex from which track leads to them."""
        self.entered = [False] * (self.root + 1)
        self.queue: list[int] = []
        self._enter(self.root)
        self._grow()

    def _grow(self) -> None:
        number = 0
        while number < len(self.queue):
            vertex = self.queue[number]
            number += 1
            if vertex == self.root:
                for half in self.starts:
                    self._examine_edge(vertex, half)
            else:
                first = vertex // 6 * 6
                for side in self.trails.onward(vertex):
                    self._examine_edge(vertex, first + side)
                if self.starting[vertex]:
                    self._examine_edge(vertex, self.root)

    def _examine_edge(self, vertex: int, half: int) -> None:
        """Follow track from an entered vertex to a half on the same hex."""
        if self.entered[half]:
            if self.base[vertex] != self.base[half]:
                self._shrink_blossom(vertex, half)
        elif self.parent[half] == NOWHERE:
            self.parent[half] = vertex
            self._enter(self.across[half])

    def _enter(self, vertex: int) -> None:
        if not self.entered[vertex]:
            self.entered[vertex] = True
            self.queue.append(vertex)

    def _shrink_blossom(self, one: int, other: int) -> None:
        """Two branches meet: every half on their cycle can be entered as well as left."""
        base = self._common_ancestor(one, other)
        bases = self._collect_bases(one, base, other) | self._collect_bases(other, base, one)
        vertices = [vertex for inner in sorted(bases) for vertex in self.blossoms.pop(inner, [inner])]
        self.blossoms.setdefault(base, [base]).extend(vertices)
        for vertex in vertices:
            self.base[vertex] = base
            self._enter(vertex)

    def _common_ancestor(self, one: int, other: int) -> int:
        one, other = self.base[one], self.base[other]
        above = {one}
        while one != self.root:
            one = self.base[self.parent[self.across[one]]]
            above.add(one)
        while other not in above:
            other = self.base[self.parent[self.across[other]]]
        return other

    def _collect_bases(self, vertex: int, base: int, child: int) -> set[int]:
        """The bases on the way up to a base; turns the parents on it round."""
        bases: set[int] = set()
        while self.base[vertex] != base:
            left = self.across[vertex]
            bases.add(self.base[vertex])
            bases.add(self.base[left])
            self.parent[vertex] = child
            child, vertex = left, self.parent[left]
        return bases
