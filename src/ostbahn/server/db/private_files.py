"""Files that only their owner reads: the database with what SQLite writes beside it, its secret, its lock."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

LOG: Final = logging.getLogger(__name__)
PRIVATE: Final = 0o600
OTHERS: Final = 0o077
"""Rights of the group and of all others."""
BESIDE: Final = ("", "-wal", "-shm", ".secret", ".lock")


def make_private(file: Path) -> None:
    """Make a database file that only its owner reads, and take the rights of others from one that is there.

    SQLite gives what it writes beside a file the rights of that file.
    """
    with suppress(OSError):  # it is there; or whoever opens it says what is wrong
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    for more in BESIDE:
        tighten(Path(f"{file}{more}"))


def tighten(file: Path) -> None:
    try:
        mode = file.stat().st_mode
        if file.is_file() and mode & OTHERS:
            file.chmod(PRIVATE)
    except FileNotFoundError:
        return
    except OSError as fault:
        LOG.warning("%s can be read by others, and that cannot be changed: %s", file.name, fault.strerror)
