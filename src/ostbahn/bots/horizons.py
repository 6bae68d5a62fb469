"""When a line of play can be judged: a company's turn when it is over, a purchase of shares when the round is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

from ostbahn.kernel.game import Game

Arrived = Callable[[Game], bool]


class InRounds(Protocol):
    """A state that says in which round it is, as those of both titles do."""

    round: str


def moment_of(game: Game) -> Arrived:
    """For the question that is asked now, when to look at what came of it."""
    question = game.question
    company = None if question is None else question.company
    if company is None:
        begun = _round(game)
        return lambda later: later.over or _round(later) != begun
    return lambda later: later.over or later.question is None or later.question.company != company


def _round(game: Game) -> str:
    return cast(InRounds, game.state).round
