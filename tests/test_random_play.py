"""Random legal play: whatever happens, everything must add up after every action."""

from __future__ import annotations

import os
from random import Random

import pytest

from ostbahn import testing
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import PRESETS, new_game
from tests.titles.cz.random_player import CORNERS, Inspector, Tally, lively, richer

pytestmark = pytest.mark.slow

NAMES = ("Anna", "Boris", "Clara", "David", "Emma", "Franz")
GAMES = int(os.environ.get("OSTBAHN_SOAK_GAMES", "60"))
PARTS = 4


TABLES = [("base", 3), ("base", 4), ("base", 5), ("base", 6), ("bohemia", 2), ("moravia", 2), ("moravia", 3)]
every_table = pytest.mark.parametrize(("variant", "players"), TABLES)


def game_for(players: int, seed: int, variant: str = "base") -> Game:
    """A game of its own for every seed; every third one under the rulings of the site, every third under any."""
    ruled = testing.any_rulings("18CZ", variant, players, Random(seed)) if seed % 3 == 0 else {}
    return new_game("18CZ", NAMES[:players], variant=variant, seed=seed, preset=PRESETS[seed % 3 == 2], rulings=ruled)


def play(players: int, seed: int, *watch: testing.Watcher, variant: str = "base") -> Game:
    rng = Random(seed)
    return testing.play_random(game_for(players, seed, variant), rng, policy=lively(rng), watch=watch)


def play_rich(players: int, seed: int, *watch: testing.Watcher, variant: str = "base") -> Game:
    rng = Random(seed)
    return testing.play_random(richer(game_for(players, seed, variant), 1500), rng, policy=lively(rng), watch=watch)


@every_table
def test_everything_adds_up_in_a_random_game(variant: str, players: int) -> None:
    assert play(players, players, Inspector(Random(players), save_every=250), variant=variant).over


@pytest.mark.parametrize(("variant", "players"), [("base", 3), ("base", 6), ("bohemia", 2), ("moravia", 3)])
def test_everything_adds_up_where_there_is_plenty_of_money(variant: str, players: int) -> None:
    """So limits of certificates, holdings and trains are reached, not only the bottoms of purses."""
    assert play_rich(players, players, Inspector(Random(players), save_every=None), variant=variant).over


def test_plain_random_play_works_too() -> None:
    """A player without any preference, for a while."""
    testing.play_random(game_for(3, 1), Random(1), steps=150, watch=[Inspector(Random(2), save_every=75)])


def test_going_back_to_the_beginning() -> None:
    game = play(3, 7)
    length, digest = len(game), game.state.digest
    first = game.position(0).state.digest
    while len(game):
        game.undo()
    assert game.state.digest == first
    for _ in range(length):
        game.redo()
    assert game.over
    assert game.state.digest == digest


def test_a_game_that_is_over_takes_no_answers() -> None:
    game = play(4, 3)
    digest = game.state.digest
    assert game.question is None
    with pytest.raises(Refused, match="the game is over"):
        game.apply(Pass())
    assert game.state.digest == digest
    game.undo()
    assert game.question is not None


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
@every_table
def test_everything_adds_up_in_many_random_games(variant: str, players: int, part: int) -> None:
    for seed in range(1000 + part, 1000 + GAMES, PARTS):
        try:
            play(players, seed, Inspector(Random(seed)), variant=variant)
            play_rich(players, seed, Inspector(Random(seed), save_every=None), variant=variant)
        except Exception as fault:
            fault.add_note(f"in the random game of {variant} with {players} players and seed {seed}")
            raise


@pytest.mark.soak
def test_random_games_reach_every_corner() -> None:
    """Otherwise the checks would not see everything."""
    tally = Tally()
    for seed in range(max(GAMES, 60)):
        for players in (3, 4, 5, 6):
            play(players, seed, tally)
            play_rich(players, seed, tally)
    missing = [corner for corner in CORNERS if not tally[corner]]
    assert not missing, f"in {tally['games']} random games these never happened: {', '.join(missing)}"
