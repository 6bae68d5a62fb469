"""Bots as what they do to the process in which they think, and what can be asked there beside them."""

from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ostbahn.bots.playing import Bot
from ostbahn.bots.registry import built_in
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Record


class Strange:
    def __init__(self, answer: Callable[[Question], Any]) -> None:
        self.answer = answer

    def choose(self, question: Question, game: Game) -> Action:
        action: Action = self.answer(question)
        return action


def strange(code: str, seed: int) -> Bot:
    """One of those below, or one that comes with Ostbahn."""
    return Strange(WAYS[code]) if code in WAYS else built_in(code, seed)


def counts(_: Question) -> Any:
    """In one step of Python that takes years, so that no thread could do anything about it."""
    return sum(itertools.count())


def holds_on(_: Question) -> Any:
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            continue


def tells_and_counts(question: Question) -> Any:
    print("thinking", flush=True)
    return counts(question)


def tells_and_holds_on(question: Question) -> Any:
    print("thinking", flush=True)
    return holds_on(question)


def dies(_: Question) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def leaves(_: Question) -> Any:
    os._exit(3)


def raises(_: Question) -> Any:
    raise ZeroDivisionError("by\nzero")


def exits(_: Question) -> Any:
    raise SystemExit(1)


def says_what_cannot_travel(_: Question) -> Any:
    return lambda: None


def says_a_number(_: Question) -> Any:
    return 27


def says_the_last(question: Question) -> Any:
    return question.options[-1].action


WAYS: dict[str, Callable[[Question], Any]] = {
    way.__name__: way
    for way in (
        *(counts, holds_on, tells_and_counts, tells_and_holds_on),
        *(dies, leaves, raises, exits),
        *(says_what_cannot_travel, says_a_number, says_the_last),
    )
}


# What can be asked


def process(game: Game) -> int:
    return os.getpid()


def first_state(game: Game) -> tuple[int, int]:
    """Which object it is, in which process; it lives as long as the process knows the game."""
    return os.getpid(), id(game.position(0).state)


def told(game: Game) -> tuple[tuple[str, ...], tuple[Record, ...], list[str]]:
    """Names, records, and the digests of all states."""
    return game.setup.players, game.records, [game.position(number).state.digest for number in range(len(game) + 1)]


def waits_for(path: str, game: Game) -> int:
    """Until a file is there; another one says that it waits."""
    Path(f"{path}.waits").touch()
    while not Path(path).exists():
        time.sleep(0.01)
    return os.getpid()


def is_never_ready(_line: Connection, _back: int) -> None:
    """Instead of what a process usually does."""
    os._exit(7)
