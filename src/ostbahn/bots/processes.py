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

from ostbahn.bots.limits import CHANCES, LIMIT, TooSlow, checked_limit
from ostbahn.bots.playing import NotAsked
from ostbahn.bots.registry import built_in
from ostbahn.bots.thinking import BEGUN, OTHERWISE, Asked, Beginning, Maker, Told, Work, chosen, think
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Record

FEWEST: Final = 2
"""Processes, so that a bot with a quick answer need not wait for one that ponders; the second starts when it has to."""
MOST: Final = 4
"""Each takes some memory."""
START: Final = 60.0
"""Seconds until a process must be ready, or have a game before it. Neither is the bot's fault."""
TABLES: Final = 8
"""Games that a process keeps; each takes some ten megabytes, as bots keep with it what they found out."""
LONGEST: Final = 1e6
"""Seconds; nobody waits longer for a process at once."""


class Died(OstbahnError):
    """The process ended before it answered."""


class Failed(OstbahnError):
    """What was asked raised something; the text tells what, and the trace where."""

    def __init__(self, text: str, trace: str) -> None:
        super().__init__(text)
        self.trace = trace


class Outside:
    """A bot that thinks in another process, and is waited for only so long.

    It is made there, of its code and seed. Questions for all bots of a table go by the name of that table.
    """

    def __init__(
        self, thinkers: Thinkers, table: str, code: str, seed: int, limit: float = LIMIT, make: Maker = built_in
    ) -> None:
        self.thinkers = thinkers
        self.table = table
        self.limit = checked_limit(limit)
        self.unanswered = 0
        """In a row, so far."""
        self._choose = partial(chosen, make, code, seed, table)

    def choose(self, question: Question, game: Game) -> Action:
        if self.unanswered == CHANCES:
            raise TooSlow(f"it gave no answer {CHANCES} times in a row, and is not asked any more")
        try:
            action: Action = self.thinkers.ask(self.table, game, self._choose, self.limit)
        except (TooSlow, Died):  # a bot that takes all memory is as bad as one that takes all day
            self.unanswered += 1
            raise
        except Failed:
            self.unanswered = 0
            raise
        self.unanswered = 0
        return action


def usual_number() -> int:
    """How many processes think where nothing is said."""
    return min(MOST, max(FEWEST, os.cpu_count() or 1))


class Thinkers:
    """The processes in which something is thought of. They start when they are needed; any thread may ask."""

    def __init__(self, number: int | None = None, back: int = 0) -> None:
        """back: how far they stand back behind others who want the processor, from 0 to 19."""
        self._back = back
        self.number = usual_number() if number is None else number
        if self.number < 1:
            raise BadSetup(f"bots need at least one process to think in, not {self.number}")
        self._workers: list[Worker] = []
        self._idle: list[Worker] = []
        """Those of them that nobody asks now; the one that was asked last is the last."""
        self._closed = False
        self._change = Condition()

    def ask(self, table: str, game: Game, work: Work, seconds: float) -> Any:
        """What the work comes to, if it does so in time; how long one waits for a process does not count."""
        worker = self._taken(table)
        try:
            told = worker.ask(table, game, work, seconds)
        except (TooSlow, Died):
            if self._closed:  # which ended it
                raise NotAsked("bots have stopped thinking") from None
            raise
        finally:
            self._give_back(worker)
        if told.fault:
            raise Failed(told.fault, told.trace)
        return told.found

    def warm_up(self) -> None:
        """Let a process start, so that the first who asks need not wait for that."""
        with self._change:
            if not self._workers and not self._closed:
                self._idle.append(self._started())

    def _taken(self, table: str) -> Worker:
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
        raise NotAsked("bots have stopped thinking")

    def _started(self) -> Worker:
        try:
            worker = Worker(self._back)
        except OSError as fault:
            raise NotAsked(f"no process could be started for a bot: {fault.strerror}") from None
        self._workers.append(worker)
        return worker

    def _bury(self) -> None:
        """Somebody may have ended a process while it did nothing."""
        for worker in [each for each in self._idle if not each.alive]:
            self._idle.remove(worker)
            self._workers.remove(worker)

    def _give_back(self, worker: Worker) -> None:
        with self._change:
            if worker.alive:
                self._idle.append(worker)
            else:
                self._workers.remove(worker)
                if worker.ready and not self._closed:
                    with suppress(NotAsked):  # the next who asks will try it too
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

    def __enter__(self) -> Thinkers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Course(NamedTuple):
    """A game as a process knows it."""

    beginning: Beginning
    records: tuple[Record, ...]

    @staticmethod
    def of(game: Game) -> Course:
        return Course(Beginning(game.setup, game.opening, game.state_at(0)), game.records)

    def shared_with(self, later: Course) -> int | None:
        """How many answers both have in common from the beginning; None where they do not begin alike."""
        mine, other = self.beginning, later.beginning
        if mine.state is not other.state or mine.setup != other.setup:
            return None
        pairs = zip(self.records, later.records, strict=False)
        apart = (number for number, (one, two) in enumerate(pairs) if one is not two and one != two)
        return next(apart, min(len(self.records), len(later.records)))


class Worker:
    """A process that thinks, as the one who asks it sees it: one question after the other."""

    def __init__(self, back: int = 0) -> None:
        context = get_context("spawn")
        self._line, its_end = context.Pipe()
        self._process = context.Process(target=think, args=(its_end, back), name="thinker", daemon=True)
        with _deaf_to_ctrl_c():
            self._process.start()
        its_end.close()  # else nobody here would notice that the process is gone
        self.ready = False
        """Whether it has come to its senses."""
        self._known: dict[str, Course] = {}
        """The games that it keeps, by their tables; the one that was asked about last is the last."""

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def knows(self, table: str) -> bool:
        return table in self._known

    def ask(self, table: str, game: Game, work: Work, seconds: float) -> Told:
        """What it says. Where that takes too long, or goes wrong, the process is ended."""
        try:
            self._prepare(table, game, work, seconds)
            told = self._hear(seconds, TooSlow(f"it had {seconds:g} seconds and did not answer"))
        except (EOFError, OSError):
            self.end()
            raise self._death() from None
        except BaseException:  # nobody waits any more
            self.end()
            raise
        assert isinstance(told, Told)
        return told

    def _prepare(self, table: str, game: Game, work: Work, seconds: float) -> None:
        """Let it come to its senses, and look at the game as it stands; how long that takes is not the bot's fault."""
        if not self.ready:
            self._hear(START, NotAsked(f"a process for bots was not ready after {START:g} seconds"))
            self.ready = True
        course = Course.of(game)
        asked = self._asked(table, course, game.state.digest, work, seconds)
        late = NotAsked(f"a game could not be told to a bot within {START:g} seconds")
        self._line.send(asked)
        told = self._hear(START, late)
        if told == OTHERWISE:
            self._line.send(asked._replace(whole=game.history))
            told = self._hear(START, late)
        if told != BEGUN:
            raise NotAsked(f"a game could not be told to a bot: {told.fault}\n{told.trace}")
        self._known[table] = course

    def _asked(self, table: str, course: Course, digest: str, work: Work, seconds: float) -> Asked:
        """The question; of the game only what is new is told."""
        known = self._known.pop(table, None)
        forget = tuple(self._known)[: max(0, len(self._known) + 1 - TABLES)]
        for other in forget:
            del self._known[other]
        keep = None if known is None else known.shared_with(course)
        beginning = course.beginning if keep is None else None
        keep = keep or 0
        answers = tuple((record.by, record.action) for record in course.records[keep:])
        return Asked(table, beginning, keep, answers, digest, work, seconds, forget)

    def _hear(self, seconds: float, late: OstbahnError) -> Any:
        if not self._line.poll(min(seconds, LONGEST)):
            raise late
        return self._line.recv()

    def _death(self) -> OstbahnError:
        status = self._process.exitcode
        if not self.ready:
            return NotAsked(f"no process could be started for a bot: it ended with status {status}")
        return Died(f"its process ended before it answered, with status {status}")

    def end(self) -> None:
        """End it, whatever it is at. Any thread may do so, also while another one waits for its answer."""
        self._process.kill()
        self._process.join()


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
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
