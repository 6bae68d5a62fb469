"""Figures of a server's work, which `ops/prometheus.py` counts where its library is installed.

Workers share theirs in a folder, which must be named before the library is loaded, so nothing here loads it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Engine, event
from sqlalchemy.pool import ConnectionPoolEntry


class HandledRequest(NamedTuple):
    """A request, and what became of it. It is told by the template of its route, since in its path is a key."""

    method: str
    route: str
    status: int
    seconds: float


class Metrics:
    """What a server counts; this one counts nothing."""

    def answered(self, answered: HandledRequest) -> None:
        """A request was answered."""

    def listening(self, more: int) -> None:
        """A page listens from now on (1), or no more (-1)."""

    def connected(self, more: int) -> None:
        """A database connection is in use from now on (1), or no more (-1)."""

    def thought(self, code: str, seconds: float) -> None:
        """A bot has answered."""

    def notified(self, channel: str, outcome: str) -> None:
        """A notification was `sent` by a channel, has `failed`, or is `given_up` after it failed."""

    def shown(self) -> tuple[str, bytes] | None:
        """All figures, with what form they have; None where nobody counts."""
        return None


@contextmanager
def thinking(metrics: Metrics, code: str) -> Iterator[None]:
    """Measure how long a bot thinks."""
    begun = time.perf_counter()
    try:
        yield
    finally:
        metrics.thought(code, time.perf_counter() - begun)


def watch_connections(metrics: Metrics, engine: Engine) -> None:
    """Count connections in use. The pool also checks in what was never checked out, where the database is away."""
    in_use: set[ConnectionPoolEntry] = set()

    def out(_line: object, record: ConnectionPoolEntry, _fairy: object) -> None:
        in_use.add(record)
        metrics.connected(1)

    def back(_line: object, record: ConnectionPoolEntry) -> None:
        if record in in_use:
            in_use.remove(record)
            metrics.connected(-1)

    event.listen(engine, "checkout", out)
    event.listen(engine, "checkin", back)


SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"  # the variable by which the library is told the folder
PREFIX: Final = "ostbahn-figures-"  # what the names of these folders begin with, among temporary files


@contextmanager
def shared_metrics() -> Iterator[None]:
    """Let workers share their figures; those of an earlier run are forgotten."""
    for orphan in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):  # of a server that was killed
        with suppress(OSError):  # in use, or not ours: a supervisor and its workers lock theirs while they live
            descriptor = _lock(str(orphan))
            shutil.rmtree(orphan, ignore_errors=True)
            os.close(descriptor)
    folder, lock = _new_folder()
    os.environ[SHARED] = folder
    try:
        yield
    finally:
        shutil.rmtree(os.environ.pop(SHARED), ignore_errors=True)
        os.close(lock)


def _new_folder() -> tuple[str, int]:
    """A folder, and the descriptor that locks it."""
    while True:
        folder = tempfile.mkdtemp(prefix=PREFIX)
        with suppress(OSError):  # another server that starts took it for an orphan before it was locked
            lock = _lock(folder)
            if Path(folder).is_dir():
                return folder, lock
            os.close(lock)


def _lock(folder: str) -> int:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def worker_is_gone(pid: int) -> None:
    """What a worker that has ended did still counts; what it had open does not."""
    if os.environ.get(SHARED):
        with suppress(ModuleNotFoundError):  # then nobody counts
            from prometheus_client.multiprocess import mark_process_dead

            mark_process_dead(pid)  # type: ignore[no-untyped-call]
