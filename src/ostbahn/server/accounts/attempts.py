"""Attempts at what may be tried only so often, counted for the whole server and not for each of its workers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, func, select

from ostbahn.server.accounts.tables import AttemptRow
from ostbahn.server.db.database import Archive
from ostbahn.server.db.encryption import hashed

SPAN: Final = timedelta(minutes=1)
"""For this long an attempt counts, unless something else is said."""
LONGEST_SPAN: Final = timedelta(hours=1)
"""Nothing older is kept."""


class Attempts:
    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    def too_many(self, what: str, now: datetime, most: int, span: timedelta = SPAN) -> bool:
        """Whether something was tried too often lately, this time included; `what` is tried, or by whom.

        It is written down before it is counted: of many attempts at the same moment none counts for nothing. But
        whoever is refused anyway has nothing written: they would keep all others from writing.
        """
        begun, end = now - span, now + span  # what lies far ahead is from before the clock was put back
        lately = (AttemptRow.hash == hashed(what)) & (AttemptRow.at > begun) & (AttemptRow.at <= end)
        tried = select(func.count(AttemptRow.id)).where(lately)
        with self.archive.session() as session:
            if (session.scalar(tried) or 0) >= most:
                return True
            old = (AttemptRow.at <= now - LONGEST_SPAN) | (AttemptRow.at > now + LONGEST_SPAN)
            session.execute(delete(AttemptRow).where(old))
            session.add(AttemptRow(hash=hashed(what), at=now))
        with self.archive.session() as session:
            return (session.scalar(tried) or 0) > most
