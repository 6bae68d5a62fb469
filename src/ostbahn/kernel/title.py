"""A title: the immutable description of a game, read from data files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ostbahn.kernel.map.board import Map
from ostbahn.kernel.map.tiles import TileSet
from ostbahn.kernel.routes.reach import Surveyor


class CompanySpec(Protocol):
    """What the kernel wants to know of a company."""

    @property
    def certificates(self) -> tuple[int, ...]:
        """Percentages of its certificates, the Director's first."""


class Title(Protocol):
    """What the kernel wants to know of a game."""

    @property
    def name(self) -> str: ...
    @property
    def companies(self) -> Mapping[str, CompanySpec]: ...
    @property
    def prices(self) -> tuple[int, ...]: ...
    @property
    def map(self) -> Map: ...
    @property
    def tile_set(self) -> TileSet: ...
    @property
    def surveyor(self) -> Surveyor: ...
