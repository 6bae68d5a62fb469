"""Reminders and the end of clocks, as jobs. The transaction that handles an alarm reads the clock again.

Clocks stand still while no worker runs, to within a minute.
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
    NOTHING,
    OUTAGE_THRESHOLD,
    ClockRow,
    ClockState,
    HeartbeatRow,
    HolidayRow,
    SeenRow,
    VoteRow,
    append_clock_line,
    clock_lines,
    current_turn,
    expires_at,
    load_clock_state,
)
from ostbahn.server.db.database import Database
from ostbahn.server.games.listeners import GameListener, Notification, TurnChange, last_turn_change
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.service import Clock, GameService
from ostbahn.server.jobs.queue import Job, JobRow, enqueue, finish
from ostbahn.server.metrics import timed_bot_answer
from ostbahn.table.room import CLOCK as BY_CLOCK
from ostbahn.table.room import LogEntry, Room
from ostbahn.table.slots import DAY, HOUR, MINUTE, TableClock, duration


def let_bot_answer_once(
    game_service: GameService, game: str, seat: str, note: str, before_answer: Callable[[Session], None]
) -> None:
    """Let a bot answer once for a person, unless they were quicker; `before_answer` runs in the same transaction."""
    with game_service.holding(game) as room:
        if room.turn != seat:
            return
        version, position = room.version, room.game.branch()
    bot = game_service.seated_bots.bot_for(game, position, seat, STRONGEST)
    with timed_bot_answer(game_service.metrics, STRONGEST):  # without the lock, since it may think for long
        bot_answer = ask_bot(bot, position)
    with game_service.changing(game) as (room, session):
        if room.version == version:
            before_answer(session)
            notes = f"{note}; {bot_answer.note}" if bot_answer.note else note
            game_service.record_with_follow_ups(session, room, room.answer(bot_answer.action, seat, "bot", notes))


LOG: Final = logging.getLogger(__name__)
CLOCK_JOB: Final = "clock"
UNTIL_ALL_SEATED: Final = "until everybody has sat down"
EARLY_TOLERANCE: Final = timedelta(milliseconds=200)
HALF_TIME_REMINDER_FROM: Final = HOUR
LAST_REMINDER_FROM: Final = 30 * MINUTE
"""Shorter clocks have no reminder at half time, and none shortly before the end."""

AlarmKind = Literal["half", "last", "end"]


class ClockAlarm(Struct, frozen=True):
    game: str
    version: int
    """The version of the turn change; the alarm is void in another turn."""
    what: AlarmKind


def remaining_at_alarms(clock: TableClock) -> dict[AlarmKind, timedelta]:
    """How much time is left when each alarm goes off."""
    remaining: dict[AlarmKind, timedelta] = {"end": NOTHING}
    if clock.seconds >= HALF_TIME_REMINDER_FROM:
        remaining["half"] = timedelta(seconds=clock.seconds / 2)
    if clock.seconds >= LAST_REMINDER_FROM:
        remaining["last"] = timedelta(seconds=min(max(clock.seconds / 10, 5 * MINUTE), DAY / 2))
    return remaining


def schedule_alarms(session: Session, game: str, now: datetime) -> None:
    """Replace the alarms of a game with those of the running turn."""
    session.flush()
    session.execute(delete(JobRow).where(JobRow.game == game, JobRow.kind == CLOCK_JOB))
    clock_state = load_clock_state(session, game, now)
    last = None if clock_state is None else current_turn(clock_state)
    if clock_state is None or last is None:
        return
    for what, remaining in remaining_at_alarms(clock_state.clock).items():
        due = expires_at(clock_state, now, remaining)
        if due is not None and (due > now or what == "end"):
            _enqueue_alarm(session, ClockAlarm(game, last.version, what), clock_state.last_line_id, due)


def _enqueue_alarm(session: Session, alarm: ClockAlarm, line_id: int, due: datetime) -> None:
    name = f"clock/{alarm.game}/{alarm.version}/{line_id}/{alarm.what}"
    enqueue(session, CLOCK_JOB, name, due, msgspec.json.encode(alarm).decode(), game=alarm.game)


class Timekeeper:
    def __init__(self, game_service: GameService) -> None:
        self.game_service = game_service

    def handle_alarm(self, job: Job) -> None:
        alarm = msgspec.json.decode(job.data, type=ClockAlarm)
        with self.game_service.database.session() as session:
            clock_state = self._clock_if_due(session, job, alarm)
            if clock_state is None:
                return
            last = current_turn(clock_state)
            if alarm.what != "end" or clock_state.clock.end == "tell":
                if last is not None:
                    self._notify_player(session, alarm, last, clock_state)
                finish(session, job)
                return
        if last is not None and last.seat is not None:
            self._let_bot_answer(alarm, last.seat, last.turn, clock_state.clock)

    def _clock_if_due(self, session: Session, job: Job, alarm: ClockAlarm) -> ClockState | None:
        """Return the clock if the alarm is due; otherwise finish the job, and enqueue it again if it came too early."""
        now = self.game_service.clock()
        clock_state = load_clock_state(session, alarm.game, now)
        last = None if clock_state is None else current_turn(clock_state)
        due = None
        if clock_state is not None and last is not None and last.version == alarm.version:
            remaining = remaining_at_alarms(clock_state.clock).get(alarm.what)
            due = None if remaining is None else expires_at(clock_state, now, remaining)
        if due is not None and due <= now + EARLY_TOLERANCE:
            return clock_state
        finish(session, job)
        if due is not None and clock_state is not None:
            _enqueue_alarm(session, alarm, clock_state.last_line_id, due)
        return None

    def _notify_player(self, session: Session, alarm: ClockAlarm, last: TurnChange, clock_state: ClockState) -> None:
        seconds = int(remaining_at_alarms(clock_state.clock)[alarm.what].total_seconds())
        detail = f"You have {duration(seconds)} left for your turn." if seconds else "Your time is over."
        mark = f"{last.turn}-{alarm.what}-{clock_state.last_line_id}"
        self.game_service.notify(session, [Notification("time", alarm.game, last.seat or "", mark, detail)])

    def _let_bot_answer(self, alarm: ClockAlarm, seat: str, turn: int, clock: TableClock) -> None:
        """Give the rest of the turn or the seat to a bot, unless the turn has ended meanwhile."""

        def check_turn(session: Session) -> None:
            last = last_turn_change(session, alarm.game)
            if last is None or last.version != alarm.version:
                raise TurnAlreadyOver

        def notify(session: Session) -> None:
            check_turn(session)
            detail = "Your time was over, so a bot took your turn."
            mark = f"{turn}-bot-{alarm.version}"
            self.game_service.notify(session, [Notification("time", alarm.game, seat, mark, detail, past=True)])

        try:
            if clock.end == "bot_stays":
                with self.game_service.changing(alarm.game) as (room, session):
                    check_turn(session)
                    self.game_service.give_to_bot(session, room, seat, STRONGEST, BY_CLOCK)
            else:
                while self._is_still_to_move(alarm, seat):
                    let_bot_answer_once(self.game_service, alarm.game, seat, "their time was over", notify)
        except TurnAlreadyOver:
            LOG.info("somebody in game %s was quicker than their clock", alarm.game)
        self.game_service.seated_bots.dismiss(alarm.game, seat)

    def _is_still_to_move(self, alarm: ClockAlarm, seat: str) -> bool:
        with self.game_service.database.session() as session:
            last = last_turn_change(session, alarm.game)
        return last is not None and last.version == alarm.version and last.seat == seat


class TurnAlreadyOver(Exception):
    """The player answered before the alarm was handled."""


CLOCK_FLAG: Final = "clock"
"""Key in `Room.flags`: whether there was ever a decision about the clock."""
VOTE_FLAG: Final = "vote"
"""Key in `Room.flags`: whether a vote is open."""
_LAST_LINE: Final = select(func.max(ClockRow.id)).where(ClockRow.game == bindparam("game"))
_OPEN_VOTE: Final = select(func.max(VoteRow.number)).where(VoteRow.game == bindparam("game"), VoteRow.data != "")


def is_timed(room: Room) -> bool:
    """Whether a table has or had a clock or a vote."""
    return bool(room.flags.get(CLOCK_FLAG) or room.flags.get(VOTE_FLAG))


class ClockListener(GameListener):
    flags: Mapping[str, ColumnElement[Any]] = MappingProxyType(
        {CLOCK_FLAG: _LAST_LINE.scalar_subquery(), VOTE_FLAG: _OPEN_VOTE.scalar_subquery()}
    )

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def game_created(self, session: Session, room: Room, wanted: NewTable, new_turn: TurnChange | None) -> None:
        room.flags[CLOCK_FLAG] = wanted.clock is not None
        if wanted.clock is not None:
            now = self.clock()
            append_clock_line(session, room.id, "set", now, wanted.clock)
            if room.free:  # clocks start when all seats are taken
                append_clock_line(session, room.id, "pause", now, UNTIL_ALL_SEATED)
        self.entries_recorded(session, room, (), new_turn)

    def entries_recorded(
        self, session: Session, room: Room, entries: Sequence[LogEntry], new_turn: TurnChange | None
    ) -> None:
        if new_turn is not None and new_turn.seat is not None and new_turn.turn and is_timed(room):
            schedule_alarms(session, room.id, self.clock())

    def seats_filled(self, session: Session, room: Room) -> None:
        lines, now = clock_lines(session, room.id), self.clock()
        if lines and lines[-1].kind == "pause" and msgspec.json.decode(lines[-1].data) == UNTIL_ALL_SEATED:
            append_clock_line(session, room.id, "resume", now)
            schedule_alarms(session, room.id, now)

    def seat_keys_revoked(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        session.execute(delete(SeenRow).where(SeenRow.game == game, SeenRow.seat == seat))


class HolidayOwners(AccountListener):
    def joined(self, session: Session, visitor: Visitor, account: AccountRow) -> None:
        """Move the holidays of a browser to the account that it has logged in to."""
        if visitor.account is None:
            own = HolidayRow.owner == owner_of(visitor)
            session.execute(update(HolidayRow).where(own).values(owner=account_owner(account.id)))


HEARTBEAT_INTERVAL: Final = 15.0  # seconds, a fraction of OUTAGE_THRESHOLD
DailyTask = Callable[[Session, datetime], None]


def record_heartbeat(session: Session, now: datetime, daily_tasks: Sequence[DailyTask] = ()) -> None:
    """Extend the last interval, or begin a new one after an outage; run the daily tasks once a day."""
    last = session.scalar(select(HeartbeatRow).order_by(HeartbeatRow.ends.desc()).limit(1).with_for_update())
    after_outage = last is None or now - last.ends > OUTAGE_THRESHOLD
    if after_outage or (last is not None and now > last.ends and now.date() != last.ends.date()):
        for daily_task in daily_tasks:
            daily_task(session, now)
    if after_outage:
        session.add(HeartbeatRow(begins=now, ends=now))
    elif last is not None:
        last.ends = max(last.ends, now)


class Heartbeat:
    def __init__(self, database: Database, clock: Clock, daily_tasks: Sequence[DailyTask] = ()) -> None:
        self.database = database
        self.clock = clock
        self.daily_tasks = daily_tasks
        self._task: asyncio.Task[None] | None = None

    def record(self) -> None:
        with self.database.session() as session:
            record_heartbeat(session, self.clock(), self.daily_tasks)

    async def start(self) -> None:
        """Record the first heartbeat before any request can read a clock."""
        await asyncio.to_thread(self.record)
        self._task = asyncio.create_task(self._record_regularly())

    async def _record_regularly(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_INTERVAL)
            try:
                await asyncio.to_thread(self.record)
            except Exception as fault:  # during a database outage no clock runs
                LOG.warning("that this worker runs could not be written down (%s)", type(fault).__name__)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
