"""Holidays: days on which somebody does not play. Clocks of days stand still for them, and others see it."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.server.accounts.preferences import wish_of, zone_named
from ostbahn.server.clocks import ledger, timekeeper
from ostbahn.server.clocks.tables import HolidayRow
from ostbahn.server.db.database import Archive
from ostbahn.server.games.service import Clock
from ostbahn.server.games.tables import AskedRow, KeepingRow, KeyRow
from ostbahn.table.access import NotHere, Unreadable

MOST_DAYS: Final = 35
"""A year."""
FARTHEST: Final = timedelta(days=366)
DAY: Final = timedelta(days=1)


class Holiday(NamedTuple):
    id: int
    first: date
    last: date
    now: bool


class Holidays:
    def __init__(self, archive: Archive, clock: Clock) -> None:
        self.archive = archive
        self.clock = clock

    def of(self, owner: str) -> list[Holiday]:
        """Those that are not over, in somebody's own days."""
        now = self.clock()
        with self.archive.session() as session:
            zone = zone_named(wish_of(session, owner).zone)
            rows = [row for row in _rows(session, owner) if row.ends > now]
            return [
                Holiday(
                    row.id,
                    row.begins.astimezone(zone).date(),
                    (row.ends - timedelta(seconds=1)).astimezone(zone).date(),
                    row.begins <= now,
                )
                for row in rows
            ]

    def left(self, owner: str) -> int:
        """How many days somebody has this year."""
        with self.archive.session() as session:
            year = self.clock().year
            return MOST_DAYS - sum(_days_in(row, year) for row in _rows(session, owner))

    def check(self, owner: str, first: date, last: date) -> None:
        """Whether somebody could take these days; without an owner, whether somebody new could."""
        with self.archive.session() as session:
            self._holiday(session, owner, first, last)

    def take(self, owner: str, first: date, last: date) -> None:
        """From the beginning of a day to the end of another, but never in what is past: time that was used stays so."""
        with self.archive.session() as session:
            session.add(self._holiday(session, owner, first, last))
            _set_alarms(session, owner, self.clock())

    def _holiday(self, session: Session, owner: str, first: date, last: date) -> HolidayRow:
        now = self.clock()
        if not now.date() - DAY <= last <= (now + FARTHEST).date():
            raise Unreadable("a holiday lies within the next year, and not in the past")
        first = max(first, now.date() - DAY)
        zone = zone_named(wish_of(session, owner).zone)
        begins = max(now, datetime(first.year, first.month, first.day, tzinfo=zone))
        ends = datetime(last.year, last.month, last.day, tzinfo=zone) + DAY
        if ends <= begins or last < first:
            raise Unreadable("a holiday ends on the day on which it begins, or later, and not in the past")
        rows = _rows(session, owner)
        if any(row.begins < ends and begins < row.ends for row in rows):
            raise Refused(Refusal("", "you have a holiday on some of these days already"))
        row = HolidayRow(owner=owner, begins=begins, ends=ends)
        for year in {begins.year, ends.year}:
            if sum(_days_in(each, year) for each in (*rows, row)) > MOST_DAYS:
                raise Refused(Refusal("", f"one can take at most {MOST_DAYS} days of holidays a year"))
        return row

    def end(self, owner: str, holiday: int) -> None:
        """One that lies ahead is not taken; one that has begun ends now."""
        now = self.clock()
        with self.archive.session() as session:
            row = session.get(HolidayRow, holiday)
            if row is None or row.owner != owner or row.ends <= now:
                raise NotHere("there is no such holiday any more")
            if row.begins >= now:
                session.delete(row)
            else:
                row.ends = now
            _set_alarms(session, owner, now)


def _rows(session: Session, owner: str) -> list[HolidayRow]:
    wanted = select(HolidayRow).where(HolidayRow.owner == owner).order_by(HolidayRow.begins)
    return list(session.scalars(wanted))


def _days_in(row: HolidayRow, year: int) -> int:
    """Each day that was begun counts."""
    begins, ends = row.begins.date(), (row.ends - timedelta(seconds=1)).date()
    days = (begins + DAY * number for number in range((ends - begins).days + 1))
    return sum(day.year == year for day in days)


def _set_alarms(session: Session, owner: str, now: datetime) -> None:
    """The clocks of their games end at other moments now; an alarm that comes too early only looks again."""
    session.flush()
    column = KeepingRow.account if owner.startswith("a") else KeepingRow.visitor
    kept = select(KeyRow.game).join(KeepingRow, KeepingRow.hash == KeyRow.hash).where(column == int(owner[1:]))
    asked = select(AskedRow.game).where(AskedRow.game.in_(kept)).distinct().order_by(AskedRow.game)
    for game in session.scalars(asked).all():
        if ledger.lines_of(session, game):
            timekeeper.set_alarms(session, game, now)
