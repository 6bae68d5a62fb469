"""Attempts at passwords: whoever guesses has so many guesses at the whole house, and not at each of its workers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, func, select

from ostbahn.server.store.archive import Archive
from ostbahn.server.store.people_schema import AttemptRow
from ostbahn.server.store.seals import hashed

SPAN: Final = timedelta(minutes=1)
"""For this long an attempt counts."""


class Attempts:
    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    def too_many(self, address: str, now: datetime, most: int) -> bool:
        """Whether somebody has tried too often lately, this time included; nothing older is kept.

        It is written down before it is counted: of many attempts at the same moment none counts for nothing. But
        whoever is refused anyway has nothing written: they would keep all others from writing.
        """
        begun, end = now - SPAN, now + SPAN  # what lies far ahead is from before the clock was put back
        lately = (AttemptRow.hash == hashed(address)) & (AttemptRow.at > begun) & (AttemptRow.at <= end)
        tried = select(func.count(AttemptRow.id)).where(lately)
        with self.archive.session() as session:
            if (session.scalar(tried) or 0) >= most:
                return True
            session.execute(delete(AttemptRow).where((AttemptRow.at <= begun) | (AttemptRow.at > end)))
            session.add(AttemptRow(hash=hashed(address), at=now))
        with self.archive.session() as session:
            return (session.scalar(tried) or 0) > most
