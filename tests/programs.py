"""Programs that tests start beside themselves."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def started(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """A program that hears Ctrl-C, also where the tests themselves were told not to (`nohup … &`), for that is
    inherited. When the test is over it is too, however the test ends."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        program: subprocess.Popen[str] = subprocess.Popen(command, text=True, encoding="utf-8", **pipes)  # type: ignore[call-overload]
    finally:
        signal.signal(signal.SIGINT, before)
    with program:
        try:
            yield program
        finally:
            program.kill()
