"""Backups: a consistent copy of a running server's database, of either kind, in one file; and restoring it.

The file is gzip with lines of JSON: a `BackupHeader`, each row as a list (table, values), and a `BackupTrailer`.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import secrets
import sqlite3
import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    delete,
    func,
    insert,
    inspect,
    select,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from ostbahn import __version__
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.server.accounts import people as accounts
from ostbahn.server.chat import service as chat
from ostbahn.server.clocks import clock as clocks
from ostbahn.server.db import tables
from ostbahn.server.db.database import (
    consistent_snapshot,
    engine_of,
    is_sqlite,
    known_revisions,
    newest_revision,
    open_existing,
    reason_of,
    revision_of,
    secret_file,
    upgrade_to,
)
from ostbahn.server.db.encryption import BYTES, KeyCipher, new_secret, read_secret, write_secret
from ostbahn.server.db.tables import Base, UtcDateTime
from ostbahn.server.games import tables as games
from ostbahn.server.jobs import queue as jobs
from ostbahn.server.notifications import subscriptions as notifications
from ostbahn.server.programmed import service as programmed
from ostbahn.server.settings import Settings, check_there
from ostbahn.server.tournaments import service as tournaments
from ostbahn.storage import atomic_write, sync_folder

MODULES: Final = (tables, jobs, accounts, games, chat, clocks, notifications, programmed, tournaments)
METADATA: Final[MetaData] = Base.metadata  # all tables, since all the modules that declare them are imported here

FORMAT_VERSION: Final = 1  # files of a later one are refused
LONGEST_LINE: Final = 50_000_000  # bytes; a state has some 100,000
COMPRESSION: Final = 6

KINDS: Final = {Boolean: "boolean", Integer: "integer", Float: "number", LargeBinary: "bytes", UtcDateTime: "moment"}


class TableLayout(Struct, frozen=True):
    name: str
    columns: tuple[tuple[str, str], ...]  # names and kinds: one of KINDS, or text


class BackupHeader(Struct, frozen=True, kw_only=True):
    ostbahn_backup: int
    version: str  # of Ostbahn
    revision: str  # of the tables
    made: datetime
    tables: tuple[TableLayout, ...]
    secret: str = ""  # encrypts keys; empty unless the backup was made with it


class BackupTrailer(Struct, frozen=True):
    rows: dict[str, int]
    sha256: str


def _kind(column: Column[Any]) -> str:
    return next((name for kind, name in KINDS.items() if isinstance(column.type, kind)), "text")


# Writing


class BackupWriter:
    def __init__(self, file: Any, header: BackupHeader) -> None:
        self._file, self._digest = file, hashlib.sha256()
        self.rows = {layout.name: 0 for layout in header.tables}
        self._encoder = msgspec.json.Encoder()
        self._write_line(header)

    def add(self, table: str, values: Any) -> None:
        self._write_line((table, [_json_value(value) for value in values]))
        self.rows[table] += 1

    def end(self) -> None:
        self._write_line(BackupTrailer(self.rows, self._digest.hexdigest()))

    def _write_line(self, content: object) -> None:
        line = self._encoder.encode(content) + b"\n"
        self._digest.update(line)
        self._file.write(line)


@contextmanager
def writing(path: Path, header: BackupHeader) -> Iterator[BackupWriter]:
    """Write a backup atomically, to a file that only its owner may read."""
    with atomic_write(path, mode=0o600) as file:
        os.fchmod(file.fileno(), 0o600)
        with gzip.GzipFile("", "wb", COMPRESSION, file, mtime=0) as compressed:
            writer = BackupWriter(compressed, header)
            yield writer
            writer.end()


def _json_value(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


# Reading


def rows_of(path: Path) -> Iterator[tuple[str, list[Any]]]:
    """All rows, each with the name of its table; reading to the end verifies the whole file."""
    digest = hashlib.sha256()
    with _opened(path) as file:
        header = _read_header(path, file, digest)
        kinds = {layout.name: [kind for _, kind in layout.columns] for layout in header.tables}
        counts = dict.fromkeys(kinds, 0)
        while True:
            digest_before = digest.hexdigest()
            line = _read_line(path, file, digest)
            if line.startswith(b"{"):
                _check_trailer(path, line, BackupTrailer(counts, digest_before))
                if file.readline(1):
                    raise _damaged(path, "something stands behind its end")
                return
            table, values = _decode_row(path, line, kinds)
            counts[table] += 1
            yield table, values


@contextmanager
def _opened(path: Path) -> Iterator[gzip.GzipFile]:
    try:
        with path.open("rb") as file, gzip.GzipFile(fileobj=file) as decompressed:
            yield decompressed
    except gzip.BadGzipFile:
        raise BadFile(f"{path} is no backup of Ostbahn, or it is damaged") from None
    except (EOFError, zlib.error):
        raise _damaged(path, "it is cut off or overwritten") from None
    except OSError as fault:
        raise BadFile(f"{path} cannot be read: {fault.strerror}") from None


def _read_header(path: Path, file: gzip.GzipFile, digest: Any) -> BackupHeader:
    line = file.readline(LONGEST_LINE)
    try:
        header = msgspec.json.decode(line, type=BackupHeader)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadFile(f"{path} is no backup of Ostbahn") from None
    if header.ostbahn_backup > FORMAT_VERSION:
        raise BadFile(f"{path} was made by Ostbahn {header.version}, and this one cannot read it")
    digest.update(line)
    return header


def _read_line(path: Path, file: gzip.GzipFile, digest: Any) -> bytes:
    line = file.readline(LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise _damaged(path, "its end is missing")
    digest.update(line)
    return line


def _check_trailer(path: Path, line: bytes, expected: BackupTrailer) -> None:
    try:
        trailer = msgspec.json.decode(line, type=BackupTrailer)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _damaged(path, "its end is not as it was written") from None
    if trailer != expected:
        raise _damaged(path, "something in it is not as it was written")


def _decode_row(path: Path, line: bytes, kinds: dict[str, list[str]]) -> tuple[str, list[Any]]:
    try:
        table, values = msgspec.json.decode(line, type=tuple[str, list[Any]])
        return table, [_decode_value(kind, value) for kind, value in zip(kinds[table], values, strict=True)]
    except (msgspec.DecodeError, KeyError, ValueError, TypeError):
        raise _damaged(path, "a row in it is not as it was written") from None


def _decode_value(kind: str, value: Any) -> Any:
    if value is None:
        return None
    if kind == "moment":
        return datetime.fromisoformat(value)
    return b64decode(value, validate=True) if kind == "bytes" else value


def _damaged(path: Path, damage: str) -> BadFile:
    return BadFile(f"{path} is damaged: {damage}. Nothing was changed")


BATCH: Final = 500  # rows in memory at most


def back_up(
    settings: Settings, path: Path, now: datetime, with_secret: bool = False, force: bool = False
) -> dict[str, int]:
    """Write the whole database into a file; returns the number of rows by table."""
    if path.exists() and not force:
        raise BadFile(f"{path} is there already; --force overwrites it")
    check_there(settings)
    with open_existing(settings.database_url, settings.kept_in) as engine:
        secret = _secret(settings, engine) if with_secret else ""
        with consistent_snapshot(engine) as connection:
            header = _header(connection, now, secret)
            with writing(path, header) as writer:
                for table in METADATA.sorted_tables:
                    for row in connection.execute(select(table), execution_options={"yield_per": BATCH}):
                        writer.add(str(table.name), row)
    return writer.rows


def _secret(settings: Settings, engine: Engine) -> str:
    file = secret_file(engine, settings.data)
    secret = settings.key_secret or read_secret(file)
    if secret is None:
        raise BadSetup(f"there is no secret to be kept: {file} is missing")
    return secret.hex()


def _header(connection: Connection, now: datetime, secret: str) -> BackupHeader:
    revision = revision_of(connection)
    if revision != newest_revision():
        raise BadSetup(
            f"the tables are those of version {revision}, and this Ostbahn has {newest_revision()}: start the server"
            " once, which brings them up to date, or make the backup with the Ostbahn that wrote them"
        )
    layouts = tuple(
        TableLayout(str(table.name), tuple((str(column.name), _kind(column)) for column in table.columns))
        for table in METADATA.sorted_tables
    )
    return BackupHeader(
        ostbahn_backup=FORMAT_VERSION, version=__version__, revision=revision, made=now, tables=layouts, secret=secret
    )


SUFFIXES: Final = ("-wal", "-shm", "-journal")  # of SQLite's own files beside a database in use
OTHER_CONNECTIONS: Final = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND backend_type = 'client backend'"
)


def restore(settings: Settings, path: Path, replace: bool = False) -> dict[str, int]:
    """Restore a backup, over existing data only if `replace`; returns the number of rows by table."""
    with _opened(path) as backup:
        header = _read_header(path, backup, hashlib.sha256())
    rows = _checked_row_counts(path, header)
    engine = engine_of(settings.database_url)
    try:
        file = Path(engine.url.database or "")
        if is_sqlite(engine) and _exists(file) and not replace:
            raise BadSetup(
                f"{file} is there already; --replace puts the backup in its place, and what is there is gone"
            )
        secret = _secret_to_restore(settings, engine, header, replace)
        if is_sqlite(engine):
            _restore_file(file, path, header, secret)
        else:
            _restore_server(engine, path, header, secret, replace)
        if settings.secret is None:
            write_secret(secret_file(engine, settings.data), secret)
    except SQLAlchemyError as fault:
        raise BadSetup(f"{settings.kept_in} cannot be written: {reason_of(fault)}. Nothing was changed") from None
    finally:
        engine.dispose()
    return rows


def _checked_row_counts(path: Path, header: BackupHeader) -> dict[str, int]:
    """Read and verify the whole backup before anything is changed; returns the number of rows by table."""
    if header.revision not in known_revisions():
        raise BadFile(f"{path} was made by Ostbahn {header.version}, which is newer than this one")
    counts = Counter(table for table, _ in rows_of(path))
    return {layout.name: counts[layout.name] for layout in header.tables}


def _secret_to_restore(settings: Settings, engine: Engine, header: BackupHeader, replace: bool) -> bytes:
    """The secret of the backup, else the present one, else a new one (which hides links until they are used)."""
    present = settings.key_secret or read_secret(secret_file(engine, settings.data))
    if not header.secret:
        return present or new_secret()
    backed_up = bytes.fromhex(header.secret)
    if len(backed_up) != BYTES:
        raise BadFile("the secret in this backup is none")
    may_replace = replace and settings.secret is None
    if present not in (None, backed_up) and not may_replace:
        raise BadSetup(
            "the backup brings another secret of keys than the one that is there; --replace takes it instead"
        )
    return backed_up


def _restore_file(file: Path, path: Path, header: BackupHeader, secret: bytes) -> None:
    """Restore to an SQLite file: fill a new one beside it, which replaces it once complete."""
    new = file.with_name(f".ostbahn-{secrets.token_hex(8)}.sqlite")
    engine = engine_of(URL.create("sqlite", database=str(new)).render_as_string())
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            _fill(connection, path, header, KeyCipher(secret))
        engine.dispose()  # closing the last connection merges the write-ahead log
        new.chmod(0o600)
        if _exists(file):
            _require_unused(file)
        new.replace(file)
        sync_folder(file.parent)
    finally:
        engine.dispose()
        for suffix in ("", *SUFFIXES):
            Path(f"{new}{suffix}").unlink(missing_ok=True)


def _exists(file: Path) -> bool:
    return any(Path(f"{file}{suffix}").exists() for suffix in ("", *SUFFIXES))


def _require_unused(file: Path) -> None:
    """Refuse a database in use, whose server would write to a deleted file: SQLite then cannot leave WAL mode."""
    try:
        with closing(sqlite3.connect(file, timeout=1)) as connection:
            (mode,) = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.OperationalError:
        mode = "wal"
    except sqlite3.DatabaseError:  # damaged, which may be the reason for restoring
        mode = "delete"
    if mode != "delete":
        raise BadSetup(f"{file} is in use; stop the server first. Nothing was changed")
    for suffix in SUFFIXES:
        Path(f"{file}{suffix}").unlink(missing_ok=True)


def _restore_server(engine: Engine, path: Path, header: BackupHeader, secret: bytes, replace: bool) -> None:
    """Restore to PostgreSQL, in one transaction that also creates the tables."""
    with engine.begin() as connection:
        if inspect(connection).get_table_names():
            if not replace:
                raise BadSetup(
                    f"the database {engine.url.database} is not empty; --replace puts the backup in place of what is"
                    " kept there, which is gone then"
                )
            if connection.exec_driver_sql(OTHER_CONNECTIONS).scalar():
                raise BadSetup("others are connected to the database; stop the server first. Nothing was changed")
            old_tables = MetaData()
            old_tables.reflect(connection)
            old_tables.drop_all(connection)
        _fill(connection, path, header, KeyCipher(secret))


def _fill(connection: Connection, path: Path, header: BackupHeader, key_cipher: KeyCipher) -> None:
    """Create the tables of the backup's revision, insert all rows, and migrate to today's tables."""
    upgrade_to(connection, key_cipher, header.revision)
    tables = _reflected_tables(connection, header)
    for layout in header.tables:  # migrations insert rows, which the backup has too
        connection.execute(delete(tables[layout.name]))
    columns = {layout.name: [name for name, _ in layout.columns] for layout in header.tables}
    for name, rows in groupby(rows_of(path), key=itemgetter(0)):
        while batch := [dict(zip(columns[name], values, strict=True)) for _, values in islice(rows, BATCH)]:
            connection.execute(insert(tables[name]), batch)
    if not is_sqlite(connection.engine):
        _advance_sequences(connection, tables)
    upgrade_to(connection, key_cipher)


def _reflected_tables(connection: Connection, header: BackupHeader) -> dict[str, Table]:
    """The tables in the database; refuses a backup with unknown tables or columns."""
    metadata = MetaData()
    metadata.reflect(connection)
    for layout in header.tables:
        table = metadata.tables.get(layout.name)
        if table is None or {name for name, _ in layout.columns} - set(table.c.keys()):
            raise BadFile(f"this backup has a table {layout.name} that the tables of its version do not have")
    return dict(metadata.tables)


def _advance_sequences(connection: Connection, tables: dict[str, Table]) -> None:
    """Let the ids of new rows follow those of the backup (PostgreSQL)."""
    for table in tables.values():
        if table.primary_key.columns.keys() == ["id"] and isinstance(table.c.id.type, Integer):
            sequence = func.pg_get_serial_sequence(table.name, "id")
            last = select(func.max(table.c.id)).scalar_subquery()
            connection.execute(select(func.setval(sequence, func.coalesce(last, 1), last.is_not(None))))
