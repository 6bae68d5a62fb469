"""Whether the server can do its work (its database answers and takes writes, bots get on), and how much there is."""

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
    active: int  # of these, somebody acted lately
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
    """Since when bots have been asked, in the game that waits longest and in the one that waits shortest."""
    since = select(func.min(GameRow.touched), func.max(GameRow.touched)).join(SeatRow, AT_TURN)
    waiting = since.where(SeatRow.bot.is_not(None), GameRow.id.not_in(list(leaving_out)))
    row: Any = session.execute(waiting).one()  # nothing where nobody waits
    return None if row[0] is None else (row[0], row[1])


SECONDS: Final = 5.0  # for the database to answer
FRESH: Final = 1.0  # seconds for which a finding holds, however often somebody asks
STUCK: Final = timedelta(minutes=10)  # no bot thinks that long
_VERSION: Final = column("version_num", String)
SAME_VERSION: Final = table("alembic_version", _VERSION).update().values({_VERSION: _VERSION})


class Health:
    def __init__(self, game_service: GameService) -> None:
        self._game_service = game_service
        self._looking = asyncio.Lock()
        self._asked: asyncio.Future[tuple[str, ...]] | None = None
        self._seen = float("-inf")
        self._found: tuple[str, ...] = ()

    async def faults(self) -> tuple[str, ...]:
        """What keeps the server from its work; empty if nothing does."""
        async with self._looking:
            if time.monotonic() - self._seen > FRESH:
                self._found = await self._look()
                self._seen = time.monotonic()
            return self._found

    async def _look(self) -> tuple[str, ...]:
        if self._asked is None:  # whoever still waits for an answer need not ask again
            self._asked = asyncio.ensure_future(asyncio.to_thread(self._of_database))
        done, _ = await asyncio.wait({self._asked}, timeout=SECONDS)
        if not done:
            return (f"the database has not answered for {SECONDS:g} seconds",)
        asked, self._asked = self._asked, None
        try:
            return asked.result()
        except SQLAlchemyError as fault:
            return (f"the database does not answer ({_kind(fault)})",)

    def _of_database(self) -> tuple[str, ...]:
        with self._game_service.database.session() as session:
            revision = revision_of(session.connection())
            if revision != newest_revision():
                return (f"the tables are those of version {revision}, and {newest_revision()} is needed",)
            waiting = oldest_waiting(session, self._game_service.rooms.damaged)
        try:
            with self._game_service.database.session() as session:
                session.execute(SAME_VERSION)  # committed, since a full disk shows no sooner
        except SQLAlchemyError as fault:
            return (f"the database takes no writes ({_kind(fault)})",)
        if waiting is None:
            return ()
        longest, shortest = (self._game_service.clock() - since for since in waiting)
        if shortest > STUCK:  # where some wait long and others do not, bots do get on
            return (f"no bot has answered for {longest.total_seconds() / 60:.0f} minutes",)
        return ()


def _kind(fault: SQLAlchemyError) -> str:
    return type(fault.orig if isinstance(fault, DBAPIError) else fault).__name__
