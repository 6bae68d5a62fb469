"""Chance: the only source of it is the game's seed, so the same seed always gives the same game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct, structs

T = TypeVar("T")
S = TypeVar("S", bound=Struct)


class Chance:
    """A linear congruential generator, the same one that 18xx.games uses, so that its games can be replayed."""

    def __init__(self, seed: int) -> None:
        self.value = seed % 2**31
        """The last draw; the rest follows from it, so a state that keeps it can go on drawing."""

    def draw(self) -> int:
        self.value = (1103515245 * self.value + 12345) % 2**31
        return self.value

    def shuffled(self, things: Iterable[T]) -> tuple[T, ...]:
        """The things in the order of one draw each."""
        drawn = [(self.draw(), number, thing) for number, thing in enumerate(things)]
        return tuple(thing for _, _, thing in sorted(drawn, key=lambda row: row[:2]))


def with_lots(state: S, lots: int) -> S:
    """The same state, in which chance goes on elsewhere: where nobody may know what the game itself will draw."""
    return structs.replace(state, chance=lots) if hasattr(state, "chance") else state  # some never draw any
