"""Numbered jobs, each carried out exactly once, wherever: by processes on this machine, or by a Ray cluster.

    for ended in run_jobs(do, range(100), backend_at("here", jobs=2)):
        ...

`do` makes a result of a number. It travels to the workers, and so does what it needs: a function of a module, or a
`functools.partial` of one. Results come in the order in which they are ready. A job is given to somebody else only when
whoever had it is gone, so each result comes once, however many workers are lost on the way. The job itself may be begun
more than once: one that writes files has to replace them as a whole (`ostbahn.storage.replacing`), or leave that to
whoever takes the results.
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
"""A job that has cost so many workers is given up: it would cost all others as well."""
GRACE_SECONDS: Final = 5.0
"""Seconds in which a worker that is told to leave usually has, and a cluster that is there answers."""

R = TypeVar("R")

JobFunction = Callable[[int], R]


class JobResult(NamedTuple, Generic[R]):
    """A job with what came of it."""

    number: int
    result: R


class LostJob(NamedTuple):
    """A job that has no result, since its workers died of it."""

    number: int
    how: str

    def __str__(self) -> str:
        return f"job {self.number} (its worker died {MAX_DEATHS} times, the last time by {self.how})"


class JobsLost(OstbahnError):
    """Jobs of which every worker died."""

    @classmethod
    def of(cls, lost: Sequence[LostJob]) -> Self:
        return cls(f"given up: {', '.join(map(str, lost))}")


class WorkerDeath(NamedTuple):
    """A worker is gone, and with it the job that it had."""

    number: int
    how: str


class JobExecutor(Protocol[R]):
    """Workers who wait for jobs."""

    def free_slots(self) -> int:
        """How many more jobs they could begin now."""

    def submit(self, number: int) -> None: ...

    def wait(self) -> list[JobResult[R] | WorkerDeath]:
        """Wait until a job has ended, and tell which. A fault within a job is raised."""

    def close(self) -> None:
        """Nobody works on when this is done."""


class JobBackend(Protocol):
    """A place where jobs can be carried out."""

    def executor(self, do: JobFunction[R]) -> JobExecutor[R]: ...


def run_jobs(
    do: JobFunction[R], numbers: Iterable[int], workers: JobBackend
) -> Generator[JobResult[R] | LostJob, None, None]:
    """What came of each job, once. A worker gets its next job only when one is done: after Ctrl-C none is left."""
    with closing(workers.executor(do)) as executor:
        yield from _run_on(executor, iter(numbers))


def job_results(do: JobFunction[R], numbers: Iterable[int], workers: JobBackend) -> Generator[R, None, None]:
    """The same without numbers. Where jobs are lost the others are done all the same, and then it is told."""
    lost = list[LostJob]()
    with closing(run_jobs(do, numbers, workers)) as running:
        for ended in running:
            if isinstance(ended, LostJob):
                lost.append(ended)
            else:
                yield ended.result
    if lost:
        raise JobsLost.of(lost)


def _run_on(executor: JobExecutor[R], fresh: Iterator[int]) -> Iterator[JobResult[R] | LostJob]:
    again, deaths = deque[int](), Counter[int]()
    running, ready = 0, list[JobResult[R] | LostJob]()
    while True:
        for _ in range(
            executor.free_slots()
        ):  # before what is ready is handed over: what is made of it may take its time
            number = again.popleft() if again else next(fresh, None)
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
                again.append(ended.number)
            else:
                ready.append(LostJob(*ended))


def backend_at(on: str = HERE, jobs: int = 0) -> JobBackend:
    """Those that somebody means by `here`, `ray` or `ray:ADDRESS`; 0 jobs: as many as there is room for."""
    place, colon, address = on.partition(":")
    if place == RAY and (address or not colon):
        with require_extra("cluster", "playing on a cluster needs"):
            from ostbahn.bots.cluster import RayBackend

        return RayBackend(jobs, address or None)
    if on != HERE:
        raise BadSetup(f"games are played on {HERE}, {RAY} or {RAY}:ADDRESS, and not on {on!r}")
    return ProcessBackend(jobs or os.cpu_count() or 1)


# What a worker does, wherever it is


class JobReply(NamedTuple, Generic[R]):
    """What a worker sends back: a result, or what the job raised."""

    result: R | None = None
    fault: Exception | None = None


def run_job(do: JobFunction[R], number: int) -> JobReply[R]:
    """Carry out one job. The note tells where it went wrong, since a traceback does not travel."""
    try:
        return JobReply(do(number))
    except Exception as fault:
        fault.add_note(f"in job {number}:\n{traceback.format_exc()}")
        return JobReply(fault=fault)


def result_or_raise(answer: JobReply[R]) -> R:
    if answer.fault is not None:
        raise answer.fault
    result: Any = answer.result  # None is a result as any other
    return result  # type: ignore[no-any-return]


# Processes on this machine


class ProcessBackend(NamedTuple):
    """So many at the same time."""

    jobs: int

    def executor(self, do: JobFunction[R]) -> JobExecutor[R]:
        return ProcessExecutor(do, self.jobs)


class JobProcess:
    """A worker with a line of its own to us: its death costs no other job, and it is known which job it was.

    (Of a `ProcessPoolExecutor` all workers are lost with one, and nobody knows whose job it died of.)
    """

    def __init__(self, do: JobFunction[Any]) -> None:
        spawn = get_context("spawn")
        self.line, theirs = spawn.Pipe()
        self.process = spawn.Process(target=_serve_jobs, args=(do, theirs), daemon=True)
        self.process.start()
        theirs.close()  # or its death would not be noticed
        self.number: int | None = None

    def submit(self, number: int) -> bool:
        """Whether there was still somebody to take it."""
        try:
            self.line.send(number)
        except OSError:
            return False
        self.number = number
        return True

    def end(self) -> str:
        """Let it go, if it has not gone yet; tell how it went."""
        self.line.close()
        self.process.terminate()
        self.process.join(GRACE_SECONDS)
        self.process.kill()
        self.process.join()
        code = self.process.exitcode or 0
        return signal.Signals(-code).name if code < 0 else f"exit {code}"


def _serve_jobs(do: JobFunction[Any], line: Connection) -> None:
    """Carry out what comes until nobody is there any more. Ctrl-C is for whoever gave out the jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # files that are being written are tidied up
    with suppress(EOFError, OSError):
        while True:
            answer = run_job(do, line.recv())
            try:
                line.send(answer)
            except OSError:
                raise
            except Exception as fault:  # what cannot travel
                line.send(JobReply(fault=TypeError(f"what came of a job cannot be sent: {fault}")))


class ProcessExecutor(Generic[R]):
    def __init__(self, do: JobFunction[R], jobs: int) -> None:
        self.do, self.jobs = do, jobs
        self.idle: list[JobProcess] = []
        self.busy: dict[Connection, JobProcess] = {}

    def free_slots(self) -> int:
        return self.jobs - len(self.busy)

    def submit(self, number: int) -> None:
        worker = self.idle.pop() if self.idle else JobProcess(self.do)
        while not worker.submit(number):  # it died while it had nothing to do
            worker.end()
            worker = JobProcess(self.do)
        self.busy[worker.line] = worker

    def wait(self) -> list[JobResult[R] | WorkerDeath]:
        return [self._ended(line) for line in wait(list(self.busy)) if isinstance(line, Connection)]

    def _ended(self, line: Connection) -> JobResult[R] | WorkerDeath:
        worker = self.busy[line]  # it stays there until it has been heard, so that it is closed if that goes wrong
        assert worker.number is not None, "who is busy has a job"
        try:
            answer: JobReply[R] = line.recv()
        except (EOFError, OSError):
            del self.busy[line]
            return WorkerDeath(worker.number, worker.end())
        self.idle.append(self.busy.pop(line))
        return JobResult(worker.number, result_or_raise(answer))

    def close(self) -> None:
        workers = [*self.idle, *self.busy.values()]
        self.idle.clear()
        self.busy.clear()
        for worker in workers:
            worker.process.terminate()  # all at once, and then wait for each
        for worker in workers:
            worker.end()
