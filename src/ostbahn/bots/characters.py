"""Characters: bots that play as well as `N` does, but in a way that others at the table notice.

A character likes some ideas and dislikes others, each by a part of its wealth; so it does what it likes where that
costs little, and not where it costs much. It may also care more or less for what the others have.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec import structs

from ostbahn.bots.ideas import Manner, Taste
from ostbahn.bots.weights import Fixed, read_weights

FILE: Final = "characters.toml"


class Character(Fixed, frozen=True):
    """How somebody differs from `N`."""

    name: str
    about: str
    rivalry: float
    """How much more it cares for what the others have: so many times as much."""
    margin: float
    """By how much more a plan must be better before it leaves what the rules of thumb say: so many times as much."""
    taste: Taste
    """What it likes of an idea, where a title says nothing else."""

    def changed(self, manner: Manner) -> Manner:
        """A title's manner as this character has it."""
        return structs.replace(manner, rivalry=manner.rivalry * self.rivalry, margin=manner.margin * self.margin)


class Characters(Fixed, frozen=True):
    """What the data file says."""

    characters: Mapping[str, Character]


@cache
def characters() -> Mapping[str, Character]:
    """All characters by their codes; the file never changes, so it is read once."""
    return read_weights("ostbahn.bots", FILE, Characters).characters
