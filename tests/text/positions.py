"""Positions of random games in which there is something to tell."""

from __future__ import annotations

import random
import re

from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game

INNER_ID = re.compile(r"\b[A-Za-z]\d+\.\d\b|\b[a-i]\d+\b|\b\d-\d+\b")
"""What only the engine calls a city (E11.0) or a train card (a2, 2-7)."""


def until(kind: str, seed: int = 1) -> Game:
    """A random game of 18Mag up to the first question of a kind that leaves a choice."""
    chance = random.Random(seed)
    game = new_game("18Mag", ["Anna", "Ben", "Cyril"], seed=seed)
    while game.question is not None and (game.question.kind != kind or game.question.obvious):
        option = chance.choice(game.question.options)
        game.apply(option.action if option.span is None else option.with_price(chance.randint(*option.span)))
    assert game.question is not None
    return game
