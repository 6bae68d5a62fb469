"""Time limits for bots in the same process."""

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
"""Seconds per answer: more than any built-in bot needs, so that its play does not depend on the machine."""
MAX_OVERRUNS: Final = 3
"""A bot is not asked again after this many timeouts in a row; else a game could take days."""
STOP_SECONDS: Final = 0.5
"""Seconds to wait for a stopped bot."""
POLL_SECONDS: Final = 0.2
"""Seconds between checks while waiting, as Ctrl-C does not wake a waiting thread on every system."""


class BotTimeout(OstbahnError):
    """A bot did not answer in time."""


class StopThinking(SystemExit):
    """Raised within a bot to stop it. `except Exception` does not catch it, and it ends a thread quietly."""


class TimeLimitedBot:
    """A bot that must answer within a time limit.

    It runs in a thread, so this works in the terminal, the server and the arena. A bot that sleeps or catches all
    exceptions cannot be stopped; its thread is abandoned, and it is not asked again before it is done. A C function
    that never releases the interpreter blocks this thread too; only a process can be killed there (`worker_pool.py`).
    """

    def __init__(self, bot: Bot, limit: float = LIMIT) -> None:
        self.bot = bot
        self.limit = checked_limit(limit)
        self.overruns = 0
        """Consecutive timeouts."""
        self._thread: BotThread | None = None

    def choose(self, question: Question, game: Game) -> Action:
        if self.overruns == MAX_OVERRUNS:
            raise BotTimeout(f"it was too slow {MAX_OVERRUNS} times in a row, and is not asked any more")
        reply = self._ready_thread().ask(question, game, self.limit)
        if reply is None:
            self.overruns += 1
            raise BotTimeout(f"it had {self.limit:g} seconds and did not answer")
        self.overruns = 0
        if reply.fault is not None:
            raise reply.fault
        action: Action = reply.action
        return action

    def _ready_thread(self) -> BotThread:
        """The bot's thread; a new one if the last has ended."""
        thread = self._thread
        if thread is None or not thread.is_alive():
            self._thread = thread = BotThread(self.bot)
            self._dismissal = finalize(self, thread.dismiss)
        elif thread.stopped:
            raise BotTimeout("it still thinks about an earlier question")
        return thread

    def rest(self) -> None:
        """End the thread until the next question; a stopped one ends by itself."""
        if self._thread is not None and not self._thread.stopped:
            self._dismissal()
            self._thread = None


class BotReply(NamedTuple):
    """The action a bot returned, or the exception it raised."""

    action: Any = None
    fault: BaseException | None = None


class BotThread(Thread):
    """A thread that asks one bot all its questions: starting a thread takes longer than many an answer."""

    def __init__(self, bot: Bot) -> None:
        super().__init__(name="bot", daemon=True)  # an abandoned thread must not keep a program from ending
        self.bot = bot
        self.stopped = False
        self._questions: SimpleQueue[tuple[Question, Game] | None] = SimpleQueue()
        self._replies: SimpleQueue[BotReply] = SimpleQueue()
        self.start()

    def run(self) -> None:
        with suppress(StopThinking):  # it may arrive just after the answer
            while (request := self._questions.get()) is not None:
                try:
                    reply = BotReply(choose(self.bot, *request))
                except BaseException as fault:  # raised again in the asking thread
                    reply = BotReply(fault=fault)
                self._replies.put(reply)

    def ask(self, question: Question, game: Game, seconds: float) -> BotReply | None:
        """Return the bot's reply; stop the bot and return None if it takes too long."""
        self._questions.put((question, game))
        end, reply = monotonic() + seconds, None
        try:
            while reply is None and (seconds_left := end - monotonic()) > 0:
                with suppress(Empty):
                    reply = self._replies.get(timeout=min(seconds_left, POLL_SECONDS))
        finally:
            if reply is None:
                self._stop_thinking()
        return reply

    def _stop_thinking(self) -> None:
        """Raise `StopThinking` in the bot at its next step in Python, which ends its thread."""
        self.stopped = True
        self.dismiss()
        if self.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident), ctypes.py_object(StopThinking))
        self.join(STOP_SECONDS)

    def dismiss(self) -> None:
        """End the thread after the questions asked so far."""
        self._questions.put(None)


def checked_limit(seconds: float) -> float:
    """Return a time limit if it is positive."""
    if not seconds > 0:
        raise BadSetup(f"a bot needs some time to answer, not {seconds:g} seconds")
    return seconds
