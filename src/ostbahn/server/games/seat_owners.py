"""Who sits where: the people behind the keys of a table, as far as they are known."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from ostbahn.server.db.encryption import Seal
from ostbahn.server.games.tables import KeepingRow, KeyRow

PLAYING: Final = ("host", "seat")
"""Roles of keys with which one may play."""


def owners_at(session: Session, game: str) -> dict[str, list[str]]:
    """By seat those who keep its key among their games: `a7` for an account, `v7` for a visitor without one."""
    found: dict[str, list[str]] = {}
    for seats, owner in _kept(session, game, PLAYING):
        for seat in filter(None, seats.split(",")):
            if owner not in found.setdefault(seat, []):
                found[seat].append(owner)
    return found


def hosts_of(session: Session, game: str) -> set[str]:
    """Those who keep the host's key."""
    return {owner for _, owner in _kept(session, game, ("host",))}


def _kept(session: Session, game: str, roles: Collection[str]) -> Iterator[tuple[str, str]]:
    """The seats of keys, and who keeps these among their games."""
    kept = (
        select(KeyRow.seats, KeepingRow.account, KeepingRow.visitor)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .where(KeyRow.game == game, KeyRow.role.in_(roles), KeepingRow.removed.is_(False))
    )
    for seats, account, visitor in session.execute(kept):
        yield seats, f"v{visitor}" if account is None else f"a{account}"


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
