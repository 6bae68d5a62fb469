"""Metrics of a server, counted by `ops/prometheus.py` where its library is installed.

Workers share theirs in a folder that must be named before the library is loaded, so nothing here loads it.
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
    """A request and its outcome. `route` is a template such as `/t/{key}`, since the path may contain a key."""

    method: str
    route: str
    status: int
    seconds: float


class Metrics:
    """Receives the measurements of a server; this base class ignores them."""

    def request_handled(self, request: HandledRequest) -> None:
        """A request was answered."""

    def stream_opened(self, change: int) -> None:
        """An event stream was opened (1) or closed (-1)."""

    def connection_used(self, change: int) -> None:
        """A database connection is in use (1), or no longer (-1)."""

    def bot_answered(self, code: str, seconds: float) -> None:
        """A bot has answered."""

    def notified(self, channel: str, outcome: str) -> None:
        """A notification was `sent` by a channel, has `failed`, or is `given_up` after it failed."""

    def exposition(self) -> tuple[str, bytes] | None:
        """The media type and text of all metrics; None if none are counted."""
        return None


@contextmanager
def timed_bot_answer(metrics: Metrics, code: str) -> Iterator[None]:
    """Measure how long a bot thinks."""
    start = time.perf_counter()
    try:
        yield
    finally:
        metrics.bot_answered(code, time.perf_counter() - start)


def watch_connections(metrics: Metrics, engine: Engine) -> None:
    """Count connections in use. While the database is down, the pool checks in connections never checked out."""
    in_use: set[ConnectionPoolEntry] = set()

    def on_checkout(_connection: object, record: ConnectionPoolEntry, _fairy: object) -> None:
        in_use.add(record)
        metrics.connection_used(1)

    def on_checkin(_connection: object, record: ConnectionPoolEntry) -> None:
        if record in in_use:
            in_use.remove(record)
            metrics.connection_used(-1)

    event.listen(engine, "checkout", on_checkout)
    event.listen(engine, "checkin", on_checkin)


SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"  # the library reads the folder from this variable
PREFIX: Final = "ostbahn-figures-"  # of the names of these temporary folders


@contextmanager
def shared_metrics() -> Iterator[None]:
    """Let workers share their metrics, starting from zero."""
    for orphan in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):  # of a server that was killed
        with suppress(OSError):  # locked by a running supervisor and its workers, or owned by another user
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
    """A new folder, and the descriptor that locks it."""
    while True:
        folder = tempfile.mkdtemp(prefix=PREFIX)
        with suppress(OSError):  # another starting server took it for an orphan before it was locked
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
    """Drop the gauges of a worker that has ended; its counters stay."""
    if os.environ.get(SHARED):
        with suppress(ModuleNotFoundError):  # then there are no metrics
            from prometheus_client.multiprocess import mark_process_dead

            mark_process_dead(pid)  # type: ignore[no-untyped-call]
