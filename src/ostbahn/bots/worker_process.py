"""A worker process for bots: it updates its copy of a game, runs some work on it and sends the result back.

The process keeps games, so a request brings only new answers. It also keeps what bots cached with the game's states.
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
"""Sent once, when all modules are loaded."""
STARTED: Final = "begun"
"""Sent for every request when the game is up to date and the bot's time starts."""
MISMATCH: Final = "otherwise"
"""Sent instead if the answers lead to another state here; the parent then sends the whole game."""
SPARE_SECONDS: Final = 5.0
"""Seconds that the parent has to kill a late process; after that the process ends by itself."""
GC_THRESHOLDS: Final = (20_000, 20, 20)
"""Rare garbage collection: route searches create many small objects but little garbage, and by default each collection
would scan all games in memory, which takes a tenth of a second."""
BOTS_KEPT: Final = 64

GameWork = Callable[[Game], Any]
"""Computes something from a game. It is pickled, so it is a function of a module or a partial of one."""
BotFactory = Callable[[str, int], Bot]
"""Makes a bot from a code and a seed."""


class GameStart(NamedTuple):
    """A game before the first of its recorded answers."""

    setup: Setup
    opening: tuple[Event, ...]
    state: State


class WorkRequest(NamedTuple):
    """Work on a game, with what is new about the game."""

    table: str
    beginning: GameStart | None
    """None if the worker knows the game."""
    keep: int
    """How many of the known answers are still valid."""
    answers: tuple[tuple[str, Action], ...]
    """The answers after those, each with the seat that gave it."""
    digest: str
    """The digest of the resulting state."""
    work: GameWork
    seconds: float
    forget: tuple[str, ...] = ()
    """Tables whose games the worker should drop."""
    whole: History | None = None
    """The whole game if replaying its answers does not reproduce it, as on a planning board, which has other random
    draws from the fork on."""


class WorkResult(NamedTuple):
    """The result of work, or one line about its failure with a traceback."""

    found: Any = None
    fault: str = ""
    trace: str = ""


def run_worker(pipe: Connection, niceness: int = 0) -> None:
    """Handle requests until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is left to the parent
    Thread(target=_exit_with_parent, daemon=True).start()
    if sys.platform != "win32":
        os.nice(niceness)  # requests of people come first
    part_of_every_kit(lambda kit: (kit.policy, kit.actions))
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    pipe.send(READY)
    handler = WorkRequestHandler(pipe)
    while True:
        try:
            data = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        handler.handle(data)


def _exit_with_parent() -> None:
    """Wait for the parent's end in a thread of its own, as the main thread may be busy; needs no cleaning up."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class WorkRequestHandler:
    """Handles requests and keeps the games they are about."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.games: dict[str, Game] = {}

    def handle(self, data: bytes) -> None:
        try:
            reply = self._run(pickle.loads(data))
        except BaseException as fault:  # bots may raise anything
            reply = _failed_result(fault)
        try:
            self.pipe.send(reply)
        except (OSError, EOFError):
            raise
        except Exception as fault:  # the result cannot be pickled
            self.pipe.send(_failed_result(fault))

    def _run(self, request: WorkRequest) -> WorkResult | str:
        game = self._updated_game(request)
        if game is None:
            return MISMATCH
        self.pipe.send(STARTED)
        _exit_after(request.seconds + SPARE_SECONDS)
        try:
            return WorkResult(request.work(game.branch()))
        finally:
            _exit_after(0)

    def _updated_game(self, request: WorkRequest) -> Game | None:
        for table in request.forget:
            self.games.pop(table, None)
        known = self.games.pop(request.table, None)  # after a failure the game is unknown and sent anew
        game = _replayed_game(request, known) if request.whole is None else _restored_game(request, request.whole)
        if game is not None:
            self.games[request.table] = game
        return game


def _replayed_game(request: WorkRequest, known: Game | None) -> Game | None:
    """The game after the request's answers; None if they are illegal or lead to another state."""
    if request.beginning is not None:
        setup, opening, state = request.beginning
        known = Game.from_history(rulebook_for(setup), History(setup, opening, (state,), ()))
    if known is None:
        return None
    game = known.position(request.keep)
    try:
        for by, action in request.answers:
            game.apply(action, by)
    except OstbahnError:
        return None
    return game if game.state.digest == request.digest else None


def _restored_game(request: WorkRequest, whole: History) -> Game:
    game = Game.from_history(rulebook_for(whole.setup), whole)
    if game.state.digest != request.digest:
        raise OstbahnError("the game stands otherwise where the bot thinks: Ostbahn was changed since it started")
    return game


def _exit_after(seconds: float) -> None:
    """Set a timer that kills this process; 0 cancels it.

    It matters only if the parent was killed while C code blocks all threads here.
    """
    if sys.platform != "win32" and math.isfinite(seconds):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _failed_result(fault: BaseException) -> WorkResult:
    return WorkResult(fault=describe_fault(fault), trace="".join(traceback.format_exception(fault, limit=-8)))


# Bots


@lru_cache(BOTS_KEPT)
def _bot_for_seat(make: BotFactory, code: str, seed: int, _table: str) -> Bot:
    """Make one bot per seat and table, and keep it for later questions."""
    return make(code, seed)


def choose_action(make: BotFactory, code: str, seed: int, table: str, game: Game) -> Action:
    """Let a bot choose an answer to the present question."""
    question = game.question
    if question is None:
        raise OstbahnError("the game is over")
    return choose(_bot_for_seat(make, code, seed, table), question, game)
