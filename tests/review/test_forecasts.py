"""Who was ahead when: forecasts with their doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from ostbahn.interop import files
from ostbahn.review.estimated import forecasts, win_probabilities

GOLDEN = Path(__file__).parents[1] / "golden"


def test_every_round_has_a_forecast_and_the_end_none() -> None:
    game = files.open_game(GOLDEN / "18Mag-solo-1-easy-short.json")
    found = forecasts(game)
    for each in found[:-1]:
        assert sum(each.richest.values()) == pytest.approx(1)
        for seat, wealth in each.wealth.items():
            assert 0 < each.low[seat] < wealth < each.high[seat]
    assert found[-1].wealth == game.worth() == found[-1].low
    assert [each.number for each in found] == sorted(each.number for each in found)


def test_a_running_game_ends_with_a_forecast() -> None:
    game = files.open_game(GOLDEN / "18CZ-moravia-2.json").position(120)
    last = forecasts(game)[-1]
    assert last.low != last.high


def test_chances_are_those_of_normal_figures() -> None:
    even = win_probabilities({"p1": 1000.0, "p2": 1000.0, "p3": 1000.0}, {"p1": 0.3, "p2": 0.3, "p3": 0.3})
    assert list(even.values()) == pytest.approx([1 / 3] * 3)
    # ln 1200 − ln 1000 = 0.1823 is 0.5157 of the deviation sqrt(0.25² + 0.25²), and Φ(0.5157) = 0.697
    ahead = win_probabilities({"p1": 1200.0, "p2": 1000.0}, {"p1": 0.25, "p2": 0.25})
    assert ahead["p1"] == pytest.approx(0.697, abs=0.002)
    sure = win_probabilities({"p1": 3000.0, "p2": 1000.0}, {"p1": 0.05, "p2": 0.05})
    assert sure["p1"] == pytest.approx(1)
