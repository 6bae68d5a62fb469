"""Games to look at: golden ones and such as were played at random, and real ones where they are at hand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import CATALOGUE, new_game
from ostbahn.testing import by_kind, play_random
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.actions import NamePaper
from ostbahn.titles.mag import actions as mag
from tests.golden.games import golden_game
from tests.interop.reference import imported, reference_games

NAMES = ("Anna", "Boris", "Clara", "David", "Emma", "Franz")
VARIANTS = [(entry.title, entry.variant) for entry in CATALOGUE]
SAMPLES = [*VARIANTS, *((title, None) for title in ("18CZ", "18Mag") if reference_games(title))]
"""What `sample` can show: every variant, and games of people where they are beside the project."""
STEPS = 900
"""Long enough for random players to get into late phases, or to the end."""

IDLE = (Pass, NamePaper, cz.ScrapTrain, mag.ScrapTrain, mag.SellShares)


def busy(game: Game, rng: Random) -> Action:
    """Any answer at its lowest price, seldom an idle one: those who do nothing see little of a game."""
    kinds = by_kind(game.ask())
    wanted = [kind for kind in kinds if kind not in IDLE]
    chosen = rng.choice(wanted if wanted and rng.random() < 0.8 else list(kinds))
    return rng.choice(kinds[chosen]).action


@cache
def random_game(title: str, variant: str) -> Game:
    """A game of a variant with as few players as can play it."""
    players = next(entry.players[0] for entry in CATALOGUE if (entry.title, entry.variant) == (title, variant))
    game = new_game(title, NAMES[:players], variant=variant, seed=5)
    return play_random(game, Random(5), STEPS, busy)


def sample(title: str, variant: str | None) -> Game:
    """A game of a variant, or without one that of people."""
    if variant is None:
        return imported(reference_games(title)[0]).game
    return golden_game(f"{title}-base-3") if variant == "base" else random_game(title, variant)


def moments(game: Game, every: int = 23) -> Iterator[Game]:
    """States all over a game, its first and its last one among them."""
    for number in (*range(0, len(game), every), len(game)):
        yield game.position(number)
