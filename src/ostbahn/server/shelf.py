"""Games on the shelf: writing rooms into the archive, line by line, and reading them out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from ostbahn.kernel.game import Setup
from ostbahn.server.faults import NotHere
from ostbahn.server.models import EntryRow, GameRow, SeatRow, SnapshotRow
from ostbahn.server.room import Entry, Room, Snapshot
from ostbahn.telling.faces import face_of
from ostbahn.titles.catalogue import completed

EVERY: Final = 100
"""How many lines of a log lie between two states that are kept."""

_VERSION: Final = select(func.max(EntryRow.version)).where(EntryRow.game == bindparam("game")).scalar_subquery()
NEWEST: Final = select(SeatRow.seat, SeatRow.bot, _VERSION.label("version")).where(SeatRow.game == bindparam("game"))
"""Asked at every touch of a room, so it is put together once."""


def put(session: Session, room: Room, now: datetime, seats: Mapping[str, str | None]) -> None:
    """A new game, with who sits where."""
    game = room.game
    session.add(
        GameRow(
            id=room.id,
            name=room.name,
            setup=msgspec.json.encode(game.setup).decode(),
            pace=room.pace,
            ask_all=room.ask_all,
            created=now,
            touched=now,
            number=0,
            round="",
            turn=None,
        )
    )
    session.flush()
    session.add_all(SeatRow(game=room.id, seat=seat, bot=bot) for seat, bot in seats.items())
    _summary(session, room, now)


def append(session: Session, room: Room, entries: Sequence[Entry], now: datetime) -> None:
    """Add lines to the log of a room that has already taken them."""
    first = room.version - len(entries) + 1
    for version, entry in enumerate(entries, start=first):
        fields = msgspec.structs.asdict(entry)
        session.add(EntryRow(game=room.id, version=version, at=now, **fields))
    # going on from a state that was kept beyond the one to which the game went back would not lead here
    if room.version // EVERY > (first - 1) // EVERY or room.game.over or room.kept > room.number:
        kept = room.snapshot()
        session.merge(SnapshotRow(game=room.id, **msgspec.structs.asdict(kept)))
        room.kept = room.number
    _summary(session, room, now)


def _summary(session: Session, room: Room, now: datetime) -> None:
    """What lists of games tell."""
    round_ = "finished" if room.game.over else face_of(room.game).round_name()
    told = {"number": room.number, "turn": room.turn, "touched": now, "round": round_}
    unread = {"synchronize_session": False}  # nobody uses the row in this session, so none is kept in step
    session.execute(update(GameRow).where(GameRow.id == room.id).values(told), execution_options=unread)


def get(session: Session, game: str) -> Room:
    """A game as its log tells it."""
    row = session.get(GameRow, game)
    if row is None:
        raise NotHere("there is no such game")
    setup = completed(msgspec.json.decode(row.setup, type=Setup))
    room = Room(row.id, row.name, setup, {}, row.pace, row.ask_all)
    snapshot = _last_snapshot(session, game)
    room.replay(_entries(session, game), snapshot)
    room.kept = 0 if snapshot is None else snapshot.number
    return room


def newest(session: Session, game: str) -> tuple[int, dict[str, str]]:
    """How long the log is, and the codes of bots by their seats: all that may have changed since a room was read."""
    rows = session.execute(NEWEST, {"game": game}).all()
    return rows[0].version or 0 if rows else 0, {row.seat: row.bot for row in rows if row.bot is not None}


def _entries(session: Session, game: str) -> list[Entry]:
    rows = session.scalars(select(EntryRow).where(EntryRow.game == game).order_by(EntryRow.version))
    return [msgspec.convert(row, Entry, from_attributes=True) for row in rows]


def _last_snapshot(session: Session, game: str) -> Snapshot | None:
    row = session.scalar(
        select(SnapshotRow).where(SnapshotRow.game == game).order_by(SnapshotRow.version.desc()).limit(1)
    )
    return None if row is None else msgspec.convert(row, Snapshot, from_attributes=True)
