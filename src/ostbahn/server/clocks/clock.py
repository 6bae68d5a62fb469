"""Clocks, and the rows from which they are read. Nobody ticks them: how much time is left is a pure function of who was
asked since when, and of the stretches in which the clock stood still.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

import msgspec
from sqlalchemy import ForeignKey, String, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from ostbahn.server.db.tables import Base, UtcDateTime
from ostbahn.server.games.keys import owners_at
from ostbahn.server.games.listeners import TurnChange
from ostbahn.server.games.tables import TurnChangeRow
from ostbahn.table.slots import TableClock

NOTHING: Final = timedelta(0)


class Interval(NamedTuple):
    begins: datetime
    ends: datetime


class ExtraTime(NamedTuple):
    """Time that was given to somebody by a vote."""

    seat: str
    turn: int
    """Where there is time for each turn, it counts in this one only."""
    seconds: int


class ClockState(NamedTuple):
    """All that a clock is read from."""

    clock: TableClock
    counted_since: datetime
    """When this clock was chosen; what was before does not count."""
    turn_changes: Sequence[TurnChange]
    stopped: Sequence[Interval] = ()
    """When it stood for everybody: pauses, and while no worker ran."""
    away: Mapping[str, Sequence[Interval]] = MappingProxyType({})
    """Holidays by seat; they count for clocks of days."""
    extra_times: Sequence[ExtraTime] = ()
    paused: bool = False
    last_line_id: int = 0
    """Tells what was decided about the clock so far from what it was before."""


def current_turn(clock_state: ClockState) -> TurnChange | None:
    """Who is asked; None once the game is over."""
    last = clock_state.turn_changes[-1] if clock_state.turn_changes else None
    return None if last is None or last.seat is None else last


def time_left(clock_state: ClockState, seat: str, now: datetime) -> timedelta:
    """How much time somebody has; less than none where it has been over for a while."""
    clock, turn = clock_state.clock, _turn_number(clock_state, seat)
    if clock.kind == "game":
        used = _time_used(clock_state, seat, None, now)
        gained = clock.increment * _count_finished_turns(clock_state, seat)
        given = sum(extra.seconds for extra in clock_state.extra_times if extra.seat == seat)
    else:
        used = _time_used(clock_state, seat, turn, now) if turn else NOTHING
        gained = 0
        given = sum(
            extra.seconds for extra in clock_state.extra_times if extra.seat == seat and turn and extra.turn == turn
        )
    return timedelta(seconds=clock.seconds + gained + given) - used


def expires_at(clock_state: ClockState, now: datetime, rest: timedelta = NOTHING) -> datetime | None:
    """When the time of whoever is asked is over, or so much is left; None if their clock does not run."""
    last = current_turn(clock_state)
    if last is None or last.seat is None or not last.turn or clock_state.paused:
        return None
    return moment_after(now, time_left(clock_state, last.seat, now) - rest, _stopped_intervals(clock_state, last.seat))


def moment_after(now: datetime, span: timedelta, stopped: Iterable[Interval]) -> datetime:
    """The moment at which so much time has gone by, not counting when the clock will stand."""
    moment = now
    for interval in merge_intervals(stopped):
        if interval.ends <= moment:
            continue
        if moment + span <= interval.begins:
            break
        span -= max(NOTHING, interval.begins - moment)
        moment = interval.ends
    return moment + span


def _turn_number(clock_state: ClockState, seat: str) -> int:
    """The turn that somebody is in; 0 if they are not asked."""
    last = current_turn(clock_state)
    return last.turn if last is not None and last.seat == seat else 0


def _count_finished_turns(clock_state: ClockState, seat: str) -> int:
    """How many turns somebody has had since the clock was chosen."""
    ends = [*(line.at for line in clock_state.turn_changes[1:]), None]
    lines = zip(clock_state.turn_changes, ends, strict=True)
    had = {
        line.turn for line, end in lines if line.seat == seat and line.turn and end and end >= clock_state.counted_since
    }
    return len(had - {_turn_number(clock_state, seat)})


def _time_used(clock_state: ClockState, seat: str, turn: int | None, now: datetime) -> timedelta:
    """How much time somebody took: in one turn, or in all of them."""
    ends = [*(line.at for line in clock_state.turn_changes[1:]), now]
    stopped = _stopped_intervals(clock_state, seat)
    return sum(
        (
            length_without(Interval(max(line.at, clock_state.counted_since), end), stopped)
            for line, end in zip(clock_state.turn_changes, ends, strict=True)
            if line.seat == seat and line.turn and turn in (None, line.turn)
        ),
        NOTHING,
    )


def _stopped_intervals(clock_state: ClockState, seat: str) -> list[Interval]:
    away = clock_state.away.get(seat, ()) if clock_state.clock.kind == "days" else ()
    return merge_intervals((*clock_state.stopped, *away))


def length_without(interval: Interval, stopped: Sequence[Interval]) -> timedelta:
    """The length of a stretch without those in which the clock stood; nothing where a clock has jumped back."""
    length = max(NOTHING, interval.ends - interval.begins)
    for pause in stopped:
        length -= max(NOTHING, min(interval.ends, pause.ends) - max(interval.begins, pause.begins))
    return max(NOTHING, length)


def merge_intervals(intervals: Iterable[Interval]) -> list[Interval]:
    """The same without overlaps, in their order."""
    joined: list[Interval] = []
    for begins, ends in sorted(intervals):
        if joined and begins <= joined[-1].ends:
            joined[-1] = Interval(joined[-1].begins, max(joined[-1].ends, ends))
        elif ends > begins:
            joined.append(Interval(begins, ends))
    return joined


def gaps_between(intervals: Iterable[Interval]) -> list[Interval]:
    return [Interval(one.ends, other.begins) for one, other in pairwise(merge_intervals(intervals))]


class ClockRow(Base):
    """A line of what was decided about a game's clock. Lines are added, never changed."""

    __tablename__ = "clock_lines"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    kind: Mapped[str] = mapped_column(String(8))
    """set, pause, resume, more (time for a seat) or ended (what was to happen at its end has)."""
    data: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class VoteRow(Base):
    """What somebody wants to change about the time at a table; all others have to agree."""

    __tablename__ = "votes"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int]
    """So that nobody agrees to something else that was proposed meanwhile."""
    by: Mapped[str] = mapped_column(String(64))
    """The seats that propose."""
    data: Mapped[str] = mapped_column(Text)
    """The motion as JSON; empty when there is none any more."""
    agreed: Mapped[str] = mapped_column(String(64))


class HolidayRow(Base):
    """Days on which somebody does not play: clocks of days stand still for them."""

    __tablename__ = "holidays"

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(24), index=True)
    begins: Mapped[datetime] = mapped_column(UtcDateTime)
    ends: Mapped[datetime] = mapped_column(UtcDateTime)


class HeartbeatRow(Base):
    """A stretch of time in which some worker was at work; between two of them none was, as far as is known."""

    __tablename__ = "pulses"

    id: Mapped[int] = mapped_column(primary_key=True)
    begins: Mapped[datetime] = mapped_column(UtcDateTime)
    ends: Mapped[datetime] = mapped_column(UtcDateTime)


class SeenRow(Base):
    """When somebody last looked at a table from their seat."""

    __tablename__ = "seen"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


NO_CLOCK: Final = "null"
MOST_TURN_CHANGES_READ: Final = 60
"""Lines that are looked at where only this turn counts: nobody takes back and gives again more often."""
OUTAGE_THRESHOLD: Final = timedelta(seconds=60)
"""From this on a silence of all workers means that none ran."""
INSTANT: Final = timedelta(microseconds=1)

LineKind = Literal["set", "pause", "resume", "more", "ended"]


# What was decided


def append_clock_line(session: Session, game: str, kind: LineKind, now: datetime, data: Any = None) -> None:
    session.add(ClockRow(game=game, kind=kind, data=msgspec.json.encode(data).decode(), at=now))


def clock_lines(session: Session, game: str) -> list[ClockRow]:
    return list(session.scalars(select(ClockRow).where(ClockRow.game == game).order_by(ClockRow.id)))


def latest_clock(lines: Sequence[ClockRow]) -> TableClock | None:
    """The clock that was chosen last."""
    chosen = next((line.data for line in reversed(lines) if line.kind == "set"), NO_CLOCK)
    return msgspec.json.decode(chosen, type=TableClock | None)


# All of it


def load_clock_state(session: Session, game: str, now: datetime) -> ClockState | None:
    """What the clock of a game is read from; None where there is none."""
    lines = clock_lines(session, game)
    clock = latest_clock(lines)
    if clock is None:
        return None
    since = max(index for index, line in enumerate(lines) if line.kind == "set")
    begun = lines[since].at
    pauses, paused = _pauses(lines, now)
    return ClockState(
        clock=clock,
        counted_since=begun,
        turn_changes=_turn_changes(session, game, None if clock.kind == "game" else MOST_TURN_CHANGES_READ),
        stopped=[*pauses, *worker_outages(session, begun, now)],
        away=holidays_by_seat(session, game) if clock.kind == "days" else {},
        extra_times=[msgspec.json.decode(line.data, type=ExtraTime) for line in lines[since:] if line.kind == "more"],
        paused=paused,
        last_line_id=lines[-1].id,
    )


def _pauses(lines: Sequence[ClockRow], now: datetime) -> tuple[list[Interval], bool]:
    pauses, began = [], None
    for line in lines:
        if line.kind == "pause" and began is None:
            began = line.at
        elif line.kind == "resume" and began is not None:
            pauses.append(Interval(began, line.at))
            began = None
    return (pauses, False) if began is None else ([*pauses, Interval(began, max(began, now))], True)


def _turn_changes(session: Session, game: str, most: int | None) -> list[TurnChange]:
    """Who was asked, and since when: the last lines, or all of them."""
    columns = TurnChangeRow.version, TurnChangeRow.seat, TurnChangeRow.turn, TurnChangeRow.at
    wanted = select(*columns).where(TurnChangeRow.game == game).order_by(TurnChangeRow.version.desc()).limit(most)
    return [TurnChange(*row) for row in reversed(session.execute(wanted).all())]


def worker_outages(session: Session, since: datetime, now: datetime) -> list[Interval]:
    """When no worker ran; a clock that was put forward looks the same, and takes no time from anybody either."""
    rows = session.scalars(select(HeartbeatRow).where(HeartbeatRow.ends >= since)).all()
    if not rows:
        return []
    ran = [Interval(row.begins, max(row.ends, row.begins + INSTANT)) for row in rows]
    return [
        gap for gap in gaps_between([*ran, Interval(now, now + INSTANT)]) if gap.ends - gap.begins > OUTAGE_THRESHOLD
    ]


def holidays_by_seat(session: Session, game: str) -> dict[str, Sequence[Interval]]:
    owners = owners_at(session, game)
    columns = HolidayRow.owner, HolidayRow.begins, HolidayRow.ends
    everybody = {owner for seat_owners in owners.values() for owner in seat_owners}
    rows = session.execute(select(*columns).where(HolidayRow.owner.in_(everybody))).all()
    return {seat: [Interval(begins, ends) for owner, begins, ends in rows if owner in owners[seat]] for seat in owners}
