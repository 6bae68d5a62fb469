"""Random play: how many games of three players a second, where whatever is listed is as likely as anything else."""

from __future__ import annotations

import time
from random import Random
from typing import Final

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.routes.optimiser import forget
from ostbahn.kits.catalogue import new_game

SEEDS: Final = range(1, 9)


def random_answer(question: Question, rng: Random) -> Action:
    """Any kind of answer first, then any answer of that kind: so that a hundred tiles do not drown a share."""
    kinds: dict[type[Action], list[Option]] = {}
    for option in question.options:
        kinds.setdefault(type(option.action), []).append(option)
    option = rng.choice(kinds[rng.choice(list(kinds))])
    return option.action if option.span is None else option.at(rng.randint(*option.span))


def random_game(title: str, seed: int) -> Game:
    """A whole game of three; the same for the same seed."""
    game, rng = new_game(title, ("Anna", "Ben", "Cyril"), seed=seed), Random(seed)
    while (question := game.question) is not None:
        game.apply(random_answer(question, rng))
    return game


def figures(name: str, title: str) -> dict[str, float]:
    """Games and answers a second, in processor time, beginning with a router that remembers nothing."""
    forget()
    start = time.process_time()
    answers = sum(len(random_game(title, seed)) for seed in SEEDS)
    spent = time.process_time() - start
    return {
        f"random_play_{name}_games_per_s": len(SEEDS) / spent,
        f"random_play_{name}_answers_per_s": answers / spent,
    }
