"""Why something cannot be done: what the referee says to every tile or station that one might have meant."""

from __future__ import annotations

from collections import Counter

from ostbahn.kernel.game import Game
from ostbahn.text.faces import face_of
from ostbahn.text.questions import asked

MOST = 6
"""Reasons that are told at most."""


def reasons(game: Game, what: str) -> list[str]:
    """Why a hex or a company does not (or not only) stand among the answers; empty if there is nothing to say."""
    question = asked(game)
    tries = list(face_of(game).tries(question, what))
    refusals = Counter(refusal for action in tries if (refusal := question.refusal(action)) is not None)
    if not tries:
        return []
    legal = len(tries) - sum(refusals.values())
    lines = [f"{what}: {legal} of {len(tries)} possibilities are allowed."]
    return lines + [f"  {_times(count)}{refusal}" for refusal, count in refusals.most_common(MOST)]


def _times(count: int) -> str:
    return f"{count} times: " if count > 1 else ""
