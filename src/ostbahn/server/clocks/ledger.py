"""What clocks are read from, as the database keeps it: who was asked since when, what was decided about the clock, when
somebody was away, and when no worker ran."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

import msgspec
from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from ostbahn.server.clocks.clock import Asked, More, Running, Stretch, TableClock, between
from ostbahn.server.clocks.tables import ClockRow, HolidayRow, PulseRow
from ostbahn.server.games.seat_owners import owners_at
from ostbahn.server.games.tables import AskedRow, EntryRow
from ostbahn.table.plan_room import PlanRoom
from ostbahn.table.room import Entry, Room

ASKED: Final = "asked"
"""Under this a room remembers who is asked, as it was written down."""
NO_CLOCK: Final = "null"
FAR_BACK: Final = 60
"""Lines that are looked at where only this turn counts: nobody takes back and gives again more often."""
GAP: Final = timedelta(seconds=60)
"""From this on a silence of all workers means that none ran."""
INSTANT: Final = timedelta(microseconds=1)

LineKind = Literal["set", "pause", "resume", "more", "ended"]


# Who is asked


class Turn(NamedTuple):
    """Somebody's last turn. Their next one is a new one only if they have answered in it: else somebody has taken back
    and given again."""

    number: int
    answered: bool


class Remembered(NamedTuple):
    """What a room remembers of this, so that the database need not be asked at every answer."""

    version: int
    """Of the room then: where another worker has written lines since, it says nothing any more."""
    last: Asked | None
    turns: dict[str, Turn]
    """The last turn of each person, as far as it is known."""


def begin(room: Room) -> None:
    """Nobody has had a turn in a new game."""
    room.memory[ASKED] = Remembered(room.version, None, {seat: Turn(0, True) for seat in room.persons})


def _known(room: Room, before: int) -> Remembered:
    """What the room remembers of a version."""
    known: Remembered | None = room.memory.get(ASKED)
    return known if known is not None and known.version == before else Remembered(before, None, {})


def note_asked(session: Session, room: Room, entries: Sequence[Entry], now: datetime) -> Asked | None:
    """Write down that somebody else is asked from now on; returns the line, if there is one."""
    if isinstance(room, PlanRoom) or not room.persons:
        return None
    known = _known(room, room.version - len(entries))
    turns = dict(known.turns)
    for entry in entries:
        if entry.kind == "answer" and entry.how != "obvious" and entry.by in turns:
            turns[entry.by] = Turn(turns[entry.by].number, True)
    last = known.last or last_asked(session, room.id)
    if last is not None and last.seat == room.turn and _is_person(room, last.seat) == (last.turn > 0):
        room.memory[ASKED] = Remembered(room.version, last, turns)
        return None
    turn = 0
    if room.turn in room.persons:
        before = turns.get(room.turn) or _last_turn(session, room.id, room.turn)
        turn = before.number + before.answered
        turns[room.turn] = Turn(turn, False)
    line = Asked(room.version, room.turn, turn, now if last is None else max(now, last.at))
    session.add(AskedRow(game=room.id, version=line.version, seat=line.seat, turn=line.turn, at=line.at))
    room.memory[ASKED] = Remembered(room.version, line, turns)
    return line


def _is_person(room: Room, seat: str | None) -> bool:
    return seat in room.persons


def _last_turn(session: Session, game: str, seat: str) -> Turn:
    """As it was written down; their next one is another only if they have answered in it."""
    earlier = select(AskedRow).where(AskedRow.game == game, AskedRow.seat == seat, AskedRow.turn > 0)
    last = session.scalar(earlier.order_by(AskedRow.version.desc()).limit(1))
    if last is None:
        return Turn(0, True)
    answered = exists().where(
        EntryRow.game == game,
        EntryRow.version > last.version,
        EntryRow.by == seat,
        EntryRow.kind == "answer",
        EntryRow.how != "obvious",
    )
    return Turn(last.turn, bool(session.scalar(select(answered))))


def last_asked(session: Session, game: str) -> Asked | None:
    found = session.scalar(select(AskedRow).where(AskedRow.game == game).order_by(AskedRow.version.desc()).limit(1))
    return None if found is None else _asked(found)


def _asked(row: AskedRow) -> Asked:
    return Asked(row.version, row.seat, row.turn, row.at)


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


def read(session: Session, game: str, now: datetime) -> Running | None:
    """What the clock of a game is read from; None where there is none."""
    lines = lines_of(session, game)
    clock = clock_in(lines)
    if clock is None:
        return None
    since = max(index for index, line in enumerate(lines) if line.kind == "set")
    begun = lines[since].at
    more = [msgspec.json.decode(line.data, type=More) for line in lines[since:] if line.kind == "more"]
    pauses, paused = _pauses(lines, now)
    return Running(
        clock=clock,
        since=begun,
        asked=_asked_since(session, game, clock),
        still=[*pauses, *silences(session, begun, now)],
        away=away(session, game) if clock.kind == "days" else {},
        more=more,
        paused=paused,
        serial=lines[-1].id,
    )


def _pauses(lines: Sequence[ClockRow], now: datetime) -> tuple[list[Stretch], bool]:
    found, began = [], None
    for line in lines:
        if line.kind == "pause" and began is None:
            began = line.at
        elif line.kind == "resume" and began is not None:
            found.append(Stretch(began, line.at))
            began = None
    return (found, False) if began is None else ([*found, Stretch(began, max(began, now))], True)


def _asked_since(session: Session, game: str, clock: TableClock) -> list[Asked]:
    columns = AskedRow.version, AskedRow.seat, AskedRow.turn, AskedRow.at
    wanted = select(*columns).where(AskedRow.game == game).order_by(AskedRow.version.desc())
    if clock.kind != "game":
        wanted = wanted.limit(FAR_BACK)
    return [Asked(*row) for row in reversed(session.execute(wanted).all())]


def silences(session: Session, since: datetime, now: datetime) -> list[Stretch]:
    """When no worker ran; a clock that was put forward looks the same, and takes no time from anybody either."""
    rows = session.scalars(select(PulseRow).where(PulseRow.ends >= since)).all()
    if not rows:
        return []
    ran = [Stretch(row.begins, max(row.ends, row.begins + INSTANT)) for row in rows]
    return [gap for gap in between([*ran, Stretch(now, now + INSTANT)]) if gap.ends - gap.begins > GAP]


def away(session: Session, game: str) -> dict[str, Sequence[Stretch]]:
    """Holidays of those at a table, by seat."""
    owners = owners_at(session, game)
    columns = HolidayRow.owner, HolidayRow.begins, HolidayRow.ends
    everybody = {owner for each in owners.values() for owner in each}
    rows = session.execute(select(*columns).where(HolidayRow.owner.in_(everybody))).all()
    return {seat: [Stretch(begins, ends) for owner, begins, ends in rows if owner in owners[seat]] for seat in owners}
