"""Programmed moves at a table: read from the database, carried out right after an answer, and called off."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, bindparam, delete, func, or_, select, update
from sqlalchemy.orm import Session

from ostbahn.programmed.carrying import Ended, Found, Prepared, look
from ostbahn.programmed.moves import AnyMove
from ostbahn.server.games.listeners import GameListener
from ostbahn.server.programmed.tables import PreparedRow
from ostbahn.table.room import Entry, Room

LOG: Final = logging.getLogger(__name__)
SEEN: Final = "prepared moves"
"""Under this a room remembers up to which moment alarms were looked at."""
STANDING: Final = (
    select(PreparedRow.id, PreparedRow.seat, PreparedRow.data, PreparedRow.number, PreparedRow.stamp)
    .where(PreparedRow.game == bindparam("game"), PreparedRow.ended == "")
    .order_by(PreparedRow.id)
)
"""Asked after every answer, so it is put together once."""
WENT_BACK: Final = Ended("answers were taken back", False)
STUMBLED: Final = Ended("it could not be carried out", False)


FLAG: Final = "prepared"
"""Under this `Room.flags` has how many moves are kept, those that are over included."""


class ProgrammedListener(GameListener):
    """Carries programmed moves out, and calls them off."""

    flags: Mapping[str, ColumnElement[Any]] = MappingProxyType(
        {FLAG: select(func.count(PreparedRow.id)).where(PreparedRow.game == bindparam("game")).scalar_subquery()}
    )

    def follow_up(self, session: Session, room: Room) -> Sequence[Entry]:
        carried = carry_out(session, room)
        carried.keep(session)
        return carried.entries

    def undone(self, session: Session, room: Room, seats: Collection[str], keep: int) -> None:
        call_off(session, room.id, seats, keep)

    def seat_taken_away(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        session.execute(delete(PreparedRow).where(PreparedRow.game == game, PreparedRow.seat == seat))


class Stamped(NamedTuple):
    """Which state of a room: after how many answers, and the version that made it."""

    number: int
    stamp: int


class Carried(NamedTuple):
    """What was answered by prepared moves, and which of them stand no more."""

    entries: list[Entry]
    ended: Mapping[int, Ended]

    def keep(self, session: Session) -> None:
        for id_, ended in self.ended.items():
            values = {"ended": ended.why, "done": ended.done}
            session.execute(update(PreparedRow).where(PreparedRow.id == id_).values(values))


def carry_out(session: Session, room: Room) -> Carried:
    """Let prepared moves answer as long as one has an answer. The room takes them; whoever holds it keeps the rest."""
    if not room.flags.get(FLAG):
        return Carried([], {})
    rows = session.execute(STANDING, {"game": room.id}).all()
    entries: list[Entry] = []
    ended = {row.id: WENT_BACK for row in rows if not _stands(room, Stamped(row.number, row.stamp))}
    moves = {row.id: move for row in rows if (move := move_in(row.data)) is not None}
    ended |= {row.id: STUMBLED for row in rows if row.id not in moves}
    standing = [_prepared(room, row, moves[row.id]) for row in rows if row.id not in ended]
    while standing:
        found = _look(room, standing)
        ended |= {each.id: over for each, over in found.ended}
        here = len(room.game)
        standing = [each._replace(seen=here) for each in standing if each.id not in ended]
        if found.action is None or found.by is None:
            break
        entries += room.answer(found.action, found.by.seat, "prepared")
    room.memory[SEEN] = {each.id: Stamped(room.number, room.stamp(room.number)) for each in standing}
    return Carried(entries, ended)


def move_in(data: str) -> AnyMove | None:
    """A move as it was kept, unless it was by a version that had others."""
    try:
        move: AnyMove = msgspec.json.decode(data, type=AnyMove)
    except ValueError:
        return None
    return move


def _prepared(room: Room, row: Any, move: AnyMove) -> Prepared:
    seen: Stamped | None = room.memory.get(SEEN, {}).get(row.id)
    given = row.number - room.skipped
    last = given if seen is None or not _stands(room, seen) else seen.number - room.skipped
    return Prepared(row.id, row.seat, move, given, max(given, last))


def _stands(room: Room, state: Stamped) -> bool:
    """Whether a state is still one of those that led to the present one."""
    return room.skipped <= state.number <= room.number and room.stamp(state.number) == state.stamp


def _look(room: Room, standing: list[Prepared]) -> Found:
    """A fault of ours ends what was prepared, never the game."""
    try:
        return look(room.game, standing)
    except Exception:
        LOG.exception("prepared moves in game %s cannot be carried out", room.id)
        return Found(None, None, tuple((each, STUMBLED) for each in standing))


def call_off(session: Session, game: str, seats: Collection[str], keep: int) -> None:
    """Somebody went back: their moves fall, and all that were prepared at a moment that is gone."""
    falls = or_(PreparedRow.seat.in_(seats), PreparedRow.number > keep)
    stands = (PreparedRow.game == game) & (PreparedRow.ended == "")
    session.execute(update(PreparedRow).where(stands, falls).values(ended=WENT_BACK.why, done=False))
