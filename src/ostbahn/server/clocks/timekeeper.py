"""What happens when a clock has run so far: reminders, and its end, as jobs. A job is a reason to look, not a verdict:
the clock is read in the transaction in which something is done about it. While no worker was at work, to within a
minute, no clock runs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, bindparam, delete, func, select, update
from sqlalchemy.orm import Session

from ostbahn.bots.playing import answer as ask_bot
from ostbahn.bots.registry import STRONGEST
from ostbahn.server.accounts.people import AccountListener, AccountRow, Visitor, account_owner, owner_of
from ostbahn.server.clocks.clock import (
    GAP,
    NOTHING,
    ClockRow,
    HolidayRow,
    PulseRow,
    Running,
    SeenRow,
    VoteRow,
    add_line,
    asked_now,
    ends_at,
    lines_of,
    running_clock,
)
from ostbahn.server.db.database import Database
from ostbahn.server.games.listeners import GameListener, Notification, TurnChange, last_turn_change
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.service import Clock, GameService
from ostbahn.server.jobs.queue import Job, JobRow, enqueue, finish
from ostbahn.server.metrics import thinking
from ostbahn.table.room import CLOCK as BY_CLOCK
from ostbahn.table.room import Entry, Room
from ostbahn.table.slots import DAY, HOUR, MINUTE, TableClock, duration


def stand_in(game_service: GameService, game: str, seat: str, note: str, also: Callable[[Session], None]) -> None:
    """A bot answers once for a person, unless they were quicker; `also` is done in the same transaction, before it."""
    with game_service.holding(game) as room:
        if room.turn != seat:
            return
        version, position = room.version, room.game.branch()
    bot = game_service.seated_bots.bot_for(game, position, seat, STRONGEST)
    with thinking(game_service.metrics, STRONGEST):  # outside, since it may think for long
        answered = ask_bot(bot, position)
    with game_service.changing(game) as (room, session):
        if room.version == version:
            also(session)
            told = f"{note}; {answered.note}" if answered.note else note
            game_service.record_with_follow_ups(session, room, room.answer(answered.action, seat, "bot", told))


LOG: Final = logging.getLogger(__name__)
CLOCK: Final = "clock"
"""The kind of job."""
WAITING: Final = "until everybody has sat down"
NEARLY: Final = timedelta(milliseconds=200)
"""A job that comes by so much too early has come in time."""
WORTH_HALF: Final = HOUR
WORTH_LAST: Final = 30 * MINUTE
"""From so much time on there is a reminder at half of it, and one shortly before its end."""

What = Literal["half", "last", "end"]


class Alarm(Struct, frozen=True):
    game: str
    version: int
    """Of the line by which somebody was asked: in another turn it has nothing to say."""
    what: What


def rests(clock: TableClock) -> dict[What, timedelta]:
    """How much time is left when each alarm goes off."""
    found: dict[What, timedelta] = {"end": NOTHING}
    if clock.seconds >= WORTH_HALF:
        found["half"] = timedelta(seconds=clock.seconds / 2)
    if clock.seconds >= WORTH_LAST:
        found["last"] = timedelta(seconds=min(max(clock.seconds / 10, 5 * MINUTE), DAY / 2))
    return found


# Setting it


def set_alarms(session: Session, game: str, now: datetime) -> None:
    """For whoever is asked now, as far as their clock runs."""
    session.flush()
    session.execute(delete(JobRow).where(JobRow.game == game, JobRow.kind == CLOCK))  # of turns that are over
    running = running_clock(session, game, now)
    last = None if running is None else asked_now(running)
    if running is None or last is None:
        return
    for what, rest in rests(running.clock).items():
        due = ends_at(running, now, rest)
        if due is not None and (due > now or what == "end"):
            _want(session, Alarm(game, last.version, what), running.serial, due)


def _want(session: Session, alarm: Alarm, serial: int, due: datetime) -> None:
    name = f"clock/{alarm.game}/{alarm.version}/{serial}/{alarm.what}"
    enqueue(session, CLOCK, name, due, msgspec.json.encode(alarm).decode(), game=alarm.game)


# When it goes off


class Timekeeper:
    def __init__(self, game_service: GameService) -> None:
        self.game_service = game_service

    def go_off(self, job: Job) -> None:
        alarm = msgspec.json.decode(job.data, type=Alarm)
        with self.game_service.database.session() as session:
            running = self._due(session, job, alarm)
            if running is None:
                return
            last = asked_now(running)
            if alarm.what != "end" or running.clock.end == "tell":
                if last is not None:
                    self._note(session, alarm, last, running)
                finish(session, job)
                return
        if last is not None and last.seat is not None:
            self._let_bot(alarm, last.seat, last.turn, running.clock)

    def _due(self, session: Session, job: Job, alarm: Alarm) -> Running | None:
        """What the clock is read from if this is the moment; otherwise the job is over, or comes back when it is."""
        now = self.game_service.clock()
        running = running_clock(session, alarm.game, now)
        last = None if running is None else asked_now(running)
        due = None
        if running is not None and last is not None and last.version == alarm.version:
            rest = rests(running.clock).get(alarm.what)
            due = None if rest is None else ends_at(running, now, rest)
        if due is not None and due <= now + NEARLY:
            return running
        finish(session, job)
        if due is not None and running is not None:
            _want(session, alarm, running.serial, due)
        return None

    def _note(self, session: Session, alarm: Alarm, last: TurnChange, running: Running) -> None:
        rest = int(rests(running.clock)[alarm.what].total_seconds())  # none at the end
        detail = f"You have {duration(rest)} left for your turn." if rest else "Your time is over."
        mark = f"{last.turn}-{alarm.what}-{running.serial}"
        self.game_service.notify(session, [Notification("time", alarm.game, last.seat or "", mark, detail)])

    def _let_bot(self, alarm: Alarm, seat: str, turn: int, clock: TableClock) -> None:
        """A bot takes this turn, or the seat; both only if the same turn is still asked when it is kept."""

        def unless_over(session: Session) -> None:
            last = last_turn_change(session, alarm.game)
            if last is None or last.version != alarm.version:
                raise Over

        def answers(session: Session) -> None:
            unless_over(session)
            detail = "Your time was over, so a bot took your turn."
            mark = f"{turn}-bot-{alarm.version}"
            self.game_service.notify(session, [Notification("time", alarm.game, seat, mark, detail, past=True)])

        try:
            if clock.end == "bot_stays":
                with self.game_service.changing(alarm.game) as (room, session):
                    unless_over(session)
                    self.game_service.give_to_bot(session, room, seat, STRONGEST, BY_CLOCK)
            else:
                while self._is_asked(alarm, seat):
                    stand_in(self.game_service, alarm.game, seat, "their time was over", answers)
        except Over:
            LOG.info("somebody in game %s was quicker than their clock", alarm.game)
        self.game_service.seated_bots.dismiss(alarm.game, seat)

    def _is_asked(self, alarm: Alarm, seat: str) -> bool:
        with self.game_service.database.session() as session:
            last = last_turn_change(session, alarm.game)
        return last is not None and last.version == alarm.version and last.seat == seat


class Over(Exception):
    """The turn was over before its time was."""


CLOCK_FLAG: Final = "clock"
"""Under this `Room.flags` has whether something was ever decided about the clock."""
VOTE_FLAG: Final = "vote"
"""Under this it has whether something is voted on."""
_LINES: Final = select(func.max(ClockRow.id)).where(ClockRow.game == bindparam("game"))
_VOTES: Final = select(func.max(VoteRow.number)).where(VoteRow.game == bindparam("game"), VoteRow.data != "")


def is_timed(room: Room) -> bool:
    """Whether there is anything to know about the time at a table."""
    return bool(room.flags.get(CLOCK_FLAG) or room.flags.get(VOTE_FLAG))


class ClockListener(GameListener):
    flags: Mapping[str, ColumnElement[Any]] = MappingProxyType(
        {CLOCK_FLAG: _LINES.scalar_subquery(), VOTE_FLAG: _VOTES.scalar_subquery()}
    )

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def game_created(self, session: Session, room: Room, wanted: NewTable, asked: TurnChange | None) -> None:
        room.flags[CLOCK_FLAG] = wanted.clock is not None
        if wanted.clock is not None:
            now = self.clock()
            add_line(session, room.id, "set", now, wanted.clock)
            if room.free:  # nobody's time runs until everybody has sat down
                add_line(session, room.id, "pause", now, WAITING)
        self.entries_recorded(session, room, (), asked)

    def entries_recorded(
        self, session: Session, room: Room, entries: Sequence[Entry], asked: TurnChange | None
    ) -> None:
        if asked is not None and asked.seat is not None and asked.turn and is_timed(room):
            set_alarms(session, room.id, self.clock())

    def seats_filled(self, session: Session, room: Room) -> None:
        lines, now = lines_of(session, room.id), self.clock()
        if lines and lines[-1].kind == "pause" and msgspec.json.decode(lines[-1].data) == WAITING:
            add_line(session, room.id, "resume", now)
            set_alarms(session, room.id, now)

    def seat_keys_revoked(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        session.execute(delete(SeenRow).where(SeenRow.game == game, SeenRow.seat == seat))


class HolidayOwners(AccountListener):
    def joined(self, session: Session, visitor: Visitor, account: AccountRow) -> None:
        if visitor.account is None:
            mine = HolidayRow.owner == owner_of(visitor)
            session.execute(update(HolidayRow).where(mine).values(owner=account_owner(account.id)))


EVERY: Final = 15.0
"""Seconds between two beats: several fit into the shortest silence that counts."""
Chore = Callable[[Session, datetime], None]
"""Tidies up, with the first beat of a day."""


def beat(session: Session, now: datetime, chores: Sequence[Chore] = ()) -> None:
    """Go on with the last stretch, or begin a new one after a silence; the first beat of a day does the chores."""
    last = session.scalar(select(PulseRow).order_by(PulseRow.ends.desc()).limit(1).with_for_update())
    silent = last is None or now - last.ends > GAP
    if silent or (last is not None and now > last.ends and now.date() != last.ends.date()):
        for chore in chores:
            chore(session, now)
    if silent:
        session.add(PulseRow(begins=now, ends=now))
    elif last is not None:
        last.ends = max(last.ends, now)


class Pulse:
    def __init__(self, database: Database, clock: Clock, chores: Sequence[Chore] = ()) -> None:
        self.database = database
        self.clock = clock
        self.chores = chores
        self._task: asyncio.Task[None] | None = None

    def beat(self) -> None:
        with self.database.session() as session:
            beat(session, self.clock(), self.chores)

    async def start(self) -> None:
        """The first beat is there before anybody asks for a clock."""
        await asyncio.to_thread(self.beat)
        self._task = asyncio.create_task(self._go_on())

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await asyncio.to_thread(self.beat)
            except Exception as fault:  # a database that is away for a while: no clock runs then
                LOG.warning("that this worker runs could not be written down (%s)", type(fault).__name__)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
