from __future__ import annotations

import pytest

from ostbahn.bots.hints import hint
from ostbahn.bots.playing import play_out
from ostbahn.bots.search import GreedyBot, SearchBot, rollout_end
from ostbahn.kernel.errors import Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game


def played(title: str, answers: int) -> Game:
    """A game that rules of thumb have played so far."""
    game = new_game(title, ["Anna", "Boris", "Clara"], seed=4)
    bot = GreedyBot()
    while len(game) < answers and game.question is not None:
        game.apply(bot.choose(game.question, game))
    return game


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
@pytest.mark.parametrize("answers", [0, 60, 200])
def test_the_search_gives_a_legal_answer_and_changes_nothing(title: str, answers: int) -> None:
    game = played(title, answers)
    assert game.question is not None
    digest = game.state.digest
    action = SearchBot(budget=40).choose(game.question, game)
    assert game.refusal(action) is None
    assert game.state.digest == digest


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_the_same_position_and_budget_give_the_same_answer(title: str) -> None:
    game = played(title, 90)
    assert game.question is not None
    answers = {SearchBot(budget=60).choose(game.question, game.copy()) for _ in range(2)}
    assert len(answers) == 1


def test_a_larger_budget_tries_at_least_as_many_ideas() -> None:
    game, bot = played("18Mag", 90), GreedyBot()
    while game.question is not None and game.question.kind != "lay_track":
        game.apply(bot.choose(game.question, game))
    assert game.question is not None
    few, many = (len(SearchBot(budget=budget).evaluate(game.question, game)) for budget in (1, 10_000))
    assert few == 1 <= many


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_a_hint_is_a_legal_answer_with_reasons(title: str) -> None:
    game = played(title, 120)
    found = hint(game, budget=60)
    assert game.refusal(found.action) is None
    assert found.reasons


def test_there_is_no_hint_when_the_game_is_over() -> None:
    game = new_game("18CZ", ["A", "B", "C"], seed=4)
    play_out(game, dict.fromkeys(game.state.players, GreedyBot()))
    with pytest.raises(Refused, match="over"):
        hint(game)


def company_asked(game: Game) -> str | None:
    return None if game.question is None else game.question.company


def test_a_company_s_turn_is_judged_when_it_is_over() -> None:
    game, bot = played("18CZ", 60), GreedyBot()
    while company_asked(game) is None:
        game.apply(bot.choose(game.question, game))  # type: ignore[arg-type]
    company, arrived = company_asked(game), rollout_end(game)
    assert not arrived(game)
    while company_asked(game) == company:
        game.apply(bot.choose(game.question, game))  # type: ignore[arg-type]
    assert arrived(game)
