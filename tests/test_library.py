"""Ostbahn as a library: what programs of others may hand over, and what they are told about a mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ostbahn import Game, Refused, load, new_game, save
from ostbahn.analysis.runs import run_with_station, run_with_tile
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.questions import Question
from ostbahn.pictures import show
from ostbahn.titles.cz.actions import BuyLocal, LayTile
from ostbahn.titles.cz.state import LayTrack, OperateTrains
from tests.golden.games import GOLDEN
from tests.titles.cz.scenes import scene

NAMES = ("Anna", "Ben", "Cyril")


def asked(game: Game) -> Question:
    assert game.question is not None
    return game.question


@pytest.fixture
def game() -> Game:
    return new_game("18CZ", NAMES, seed=7)


# Answers


def test_an_option_is_an_answer(game: Game) -> None:
    (option,) = asked(game).only(local="L6")
    assert option in asked(game)
    assert game.refusal(option) is None
    assert game.apply(option).action == BuyLocal("L6")
    with pytest.raises(Refused, match=r"^L6 already belongs to Ben"):
        game.apply(option)


@pytest.mark.parametrize("answer", ["pass", None, {"do": "pass"}, 3, Pass])
def test_what_is_no_answer_is_told_with_what_is(game: Game, answer: Any) -> None:
    for give in (game.apply, game.refusal, asked(game).refusal):
        with pytest.raises(
            TypeError, match=r"is not an answer: give an option of game\.question, or the action of one$"
        ):
            give(answer)
    assert answer not in asked(game)
    assert len(game) == 0


def test_an_option_without_a_free_price_has_no_other(game: Game) -> None:
    with pytest.raises(ValueError, match=r"^BuyLocal\(local='L6'\) has no free price: answer with the option itself$"):
        asked(game).only(local="L6")[0].with_price(50)


# Questions


def test_fields_that_no_answer_has_are_a_mistake(game: Game) -> None:
    question = asked(game)
    with pytest.raises(
        TypeError, match=r"^no answer to this question \(pre_stock\) has a field hexx; there are local$"
    ):
        question.only(hexx="D4")
    with pytest.raises(TypeError, match=r"has a field local; there are hex, .*rotation.*tile"):
        question.only(LayTile, local="L6")
    kind: Any = "LayTile"
    with pytest.raises(TypeError, match=r"^'LayTile' is not a kind of action: give a class such as Pass"):
        question.only(kind)


def test_a_field_that_nothing_is_listed_for_is_none() -> None:
    """Here no tile can be laid at all, but it could be asked for."""
    track = scene(phase="b", started={"BCB": (60, "p1")}, agenda=[LayTrack("BCB", first=True)])
    question = asked(track)
    assert question.only(hex="nowhere") == question.only(LayTile, hex="nowhere") == []
    assert asked(new_game("18CZ", NAMES)).only(LayTile, hex="D4") == []


# Going back


@pytest.mark.parametrize("number", [-1, 1, 10**9])
def test_states_that_never_were_are_told_with_those_that_were(game: Game, number: int) -> None:
    for look in (game.position, game.state_at):
        with pytest.raises(Refused, match=rf"^there is no state {number}: the states of this game go from 0 to 0$"):
            look(number)


def test_nothing_can_be_taken_back_at_the_beginning(game: Game) -> None:
    with pytest.raises(Refused, match=r"^there is nothing to take back$"):
        game.undo()


def test_a_finished_game_asks_nothing_and_takes_nothing() -> None:
    finished = load(next(golden.save for golden in GOLDEN if golden.name == "18CZ-bohemia-2"))
    assert finished.over
    assert finished.question is None
    with pytest.raises(Refused, match=r"^the game is over$"):
        finished.apply(Pass())


# Setting up


@pytest.mark.parametrize(
    ("players", "choices", "told"),
    [
        ("Ben", {}, r"^players should be a list of names, not 'Ben'$"),
        (3, {}, r"^players should be a list of names, not 3$"),
        ((1, 2, 3), {}, r"^players\[0\] should be of type str, not int$"),
        (("Anna", "Ben"), {}, r"^18CZ \(base\) is for 3 to 6 players, not 2 \(18CZ I/1\)$"),
        (NAMES, {"variant": None}, "^variant should be of type str, not None$"),
        (NAMES, {"variant": "x"}, r"^there is no 18CZ \(x\); known are 18CZ \(base\), "),
        (NAMES, {"seed": "7"}, "^seed should be of type int, not str$"),
        (NAMES, {"seed": 1.5}, "^seed should be of type int, not float$"),
        (NAMES, {"rulings": ["consent"]}, "^rulings should be of type dict, not list$"),
        (NAMES, {"rulings": {"consent": True}}, r"^rulings\[\.\.\.\] should be of type str, not bool$"),
        (NAMES, {"rulings": {"x": "y"}}, "^there is no ruling x; known are "),
        (NAMES, {"options": ["x"]}, "^options should be of type dict, not list$"),
        (NAMES, {"modules": "supporters"}, "^modules should be a list of names, not 'supporters'$"),
        (NAMES, {"modules": ["x"]}, r"^18CZ \(base\) has no module x; known are none$"),
        (NAMES, {"variant": "moravia", "board": b"x"}, r"^board should be of type str \| None, not bytes$"),
    ],
)
def test_what_cannot_be_set_up_is_told(players: Any, choices: dict[str, Any], told: str) -> None:
    with pytest.raises(BadSetup, match=told):
        new_game("18CZ", players, **choices)


# Files


def test_exports_of_18xx_games_are_loaded_like_saves(tmp_path: Path) -> None:
    for golden in GOLDEN:
        if golden.export is not None:
            game = load(golden.export)
            assert game.over
            save(tmp_path / "game.json", game)
            assert load(tmp_path / "game.json").state.digest == game.state.digest
    assert (tmp_path / "game.json").exists()


def test_only_games_are_saved(game: Game, tmp_path: Path) -> None:
    path: Any = tmp_path / "game.json"
    with pytest.raises(TypeError, match=r"^save\(path, game\) takes a Game, not PosixPath\("):
        save(game, path)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


# Analysis and pictures


@pytest.mark.parametrize(
    ("study", "told"),
    [
        (lambda game: run_with_tile(game, "XX", "E13", "55", 0), "^XX is not a company that operates here; .*: BCB$"),
        (
            lambda game: run_with_tile(game, "BCB", "Z9", "55", 0),
            "^there is no hex Z9 on this board; there are A7, A9, ",
        ),
        (lambda game: run_with_tile(game, "BCB", "E13", "999", 0), "^there is no tile 999; there are 1, 2, 7, "),
        (lambda game: run_with_tile(game, "BCB", "E13", "55", 6), "^a tile has the rotations 0 to 5, not 6$"),
        (lambda game: run_with_tile(game, "BCB", "E13", "55", -1), "^a tile has the rotations 0 to 5, not -1$"),
        (lambda game: run_with_station(game, "BCB", "E15.3"), r"^there is no city E15\.3; E15 has E15\.0$"),
        (lambda game: run_with_station(game, "BCB", "Z9.0"), r"^there is no city Z9\.0; Z9 has none$"),
        (lambda game: show.board(game, highlights=["Z9"]), r"^there is no hex Z9 on this board; highlights are a list"),
        (lambda game: show.board(game, highlights="E11"), r"^there is no hex E on this board; highlights are a list"),
    ],
)
def test_what_is_not_on_the_board_is_told_with_what_is(study: Callable[[Game], object], told: str) -> None:
    game = scene(
        phase="c",
        started={"BCB": (60, "p1")},
        tiles={"E15": ("6", 1)},
        stations={"E15.0": ["BCB"]},
        trains={"BCB": [("c1", "3")]},
        agenda=[OperateTrains("BCB")],
    )
    with pytest.raises(BadSetup, match=told):
        study(game)


# What cannot be saved is not taken


def trading() -> Game:
    """A game in which somebody may offer a price of their choice."""
    game, rng = new_game("18CZ", NAMES, seed=0), Random(0)
    while not any(option.span and option.span.low < option.span.high for option in asked(game)):
        game.apply(rng.choice(asked(game).options))
    return game


@pytest.mark.parametrize("price", [27.5, 27.0, True, "27", None])
def test_a_price_is_a_whole_number(price: Any) -> None:
    game = trading()
    option = next(option for option in asked(game) if option.span and option.span.low < option.span.high)
    with pytest.raises(TypeError, match=r"is not a price: give a whole number from \d+ to \d+$"):
        option.with_price(price)
    with pytest.raises(TypeError, match=r"is not an answer: Expected `int`, got `.*` - at `\$\.price`$"):
        game.apply(replace(option.action, price=price))


def test_what_was_taken_back_cannot_be_given_again_at_an_earlier_moment(game: Game) -> None:
    for _ in range(3):
        game.apply(asked(game).options[0])
    game.undo()
    with pytest.raises(Refused, match="nothing has been taken back"):
        game.position(0).redo()
    assert game.position(2).redo().by == game.redo().by
