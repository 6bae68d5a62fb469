"""The server's health (its database answers and takes writes, bots make progress), and its load."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import String, bindparam, column, func, select, table
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session

from ostbahn.server.db.database import newest_revision, revision_of
from ostbahn.server.db.tables import UtcDateTime
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import GameRow, PlanRow, SeatRow
from ostbahn.server.jobs.queue import JobRow

LATELY: Final = timedelta(hours=1)
DUE: Final = (
    select(JobRow.kind, func.count()).where(JobRow.due <= bindparam("now", type_=UtcDateTime)).group_by(JobRow.kind)
)
AT_TURN: Final = (SeatRow.game == GameRow.id) & (SeatRow.seat == GameRow.turn)


class ServerStats(NamedTuple):
    """Games, planning boards left out, and jobs."""

    open: int  # not over
    active: int  # of these, with a move in the last hour
    jobs: dict[str, int]  # due, by kind
    failing: int  # of all jobs, failed at least once


def server_stats(session: Session, now: datetime) -> ServerStats:
    played = GameRow.turn.is_not(None) & GameRow.id.not_in(select(PlanRow.game))
    count = select(func.count()).select_from(GameRow)
    return ServerStats(
        open=session.scalar(count.where(played)) or 0,
        active=session.scalar(count.where(played, GameRow.touched > now - LATELY)) or 0,
        jobs={kind: number for kind, number in session.execute(DUE, {"now": now})},
        failing=session.scalar(select(func.count()).select_from(JobRow).where(JobRow.tries > 0)) or 0,
    )


def oldest_waiting(session: Session, leaving_out: Collection[str]) -> tuple[datetime, datetime] | None:
    """The earliest and latest moment since when a game waits for a bot; None if none does."""
    since = select(func.min(GameRow.touched), func.max(GameRow.touched)).join(SeatRow, AT_TURN)
    waiting = since.where(SeatRow.bot.is_not(None), GameRow.id.not_in(list(leaving_out)))
    row: Any = session.execute(waiting).one()
    return None if row[0] is None else (row[0], row[1])


SECONDS: Final = 5.0  # for the database to answer
FRESH: Final = 1.0  # seconds for which the result of a check is reused
STUCK: Final = timedelta(minutes=10)  # no bot thinks that long
_VERSION: Final = column("version_num", String)
SAME_VERSION: Final = table("alembic_version", _VERSION).update().values({_VERSION: _VERSION})


class Health:
    def __init__(self, game_service: GameService) -> None:
        self._game_service = game_service
        self._lock = asyncio.Lock()
        self._pending: asyncio.Future[tuple[str, ...]] | None = None
        self._checked_at = float("-inf")
        self._faults: tuple[str, ...] = ()

    async def faults(self) -> tuple[str, ...]:
        """What keeps the server from its work; empty if nothing does."""
        async with self._lock:
            if time.monotonic() - self._checked_at > FRESH:
                self._faults = await self._check()
                self._checked_at = time.monotonic()
            return self._faults

    async def _check(self) -> tuple[str, ...]:
        if self._pending is None:  # otherwise an earlier check still waits for the database
            self._pending = asyncio.ensure_future(asyncio.to_thread(self._check_database))
        done, _ = await asyncio.wait({self._pending}, timeout=SECONDS)
        if not done:
            return (f"the database has not answered for {SECONDS:g} seconds",)
        finished, self._pending = self._pending, None
        try:
            return finished.result()
        except SQLAlchemyError as fault:
            return (f"the database does not answer ({_error_name(fault)})",)

    def _check_database(self) -> tuple[str, ...]:
        with self._game_service.database.session() as session:
            revision = revision_of(session.connection())
            if revision != newest_revision():
                return (f"the tables are those of version {revision}, and {newest_revision()} is needed",)
            waiting = oldest_waiting(session, self._game_service.rooms.damaged)
        try:
            with self._game_service.database.session() as session:
                session.execute(SAME_VERSION)  # and commit, which is when a full disk fails
        except SQLAlchemyError as fault:
            return (f"the database takes no writes ({_error_name(fault)})",)
        if waiting is None:
            return ()
        longest, shortest = (self._game_service.clock() - since for since in waiting)
        if shortest > STUCK:  # if some games wait briefly, bots do make progress
            return (f"no bot has answered for {longest.total_seconds() / 60:.0f} minutes",)
        return ()


def _error_name(fault: SQLAlchemyError) -> str:
    return type(fault.orig if isinstance(fault, DBAPIError) else fault).__name__
