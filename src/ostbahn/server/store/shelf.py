"""Games on the shelf: writing rooms into the archive, line by line, and reading them out of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kernel.game import Setup
from ostbahn.kits.catalogue import check_names, completed, entry_of
from ostbahn.server.faults import Damaged, NotHere
from ostbahn.server.play.plan_room import PlanRoom, reached
from ostbahn.server.play.room import Entry, Room, Snapshot
from ostbahn.server.store.schema import EntryRow, GameRow, PlanRow, PreparedRow, SeatRow, SnapshotRow
from ostbahn.telling.faces import face_of

EVERY: Final = 100
"""How many lines of a log lie between two states that are kept."""
MOST_LINES: Final = 1_000_000
"""No log is as long; a number beyond it is damaged."""

_VERSION: Final = select(func.max(EntryRow.version)).where(EntryRow.game == bindparam("game")).scalar_subquery()
_PREPARED: Final = select(func.count(PreparedRow.id)).where(PreparedRow.game == bindparam("game")).scalar_subquery()
NEWEST: Final = select(
    SeatRow.seat, SeatRow.bot, SeatRow.free, _VERSION.label("version"), _PREPARED.label("prepared")
).where(SeatRow.game == bindparam("game"))
"""Asked at every touch of a room, so it is put together once."""
LOG: Final = select(
    EntryRow.game,
    EntryRow.version,
    EntryRow.kind,
    EntryRow.by,
    EntryRow.data,
    EntryRow.how,
    EntryRow.note,
    EntryRow.sum,
).order_by(EntryRow.game, EntryRow.version)
UNREAD: Final = {"synchronize_session": False}
"""Nobody uses the row in this session, so none is kept in step."""
NO_SETUP: Final = "its set-up cannot be read"


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
            hints=room.hints,
            created=now,
            touched=now,
            number=0,
            round="",
            turn=None,
        )
    )
    session.flush()
    session.add_all(SeatRow(game=room.id, seat=seat, bot=bot, free=seat in room.free) for seat, bot in seats.items())
    _summary(session, room, now)


def append(session: Session, room: Room, entries: Sequence[Entry], now: datetime) -> None:
    """Add lines to the log of a room that has already taken them."""
    first = room.version - len(entries) + 1
    for version, entry in enumerate(entries, start=first):
        row = EntryRow(game=room.id, version=version, at=now, **msgspec.structs.asdict(entry))
        row.sum = sum_of(row)
        session.add(row)
    if any(entry.kind == "name" for entry in entries):
        told = {"setup": msgspec.json.encode(room.game.setup).decode(), "name": room.name}
        session.execute(update(GameRow).where(GameRow.id == room.id).values(told), execution_options=UNREAD)
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
    session.execute(update(GameRow).where(GameRow.id == room.id).values(told), execution_options=UNREAD)


def get(session: Session, game: str) -> Room:
    """A game as its log tells it."""
    row = session.get(GameRow, game)
    if row is None:
        raise NotHere("there is no such game")
    snapshot = _last_snapshot(session, game)
    entries = _entries(session, game)
    damage, said = damage_of(entries, row.number), setup_in(row.setup)
    if said is None:
        raise Damaged(NO_SETUP)
    if damage and snapshot is not None:
        entries += [None] * (snapshot.version - len(entries))
    elif snapshot is not None and snapshot.version > len(entries):
        snapshot = None  # the log is whole, so it is the state that cannot be right
    try:
        setup = completed(said)
        kind = Room if session.get(PlanRow, game) is None else PlanRoom
        room = kind(row.id, row.name, setup, bots={}, pace=row.pace, ask_all=row.ask_all, hints=row.hints)
        room.replay(entries, snapshot)
    except (OstbahnError, ValueError, LookupError) as fault:
        raise Damaged(damage or f"it cannot be replayed ({fault})") from fault
    if room.number != row.number:
        raise Damaged(damage)
    room.damage = damage
    room.kept = 0 if snapshot is None else snapshot.number
    return room


class Newest(NamedTuple):
    """All that may have changed since a room was read."""

    version: int
    """How long the log is."""
    bots: dict[str, str]
    """The codes of bots by their seats."""
    free: frozenset[str]
    """Seats whose link waits for somebody."""
    prepared: int
    """How many prepared moves are kept."""


def newest(session: Session, game: str) -> Newest:
    rows = session.execute(NEWEST, {"game": game}).all()
    return Newest(
        version=rows[0].version or 0 if rows else 0,
        bots={row.seat: row.bot for row in rows if row.bot is not None},
        free=frozenset(row.seat for row in rows if row.free),
        prepared=rows[0].prepared if rows else 0,
    )


def _entries(session: Session, game: str) -> list[Entry | None]:
    """A log, line by line; None for a line that is missing or not as it was written."""
    lines = _lines(session.execute(LOG.where(EntryRow.game == game)))
    return [None if line is None else msgspec.convert(line, Entry, from_attributes=True) for line in lines]


# Damage


class Line(Protocol):
    """What of a line tells how many answers stand."""

    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> str: ...


def survey(session: Session) -> Iterator[tuple[str, str]]:
    """Games that are damaged, with what is wrong: all logs are read, but none is played."""
    numbers: dict[str, int] = {}
    for game, number, setup in session.execute(select(GameRow.id, GameRow.number, GameRow.setup)):
        numbers[game] = number
        if setup_in(setup) is None:
            yield game, NO_SETUP
    logs = session.execute(LOG.execution_options(yield_per=1000))
    for game, rows in groupby(logs, key=lambda row: row.game):
        if damage := damage_of(_lines(rows), numbers.pop(game, 0)):
            yield game, damage
    for game, number in numbers.items():
        if damage := damage_of((), number):
            yield game, damage


def damage_of(lines: Sequence[Line | None], number: int) -> str:
    """What is wrong with a log after which so many answers should stand; empty if nothing is."""
    stands = 0
    for place, line in enumerate(lines, start=1):
        if line is None:
            return f"line {place} of its log is missing, or not as it was written"
        stands = _stands(line, stands)
    return "" if stands == number else f"{number} answers stood in its log, and {stands} are left"


def _stands(line: Line, before: int) -> int:
    """How many answers stand after a line."""
    if line.kind == "fork":
        return reached(line.data)
    return int(line.data) if line.kind in ("undo", "redo") else before + (line.kind == "answer")


def _lines(rows: Iterable[Any]) -> list[Any]:
    """Rows of a log in their places; None for one that is missing or not as it was written."""
    found = {row.version: row for row in rows if isinstance(row.version, int) and row.version <= MOST_LINES}
    lines = (found.get(version) for version in range(1, max(found, default=0) + 1))
    return [line if line is not None and line.sum == sum_of(line) else None for line in lines]


def sum_of(row: Any) -> str:
    """Of a line and its place, so that neither can change unnoticed."""
    told = (row.game, row.version, row.kind, row.by, row.data, row.how, row.note)
    return hashlib.blake2s("\0".join(map(str, told)).encode("utf-8", "replace"), digest_size=4).hexdigest()


def setup_in(text: str) -> Setup | None:
    """What stands there, if it is a game that there is."""
    try:
        setup = msgspec.json.decode(text, type=Setup)
        entry_of(setup.title, setup.variant)
        check_names(setup.players)
    except (ValueError, BadSetup):
        return None
    return setup


def _last_snapshot(session: Session, game: str) -> Snapshot | None:
    row = session.scalar(
        select(SnapshotRow).where(SnapshotRow.game == game).order_by(SnapshotRow.version.desc()).limit(1)
    )
    return None if row is None else msgspec.convert(row, Snapshot, from_attributes=True)
