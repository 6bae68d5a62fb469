"""What happens when a clock has run so far: reminders, and its end. Each is a job with a moment at which it is due.

A job is a reason to look, not a verdict: whether time is really over is read from the clock in the transaction in which
something is done about it, together with whether the same turn is still asked.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import delete
from sqlalchemy.orm import Session

from ostbahn.bots.registry import STRONGEST
from ostbahn.server.clocks import ledger
from ostbahn.server.clocks.clock import NOTHING, Running, asked_now, ends_at
from ostbahn.server.games.listeners import Telling
from ostbahn.server.games.service import House
from ostbahn.server.games.stand_ins import stand_in
from ostbahn.server.games.turns import Asked, last_asked
from ostbahn.server.jobs.queue import Job, finish, want
from ostbahn.server.jobs.tables import JobRow
from ostbahn.table.room import CLOCK as BY_CLOCK
from ostbahn.table.room import Room
from ostbahn.table.slots import DAY, HOUR, MINUTE, TableClock, duration

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


def set_up(session: Session, room: Room, clock: TableClock | None, now: datetime) -> None:
    """A new game; until everybody has sat down nobody's time runs."""
    if clock is not None:
        ledger.add_line(session, room.id, "set", now, clock)
        if room.free:
            ledger.add_line(session, room.id, "pause", now, WAITING)


def everybody_is_there(session: Session, game: str, now: datetime) -> None:
    lines = ledger.lines_of(session, game)
    if lines and lines[-1].kind == "pause" and msgspec.json.decode(lines[-1].data) == WAITING:
        ledger.add_line(session, game, "resume", now)
        set_alarms(session, game, now)


def set_alarms(session: Session, game: str, now: datetime) -> None:
    """For whoever is asked now, as far as their clock runs."""
    session.flush()
    session.execute(delete(JobRow).where(JobRow.game == game, JobRow.kind == CLOCK))  # of turns that are over
    running = ledger.read(session, game, now)
    last = None if running is None else asked_now(running)
    if running is None or last is None:
        return
    for what, rest in rests(running.clock).items():
        due = ends_at(running, now, rest)
        if due is not None and (due > now or what == "end"):
            _want(session, Alarm(game, last.version, what), running.serial, due)


def _want(session: Session, alarm: Alarm, serial: int, due: datetime) -> None:
    name = f"clock/{alarm.game}/{alarm.version}/{serial}/{alarm.what}"
    want(session, CLOCK, name, due, msgspec.json.encode(alarm).decode(), game=alarm.game)


# When it goes off


class Timekeeper:
    def __init__(self, house: House) -> None:
        self.house = house

    def go_off(self, job: Job) -> None:
        alarm = msgspec.json.decode(job.data, type=Alarm)
        with self.house.archive.session() as session:
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
        now = self.house.clock()
        running = ledger.read(session, alarm.game, now)
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

    def _note(self, session: Session, alarm: Alarm, last: Asked, running: Running) -> None:
        if alarm.what == "end":
            detail = "Your time is over."
        else:
            rest = int(rests(running.clock)[alarm.what].total_seconds())
            detail = f"You have {duration(rest)} left for your turn."
        telling = Telling("time", alarm.game, last.seat or "", f"{last.turn}-{alarm.what}-{running.serial}", detail)
        self.house.notify(session, [telling])

    def _let_bot(self, alarm: Alarm, seat: str, turn: int, clock: TableClock) -> None:
        """A bot takes this turn, or the seat; both only if the same turn is still asked when it is kept."""

        def unless_over(session: Session) -> None:
            last = last_asked(session, alarm.game)
            if last is None or last.version != alarm.version:
                raise Over

        def answers(session: Session) -> None:
            unless_over(session)
            detail = "Your time was over, so a bot took your turn."
            telling = Telling("time", alarm.game, seat, f"{turn}-bot-{alarm.version}", detail, past=True)
            self.house.notify(session, [telling])

        try:
            if clock.end == "bot_stays":
                with self.house.changing(alarm.game) as (room, session):
                    unless_over(session)
                    self.house.give_to_bot(session, room, seat, STRONGEST, BY_CLOCK)
            else:
                while self._is_asked(alarm, seat):
                    stand_in(self.house, alarm.game, seat, "their time was over", answers)
        except Over:
            LOG.info("somebody in game %s was quicker than their clock", alarm.game)
        self.house.opponents.leave(alarm.game, seat)

    def _is_asked(self, alarm: Alarm, seat: str) -> bool:
        with self.house.archive.session() as session:
            last = last_asked(session, alarm.game)
        return last is not None and last.version == alarm.version and last.seat == seat


class Over(Exception):
    """The turn was over before its time was."""
