"""Who looks at a table: what their key opens, and which seats they play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

KeyRole = Literal["host", "seat", "spectator"]
BOARD: Final = "."
"""Between a key and the planning board that was made with it: together they are the key to the board."""


class Access(NamedTuple):
    """What a key opens."""

    key: str
    """Empty where it is not known, or not for the one who asks."""
    hash: str
    game: str
    role: KeyRole
    seats: tuple[str, ...]
    """The seats that are played with it; none for those who look on."""
    used: bool = False
    """Whether somebody has sat down or played with it."""
    origin: str = ""
    """The game that is planned for, where this is a planning board; empty for a game that is played."""


def joined(seats: Iterable[str]) -> str:
    return ",".join(seats)


def parted(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()
