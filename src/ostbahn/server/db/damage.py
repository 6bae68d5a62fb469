"""Database files that cannot be what they were: recognised before anything is done with them, and told in words.

Whoever is told is a person who may have lost games, so nothing is changed, and it is said what can be done.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from ostbahn.kernel.errors import BadSetup

MAGIC: Final = b"SQLite format 3\0"


def told(place: Path | str, what: str, remedy: str = "") -> BadSetup:
    """place: the file; or what else the database is called, where it is none."""
    usual = "Put a copy of it back, or name an empty one"
    if isinstance(place, Path):
        usual = f"Put a copy of it back, or move it and {secret_of(place).name} away to begin with an empty one"
    return BadSetup(f"{place} {what}. Nothing was changed. {remedy or usual}")


def secret_of(file: Path) -> Path:
    """What lies beside a database since its tables were made: where it is, games may have been kept."""
    return Path(f"{file}.secret")


def check_file(file: Path) -> None:
    """Refuse a file that is no database of ours, or not a whole one."""
    begun = secret_of(file).exists()
    if file.is_dir():
        raise told(file, "is a folder", "Another place for the games is taken with --data FOLDER")
    if not file.exists():
        if begun:
            raise told(file, f"is missing, but {secret_of(file).name} beside it says that games were kept there")
    elif file.stat().st_size:
        _check_content(file)
    elif begun or _written_beside(file):
        raise told(file, "is empty, but games were kept in it")


def _written_beside(file: Path) -> bool:
    """Whether something is still to be brought into it, as after a crash, or while another server uses it."""
    log = Path(f"{file}-wal")
    return log.exists() and log.stat().st_size > 0


def _check_content(file: Path) -> None:
    alone = "" if _written_beside(file) else "&immutable=1"  # then not even a lock is left beside it
    try:
        with file.open("rb") as opened:
            if opened.read(len(MAGIC)) != MAGIC:
                raise told(file, "is no SQLite database, or its beginning is damaged")
        address = f"file:{quote(str(file.resolve()))}?mode=ro{alone}"
        with closing(sqlite3.connect(address, uri=True, timeout=5)) as connection:
            connection.text_factory = bytes
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except OSError as fault:
        raise told(file, f"cannot be read: {fault.strerror}") from None
    except sqlite3.OperationalError as fault:  # not its own fault
        raise told(file, f"cannot be opened: {fault}", "Is it being copied, or in use elsewhere?") from None
    except sqlite3.DatabaseError as fault:
        raise told(file, f"is damaged: {fault}") from None
    if found != b"ok":
        raise told(file, f"is damaged: {found.decode('utf-8', 'replace').splitlines()[-1]}")


def check_tables(place: Path | str, tables: Collection[str], wanted: Collection[str]) -> None:
    """Refuse a database in which tables are missing that every one has."""
    missing = sorted(set(wanted) - set(tables))
    if missing:
        raise told(place, f"is damaged: it has no table {', '.join(missing)}")
