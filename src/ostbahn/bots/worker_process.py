"""What happens in a process that thinks: a game is brought up to date, somebody thinks about it, the answer goes back.

The process keeps games, so that a question needs to bring only what is new. That also makes bots as quick here as they
are elsewhere: some keep what they found out with the very state that they looked at.
"""

from __future__ import annotations

import gc
import math
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from functools import lru_cache
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, Final, NamedTuple

from ostbahn.bots.playing import Bot, choose, describe_fault
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game, History, Setup
from ostbahn.kernel.records import Event
from ostbahn.kernel.state import State
from ostbahn.kits.catalogue import part_of_every_kit, rulebook_for

READY: Final = "ready"
"""Said once, when all is loaded."""
STARTED: Final = "begun"
"""Said for every question, when the game is up to date: from now on it is the bot that takes the time."""
MISMATCH: Final = "otherwise"
"""Said instead, where the answers lead elsewhere here; then the game is told whole."""
SPARE_SECONDS: Final = 5.0
"""Seconds after its time in which a process is ended from outside; else nobody is there any more to do that."""
GC_THRESHOLDS: Final = (20_000, 20, 20)
"""When garbage is looked for. A search for routes makes many small things and hardly any garbage; left to itself Python
would look through all games in memory meanwhile, again and again, a tenth of a second each time."""
BOTS_KEPT: Final = 64
"""How many bots are kept."""

GameWork = Callable[[Game], Any]
"""What is to be found out of a game. It travels by its name, so it is a function of a module, or a partial of one."""
BotFactory = Callable[[str, int], Bot]
"""Makes a bot of a code and a seed."""


class GameStart(NamedTuple):
    """A game before the first of its answers that are at hand."""

    setup: Setup
    opening: tuple[Event, ...]
    state: State


class WorkRequest(NamedTuple):
    """A question, with what is new about the game."""

    table: str
    beginning: GameStart | None
    """None for a game that is known here."""
    keep: int
    """How many answers of that game still stand."""
    answers: tuple[tuple[str, Action], ...]
    """Those that followed, each with who gave it."""
    digest: str
    """Where they lead."""
    work: GameWork
    seconds: float
    forget: tuple[str, ...] = ()
    """Tables whose games are not needed any more."""
    whole: History | None = None
    """All of the game, where it does not follow from its beginning and its answers: on a planning board chance goes on
    elsewhere from the middle of a game."""


class WorkResult(NamedTuple):
    """What came of it: something, or a fault in a line, with where it was."""

    found: Any = None
    fault: str = ""
    trace: str = ""


def run_worker(line: Connection, back: int = 0) -> None:
    """Answer questions until nobody is at the other end any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started this
    Thread(target=_exit_with_parent, daemon=True).start()
    if sys.platform != "win32":
        os.nice(back)  # people who answer meanwhile come first
    part_of_every_kit(lambda kit: (kit.policy, kit.actions))
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    line.send(READY)
    thoughts = WorkRequestHandler(line)
    while True:
        try:
            data = line.recv_bytes()
        except (EOFError, OSError):
            return
        thoughts.answer(data)


def _exit_with_parent() -> None:
    """Whoever thinks does not listen, so somebody else does; what a search has at hand needs no tidying up."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class WorkRequestHandler:
    """The games that a process knows, and what it says about them."""

    def __init__(self, line: Connection) -> None:
        self.line = line
        self.games: dict[str, Game] = {}

    def answer(self, data: bytes) -> None:
        try:
            told = self._told(pickle.loads(data))
        except BaseException as fault:  # bots may raise anything
            told = _failed_result(fault)
        try:
            self.line.send(told)
        except (OSError, EOFError):
            raise
        except Exception as fault:  # what came of it cannot travel
            self.line.send(_failed_result(fault))

    def _told(self, asked: WorkRequest) -> WorkResult | str:
        game = self._up_to_date(asked)
        if game is None:
            return MISMATCH
        self.line.send(STARTED)
        _exit_after(asked.seconds + SPARE_SECONDS)
        try:
            return WorkResult(asked.work(game.branch()))
        finally:
            _exit_after(0)

    def _up_to_date(self, asked: WorkRequest) -> Game | None:
        for table in asked.forget:
            self.games.pop(table, None)
        known = self.games.pop(asked.table, None)  # where something goes wrong, it is told anew next time
        game = _replayed_game(asked, known) if asked.whole is None else _restored_game(asked, asked.whole)
        if game is not None:
            self.games[asked.table] = game
        return game


def _replayed_game(asked: WorkRequest, known: Game | None) -> Game | None:
    """The game as its answers tell it; None where they lead elsewhere, or nowhere."""
    if asked.beginning is not None:
        setup, opening, state = asked.beginning
        known = Game.from_history(rulebook_for(setup), History(setup, opening, (state,), ()))
    if known is None:
        return None
    game = known.position(asked.keep)
    try:
        for by, action in asked.answers:
            game.apply(action, by)
    except OstbahnError:
        return None
    return game if game.state.digest == asked.digest else None


def _restored_game(asked: WorkRequest, whole: History) -> Game:
    game = Game.from_history(rulebook_for(whole.setup), whole)
    if game.state.digest != asked.digest:
        raise OstbahnError("the game stands otherwise where the bot thinks: Ostbahn was changed since it started")
    return game


def _exit_after(seconds: float) -> None:
    """The end of this process by its own clock, whatever it is at then; no seconds stop the clock.

    It is only needed where the one who asked was killed, and something is stuck so deep that no thread here can act.
    """
    if sys.platform != "win32" and math.isfinite(seconds):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _failed_result(fault: BaseException) -> WorkResult:
    return WorkResult(fault=describe_fault(fault), trace="".join(traceback.format_exception(fault, limit=-8)))


# Bots


@lru_cache(BOTS_KEPT)
def _bot_for_seat(make: BotFactory, code: str, seed: int, _table: str) -> Bot:
    """A bot keeps its seat, as it would elsewhere."""
    return make(code, seed)


def choose_action(make: BotFactory, code: str, seed: int, table: str, game: Game) -> Action:
    """What a bot answers."""
    question = game.question
    if question is None:
        raise OstbahnError("the game is over")
    return choose(_bot_for_seat(make, code, seed, table), question, game)
