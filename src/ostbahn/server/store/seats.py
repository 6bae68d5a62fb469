"""Who sits where: the people behind the keys of a table, as far as they are known."""

from __future__ import annotations

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from ostbahn.server.store.schema import KeepingRow, KeyRow
from ostbahn.server.store.seals import Seal

PLAYING: Final = ("host", "seat")
"""Roles of keys with which one may play."""


def owners_at(session: Session, game: str) -> dict[str, list[str]]:
    """By seat those who keep its key among their games: `a7` for an account, `v7` for a visitor without one."""
    kept = (
        select(KeyRow.seats, KeepingRow.account, KeepingRow.visitor)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .where(KeyRow.game == game, KeyRow.role.in_(PLAYING), KeepingRow.removed.is_(False))
    )
    found: dict[str, list[str]] = {}
    for seats, account, visitor in session.execute(kept):
        owner = f"v{visitor}" if account is None else f"a{account}"
        for seat in filter(None, seats.split(",")):
            if owner not in found.setdefault(seat, []):
                found[seat].append(owner)
    return found


def key_of(session: Session, seal: Seal, owner: str, game: str, seat: str) -> str:
    """The key with which somebody plays a seat; empty where it cannot be shown any more."""
    column = KeepingRow.account if owner.startswith("a") else KeepingRow.visitor
    kept = (
        select(KeyRow)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .where(KeyRow.game == game, KeyRow.role.in_(PLAYING), column == int(owner[1:]))
    )
    for row in session.scalars(kept):
        if seat in row.seats.split(",") and (key := seal.open(row.hash, row.sealed)):
            return key
    return ""
