"""The board as it lies: tiles and stations on it."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import Struct

from ostbahn.kernel.map.hexes import hex_of

if TYPE_CHECKING:
    from ostbahn.kernel.map.board import Hex
    from ostbahn.kernel.map.tiles import Face, TileSet

T = TypeVar("T")


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
        return tile_set.lying(self, hex_)

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
