"""Whether the server can do its work: the database answers, has the tables of this version, takes writes, and bots get
on."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import Final

from alembic.migration import MigrationContext
from sqlalchemy import String, column, table
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ostbahn.server.db.revisions import newest_revision
from ostbahn.server.games.service import House
from ostbahn.server.ops.stats import oldest_waiting

SECONDS: Final = 5.0
"""For the database to answer."""
FRESH: Final = 1.0
"""Seconds for which a finding holds: whoever asks more often costs nothing."""
STUCK: Final = timedelta(minutes=10)
"""No bot thinks that long."""
_VERSION: Final = column("version_num", String)
SAME_VERSION: Final = table("alembic_version", _VERSION).update().values({_VERSION: _VERSION})


class Health:
    def __init__(self, house: House) -> None:
        self._house = house
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
        with self._house.archive.session() as session:
            revision = MigrationContext.configure(session.connection()).get_current_revision()
            if revision != newest_revision():
                return (f"the tables are those of version {revision}, and {newest_revision()} is needed",)
            waiting = oldest_waiting(session, self._house.damaged)
        try:
            self._write()
        except SQLAlchemyError as fault:
            return (f"the database takes no writes ({_kind(fault)})",)
        if waiting is None:
            return ()
        longest, shortest = (self._house.clock() - since for since in waiting)
        if shortest > STUCK:  # where some wait long and others do not, bots do get on
            return (f"no bot has answered for {longest.total_seconds() / 60:.0f} minutes",)
        return ()

    def _write(self) -> None:
        """Write the version of the tables over itself, and commit: a full disk shows no sooner. Only migrations ever
        wait for that row."""
        with self._house.archive.session() as session:
            session.execute(SAME_VERSION)


def _kind(fault: SQLAlchemyError) -> str:
    return type(fault.orig if isinstance(fault, DBAPIError) else fault).__name__
