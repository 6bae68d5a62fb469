"""Random legal play of 18Mag: whatever happens, everything must add up after every action."""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random

import pytest

from ostbahn import testing
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import PRESETS, new_game
from tests.titles.mag.modules.playing import COMBINATIONS
from tests.titles.mag.random_player import CORNERS, CORNERS_WITH_MODULES, Inspector, Tally, lively, richer

pytestmark = pytest.mark.slow

NAMES = ("Anna", "Boris", "Clara", "David", "Emma", "Franz")
GAMES = int(os.environ.get("OSTBAHN_SOAK_GAMES", "60"))
PARTS = 4
LONG = 7200
"""Seconds that a soak may last: with many games one of them outlasts the time of a usual test."""
TABLES = [("solo", 1), ("two_player", 2), ("base", 3), ("base", 4), ("base", 5), ("base", 6)]
every_table = pytest.mark.parametrize(("variant", "players"), TABLES)


def game_for(variant: str, players: int, seed: int, modules: Sequence[str] = ()) -> Game:
    """A game of its own for every seed; every third one under the rulings of the site, every third under any."""
    options = {}
    if variant == "solo":
        options = {"length": ("short", "long")[seed % 2], "difficulty": ("easy", "medium", "difficult")[seed // 2 % 3]}
    return new_game(
        "18Mag",
        NAMES[:players],
        variant=variant,
        seed=seed,
        preset=PRESETS[seed % 3 == 2],
        rulings=testing.any_rulings("18Mag", variant, players, Random(seed), modules) if seed % 3 == 0 else {},
        options=options,
        modules=modules,
    )


def play(variant: str, players: int, seed: int, *watch: testing.Watcher, modules: Sequence[str] = ()) -> Game:
    rng = Random(seed)
    return testing.play_random(game_for(variant, players, seed, modules), rng, policy=lively(rng), watch=watch)


def play_rich(variant: str, players: int, seed: int, *watch: testing.Watcher, modules: Sequence[str] = ()) -> Game:
    rng = Random(seed)
    game = testing.play_random(game_for(variant, players, seed, modules), rng, steps=40)
    return testing.play_random(richer(game, 1500), rng, policy=lively(rng), watch=watch)


@every_table
def test_everything_adds_up_in_a_random_game(variant: str, players: int) -> None:
    assert play(variant, players, players, Inspector(Random(players), options=1, strange=2, save_every=400)).over


def test_everything_adds_up_where_there_is_plenty_of_money() -> None:
    """So limits of certificates, holdings and trains are reached, not only the bottoms of purses."""
    assert play_rich("base", 3, 3, Inspector(Random(3), options=1, strange=2, save_every=None)).over


@pytest.mark.rule("18Mag M.1/1")
@pytest.mark.parametrize(
    ("modules", "players"),
    [
        (("standard_divs", "new_minors_challenge", "new_major", "supporters"), 3),
        (("new_minors_simple", "new_major", "supporters"), 4),
        (("supporters",), 6),
    ],
)
def test_everything_adds_up_with_modules(modules: tuple[str, ...], players: int) -> None:
    inspector = Inspector(Random(players), options=1, strange=1, save_every=600)
    assert play("base", players, players, inspector, modules=modules).over


@pytest.mark.soak
@pytest.mark.timeout(LONG)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("modules", COMBINATIONS[1:], ids="+".join)
def test_everything_adds_up_with_every_combination_of_modules(modules: tuple[str, ...], players: int) -> None:
    for seed in range(2000, 2000 + max(GAMES // 30, 1)):
        try:
            assert play("base", players, seed, Inspector(Random(seed)), modules=modules).over
            assert play_rich("base", players, seed, Inspector(Random(seed), save_every=None), modules=modules).over
        except Exception as fault:
            fault.add_note(f"in the random game with {modules}, {players} players and seed {seed}")
            raise


@pytest.mark.soak
@pytest.mark.timeout(LONG)
def test_random_games_with_modules_reach_every_corner() -> None:
    tally = Tally()
    play("base", 4, 1, tally, modules=("supporters",))  # rich games are watched only after their drafts
    for seed in range(GAMES // 2):
        for players in (3, 4, 5, 6):
            play_rich("base", players, seed, tally, modules=("new_minors_simple", "new_major", "supporters"))
    missing = [corner for corner in CORNERS_WITH_MODULES if not tally[corner]]
    assert not missing, f"in {tally['games']} random games these never happened: {', '.join(missing)}"


@pytest.mark.soak
@pytest.mark.timeout(LONG)
@pytest.mark.parametrize("part", range(PARTS))
@every_table
def test_everything_adds_up_in_many_random_games(variant: str, players: int, part: int) -> None:
    for seed in range(1000 + part, 1000 + GAMES, PARTS):
        try:
            play(variant, players, seed, Inspector(Random(seed)))
            play_rich(variant, players, seed, Inspector(Random(seed), save_every=None))
        except Exception as fault:
            fault.add_note(f"in the random game of {variant} with {players} players and seed {seed}")
            raise


@pytest.mark.soak
@pytest.mark.timeout(LONG)
def test_random_games_reach_every_corner() -> None:
    """Otherwise the checks would not see everything."""
    tally = Tally()
    for seed in range(GAMES // 2):
        for variant, players in TABLES:
            play(variant, players, seed, tally)
            play_rich(variant, players, seed, tally)
    missing = [corner for corner in CORNERS if not tally[corner]]
    assert not missing, f"in {tally['games']} random games these never happened: {', '.join(missing)}"
