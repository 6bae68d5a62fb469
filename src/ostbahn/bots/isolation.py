"""Bots that do not come with Ostbahn get a game of their own: they can neither change the real one nor foresee it.

Its tables are its own, and it draws with chance of its own. That keeps out mistakes and plain cheating. Code in
the same process can still reach everything, so a game that counts is replayed elsewhere (`interop/verifying.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import structs

from ostbahn.bots.bot import Bot
from ostbahn.bots.trials import LOTS
from ostbahn.kernel.actions import Action
from ostbahn.kernel.chance import with_lots
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game, History
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Record
from ostbahn.kernel.state import RngState, State


class GameChanged(OstbahnError):
    """A bot has changed a game other than by its answers. No answer is taken for it: the game cannot be trusted."""


def choose(bot: Bot, question: Question, game: Game) -> Action:
    """What a bot answers. Those that come with Ostbahn only read the game, so they are handed the game itself."""
    if is_built_in(bot):
        return bot.choose(question, game)
    own, before = isolated(game), game.state.digest
    assert own.question is not None
    try:
        return bot.choose(own.question, own)
    finally:
        if game.state.digest != before:
            raise GameChanged(
                f"the bot {name_of(bot)} changed the game while it was asked; a bot may change only the game that is "
                "handed to it"
            )


def is_built_in(bot: Bot) -> bool:
    """Whether a bot comes with Ostbahn: its class stands in a module of ours, and nothing of it was replaced."""
    kind = type(bot)
    ours = kind.__module__.partition(".")[0] == __name__.partition(".")[0]
    stands_there = getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind
    return ours and stands_there and "choose" not in getattr(bot, "__dict__", {})


def name_of(bot: Bot) -> str:
    """A bot of somebody's own as they know it: its file and its class."""
    kind = type(bot)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return f"{Path(file).name}:{kind.__name__}" if file else kind.__name__


def isolated(game: Game) -> Game:
    """The same game with tables and chance of its own. Its set-up has another seed: from that all could be drawn."""
    past = Past(game.copy())
    setup = structs.replace(past.game.setup, seed=LOTS)
    if isinstance(chance := getattr(game.state, "chance", None), RngState):
        setup = structs.replace(setup, draws=chance.draws[: chance.used])
    first = Game.retold(game.rulebook, History(setup, game.opening, (past.state(0),), ()))
    return Game.taken_up(first, past.state(len(game)), len(game), past)


class Past:
    """What led to the state of an isolated game, without what chance will bring."""

    def __init__(self, game: Game) -> None:
        self.game = game
        """A copy that nobody else has."""

    def records(self) -> Sequence[Record]:
        return self.game.records

    def state(self, number: int) -> State:
        return with_lots(self.game.state_at(number), LOTS)
