"""A game that was imported, and how far it was after each action of the file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ostbahn.interop.saves import NO_BOTS
from ostbahn.kernel.game import Game


class FileMark(NamedTuple):
    """Where an action of the file had taken effect."""

    id: int
    """Its number in the file; 0 is before the first."""
    actions: int
    """How many actions our game had by then."""
    lingering: bool = False
    """Whether the site was still in the track step, with nothing left to lay."""


class Imported(NamedTuple):
    """A game, and how far it was after each action of the file."""

    game: Game
    marks: list[FileMark]
    bots: Mapping[str, str] = NO_BOTS
    """The code of each bot by its seat; only saves of ours tell."""


def seed_of(document: Mapping[str, Any]) -> int:
    """What the site's chance starts from: a setting, or the first number in the game's id."""
    seed = (document.get("settings") or {}).get("seed")
    if seed not in (None, ""):
        return int(seed)
    number = re.search(r"\d+", str(document.get("id", "")))
    return int(number.group()) if number else 0
