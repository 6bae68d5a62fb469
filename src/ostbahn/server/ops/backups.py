"""Backups, while the server goes on: everything as it was at one moment, in a form that any database can be made of.

A copy of files or a dump would fit one kind of database only, and nobody could move from SQLite to PostgreSQL with it.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, select

from ostbahn import __version__
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.server.db.consistent_reads import one_moment, opened, revision_of
from ostbahn.server.db.database import secret_file
from ostbahn.server.db.encryption import read_secret
from ostbahn.server.db.revisions import newest_revision
from ostbahn.server.ops.backup_files import FORM, Header, Written, form_of, writing
from ostbahn.server.schema import METADATA
from ostbahn.server.settings import Settings, check_there

AT_ONCE: Final = 500
"""Rows that are in memory at most."""


def back_up(
    settings: Settings, path: Path, now: datetime, with_secret: bool = False, force: bool = False
) -> dict[str, int]:
    """Write all that is kept into a file; returns how many rows each table has."""
    if path.exists() and not force:
        raise BadFile(f"{path} is there already; --force overwrites it")
    check_there(settings)
    with opened(settings.database_url, settings.kept_in) as engine:
        secret = _secret(settings, engine) if with_secret else ""
        with one_moment(engine) as connection:
            header = _header(connection, now, secret)
            with writing(path, header) as written:
                _write(connection, written)
    return written.rows


def _secret(settings: Settings, engine: Engine) -> str:
    found = settings.key_secret or read_secret(secret_file(engine, settings.data))
    if found is None:
        raise BadSetup(f"there is no secret to be kept: {secret_file(engine, settings.data)} is missing")
    return found.hex()


def _header(connection: Connection, now: datetime, secret: str) -> Header:
    revision = revision_of(connection)
    if revision != newest_revision():
        raise BadSetup(
            f"the tables are those of version {revision}, and this Ostbahn has {newest_revision()}: start the server"
            " once, which brings them up to date, or make the backup with the Ostbahn that wrote them"
        )
    forms = tuple(form_of(table) for table in METADATA.sorted_tables)
    return Header(ostbahn_backup=FORM, version=__version__, revision=revision, made=now, tables=forms, secret=secret)


def _write(connection: Connection, written: Written) -> None:
    for table in METADATA.sorted_tables:
        rows = connection.execute(select(table), execution_options={"yield_per": AT_ONCE})
        for row in rows:
            written.add(str(table.name), row)
