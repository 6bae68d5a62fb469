"""The database: engine, migrations, transactions with commit hooks, and consistent snapshots."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Any, Final, Protocol, TypeVar

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, String, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from ostbahn.extras import install_command
from ostbahn.kernel.errors import BadSetup
from ostbahn.server.db.encryption import KeyCipher, new_secret, read_secret, write_secret
from ostbahn.server.db.files import bad_database, check_file, make_private, restrict_permissions, secret_of
from ostbahn.server.db.tables import Base
from ostbahn.server.limits import check_text
from ostbahn.table.access import Unreadable

FILE: Final = "ostbahn.sqlite"  # the database in a data folder
SECRET: Final = "ostbahn.secret"  # the secret in a data folder, for a PostgreSQL database
DATABASE: Final = "database"  # key of `session.info`: the `Database` that made the session
COMMIT_HOOKS: Final = "commit hooks"  # key of `session.info`: the hooks of a transaction, by name
POSTGRES_NAMES: Final = ("postgresql", "postgres", "postgresql+psycopg")  # schemes of URLs; all mean psycopg 3
POOL_SIZE: Final = 10  # connections that each worker keeps open; it opens as many again when needed
LOCK_TIMEOUT: Final = 30  # seconds for which a statement waits for a lock
WAL_ATTEMPTS: Final = 300  # to turn on the write-ahead log of a new file that other processes open too
WAL_PAUSE: Final = 0.1  # seconds between two attempts
MIGRATION_LOCK: Final = 1873  # number of PostgreSQL's advisory lock for migrations


def sqlite_url_in(folder: Path) -> str:
    """The URL of the SQLite database in a data folder, which is created if needed."""
    return URL.create("sqlite", database=str(_ensure_folder(folder) / FILE)).render_as_string()


def _ensure_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the name
        reason = getattr(fault, "strerror", None) or fault
        raise BadSetup(f"the data folder {str(folder)!r} cannot be made: {reason}") from None
    return folder


class CommitHook(Protocol):
    """Called before and after the commit of a transaction, unless it is rolled back."""

    def before_commit(self, session: Session) -> None:
        """Called last in the transaction."""

    def after_commit(self) -> None:
        """Called once the transaction is committed."""


Hook = TypeVar("Hook", bound=CommitHook)


def commit_hook(session: Session, name: str, make: Callable[[Database], Hook]) -> Hook:
    """The hook of a transaction with this name, created at first use."""
    hooks: dict[str, Hook] = session.info.setdefault(COMMIT_HOOKS, {})
    if name not in hooks:
        hooks[name] = make(session.info[DATABASE])
    return hooks[name]


class Database:
    """A database; each session is one transaction. data: the folder with the secret of a PostgreSQL database."""

    def __init__(self, url: str, data: Path | None = None, secret: bytes | None = None) -> None:
        self.engine = engine_of(url)
        self.is_single_process = is_sqlite(self.engine)  # whether only one process may serve it
        file = secret_file(self.engine, data)
        if self.is_single_process:
            check_file(_file_of(self.engine))
        try:
            self.key_cipher = migrate(self.engine, file, secret)
        except (SQLAlchemyError, CommandError, ValueError) as fault:
            self.engine.dispose()
            raise BadSetup(f"{_url_for_people(url)} cannot be used: {reason_of(fault)}") from fault
        self.shared: dict[str, Any] = {}  # objects of higher layers, one of a name for each database
        self._sessions = sessionmaker(self.engine, expire_on_commit=False, info={DATABASE: self})

    @contextmanager
    def session(self) -> Iterator[Session]:
        with self._sessions.begin() as session:
            yield session
            hooks: list[CommitHook] = list(session.info.get(COMMIT_HOOKS, {}).values())
            for hook in hooks:
                hook.before_commit(session)
        for hook in hooks:
            hook.after_commit()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that reads a consistent snapshot."""
        with self._sessions.begin() as session:
            if not self.is_single_process:
                session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            yield session

    def close(self) -> None:
        self.engine.dispose()


POSTGRES_OPTIONS: Final[dict[str, Any]] = {
    "pool_pre_ping": True,  # the server may have been restarted
    "pool_size": POOL_SIZE,
    "max_overflow": POOL_SIZE,
    # notice a silently broken connection after half a minute, not after hours
    "connect_args": {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4},
}


def engine_of(url: str) -> Engine:
    try:
        parts = make_url(url)
        if parts.drivername in POSTGRES_NAMES:
            parts = parts.set(drivername=POSTGRES_NAMES[-1])
        options = POSTGRES_OPTIONS if parts.drivername in POSTGRES_NAMES else {}
        engine = create_engine(parts, hide_parameters=True, **options)  # errors must not quote rows
    except ModuleNotFoundError as fault:
        remedy = f" ({install_command('postgres')})" if fault.name == "psycopg" else ""
        raise BadSetup(f"{_url_for_people(url)} is no database that can be opened here: {fault}{remedy}") from None
    except Exception as fault:  # SQLAlchemy and drivers raise exceptions of any kind here
        raise BadSetup(f"{_url_for_people(url)} is no database that can be opened here: {fault}") from None
    if is_sqlite(engine):
        if parts.database in (None, "", ":memory:"):
            raise BadSetup("a database in memory would be forgotten; give it a file")
        event.listen(engine, "do_connect", lambda _dialect, _record, args, _options: make_private(Path(args[0])))
        event.listen(engine, "connect", _prepare_sqlite)
        serialise_writes(engine, LOCK_TIMEOUT)
    else:
        event.listen(engine, "connect", _prepare_postgres)
    event.listen(engine, "before_cursor_execute", _check_parameters)
    return engine


def is_sqlite(engine: Engine) -> bool:
    return engine.dialect.name == "sqlite"


def _file_of(engine: Engine) -> Path:
    return Path(engine.url.database or "")


def _describe(engine: Engine) -> Path | str:
    return _file_of(engine) if is_sqlite(engine) else f"the database {engine.url.database!r}"


def _url_for_people(url: str) -> str:
    """The URL of a database without its password, for messages."""
    try:
        return repr(make_url(url).render_as_string())
    except SQLAlchemyError:
        return repr(url)


def reason_of(fault: Exception) -> str:
    if isinstance(fault, CommandError):
        return f"a later Ostbahn seems to have written it ({fault})"
    return str(fault.orig if isinstance(fault, DBAPIError) else fault).partition("\n")[0]


def _prepare_sqlite(connection: Any, _: object) -> None:
    """Write-ahead log (readers do not wait for the writer), durable commits, enforced foreign keys."""
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {LOCK_TIMEOUT * 1000}")
    _enable_wal(cursor)
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()
    # a damaged character must not make its whole row unreadable
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")


def _enable_wal(cursor: Any) -> None:
    """Turn on the write-ahead log; retried, since SQLite does not wait for others that open the same new file."""
    for attempt in range(WAL_ATTEMPTS):
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode != sqlite3.SQLITE_BUSY or attempt == WAL_ATTEMPTS - 1:
                raise
            sleep(WAL_PAUSE)


def _prepare_postgres(connection: Any, _: object) -> None:
    """Time zone UTC, and a limit on waiting for locks."""
    with connection.cursor() as cursor:
        cursor.execute("SET TIME ZONE 'UTC'")
        cursor.execute(f"SET lock_timeout = '{LOCK_TIMEOUT}s'")
    connection.commit()


def _check_parameters(
    _connection: object, _cursor: object, _statement: str, parameters: Any, context: Any, _many: bool
) -> None:
    """Refuse texts with NUL or longer than their column, which SQLite accepts and PostgreSQL does not."""
    _check_texts(parameters)
    if context is not None and context.compiled is not None and (context.isinsert or context.isupdate):
        longest = _length_limits(context.compiled)
        for row in context.compiled_parameters if longest else ():
            for name, most in longest.items():
                value = row.get(name)
                if isinstance(value, str) and len(value) > most:
                    raise Unreadable(f"{name.replace('_', ' ')!r} has at most {most} letters, not {len(value)}")


def _length_limits(compiled: Any) -> dict[str, int]:
    """The maximum lengths of a statement's parameters, by name; cached in the statement."""
    limits: dict[str, int] | None = getattr(compiled, "ostbahn_longest", None)
    if limits is None:
        kinds = ((name, bind.type) for name, bind in compiled.binds.items())
        limits = {name: kind.length for name, kind in kinds if isinstance(kind, String) and kind.length}
        compiled.ostbahn_longest = limits
    return limits


def _check_texts(parameters: Any) -> None:
    for value in parameters.values() if isinstance(parameters, dict) else parameters:
        if isinstance(value, dict | list | tuple):  # several rows
            _check_texts(value)
        else:
            check_text(value)


def secret_file(engine: Engine, data: Path | None) -> Path:
    """The file with the secret that encrypts keys: beside an SQLite file, otherwise in the data folder."""
    if is_sqlite(engine):
        return secret_of(_file_of(engine))
    if data is None:
        raise BadSetup(
            f"{_url_for_people(str(engine.url))} is no file, so a data folder is needed for the secret of its links"
        )
    return _ensure_folder(data) / SECRET


def migrate(engine: Engine, secret: Path, given: bytes | None = None) -> KeyCipher:
    """Create or migrate the tables; returns the cipher of keys."""
    with engine.begin() as connection:
        if is_sqlite(engine):  # its driver would make each table for good at once, and let others do so meanwhile
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:  # others may start at the same moment, here or on other machines
            connection.execute(text("SELECT pg_advisory_xact_lock(:of, 0)"), {"of": MIGRATION_LOCK})
        before = revision_of(connection)
        restrict_permissions(secret)
        known = read_secret(secret)
        _check_tables_present(connection, before, is_sqlite(engine) and known is not None)
        made = given or known or new_secret()
        upgrade_to(connection, KeyCipher(made))
        changed = before not in ("", revision_of(connection))
        if missing := sorted(set(Base.metadata.tables) - set(inspect(connection).get_table_names())):
            raise bad_database(_describe(engine), f"is damaged: it has no table {', '.join(missing)}")
        if given is None and known is None:
            write_secret(secret, made)
    if changed and is_sqlite(engine):
        _scrub_free_pages(engine)
    return KeyCipher(made)


def _check_tables_present(connection: Connection, revision: str, begun: bool) -> None:
    """Refuse a database that has lost its tables, before new ones are created."""
    tables = inspect(connection).get_table_names()
    if not revision and (begun or tables):
        what = "tables are missing in it" if tables else "nothing is in it, but games were kept there"
        raise bad_database(_describe(connection.engine), f"is damaged: {what}")


def _scrub_free_pages(engine: Engine) -> None:
    """Overwrite free pages of SQLite, so that no dropped key can be read there."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


WRITE_LOCK: Final = "writing"  # key of `connection.info`: whether the connection holds the write lock


def serialise_writes(engine: Engine, patience: float) -> None:
    """Let one connection write at a time; after `patience` seconds another one tries without the lock."""
    write_lock = Lock()

    def acquire_to_write(
        connection: Connection, _cursor: object, _statement: str, _parameters: object, context: Any, _many: bool
    ) -> None:
        writes = context is not None and (context.isinsert or context.isupdate or context.isdelete)
        if writes and WRITE_LOCK not in connection.info:
            connection.info[WRITE_LOCK] = write_lock.acquire(timeout=patience)

    def release(_connection: object, record: ConnectionPoolEntry) -> None:  # its transaction has ended
        if record.info.pop(WRITE_LOCK, False):
            write_lock.release()

    event.listen(engine, "before_cursor_execute", acquire_to_write)
    event.listen(engine, "checkin", release)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "ostbahn.server.db:migrations")
    return config


@cache
def known_revisions() -> tuple[str, ...]:
    """The ids of all migrations, the newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def newest_revision() -> str:
    return known_revisions()[0]


def upgrade_to(connection: Connection, key_cipher: KeyCipher, revision: str = "head") -> None:
    """Create the tables of a revision, or migrate to it."""
    config = _config()
    config.attributes |= {"connection": connection, "key_cipher": key_cipher}
    command.upgrade(config, revision)


@contextmanager
def consistent_snapshot(engine: Engine) -> Iterator[Connection]:
    """A read transaction that sees the database as of its beginning, and blocks no writer."""
    if is_sqlite(engine):
        with engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")  # the driver itself begins a transaction only at the first write
            connection.exec_driver_sql("SELECT 1 FROM sqlite_master")
            yield connection
            connection.rollback()
    else:
        reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with reading.connect() as connection, connection.begin():
            yield connection


@contextmanager
def open_existing(url: str, kept_in: str) -> Iterator[Engine]:
    """Open an existing database without migrating it. kept_in: its name in messages."""
    engine = engine_of(url)
    try:
        if is_sqlite(engine):
            if not _file_of(engine).exists():
                raise BadSetup(f"there is no {_file_of(engine)}; --data FOLDER says where the games are kept")
            check_file(_file_of(engine))
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
