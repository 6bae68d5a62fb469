"""Bots at the tables of the house: each by its code, and with so much time for an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ostbahn.bots.bot import Bot
from ostbahn.bots.limits import Limited, checked_limit
from ostbahn.bots.registry import built_in, seed_for
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question

LIMIT: Final = 20.0
"""Seconds for an answer: people wait for it."""

Maker = Callable[[str, int], Bot]
"""Makes a bot of a code and a seed."""


class Opponents:
    def __init__(self, limit: float = LIMIT, make: Maker = built_in) -> None:
        self.limit = checked_limit(limit)
        self.make = make

    def at(self, game: Game, seat: str, code: str) -> Bot:
        """Who answers for a seat; always somebody, since a game may be older than today's codes."""
        try:
            bot = self.make(code, seed_for(game.setup.seed, int(seat[1:])))
        except BadSetup as fault:
            return _Gone(fault)
        return Limited(bot, self.limit)


class _Gone:
    """In the place of a bot that an earlier version knew."""

    def __init__(self, reason: BadSetup) -> None:
        self.reason = reason

    def choose(self, question: Question, game: Game) -> Action:
        raise self.reason
