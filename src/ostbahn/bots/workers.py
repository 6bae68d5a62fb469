"""Numbered jobs, each carried out exactly once, wherever: by processes on this machine, or by a Ray cluster.

    for ended in carry_out(do, range(100), workers_at("here", jobs=2)):
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
DEATHS: Final = 3
"""A job that has cost so many workers is given up: it would cost all others as well."""
PATIENCE: Final = 5.0
"""Seconds in which a worker that is told to leave usually has, and a cluster that is there answers."""

R = TypeVar("R")

Do = Callable[[int], R]


class Done(NamedTuple, Generic[R]):
    """A job with what came of it."""

    number: int
    result: R


class Lost(NamedTuple):
    """A job that has no result, since its workers died of it."""

    number: int
    how: str

    def __str__(self) -> str:
        return f"job {self.number} (its worker died {DEATHS} times, the last time by {self.how})"


class JobsLost(OstbahnError):
    """Jobs of which every worker died."""

    @classmethod
    def of(cls, lost: Sequence[Lost]) -> Self:
        return cls(f"given up: {', '.join(map(str, lost))}")


class Death(NamedTuple):
    """A worker is gone, and with it the job that it had."""

    number: int
    how: str


class Crew(Protocol[R]):
    """Workers who wait for jobs."""

    def room(self) -> int:
        """How many more jobs they could begin now."""

    def give(self, number: int) -> None: ...

    def ended(self) -> list[Done[R] | Death]:
        """Wait until a job has ended, and tell which. A fault within a job is raised."""

    def close(self) -> None:
        """Nobody works on when this is done."""


class Workers(Protocol):
    """A place where jobs can be carried out."""

    def crew(self, do: Do[R]) -> Crew[R]: ...


def carry_out(do: Do[R], numbers: Iterable[int], workers: Workers) -> Generator[Done[R] | Lost, None, None]:
    """What came of each job, once. A worker gets its next job only when one is done: after Ctrl-C none is left."""
    with closing(workers.crew(do)) as crew:
        yield from _carried_out(crew, iter(numbers))


def results(do: Do[R], numbers: Iterable[int], workers: Workers) -> Generator[R, None, None]:
    """The same without numbers. Where jobs are lost the others are done all the same, and then it is told."""
    lost = list[Lost]()
    with closing(carry_out(do, numbers, workers)) as running:
        for ended in running:
            if isinstance(ended, Lost):
                lost.append(ended)
            else:
                yield ended.result
    if lost:
        raise JobsLost.of(lost)


def _carried_out(crew: Crew[R], fresh: Iterator[int]) -> Iterator[Done[R] | Lost]:
    again, deaths = deque[int](), Counter[int]()
    running, ready = 0, list[Done[R] | Lost]()
    while True:
        for _ in range(crew.room()):  # before what is ready is handed over: what is made of it may take its time
            number = again.popleft() if again else next(fresh, None)
            if number is None:
                break
            crew.give(number)
            running += 1
        yield from ready
        ready.clear()
        if not running:
            return
        for ended in crew.ended():
            running -= 1
            if isinstance(ended, Done):
                ready.append(ended)
                continue
            deaths[ended.number] += 1
            if deaths[ended.number] < DEATHS:
                again.append(ended.number)
            else:
                ready.append(Lost(*ended))


def workers_at(on: str = HERE, jobs: int = 0) -> Workers:
    """Those that somebody means by `here`, `ray` or `ray:ADDRESS`; 0 jobs: as many as there is room for."""
    place, colon, address = on.partition(":")
    if place == RAY and (address or not colon):
        with require_extra("cluster", "playing on a cluster needs"):
            from ostbahn.bots.cluster import Cluster

        return Cluster(jobs, address or None)
    if on != HERE:
        raise BadSetup(f"games are played on {HERE}, {RAY} or {RAY}:ADDRESS, and not on {on!r}")
    return Processes(jobs or os.cpu_count() or 1)


# What a worker does, wherever it is


class Answer(NamedTuple, Generic[R]):
    """What a worker sends back: a result, or what the job raised."""

    result: R | None = None
    fault: Exception | None = None


def answered(do: Do[R], number: int) -> Answer[R]:
    """Carry out one job. The note tells where it went wrong, since a traceback does not travel."""
    try:
        return Answer(do(number))
    except Exception as fault:
        fault.add_note(f"in job {number}:\n{traceback.format_exc()}")
        return Answer(fault=fault)


def result_of(answer: Answer[R]) -> R:
    if answer.fault is not None:
        raise answer.fault
    result: Any = answer.result  # None is a result as any other
    return result  # type: ignore[no-any-return]


# Processes on this machine


class Processes(NamedTuple):
    """So many at the same time."""

    jobs: int

    def crew(self, do: Do[R]) -> Crew[R]:
        return ProcessCrew(do, self.jobs)


class Process:
    """A worker with a line of its own to us: its death costs no other job, and it is known which job it was.

    (Of a `ProcessPoolExecutor` all workers are lost with one, and nobody knows whose job it died of.)
    """

    def __init__(self, do: Do[Any]) -> None:
        spawn = get_context("spawn")
        self.line, theirs = spawn.Pipe()
        self.process = spawn.Process(target=_serve, args=(do, theirs), daemon=True)
        self.process.start()
        theirs.close()  # or its death would not be noticed
        self.number: int | None = None

    def give(self, number: int) -> bool:
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
        self.process.join(PATIENCE)
        self.process.kill()
        self.process.join()
        code = self.process.exitcode or 0
        return signal.Signals(-code).name if code < 0 else f"exit {code}"


def _serve(do: Do[Any], line: Connection) -> None:
    """Carry out what comes until nobody is there any more. Ctrl-C is for whoever gave out the jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # files that are being written are tidied up
    with suppress(EOFError, OSError):
        while True:
            answer = answered(do, line.recv())
            try:
                line.send(answer)
            except OSError:
                raise
            except Exception as fault:  # what cannot travel
                line.send(Answer(fault=TypeError(f"what came of a job cannot be sent: {fault}")))


class ProcessCrew(Generic[R]):
    def __init__(self, do: Do[R], jobs: int) -> None:
        self.do, self.jobs = do, jobs
        self.idle: list[Process] = []
        self.busy: dict[Connection, Process] = {}

    def room(self) -> int:
        return self.jobs - len(self.busy)

    def give(self, number: int) -> None:
        worker = self.idle.pop() if self.idle else Process(self.do)
        while not worker.give(number):  # it died while it had nothing to do
            worker.end()
            worker = Process(self.do)
        self.busy[worker.line] = worker

    def ended(self) -> list[Done[R] | Death]:
        return [self._ended(line) for line in wait(list(self.busy)) if isinstance(line, Connection)]

    def _ended(self, line: Connection) -> Done[R] | Death:
        worker = self.busy[line]  # it stays there until it has been heard, so that it is closed if that goes wrong
        assert worker.number is not None, "who is busy has a job"
        try:
            answer: Answer[R] = line.recv()
        except (EOFError, OSError):
            del self.busy[line]
            return Death(worker.number, worker.end())
        self.idle.append(self.busy.pop(line))
        return Done(worker.number, result_of(answer))

    def close(self) -> None:
        workers = [*self.idle, *self.busy.values()]
        self.idle.clear()
        self.busy.clear()
        for worker in workers:
            worker.process.terminate()  # all at once, and then wait for each
        for worker in workers:
            worker.end()
