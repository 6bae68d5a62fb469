"""Clocks at tables: service and routes, holidays, and when players were last seen."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from time import monotonic
from typing import Any, Final, NamedTuple

from litestar import Response
from litestar.params import JSONBody
from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.server.accounts.people import subscription_of, zone_named
from ostbahn.server.accounts.rate_limits import SEATS
from ostbahn.server.accounts.visitors import Injected
from ostbahn.server.clocks import timekeeper
from ostbahn.server.clocks.clock import HolidayRow, SeenRow, clock_lines, load_clock_state
from ostbahn.server.clocks.timekeeper import CLOCK_JOB, DailyTask, Heartbeat, Timekeeper, is_timed
from ostbahn.server.clocks.votes import END_DESCRIPTIONS, Motion, Votes, clocks_view
from ostbahn.server.db.database import Database
from ostbahn.server.games.service import Clock, GameService
from ostbahn.server.games.services import GameServices, InjectedAccess, KeyPages, KeyRoutes, part
from ostbahn.server.games.tables import KeepingRow, KeyRow, TurnChangeRow
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.server.routing import get, post
from ostbahn.table.access import Access, NotHere, Unreadable
from ostbahn.table.room import Room
from ostbahn.table.slots import ClocksView

MOST_HOLIDAYS_A_YEAR: Final = 35
LATEST_HOLIDAY: Final = timedelta(days=366)
DAY: Final = timedelta(days=1)
SECOND: Final = timedelta(seconds=1)


class Holiday(NamedTuple):
    id: int
    first: date
    last: date
    now: bool  # whether it has begun


class Holidays:
    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock

    def upcoming(self, owner: str) -> list[Holiday]:
        """Holidays that are not over, in the owner's time zone."""
        now = self.clock()
        with self.database.session() as session:
            zone = zone_named(subscription_of(session, owner).zone)
            return [
                Holiday(
                    row.id,
                    row.begins.astimezone(zone).date(),
                    (row.ends - SECOND).astimezone(zone).date(),
                    row.begins <= now,
                )
                for row in _rows(session, owner)
                if row.ends > now
            ]

    def days_left(self, owner: str) -> int:
        """Holidays left to take this year."""
        with self.database.session() as session:
            year = self.clock().year
            return MOST_HOLIDAYS_A_YEAR - sum(_days_in(row, year) for row in _rows(session, owner))

    def check_new(self, owner: str, first: date, last: date) -> None:
        """Refuse a holiday that cannot be added; the owner may be empty."""
        with self.database.session() as session:
            self._validated_holiday(session, owner, first, last)

    def add(self, owner: str, first: date, last: date) -> None:
        """Add a holiday from the first to the last day. It begins now at the earliest: used time stays used."""
        with self.database.session() as session:
            session.add(self._validated_holiday(session, owner, first, last))
            _reschedule_alarms(session, owner, self.clock())

    def _validated_holiday(self, session: Session, owner: str, first: date, last: date) -> HolidayRow:
        now = self.clock()
        if not now.date() - DAY <= last <= (now + LATEST_HOLIDAY).date():
            raise Unreadable("a holiday lies within the next year, and not in the past")
        first = max(first, now.date() - DAY)
        zone = zone_named(subscription_of(session, owner).zone)
        begins = max(now, datetime(first.year, first.month, first.day, tzinfo=zone))
        ends = datetime(last.year, last.month, last.day, tzinfo=zone) + DAY
        if ends <= begins or last < first:
            raise Unreadable("a holiday ends on the day on which it begins, or later, and not in the past")
        rows = _rows(session, owner)
        if any(row.begins < ends and begins < row.ends for row in rows):
            raise Refused(Refusal("", "you have a holiday on some of these days already"))
        row = HolidayRow(owner=owner, begins=begins, ends=ends)
        for year in {begins.year, ends.year}:
            if sum(_days_in(each, year) for each in (*rows, row)) > MOST_HOLIDAYS_A_YEAR:
                raise Refused(Refusal("", f"one can take at most {MOST_HOLIDAYS_A_YEAR} days of holidays a year"))
        return row

    def end(self, owner: str, holiday: int) -> None:
        """Delete a future holiday, or end a running one now."""
        now = self.clock()
        with self.database.session() as session:
            row = session.get(HolidayRow, holiday)
            if row is None or row.owner != owner or row.ends <= now:
                raise NotHere("there is no such holiday any more")
            if row.begins >= now:
                session.delete(row)
            else:
                row.ends = now
            _reschedule_alarms(session, owner, now)


def _rows(session: Session, owner: str) -> list[HolidayRow]:
    return list(session.scalars(select(HolidayRow).where(HolidayRow.owner == owner).order_by(HolidayRow.begins)))


def _days_in(row: HolidayRow, year: int) -> int:
    begins, ends = row.begins.date(), (row.ends - SECOND).date()
    days = (begins + DAY * number for number in range((ends - begins).days + 1))
    return sum(day.year == year for day in days)


def _reschedule_alarms(session: Session, owner: str, now: datetime) -> None:
    """Reschedule the alarms of the owner's games after a change of their holidays."""
    session.flush()
    column = KeepingRow.account if owner.startswith("a") else KeepingRow.visitor
    own = select(KeyRow.game).join(KeepingRow, KeepingRow.hash == KeyRow.hash).where(column == int(owner[1:]))
    with_turns = select(TurnChangeRow.game).where(TurnChangeRow.game.in_(own)).distinct().order_by(TurnChangeRow.game)
    for game in session.scalars(with_turns).all():
        if clock_lines(session, game):
            timekeeper.schedule_alarms(session, game, now)


CACHE_SECONDS: Final = 30.0
MOST_CACHED_GAMES: Final = 1000
LOG: Final = logging.getLogger(__name__)


class LastSeen:
    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock
        self._cache: dict[str, tuple[float, dict[str, datetime]]] = {}
        """By game: the time of reading, and when each seat was last seen."""

    def note(self, who: Access) -> None:
        """Store that the seats of a key have the table open now."""
        try:
            with self.database.session() as session:
                for seat in who.seats:
                    session.merge(SeenRow(game=who.game, seat=seat, at=self.clock()))
        except SQLAlchemyError as fault:
            # two pages of the same seat at once, or a database outage: no harm done
            LOG.info("when somebody was seen could not be written down (%s)", type(fault).__name__)
        self._cache.pop(who.game, None)

    def at(self, game: str) -> dict[str, datetime]:
        """When each seat was last seen; the answer may be CACHE_SECONDS old."""
        cached = self._cache.get(game)
        if cached is not None and monotonic() - cached[0] < CACHE_SECONDS:
            return cached[1]
        with self.database.session() as session:
            rows = session.execute(select(SeenRow.seat, SeenRow.at).where(SeenRow.game == game))
            seen = {seat: at for seat, at in rows}
        while len(self._cache) >= MOST_CACHED_GAMES:
            self._cache.pop(next(iter(self._cache)), None)
        self._cache[game] = monotonic(), seen
        return seen


class Clocks:
    def __init__(self, game_service: GameService, daily_tasks: Sequence[DailyTask] = ()) -> None:
        database, clock = game_service.database, game_service.clock
        self.game_service = game_service
        self.votes = Votes(game_service)
        self.holidays = Holidays(database, clock)
        self.seen = LastSeen(database, clock)
        self.heartbeat = Heartbeat(database, clock, daily_tasks)

    def register(self, runner: JobRunner) -> None:
        runner.register(CLOCK_JOB, Timekeeper(self.game_service).handle_alarm, max_parallel=2)

    def view(self, room: Room, who: Access) -> ClocksView | None:
        """The clocks of a table; a planning board has none."""
        if who.origin:
            return None
        now, seen = self.game_service.clock(), self.seen.at(room.id)
        clock_state, vote = None, None
        if is_timed(room):
            with self.game_service.database.session() as session:
                clock_state = None if room.game.over else load_clock_state(session, room.id, now)
                vote = self.votes.current_vote(session, room)
        return clocks_view(room, who, clock_state, vote, now, seen)

    def slot(self, room: Room, who: Access) -> Mapping[str, Any]:
        return {"clocks": self.view(room, who)}


@dataclass(frozen=True, kw_only=True)
class ClockServices(GameServices):
    votes: Votes
    holidays: Holidays


InjectedClocks = Injected[ClockServices]


def holiday_settings(holidays: Holidays, owner: str) -> Mapping[str, Any]:
    """The section of holidays on the page of notifications; the owner may be empty."""
    return {
        "sections": ("holidays.html",),
        "holidays": holidays.upcoming(owner) if owner else [],
        "days_left": holidays.days_left(owner) if owner else MOST_HOLIDAYS_A_YEAR,
        "most_days": MOST_HOLIDAYS_A_YEAR,
    }


class SentVote(Struct, frozen=True):
    """Your reply to a proposal about the clock."""

    number: int
    """The `number` of the proposal that you saw, so that you never agree to a newer one by accident."""
    agree: bool


class TimePages(KeyPages):
    path = "/t/{key:str}/time"

    @get("/")
    def card(self, access: InjectedAccess, services: InjectedClocks) -> Response[str]:
        """The dialog for changes of the clock."""
        if access.origin:
            raise NotHere("a plan has no clock")
        with services.game_service.holding(access.game) as room:
            view = services.view(room, access)
        return part(services, "time.html", view=view, clocks=view.clocks, ends=END_DESCRIPTIONS)


class TimeApi(KeyRoutes):
    path = "/api/t/{key:str}/vote"
    tags = ("table",)

    @post(
        "/",
        status_code=200,
        operation_id="proposeTimeChange",
        summary="Propose a change of the clock",
        response_description="Whether it takes effect at once; otherwise the others have to agree.",
        errors=(403,),
        middleware=[SEATS.middleware],
    )
    def propose(self, access: InjectedAccess, services: InjectedClocks, data: JSONBody[Motion]) -> bool:
        """Propose more time for a player, a pause, another clock, or a bot for a player who is away."""
        return services.votes.propose(access, data)

    @post(
        "/reply",
        status_code=200,
        operation_id="replyToTimeProposal",
        summary="Agree or object to a change of the clock",
        response_description="Whether it takes effect with your reply.",
        errors=(403,),
    )
    def reply(self, access: InjectedAccess, services: InjectedClocks, data: JSONBody[SentVote]) -> bool:
        """Answer the proposal about the clock that stands at the table."""
        return services.votes.reply(access, data.number, data.agree)
