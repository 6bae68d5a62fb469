"""Backups of a running server, for any kind of database: everything at one moment, in one file, and its way back.

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

FORM: Final = 1  # of these files; a later one cannot be read here
LONGEST_LINE: Final = 50_000_000  # bytes; a state has some 100,000
PACKED: Final = 6

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
    secret: str = ""  # with which keys are encrypted; empty unless it was wanted in here


class BackupTrailer(Struct, frozen=True):
    rows: dict[str, int]
    sha256: str


def _kind(column: Column[Any]) -> str:
    return next((name for kind, name in KINDS.items() if isinstance(column.type, kind)), "text")


# Writing


class BackupWriter:
    def __init__(self, file: Any, header: BackupHeader) -> None:
        self._file, self._digest = file, hashlib.sha256()
        self.rows = {form.name: 0 for form in header.tables}
        self._encoder = msgspec.json.Encoder()
        self._line(header)

    def add(self, table: str, values: Any) -> None:
        self._line((table, [_plain(value) for value in values]))
        self.rows[table] += 1

    def end(self) -> None:
        self._line(BackupTrailer(self.rows, self._digest.hexdigest()))

    def _line(self, told: object) -> None:
        line = self._encoder.encode(told) + b"\n"
        self._digest.update(line)
        self._file.write(line)


@contextmanager
def writing(path: Path, header: BackupHeader) -> Iterator[BackupWriter]:
    """A new backup, whole or not at all; nobody but its owner may read it."""
    with atomic_write(path, mode=0o600) as file:
        os.fchmod(file.fileno(), 0o600)
        with gzip.GzipFile("", "wb", PACKED, file, mtime=0) as packed:
            written = BackupWriter(packed, header)
            yield written
            written.end()


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


# Reading


def rows_of(path: Path) -> Iterator[tuple[str, list[Any]]]:
    """All rows, each with the name of its table; at the end everything has been checked."""
    digest = hashlib.sha256()
    with _opened(path) as file:
        header = _read_header(path, file, digest)
        kinds = {form.name: [kind for _, kind in form.columns] for form in header.tables}
        seen = dict.fromkeys(kinds, 0)
        while True:
            before = digest.hexdigest()
            line = _line(path, file, digest)
            if line.startswith(b"{"):
                _check_end(path, line, BackupTrailer(seen, before))
                if file.readline(1):
                    raise _damaged(path, "something stands behind its end")
                return
            table, values = _row(path, line, kinds)
            seen[table] += 1
            yield table, values


@contextmanager
def _opened(path: Path) -> Iterator[gzip.GzipFile]:
    try:
        with path.open("rb") as file, gzip.GzipFile(fileobj=file) as packed:
            yield packed
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
    if header.ostbahn_backup > FORM:
        raise BadFile(f"{path} was made by Ostbahn {header.version}, and this one cannot read it")
    digest.update(line)
    return header


def _line(path: Path, file: gzip.GzipFile, digest: Any) -> bytes:
    line = file.readline(LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise _damaged(path, "its end is missing")
    digest.update(line)
    return line


def _check_end(path: Path, line: bytes, wanted: BackupTrailer) -> None:
    try:
        found = msgspec.json.decode(line, type=BackupTrailer)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _damaged(path, "its end is not as it was written") from None
    if found != wanted:
        raise _damaged(path, "something in it is not as it was written")


def _row(path: Path, line: bytes, kinds: dict[str, list[str]]) -> tuple[str, list[Any]]:
    try:
        table, values = msgspec.json.decode(line, type=tuple[str, list[Any]])
        return table, [_meant(kind, value) for kind, value in zip(kinds[table], values, strict=True)]
    except (msgspec.DecodeError, KeyError, ValueError, TypeError):
        raise _damaged(path, "a row in it is not as it was written") from None


def _meant(kind: str, value: Any) -> Any:
    if value is None:
        return None
    if kind == "moment":
        return datetime.fromisoformat(value)
    return b64decode(value, validate=True) if kind == "bytes" else value


def _damaged(path: Path, what: str) -> BadFile:
    return BadFile(f"{path} is damaged: {what}. Nothing was changed")


AT_ONCE: Final = 500  # rows in memory at most


def back_up(
    settings: Settings, path: Path, now: datetime, with_secret: bool = False, force: bool = False
) -> dict[str, int]:
    """Write all that is kept into a file; returns how many rows each table has."""
    if path.exists() and not force:
        raise BadFile(f"{path} is there already; --force overwrites it")
    check_there(settings)
    with open_existing(settings.database_url, settings.kept_in) as engine:
        secret = _secret(settings, engine) if with_secret else ""
        with consistent_snapshot(engine) as connection:
            header = _header(connection, now, secret)
            with writing(path, header) as written:
                for table in METADATA.sorted_tables:
                    for row in connection.execute(select(table), execution_options={"yield_per": AT_ONCE}):
                        written.add(str(table.name), row)
    return written.rows


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
    forms = tuple(
        TableLayout(str(table.name), tuple((str(column.name), _kind(column)) for column in table.columns))
        for table in METADATA.sorted_tables
    )
    return BackupHeader(
        ostbahn_backup=FORM, version=__version__, revision=revision, made=now, tables=forms, secret=secret
    )


BESIDE: Final = ("-wal", "-shm", "-journal")  # what SQLite puts beside a file while it is in use
OTHERS: Final = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND backend_type = 'client backend'"
)


def restore(settings: Settings, path: Path, replace: bool = False) -> dict[str, int]:
    """Put a backup back, also over what is there if `replace`; returns the number of rows by table."""
    with _opened(path) as packed:
        header = _read_header(path, packed, hashlib.sha256())
    rows = _checked(path, header)
    engine = engine_of(settings.database_url)
    try:
        file = Path(engine.url.database or "")
        if is_sqlite(engine) and _is_there(file) and not replace:
            raise BadSetup(
                f"{file} is there already; --replace puts the backup in its place, and what is there is gone"
            )
        secret = _secret_to_restore(settings, engine, header, replace)
        if is_sqlite(engine):
            _into_file(file, path, header, secret)
        else:
            _into_server(engine, path, header, secret, replace)
        if settings.secret is None:
            write_secret(secret_file(engine, settings.data), secret)
    except SQLAlchemyError as fault:
        raise BadSetup(f"{settings.kept_in} cannot be written: {reason_of(fault)}. Nothing was changed") from None
    finally:
        engine.dispose()
    return rows


def _checked(path: Path, header: BackupHeader) -> dict[str, int]:
    """Read all of it once, before anything is touched."""
    if header.revision not in known_revisions():
        raise BadFile(f"{path} was made by Ostbahn {header.version}, which is newer than this one")
    numbers = Counter(table for table, _ in rows_of(path))
    return {form.name: numbers[form.name] for form in header.tables}


def _secret_to_restore(settings: Settings, engine: Engine, header: BackupHeader, replace: bool) -> bytes:
    """That of the backup; else the one that is there; else a new one, with which links are not shown until used."""
    there = settings.key_secret or read_secret(secret_file(engine, settings.data))
    if not header.secret:
        return there or new_secret()
    brought = bytes.fromhex(header.secret)
    if len(brought) != BYTES:
        raise BadFile("the secret in this backup is none")
    if there not in (None, brought) and (settings.secret is not None or not replace):
        raise BadSetup(
            "the backup brings another secret of keys than the one that is there; --replace takes it instead"
        )
    return brought


def _into_file(file: Path, path: Path, header: BackupHeader, secret: bytes) -> None:
    """A new file is made beside, and takes its place when it is complete."""
    new = file.with_name(f".ostbahn-{secrets.token_hex(8)}.sqlite")
    engine = engine_of(URL.create("sqlite", database=str(new)).render_as_string())
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            _fill(connection, path, header, KeyCipher(secret))
        engine.dispose()  # the last who uses it brings everything into the file
        new.chmod(0o600)
        if _is_there(file):
            _nobody_uses(file)
        new.replace(file)
        sync_folder(file.parent)
    finally:
        engine.dispose()
        for more in ("", *BESIDE):
            Path(f"{new}{more}").unlink(missing_ok=True)


def _is_there(file: Path) -> bool:
    return any(Path(f"{file}{more}").exists() for more in ("", *BESIDE))


def _nobody_uses(file: Path) -> None:
    """SQLite leaves its write-ahead log only where nobody else has the file open; a server would write into nothing."""
    try:
        with closing(sqlite3.connect(file, timeout=1)) as connection:
            (mode,) = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.OperationalError:
        mode = "wal"
    except sqlite3.DatabaseError:  # it is damaged, which may be why a backup is put back
        mode = "delete"
    if mode != "delete":
        raise BadSetup(f"{file} is in use; stop the server first. Nothing was changed")
    for more in BESIDE:
        Path(f"{file}{more}").unlink(missing_ok=True)


def _into_server(engine: Engine, path: Path, header: BackupHeader, secret: bytes, replace: bool) -> None:
    """All in one transaction, the making of tables included."""
    with engine.begin() as connection:
        if inspect(connection).get_table_names():
            if not replace:
                raise BadSetup(
                    f"the database {engine.url.database} is not empty; --replace puts the backup in place of what is"
                    " kept there, which is gone then"
                )
            if connection.exec_driver_sql(OTHERS).scalar():
                raise BadSetup("others are connected to the database; stop the server first. Nothing was changed")
            before = MetaData()
            before.reflect(connection)
            before.drop_all(connection)
        _fill(connection, path, header, KeyCipher(secret))


def _fill(connection: Connection, path: Path, header: BackupHeader, key_cipher: KeyCipher) -> None:
    """Tables as they were when the backup was made, all rows, and then the tables of today."""
    upgrade_to(connection, key_cipher, header.revision)
    tables = _tables(connection, header)
    for form in header.tables:  # changes of the tables put rows in, which the backup has as they were by then
        connection.execute(delete(tables[form.name]))
    columns = {form.name: [name for name, _ in form.columns] for form in header.tables}
    for name, rows in groupby(rows_of(path), key=itemgetter(0)):
        while some := [dict(zip(columns[name], values, strict=True)) for _, values in islice(rows, AT_ONCE)]:
            connection.execute(insert(tables[name]), some)
    if not is_sqlite(connection.engine):
        _count_on(connection, tables)
    upgrade_to(connection, key_cipher)


def _tables(connection: Connection, header: BackupHeader) -> dict[str, Table]:
    there = MetaData()
    there.reflect(connection)
    for form in header.tables:
        if form.name not in there.tables or {name for name, _ in form.columns} - set(there.tables[form.name].c.keys()):
            raise BadFile(f"this backup has a table {form.name} that the tables of its version do not have")
    return dict(there.tables)


def _count_on(connection: Connection, tables: dict[str, Table]) -> None:
    """New rows get numbers behind those that came with the backup."""
    for table in tables.values():
        if table.primary_key.columns.keys() == ["id"] and isinstance(table.c.id.type, Integer):
            sequence = func.pg_get_serial_sequence(table.name, "id")
            last = select(func.max(table.c.id)).scalar_subquery()
            connection.execute(select(func.setval(sequence, func.coalesce(last, 1), last.is_not(None))))
