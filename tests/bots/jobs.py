"""Jobs for the tests of workers. They stand in a module, as they travel to other processes by name."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from ostbahn.storage import atomic_write


def attempts(folder: Path, number: int) -> list[int]:
    """The processes that have begun a job."""
    return [int(path.suffix[1:]) for path in folder.glob(f"{number}.*")]


def square(number: int) -> int | None:
    return number * number or None


def begun(folder: Path, number: int) -> None:
    with atomic_write(folder / f"{number}.{os.getpid()}"):
        pass


def patient(folder: Path, number: int) -> int:
    """Waits until somebody says `go`, but for the first."""
    begun(folder, number)
    while number and not (folder / "go").exists():
        time.sleep(0.01)
    return number * number


def deadly(folder: Path, number: int, often: int = 99) -> int:
    """Job 2 ends its process, the first so many times."""
    begun(folder, number)
    if number == 2 and len(attempts(folder, 2)) <= often:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def faulty(folder: Path, number: int) -> int:
    """Job 1 goes wrong when somebody else is at work."""
    begun(folder, number)
    while number == 1 and not attempts(folder, 0):
        time.sleep(0.01)
    if number == 1:
        raise ValueError("job 1 goes wrong")
    time.sleep(600)
    return number


def unsendable(number: int) -> object:
    return lambda: number
