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


class Stretch(NamedTuple):
    begins: datetime
    ends: datetime


class More(NamedTuple):
    """Time that was given to somebody by a vote."""

    seat: str
    turn: int
    """Where there is time for each turn, it counts in this one only."""
    seconds: int


class Running(NamedTuple):
    """All that a clock is read from."""

    clock: TableClock
    since: datetime
    """When this clock was chosen; what was before does not count."""
    asked: Sequence[TurnChange]
    still: Sequence[Stretch] = ()
    """When it stood for everybody: pauses, and while no worker ran."""
    away: Mapping[str, Sequence[Stretch]] = MappingProxyType({})
    """Holidays by seat; they count for clocks of days."""
    more: Sequence[More] = ()
    paused: bool = False
    serial: int = 0
    """Tells what was decided about the clock so far from what it was before."""


def asked_now(running: Running) -> TurnChange | None:
    """Who is asked; None once the game is over."""
    last = running.asked[-1] if running.asked else None
    return None if last is None or last.seat is None else last


def left(running: Running, seat: str, now: datetime) -> timedelta:
    """How much time somebody has; less than none where it has been over for a while."""
    clock, turn = running.clock, _turn(running, seat)
    if clock.kind == "game":
        used = _used(running, seat, None, now)
        gained = clock.increment * _turns_over(running, seat)
        given = sum(more.seconds for more in running.more if more.seat == seat)
    else:
        used = _used(running, seat, turn, now) if turn else NOTHING
        gained = 0
        given = sum(more.seconds for more in running.more if more.seat == seat and turn and more.turn == turn)
    return timedelta(seconds=clock.seconds + gained + given) - used


def ends_at(running: Running, now: datetime, rest: timedelta = NOTHING) -> datetime | None:
    """When the time of whoever is asked is over, or so much is left; None if their clock does not run."""
    last = asked_now(running)
    if last is None or last.seat is None or not last.turn or running.paused:
        return None
    return after(now, left(running, last.seat, now) - rest, _still(running, last.seat))


def after(now: datetime, span: timedelta, still: Iterable[Stretch]) -> datetime:
    """The moment at which so much time has gone by, not counting when the clock will stand."""
    moment = now
    for stretch in merged(still):
        if stretch.ends <= moment:
            continue
        if moment + span <= stretch.begins:
            break
        span -= max(NOTHING, stretch.begins - moment)
        moment = stretch.ends
    return moment + span


def _turn(running: Running, seat: str) -> int:
    """The turn that somebody is in; 0 if they are not asked."""
    last = asked_now(running)
    return last.turn if last is not None and last.seat == seat else 0


def _turns_over(running: Running, seat: str) -> int:
    """How many turns somebody has had since the clock was chosen."""
    ends = [*(line.at for line in running.asked[1:]), None]
    lines = zip(running.asked, ends, strict=True)
    had = {line.turn for line, end in lines if line.seat == seat and line.turn and end and end >= running.since}
    return len(had - {_turn(running, seat)})


def _used(running: Running, seat: str, turn: int | None, now: datetime) -> timedelta:
    """How much time somebody took: in one turn, or in all of them."""
    ends = [*(line.at for line in running.asked[1:]), now]
    still = _still(running, seat)
    return sum(
        (
            counted(Stretch(max(line.at, running.since), end), still)
            for line, end in zip(running.asked, ends, strict=True)
            if line.seat == seat and line.turn and turn in (None, line.turn)
        ),
        NOTHING,
    )


def _still(running: Running, seat: str) -> list[Stretch]:
    away = running.away.get(seat, ()) if running.clock.kind == "days" else ()
    return merged((*running.still, *away))


def counted(stretch: Stretch, still: Sequence[Stretch]) -> timedelta:
    """The length of a stretch without those in which the clock stood; nothing where a clock has jumped back."""
    length = max(NOTHING, stretch.ends - stretch.begins)
    for each in still:
        length -= max(NOTHING, min(stretch.ends, each.ends) - max(stretch.begins, each.begins))
    return max(NOTHING, length)


def merged(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The same without overlaps, in their order."""
    joined: list[Stretch] = []
    for begins, ends in sorted(stretches):
        if joined and begins <= joined[-1].ends:
            joined[-1] = Stretch(joined[-1].begins, max(joined[-1].ends, ends))
        elif ends > begins:
            joined.append(Stretch(begins, ends))
    return joined


def between(stretches: Iterable[Stretch]) -> list[Stretch]:
    return [Stretch(one.ends, other.begins) for one, other in pairwise(merged(stretches))]


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


class PulseRow(Base):
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
FAR_BACK: Final = 60
"""Lines that are looked at where only this turn counts: nobody takes back and gives again more often."""
GAP: Final = timedelta(seconds=60)
"""From this on a silence of all workers means that none ran."""
INSTANT: Final = timedelta(microseconds=1)

LineKind = Literal["set", "pause", "resume", "more", "ended"]


# What was decided


def add_line(session: Session, game: str, kind: LineKind, now: datetime, data: Any = None) -> None:
    session.add(ClockRow(game=game, kind=kind, data=msgspec.json.encode(data).decode(), at=now))


def lines_of(session: Session, game: str) -> list[ClockRow]:
    return list(session.scalars(select(ClockRow).where(ClockRow.game == game).order_by(ClockRow.id)))


def clock_in(lines: Sequence[ClockRow]) -> TableClock | None:
    """The clock that was chosen last."""
    chosen = next((line.data for line in reversed(lines) if line.kind == "set"), NO_CLOCK)
    return msgspec.json.decode(chosen, type=TableClock | None)


# All of it


def running_clock(session: Session, game: str, now: datetime) -> Running | None:
    """What the clock of a game is read from; None where there is none."""
    lines = lines_of(session, game)
    clock = clock_in(lines)
    if clock is None:
        return None
    since = max(index for index, line in enumerate(lines) if line.kind == "set")
    begun = lines[since].at
    pauses, paused = _pauses(lines, now)
    return Running(
        clock=clock,
        since=begun,
        asked=_asked(session, game, None if clock.kind == "game" else FAR_BACK),
        still=[*pauses, *silences(session, begun, now)],
        away=away(session, game) if clock.kind == "days" else {},
        more=[msgspec.json.decode(line.data, type=More) for line in lines[since:] if line.kind == "more"],
        paused=paused,
        serial=lines[-1].id,
    )


def _pauses(lines: Sequence[ClockRow], now: datetime) -> tuple[list[Stretch], bool]:
    pauses, began = [], None
    for line in lines:
        if line.kind == "pause" and began is None:
            began = line.at
        elif line.kind == "resume" and began is not None:
            pauses.append(Stretch(began, line.at))
            began = None
    return (pauses, False) if began is None else ([*pauses, Stretch(began, max(began, now))], True)


def _asked(session: Session, game: str, most: int | None) -> list[TurnChange]:
    """Who was asked, and since when: the last lines, or all of them."""
    columns = TurnChangeRow.version, TurnChangeRow.seat, TurnChangeRow.turn, TurnChangeRow.at
    wanted = select(*columns).where(TurnChangeRow.game == game).order_by(TurnChangeRow.version.desc()).limit(most)
    return [TurnChange(*row) for row in reversed(session.execute(wanted).all())]


def silences(session: Session, since: datetime, now: datetime) -> list[Stretch]:
    """When no worker ran; a clock that was put forward looks the same, and takes no time from anybody either."""
    rows = session.scalars(select(PulseRow).where(PulseRow.ends >= since)).all()
    if not rows:
        return []
    ran = [Stretch(row.begins, max(row.ends, row.begins + INSTANT)) for row in rows]
    return [gap for gap in between([*ran, Stretch(now, now + INSTANT)]) if gap.ends - gap.begins > GAP]


def away(session: Session, game: str) -> dict[str, Sequence[Stretch]]:
    owners = owners_at(session, game)
    columns = HolidayRow.owner, HolidayRow.begins, HolidayRow.ends
    everybody = {owner for each in owners.values() for owner in each}
    rows = session.execute(select(*columns).where(HolidayRow.owner.in_(everybody))).all()
    return {seat: [Stretch(begins, ends) for owner, begins, ends in rows if owner in owners[seat]] for seat in owners}
