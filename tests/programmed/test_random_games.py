"""Random games with random programmed moves: each obeys its stop conditions, and none blocks a game.

`python3 dev.py soak tests/programmed` plays ten thousand of them; OSTBAHN_SOAK_PREPARED says how many for each table.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from ostbahn.kernel.game import Game
from ostbahn.programmed import stop_conditions
from ostbahn.programmed.moves import STOP_CONDITIONS, StopCondition
from ostbahn.testing import play_random
from tests import test_random_play as cz_play
from tests import test_random_play_mag as mag_play
from tests.programmed import oracle
from tests.programmed.random_moves import Preparers
from tests.titles.cz import random_player as cz_player
from tests.titles.mag import random_player as mag_player

TABLES = [
    *(("18CZ", variant, players) for variant, players in cz_play.TABLES),
    *(("18Mag", variant, players) for variant, players in mag_play.TABLES),
]
GAMES = int(os.environ.get("OSTBAHN_SOAK_PREPARED", "770"))
"""For each of the thirteen tables: ten thousand in all."""
QUICK = [
    *((title, variant, players, 10) for title, variant, players in TABLES if variant != "base"),
    *(("18CZ", "base", players, 3) for players in (3, 4)),
    *(("18CZ", "base", players, 1) for players in (5, 6)),
    ("18Mag", "base", 3, 2),
]
"""Of each table so many games, sixty in all; the longest ones are left for the soak."""
KINDS = ("pass", "buy", "bid", "turn", "reply")


def begun(title: str, variant: str, players: int, seed: int) -> tuple[Game, Preparers]:
    """Every second game is one with plenty of money, so that more is bought."""
    rng = Random(seed)
    if title == "18CZ":
        game = cz_play.game_for(players, seed, variant)
        rich = cz_player.richer(game, 1000) if seed % 2 else game
        return rich, Preparers(rich, rng, cz_player.lively(rng))
    game = mag_play.game_for(variant, players, seed)
    if seed % 2:
        game = mag_player.richer(play_random(game, rng, steps=40), 1000)
    return game, Preparers(game, rng, mag_player.lively(rng))


def played(title: str, variant: str, players: int, seed: int) -> Counter[str]:
    game, preparers = begun(title, variant, players, seed)
    try:
        preparers.play()
    except Exception as fault:
        fault.add_note(f"in the random game of {title} {variant} with {players} players and seed {seed}")
        raise
    assert game.over
    return preparers.tally


def test_none_is_carried_out_where_its_stop_condition_held() -> None:
    """Sixty games, each of them checked move by move."""
    tally: Counter[str] = Counter()
    for title, variant, players, games in QUICK:
        for seed in range(games):
            tally += played(title, variant, players, seed)
    for kind in KINDS:
        assert tally[f"{kind} carried out"], f"{kind} was never carried out: {tally}"
        assert tally[f"{kind} cancelled"], f"{kind} was never cancelled: {tally}"


@pytest.mark.soak
@pytest.mark.parametrize(("title", "variant", "players"), TABLES)
def test_ten_thousand_games(title: str, variant: str, players: int) -> None:
    for seed in range(100, 100 + GAMES):
        played(title, variant, players, seed)


@pytest.mark.parametrize("condition", STOP_CONDITIONS)
def test_the_games_reach_every_stop_condition(condition: StopCondition, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the games above would say nothing."""
    monkeypatch.setattr(stop_conditions, "CHECKS", {**stop_conditions.CHECKS, condition: lambda change: ""})
    for seed in range(40):
        for title, variant, players in (("18CZ", "base", 3), ("18CZ", "base", 4), ("18Mag", "two_player", 2)):
            try:
                played(title, variant, players, seed)
            except AssertionError as fault:
                assert "although a stop condition held" in str(fault)  # noqa: PT017
                assert condition in str(fault)  # noqa: PT017
                return
    pytest.fail(f"no game reaches {condition}")


def test_the_oracle_sees_what_the_events_say() -> None:
    """It is no use if nothing ever held."""
    game, _ = begun("18CZ", "base", 3, 4)
    play_random(game, Random(4), policy=cz_player.lively(Random(4)))
    seen: Counter[str] = Counter()
    for seat in game.state.players:
        watcher = oracle.Oracle(game, seat, "BN")
        history = game.history
        for number, record in enumerate(history.records):
            seen.update(watcher.held(history.states[number], record, history.states[number + 1]))
    assert {"sale", "directorship", "affordable", "price", "float", "phase"} <= set(seen)
