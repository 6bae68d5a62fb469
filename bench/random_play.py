"""How many games a second are played by three who answer anything that is listed, on one core and without inspections.

`python3 -m bench.random_play` prints the figures; `python3 dev.py bench` takes them in with the others.
"""

from __future__ import annotations

import time
from random import Random

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option
from ostbahn.kernel.routes.optimiser import clear_caches
from ostbahn.kits.catalogue import new_game

TITLES = ("18CZ", "18Mag")
PLAYERS = ("Anna", "Boris", "Clara")
SEEDS = range(1, 25)


def figures() -> dict[str, float]:
    """Whole games in a second of the processor, and how many answers they have."""
    found: dict[str, float] = {}
    for title in TITLES:
        played(title, 0)  # so that nothing is loaded while games are timed
        start = time.process_time()
        answers = sum(len(played(title, seed)) for seed in SEEDS)
        spent = time.process_time() - start
        found[f"random_play_{title.lower()}_games_per_s"] = len(SEEDS) / spent
        found[f"random_play_{title.lower()}_answers"] = answers / len(SEEDS)
    return found


def played(title: str, seed: int) -> Game:
    """A game from its first question to its end, each answer as likely as any other; the router remembers nothing."""
    clear_caches()
    game, rng = new_game(title, PLAYERS, seed=seed), Random(seed)
    while (question := game.question) is not None:
        game.apply(_at_some_price(rng.choice(question.options), rng))
    return game


def _at_some_price(option: Option, rng: Random) -> Action:
    return option.action if option.span is None else option.with_price(rng.randint(*option.span))


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name}  {value:,.2f}")
