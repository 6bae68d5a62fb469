"""Queueing notifications, idempotently: each person gets each one once, however often it is queued."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec
from sqlalchemy import String, bindparam, cast, delete, exists, literal, or_, select
from sqlalchemy.dialects.postgresql import insert as insert_there
from sqlalchemy.dialects.sqlite import insert as insert_here
from sqlalchemy.orm import Session

from ostbahn.server.games.listeners import Telling
from ostbahn.server.games.tables import KeepingRow, KeyRow
from ostbahn.server.jobs.queue import AT_ONCE, want
from ostbahn.server.notifications.tables import TellingRow, WireRow

TELL: Final = "tell"
"""The kind of job that finds those who want to know."""
SETTLED: Final = timedelta(seconds=5)
"""After which whoever has taken a seat has it among their games, and its table open."""
FORGOTTEN: Final = timedelta(days=90)
"""After which nobody needs to know what somebody was told."""
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


def note(session: Session, tellings: Sequence[Telling]) -> bool:
    """Queue notifications, if anybody at the table wants any at all; whether somebody does."""
    wanted = bool(tellings) and bool(session.scalar(ANYBODY, {"game": tellings[0].game}))
    if wanted:
        _queue(session, tellings, AT_ONCE)
    return wanted


def note_soon(session: Session, tellings: Sequence[Telling], now: datetime) -> None:
    """Queue notifications at the moment in which people get their seats: they are looked for a little later, when it is
    known whose these are, and who of them looks at the table anyway."""
    _queue(session, tellings, now + SETTLED)


def _queue(session: Session, tellings: Sequence[Telling], due: datetime) -> None:
    for telling in tellings:
        want(session, TELL, telling.name, due, msgspec.json.encode(telling).decode(), telling.game)


def forget_old(session: Session, now: datetime) -> None:
    """Delete what nobody needs to know any more of what was told."""
    session.execute(delete(TellingRow).where(TellingRow.at < now - FORGOTTEN))


def is_new(session: Session, name: str, now: datetime) -> bool:
    """Whether this happens for the first time; from now on it does not."""
    insert = insert_here if session.get_bind().dialect.name == "sqlite" else insert_there
    noted = insert(TellingRow).values(name=name, at=now).on_conflict_do_nothing().returning(TellingRow.name)
    return session.scalar(noted) is not None
