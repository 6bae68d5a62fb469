"""Noting that somebody is to be told: once, whoever notes it how often."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy import String, bindparam, cast, exists, literal, or_, select
from sqlalchemy.dialects.postgresql import insert as insert_there
from sqlalchemy.dialects.sqlite import insert as insert_here
from sqlalchemy.orm import Session

from ostbahn.server.store.jobs import want
from ostbahn.server.store.schema import KeepingRow, KeyRow
from ostbahn.server.store.told_schema import TellingRow, WireRow
from ostbahn.server.told.tellings import Telling

TELL: Final = "tell"
"""The kind of job that finds those who want to know."""
ANYBODY: Final = select(
    exists().where(
        KeyRow.game == bindparam("game"),
        KeyRow.seats != "",
        KeepingRow.hash == KeyRow.hash,
        WireRow.confirmed,
        or_(
            WireRow.owner == literal("a") + cast(KeepingRow.account, String),
            WireRow.owner == literal("v") + cast(KeepingRow.visitor, String),
        ),
    )
)
"""Whether anybody at a table can be told anything: asked whenever somebody's turn comes, so it is put together once."""


def note(session: Session, tellings: Sequence[Telling], now: datetime) -> None:
    """Somebody is to be told, if they want to be told anything at all."""
    if not tellings:
        return
    if session.scalar(ANYBODY, {"game": tellings[0].game}):
        for each in tellings:
            if is_new(session, each.name, now):
                want(session, TELL, each.name, data=msgspec.json.encode(each).decode(), game=each.game)


def is_new(session: Session, name: str, now: datetime) -> bool:
    """Whether this is told for the first time; from now on it is not."""
    insert = insert_here if session.get_bind().dialect.name == "sqlite" else insert_there
    noted = insert(TellingRow).values(name=name, at=now).on_conflict_do_nothing().returning(TellingRow.name)
    return session.scalar(noted) is not None
