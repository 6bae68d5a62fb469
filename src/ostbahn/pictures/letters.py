"""Letters on a board: how small they may be, and how much room words take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SMALL: Final = 13.0
"""No text on a board is smaller. On a page of 1440 by 900 pixels a board has about 1060 by 770 of them; the widest of
ours measures less than 1370 units, so these are 10 pixels there."""
CAPITALS: Final = 0.7
"""How high capitals and figures are, in parts of the size."""
BELOW: Final = 0.15
"""What of g and y hangs so far below the line that it would be missed."""

_WIDTHS: Final = {
    22: " ",
    26: "ijlíI.,'’",
    30: "f-()",
    35: "rtřť",
    43: "sšzž",
    48: "cčvyýxkJFLY–",
    51: "aáeéěg0123456789",
    54: "bdhnopquúůüűóöőňďATESZÁÉŠŽVX",
    59: "BCKPRČŘ&",
    65: "DGHNOQUÚ",
    74: "wM",
    81: "mW",
}
"""Hundredths of the size, by letter, in the font of our pictures. Where a reader has another one, `textLength` makes
words as wide as they were reckoned."""
WIDTHS: Final[Mapping[str, int]] = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
BOLD: Final = 1.05


def width_of(words: str, size: float = SMALL, bold: bool = False) -> float:
    """How wide a line is."""
    return sum(WIDTHS.get(letter, 54) for letter in words) / 100 * size * (BOLD if bold else 1.0)


def ink_height(size: float = SMALL) -> float:
    """From the line up to the top of capitals."""
    return size * CAPITALS
