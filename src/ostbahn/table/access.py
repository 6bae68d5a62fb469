"""What a key gives access to, and the errors for refused requests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final, Literal, NamedTuple

from ostbahn.kernel.errors import OstbahnError


class RequestFault(OstbahnError):
    """The request cannot be carried out."""

    status: ClassVar[int] = 400


class NotHere(RequestFault):
    """There is no such game, seat or page."""

    status = 404


class NotYours(RequestFault):
    """The key does not open this."""

    status = 403


class Stale(RequestFault):
    """The game has changed since the page was made, or a click arrived twice."""

    status = 409


class Unreadable(RequestFault):
    """The request is malformed."""


KeyRole = Literal["host", "seat", "spectator"]
BOARD: Final = "."
"""Joins a key and the id of a planning board to the key of that board."""


class Access(NamedTuple):
    """What a key gives access to."""

    key: str
    """Empty if it is unknown or must not be shown."""
    hash: str
    game: str
    role: KeyRole
    seats: tuple[str, ...]
    """The seats played with it; none for spectators."""
    used: bool = False
    """Whether a player has sat down or played with it."""
    origin: str = ""
    """The game that a planning board is for; empty for a game."""


def joined(seats: Iterable[str]) -> str:
    return ",".join(seats)


def parted(text: str) -> tuple[str, ...]:
    """Split what `joined` joined."""
    return tuple(text.split(",")) if text else ()
