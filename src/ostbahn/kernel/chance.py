"""Chance: the only source of it is the game's seed, so the same seed always gives the same game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A linear congruential generator, the same one that 18xx.games uses, so that its games can be replayed."""

    def __init__(self, seed: int) -> None:
        self._value = seed % 2**31

    def draw(self) -> int:
        self._value = (1103515245 * self._value + 12345) % 2**31
        return self._value

    def shuffled(self, things: Iterable[T]) -> tuple[T, ...]:
        """The things in the order of one draw each."""
        drawn = [(self.draw(), number, thing) for number, thing in enumerate(things)]
        return tuple(thing for _, _, thing in sorted(drawn, key=lambda row: row[:2]))
