"""Colours: how bright they look, and which letters are read easily on them."""

from __future__ import annotations

from typing import Final

from ostbahn.pictures.tiles import Mark

DARK_INK: Final = "#000000"
"""Nothing brighter: on a colour of middling brightness only black or white are read easily."""
LIGHT_INK: Final = "#ffffff"


def luminance(colour: str) -> float:
    """How bright a colour looks, from 0 to 1 (WCAG)."""
    parts = [part / 255 for part in parts_of(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lights = sorted((luminance(one), luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def ink_on(colour: str) -> str:
    """Dark or light letters, whichever are read more easily on a colour."""
    return max((DARK_INK, LIGHT_INK), key=lambda ink: contrast(ink, colour))


def parts_of(colour: str) -> list[int]:
    """Red, green and blue, each from 0 to 255."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def mark(letters: str, colour: str) -> Mark:
    """How a company looks: letters on its colour, so that companies can be told apart without colour too."""
    return Mark(letters, colour, ink_on(colour))
