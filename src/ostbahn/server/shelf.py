"""Games on the shelf: writing rooms into the archive, line by line, and reading them out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from ostbahn.kernel.game import Setup
from ostbahn.server.faults import NotHere
from ostbahn.server.models import EntryRow, GameRow, ProposalRow, SeatRow, SnapshotRow
from ostbahn.server.room import Entry, Room, Snapshot
from ostbahn.telling.faces import face_of
from ostbahn.titles.catalogue import completed

EVERY: Final = 100
"""How many lines of a log lie between two states that are kept."""


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
    session.execute(delete(ProposalRow).where(ProposalRow.game == room.id))
    if room.version // EVERY > (first - 1) // EVERY or room.game.over or _overtaken(session, room):
        kept = room.snapshot()
        session.merge(SnapshotRow(game=room.id, **msgspec.structs.asdict(kept)))
    _summary(session, room, now)


def _overtaken(session: Session, room: Room) -> bool:
    """Whether the game went back beyond the last state that was kept: going on from that one would not lead here."""
    kept = select(SnapshotRow.number).where(SnapshotRow.game == room.id).order_by(SnapshotRow.version.desc())
    last = session.scalar(kept.limit(1))
    return last is not None and last > room.number


def _summary(session: Session, room: Room, now: datetime) -> None:
    """What lists of games tell."""
    row = session.get_one(GameRow, room.id)
    row.number, row.turn, row.touched = room.number, room.turn, now
    row.round = "finished" if room.game.over else face_of(room.game).round_name()


def get(session: Session, game: str) -> Room:
    """A game as its log tells it."""
    row = session.get(GameRow, game)
    if row is None:
        raise NotHere("there is no such game")
    setup = completed(msgspec.json.decode(row.setup, type=Setup))
    room = Room(row.id, row.name, setup, bots_of(session, game), row.pace, row.ask_all)
    room.replay(_entries(session, game), _last_snapshot(session, game))
    return room


def bots_of(session: Session, game: str) -> dict[str, str]:
    """The seats with bots, and their codes."""
    seats = session.scalars(select(SeatRow).where(SeatRow.game == game))
    return {seat.seat: seat.bot for seat in seats if seat.bot is not None}


def _entries(session: Session, game: str) -> list[Entry]:
    rows = session.scalars(select(EntryRow).where(EntryRow.game == game).order_by(EntryRow.version))
    return [msgspec.convert(row, Entry, from_attributes=True) for row in rows]


def version_of(session: Session, game: str) -> int:
    """How long the log is."""
    return session.scalar(select(func.max(EntryRow.version)).where(EntryRow.game == game)) or 0


def _last_snapshot(session: Session, game: str) -> Snapshot | None:
    row = session.scalar(
        select(SnapshotRow).where(SnapshotRow.game == game).order_by(SnapshotRow.version.desc()).limit(1)
    )
    return None if row is None else msgspec.convert(row, Snapshot, from_attributes=True)
