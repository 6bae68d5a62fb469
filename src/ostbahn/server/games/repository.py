"""The game repository: stores games as logs with snapshots, and loads them as rooms."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Select, bindparam, delete, exists, func, select, update
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kernel.game import Setup
from ostbahn.kits.catalogue import check_names, entry_of, kit_of, with_all_rulings
from ostbahn.server.db.tables import Base
from ostbahn.server.faults import Damaged
from ostbahn.server.games.tables import EntryRow, GameRow, PlanRow, ProposalRow, SeatRow, SnapshotRow
from ostbahn.table import snapshots
from ostbahn.table.access import BOARD, Access, NotHere
from ostbahn.table.plans import PlanRecord, PlanRoom, answers_after_fork
from ostbahn.table.room import LogEntry, NameChange, Room, Snapshot
from ostbahn.text.speech import text_renderer_of

SNAPSHOT_INTERVAL: Final = 25  # log entries between two snapshots
MOST_LINES: Final = 1_000_000  # no log is that long; a version beyond it is damaged

_LAST_VERSION: Final = select(func.max(EntryRow.version)).where(EntryRow.game == bindparam("game")).scalar_subquery()
_HAS_PROPOSAL: Final = exists().where(ProposalRow.game == bindparam("game"))
ENTRY_COLUMNS: Final = ("game", "version", "kind", "by", "data", "how", "note")
LOG_ENTRIES: Final = select(*(EntryRow.__table__.c[name] for name in (*ENTRY_COLUMNS, "sum"))).order_by(
    EntryRow.game, EntryRow.version
)
SNAPSHOTS: Final = (
    select(*(SnapshotRow.__table__.c[name] for name in Snapshot.__struct_fields__))
    .where(SnapshotRow.game == bindparam("game"))
    .order_by(SnapshotRow.version)
)
LAST_SNAPSHOT: Final = (
    SNAPSHOTS.with_only_columns(SnapshotRow.version, SnapshotRow.number)
    .order_by(None)
    .order_by(SnapshotRow.version.desc())
    .limit(1)
)
LOG_LENGTH: Final = select(func.count(), func.max(EntryRow.version)).where(EntryRow.game == bindparam("game"))
GAME_COLUMNS: Final = ("id", "name", "setup", "pace", "ask_all", "hints", "number", "digest", "leg")
GAME_ROW: Final = select(*(GameRow.__table__.c[name] for name in GAME_COLUMNS)).where(GameRow.id == bindparam("game"))
GAME_POSITION: Final = GAME_ROW.with_only_columns(GameRow.name, GameRow.number, GameRow.digest)
NO_SYNC: Final = {"synchronize_session": False}  # no session holds these rows as objects
NO_SETUP: Final = "its set-up cannot be read"


def insert_game(session: Session, room: Room, now: datetime, seats: Mapping[str, str | None]) -> None:
    """Store a new game, with the bots by their seats."""
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
    _update_summary(session, room, now)


def append_entries(session: Session, room: Room, entries: Sequence[LogEntry], now: datetime) -> None:
    """Append entries, which are already part of the room, to the stored log."""
    first = room.version - len(entries) + 1
    for version, entry in enumerate(entries, start=first):
        row = EntryRow(game=room.id, version=version, at=now, **msgspec.structs.asdict(entry))
        row.sum = checksum(row)
        session.add(row)
    if any(entry.kind == "name" for entry in entries):
        names = {"setup": msgspec.json.encode(room.game.setup).decode(), "name": room.name}
        session.execute(update(GameRow).where(GameRow.id == room.id).values(names), execution_options=NO_SYNC)
    is_snapshot_due = room.version - room.kept_at >= SNAPSHOT_INTERVAL
    is_snapshot_undone = room.kept > room.number  # an undo has gone back beyond the last snapshot
    if is_snapshot_due or room.game.over or is_snapshot_undone:
        _store_snapshots(session, room)
    _update_summary(session, room, now)


def _store_snapshots(session: Session, room: Room) -> None:
    new = [room.snapshot()] if isinstance(room, PlanRoom) else snapshots.snapshots(room, SNAPSHOT_INTERVAL)
    for snapshot in new:
        session.merge(SnapshotRow(game=room.id, **msgspec.structs.asdict(snapshot)))
    room.kept, room.kept_at = room.number, room.version


def _update_summary(session: Session, room: Room, now: datetime) -> None:
    """Update the columns that lists of games show, and the digest that verifies a loaded room."""
    round_ = "finished" if room.game.over else text_renderer_of(room.game).round_name()
    summary = {"number": room.number, "turn": room.turn, "touched": now, "round": round_, **_position_columns(room)}
    session.execute(update(GameRow).where(GameRow.id == room.id).values(summary), execution_options=NO_SYNC)


def _position_columns(room: Room) -> dict[str, object]:
    """Columns by name: digest of the state, version of the rules, and delta since the last snapshot."""
    leg = None if isinstance(room, PlanRoom) else snapshots.open_delta(room)
    return {"digest": room.game.state.digest, "rules": kit_of(room.game).rules_version, "leg": leg}


def load_room(session: Session, game: str, *, replayed: bool = False) -> Room:
    """Load a game from its snapshots; from its log if these do not fit, or if `replayed`."""
    row = session.execute(GAME_ROW, {"game": game}).one_or_none()
    if row is None:
        raise NotHere("there is no such game")
    room = None if replayed else _room_from_snapshots(session, row)
    if room is not None:
        return room
    try:
        return _room_from_log(session, row)
    except Damaged:
        # on SQLite another process may have written between two statements
        if session.execute(GAME_ROW, {"game": game}).one_or_none() == row:
            raise
        return load_room(session, game, replayed=replayed)


def _room_from_snapshots(session: Session, row: Any) -> Room | None:
    """Load a room without its log; None if snapshots are missing or do not match digest and length of the log."""
    setup = decode_setup(row.setup)
    if setup is None or row.leg is None:
        return None
    stored = [Snapshot(*columns) for columns in session.execute(SNAPSHOTS, {"game": row.id})]
    try:
        room = new_room(session, row, setup, Room)
        snapshots.restore(room, stored, row.leg)
    except (*snapshots.READ_ERRORS, zlib.error):
        return None
    is_complete = session.execute(LOG_LENGTH, {"game": row.id}).one() == (room.version, room.version or None)
    return room if is_complete and _is_at_stored_position(room, row) else None


def _is_at_stored_position(room: Room, row: Any) -> bool:
    return (room.number, room.game.state.digest) == (row.number, row.digest)


def catch_up(session: Session, room: Room, version: int) -> bool:
    """Apply the entries of other processes to a room; returns False if it has to be loaded again."""
    if version == room.version:
        return True
    row = session.execute(GAME_POSITION, {"game": room.id}).one_or_none()
    lines = entries_after(session, room.id, room.version)
    if row is None or not lines or room.version + len(lines) < version or any(map(_is_anonymisation, lines)):
        return False
    try:
        for line in lines:
            room.apply_trusted_entry(line)
    except (OstbahnError, ValueError, LookupError):
        return False
    last = session.execute(LAST_SNAPSHOT, {"game": room.id}).first()
    room.kept, room.kept_at = (0, 0) if last is None else (last.number, last.version)
    room.name = row.name
    return _is_at_stored_position(room, row)


def store_missing_snapshots(session: Session, room: Room) -> None:
    """Store the snapshots of a game that had to be replayed."""
    session.execute(delete(SnapshotRow).where(SnapshotRow.game == room.id))
    room.kept = room.kept_at = 0
    _store_snapshots(session, room)
    session.execute(
        update(GameRow).where(GameRow.id == room.id, GameRow.number == room.number).values(_position_columns(room)),
        execution_options=NO_SYNC,
    )


def lacks_snapshots(room: Room) -> bool:
    """Whether a room had to be replayed from its whole log since snapshots were missing."""
    replayed = room.stored_history is None and not room.skipped and not room.damage
    return replayed and room.number >= SNAPSHOT_INTERVAL and not isinstance(room, PlanRoom)


def new_room(session: Session, row: Any, setup: Setup, kind: type[Room] | None = None) -> Room:
    """A room for a stored game, before its first log entry."""
    kind = kind or (Room if session.get(PlanRow, row.id) is None else PlanRoom)
    return kind(row.id, row.name, with_all_rulings(setup), bots={}, pace=row.pace, ask_all=row.ask_all, hints=row.hints)


def _room_from_log(session: Session, row: Any) -> Room:
    game = row.id
    last = select(SnapshotRow).where(SnapshotRow.game == game).order_by(SnapshotRow.version.desc()).limit(1)
    snapshot_row = session.scalar(last)
    snapshot = None if snapshot_row is None else msgspec.convert(snapshot_row, Snapshot, from_attributes=True)
    lines = _lines(session.execute(LOG_ENTRIES.where(EntryRow.game == game)))
    entries = [None if line is None else msgspec.convert(line, LogEntry, from_attributes=True) for line in lines]
    damage, setup = log_damage(entries, row.number), decode_setup(row.setup)
    if setup is None:
        raise Damaged(NO_SETUP)
    if damage and snapshot is not None:
        entries += [None] * (snapshot.version - len(entries))
    elif snapshot is not None and snapshot.version > len(entries):
        snapshot = None  # the log is undamaged, so the snapshot is wrong
    try:
        room = new_room(session, row, setup)
        room.replay(entries, snapshot)
    except (OstbahnError, ValueError, LookupError) as fault:
        raise Damaged(damage or f"it cannot be replayed ({fault})") from fault
    if room.number != row.number:
        raise Damaged(damage)
    room.damage = damage
    room.kept, room.kept_at = (0, 0) if snapshot is None else (snapshot.number, snapshot.version)
    return room


def drop_last_delta(session: Session, game: str) -> None:
    """Delete the delta since the last snapshot, which may contain a name; the log has its answers."""
    session.execute(update(GameRow).where(GameRow.id == game).values(leg=None), execution_options=NO_SYNC)


def _is_anonymisation(line: LogEntry) -> bool:
    """Whether earlier entries were rewritten to remove a name."""
    return line.kind == "name" and msgspec.json.decode(line.data, type=NameChange).anonymises


def entries_after(session: Session, game: str, version: int) -> list[LogEntry] | None:
    """The log entries after a version; None if one is missing or damaged."""
    rows = session.execute(LOG_ENTRIES.where(EntryRow.game == game, EntryRow.version > version)).all()
    is_gapless = [row.version for row in rows] == list(range(version + 1, version + len(rows) + 1))
    if not is_gapless or any(row.sum != checksum(row) for row in rows):
        return None
    return [msgspec.convert(row, LogEntry, from_attributes=True) for row in rows]


OWN_COLUMNS: Final = frozenset({"seat", "bot", "free", "version"})


class RoomStatus(NamedTuple):
    """The parts of a room that other processes may have changed: version, bots by seat, free seats, flags."""

    version: int
    bots: dict[str, str]
    free: frozenset[str]
    flags: dict[str, Any]


def room_status_statement(flags: Mapping[str, ColumnElement[Any]]) -> Select[Any]:
    """The query of `room_status`: one statement, since every access to a room runs it. flags: of the listeners."""
    columns = [column.label(name) for name, column in ({"proposed": _HAS_PROPOSAL} | dict(flags)).items()]
    seats = select(SeatRow.seat, SeatRow.bot, SeatRow.free, _LAST_VERSION.label("version"), *columns)
    return seats.where(SeatRow.game == bindparam("game"))


def room_status(session: Session, game: str, statement: Select[Any]) -> RoomStatus:
    rows = session.execute(statement, {"game": game}).all()
    if not rows:
        return RoomStatus(0, {}, frozenset(), {})
    first = rows[0]._asdict()
    return RoomStatus(
        version=first["version"] or 0,
        bots={row.seat: row.bot for row in rows if row.bot is not None},
        free=frozenset(row.seat for row in rows if row.free),
        flags={name: value for name, value in first.items() if name not in OWN_COLUMNS},
    )


# Damage


def damaged_games(session: Session) -> Iterator[tuple[str, str]]:
    """Damaged games, each with its damage. Checks all logs, and replays none."""
    numbers: dict[str, int] = {}
    for game, number, setup in session.execute(select(GameRow.id, GameRow.number, GameRow.setup)):
        numbers[game] = number
        if decode_setup(setup) is None:
            yield game, NO_SETUP
    logs = session.execute(LOG_ENTRIES.execution_options(yield_per=1000))
    for game, rows in groupby(logs, key=lambda row: row.game):
        if damage := log_damage(_lines(rows), numbers.pop(game, 0)):
            yield game, damage
    for game, number in numbers.items():
        if damage := log_damage((), number):
            yield game, damage


def log_damage(lines: Sequence[Any], number: int) -> str:
    """What is wrong with a log that should leave `number` answers; empty if nothing is."""
    answers = 0
    for version, line in enumerate(lines, start=1):
        if line is None:
            return f"line {version} of its log is missing, or not as it was written"
        if line.kind == "fork":
            answers = answers_after_fork(line.data)
        else:
            answers = int(line.data) if line.kind in ("undo", "redo") else answers + (line.kind == "answer")
    return "" if answers == number else f"{number} answers stood in its log, and {answers} are left"


def _lines(rows: Iterable[Any]) -> list[Any]:
    """The rows of a log in order; None for one that is missing or damaged."""
    by_version = {row.version: row for row in rows if isinstance(row.version, int) and row.version <= MOST_LINES}
    lines = (by_version.get(version) for version in range(1, max(by_version, default=0) + 1))
    return [line if line is not None and line.sum == checksum(line) else None for line in lines]


def checksum(row: Any) -> str:
    """The checksum of a log entry and its version."""
    line = "\0".join(map(str, attrgetter(*ENTRY_COLUMNS)(row)))
    return hashlib.blake2s(line.encode("utf-8", "replace"), digest_size=4).hexdigest()


def decode_setup(text: str) -> Setup | None:
    """Decode a set-up from JSON; None if it is unreadable, or its title is not installed."""
    try:
        setup = msgspec.json.decode(text, type=Setup)
        entry_of(setup.title, setup.variant)
        check_names(setup.players)
    except (ValueError, BadSetup):
        return None
    return setup


BOARD_TABLES: Final[tuple[type[Base], ...]] = (PlanRow, EntryRow, SnapshotRow, ProposalRow, SeatRow)
"""The tables with rows of planning boards."""


def board_access(session: Session, who: Access, board: str) -> Access:
    """The access to a planning board with all its seats, only for the key that made it."""
    row = session.get(PlanRow, board)
    if row is None or row.owner != who.hash:
        raise NotHere("there is no such plan; perhaps it was thrown away")
    seats = session.scalars(select(SeatRow.seat).where(SeatRow.game == board).order_by(SeatRow.seat)).all()
    # used=True, since actions on a board do not mark the key as used
    return Access(f"{who.key}{BOARD}{board}", who.hash, board, "seat", tuple(seats), used=True, origin=who.game)


def plans_of_key(session: Session, owner: str) -> list[PlanRecord]:
    """The planning boards of a key, the latest first."""
    boards = (
        select(GameRow.id, GameRow.name, GameRow.number, GameRow.round)
        .join(PlanRow, PlanRow.game == GameRow.id)
        .where(PlanRow.owner == owner)
        .order_by(GameRow.touched.desc(), GameRow.created.desc())
    )
    return [PlanRecord(*row) for row in session.execute(boards)]


def delete_board(session: Session, board: str) -> None:
    """Delete the rows of a planning board; called by `GameService.delete_board`, after its listeners."""
    for table in BOARD_TABLES:
        session.execute(delete(table).where(table.__table__.c.game == board))
    session.execute(delete(GameRow).where(GameRow.id == board))
