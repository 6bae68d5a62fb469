"""Programs that tests start beside themselves."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def started(command: Sequence[str], *, apart: bool = False) -> Iterator[subprocess.Popen[str]]:
    """A program that hears Ctrl-C, also where the tests themselves were told not to (`nohup … &`), for that is
    inherited. When the test is over it is too, however the test ends.

    apart: in a group of its own with whatever it starts, as a program has in a terminal.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        program: subprocess.Popen[str] = subprocess.Popen(  # type: ignore[call-overload]
            command, text=True, encoding="utf-8", start_new_session=apart, **pipes
        )
    finally:
        signal.signal(signal.SIGINT, before)
    with program:
        try:
            yield program
        finally:
            program.kill()
