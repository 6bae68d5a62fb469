"""SQLite files: made private, locked to one serving process, and checked before use. A bad file is never changed."""

from __future__ import annotations

import fcntl
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import make_url

from ostbahn.extras import install_command
from ostbahn.kernel.errors import BadSetup

LOG: Final = logging.getLogger(__name__)
PRIVATE: Final = 0o600
OTHERS: Final = 0o077  # permissions of the group and of all others
SUFFIXES: Final = ("", "-wal", "-shm", ".secret", ".lock")  # of a database file and those beside it


def make_private(file: Path) -> None:
    """Create a database file readable by its owner only, or restrict it; SQLite's own files inherit its mode."""
    with suppress(OSError):  # the file exists, or opening it later reports the error
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    for suffix in SUFFIXES:
        restrict_permissions(Path(f"{file}{suffix}"))


def restrict_permissions(file: Path) -> None:
    try:
        mode = file.stat().st_mode
        if file.is_file() and mode & OTHERS:
            file.chmod(PRIVATE)
    except FileNotFoundError:
        return
    except OSError as fault:
        LOG.warning("%s can be read by others, and that cannot be changed: %s", file.name, fault.strerror)


MAGIC: Final = b"SQLite format 3\0"


def bad_database(place: Path | str, fault: str, remedy: str = "") -> BadSetup:
    """The error for a bad database. place: its file, or its name in messages."""
    usual = "Put a copy of it back, or name an empty one"
    if isinstance(place, Path):
        usual = f"Put a copy of it back, or move it and {secret_of(place).name} away to begin with an empty one"
    return BadSetup(f"{place} {fault}. Nothing was changed. {remedy or usual}")


def secret_of(file: Path) -> Path:
    """The file with the secret of an SQLite database, which exists once its tables do."""
    return Path(f"{file}.secret")


def check_file(file: Path) -> None:
    """Refuse a file that is missing, damaged, or no SQLite database; a new one is accepted."""
    had_tables = secret_of(file).exists()
    if file.is_dir():
        raise bad_database(file, "is a folder", "Another place for the games is taken with --data FOLDER")
    if not file.exists():
        if had_tables:
            fault = f"is missing, but {secret_of(file).name} beside it says that games were kept there"
            raise bad_database(file, fault)
    elif file.stat().st_size:
        _check_content(file)
    elif had_tables or _has_log(file):
        raise bad_database(file, "is empty, but games were kept in it")


def _has_log(file: Path) -> bool:
    """Whether the write-ahead log has entries, as after a crash, or while a server runs."""
    log = Path(f"{file}-wal")
    return log.exists() and log.stat().st_size > 0


def _check_content(file: Path) -> None:
    immutable = "" if _has_log(file) else "&immutable=1"  # which leaves no files beside it
    try:
        with file.open("rb") as stream:
            if stream.read(len(MAGIC)) != MAGIC:
                raise bad_database(file, "is no SQLite database, or its beginning is damaged")
        address = f"file:{quote(str(file.resolve()))}?mode=ro{immutable}"
        with closing(sqlite3.connect(address, uri=True, timeout=5)) as connection:
            connection.text_factory = bytes
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except OSError as fault:
        raise bad_database(file, f"cannot be read: {fault.strerror}") from None
    except sqlite3.OperationalError as fault:  # the file itself may be fine
        raise bad_database(file, f"cannot be opened: {fault}", "Is it being copied, or in use elsewhere?") from None
    except sqlite3.DatabaseError as fault:
        raise bad_database(file, f"is damaged: {fault}") from None
    if verdict != b"ok":
        raise bad_database(file, f"is damaged: {verdict.decode('utf-8', 'replace').splitlines()[-1]}")


FILES: Final = "sqlite://"  # URL prefix of databases in a file
ELSEWHERE: Final = (
    f"Several processes need PostgreSQL: --database postgresql://USER@HOST/NAME ({install_command('postgres')})"
)


def is_file(url: str) -> bool:
    """Whether a database is an SQLite file, which only one process can serve."""
    return make_url(url).get_backend_name() == "sqlite"


def check_workers(url: str, workers: int) -> None:
    if workers > 1 and is_file(url):
        raise BadSetup(f"games that are kept in a file are served by one process, not by {workers}. {ELSEWHERE}")


@contextmanager
def only_server(url: str) -> Iterator[None]:
    """Lock an SQLite file against other servers, but not against command line tools, while this process lives."""
    file = Path(f"{make_url(url).database}.lock")
    if not is_file(url) or not file.parent.is_dir():  # opening the database reports a missing folder
        yield
        return
    try:
        stream = os.fdopen(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_APPEND, PRIVATE), "a", encoding="ascii")
    except OSError as fault:
        raise BadSetup(f"{file} cannot be written: {fault.strerror}") from None
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadSetup(
                f"another server serves {file.with_suffix('')} already, and only one may. {ELSEWHERE}"
            ) from None
        yield
