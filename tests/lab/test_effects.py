"""Which weights go with wealth."""

from __future__ import annotations

import json
from math import exp
from pathlib import Path
from random import Random

import pytest

from lab import effects as module
from lab.effects import Compared, Variation, checked, drawn, effects, main, played
from ostbahn.kernel.errors import BadSetup

VARIATION = Variation("18CZ", "moravia", 2, ("dealing.levy", "trains.measured", "shares.control"), 0.3)


def made_up(variation: Variation, seed: int) -> Compared:
    """A game in which one weight helps, one harms and one does nothing; the table decides how rich all are."""
    lots = Random(seed)
    rich = lots.uniform(2_000, 9_000)
    wealth = []
    for place in range(variation.players):
        weights = drawn(variation, seed, place)
        gain = 0.2 * weights["dealing.levy"] - 0.1 * weights["trains.measured"] + lots.gauss(0, 0.1)
        wealth.append(round(rich * exp(gain)))
    return Compared(seed, tuple(wealth))


@pytest.mark.parametrize("players", [2, 3])
def test_effects_are_found_with_their_errors(players: int) -> None:
    variation = VARIATION._replace(players=players)
    found = {each.weight: each for each in effects(variation, [made_up(variation, seed) for seed in range(400)])}
    truth = {"dealing.levy": 0.2, "trains.measured": -0.1, "shares.control": 0.0}
    for weight, size in truth.items():
        assert abs(found[weight].size - size) < 3 * found[weight].error
        assert 0.005 < found[weight].error < 0.025
    assert next(iter(found)) == "dealing.levy", "the surest comes first"


def test_errors_are_as_large_as_effects_scatter() -> None:
    """Of many runs two thirds lie within one standard error of the truth, more or less."""
    within = 0
    for run in range(60):
        (levy,) = (
            each
            for each in effects(VARIATION, [made_up(VARIATION, 1_000 * run + seed) for seed in range(40)])
            if each.weight == "dealing.levy"
        )
        within += abs(levy.size - 0.2) < levy.error
    assert 29 <= within <= 52


def test_every_seat_has_weights_of_its_own_and_a_seed_the_same_ones() -> None:
    one, other, again = drawn(VARIATION, 5, 0), drawn(VARIATION, 5, 1), drawn(VARIATION, 5, 0)
    assert one == again != other
    assert drawn(VARIATION, 6, 0) != one
    assert list(one) == list(VARIATION.weights)


def test_too_few_games_are_told() -> None:
    with pytest.raises(BadSetup, match="3 games tell nothing of 3 weights; play at least 4"):
        effects(VARIATION, [made_up(VARIATION, seed) for seed in range(3)])


def test_what_cannot_be_tried_is_told() -> None:
    with pytest.raises(BadSetup, match=r"18CZ \(moravia\) is not for 5 players"):
        checked(VARIATION._replace(players=5))
    with pytest.raises(BadSetup, match=r"18Mag \(solo\) is not for 1 players"):
        checked(Variation("18Mag", "solo", 1, (), 0.3))
    with pytest.raises(BadSetup, match=r"18CZ has no weight dealing\.luck"):
        checked(VARIATION._replace(weights=("dealing.luck",)))


def test_a_run_goes_on_from_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "played", made_up)
    monkeypatch.setattr(module, "job_results", lambda do, numbers, _: (do(number) for number in numbers))
    log = tmp_path / "effects.jsonl"
    arguments = ["18CZ", "--variant", "moravia", "--players", "2", "--weights", ",".join(VARIATION.weights)]
    arguments += ["--seed", "7", "--log", str(log), "--games"]
    main([*arguments, "6"])
    first = log.read_text("utf-8").splitlines()
    assert "6 of 6 games" in capsys.readouterr().out
    main([*arguments, "9"])
    assert "3 of 3 games" in capsys.readouterr().out
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert log.read_text("utf-8").splitlines()[:7] == first[:7]
    assert [line["played"] for line in lines[1:-1]] == list(range(7, 16))
    assert set(lines[-1]["effects"]) == set(VARIATION.weights)


@pytest.mark.slow
def test_a_real_game_is_played_and_the_same_again() -> None:
    game = played(VARIATION, 3)
    assert len(game.wealth) == 2
    assert min(game.wealth) > 0
    assert played(VARIATION, 3) == game
