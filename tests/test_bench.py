"""The benchmarks have something to measure in a fresh clone too."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import run
from bench.gains import fullest_question
from bench.random_play import played
from ostbahn.analysis.gains import gains
from ostbahn.interop.site_adapter import import_game


@pytest.mark.parametrize("title", run.REAL)
def test_without_reference_games_golden_ones_are_measured(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "REFERENCE", tmp_path / "reference")
    assert run.chosen(title) in run.documents(title)
    game = import_game(run.chosen(title)).game
    assert (game.setup.title, game.over) == (title, True)
    assert run.late_track_question(game).question
    assert gains(fullest_question(game))


@pytest.mark.parametrize("title", run.REAL)
def test_random_games_go_to_their_end_and_are_the_same_every_time(title: str) -> None:
    game, again, other = (played(title, seed) for seed in (1, 1, 2))
    assert game.over
    assert (len(game), game.state.digest) == (len(again), again.state.digest)
    assert game.state.digest != other.state.digest
