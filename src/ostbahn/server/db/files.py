"""Database files: private, served by one process, and checked before use.

A file that cannot be what it was is refused in words that say what to do; it is never changed.
"""

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
OTHERS: Final = 0o077  # rights of the group and of all others
BESIDE: Final = ("", "-wal", "-shm", ".secret", ".lock")


def make_private(file: Path) -> None:
    """Make a database file private; SQLite gives what it writes beside a file the same rights."""
    with suppress(OSError):  # it is there; or whoever opens it says what is wrong
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    for more in BESIDE:
        restrict_permissions(Path(f"{file}{more}"))


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


def bad_database(place: Path | str, what: str, remedy: str = "") -> BadSetup:
    """A refusal of a database. place: its file, or what else it is called."""
    usual = "Put a copy of it back, or name an empty one"
    if isinstance(place, Path):
        usual = f"Put a copy of it back, or move it and {secret_of(place).name} away to begin with an empty one"
    return BadSetup(f"{place} {what}. Nothing was changed. {remedy or usual}")


def secret_of(file: Path) -> Path:
    """The secret beside a database, there since its tables were made: so games may have been kept."""
    return Path(f"{file}.secret")


def check_file(file: Path) -> None:
    """Refuse a file that is no database of ours, or not a whole one."""
    begun = secret_of(file).exists()
    if file.is_dir():
        raise bad_database(file, "is a folder", "Another place for the games is taken with --data FOLDER")
    if not file.exists():
        if begun:
            raise bad_database(
                file, f"is missing, but {secret_of(file).name} beside it says that games were kept there"
            )
    elif file.stat().st_size:
        _check_content(file)
    elif begun or _written_beside(file):
        raise bad_database(file, "is empty, but games were kept in it")


def _written_beside(file: Path) -> bool:
    """Whether the write-ahead log has something, as after a crash, or while a server runs."""
    log = Path(f"{file}-wal")
    return log.exists() and log.stat().st_size > 0


def _check_content(file: Path) -> None:
    alone = "" if _written_beside(file) else "&immutable=1"  # then not even a lock is left beside it
    try:
        with file.open("rb") as stream:
            if stream.read(len(MAGIC)) != MAGIC:
                raise bad_database(file, "is no SQLite database, or its beginning is damaged")
        address = f"file:{quote(str(file.resolve()))}?mode=ro{alone}"
        with closing(sqlite3.connect(address, uri=True, timeout=5)) as connection:
            connection.text_factory = bytes
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except OSError as fault:
        raise bad_database(file, f"cannot be read: {fault.strerror}") from None
    except sqlite3.OperationalError as fault:  # not its own fault
        raise bad_database(file, f"cannot be opened: {fault}", "Is it being copied, or in use elsewhere?") from None
    except sqlite3.DatabaseError as fault:
        raise bad_database(file, f"is damaged: {fault}") from None
    if found != b"ok":
        raise bad_database(file, f"is damaged: {found.decode('utf-8', 'replace').splitlines()[-1]}")


FILES: Final = "sqlite://"  # what the address of a database in a file begins with
ELSEWHERE: Final = (
    f"Several processes need PostgreSQL: --database postgresql://USER@HOST/NAME ({install_command('postgres')})"
)


def is_file(url: str) -> bool:
    """Whether a database is a file, which one process serves."""
    return make_url(url).get_backend_name() == "sqlite"


def check_workers(url: str, workers: int) -> None:
    if workers > 1 and is_file(url):
        raise BadSetup(f"games that are kept in a file are served by one process, not by {workers}. {ELSEWHERE}")


@contextmanager
def only_server(url: str) -> Iterator[None]:
    """Be the only server of a file; command line tools may use it meanwhile. The lock goes with the process."""
    file = Path(f"{make_url(url).database}.lock")
    if not is_file(url) or not file.parent.is_dir():  # whoever opens it says what is wrong
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
