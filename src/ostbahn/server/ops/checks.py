"""Checks of the database: logs, set-ups, references, and optionally a replay of every game."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

import msgspec
from sqlalchemy import case, func, inspect, select
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Setup
from ostbahn.server.db.database import consistent_snapshot, newest_revision, open_existing, revision_of, secret_file
from ostbahn.server.db.encryption import KeyCipher, read_secret
from ostbahn.server.faults import Damaged
from ostbahn.server.games import repository
from ostbahn.server.games.tables import EntryRow, GameRow, KeyRow, SeatRow, SnapshotRow
from ostbahn.server.notifications.subscriptions import ChannelRow
from ostbahn.server.ops.backups import METADATA
from ostbahn.server.settings import Settings, check_there
from ostbahn.table.room import LogEntry, Room, seats_of

CHANNELS: Final = {"mail": "mail", "webhook": "what is posted to webhooks", "push": "what is pushed to browsers"}
PLAIN: Final = b"{"  # the first byte of an uncompressed state


class CheckResult(NamedTuple):
    kind: Literal["fault", "note"]  # a note is no error
    text: str


def check(settings: Settings, deep: bool = False) -> Iterator[CheckResult]:
    """All problems of the database, without changing it; the server may run meanwhile. deep: also replay all games."""
    check_there(settings)
    if settings.mail.host and not settings.public_url:
        yield CheckResult("note", "mail is set up, but public_url is not, which its links need: no mail is sent")
    with open_existing(settings.database_url, settings.kept_in) as engine, consistent_snapshot(engine) as connection:
        missing = sorted(set(METADATA.tables) - set(inspect(connection).get_table_names()))
        revision = revision_of(connection)
        if revision != newest_revision():
            yield CheckResult(
                "fault", f"the tables are those of version {revision}; this Ostbahn has {newest_revision()}"
            )
            return
        if missing:
            yield CheckResult("fault", f"there is no table {', '.join(missing)}")
            return
        with Session(connection) as session:
            damaged = dict(repository.damaged_games(session))
            yield from (CheckResult("fault", f"game {game}: {damage}") for game, damage in damaged.items())
            yield from _check_references(session)
            yield from _check_seats(session)
            yield from _check_keys(session, settings.key_secret or read_secret(secret_file(engine, settings.data)))
            yield from _check_deliveries(session)
            if deep:
                for game in session.scalars(select(GameRow.id).order_by(GameRow.id)).all():
                    if game not in damaged:
                        yield from _check_replay(session, game)
                    session.expunge_all()


def _check_references(session: Session) -> Iterator[CheckResult]:
    """Rows whose foreign keys refer to missing rows."""
    for table in METADATA.sorted_tables:
        for key in sorted(table.foreign_keys, key=lambda foreign_key: foreign_key.parent.name):
            parent = key.column.table.alias()
            referred = select(parent.c[key.column.name]).where(parent.c[key.column.name] == key.parent)
            dangling = select(func.count()).select_from(table).where(key.parent.is_not(None), ~referred.exists())
            if number := session.scalar(dangling):
                missing = f"{key.column.table.name} that are not there (by {key.parent.name})"
                yield CheckResult("fault", f"{number} rows of {table.name} belong to {missing}")


def _check_seats(session: Session) -> Iterator[CheckResult]:
    seats: dict[str, set[str]] = {}
    for game, seat in session.execute(select(SeatRow.game, SeatRow.seat)):
        seats.setdefault(game, set()).add(seat)
    for game, text in session.execute(select(GameRow.id, GameRow.setup)):
        setup = repository.decode_setup(text)
        if setup is not None and seats.get(game, set()) != set(seats_of(setup)):
            yield CheckResult("fault", f"game {game}: its seats are not those of its set-up")


def _check_keys(session: Session, secret: bytes | None) -> Iterator[CheckResult]:
    """Keys that the secret does not decrypt: their links work, but cannot be shown."""
    if secret is None:
        yield CheckResult("note", "there is no secret of keys: links cannot be shown before they are used again")
        return
    key_cipher = KeyCipher(secret)
    keys = select(KeyRow.hash, KeyRow.sealed).where(KeyRow.sealed != "").execution_options(yield_per=1000)
    if number := sum(not key_cipher.decrypt(row.hash, row.sealed) for row in session.execute(keys)):
        yield CheckResult(
            "note", f"{number} links were sealed with another secret, and are not shown before they are used"
        )


def _check_deliveries(session: Session) -> Iterator[CheckResult]:
    """Kinds of channels with addresses that the last notification did not reach."""
    for kind, name in CHANNELS.items():
        fails, last = case((ChannelRow.trouble != "", 1)), ChannelRow.failed_at
        all_, failing = session.execute(select(func.count(), func.count(fails)).where(ChannelRow.kind == kind)).one()
        if failing:
            newest = select(ChannelRow).where(ChannelRow.kind == kind, ChannelRow.trouble != "")
            row = session.scalars(newest.order_by(last.is_(None), last.desc()).limit(1)).one()
            when = f", at {row.failed_at:%Y-%m-%d %H:%M} UTC" if row.failed_at else ""
            text = f"{name} does not arrive at {failing} of {all_} addresses; the last failure{when}: {row.trouble}"
            yield CheckResult("note", text)


def _check_replay(session: Session, game: str) -> Iterator[CheckResult]:
    """Replay the log of a game, and compare it with its snapshots and its row."""
    row = session.get_one(GameRow, game)
    rows = session.scalars(select(SnapshotRow).where(SnapshotRow.game == game))
    snapshots = {snapshot.version: snapshot for snapshot in rows}
    try:
        room = repository.new_room(session, row, msgspec.json.decode(row.setup, type=Setup))
        for version, snapshot in snapshots.items():
            if _digest_in(room, snapshot) != snapshot.digest:
                yield CheckResult("fault", f"game {game}: the state kept at line {version} is not as it was written")
        for line in session.execute(repository.LOG_ENTRIES.where(EntryRow.game == game)):
            room.apply_entry(msgspec.convert(line, LogEntry, from_attributes=True))
            stored = snapshots.get(room.version)
            if stored is not None and (stored.digest, stored.number) != (room.game.state.digest, room.number):
                where = f"the state kept at line {room.version}"
                yield CheckResult("fault", f"game {game}: its log leads elsewhere than to {where}")
                return
    except (OstbahnError, ValueError, LookupError):
        yield _replay_failure(session, game)
        return
    if (room.number, room.turn) != (row.number, row.turn):
        yield CheckResult("fault", f"game {game}: its log leads elsewhere than lists of games say")


def _digest_in(room: Room, snapshot: SnapshotRow) -> str:
    """The digest of the state in a snapshot; empty if it cannot be read."""
    try:
        state = snapshot.state if snapshot.state.startswith(PLAIN) else zlib.decompress(snapshot.state)
        return str(msgspec.json.decode(state, type=type(room.game.state)).digest)
    except (ValueError, zlib.error):
        return ""


def _replay_failure(session: Session, game: str) -> CheckResult:
    """The result for a log that today's rules refuse: a note if the game can continue from a snapshot."""
    try:
        repository.load_room(session, game)
    except Damaged as fault:
        return CheckResult("fault", f"game {game}: {fault.what}")
    return CheckResult("note", f"game {game} cannot be played again from its first line; it goes on from a kept state")
