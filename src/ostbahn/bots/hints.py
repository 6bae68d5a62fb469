"""Hints for people: the move that `S` would make, and the two or three figures that speak for it."""

from __future__ import annotations

from typing import NamedTuple

from ostbahn.bots.search import BUDGET, SearchBot
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.kernel.game import Game


class Hint(NamedTuple):
    action: Action
    reasons: tuple[str, ...]


def hint(game: Game, budget: int = BUDGET) -> Hint:
    """What `S` would answer now."""
    question = game.question
    if question is None:
        raise Refused(Refusal("", "the game is over"))
    if question.obvious:
        return Hint(question.options[0].action, ("there is no other answer",))
    best, *others = SearchBot(budget=budget).tried(question, game.copy())
    reasons = list(best.proposal.reasons)
    if others:
        ahead = round(best.value - others[0].value)
        reasons.append(f"{ahead} better in the end than the next best idea" if ahead else "others are as good")
    return Hint(best.proposal.action, tuple(reasons))
