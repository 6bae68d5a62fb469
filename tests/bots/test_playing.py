"""Whatever a bot does, the game goes on, and the log is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ostbahn.bots.playing import Bot, BotAnswer, RandomBot, answer, play_out
from ostbahn.kernel.actions import Accept, Action, Pass
from ostbahn.kernel.errors import BadSetup, Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import OpenAuction


class Does:
    """A bot that does as it is told by the test."""

    def __init__(self, choose: Callable[[Question, Game], Any]) -> None:
        self._choose = choose

    def choose(self, question: Question, game: Game) -> Action:
        action: Action = self._choose(question, game)
        return action


@pytest.fixture
def game() -> Game:
    return new_game("18CZ", ["Anna", "Boris"], variant="moravia", seed=1)


def ask(game: Game) -> Question:
    assert game.question is not None
    return game.question


def divide(question: Question, game: Game) -> Action:
    raise ZeroDivisionError("division by\nzero")


def leave(question: Question, game: Game) -> Action:
    raise SystemExit(1)


def half_crowns(question: Question, game: Game) -> Action:
    """Passes the comparison with both ends of the span, but money is whole."""
    option = question.only(OpenAuction)[0]
    assert option.span is not None
    return option.with_price(option.span.low + 0.5)  # type: ignore[arg-type]


def test_a_good_answer_is_taken_without_a_note(game: Game) -> None:
    chosen = ask(game).options[-1].action
    assert answer(Does(lambda question, game: chosen), game) == BotAnswer(chosen, "")
    assert len(game) == 0, "asking changes nothing"


@pytest.mark.parametrize(
    ("choose", "words"),
    [
        (divide, "ZeroDivisionError: division by zero"),
        (leave, "SystemExit: 1"),
        (lambda question, game: Accept(), "not to accept"),
        (lambda question, game: None, "NoneType is no action"),
        (lambda question, game: OpenAuction("S1", "much"), "Expected `int`, got `str`"),  # type: ignore[arg-type]
        (half_crowns, "60.5 is not a price: give a whole number"),
    ],
)
def test_a_bot_that_fails_is_answered_for_and_the_note_says_why(
    game: Game, choose: Callable[[Question, Game], Any], words: str
) -> None:
    answered = answer(Does(choose), game)
    assert answered.action == RandomBot().choose(ask(game), game)
    assert words in answered.note
    assert "\n" not in answered.note


def test_a_note_is_short_even_where_an_error_is_long(game: Game) -> None:
    def rant(question: Question, game: Game) -> Action:
        raise ValueError("no " * 1000)

    assert len(answer(Does(rant), game).note) < 300


def test_the_caller_may_name_who_answers_instead(game: Game) -> None:
    last = ask(game).options[-1].action
    assert answer(Does(divide), game, fallback=Does(lambda question, game: last)).action == last


def test_an_interrupt_by_the_user_is_no_fault_of_the_bot(game: Game) -> None:
    def interrupted(question: Question, game: Game) -> Action:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer(Does(interrupted), game)


def test_what_a_bot_tries_out_does_not_show_in_the_game(game: Game) -> None:
    digest = game.state.digest

    def tries(question: Question, game: Game) -> Action:
        game.apply(question.options[0].action)
        return question.options[-1].action

    assert not answer(Does(tries), game).note
    assert (len(game), game.state.digest) == (0, digest)


def test_nobody_is_asked_the_obvious() -> None:
    asked: list[bool] = []

    def chooses(question: Question, game: Game) -> Action:
        asked.append(question.obvious)
        return RandomBot().choose(question, game)

    game = new_game("18Mag", ["Anna", "Boris"], variant="two_player", seed=1)
    play_out(game, dict.fromkeys(game.state.players, Does(chooses)))
    assert not any(asked)
    assert 0 < len(asked) < len(game), "there was something obvious"


def test_a_game_of_failing_bots_ends_and_every_failure_is_told() -> None:
    notes: list[str] = []
    game = new_game("18CZ", ["Anna", "Boris", "Clara"], seed=2)
    bots: dict[str, Bot] = {"p1": Does(divide), "p2": RandomBot(1), "p3": Does(lambda question, game: Pass())}
    assert play_out(game, bots, watch=lambda game, answered: notes.append(answered.note)).over
    by_p1 = [note for record, note in zip(game.records, notes, strict=True) if record.by == "p1"]
    assert any("ZeroDivisionError" in note for note in by_p1)
    assert not any(note for record, note in zip(game.records, notes, strict=True) if record.by == "p2")


def test_every_seat_needs_a_bot(game: Game) -> None:
    with pytest.raises(BadSetup, match="no bot plays for p2"):
        play_out(game, {"p1": RandomBot()})


def test_after_the_end_there_is_nothing_to_answer(game: Game) -> None:
    play_out(game, dict.fromkeys(game.state.players, RandomBot()))
    with pytest.raises(Refused, match="the game is over"):
        answer(RandomBot(), game)
