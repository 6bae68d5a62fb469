"""Waiting for what takes long: in threads of its own, as in those of requests everybody else would wait too."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ostbahn.server.faults import Busy

T = TypeVar("T")


class WaitingLine:
    """So many are served at once, so many wait, and all others are asked to come back."""

    def __init__(self, name: str, at_once: int, room: int, busy: str) -> None:
        """name: of its threads.
        at_once: 0 for as many as there are cores.
        room: for those who wait and those who are served.
        busy: what others are told.
        """
        self.waiting = 0
        self.room, self.busy = room, busy
        self._threads = ThreadPoolExecutor(at_once or max(2, os.cpu_count() or 1), thread_name_prefix=name)

    async def served(self, do: Callable[[], T]) -> T:
        if self.waiting >= self.room:
            raise Busy(self.busy)
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, do)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
