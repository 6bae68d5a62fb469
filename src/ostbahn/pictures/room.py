"""The room on a hex: what is drawn covers small squares, and each of these is a bit of one number.

Whether two things overlap is then one `&`, and how much track something hides is a count of bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from ostbahn.pictures.geometry import RADIUS, Point

SQUARE: Final = 1.0
"""The side of a square."""
_ACROSS: Final = 90
_DOWN: Final = 104
_LEFT: Final = -_ACROSS / 2 * SQUARE
_TOP: Final = -_DOWN / 2 * SQUARE
_COLUMN: Final = tuple(sum(1 << row * _ACROSS for row in range(rows)) for rows in range(_DOWN + 1))
"""One square in each of so many rows, one beneath the other."""

assert _LEFT <= -RADIUS * 0.87, "a hex finds room on the squares"
assert _TOP <= -RADIUS, "a hex finds room on the squares"


def _squares(low: float, high: float, edge: float, most: int) -> tuple[int, int]:
    """The first of the squares from one line to another, and how many there are; those off the sheet do not count."""
    first = max(math.floor((low - edge) / SQUARE), 0)
    return first, max(min(math.ceil((high - edge) / SQUARE), most) - first, 0)


@lru_cache(maxsize=8192)
def box(left: float, top: float, right: float, bottom: float) -> int:
    """Every square that a box touches."""
    column, wide = _squares(left, right, _LEFT, _ACROSS)
    row, high = _squares(top, bottom, _TOP, _DOWN)
    return ((1 << wide) - 1) * _COLUMN[high] << row * _ACROSS + column


@lru_cache(maxsize=8192)
def disc(middle: Point, radius: float) -> int:
    """Every square that a disc touches."""
    covered = 0
    first, high = _squares(middle.y - radius, middle.y + radius, _TOP, _DOWN)
    for row in range(first, first + high):
        top = _TOP + row * SQUARE
        away = max(top - middle.y, middle.y - top - SQUARE, 0.0)
        half = math.sqrt(max(radius * radius - away * away, 0.0))
        column, wide = _squares(middle.x - half, middle.x + half, _LEFT, _ACROSS)
        covered |= (1 << wide) - 1 << row * _ACROSS + column
    return covered


def trail(points: Iterable[Point], width: float) -> int:
    """Every square that a line of some width touches, whose points lie close together."""
    covered = 0
    for point in points:
        covered |= disc(point, width / 2)
    return covered


def area(squares: int) -> float:
    return squares.bit_count() * SQUARE * SQUARE
