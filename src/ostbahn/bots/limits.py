"""A bot with a time limit; the one place where bots are held to the clock."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from ostbahn.bots.bot import Bot
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question


class TooSlow(OstbahnError):
    """An answer that came too late."""


class Limited:
    """A bot whose late answers do not count.

    Nothing can stop a bot that is thinking, so the time is taken when it is done: a limit punishes, it does not
    protect. A bot that never answers has to run in a process that can be ended.
    """

    def __init__(self, bot: Bot, limit_ms: int, clock: Callable[[], float] = monotonic) -> None:
        self.bot = bot
        self.limit_ms = limit_ms
        self.clock = clock

    def choose(self, question: Question, game: Game) -> Action:
        began = self.clock()
        action = self.bot.choose(question, game)
        took_ms = round((self.clock() - began) * 1000)
        if took_ms > self.limit_ms:
            raise TooSlow(f"it took {took_ms} ms to answer and had {self.limit_ms} ms")
        return action
