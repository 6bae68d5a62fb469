"""A bot with a time limit; the one place where bots are held to the clock."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, Final, NamedTuple
from weakref import finalize

from ostbahn.bots.playing import Bot, choose
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question

LIMIT: Final = 30.0
"""Seconds for an answer: more than any bot of ours needs, so that its play does not hang on the machine."""
MAX_OVERRUNS: Final = 3
"""After so many overruns in a row a bot is not asked any more; else a game with one that always overruns takes days."""
STOP_SECONDS: Final = 0.5
"""Seconds in which a bot that is told to stop usually has."""
POLL_SECONDS: Final = 0.2
"""Seconds after which whoever waits looks up: Ctrl-C does not wake him everywhere."""


class BotTimeout(OstbahnError):
    """An answer that did not come in time."""


class StopThinking(SystemExit):
    """Thrown into a bot that is to stop. `except Exception` does not catch it, and a thread ends by it quietly."""


class TimeLimitedBot:
    """A bot that is waited for only so long; what it would have said later does not count.

    It thinks in a thread of its own, so this works at the terminal, in a thread of the server and in a process of the
    arena alike. A bot that sleeps, or catches everything, cannot be ended and is left behind; it is not asked again
    before it is done. What no thread can stop is a bot within a C function that never lets go of the interpreter; a
    process can be ended there too (`worker_pool.py`).
    """

    def __init__(self, bot: Bot, limit: float = LIMIT) -> None:
        self.bot = bot
        self.limit = checked_limit(limit)
        self.overruns = 0
        """In a row, so far."""
        self._thinker: BotThread | None = None

    def choose(self, question: Question, game: Game) -> Action:
        if self.overruns == MAX_OVERRUNS:
            raise BotTimeout(f"it was too slow {MAX_OVERRUNS} times in a row, and is not asked any more")
        said = self._ready().ask(question, game, self.limit)
        if said is None:
            self.overruns += 1
            raise BotTimeout(f"it had {self.limit:g} seconds and did not answer")
        self.overruns = 0
        if said.fault is not None:
            raise said.fault
        action: Action = said.action
        return action

    def _ready(self) -> BotThread:
        """The thread in which the bot thinks; another one if the last was stopped."""
        thinker = self._thinker
        if thinker is None or not thinker.is_alive():
            self._thinker = thinker = BotThread(self.bot)
            self._dismissal = finalize(self, thinker.dismiss)
        elif thinker.stopped:
            raise BotTimeout("it still thinks about an earlier question")
        return thinker

    def rest(self) -> None:
        """Nothing is asked for a while: its thread may go; that of one that was told to stop goes when it does."""
        if self._thinker is not None and not self._thinker.stopped:
            self._dismissal()
            self._thinker = None


class BotReply(NamedTuple):
    """What comes of asking a bot: an answer, or what it raised."""

    action: Any = None
    fault: BaseException | None = None


class BotThread(Thread):
    """A bot in a thread of its own, kept for all its questions: to begin one takes longer than many an answer."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(name="bot", daemon=True)  # whoever is left behind must not keep a program from ending
        self.bot = bot
        self.stopped = False
        self._asked: SimpleQueue[tuple[Question, Game] | None] = SimpleQueue()
        self._said: SimpleQueue[BotReply] = SimpleQueue()
        self.start()

    def run(self) -> None:
        with suppress(StopThinking):  # it may come just after the answer
            while (asked := self._asked.get()) is not None:
                try:
                    said = BotReply(choose(self.bot, *asked))
                except BaseException as fault:  # told to the one who asked, as if he had called the bot himself
                    said = BotReply(fault=fault)
                self._said.put(said)

    def ask(self, question: Question, game: Game, seconds: float) -> BotReply | None:
        """What the bot says, if it does so in time; else it is stopped, as when nobody waits any more (Ctrl-C)."""
        self._asked.put((question, game))
        end, said = monotonic() + seconds, None
        try:
            while said is None and (left := end - monotonic()) > 0:
                with suppress(Empty):
                    said = self._said.get(timeout=min(left, POLL_SECONDS))
        finally:
            if said is None:
                self._stop_thinking()
        return said

    def _stop_thinking(self) -> None:
        """Throw something into the bot: it ends by that at its next step in Python, and its thread with it."""
        self.stopped = True
        self.dismiss()
        if self.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident), ctypes.py_object(StopThinking))
        self.join(STOP_SECONDS)

    def dismiss(self) -> None:
        """There are no more questions."""
        self._asked.put(None)


def checked_limit(seconds: float) -> float:
    """A time that somebody can wait."""
    if not seconds > 0:
        raise BadSetup(f"a bot needs some time to answer, not {seconds:g} seconds")
    return seconds
