"""The map as printed, and the board as it lies: tiles and stations on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol, TypeVar

from msgspec import Struct

from ostbahn.kernel.map.hexes import DIRECTIONS, ROWS, neighbour, opposite
from ostbahn.kernel.map.tiles import Face, Node, TileSet, face_of

T = TypeVar("T")


class PrintedHex(Struct, frozen=True, forbid_unknown_fields=True):
    """A hex as the data file describes it."""

    name: str | None = None
    ground: str = "open"
    """`open`, or the colour it is printed in: it then counts as a tile of that colour."""
    terrain: str | None = None
    cost: int = 0
    nodes: tuple[Node, ...] = ()
    track: tuple[tuple[str | int, str | int], ...] = ()
    label: str | None = None
    stubs: tuple[str, ...] = ()
    """Sides towards which a short piece of track is printed; every tile laid here must keep them."""
    reserved_for: str | None = None
    """The only company whose red home tile may lie here."""
    label_from: str | None = None
    """The colour of tiles from which on the label binds; before, the hex takes tiles without a label."""
    barriers: tuple[str, ...] = ()
    """Sides that no track may meet; both hexes at such a side name it."""
    shores: tuple[tuple[str, ...], ...] = ()
    """Groups of sides: a piece of track may join sides of one group only (a lake lies between the groups)."""
    symbols: Mapping[str, int] = {}
    """How often each kind of terrain is printed, where there are several."""
    city_names: tuple[str, ...] = ()
    """The names of several cities, in the order of the nodes."""


class Hex:
    """A hex of the map with its surroundings, prepared for quick questions."""

    __slots__ = ("bits", "face", "id", "index", "marked", "neighbours", "printed", "shores", "stubs", "towards")

    def __init__(self, hex_id: str, index: int, printed: PrintedHex) -> None:
        self.id = hex_id
        self.index = index
        self.printed = printed
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


def city_id(hex_id: str, node: int) -> str:
    """The name of a revenue location: hex and number of the node, as in `E11.1`."""
    return f"{hex_id}.{node}"


def hex_of(city: str) -> str:
    """The hex of a revenue location."""
    return city.partition(".")[0]


def moved_stations(board: Board, hex_: Hex, heirs: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """All stations, those of one hex in the cities that carry on their old ones."""
    stations = dict(board.stations)
    moved: dict[str, tuple[str, ...]] = {}
    for node, successor in enumerate(heirs):
        companies = stations.pop(city_id(hex_.id, node), None)
        if companies:
            city = city_id(hex_.id, successor)
            moved[city] = (*moved.get(city, ()), *companies)
    return {**stations, **moved}


class OnHexes(Protocol):
    """Something that follows from the tiles of some hexes."""

    @property
    def hexes(self) -> AbstractSet[str]: ...


class Nearby:
    """What follows from the tiles of some hexes: it holds on every board on which these lie as they did.

    A board that was made of another by one tile looks there, too. What that tile does not touch is handed down when the
    next one is laid; so no board holds on to all those before it.
    """

    __slots__ = ("before", "changed", "known")

    def __init__(self, before: dict[object, OnHexes] | None = None, changed: str = "") -> None:
        self.known: dict[object, OnHexes] = {}
        self.before = before
        """What is known of the board of which this one was made,"""
        self.changed = changed
        """by another tile on this hex."""

    def get(self, key: object) -> OnHexes | None:
        found = self.known.get(key)
        if found is None and self.before is not None:
            found = self.before.get(key)
            if found is not None and self.changed in found.hexes:
                return None
        return found

    def after(self, hex_id: str) -> Nearby:
        """The same for a board with another tile on a hex."""
        if self.before is not None:
            kept = {key: each for key, each in self.before.copy().items() if self.changed not in each.hexes}
            self.known = kept | self.known
            self.before = None
        return Nearby(self.known, hex_id)


class Board(Struct, frozen=True, dict=True):
    """Tiles and stations as they lie. It never changes: every lay makes a new one.

    What is computed from a board (connections, networks) is kept in the instance's `__dict__`,
    so all copies of a state share it and none can go stale.
    """

    tiles: Mapping[str, tuple[str, int]]
    """Hex to tile and rotation."""
    stations: Mapping[str, tuple[str, ...]]
    """City to the companies in it. A station that lies in a hex without a chosen city stands under the hex."""

    def face(self, tile_set: TileSet, hex_: Hex) -> Face:
        laid = self.tiles.get(hex_.id)
        return hex_.face if laid is None else tile_set.faces[laid[0]][laid[1]]

    def remembered(self, key: object) -> object | None:
        """What was worked out for this board before under that key."""
        memory: dict[object, object] = self.__dict__.get("_memory", {})
        return memory.get(key)

    def remember(self, key: object, value: T) -> T:
        self.__dict__.setdefault("_memory", {})[key] = value
        return value

    @property
    def nearby(self) -> Nearby:
        """What follows from some of its tiles, whatever the stations."""
        found: Nearby | None = self.__dict__.get("_nearby")
        if found is None:
            found = self.__dict__["_nearby"] = Nearby()
        return found

    def with_tile(self, hex_id: str, tile: str, rotation: int, stations: Mapping[str, tuple[str, ...]]) -> Board:
        board = Board({**self.tiles, hex_id: (tile, rotation)}, stations)
        board.__dict__["_nearby"] = self.nearby.after(hex_id)
        return board

    def with_stations(self, stations: Mapping[str, tuple[str, ...]]) -> Board:
        board = Board(self.tiles, stations)
        board.__dict__["_nearby"] = self.nearby
        return board

    def stations_of(self, company: str) -> list[str]:
        """The cities (or hexes) in which a company has a station."""
        return [city for city, companies in self.stations.items() if company in companies]

    def companies_in(self, hex_id: str) -> list[str]:
        return [company for city, companies in self.stations.items() if hex_of(city) == hex_id for company in companies]
