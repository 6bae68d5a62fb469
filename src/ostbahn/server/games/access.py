"""Keys: whoever has the link of a seat sits on it. There is nothing else to know, and nothing else to steal."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from ostbahn.server.db.encryption import Seal, hashed
from ostbahn.server.faults import Replaced
from ostbahn.server.games.tables import KeyRow

KeyRole = Literal["host", "seat", "spectator"]
VOID: Final = "void"
"""The role of a key that opens nothing any more."""
BYTES: Final = 16
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


def new_key(seal: Seal, game: str, role: KeyRole, seats: Iterable[str] = ()) -> tuple[Access, KeyRow]:
    """A new key to a game, and how it is kept."""
    key = secrets.token_urlsafe(BYTES)
    row = KeyRow(hash=hashed(key), sealed=seal.close(key), game=game, role=role, seats=joined(seats), used=False)
    return access(row, key), row


def access(row: KeyRow, key: str) -> Access:
    if row.role == VOID:
        raise Replaced(row.game)
    role: KeyRole = "host" if row.role == "host" else "seat" if row.role == "seat" else "spectator"
    return Access(key=key, hash=row.hash, game=row.game, role=role, seats=parted(row.seats), used=row.used)


def joined(seats: Iterable[str]) -> str:
    return ",".join(seats)


def parted(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()
