"""Concurrency: a bounded executor, a gate that lets people go before bots, and a single-flight cache."""

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
    """A thread pool that refuses work beyond `capacity`, running and waiting calls together.

    max_parallel: calls that run at the same time; 0: as many as cores. busy: the text of the refusal.
    """

    def __init__(self, name: str, max_parallel: int, capacity: int, busy: str) -> None:
        self.pending = 0
        self.capacity, self.busy = capacity, busy
        self._threads = ThreadPoolExecutor(max_parallel or max(2, os.cpu_count() or 1), thread_name_prefix=name)

    async def run(self, work: Callable[[], T]) -> T:
        if self.pending >= self.capacity:
            raise Busy(self.busy)
        self.pending += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self.pending -= 1

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


MAX_WAIT: Final = 0.1  # seconds for which bots wait for requests; short, so that a busy server does not starve them


class PriorityGate:
    """Lets requests of people go before bots. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._requests = 0
        self._idle = Condition()

    @contextmanager
    def serving_person(self) -> Iterator[None]:
        with self._idle:
            self._requests += 1
        try:
            yield
        finally:
            with self._idle:
                self._requests -= 1
                if not self._requests:
                    self._idle.notify_all()

    def wait_for_people(self, max_wait: float = MAX_WAIT) -> bool:
        """Wait, at most `max_wait` seconds, until no request is being served; returns whether none is."""
        with self._idle:
            return self._idle.wait_for(lambda: not self._requests, max_wait)


CACHE_SIZE: Final = 256  # results


class SingleFlightCache:
    """An LRU cache that computes each result once: concurrent calls with the same key wait for the first."""

    def __init__(self, size: int = CACHE_SIZE) -> None:
        self.size = size
        self._results: dict[Hashable, Future[Any]] = {}
        self._lock = Lock()

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """The result of `work`, cached for a key that names all it depends on, so results never expire."""
        with self._lock:
            known = self._results.pop(key, None)
            result = self._results[key] = known or Future()  # at the end, as the most recently used
            while len(self._results) > self.size:
                del self._results[next(iter(self._results))]
        if known is None:
            try:
                result.set_result(work())
            except BaseException as fault:
                with self._lock:
                    self._results.pop(key, None)  # so that the next call tries again
                result.set_exception(fault)
        return cast(T, result.result())
