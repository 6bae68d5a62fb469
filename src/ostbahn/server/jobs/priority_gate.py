"""People first: a bot that has thought can wait for a moment longer, whoever looks at a page should not.

All threads of a process share one interpreter, so what a bot does there takes its time from somebody's page. What bots
think about is thought in other processes; here they only begin, and answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from typing import Final

MOST: Final = 0.1
"""Seconds for which a bot lets people go first; on a busy server it would never have its turn else."""


class Courtesy:
    """Whether somebody waits for a page at the moment. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._waiting = 0
        self._nobody = Condition()

    @contextmanager
    def somebody_waits(self) -> Iterator[None]:
        with self._nobody:
            self._waiting += 1
        try:
            yield
        finally:
            with self._nobody:
                self._waiting -= 1
                if not self._waiting:
                    self._nobody.notify_all()

    def let_people_by(self, most: float = MOST) -> bool:
        """Wait until nobody waits for a page, or for so many seconds; says whether nobody does."""
        with self._nobody:
            return self._nobody.wait_for(lambda: not self._waiting, most)
