"""Games of 18Mag end by trains that are bought: where everybody would rather wait, S stops waiting."""

from __future__ import annotations

import pytest

from ostbahn.bots.horizons import drags_on
from ostbahn.bots.policies import POLICIES
from ostbahn.bots.search import SearchBot
from ostbahn.titles.catalogue import new_game
from ostbahn.titles.mag.state import MagState


@pytest.mark.parametrize(
    ("name", "rounds", "late"),
    [("SR 3", 3, False), ("SR 4", 3, True), ("OR 4.2", 3, True), ("OR 12.1", 3, True), ("DRAFT", 3, False)],
)
def test_a_game_drags_on_after_so_many_stock_rounds(name: str, rounds: int, late: bool) -> None:
    game = new_game("18Mag", ["A", "B", "C"], seed=1)
    assert isinstance(game.state, MagState)
    game.state.round = name
    assert drags_on(game, rounds) is late
    assert not drags_on(game, None)


def test_late_in_a_game_s_takes_its_first_idea_without_trying_any() -> None:
    game = new_game("18Mag", ["A", "B", "C"], seed=1)
    question = game.question
    assert question is not None
    assert question.kind in POLICIES["18Mag"].searched
    bot, policy = SearchBot(seed=1), POLICIES["18Mag"]
    tried = bot.tried(question, game)
    assert policy.patience is not None
    assert isinstance(game.state, MagState)
    game.state.round = f"SR {policy.patience + 1}"
    late = bot.tried(question, game)
    assert [each.value for each in late] == [each.proposal.score for each in late]
    assert [each.value for each in tried] != [each.proposal.score for each in tried]
