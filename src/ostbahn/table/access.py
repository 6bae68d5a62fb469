"""Who looks at a table, which seats they play, and the errors that tell them why something was not done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final, Literal, NamedTuple

from ostbahn.kernel.errors import OstbahnError


class RequestFault(OstbahnError):
    """What was asked cannot be done."""

    status: ClassVar[int] = 400


class NotHere(RequestFault):
    """There is no such game, seat or page."""

    status = 404


class NotYours(RequestFault):
    """The key does not open this."""

    status = 403


class Stale(RequestFault):
    """The game has gone on since the page was made, or the same click came twice."""

    status = 409


class Unreadable(RequestFault):
    """What was sent cannot be what was meant."""


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
