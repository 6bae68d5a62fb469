"""What the processes of a server cost. Read from /proc, so on Linux only."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def spent(server: int) -> dict[str, float]:
    """Processor seconds so far of those who serve, of those who think for them, and of the database."""
    found = {"serving": 0.0, "thinking": 0.0, "database": 0.0}
    for process in descendants(server):
        found["thinking" if _thinks(process) else "serving"] += processor(process)
    for process in _named("postgres"):
        found["database"] += processor(process)
    return found


def descendants(process: int) -> list[int]:
    """A process and all that it has started."""
    found = [process]
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in task.read_text().split():
            found += descendants(int(child))
    return found


def processor(process: int) -> float:
    """Processor seconds of a process."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended meanwhile
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def _thinks(process: int) -> bool:
    try:
        said = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
    return b"forkserver" in said or b"spawn_main" in said or b"ostbahn.bots" in said


def _named(name: str) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text().strip() == name:
                yield int(folder.name)
        except OSError:
            continue
