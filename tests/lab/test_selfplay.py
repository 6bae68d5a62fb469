"""Self-play and features: the same seeds give the same games, nothing is played twice, and what came of it is right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lab import features, selfplay
from lab.explorers import Explorer
from lab.outcomes import prices
from ostbahn.bots.search import GreedyBot
from ostbahn.interop import files
from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import kit_named, new_game

RUN = ["18Mag", "--tables", "two_player:2", "--kinds", "G", "--jobs", "2"]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games of self-play."""
    folder = tmp_path_factory.mktemp("games")
    selfplay.main([*RUN, "--games", "2", "--seed", "500", "--into", str(folder)])
    return folder


def test_the_same_seed_gives_the_same_game(games: Path) -> None:
    run = selfplay.Run("18Mag", (selfplay.Table("two_player", 2),), "G")
    assert selfplay.played(run, 501).save == (games / "501.json").read_bytes()


def test_games_that_are_there_are_not_played_again(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.stat().st_mtime_ns for path in games.glob("*.json")}
    selfplay.main([*RUN, "--games", "2", "--seed", "500", "--into", str(games)])
    assert {path: path.stat().st_mtime_ns for path in games.glob("*.json")} == before
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("text", ["base", "base:2", "none:3", "base:x"])
def test_a_table_that_cannot_be_played_is_refused(text: str) -> None:
    with pytest.raises(BadSetup):
        selfplay.tables_in("18Mag", text)


@pytest.mark.slow
def test_explorers_play_with_modules(tmp_path: Path) -> None:
    arguments = ["18Mag", "--tables", "two_player:2", "--module", "standard_divs", "--kinds", "G", "--jobs", "1"]
    selfplay.main([*arguments, "--games", "1", "--seed", "502", "--into", str(tmp_path)])
    game = files.open_game(tmp_path / "502.json")
    assert game.over
    assert game.setup.modules == ("standard_divs",)


def test_a_module_that_cannot_be_played_is_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        selfplay.main([*RUN, "--module", "supporters", "--into", str(tmp_path)])
    assert "18Mag (two_player) has no module supporters; known are standard_divs" in capsys.readouterr().err


def test_explorers_of_an_unknown_kind_are_refused() -> None:
    with pytest.raises(BadSetup, match="no explorers of the kind 'Q'"):
        Explorer("Q", "18Mag", 1)


def test_explorers_try_what_others_would_not() -> None:
    """Of many, some take another than the first idea half of the time, and some never."""
    game = new_game("18Mag", ["Anna", "Boris"], variant="two_player", seed=3)
    question = game.question
    assert question is not None
    usual = GreedyBot().choose(question, game)
    chosen = [Explorer("G", "18Mag", seed).choose(question, game) for seed in range(60)]
    assert 0 < sum(action != usual for action in chosen) < 60
    assert chosen == [Explorer("G", "18Mag", seed).choose(question, game) for seed in range(60)]


# Features


@pytest.fixture(scope="module")
def positions(games: Path) -> features.Columns:
    into = games / "positions.npz"
    features.main([str(games), "--into", str(into), "--jobs", "2"])
    with np.load(into, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def test_every_position_knows_what_everybody_had_in_the_end(games: Path, positions: features.Columns) -> None:
    for seed in (500, 501):
        game = files.open_game(games / f"{seed}.json")
        final = [game.worth()[seat] for seat in game.state.players]
        rows = positions["wealth"][positions["meta"][:, 0] == seed]
        assert len(rows) > 10
        assert (rows[:, :2] == final).all()
        assert (rows[:, 2:] == features.UNKNOWN).all()


def test_what_is_still_to_come_gets_less(positions: features.Columns) -> None:
    """Payouts, rounds and Share Rounds ahead never grow from one position of a game to the next."""
    for seed in (500, 501):
        rows = positions["meta"][:, 0] == seed
        meta, grown = positions["meta"][rows], positions["grown"][rows]
        assert (np.diff(meta[:, 1]) <= 0).all()
        assert (np.diff(meta[:, 2]) <= 0).all()
        assert (np.diff(grown.sum(axis=1)) <= 1e-3).all()
        assert grown[0].sum() > 0


def test_a_price_at_the_end_is_the_last_one(games: Path, positions: features.Columns) -> None:
    game = files.open_game(games / "500.json")
    learnt = kit_named("18Mag").policy.learnt
    assert learnt is not None
    last = prices(game.table)
    first = np.flatnonzero(positions["meta"][:, 0] == 500)[0]
    sight = learnt.features_of(game.position(1).table)
    told = dict(zip(sight.companies, positions["price"][first].tolist(), strict=False))
    assert {company: told[company] for company in last} == {company: float(price) for company, price in last.items()}


def test_positions_of_tables_with_fewer_companies_are_filled_up(positions: features.Columns) -> None:
    few = {name: value[:1] for name, value in positions.items()}
    narrow = {
        name: value[:, :3] if name in ("company", "grown", "price", "next_run") else value
        for name, value in few.items()
    }
    narrow |= {name: few[name][:, :, :3] for name in ("held", "directed")}
    both = features.joined([few, narrow])
    assert both["company"].shape[1] == few["company"].shape[1]
    assert (both["company"][1, 3:] == 0).all()
    assert (both["held"][1, :, 3:] == 0).all()
