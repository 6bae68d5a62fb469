"""Bots that think in processes of their own.

A process can be ended for certain, whatever it is at, and it does not hold up the one who asks. A few are kept for all
bots; one that takes too long is killed, and another one takes its place.
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
"""Processes, so that a bot with a quick answer need not wait for one that ponders; the second starts when it has to."""
MAX_PROCESSES: Final = 4
"""Each takes some memory."""
START_SECONDS: Final = 60.0
"""Seconds until a process must be ready, or have a game before it. Neither is the bot's fault."""
GAMES_KEPT: Final = 8
"""Games that a process keeps; each takes some ten megabytes, as bots keep with it what they found out."""
MAX_WAIT_SECONDS: Final = 1e6
"""Seconds; nobody waits longer for a process at once."""


class WorkerDied(OstbahnError):
    """The process ended before it answered."""


class WorkFailed(OstbahnError):
    """What was asked raised something; the text tells what, and the trace where."""

    def __init__(self, text: str, trace: str) -> None:
        super().__init__(text)
        self.trace = trace


class RemoteBot:
    """A bot that thinks in another process, and is waited for only so long.

    It is made there, of its code and seed. Questions for all bots of a table go by the name of that table.
    """

    def __init__(
        self,
        thinkers: BotWorkerPool,
        table: str,
        code: str,
        seed: int,
        limit: float = LIMIT,
        make: BotFactory = built_in,
    ) -> None:
        self.thinkers = thinkers
        self.table = table
        self.limit = checked_limit(limit)
        self.unanswered = 0
        """In a row, so far."""
        self._choose = partial(choose_action, make, code, seed, table)

    def choose(self, question: Question, game: Game) -> Action:
        if self.unanswered == MAX_OVERRUNS:
            raise BotTimeout(f"it gave no answer {MAX_OVERRUNS} times in a row, and is not asked any more")
        try:
            action: Action = self.thinkers.ask(self.table, game, self._choose, self.limit)
        except (BotTimeout, WorkerDied):  # a bot that takes all memory is as bad as one that takes all day
            self.unanswered += 1
            raise
        except WorkFailed:
            self.unanswered = 0
            raise
        self.unanswered = 0
        return action


def default_pool_size() -> int:
    """How many processes think where nothing is said."""
    return min(MAX_PROCESSES, max(MIN_PROCESSES, os.cpu_count() or 1))


class BotWorkerPool:
    """The processes in which something is thought of. They start when they are needed; any thread may ask."""

    def __init__(self, number: int | None = None, back: int = 0) -> None:
        """back: how far they stand back behind others who want the processor, from 0 to 19."""
        self._back = back
        self.number = default_pool_size() if number is None else number
        if self.number < 1:
            raise BadSetup(f"bots need at least one process to think in, not {self.number}")
        self._workers: list[BotWorker] = []
        self._idle: list[BotWorker] = []
        """Those of them that nobody asks now; the one that was asked last is the last."""
        self._closed = False
        self._change = Condition()

    def ask(self, table: str, game: Game, work: GameWork, seconds: float) -> Any:
        """What the work comes to, if it does so in time; how long one waits for a process does not count."""
        worker = self._taken(table)
        try:
            told = worker.ask(table, game, work, seconds)
        except (BotTimeout, WorkerDied):
            if self._closed:  # which ended it
                raise BotUnavailable("bots have stopped thinking") from None
            raise
        finally:
            self._give_back(worker)
        if told.fault:
            raise WorkFailed(told.fault, told.trace)
        return told.found

    def warm_up(self) -> None:
        """Let a process start, so that the first who asks need not wait for that."""
        with self._change:
            if not self._workers and not self._closed:
                self._idle.append(self._started())

    def _taken(self, table: str) -> BotWorker:
        """A process for oneself: one that knows the game, or else any."""
        with self._change:
            while not self._closed:
                self._bury()
                if self._idle:
                    worker = next((each for each in self._idle if each.knows(table)), self._idle[-1])
                    self._idle.remove(worker)
                    return worker
                if len(self._workers) < self.number:
                    return self._started()
                self._change.wait()
        raise BotUnavailable("bots have stopped thinking")

    def _started(self) -> BotWorker:
        try:
            worker = BotWorker(self._back)
        except OSError as fault:
            raise BotUnavailable(f"no process could be started for a bot: {fault.strerror}") from None
        self._workers.append(worker)
        return worker

    def _bury(self) -> None:
        """Somebody may have ended a process while it did nothing."""
        for worker in [each for each in self._idle if not each.alive]:
            self._idle.remove(worker)
            self._workers.remove(worker)

    def _give_back(self, worker: BotWorker) -> None:
        with self._change:
            if worker.alive:
                self._idle.append(worker)
            else:
                self._workers.remove(worker)
                if worker.ready and not self._closed:
                    with suppress(BotUnavailable):  # the next who asks will try it too
                        self._idle.append(self._started())
            self._change.notify_all()

    def close(self) -> None:
        """End all of them; who waits for an answer gets none."""
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
    """A game as a process knows it."""

    beginning: GameStart
    records: tuple[Record, ...]

    @staticmethod
    def of(game: Game) -> KnownGame:
        return KnownGame(GameStart(game.setup, game.opening, game.state_at(0)), game.records)

    def shared_with(self, later: KnownGame) -> int | None:
        """How many answers both have in common from the beginning; None where they do not begin alike."""
        mine, other = self.beginning, later.beginning
        if mine.state is not other.state or mine.setup != other.setup:
            return None
        pairs = zip(self.records, later.records, strict=False)
        apart = (number for number, (one, two) in enumerate(pairs) if one is not two and one != two)
        return next(apart, min(len(self.records), len(later.records)))


class BotWorker:
    """A process that thinks, as the one who asks it sees it: one question after the other."""

    def __init__(self, back: int = 0) -> None:
        context = get_context("spawn")
        self._line, its_end = context.Pipe()
        self._process = context.Process(target=run_worker, args=(its_end, back), name="thinker", daemon=True)
        with _without_sigint():
            self._process.start()
        its_end.close()  # else nobody here would notice that the process is gone
        self.ready = False
        """Whether it has come to its senses."""
        self._known: dict[str, KnownGame] = {}
        """The games that it keeps, by their tables; the one that was asked about last is the last."""

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def knows(self, table: str) -> bool:
        return table in self._known

    def ask(self, table: str, game: Game, work: GameWork, seconds: float) -> WorkResult:
        """What it says. Where that takes too long, or goes wrong, the process is ended."""
        try:
            self._prepare(table, game, work, seconds)
            told = self._hear(seconds, BotTimeout(f"it had {seconds:g} seconds and did not answer"))
        except (EOFError, OSError):
            self.end()
            raise self._death() from None
        except BaseException:  # nobody waits any more
            self.end()
            raise
        assert isinstance(told, WorkResult)
        return told

    def _prepare(self, table: str, game: Game, work: GameWork, seconds: float) -> None:
        """Let it come to its senses, and look at the game as it stands; how long that takes is not the bot's fault."""
        if not self.ready:
            self._hear(
                START_SECONDS, BotUnavailable(f"a process for bots was not ready after {START_SECONDS:g} seconds")
            )
            self.ready = True
        course = KnownGame.of(game)
        asked = self._asked(table, course, game.state.digest, work, seconds)
        late = BotUnavailable(f"a game could not be told to a bot within {START_SECONDS:g} seconds")
        self._line.send(asked)
        told = self._hear(START_SECONDS, late)
        if told == MISMATCH:
            self._line.send(asked._replace(whole=game.history))
            told = self._hear(START_SECONDS, late)
        if told != STARTED:
            raise BotUnavailable(f"a game could not be told to a bot: {told.fault}\n{told.trace}")
        self._known[table] = course

    def _asked(self, table: str, course: KnownGame, digest: str, work: GameWork, seconds: float) -> WorkRequest:
        """The question; of the game only what is new is told."""
        known = self._known.pop(table, None)
        forget = tuple(self._known)[: max(0, len(self._known) + 1 - GAMES_KEPT)]
        for other in forget:
            del self._known[other]
        keep = None if known is None else known.shared_with(course)
        beginning = course.beginning if keep is None else None
        keep = keep or 0
        answers = tuple((record.by, record.action) for record in course.records[keep:])
        return WorkRequest(table, beginning, keep, answers, digest, work, seconds, forget)

    def _hear(self, seconds: float, late: OstbahnError) -> Any:
        if not self._line.poll(min(seconds, MAX_WAIT_SECONDS)):
            raise late
        return self._line.recv()

    def _death(self) -> OstbahnError:
        status = self._process.exitcode
        if not self.ready:
            return BotUnavailable(f"no process could be started for a bot: it ended with status {status}")
        return WorkerDied(f"its process ended before it answered, with status {status}")

    def end(self) -> None:
        """End it, whatever it is at. Any thread may do so, also while another one waits for its answer."""
        self._process.kill()
        self._process.join()


@contextmanager
def _without_sigint() -> Iterator[None]:
    """Ctrl-C reaches every process of a terminal, and one that is still being loaded would complain of it."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # else it is started with the first process, and lets Ctrl-C in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
