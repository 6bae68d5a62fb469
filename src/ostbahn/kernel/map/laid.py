"""The board: tiles and stations on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from ostbahn.kernel.map.hexes import HexCache as HexCache
from ostbahn.kernel.map.hexes import hex_of
from ostbahn.kernel.native import Lookup

if TYPE_CHECKING:
    from ostbahn.kernel.map.board import Hex
    from ostbahn.kernel.map.tiles import Face, TileSet

T = TypeVar("T")


class Board(Struct, frozen=True, dict=True):
    """Tiles and stations on the map. Immutable: every lay makes a new board.

    Values computed from a board (connections, networks) are cached in its `__dict__`: states share them, and they
    cannot go stale.
    """

    tiles: Lookup[str, tuple[str, int]]
    """Hex to tile and rotation."""
    stations: Lookup[str, tuple[str, ...]]
    """City to the companies in it; a station without a chosen city is listed under its hex."""

    def face(self, tile_set: TileSet, hex_: Hex) -> Face:
        return tile_set.lying(self, hex_)

    def cached(self, key: object) -> object | None:
        memory: dict[object, object] = self.__dict__.get("_cache", {})
        return memory.get(key)

    def cache(self, key: object, value: T) -> T:
        self.__dict__.setdefault("_cache", {})[key] = value
        return value

    @property
    def hex_cache(self) -> HexCache:
        """Values that depend on the tiles of a few hexes only, shared with boards made from this one."""
        cache: HexCache | None = self.__dict__.get("_hex_cache")
        if cache is None:
            cache = self.__dict__["_hex_cache"] = HexCache()
        return cache

    def with_tile(self, hex_id: str, tile: str, rotation: int, stations: Lookup[str, tuple[str, ...]]) -> Board:
        board = Board({**self.tiles, hex_id: (tile, rotation)}, stations)
        board.__dict__["_hex_cache"] = self.hex_cache.after(hex_id)
        return board

    def with_stations(self, stations: Lookup[str, tuple[str, ...]]) -> Board:
        board = Board(self.tiles, stations)
        board.__dict__["_hex_cache"] = self.hex_cache
        return board

    def with_station(self, city: str, company: str) -> Board:
        return self.with_stations({**self.stations, city: (*self.stations.get(city, ()), company)})

    def deep_copy(self) -> Board:
        """An equal board with mappings and caches of its own, since callers may modify it."""
        board = Board({**self.tiles}, {**self.stations})
        board.__dict__["_hex_cache"] = self.hex_cache.deep_copy()
        board.__dict__["_cache"] = {**self.__dict__.get("_cache", {})}
        return board

    def stations_of(self, company: str) -> list[str]:
        """The cities (or hexes) in which a company has a station."""
        return [city for city, companies in self.stations.items() if company in companies]

    def companies_in(self, hex_id: str) -> list[str]:
        return [company for city, companies in self.stations.items() if hex_of(city) == hex_id for company in companies]
