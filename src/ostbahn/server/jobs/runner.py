"""Jobs at work: each kind has a handler, which does them in threads, as soon as they are wanted or due."""

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
LOOK: Final = 1.0  # seconds after which somebody looks whether something is due, or was left by another worker

SOON: Final = 30.0  # seconds; for what is due by then somebody is there at the very moment, and need not look

DoJob = Callable[[Job], None]
"""Calls `jobs.finish` in the transaction of its result, or returns when it is done. Any exception puts the job off."""


@dataclass
class JobWorkers:
    """Who does the jobs of a kind."""

    handler: DoJob
    threads: ThreadPoolExecutor
    at_once: int
    busy: int = 0  # threads at work
    again: bool = False  # whether more was wanted while all were busy


class JobRunner:
    """Lets handlers do what is due. Handlers are registered before it starts; `wake` may be called from any thread."""

    def __init__(self, jobs: Jobs, clock: Callable[[], datetime], look: float = LOOK) -> None:
        self.jobs = jobs
        self.clock = clock
        self._look = look
        self._hands: dict[str, JobWorkers] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None
        self._closed = False

    def register(self, kind: str, handler: DoJob, at_once: int = 1) -> None:
        """at_once: how many of its jobs may be done side by side; they hold up no others."""
        threads = ThreadPoolExecutor(at_once, thread_name_prefix=kind)
        self._hands[kind] = JobWorkers(handler, threads, at_once)

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._looking = asyncio.create_task(self._poll())
        wakers_of(self.jobs.database).append(self._wanted)

    def _wanted(self, kinds: Mapping[str, datetime]) -> None:
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
            hands = self._hands.get(kind)
            if hands is None or self._closed:
                continue
            if hands.busy < hands.at_once:
                hands.busy += 1
                asyncio.get_running_loop().run_in_executor(hands.threads, self._work, kind, hands)
            else:
                hands.again = True

    def _work(self, kind: str, hands: JobWorkers) -> None:
        """Do jobs until there is none."""
        try:
            while not self._closed and self._do_one(kind, hands.handler):
                self.wake([kind])  # perhaps there are more, and more who could do them
        except Exception as fault:
            LOG.warning("no jobs can be had (%s); they are looked for again soon", _brief(fault))
        finally:
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._done, kind, hands)

    def _done(self, kind: str, hands: JobWorkers) -> None:
        hands.busy -= 1
        if hands.again:
            hands.again = False
            self._begin([kind])

    def _do_one(self, kind: str, handler: DoJob) -> bool:
        """Do a job; whether there was one."""
        with self.jobs.claim([kind], self.clock()) as job:
            if job is None:
                return False
            try:
                handler(job)
            except AlreadyDone:
                LOG.info("job %s was done by somebody else", job.name)
            except Exception as fault:
                if self._closed:  # somebody else goes on with it
                    return False
                wait = self.jobs.retry_later(job, _brief(fault), self.clock())
                LOG.warning("job %s failed and is tried again in %g seconds", job.name, wait, exc_info=fault)
            else:
                self.jobs.end(job)
        return True

    async def _poll(self) -> None:
        """Begin what nobody was woken for: what is due by now, or was left by a worker that is gone."""
        while True:
            try:
                self._begin(await asyncio.to_thread(self.jobs.due, list(self._hands), self.clock()))
            except Exception as fault:
                LOG.warning("it cannot be seen which jobs are due (%s)", _brief(fault))
            await asyncio.sleep(self._look)

    async def close(self) -> None:
        self._closed = True
        wakers = wakers_of(self.jobs.database)
        wakers[:] = [wake for wake in wakers if wake != self._wanted]
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        for hands in self._hands.values():
            hands.threads.shutdown(wait=False, cancel_futures=True)
        self.jobs.close()


def _brief(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}".partition("\n")[0]
