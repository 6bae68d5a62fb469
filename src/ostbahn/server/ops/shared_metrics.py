"""Figures of several workers on one machine: the folder in which they share them.

The library looks for that folder when it is loaded, so nothing here loads it before the folder is named.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which the library is told the folder."""
PREFIX: Final = "ostbahn-figures-"
"""What the names of these folders begin with, among temporary files."""


@contextmanager
def shared_figures() -> Iterator[None]:
    """For whoever starts several workers, before they do: what was counted in an earlier run is forgotten."""
    remove_orphans()
    folder, lock = _new_folder()
    os.environ[SHARED] = folder
    try:
        yield
    finally:
        shutil.rmtree(os.environ.pop(SHARED), ignore_errors=True)
        os.close(lock)


def remove_orphans() -> None:
    """Remove the folders of servers that were killed: a supervisor and its workers lock theirs while they live."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError), _locked(str(folder)):  # in use, or not ours
            shutil.rmtree(folder, ignore_errors=True)


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


@contextmanager
def _locked(folder: str) -> Iterator[None]:
    descriptor = _lock(folder)
    try:
        yield
    finally:
        os.close(descriptor)


def worker_is_gone(pid: int) -> None:
    """What a worker that has ended did still counts; what it had open does not."""
    if os.environ.get(SHARED):
        with suppress(ModuleNotFoundError):  # then nobody counts
            from prometheus_client.multiprocess import mark_process_dead

            mark_process_dead(pid)  # type: ignore[no-untyped-call]
