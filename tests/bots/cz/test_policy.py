"""G at a table of 18CZ: it always finds a legal answer, and its answers are those of somebody who wants to win."""

import pytest

from ostbahn.bots.cz.policy import proposals
from ostbahn.bots.cz.weights import CzWeights, cz_weights
from ostbahn.bots.random_bot import RandomBot
from ostbahn.bots.weights import read_weights
from ostbahn.kernel.errors import BadData
from ostbahn.kernel.game import Game
from ostbahn.titles.catalogue import new_game
from ostbahn.titles.cz.actions import BuyLocal, StartCompany
from ostbahn.titles.cz.reckoning import standings
from ostbahn.titles.cz.state import CzTable

NAMES = ("Anna", "Bert", "Cilli", "Dora")


def play(game: Game, seats: set[str], answers: int = 10_000) -> Game:
    """G in some seats, chance in the others."""
    chance = RandomBot(5)
    while game.question is not None and len(game) < answers:
        question = game.question
        if question.decider in seats and not question.obvious:
            found = proposals(question, game, cz_weights())
            assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
            game.apply(found[0].action, by=question.decider)
        else:
            game.apply(chance.choose(question, game))
    return game


@pytest.mark.parametrize(("variant", "players"), [("moravia", 2), ("moravia", 3), ("bohemia", 2)])
def test_plays_every_variant_to_its_end(variant: str, players: int) -> None:
    game = new_game("18CZ", NAMES[:players], variant=variant, seed=2)
    assert play(game, set(game.state.players)).over


def test_beats_chance_by_far() -> None:
    game = play(new_game("18CZ", NAMES[:3], seed=4), {"p1"})
    assert isinstance(game.table, CzTable)
    wealth = standings(game.table)
    assert wealth["p1"] > 2 * max(wealth["p2"], wealth["p3"])


def test_every_proposal_is_a_legal_answer() -> None:
    game = new_game("18CZ", NAMES, seed=1)
    while game.question is not None and len(game) < 150:
        found = proposals(game.question, game, cz_weights())
        assert found
        assert all(each.action in game.question for each in found)
        game.apply(found[0].action)


def test_keeps_the_money_for_a_company_and_starts_it() -> None:
    game = new_game("18CZ", NAMES[:3], seed=1)
    play(game, set(game.state.players), answers=40)
    kinds = [type(action) for _, action in game.actions()]
    assert kinds[0] is BuyLocal
    assert kinds.count(StartCompany) >= 2


def test_answers_the_same_whenever_it_is_asked() -> None:
    game = play(new_game("18CZ", NAMES[:3], seed=1), {"p1", "p2", "p3"}, answers=60)
    assert game.question is not None
    assert proposals(game.question, game, cz_weights()) == proposals(game.question, game.copy(), cz_weights())


def test_a_misspelt_weight_is_told_with_its_file() -> None:
    with pytest.raises(BadData, match=r"cz\.toml.*grouth"):
        read_weights("cz.toml", CzWeights, "[future]\ngrouth = 1")
