"""The hex grid with its coordinates, and what follows from the tiles of a few hexes, kept from board to board."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from ostbahn.kernel.map.tiles import Face

DIRECTIONS: Final = ("SW", "W", "NW", "NE", "E", "SE")
"""Sides of a hex in the order in which a tile turns."""

_STEP: Final = ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1))


def opposite(side: int) -> int:
    return (side + 3) % 6


def rotate_mask(mask: int, rotation: int) -> int:
    """A set of sides (six bits), turned."""
    return ((mask << rotation) | (mask >> (6 - rotation))) & 0b111111


ROWS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def neighbour(hex_id: str, side: int, rows: str = ROWS) -> str:
    """The name of the place beyond a side, whether or not the map has a hex there; nothing beyond the last row."""
    row, column = _STEP[side]
    number = rows.index(hex_id[0]) + row
    if not 0 <= number < len(rows):
        return ""
    return f"{rows[number]}{int(hex_id[1:]) + column}"


def distance(one: str, other: str, rows: str = ROWS) -> int:
    """How many steps it is from hex to hex, whatever lies between."""
    down, across = abs(rows.index(one[0]) - rows.index(other[0])), abs(int(one[1:]) - int(other[1:]))
    return max(down, (down + across) // 2)


def city_id(hex_id: str, node: int) -> str:
    """As in `E11.1`."""
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
    """What follows from the tiles of some hexes: it holds on every board on which these lie as they did.

    A board that was made of another by one tile looks there, too. What that tile does not touch is handed down when the
    next one is laid; so no board holds on to all those before it.
    """

    __slots__ = ("before", "changed", "faces", "known", "stale")

    def __init__(self, before: dict[object, HexDependent] | None = None, changed: str = "") -> None:
        self.known: dict[object, HexDependent] = {}
        self.before = before
        """What is known of the board of which this one was made,"""
        self.changed = changed
        """by another tile on this hex."""
        self.faces: list[Face] | None = None
        """What lies on each hex, by its number; where hexes are stale, on the board of which this one was made."""
        self.stale: tuple[str, ...] = ()

    def get(self, key: object) -> HexDependent | None:
        found = self.known.get(key)
        if found is None and self.before is not None:
            found = self.before.get(key)
            if found is not None and self.changed in found.hexes:
                return None
        return found

    def deep_copy(self) -> HexCache:
        """The same, to which another board can add without this one noticing."""
        twin = HexCache(self.before, self.changed)
        twin.known, twin.faces, twin.stale = self.known.copy(), self.faces, self.stale
        return twin

    def after(self, hex_id: str) -> HexCache:
        """The same for a board with another tile on a hex."""
        if self.before is not None:
            kept = {key: each for key, each in self.before.copy().items() if self.changed not in each.hexes}
            self.known = kept | self.known
            self.before = None
        later = HexCache(self.known, hex_id)
        later.faces, later.stale = self.faces, (*self.stale, hex_id)
        return later
