"""The hex grid and its coordinates, and a cache of values that depend on a few hexes only."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from ostbahn.kernel.map.tiles import Face

DIRECTIONS: Final = ("SW", "W", "NW", "NE", "E", "SE")
"""Sides of a hex in the order of rotation."""

_STEP: Final = ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1))


def opposite(side: int) -> int:
    return (side + 3) % 6


def rotate_mask(mask: int, rotation: int) -> int:
    """Turn a set of sides (six bits)."""
    return ((mask << rotation) | (mask >> (6 - rotation))) & 0b111111


ROWS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def neighbour(hex_id: str, side: int, rows: str = ROWS) -> str:
    """The id of the neighbour at a side, even off the map; empty beyond the last row."""
    row, column = _STEP[side]
    number = rows.index(hex_id[0]) + row
    if not 0 <= number < len(rows):
        return ""
    return f"{rows[number]}{int(hex_id[1:]) + column}"


def distance(one: str, other: str, rows: str = ROWS) -> int:
    """The number of steps between two hexes."""
    down, across = abs(rows.index(one[0]) - rows.index(other[0])), abs(int(one[1:]) - int(other[1:]))
    return max(down, (down + across) // 2)


def city_id(hex_id: str, node: int) -> str:
    """The id of a revenue location: `E11.1`."""
    return f"{hex_id}.{node}"


def hex_of(city: str) -> str:
    return city.partition(".")[0]


def sides_of(mask: int) -> tuple[int, ...]:
    return _SIDES_OF[mask]


_SIDES_OF: Final = tuple(tuple(side for side in range(6) if mask >> side & 1) for mask in range(64))


class HexDependent(Protocol):
    @property
    def hexes(self) -> AbstractSet[str]: ...


class HexCache:
    """A cache of values that depend on the tiles of a few hexes, valid on every board with the same tiles there.

    A board made from another by one tile reads the cache of that board, too. Laying the next tile
    copies the entries that the first did not touch, so no board keeps all its predecessors alive.
    """

    __slots__ = ("before", "changed", "faces", "known", "stale")

    def __init__(self, before: dict[object, HexDependent] | None = None, changed: str = "") -> None:
        self.known: dict[object, HexDependent] = {}
        self.before = before
        """The entries of the board that this one was made from."""
        self.changed = changed
        """The hex with the new tile."""
        self.faces: list[Face] | None = None
        """The face on each hex by index; on stale hexes that of an earlier board."""
        self.stale: tuple[str, ...] = ()

    def get(self, key: object) -> HexDependent | None:
        value = self.known.get(key)
        if value is None and self.before is not None:
            value = self.before.get(key)
            if value is not None and self.changed in value.hexes:
                return None
        return value

    def deep_copy(self) -> HexCache:
        """A copy to which another board can add entries."""
        twin = HexCache(self.before, self.changed)
        twin.known, twin.faces, twin.stale = self.known.copy(), self.faces, self.stale
        return twin

    def after(self, hex_id: str) -> HexCache:
        """The cache of a board with a new tile on a hex."""
        if self.before is not None:
            valid = {key: value for key, value in self.before.copy().items() if self.changed not in value.hexes}
            self.known = valid | self.known
            self.before = None
        later = HexCache(self.known, hex_id)
        later.faces, later.stale = self.faces, (*self.stale, hex_id)
        return later
