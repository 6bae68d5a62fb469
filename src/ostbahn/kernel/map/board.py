"""The printed map, indexed for fast lookup: neighbours, place names, tiles that fit a hex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import atan2, cos, hypot, pi, sin
from typing import TYPE_CHECKING, Final

from ostbahn.kernel.map.hexes import DIRECTIONS, ROWS, neighbour, opposite, sides_of
from ostbahn.kernel.map.hexes import city_id as city_id
from ostbahn.kernel.map.hexes import hex_of as hex_of
from ostbahn.kernel.map.laid import Board as Board
from ostbahn.kernel.map.printed import PrintedHex as PrintedHex
from ostbahn.kernel.map.tiles import COLOURS, Face, TileSet, face_of, preserves
from ostbahn.kernel.native import Lookup

if TYPE_CHECKING:
    from ostbahn.kernel.title import Title

MOST_CITIES: Final = 12
"""The most revenue locations on any tile."""


class Hex:
    """A hex of the map with its neighbours, indexed for fast lookup."""

    __slots__ = (
        "bits",
        "cities",
        "face",
        "id",
        "index",
        "marked",
        "neighbours",
        "printed",
        "shores",
        "stubs",
        "towards",
    )

    def __init__(self, hex_id: str, index: int, printed: PrintedHex) -> None:
        self.id = hex_id
        self.index = index
        self.printed = printed
        self.cities = tuple(city_id(hex_id, node) for node in range(MOST_CITIES))
        """The ids of all revenue locations that it may have."""
        self.face = face_of(printed.nodes, printed.track)
        self.stubs = sum(1 << DIRECTIONS.index(side) for side in printed.stubs)
        self.shores = tuple(sum(1 << DIRECTIONS.index(side) for side in shore) for shore in printed.shores)
        self.neighbours: list[Hex | None] = [None] * 6
        self.towards: dict[str, int] = {}
        self.bits: list[int] = [0] * 6
        """For each side its bit in a set of hex sides; both hexes at a side share the bit."""
        self.marked = 0
        """The sides that track may leave by: a hex lies there, and nothing printed blocks it."""


class Map:
    """The printed map: immutable, shared by all games of a title."""

    def __init__(self, printed: Mapping[str, PrintedHex], rows: str = ROWS) -> None:
        self.hexes = {name: Hex(name, index, hex_) for index, (name, hex_) in enumerate(printed.items())}
        self.places = {city: (hex_, node) for hex_ in self.hexes.values() for node, city in enumerate(hex_.cities)}
        """Hex and node of every possible revenue location."""
        self.side_count = 0
        for hex_ in self.hexes.values():
            for side in range(6):
                other = self.hexes.get(neighbour(hex_.id, side, rows))
                if other is not None:
                    hex_.neighbours[side] = other
                    hex_.towards[other.id] = side
                    if not _is_barred(hex_, side) and not _is_barred(other, opposite(side)):
                        hex_.marked |= 1 << side
                    if not hex_.bits[side]:
                        hex_.bits[side] = other.bits[opposite(side)] = 1 << self.side_count
                        self.side_count += 1

    def __getitem__(self, hex_id: str) -> Hex:
        return self.hexes[hex_id]

    def __contains__(self, hex_id: object) -> bool:
        return hex_id in self.hexes

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.hexes.values())


def _is_barred(hex_: Hex, side: int) -> bool:
    """Whether track cannot cross a side: a barrier, or a side without track of a hex that takes no tile."""
    if DIRECTIONS[side] in hex_.printed.barriers:
        return True
    has_fixed_track = hex_.printed.ground in ("red", "grey") and hex_.printed.track
    return bool(has_fixed_track) and not hex_.face.exits >> side & 1


def has_station_in(board: Board, hex_: Hex, company: str) -> bool:
    stations = board.stations
    if company in stations.get(hex_.id, ()):
        return True
    return any(company in stations.get(city, ()) for city in hex_.cities)


def moved_stations(board: Board, hex_: Hex, heirs: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """All stations after a lay: those of one hex move to the successors of their cities."""
    stations = dict(board.stations)
    moved: dict[str, tuple[str, ...]] = {}
    for node, successor in enumerate(heirs):
        companies = stations.pop(hex_.cities[node], None)
        if companies:
            city = hex_.cities[successor]
            moved[city] = (*moved.get(city, ()), *companies)
    return {**stations, **moved}


Fits = Lookup[str, tuple[int, ...]]
"""Tile to rotations."""

DistinctFits = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
"""Tiles with their distinct rotations, each with the sides that its track reaches."""


def label_for(hex_: Hex, colour: str) -> str | None:
    """The label that a tile of this colour must have on a hex; None for no label."""
    printed = hex_.printed
    if printed.label_from is not None and COLOURS.index(colour) < COLOURS.index(printed.label_from):
        return None
    return printed.label


def fits_hex(hex_: Hex, face: Face) -> bool:
    """Whether a face respects map edges, barriers, printed stubs and shores of a hex."""
    if face.exits & ~hex_.marked or hex_.stubs & ~face.exits:
        return False
    return not hex_.shores or all(any(not pair & ~shore for shore in hex_.shores) for pair in face.pairs)


def rotations_reaching(fits: DistinctFits, sides: int, tiles: set[str]) -> list[tuple[str, int]]:
    """Tiles and rotations whose track reaches one of the sides."""
    reaching: list[tuple[str, int]] = []
    for name, turns in fits:
        if name in tiles:
            for rotation, exits in turns:
                if exits & sides:
                    reaching.append((name, rotation))
    return reaching


class TileFitter:
    """Finds tiles and rotations that fit a hex, and caches them by hex and its present tile."""

    def __init__(self, tile_set: TileSet) -> None:
        self.tile_set = tile_set
        self._fits: dict[str, dict[tuple[str, int] | None, Fits]] = {}
        self._distinct: dict[str, dict[tuple[str, int] | None, DistinctFits]] = {}

    def of(self, hex_: Hex, laid: tuple[str, int] | None) -> Fits:
        """Tiles and rotations that fit a hex with this tile on it."""
        cache = self._fits.setdefault(hex_.id, {})
        fits = cache.get(laid)
        if fits is None:
            fits = cache[laid] = self._first_tiles(hex_) if laid is None else self._promotions(hex_, laid[0], laid[1])
        return fits

    def distinct(self, hex_: Hex, laid: tuple[str, int] | None) -> DistinctFits:
        """As `of`, with one of the rotations that look the same."""
        cache = self._distinct.get(hex_.id)
        if cache is None:
            cache = self._distinct[hex_.id] = {}
        fits = cache.get(laid)
        if fits is None:
            faces, distinct = self.tile_set.faces, self.tile_set.distinct
            fits = cache[laid] = tuple(
                (name, tuple((rotation, faces[name][rotation].exits) for rotation in distinct(name, rotations)))
                for name, rotations in self.of(hex_, laid).items()
            )
        return fits

    def _first_tiles(self, hex_: Hex) -> Fits:
        printed = hex_.printed
        if printed.ground not in ("open", "yellow"):
            return {}
        colour = "green" if printed.ground == "yellow" else "yellow"
        fits = {}
        for name, tile in self.tile_set.tiles.items():
            if tile.colour == colour and tile.label == label_for(hex_, colour):
                rotations = tuple(turn for turn in self._turns(name) if self._can_be_first(hex_, name, turn))
                if rotations:
                    fits[name] = rotations
        return fits

    def _can_be_first(self, hex_: Hex, name: str, rotation: int) -> bool:
        face = self.tile_set.faces[name][rotation]
        if not fits_hex(hex_, face):
            return False
        return preserves(hex_.face, face) if hex_.printed.track else face.kinds == hex_.face.kinds

    def _promotions(self, hex_: Hex, laid: str, laid_rotation: int) -> Fits:
        fits = {}
        for name, turns in self.tile_set.promotions[laid].items():
            tile = self.tile_set.tiles[name]
            if tile.label != label_for(hex_, tile.colour):
                continue
            rotations = tuple(
                rotation
                for rotation in sorted((laid_rotation + turn) % 6 for turn in turns)
                if rotation in self._turns(name) and fits_hex(hex_, self.tile_set.faces[name][rotation])
            )
            if rotations:
                fits[name] = rotations
        return fits

    def _turns(self, name: str) -> tuple[int, ...]:
        """The rotations in which a tile may lie anywhere."""
        allowed = self.tile_set.tiles[name].rotations
        return tuple(range(6)) if allowed is None else allowed


ANGLES: Final = dict(zip(DIRECTIONS, (4 * pi / 3, pi, 2 * pi / 3, pi / 3, 0.0, 5 * pi / 3), strict=True))
"""Angles of the sides of a hex, counterclockwise from east."""
COMPASS: Final = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")


def place_name(title: Title, place: str, board: Board | None = None) -> str:
    """The name of a hex or city, or the id of its hex if it has none.

    Several cities of a hex go by their printed names; on a tile, which may renumber them, by compass direction.
    """
    hex_id, _, node = place.partition(".")
    hex_ = title.map.hexes.get(hex_id)
    if hex_ is None:
        return place
    printed = hex_.printed
    name = printed.name or hex_id
    if not node.isdecimal():
        return name
    has_no_tile = board is None or hex_id not in board.tiles
    if has_no_tile and int(node) < len(printed.city_names):
        return printed.city_names[int(node)]
    face = hex_.face if board is None else title.tile_set.lying(board, hex_)
    names = compass_names(face.node_exits)
    return f"{name} ({names[int(node)]})" if int(node) < len(names) and names[int(node)] else name


def at_place(title: Title, place: str, board: Board | None = None) -> str:
    """`in Praha`, but `on D22`."""
    name = place_name(title, place, board)
    return f"{'on' if name in title.map else 'in'} {name}"


@lru_cache(maxsize=4096)
def compass_names(exits: tuple[int, ...]) -> tuple[str, ...]:
    """The compass direction of each of several places of a hex, from its track; empty for a single place."""
    if len(exits) < 2:
        return ("",) * len(exits)
    directions = tuple(map(_bearing, exits))
    if len(set(directions)) == len(directions):
        return directions
    return tuple("–".join(DIRECTIONS[side] for side in sides_of(mask)) for mask in exits)


def _bearing(exits: int) -> str:
    """The mean direction of a place's track; both ends of a straight line."""
    angles = [ANGLES[DIRECTIONS[side]] for side in sides_of(exits)]
    across, up = sum(map(cos, angles)), sum(map(sin, angles))
    if hypot(across, up) > 0.1:
        return COMPASS[round(atan2(up, across) / (pi / 4)) % len(COMPASS)]
    return "–".join(DIRECTIONS[side] for side in sides_of(exits))
