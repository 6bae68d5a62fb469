"""When a line of play can be judged: a company's turn when it is over, a purchase of shares when the round is."""

from __future__ import annotations

from collections.abc import Callable

from ostbahn.kernel.game import Game
from ostbahn.text.speech import face_of

Arrived = Callable[[Game], bool]


def moment_of(game: Game) -> Arrived:
    """For the question that is asked now, when to look at what came of it."""
    question = game.question
    company = None if question is None else question.company
    if company is None:
        return round_over(game)
    return lambda later: later.over or later.question is None or later.question.company != company


def round_over(game: Game) -> Arrived:
    """When the present round is over."""
    begun = face_of(game).round_name()
    return lambda later: later.over or face_of(later).round_name() != begun
