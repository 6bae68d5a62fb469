"""Turns: who was asked since when, as the database keeps it. Clocks and notifications are read from it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from ostbahn.server.games.tables import AskedRow, EntryRow
from ostbahn.table.plans import PlanRoom
from ostbahn.table.room import Entry, Room

ASKED: Final = "asked"
"""Under this a room remembers who is asked, as it was written down."""


class Asked(NamedTuple):
    """From this moment on a seat was asked, until the next such line."""

    version: int
    seat: str | None
    turn: int
    at: datetime


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
