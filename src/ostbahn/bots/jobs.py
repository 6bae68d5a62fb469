"""Run numbered jobs in processes on this machine or on a Ray cluster; each yields exactly one result.

    for ended in run_jobs(do, range(100), backend_at("here", jobs=2)):
        ...

`do` computes a result from a number. It is pickled, so it is a function of a module or a `functools.partial` of one.
Results come as soon as they are ready. A job is repeated only if its worker died. So each result comes once, but a job
may start more than once: one that writes files has to replace them atomically (`ostbahn.storage.atomic_write`) or leave
writing to the caller.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeVar

from ostbahn.extras import require_extra
from ostbahn.kernel.errors import BadSetup, OstbahnError

HERE: Final = "here"
RAY: Final = "ray"
MAX_DEATHS: Final = 3
"""A job is abandoned after this many of its workers have died."""
GRACE_SECONDS: Final = 5.0
"""Seconds to wait for a terminated worker, or for a cluster's answer."""

R = TypeVar("R")

JobFunction = Callable[[int], R]


class JobResult(NamedTuple, Generic[R]):
    number: int
    result: R


class LostJob(NamedTuple):
    """An abandoned job whose workers died."""

    number: int
    how: str

    def __str__(self) -> str:
        return f"job {self.number} (its worker died {MAX_DEATHS} times, the last time by {self.how})"


class JobsLost(OstbahnError):
    """Some jobs were abandoned."""

    @classmethod
    def of(cls, lost: Sequence[LostJob]) -> Self:
        return cls(f"given up: {', '.join(map(str, lost))}")


class WorkerDeath(NamedTuple):
    """A worker died before it finished its job."""

    number: int
    how: str


class JobExecutor(Protocol[R]):
    """Workers that run jobs."""

    def free_slots(self) -> int:
        """How many more jobs can start now."""

    def submit(self, number: int) -> None: ...

    def wait(self) -> list[JobResult[R] | WorkerDeath]:
        """Wait until jobs have ended and return them; raises what a job raised."""

    def close(self) -> None:
        """End all workers."""


class JobBackend(Protocol):
    """A place where jobs can run."""

    def executor(self, do: JobFunction[R]) -> JobExecutor[R]: ...


def run_jobs(
    do: JobFunction[R], numbers: Iterable[int], backend: JobBackend
) -> Generator[JobResult[R] | LostJob, None, None]:
    """Yield each job once when it ends. Jobs are not queued at workers, so none goes on after Ctrl-C."""
    with closing(backend.executor(do)) as executor:
        yield from _run_on(executor, iter(numbers))


def job_results(do: JobFunction[R], numbers: Iterable[int], backend: JobBackend) -> Generator[R, None, None]:
    """Yield the results of jobs; raise `JobsLost` at the end if some were abandoned."""
    lost = list[LostJob]()
    with closing(run_jobs(do, numbers, backend)) as running:
        for ended in running:
            if isinstance(ended, LostJob):
                lost.append(ended)
            else:
                yield ended.result
    if lost:
        raise JobsLost.of(lost)


def _run_on(executor: JobExecutor[R], numbers: Iterator[int]) -> Iterator[JobResult[R] | LostJob]:
    retries, deaths = deque[int](), Counter[int]()
    running, ready = 0, list[JobResult[R] | LostJob]()
    while True:
        for _ in range(executor.free_slots()):  # before yielding: the caller may take its time with results
            number = retries.popleft() if retries else next(numbers, None)
            if number is None:
                break
            executor.submit(number)
            running += 1
        yield from ready
        ready.clear()
        if not running:
            return
        for ended in executor.wait():
            running -= 1
            if isinstance(ended, JobResult):
                ready.append(ended)
                continue
            deaths[ended.number] += 1
            if deaths[ended.number] < MAX_DEATHS:
                retries.append(ended.number)
            else:
                ready.append(LostJob(*ended))


def backend_at(on: str = HERE, jobs: int = 0) -> JobBackend:
    """The backend for `here`, `ray` or `ray:ADDRESS`; with 0 jobs it uses all processors."""
    place, colon, address = on.partition(":")
    if place == RAY and (address or not colon):
        with require_extra("cluster", "playing on a cluster needs"):
            from ostbahn.bots.cluster import RayBackend

        return RayBackend(jobs, address or None)
    if on != HERE:
        raise BadSetup(f"games are played on {HERE}, {RAY} or {RAY}:ADDRESS, and not on {on!r}")
    return ProcessBackend(jobs or os.cpu_count() or 1)


# Within a worker


class JobReply(NamedTuple, Generic[R]):
    """A worker's reply: the result of a job, or the exception it raised."""

    result: R | None = None
    fault: Exception | None = None


def run_job(do: JobFunction[R], number: int) -> JobReply[R]:
    """Run one job. The traceback goes into a note, as it cannot be pickled."""
    try:
        return JobReply(do(number))
    except Exception as fault:
        fault.add_note(f"in job {number}:\n{traceback.format_exc()}")
        return JobReply(fault=fault)


def result_or_raise(reply: JobReply[R]) -> R:
    if reply.fault is not None:
        raise reply.fault
    result: Any = reply.result  # None is a valid result
    return result  # type: ignore[no-any-return]


# Processes on this machine


class ProcessBackend(NamedTuple):
    """Runs up to `jobs` jobs at the same time."""

    jobs: int

    def executor(self, do: JobFunction[R]) -> JobExecutor[R]:
        return ProcessExecutor(do, self.jobs)


class JobProcess:
    """A worker process with its own pipe, so that its death affects and identifies only its own job.

    (One dead worker breaks a whole `ProcessPoolExecutor`, which does not say whose job it was.)
    """

    def __init__(self, do: JobFunction[Any]) -> None:
        spawn = get_context("spawn")
        self.pipe, worker_end = spawn.Pipe()
        self.process = spawn.Process(target=_serve_jobs, args=(do, worker_end), daemon=True)
        self.process.start()
        worker_end.close()  # or its death would not be noticed
        self.number: int | None = None

    def submit(self, number: int) -> bool:
        """Send a job; return whether the worker was still alive."""
        try:
            self.pipe.send(number)
        except OSError:
            return False
        self.number = number
        return True

    def end(self) -> str:
        """End the process if it still runs, and describe how it ended."""
        self.pipe.close()
        self.process.terminate()
        self.process.join(GRACE_SECONDS)
        self.process.kill()
        self.process.join()
        code = self.process.exitcode or 0
        return signal.Signals(-code).name if code < 0 else f"exit {code}"


def _serve_jobs(do: JobFunction[Any], pipe: Connection) -> None:
    """Run jobs from the pipe until it is closed; Ctrl-C is left to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # removes unfinished files
    with suppress(EOFError, OSError):
        while True:
            reply = run_job(do, pipe.recv())
            try:
                pipe.send(reply)
            except OSError:
                raise
            except Exception as fault:  # the result cannot be pickled
                pipe.send(JobReply(fault=TypeError(f"what came of a job cannot be sent: {fault}")))


class ProcessExecutor(Generic[R]):
    def __init__(self, do: JobFunction[R], jobs: int) -> None:
        self.do, self.jobs = do, jobs
        self.idle: list[JobProcess] = []
        self.busy: dict[Connection, JobProcess] = {}

    def free_slots(self) -> int:
        return self.jobs - len(self.busy)

    def submit(self, number: int) -> None:
        worker = self.idle.pop() if self.idle else JobProcess(self.do)
        while not worker.submit(number):  # it died while it was idle
            worker.end()
            worker = JobProcess(self.do)
        self.busy[worker.pipe] = worker

    def wait(self) -> list[JobResult[R] | WorkerDeath]:
        return [self._receive(pipe) for pipe in wait(list(self.busy)) if isinstance(pipe, Connection)]

    def _receive(self, pipe: Connection) -> JobResult[R] | WorkerDeath:
        worker = self.busy[pipe]  # still busy until received, so that `close` ends it if receiving fails
        assert worker.number is not None, "a busy worker has a job"
        try:
            reply: JobReply[R] = pipe.recv()
        except (EOFError, OSError):
            del self.busy[pipe]
            return WorkerDeath(worker.number, worker.end())
        self.idle.append(self.busy.pop(pipe))
        return JobResult(worker.number, result_or_raise(reply))

    def close(self) -> None:
        workers = [*self.idle, *self.busy.values()]
        self.idle.clear()
        self.busy.clear()
        for worker in workers:
            worker.process.terminate()  # all first, so that they end at the same time
        for worker in workers:
            worker.end()
