"""A title: the immutable description of a game, read from data files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ostbahn.kernel.map.board import Fits, Hex, Map
from ostbahn.kernel.map.tiles import Tile, TileSet
from ostbahn.kernel.routes.reach import Surveyor


class CompanySpec(Protocol):
    """What the engine needs of a share company."""

    @property
    def name(self) -> str: ...

    @property
    def certificates(self) -> tuple[int, ...]:
        """Percentages of its certificates, the Director's first."""


class Title(Protocol):
    """What the engine needs of a title in one variant."""

    def __hash__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def variant(self) -> str: ...
    @property
    def currency(self) -> str:
        """The unit after an amount of money."""

    @property
    def companies(self) -> Mapping[str, CompanySpec]: ...
    @property
    def charters(self) -> tuple[str, ...]:
        """All companies with a charter: share companies and others that build and run."""

    @property
    def prices(self) -> tuple[int, ...]: ...
    @property
    def map(self) -> Map: ...
    @property
    def tiles(self) -> Mapping[str, Tile]: ...
    def piece(self, tile: str) -> str:
        """The name under which a tile is counted: both faces of a double-sided one are the same piece."""

    @property
    def tile_set(self) -> TileSet: ...
    def fitting(self, hex_: Hex, laid: tuple[str, int] | None) -> Fits:
        """Tiles and rotations that fit a hex, regardless of company and supply."""

    @property
    def surveyor(self) -> Surveyor: ...
