"""Bots in worker processes, which can always be killed and do not block the caller.

A small pool serves all bots. A process that takes too long is killed and replaced.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from threading import Condition
from typing import Any, Final, NamedTuple

from ostbahn.bots.limits import LIMIT, MAX_OVERRUNS, BotTimeout, checked_limit
from ostbahn.bots.playing import BotUnavailable
from ostbahn.bots.registry import built_in
from ostbahn.bots.worker_process import (
    MISMATCH,
    STARTED,
    BotFactory,
    GameStart,
    GameWork,
    WorkRequest,
    WorkResult,
    choose_action,
    run_worker,
)
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Record

MIN_PROCESSES: Final = 2
"""Two, so that a fast bot need not wait for a slow one; the second starts on demand."""
MAX_PROCESSES: Final = 4
"""Limits the memory used."""
START_SECONDS: Final = 60.0
"""Seconds until a process must be ready or have loaded a game; this does not count against the bot."""
GAMES_KEPT: Final = 8
"""Games that a process keeps; each takes about ten megabytes with the caches of bots."""
MAX_WAIT_SECONDS: Final = 1e6
"""The longest single wait, as larger timeouts overflow."""


class WorkerDied(OstbahnError):
    """A worker process ended before it answered."""


class WorkFailed(OstbahnError):
    """The work raised an exception."""

    def __init__(self, text: str, trace: str) -> None:
        super().__init__(text)
        self.trace = trace


class RemoteBot:
    """A bot in a worker process, with a time limit; the worker makes it from its code and seed."""

    def __init__(
        self,
        pool: BotWorkerPool,
        table: str,
        code: str,
        seed: int,
        limit: float = LIMIT,
        make: BotFactory = built_in,
    ) -> None:
        self.pool = pool
        self.table = table
        self.limit = checked_limit(limit)
        self.unanswered = 0
        """Consecutive questions without an answer."""
        self._choose = partial(choose_action, make, code, seed, table)

    def choose(self, question: Question, game: Game) -> Action:
        if self.unanswered == MAX_OVERRUNS:
            raise BotTimeout(f"it gave no answer {MAX_OVERRUNS} times in a row, and is not asked any more")
        try:
            action: Action = self.pool.ask(self.table, game, self._choose, self.limit)
        except (BotTimeout, WorkerDied):  # a bot that exhausts memory counts as one that is too slow
            self.unanswered += 1
            raise
        except WorkFailed:
            self.unanswered = 0
            raise
        self.unanswered = 0
        return action


def default_pool_size() -> int:
    """The number of processes if none is given."""
    return min(MAX_PROCESSES, max(MIN_PROCESSES, os.cpu_count() or 1))


class BotWorkerPool:
    """A pool of worker processes, started on demand; thread-safe."""

    def __init__(self, number: int | None = None, niceness: int = 0) -> None:
        """niceness: from 0 to 19; a higher one yields the processor to other processes."""
        self._niceness = niceness
        self.number = default_pool_size() if number is None else number
        if self.number < 1:
            raise BadSetup(f"bots need at least one process to think in, not {self.number}")
        self._workers: list[BotWorker] = []
        self._idle: list[BotWorker] = []
        """Workers without a request; the last one was used last."""
        self._closed = False
        self._change = Condition()

    def ask(self, table: str, game: Game, work: GameWork, seconds: float) -> Any:
        """Run work on a game and return its result; `seconds` does not include the wait for a free process."""
        worker = self._take(table)
        try:
            result = worker.ask(table, game, work, seconds)
        except (BotTimeout, WorkerDied):
            if self._closed:  # closing the pool killed the worker
                raise BotUnavailable("bots have stopped thinking") from None
            raise
        finally:
            self._give_back(worker)
        if result.fault:
            raise WorkFailed(result.fault, result.trace)
        return result.found

    def warm_up(self) -> None:
        """Start a process, so that the first request need not wait for it."""
        with self._change:
            if not self._workers and not self._closed:
                self._idle.append(self._start_worker())

    def _take(self, table: str) -> BotWorker:
        """Wait for an idle worker and reserve it; one that knows the game is preferred."""
        with self._change:
            while not self._closed:
                self._remove_dead()
                if self._idle:
                    worker = next((idle for idle in self._idle if idle.knows(table)), self._idle[-1])
                    self._idle.remove(worker)
                    return worker
                if len(self._workers) < self.number:
                    return self._start_worker()
                self._change.wait()
        raise BotUnavailable("bots have stopped thinking")

    def _start_worker(self) -> BotWorker:
        try:
            worker = BotWorker(self._niceness)
        except OSError as fault:
            raise BotUnavailable(f"no process could be started for a bot: {fault.strerror}") from None
        self._workers.append(worker)
        return worker

    def _remove_dead(self) -> None:
        """Remove idle workers whose process was killed from outside."""
        for worker in [idle for idle in self._idle if not idle.alive]:
            self._idle.remove(worker)
            self._workers.remove(worker)

    def _give_back(self, worker: BotWorker) -> None:
        with self._change:
            if worker.alive:
                self._idle.append(worker)
            else:
                self._workers.remove(worker)
                if worker.ready and not self._closed:
                    with suppress(BotUnavailable):  # the next request tries again
                        self._idle.append(self._start_worker())
            self._change.notify_all()

    def close(self) -> None:
        """Kill all workers; pending requests fail."""
        with self._change:
            self._closed = True
            workers = list(self._workers)
            self._change.notify_all()
        for worker in workers:
            worker.end()

    def __enter__(self) -> BotWorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class KnownGame(NamedTuple):
    """A game as a worker knows it."""

    beginning: GameStart
    records: tuple[Record, ...]

    @staticmethod
    def of(game: Game) -> KnownGame:
        return KnownGame(GameStart(game.setup, game.opening, game.state_at(0)), game.records)

    def shared_with(self, later: KnownGame) -> int | None:
        """How many first answers are the same in both; None if they start differently."""
        mine, other = self.beginning, later.beginning
        if mine.state is not other.state or mine.setup != other.setup:
            return None
        pairs = zip(self.records, later.records, strict=False)
        differences = (number for number, (one, two) in enumerate(pairs) if one is not two and one != two)
        return next(differences, min(len(self.records), len(later.records)))


class BotWorker:
    """The parent's side of a worker process; handles one request at a time."""

    def __init__(self, niceness: int = 0) -> None:
        context = get_context("spawn")
        self._pipe, worker_end = context.Pipe()
        self._process = context.Process(target=run_worker, args=(worker_end, niceness), name="thinker", daemon=True)
        with _without_sigint():
            self._process.start()
        worker_end.close()  # else the end of the process would not be noticed
        self.ready = False
        """Whether the process has loaded all modules."""
        self._known: dict[str, KnownGame] = {}
        """The games that the process keeps, by table; the last one was used last."""

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def knows(self, table: str) -> bool:
        return table in self._known

    def ask(self, table: str, game: Game, work: GameWork, seconds: float) -> WorkResult:
        """Run work in the process; kill the process if that takes too long or fails."""
        try:
            self._start_work(table, game, work, seconds)
            result = self._receive(seconds, BotTimeout(f"it had {seconds:g} seconds and did not answer"))
        except (EOFError, OSError):
            self.end()
            raise self._death_error() from None
        except BaseException:  # the result is not awaited any more
            self.end()
            raise
        assert isinstance(result, WorkResult)
        return result

    def _start_work(self, table: str, game: Game, work: GameWork, seconds: float) -> None:
        """Send the request and wait until the process is ready and has updated the game."""
        if not self.ready:
            late = BotUnavailable(f"a process for bots was not ready after {START_SECONDS:g} seconds")
            self._receive(START_SECONDS, late)
            self.ready = True
        present = KnownGame.of(game)
        request = self._request(table, present, game.state.digest, work, seconds)
        late = BotUnavailable(f"a game could not be told to a bot within {START_SECONDS:g} seconds")
        self._pipe.send(request)
        reply = self._receive(START_SECONDS, late)
        if reply == MISMATCH:
            self._pipe.send(request._replace(whole=game.history))
            reply = self._receive(START_SECONDS, late)
        if reply != STARTED:
            raise BotUnavailable(f"a game could not be told to a bot: {reply.fault}\n{reply.trace}")
        self._known[table] = present

    def _request(self, table: str, present: KnownGame, digest: str, work: GameWork, seconds: float) -> WorkRequest:
        """A request with only those answers that the process does not know."""
        known = self._known.pop(table, None)
        forget = tuple(self._known)[: max(0, len(self._known) + 1 - GAMES_KEPT)]
        for other in forget:
            del self._known[other]
        keep = None if known is None else known.shared_with(present)
        beginning = present.beginning if keep is None else None
        keep = keep or 0
        answers = tuple((record.by, record.action) for record in present.records[keep:])
        return WorkRequest(table, beginning, keep, answers, digest, work, seconds, forget)

    def _receive(self, seconds: float, late: OstbahnError) -> Any:
        """Receive the next message; raise `late` after that many seconds."""
        if not self._pipe.poll(min(seconds, MAX_WAIT_SECONDS)):
            raise late
        return self._pipe.recv()

    def _death_error(self) -> OstbahnError:
        status = self._process.exitcode
        if not self.ready:
            return BotUnavailable(f"no process could be started for a bot: it ended with status {status}")
        return WorkerDied(f"its process ended before it answered, with status {status}")

    def end(self) -> None:
        """Kill the process; any thread may do so at any time."""
        self._process.kill()
        self._process.join()


@contextmanager
def _without_sigint() -> Iterator[None]:
    """Block Ctrl-C for a starting process, which would print a traceback."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # else it starts with the first process and unblocks Ctrl-C
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)
