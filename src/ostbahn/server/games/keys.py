"""Keys: whoever has the link of a seat sits on it. There is nothing else to know, and nothing else to steal."""

from __future__ import annotations

import secrets
import string
from collections.abc import Iterable
from typing import Final

from ostbahn.server.db.encryption import Seal, hashed
from ostbahn.server.faults import Replaced
from ostbahn.server.games.tables import KeyRow
from ostbahn.table.access import Access, KeyRole, joined, parted

VOID: Final = "void"
"""The role of a key that opens nothing any more."""
BYTES: Final = 16
LETTERS: Final = string.ascii_letters + string.digits


def new_id() -> str:
    """Of a game or tournament. None begins with a dash, which a command line would take for an option."""
    return f"{secrets.choice(LETTERS)}{secrets.token_urlsafe(8)[1:]}"


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
