"""Files of strangers, as what they do to the process that opens them."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

from ostbahn.kernel.game import Game, History
from ostbahn.server.games.import_sandbox import _checked_history


def hangs(_: float, pid: str) -> History:
    """In one step of Python that takes years, so that no thread could do anything about it."""
    Path(pid).write_text(str(os.getpid()), encoding="utf-8")
    raise AssertionError(re.match("(a+)+$", "a" * 64 + "b"))


def swells(seconds: float, _: str) -> History:
    def opened() -> Game:
        raise AssertionError(len([bytearray(10**6) for _ in range(10_000)]))

    return _checked_history(seconds, opened)


def stumbles(seconds: float, _: str) -> History:
    def opened() -> Game:
        raise KeyError("a fault that nobody has thought of")

    return _checked_history(seconds, opened)


def dies(_: float, __: str) -> History:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("dead")
