"""The map as printed, prepared for quick questions, and where stations go when a tile is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ostbahn.kernel.map.hexes import DIRECTIONS, ROWS, neighbour, opposite
from ostbahn.kernel.map.hexes import city_id as city_id
from ostbahn.kernel.map.hexes import hex_of as hex_of
from ostbahn.kernel.map.laid import Board as Board
from ostbahn.kernel.map.printed import PrintedHex as PrintedHex
from ostbahn.kernel.map.tiles import face_of

MOST_CITIES: Final = 12
"""More revenue locations are on no tile."""


class Hex:
    """A hex of the map with its surroundings, prepared for quick questions."""

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
        """The names of its revenue locations, whatever lies on it."""
        self.face = face_of(printed.nodes, printed.track)
        self.stubs = sum(1 << DIRECTIONS.index(side) for side in printed.stubs)
        self.shores = tuple(sum(1 << DIRECTIONS.index(side) for side in shore) for shore in printed.shores)
        self.neighbours: list[Hex | None] = [None] * 6
        self.towards: dict[str, int] = {}
        """The side at which each neighbour lies."""
        self.bits: list[int] = [0] * 6
        """For each side its bit in a set of hex sides; both hexes at a side share the bit."""
        self.marked = 0
        """The sides towards which track may run: the map has a hex there, and nothing printed is in the way."""


class Map:
    """The printed map: immutable, shared by all games of a title."""

    def __init__(self, printed: Mapping[str, PrintedHex], rows: str = ROWS) -> None:
        self.hexes = {name: Hex(name, index, hex_) for index, (name, hex_) in enumerate(printed.items())}
        self.places = {city: (hex_, node) for hex_ in self.hexes.values() for node, city in enumerate(hex_.cities)}
        """Hex and node of every revenue location that there could be."""
        self.side_count = 0
        for here in self.hexes.values():
            for side in range(6):
                there = self.hexes.get(neighbour(here.id, side, rows))
                if there is not None:
                    here.neighbours[side] = there
                    here.towards[there.id] = side
                    if not _barred(here, side) and not _barred(there, opposite(side)):
                        here.marked |= 1 << side
                    if not here.bits[side]:
                        here.bits[side] = there.bits[opposite(side)] = 1 << self.side_count
                        self.side_count += 1

    def __getitem__(self, hex_id: str) -> Hex:
        return self.hexes[hex_id]

    def __contains__(self, hex_id: object) -> bool:
        return hex_id in self.hexes

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.hexes.values())


def _barred(hex_: Hex, side: int) -> bool:
    """Whether a hex takes no track at a side: a barrier, or the blank side of a hex on which nothing is built."""
    if DIRECTIONS[side] in hex_.printed.barriers:
        return True
    fixed = hex_.printed.ground in ("red", "grey") and hex_.printed.track
    return bool(fixed) and not hex_.face.exits >> side & 1


def stands_in(board: Board, hex_: Hex, company: str) -> bool:
    """Whether a company has a station in a hex."""
    stations = board.stations
    if company in stations.get(hex_.id, ()):
        return True
    return any(company in stations.get(city, ()) for city in hex_.cities)


def moved_stations(board: Board, hex_: Hex, heirs: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """All stations, those of one hex in the cities that carry on their old ones."""
    stations = dict(board.stations)
    moved: dict[str, tuple[str, ...]] = {}
    for node, successor in enumerate(heirs):
        companies = stations.pop(hex_.cities[node], None)
        if companies:
            city = hex_.cities[successor]
            moved[city] = (*moved.get(city, ()), *companies)
    return {**stations, **moved}
