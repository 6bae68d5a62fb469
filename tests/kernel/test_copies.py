"""Copies of a game have tables of their own: whatever somebody does to one, the original stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ostbahn.bots.playing import RandomBot
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game

GAMES = [("18CZ", "base", 3), ("18CZ", "moravia", 2), ("18Mag", "base", 3), ("18Mag", "solo", 1)]
ANSWERS = 60


def begun(title: str, variant: str = "base", players: int = 3, answers: int = ANSWERS) -> Game:
    game = new_game(title, ["A", "B", "C"][:players], variant=variant, seed=5)
    bot = RandomBot(seed=5)
    for _ in range(answers):
        assert game.question is not None
        game.apply(bot.choose(game.question, game))
    return game


def digests(game: Game) -> list[str]:
    return [game.state_at(number).digest for number in range(len(game) + 1)]


def spoil(game: Game) -> None:
    """Write into every table there is, also into those within others."""
    state: Any = game.state
    for thing in (state, state.board, getattr(state, "istvan", None), game.setup):
        for field in getattr(thing, "__struct_fields__", ()):
            table = getattr(thing, field)
            if isinstance(table, dict):
                table["spoilt"] = 1
                table.pop(next(iter(table)))


@pytest.mark.parametrize(("title", "variant", "players"), GAMES)
def test_what_is_written_into_a_copy_does_not_show_in_the_original(title: str, variant: str, players: int) -> None:
    game = begun(title, variant, players)
    before, rulings = digests(game), dict(game.setup.rulings)
    spoil(game.copy())
    assert digests(game) == before
    assert game.setup.rulings == rulings


def goes_back(copy: Game) -> Game:
    copy.undo()
    return copy


def gives_again(copy: Game) -> Game:
    copy.redo()
    return copy


@pytest.mark.parametrize(
    "somewhere",
    [goes_back, gives_again, lambda copy: copy.position(7), Game.copy, lambda copy: goes_back(copy.copy())],
)
def test_nor_does_what_is_written_into_any_of_its_states(somewhere: Callable[[Game], Game]) -> None:
    game = begun("18CZ")
    undone = digests(game)
    game.undo()
    spoil(somewhere(game.copy()))
    game.redo()
    assert digests(game) == undone


@pytest.mark.parametrize(("title", "variant", "players"), GAMES)
def test_a_copy_is_the_same_game(title: str, variant: str, players: int) -> None:
    game = begun(title, variant, players)
    copy = game.copy().copy()
    assert copy.question is not None is not game.question
    assert copy.question.options == game.question.options
    assert (copy.setup, copy.opening, copy.records) == (game.setup, game.opening, game.records)
    assert digests(copy) == digests(game)
    action = RandomBot(1).choose(game.question, game)
    assert copy.apply(action) == game.apply(action)
    assert copy.state.digest == game.state.digest


def test_what_is_worked_out_on_a_spoilt_board_stays_there() -> None:
    """Connections are kept with a board, and a copy begins with what is known."""

    def lays(game: Game) -> list[Action]:
        assert game.question is not None
        assert game.question.kind == "lay_track"
        return [option.action for option in game.question.options]

    game, untouched = (begun("18CZ", answers=200) for _ in range(2))
    questions = [game.position(number).question for number in range(len(game))]
    last = max(n for n, question in enumerate(questions) if question is not None and question.kind == "lay_track")
    copy = game.position(last).copy()
    tables: Any = copy.state.board
    tables.tiles.clear()
    assert lays(copy) != lays(untouched.position(last))
    assert lays(game.position(last)) == lays(untouched.position(last))


def test_copies_of_copies_hold_no_chain_of_games() -> None:
    game = begun("18CZ")
    copy = game
    for _ in range(2000):
        copy = copy.copy()
    for _ in range(ANSWERS):
        copy.undo()
    assert copy.state.digest == game.position(0).state.digest


def test_a_copy_that_forgets_goes_on() -> None:
    copy = begun("18CZ").copy()
    copy.drop_history()
    assert copy.question is not None
    copy.apply(copy.question.options[0].action)
    copy.undo()
    assert (len(copy), copy.loaded_state_count) == (0, 1)
