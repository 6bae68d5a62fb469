"""Clocks and their rows. Nothing ticks: the time left is computed from turn changes and stopped intervals."""

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
    """Time that a vote gave to a player."""

    seat: str
    turn: int
    """The only turn in which it counts, for clocks by turn."""
    seconds: int


class ClockState(NamedTuple):
    """All that the time left depends on."""

    clock: TableClock
    counted_since: datetime
    """When this clock was chosen; earlier time does not count."""
    turn_changes: Sequence[TurnChange]
    stopped: Sequence[Interval] = ()
    """When the clock stood still for all players: pauses and worker outages."""
    away: Mapping[str, Sequence[Interval]] = MappingProxyType({})
    """Holidays by seat, for clocks that count days."""
    extra_times: Sequence[ExtraTime] = ()
    paused: bool = False
    last_line_id: int = 0
    """Id of the last decision about the clock. Alarms are named by it, so a new decision makes new alarms."""


def current_turn(clock_state: ClockState) -> TurnChange | None:
    """The turn that is running; None once the game is over."""
    last = clock_state.turn_changes[-1] if clock_state.turn_changes else None
    return None if last is None or last.seat is None else last


def time_left(clock_state: ClockState, seat: str, now: datetime) -> timedelta:
    """Time left for a seat; negative when it has run out."""
    clock, turn = clock_state.clock, _turn_number(clock_state, seat)
    if clock.kind == "game":
        used = _time_used(clock_state, seat, None, now)
        increments = clock.increment * _count_finished_turns(clock_state, seat)
        extras = [extra.seconds for extra in clock_state.extra_times if extra.seat == seat]
    else:
        used = _time_used(clock_state, seat, turn, now) if turn else NOTHING
        increments = 0
        extras = [extra.seconds for extra in clock_state.extra_times if extra.seat == seat and turn == extra.turn > 0]
    return timedelta(seconds=clock.seconds + increments + sum(extras)) - used


def expires_at(clock_state: ClockState, now: datetime, rest: timedelta = NOTHING) -> datetime | None:
    """When the player to move has only `rest` left; None if no clock runs."""
    last = current_turn(clock_state)
    if last is None or last.seat is None or not last.turn or clock_state.paused:
        return None
    return moment_after(now, time_left(clock_state, last.seat, now) - rest, _stopped_intervals(clock_state, last.seat))


def moment_after(now: datetime, span: timedelta, stopped: Iterable[Interval]) -> datetime:
    """The moment after a time span that excludes the stopped intervals."""
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
    """The number of the running turn if it is this seat's, else 0."""
    last = current_turn(clock_state)
    return last.turn if last is not None and last.seat == seat else 0


def _count_finished_turns(clock_state: ClockState, seat: str) -> int:
    """Count the turns that a seat has finished since the clock was chosen."""
    turns = {
        change.turn
        for change, following in pairwise(clock_state.turn_changes)
        if change.seat == seat and change.turn and following.at >= clock_state.counted_since
    }
    return len(turns - {_turn_number(clock_state, seat)})


def _time_used(clock_state: ClockState, seat: str, turn: int | None, now: datetime) -> timedelta:
    """Time that a seat has used in one turn, or in all if `turn` is None."""
    ends = [*(change.at for change in clock_state.turn_changes[1:]), now]
    stopped = _stopped_intervals(clock_state, seat)
    lengths = (
        length_without(Interval(max(change.at, clock_state.counted_since), end), stopped)
        for change, end in zip(clock_state.turn_changes, ends, strict=True)
        if change.seat == seat and change.turn and turn in (None, change.turn)
    )
    return sum(lengths, NOTHING)


def _stopped_intervals(clock_state: ClockState, seat: str) -> list[Interval]:
    away = clock_state.away.get(seat, ()) if clock_state.clock.kind == "days" else ()
    return merge_intervals((*clock_state.stopped, *away))


def length_without(interval: Interval, stopped: Sequence[Interval]) -> timedelta:
    """The length of an interval minus its stopped parts; zero if the system clock jumped back."""
    length = max(NOTHING, interval.ends - interval.begins)
    for pause in stopped:
        length -= max(NOTHING, min(interval.ends, pause.ends) - max(interval.begins, pause.begins))
    return max(NOTHING, length)


def merge_intervals(intervals: Iterable[Interval]) -> list[Interval]:
    """Sorted intervals without overlaps."""
    merged: list[Interval] = []
    for begins, ends in sorted(intervals):
        if merged and begins <= merged[-1].ends:
            merged[-1] = Interval(merged[-1].begins, max(merged[-1].ends, ends))
        elif ends > begins:
            merged.append(Interval(begins, ends))
    return merged


def gaps_between(intervals: Iterable[Interval]) -> list[Interval]:
    """The gaps between merged intervals."""
    return [Interval(one.ends, other.begins) for one, other in pairwise(merge_intervals(intervals))]


class ClockRow(Base):
    """A decision about a game's clock. Rows are appended, never changed."""

    __tablename__ = "clock_lines"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    kind: Mapped[str] = mapped_column(String(8))
    """A LineKind: `more` is extra time for a seat, `ended` means that a clock's end was handled."""
    data: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class VoteRow(Base):
    """A proposed change of the time at a table; all others have to agree."""

    __tablename__ = "votes"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int]
    """Replies name this number, so that none counts for a newer proposal."""
    by: Mapped[str] = mapped_column(String(64))
    """The proposing seats."""
    data: Mapped[str] = mapped_column(Text)
    """The motion as JSON; empty when the vote is over."""
    agreed: Mapped[str] = mapped_column(String(64))  # seats


class HolidayRow(Base):
    """A player's days off: clocks that count days stand still for them."""

    __tablename__ = "holidays"

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(24), index=True)
    begins: Mapped[datetime] = mapped_column(UtcDateTime)
    ends: Mapped[datetime] = mapped_column(UtcDateTime)


class HeartbeatRow(Base):
    """An interval in which a worker was running; between two of them none was."""

    __tablename__ = "pulses"

    id: Mapped[int] = mapped_column(primary_key=True)
    begins: Mapped[datetime] = mapped_column(UtcDateTime)
    ends: Mapped[datetime] = mapped_column(UtcDateTime)


class SeenRow(Base):
    """When a table was last open from a seat."""

    __tablename__ = "seen"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


NO_CLOCK: Final = "null"
MOST_TURN_CHANGES_READ: Final = 60
"""For clocks by turn: enough for a turn that undo has interrupted many times."""
OUTAGE_THRESHOLD: Final = timedelta(seconds=60)  # a longer gap between heartbeats means that no worker ran
INSTANT: Final = timedelta(microseconds=1)

LineKind = Literal["set", "pause", "resume", "more", "ended"]


def append_clock_line(session: Session, game: str, kind: LineKind, now: datetime, data: Any = None) -> None:
    session.add(ClockRow(game=game, kind=kind, data=msgspec.json.encode(data).decode(), at=now))


def clock_lines(session: Session, game: str) -> list[ClockRow]:
    return list(session.scalars(select(ClockRow).where(ClockRow.game == game).order_by(ClockRow.id)))


def latest_clock(lines: Sequence[ClockRow]) -> TableClock | None:
    """The clock that was set last; None for no clock."""
    data = next((line.data for line in reversed(lines) if line.kind == "set"), NO_CLOCK)
    return msgspec.json.decode(data, type=TableClock | None)


def load_clock_state(session: Session, game: str, now: datetime) -> ClockState | None:
    """The clock of a game; None without a clock."""
    lines = clock_lines(session, game)
    clock = latest_clock(lines)
    if clock is None:
        return None
    set_index = max(index for index, line in enumerate(lines) if line.kind == "set")
    set_at = lines[set_index].at
    pauses, paused = _pauses(lines, now)
    extra_times = [msgspec.json.decode(line.data, type=ExtraTime) for line in lines[set_index:] if line.kind == "more"]
    return ClockState(
        clock=clock,
        counted_since=set_at,
        turn_changes=_turn_changes(session, game, None if clock.kind == "game" else MOST_TURN_CHANGES_READ),
        stopped=[*pauses, *worker_outages(session, set_at, now)],
        away=holidays_by_seat(session, game) if clock.kind == "days" else {},
        extra_times=extra_times,
        paused=paused,
        last_line_id=lines[-1].id,
    )


def _pauses(lines: Sequence[ClockRow], now: datetime) -> tuple[list[Interval], bool]:
    """The pauses up to now, and whether the clock is paused."""
    pauses, began = [], None
    for line in lines:
        if line.kind == "pause" and began is None:
            began = line.at
        elif line.kind == "resume" and began is not None:
            pauses.append(Interval(began, line.at))
            began = None
    return (pauses, False) if began is None else ([*pauses, Interval(began, max(began, now))], True)


def _turn_changes(session: Session, game: str, most: int | None) -> list[TurnChange]:
    columns = TurnChangeRow.version, TurnChangeRow.seat, TurnChangeRow.turn, TurnChangeRow.at
    newest = select(*columns).where(TurnChangeRow.game == game).order_by(TurnChangeRow.version.desc()).limit(most)
    return [TurnChange(*row) for row in reversed(session.execute(newest).all())]


def worker_outages(session: Session, since: datetime, now: datetime) -> list[Interval]:
    """Intervals in which no worker ran. A system clock set forward looks the same, and costs no player time either."""
    rows = session.scalars(select(HeartbeatRow).where(HeartbeatRow.ends >= since)).all()
    if not rows:
        return []
    uptimes = [Interval(row.begins, max(row.ends, row.begins + INSTANT)) for row in rows]
    gaps = gaps_between([*uptimes, Interval(now, now + INSTANT)])
    return [gap for gap in gaps if gap.ends - gap.begins > OUTAGE_THRESHOLD]


def holidays_by_seat(session: Session, game: str) -> dict[str, Sequence[Interval]]:
    owners = owners_at(session, game)
    columns = HolidayRow.owner, HolidayRow.begins, HolidayRow.ends
    all_owners = {owner for seat_owners in owners.values() for owner in seat_owners}
    rows = session.execute(select(*columns).where(HolidayRow.owner.in_(all_owners))).all()
    return {seat: [Interval(begins, ends) for owner, begins, ends in rows if owner in owners[seat]] for seat in owners}
