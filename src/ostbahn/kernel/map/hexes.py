"""The hex grid: pointy-top hexes, rows named by letters from north to south, columns rising by two."""

from __future__ import annotations

from typing import Final

DIRECTIONS: Final = ("SW", "W", "NW", "NE", "E", "SE")
"""Sides of a hex in the order in which a tile turns."""

_STEP: Final = ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1))


def opposite(side: int) -> int:
    """The same hex side, seen from the neighbour."""
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
    """The name of a revenue location: hex and number of the node, as in `E11.1`."""
    return f"{hex_id}.{node}"


def hex_of(city: str) -> str:
    """The hex of a revenue location."""
    return city.partition(".")[0]


def sides_of(mask: int) -> tuple[int, ...]:
    """The sides in a set of sides, in order of rotation."""
    return _SIDES_OF[mask]


_SIDES_OF: Final = tuple(tuple(side for side in range(6) if mask >> side & 1) for mask in range(64))
