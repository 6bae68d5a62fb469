"""Figures of several workers on one machine: the folder in which they share them.

The library looks for that folder when it is loaded, so nothing here loads it before the folder is named.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which the library is told the folder."""


@contextmanager
def shared_figures() -> Iterator[None]:
    """For whoever starts several workers, before they do: what was counted in an earlier run is forgotten."""
    os.environ[SHARED] = tempfile.mkdtemp(prefix="ostbahn-figures-")
    try:
        yield
    finally:
        shutil.rmtree(os.environ.pop(SHARED), ignore_errors=True)


def worker_is_gone(pid: int) -> None:
    """What a worker that has ended did still counts; what it had open does not."""
    if os.environ.get(SHARED):
        with suppress(ModuleNotFoundError):  # then nobody counts
            from prometheus_client.multiprocess import mark_process_dead

            mark_process_dead(pid)  # type: ignore[no-untyped-call]
