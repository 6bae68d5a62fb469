"""The same seed and answers give the same game in any process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from ostbahn import testing
from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from tests.titles.cz.random_player import lively

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def random_game(seed: int) -> Game:
    rng = Random(seed)
    game = new_game("18CZ", ["Anna", "Boris", "Clara", "David"], seed=seed)
    return testing.play_random(game, rng, policy=lively(rng))


def story(seed: int) -> str:
    """All that happens in a random game, answer by answer."""
    game = random_game(seed)
    digests = [game.position(number).state.digest for number in range(0, len(game), 20)]
    return "\n".join([*digests, game.state.digest, *map(str, game.records)])


def in_another_process(code: str, hash_seed: str, given: bytes = b"") -> bytes:
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=given,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
def test_a_random_game_is_the_same_under_another_hash_seed(hash_seed: str) -> None:
    """Also the order in which answers are listed must not depend on the process, or the player would differ."""
    code = "import sys; from tests.test_determinism import story; sys.stdout.write(story(5))"
    assert in_another_process(code, hash_seed).decode() == story(5)


def test_a_save_leads_to_the_same_state_in_another_process() -> None:
    game = random_game(8)
    code = "import sys; from ostbahn.interop import saves; print(saves.load(sys.stdin.buffer.read()).state.digest)"
    told = in_another_process(code, "99", saves.dump(game))
    assert told.decode().strip() == game.state.digest


def test_the_seed_draws_the_playing_order() -> None:
    orders = [new_game("18CZ", ["Anna", "Boris", "Clara"], seed=seed).state.order for seed in range(300)]
    assert len(set(orders)) == 6, "every order occurs"
    assert new_game("18CZ", ["Anna", "Boris", "Clara"], seed=7).state.order == orders[7]
