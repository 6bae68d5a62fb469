"""The job runner: calls the handler of each kind of job, in threads, when jobs are queued or due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ostbahn.server.jobs.queue import AlreadyDone, Job, Jobs, wakers_of

LOG: Final = logging.getLogger(__name__)
POLL_INTERVAL: Final = 1.0  # seconds after which the runner looks for due jobs, also of dead workers
SOON: Final = 30.0  # seconds; jobs due by then get their own timer

DoJob = Callable[[Job], None]
"""A handler: calls `jobs.finish` in the transaction of its result, or returns when done. An exception means retry."""


@dataclass
class JobWorkers:
    """The handler and threads of a kind of job."""

    handler: DoJob
    threads: ThreadPoolExecutor
    max_parallel: int
    busy: int = 0  # threads at work
    is_woken: bool = False  # whether it was woken while all threads were busy


class JobRunner:
    """Runs due jobs. Handlers are registered before `start`; `wake` may be called from any thread."""

    def __init__(self, jobs: Jobs, clock: Callable[[], datetime], poll_interval: float = POLL_INTERVAL) -> None:
        self.jobs = jobs
        self.clock = clock
        self._poll_interval = poll_interval
        self._workers: dict[str, JobWorkers] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._polling: asyncio.Task[None] | None = None
        self._closed = False

    def register(self, kind: str, handler: DoJob, max_parallel: int = 1) -> None:
        """Register a handler with its own threads, so that its jobs do not delay other kinds."""
        threads = ThreadPoolExecutor(max_parallel, thread_name_prefix=kind)
        self._workers[kind] = JobWorkers(handler, threads, max_parallel)

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._polling = asyncio.create_task(self._poll())
        wakers_of(self.jobs.database).append(self._on_enqueued)

    def _on_enqueued(self, kinds: Mapping[str, datetime]) -> None:
        now = self.clock()
        for kind, due in kinds.items():
            wait = (due - now).total_seconds()
            if wait <= 0:
                self.wake([kind])
            elif self._loop is not None and wait <= SOON:
                self._loop.call_soon_threadsafe(self._loop.call_later, wait, self._begin, [kind])

    def wake(self, kinds: Collection[str]) -> None:
        if self._loop is not None and not self._closed:
            self._loop.call_soon_threadsafe(self._begin, kinds)

    def _begin(self, kinds: Collection[str]) -> None:
        for kind in kinds:
            workers = self._workers.get(kind)
            if workers is None or self._closed:
                continue
            if workers.busy < workers.max_parallel:
                workers.busy += 1
                asyncio.get_running_loop().run_in_executor(workers.threads, self._work, kind, workers)
            else:
                workers.is_woken = True

    def _work(self, kind: str, workers: JobWorkers) -> None:
        """Do jobs until none is due."""
        try:
            while not self._closed and self._do_one(kind, workers.handler):
                self.wake([kind])  # another thread may take the next one
        except Exception as fault:
            LOG.warning("no jobs can be had (%s); they are looked for again soon", _brief(fault))
        finally:
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._done, kind, workers)

    def _done(self, kind: str, workers: JobWorkers) -> None:
        workers.busy -= 1
        if workers.is_woken:
            workers.is_woken = False
            self._begin([kind])

    def _do_one(self, kind: str, handler: DoJob) -> bool:
        """Do a job; returns whether there was one."""
        with self.jobs.claim([kind], self.clock()) as job:
            if job is None:
                return False
            try:
                handler(job)
            except AlreadyDone:
                LOG.info("job %s was done by somebody else", job.name)
            except Exception as fault:
                if self._closed:  # another worker will claim it
                    return False
                wait = self.jobs.retry_later(job, _brief(fault), self.clock())
                LOG.warning("job %s failed and is tried again in %g seconds", job.name, wait, exc_info=fault)
            else:
                self.jobs.end(job)
        return True

    async def _poll(self) -> None:
        """Start jobs that have become due, or that a dead worker left, at intervals."""
        while True:
            try:
                self._begin(await asyncio.to_thread(self.jobs.due, list(self._workers), self.clock()))
            except Exception as fault:
                LOG.warning("it cannot be seen which jobs are due (%s)", _brief(fault))
            await asyncio.sleep(self._poll_interval)

    async def close(self) -> None:
        self._closed = True
        wakers = wakers_of(self.jobs.database)
        wakers[:] = [wake for wake in wakers if wake != self._on_enqueued]
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.gather(self._polling, return_exceptions=True)
        for workers in self._workers.values():
            workers.threads.shutdown(wait=False, cancel_futures=True)
        self.jobs.close()


def _brief(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}".partition("\n")[0]
