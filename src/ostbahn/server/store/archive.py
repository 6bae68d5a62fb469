"""The database: opening it, bringing it up to date, and the few things that are done with it again and again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.sent import check_text
from ostbahn.server.store.damage import check_file, check_tables, secret_of, told
from ostbahn.server.store.schema import Base
from ostbahn.server.store.seals import Seal, new_secret, read_secret, write_secret

FILE: Final = "ostbahn.sqlite"
"""The database in a data folder."""
SECRET: Final = "ostbahn.secret"
"""There too, for a database that lies elsewhere."""
PARAMETERS: Final = 3
"""Which of the things that SQLAlchemy tells about a statement are its values."""


def url_in(folder: Path) -> str:
    """The database of a data folder, which is made if it is not there."""
    return URL.create("sqlite", database=str(_made(folder) / FILE)).render_as_string()


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the name
        reason = getattr(fault, "strerror", None) or fault
        raise BadSetup(f"the data folder {str(folder)!r} cannot be made: {reason}") from None
    return folder


class Archive:
    """All that is kept. Every change is one transaction: it is there as a whole, or not at all."""

    def __init__(self, url: str, data: Path | None = None) -> None:
        """The database at an address; where that is no file, `data` is the folder for its secret."""
        self.engine = _engine(url)
        secret = _secret_of(self.engine, data)
        if _is_sqlite(self.engine):
            check_file(_file_of(self.engine))
        try:
            self.seal = migrate(self.engine, secret)
        except (SQLAlchemyError, CommandError, ValueError) as fault:
            self.engine.dispose()
            raise BadSetup(f"{_told(url)} cannot be used: {_reason(fault)}") from fault
        self._sessions = sessionmaker(self.engine, expire_on_commit=False)

    @contextmanager
    def session(self) -> Iterator[Session]:
        with self._sessions.begin() as session:
            yield session

    def close(self) -> None:
        self.engine.dispose()


def _engine(url: str) -> Engine:
    try:
        parts = make_url(url)
        engine = create_engine(parts)
    except Exception as fault:  # SQLAlchemy and drivers raise what they like here
        raise BadSetup(f"{_told(url)} is no database that can be opened here: {fault}") from None
    if _is_sqlite(engine):
        if parts.database in (None, "", ":memory:"):
            raise BadSetup("a database in memory would be forgotten; give it a file")
        event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "before_cursor_execute", lambda *given: _check_texts(given[PARAMETERS]))
    return engine


def _is_sqlite(engine: Engine) -> bool:
    return engine.dialect.name == "sqlite"


def _file_of(engine: Engine) -> Path:
    return Path(engine.url.database or "")


def _told(url: str) -> str:
    """The address of a database for people: without its password."""
    try:
        return repr(make_url(url).render_as_string())
    except SQLAlchemyError:
        return repr(url)


def _reason(fault: Exception) -> str:
    if isinstance(fault, CommandError):
        return f"a later Ostbahn seems to have written it ({fault})"
    return str(fault.orig if isinstance(fault, DBAPIError) else fault).partition("\n")[0]


def _prepare_sqlite(connection: Any, _: object) -> None:
    """Readers do not wait for the writer, a commit is on the disk, and references must hold."""
    cursor = connection.cursor()
    for pragma in ("busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
    # a letter that is damaged must not keep anybody from reading all others
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")


def _check_texts(parameters: Any) -> None:
    """PostgreSQL keeps no text with NUL in it, and says so in its own way; here no database does."""
    for value in parameters.values() if isinstance(parameters, dict) else parameters:
        if isinstance(value, dict | list | tuple):  # several rows
            _check_texts(value)
        else:
            check_text(value)


def _secret_of(engine: Engine, data: Path | None) -> Path:
    """Where the secret lies with which keys are sealed: beside the database, but never in it."""
    if _is_sqlite(engine):
        return secret_of(_file_of(engine))
    if data is None:
        raise BadSetup(f"{_told(str(engine.url))} is no file, so a data folder is needed for the secret of its links")
    return _made(data) / SECRET


def migrate(engine: Engine, secret: Path) -> Seal:
    """Make the tables, or change those of an earlier version into today's; returns how its keys are sealed."""
    config = Config()
    config.set_main_option("script_location", "ostbahn.server.store:migrations")
    with engine.begin() as connection:
        if _is_sqlite(engine):  # its driver would make each table for good at once, and let others do so meanwhile
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        before = MigrationContext.configure(connection).get_current_revision()
        known = read_secret(secret)
        if _is_sqlite(engine):
            _check_before(connection, before, known is not None)
        made = known or new_secret()
        config.attributes |= {"connection": connection, "seal": Seal(made)}
        command.upgrade(config, "head")
        changed = before not in (None, MigrationContext.configure(connection).get_current_revision())
        check_tables(_file_of(engine), inspect(connection).get_table_names(), Base.metadata.tables)
        if known is None:
            write_secret(secret, made)
    if changed and _is_sqlite(engine):
        _forget_what_was(engine)
    return Seal(made)


def _check_before(connection: Connection, revision: str | None, begun: bool) -> None:
    """Tables that were there and are not, before others are made in their place."""
    tables = inspect(connection).get_table_names()
    if revision is None and (begun or tables):
        what = "tables are missing in it" if tables else "nothing is in it, but games were kept there"
        raise told(_file_of(connection.engine), f"is damaged: {what}")


def _forget_what_was(engine: Engine) -> None:
    """SQLite leaves what was in a table where it lay until the place is needed: keys must not be found there."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
