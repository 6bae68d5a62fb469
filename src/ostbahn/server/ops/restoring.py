"""Putting a backup back: into an empty folder or database, after all of it was checked, as a whole or not at all."""

from __future__ import annotations

import secrets
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import groupby, islice
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, Integer, MetaData, Table, delete, func, insert, inspect, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.server.db.database import engine_of, is_sqlite, reason_of, secret_file
from ostbahn.server.db.encryption import BYTES, Seal, new_secret, read_secret, write_secret
from ostbahn.server.db.revisions import bring_to, known_revisions
from ostbahn.server.ops.backup_files import Header, header_of, rows_of
from ostbahn.server.settings import Settings
from ostbahn.storage import sync_folder

AT_ONCE: Final = 500
"""Rows that are in memory at most."""
BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite puts beside a file while it is in use."""
OTHERS: Final = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND backend_type = 'client backend'"
)


def restore(settings: Settings, path: Path, replace: bool = False) -> dict[str, int]:
    """Put back what a file says; returns how many rows each table has now.

    replace: also where something is kept already, which is gone then.
    """
    header = header_of(path)
    rows = _checked(path, header)
    engine = engine_of(settings.database_url)
    try:
        file = Path(engine.url.database or "")
        if is_sqlite(engine) and _is_there(file) and not replace:
            raise BadSetup(
                f"{file} is there already; --replace puts the backup in its place, and what is there is gone"
            )
        secret = _secret(settings, engine, header, replace)
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


def _checked(path: Path, header: Header) -> dict[str, int]:
    """Read all of it once, before anything is touched."""
    if header.revision not in known_revisions():
        raise BadFile(f"{path} was made by Ostbahn {header.version}, which is newer than this one")
    found = Counter(row.table for row in rows_of(path))
    return {form.name: found[form.name] for form in header.tables}


def _secret(settings: Settings, engine: Engine, header: Header, replace: bool) -> bytes:
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


# Into a file


def _into_file(file: Path, path: Path, header: Header, secret: bytes) -> None:
    """A new file is made beside, and takes its place when it is complete."""
    new = file.with_name(f".ostbahn-{secrets.token_hex(8)}.sqlite")
    engine = engine_of(URL.create("sqlite", database=str(new)).render_as_string())
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            _fill(connection, path, header, Seal(secret))
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


# Into a database server


def _into_server(engine: Engine, path: Path, header: Header, secret: bytes, replace: bool) -> None:
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
        _fill(connection, path, header, Seal(secret))


# Rows


def _fill(connection: Connection, path: Path, header: Header, seal: Seal) -> None:
    """Tables as they were when the backup was made, all rows, and then the tables of today."""
    bring_to(connection, seal, header.revision)
    tables = _tables(connection, header)
    for form in header.tables:  # changes of the tables put rows in, which the backup has as they were by then
        connection.execute(delete(tables[form.name]))
    columns = {form.name: [name for name, _ in form.columns] for form in header.tables}
    for name, rows in groupby(rows_of(path), key=lambda row: row.table):
        while some := [dict(zip(columns[name], row.values, strict=True)) for row in islice(rows, AT_ONCE)]:
            connection.execute(insert(tables[name]), some)
    if not is_sqlite(connection.engine):
        _count_on(connection, tables)
    bring_to(connection, seal)


def _tables(connection: Connection, header: Header) -> dict[str, Table]:
    found = MetaData()
    found.reflect(connection)
    for form in header.tables:
        if form.name not in found.tables or {name for name, _ in form.columns} - set(found.tables[form.name].c.keys()):
            raise BadFile(f"this backup has a table {form.name} that the tables of its version do not have")
    return dict(found.tables)


def _count_on(connection: Connection, tables: dict[str, Table]) -> None:
    """New rows get numbers behind those that came with the backup."""
    for table in tables.values():
        for column in table.primary_key.columns:
            if isinstance(column.type, Integer) and table.primary_key.columns.keys() == ["id"]:
                sequence = func.pg_get_serial_sequence(table.name, column.name)
                last = select(func.max(column)).scalar_subquery()
                connection.execute(select(func.setval(sequence, func.coalesce(last, 1), last.is_not(None))))
