"""Threads of requests and bots: a bounded executor, a gate that lets people go first, and a single-flight cache."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Condition, Lock
from typing import Any, Final, TypeVar, cast

from ostbahn.server.faults import Busy

T = TypeVar("T")


class BoundedExecutor:
    """A bounded executor: at_once (0: as many as cores) of `room` are served, the others wait; more are refused."""

    def __init__(self, name: str, at_once: int, room: int, busy: str) -> None:
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


MOST: Final = 0.1  # seconds for which a bot lets people go first; on a busy server it would never have its turn else


class PriorityGate:
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


KEPT: Final = 256  # how much of it is kept


class SingleFlightCache:
    """A single-flight cache: whoever asks first does the work, whoever asks for the same meanwhile waits for it."""

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self._results: dict[Hashable, Future[Any]] = {}
        self._lock = Lock()

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """The result of work. The key names all that it depends on, so that it never grows old."""
        with self._lock:
            known = self._results.pop(key, None)
            first = known is None
            result = self._results[key] = known or Future()  # as the one that was asked for last
            while len(self._results) > self.kept:
                del self._results[next(iter(self._results))]
        if first:
            try:
                result.set_result(work())
            except BaseException as fault:
                with self._lock:
                    self._results.pop(key, None)  # perhaps it works next time
                result.set_exception(fault)
        return cast(T, result.result())
