"""Bots at tables: one for each seat, with a time limit, computing in the processes of `bots/worker_pool.py`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from ostbahn.bots.hints import Hint, hint
from ostbahn.bots.limits import BotTimeout, TimeLimitedBot, checked_limit
from ostbahn.bots.playing import Bot, BotUnavailable
from ostbahn.bots.registry import built_in, seed_for
from ostbahn.bots.worker_pool import BotWorkerPool, RemoteBot, WorkerDied, WorkFailed
from ostbahn.bots.worker_process import BotFactory, GameWork
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.server.faults import Busy

LOG: Final = logging.getLogger(__name__)
LIMIT: Final = 20.0  # seconds for an answer: people wait for it


@contextmanager
def busy_when_slow(what: str, busy: str) -> Iterator[None]:
    """Turn timeouts and missing bots into `Busy` with this text, and other failures of a bot into `RuntimeError`."""
    try:
        yield
    except (BotTimeout, WorkerDied, BotUnavailable) as fault:
        LOG.warning("there was no %s: %s", what, fault)
        raise Busy(busy) from None
    except WorkFailed as fault:
        raise RuntimeError(f"no {what}") from fault


class SeatedBots:
    """The bots of all seats; each stays until its seat is reassigned, or its game is over or evicted.

    thinkers: the processes in which bots compute; without any, each uses a thread of this process.
    """

    def __init__(
        self, limit: float = LIMIT, make: BotFactory = built_in, thinkers: BotWorkerPool | None = None
    ) -> None:
        self.limit = checked_limit(limit)
        self.make = make
        self.thinkers = thinkers
        self._seated: dict[str, dict[str, tuple[str, Bot]]] = {}  # by game and seat: a bot, and its code

    def bot_for(self, table: str, game: Game, seat: str, code: str) -> Bot:
        """The bot of a seat, created at first use. An unknown code gives a bot that raises."""
        seats = self._seated.setdefault(table, {})
        if seat not in seats or seats[seat][0] != code:
            seats[seat] = code, self._new_bot(table, code, seed_for(game.setup.seed, int(seat[1:])))
        return seats[seat][1]

    def _new_bot(self, table: str, code: str, seed: int) -> Bot:
        if self.thinkers is not None:
            return RemoteBot(self.thinkers, table, code, seed, self.limit, self.make)
        try:
            bot = self.make(code, seed)
        except BadSetup as fault:
            return _MissingBot(fault)
        return TimeLimitedBot(bot, self.limit)

    def hint(self, table: str, game: Game) -> Hint:
        advice: Hint = self.run_in_pool(table, game, hint, self.limit)
        return advice

    def run_in_pool(self, table: str, game: Game, work: GameWork, seconds: float) -> Any:
        """The result of `work` on a game, computed in a bot process if there are any."""
        return work(game) if self.thinkers is None else self.thinkers.ask(table, game, work, seconds)

    def release_threads(self, table: str) -> None:
        """End the threads of a table's bots while it is not their turn."""
        for _, bot in self._seated.get(table, {}).values():
            if isinstance(bot, TimeLimitedBot):
                bot.rest()

    def dismiss(self, table: str, seat: str | None = None) -> None:
        """Dismiss the bot of a seat, or all of a table."""
        if seat is None:
            self._seated.pop(table, None)
        else:
            self._seated.get(table, {}).pop(seat, None)

    @property
    def max_parallel(self) -> int:
        """How many bots can compute at once; 0 for no limit."""
        return 0 if self.thinkers is None else self.thinkers.number

    def warm_up(self) -> None:
        if self.thinkers is not None:
            self.thinkers.warm_up()

    def close(self) -> None:
        if self.thinkers is not None:
            self.thinkers.close()


class _MissingBot:
    """Stands in for a bot that no longer exists."""

    def __init__(self, reason: BadSetup) -> None:
        self.reason = reason

    def choose(self, question: Question, game: Game) -> Action:
        raise self.reason
