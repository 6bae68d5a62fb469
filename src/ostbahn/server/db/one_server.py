"""One server at a time for a database in a file: it keeps news and claims in memory, which a second one would miss."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import make_url

from ostbahn.extras import install_command
from ostbahn.kernel.errors import BadSetup
from ostbahn.server.db.private_files import PRIVATE

FILES: Final = "sqlite://"
"""What the address of a database in a file begins with."""
ELSEWHERE: Final = (
    f"Several processes need PostgreSQL: --database postgresql://USER@HOST/NAME ({install_command('postgres')})"
)


def is_file(url: str) -> bool:
    """Whether a database is a file, which one process may serve."""
    return make_url(url).get_backend_name() == "sqlite"


def check_workers(url: str, workers: int) -> None:
    """Refuse several workers for a database that serves one."""
    if workers > 1 and is_file(url):
        raise BadSetup(f"games that are kept in a file are served by one process, not by {workers}. {ELSEWHERE}")


@contextmanager
def only_server(url: str) -> Iterator[None]:
    """Be the only one who serves a file; command line tools may use it meanwhile. The lock is gone with the process."""
    file = Path(f"{make_url(url).database}.lock")
    if not is_file(url) or not file.parent.is_dir():  # whoever opens it says what is wrong
        yield
        return
    try:
        opened = os.fdopen(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_APPEND, PRIVATE), "a", encoding="ascii")
    except OSError as fault:
        raise BadSetup(f"{file} cannot be written: {fault.strerror}") from None
    with opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadSetup(
                f"another server serves {file.with_suffix('')} already, and only one may. {ELSEWHERE}"
            ) from None
        yield
