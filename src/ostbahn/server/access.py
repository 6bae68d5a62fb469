"""Keys: whoever has the link of a seat sits on it. There is nothing else to know, and nothing else to steal."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from ostbahn.server.models import KeyRow

Role = Literal["host", "seat", "spectator"]
BYTES: Final = 16


class Access(NamedTuple):
    """What a key opens."""

    key: str
    game: str
    role: Role
    seats: tuple[str, ...]
    """The seats that are played with it; none for those who look on."""


def new_key() -> str:
    return secrets.token_urlsafe(BYTES)


def row(game: str, role: Role, seats: Iterable[str] = ()) -> KeyRow:
    """A new key to a game."""
    return KeyRow(key=new_key(), game=game, role=role, seats=joined(seats))


def access(row: KeyRow) -> Access:
    role: Role = "host" if row.role == "host" else "seat" if row.role == "seat" else "spectator"
    return Access(row.key, row.game, role, parted(row.seats))


def joined(seats: Iterable[str]) -> str:
    return ",".join(seats)


def parted(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()
