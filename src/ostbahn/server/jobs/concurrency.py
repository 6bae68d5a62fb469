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
    """A bounded executor: at_once (0: as many as cores) of `capacity` are served, the others wait; more are refused."""

    def __init__(self, name: str, at_once: int, capacity: int, busy: str) -> None:
        self.waiting = 0
        self.capacity, self.busy = capacity, busy
        self._threads = ThreadPoolExecutor(at_once or max(2, os.cpu_count() or 1), thread_name_prefix=name)

    async def run(self, do: Callable[[], T]) -> T:
        if self.waiting >= self.capacity:
            raise Busy(self.busy)
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, do)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


MAX_WAIT: Final = (
    0.1  # seconds for which a bot lets people go first; on a busy server it would never have its turn else
)


class PriorityGate:
    """Whether somebody waits for a page at the moment. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._waiting = 0
        self._idle = Condition()

    @contextmanager
    def serving_person(self) -> Iterator[None]:
        with self._idle:
            self._waiting += 1
        try:
            yield
        finally:
            with self._idle:
                self._waiting -= 1
                if not self._waiting:
                    self._idle.notify_all()

    def wait_for_people(self, most: float = MAX_WAIT) -> bool:
        """Wait until nobody waits for a page, or for so many seconds; says whether nobody does."""
        with self._idle:
            return self._idle.wait_for(lambda: not self._waiting, most)


CACHE_SIZE: Final = 256  # how much of it is kept


class SingleFlightCache:
    """A single-flight cache: whoever asks first does the work, whoever asks for the same meanwhile waits for it."""

    def __init__(self, size: int = CACHE_SIZE) -> None:
        self.size = size
        self._results: dict[Hashable, Future[Any]] = {}
        self._lock = Lock()

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """The result of work. The key names all that it depends on, so that it never grows old."""
        with self._lock:
            known = self._results.pop(key, None)
            first = known is None
            result = self._results[key] = known or Future()  # as the one that was asked for last
            while len(self._results) > self.size:
                del self._results[next(iter(self._results))]
        if first:
            try:
                result.set_result(work())
            except BaseException as fault:
                with self._lock:
                    self._results.pop(key, None)  # perhaps it works next time
                result.set_exception(fault)
        return cast(T, result.result())
