"""R finishes whatever is begun, and plays the same game again from the same seed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from ostbahn.bots.playing import BotAnswer, RandomBot, play_out, random_price
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import CATALOGUE, PRESETS, new_game
from ostbahn.titles.cz.actions import LayTile

ROOT = Path(__file__).parents[2]
NAMES = ("Anna", "Boris", "Clara", "David", "Emma", "Franz")
TABLES = [(entry.title, entry.variant, players) for entry in CATALOGUE for players in entry.players]


def random_game(title: str, variant: str, players: int, seed: int, preset: str = PRESETS[0]) -> Game:
    def no_notes(game: Game, answered: BotAnswer) -> None:
        assert not answered.note

    game = new_game(title, NAMES[:players], variant=variant, seed=seed, preset=preset)
    bots = {seat: RandomBot(seed + number) for number, seat in enumerate(game.state.players)}
    return play_out(game, bots, watch=no_notes)


def story(seed: int) -> str:
    """All that is answered in a game of each title."""
    games = [random_game(title, "base", 3, seed) for title in ("18CZ", "18Mag")]
    return "\n".join(f"{game.state.digest} {list(game.actions())}" for game in games)


@pytest.mark.parametrize(("title", "variant", "players"), TABLES)
def test_randoms_finish_every_game_of_the_catalogue(title: str, variant: str, players: int) -> None:
    for seed, preset in enumerate(PRESETS):
        assert random_game(title, variant, players, seed, preset).over


def test_the_same_seed_plays_the_same_game_in_another_process() -> None:
    code = "import sys; from tests.bots.test_random_bot import story; sys.stdout.write(story(3))"
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
    told = subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, check=False)
    assert told.returncode == 0, told.stderr.decode()
    assert told.stdout.decode() == story(3)


def test_a_bot_made_anew_in_the_middle_of_a_game_goes_on_the_same() -> None:
    whole = random_game("18CZ", "base", 3, 5)
    rest = whole.position(200)
    play_out(rest, {seat: RandomBot(5 + number) for number, seat in enumerate(rest.state.players)})
    assert rest.state.digest == whole.state.digest


def test_another_seed_plays_another_game() -> None:
    games = [new_game("18CZ", NAMES[:3], seed=1) for _ in range(2)]
    for seed, game in enumerate(games):
        play_out(game, dict.fromkeys(game.state.players, RandomBot(seed)))
    assert games[0].state.digest != games[1].state.digest


def test_the_many_ways_to_lay_track_do_not_swamp_the_other_answers() -> None:
    """At one question about track, bots with different seeds choose each kind about equally often."""
    game = random_game("18CZ", "base", 3, 1)
    number = next(n for n in range(len(game)) if isinstance(game.records[n].action, LayTile))
    moment = game.position(number)
    assert moment.question is not None
    kinds = {type(option.action) for option in moment.question}
    assert len(moment.question) > 2 * len(kinds), "there are many ways to lay track"
    chosen = Counter(type(RandomBot(seed).choose(moment.question, moment)) for seed in range(300))
    expected = 300 / len(kinds)
    assert all(0.6 * expected < chosen[kind] < 1.4 * expected for kind in kinds)


def test_prices_reach_both_ends_and_are_mostly_low() -> None:
    lots = Random(1)
    prices = [random_price(20, 29, lots) for _ in range(2000)]
    assert set(prices) == set(range(20, 30))
    assert prices.count(20) > len(prices) / 3
    assert random_price(7, 7, lots) == 7
