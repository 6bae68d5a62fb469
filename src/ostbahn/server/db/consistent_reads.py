"""The database as it is at one moment, read while others go on writing; nothing in it is changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import SQLAlchemyError

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.db.damage import check_file
from ostbahn.server.db.database import engine_of, is_sqlite, reason_of


@contextmanager
def one_moment(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees everything as it was when it began, and whose end nobody waits for."""
    if is_sqlite(engine):
        with engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")  # its driver would begin a transaction only where something is changed
            connection.exec_driver_sql("SELECT 1 FROM sqlite_master")
            yield connection
            connection.rollback()
    else:
        alone = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with alone.connect() as connection, connection.begin():
            yield connection


@contextmanager
def opened(url: str, kept_in: str) -> Iterator[Engine]:
    """A database that is there, as it is: unlike an `Archive` it is neither made nor brought up to date.

    kept_in: its address for people.
    """
    engine = engine_of(url)
    try:
        if is_sqlite(engine):
            file = Path(engine.url.database or "")
            if not file.exists():
                raise BadSetup(f"there is no {file}; --data FOLDER says where the games are kept")
            check_file(file)
        with engine.connect() as connection:
            if not inspect(connection).has_table("games"):
                raise BadSetup(f"no games are kept in {kept_in}")
        yield engine
    except SQLAlchemyError as fault:
        raise BadSetup(f"{kept_in} cannot be read: {reason_of(fault)}") from None
    finally:
        engine.dispose()


def revision_of(connection: Connection) -> str:
    return MigrationContext.configure(connection).get_current_revision() or ""
