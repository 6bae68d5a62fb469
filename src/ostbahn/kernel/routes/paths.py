"""From the board to the router and back: the network of a company, and the check of a path that a player drew.

A path names revenue locations (`E11.1`) and the hexes of plain track between them. If it is not a route, the fault says
why; each title has a rule for every fault.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from ostbahn.kernel.map.board import Board, Hex, Map, at_place, place_name
from ostbahn.kernel.map.tiles import Face
from ostbahn.kernel.routes.network import Link, Network, Stop
from ostbahn.kernel.routes.reach import Track
from ostbahn.kernel.title import Title

StopAt = Callable[[Hex, int], Stop]
"""Makes the stop of a revenue location, as the running company sees it."""

PathFault = Literal[
    "no place", "no track", "side twice", "ends", "place twice", "location twice", "no station", "red", "closed"
]
"""Several places can share a location, such as the cities of one tile."""

PLAIN: Final = -1
"""Instead of a node: a hex of plain track."""
NO_PLACE: Final = -2
"""Instead of a node: not a valid place."""


class BrokenPath(NamedTuple):
    fault: PathFault
    text: str


class TracedPath(NamedTuple):
    stops: tuple[Stop, ...]
    sides: int
    """The hex sides that it crosses, as bits."""


def build_network(title: Title, board: Board, company: str, stop_at: StopAt) -> Network:
    """The revenue locations that a company's trains can reach, and the track between them."""
    names = [city for city in board.stations_of(company) if "." in city]
    known = set(names)
    tracks: dict[str, list[Track]] = {}
    stops: dict[str, Stop] = {}
    for name in names:
        hex_id, _, node = name.partition(".")
        hex_ = title.map[hex_id]
        leaving = title.surveyor.tracks_from(board, hex_, int(node))
        if leaving:
            tracks[name], stops[name] = leaving, stop_at(hex_, int(node))
            if stops[name].passable or stops[name].own:
                ends = [track.end for track in leaving if track.end not in known]
                names += dict.fromkeys(ends)
                known.update(ends)
    index = {name: number for number, name in enumerate(sorted(stops))}
    links = [
        Link(number, index[track.end], track.sides, track.hexes)
        for name, number in index.items()
        for track in tracks[name]
        if name < track.end and track.end in index
    ]
    return Network(tuple(stops[name] for name in index), tuple(links))


def trace_path(title: Title, board: Board, path: Sequence[str], stop_at: StopAt) -> TracedPath | BrokenPath:
    """Follow a path hex by hex, and check its stops."""
    stops: list[Stop] = []
    sides = 0
    before: Hex | None = None
    map_: Map = title.map
    faces = title.surveyor.faces(board)
    places = [_place(map_, name) for name in path]
    for position, (hex_, node) in enumerate(places):
        name = path[position]
        after = places[position + 1][0] if position + 1 < len(places) else None
        if hex_ is None or node == NO_PLACE:
            return BrokenPath("no place", f"there is no place {name} on the map")
        if not _has_track(faces[hex_.index], hex_, node, before, after):
            return BrokenPath("no track", f"there is no track that way {at_place(title, name, board)}")
        if node != PLAIN:
            stops.append(stop_at(hex_, node))
        if after is not None:
            bit = hex_.bits[hex_.towards[after.id]]
            if sides & bit:
                between = f"{place_name(title, hex_.id)} and {place_name(title, after.id)}"
                return BrokenPath("side twice", f"the route uses the track between {between} twice")
            sides |= bit
        before = hex_
    return _fault_of_stops(title, board, path, stops) or TracedPath(tuple(stops), sides)


def _place(map_: Map, name: str) -> tuple[Hex | None, int]:
    hex_ = map_.hexes.get(name)
    if hex_ is not None:
        return hex_, PLAIN
    place = map_.places.get(name)
    if place is not None:
        return place[0], place[1]
    hex_id, _, node = name.partition(".")
    return map_.hexes.get(hex_id), int(node) if node.isdecimal() else NO_PLACE if node else PLAIN


def _has_track(face: Face, hex_: Hex, node: int, before: Hex | None, after: Hex | None) -> bool:
    """Whether the hex has track between the hexes before and after it."""
    exits = 0
    if before is not None:
        side = hex_.towards.get(before.id)
        if side is None:
            return False
        exits = 1 << side
    if after is not None:
        side = hex_.towards.get(after.id)
        if side is None or exits >> side & 1:
            return False
        exits |= 1 << side
    if node == PLAIN:
        return exits in face.pairs
    return node < len(face.nodes) and not exits & ~face.node_exits[node]


def _fault_of_stops(title: Title, board: Board, path: Sequence[str], stops: Sequence[Stop]) -> BrokenPath | None:
    if not path or "." not in path[0] or "." not in path[-1] or len(stops) < 2:
        return BrokenPath("ends", "a route joins at least two different revenue locations")
    locations = [stop.location for stop in stops]
    if len(set(locations)) < len(locations):
        twice = next(place for place in locations if locations.count(place) > 1)
        shared = all(stop.id != twice for stop in stops)
        return BrokenPath(
            "location twice" if shared else "place twice", f"the route visits {place_name(title, twice, board)} twice"
        )
    if not any(stop.own for stop in stops):
        return BrokenPath("no station", "the route has no station of the company")
    for stop in stops[1:-1]:
        if not stop.passable:
            hex_id, _, node = stop.id.partition(".")
            red = board.face(title.tile_set, title.map[hex_id]).nodes[int(node)].kind == "red"
            why = "a red area" if red else "closed by others' stations"
            return BrokenPath(
                "red" if red else "closed", f"the route cannot pass {place_name(title, stop.id, board)}: it is {why}"
            )
    return None
