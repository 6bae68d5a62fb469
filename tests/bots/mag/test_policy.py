"""G in 18Mag: it answers every question of every variant, always alike, and plays much better than chance."""

from __future__ import annotations

import pytest

from ostbahn.bots.playing import BotAnswer, RandomBot, play_out
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import PRESETS, new_game
from ostbahn.titles.mag.opponents.policy import proposals
from ostbahn.titles.mag.opponents.weights import mag_weights
from ostbahn.titles.mag.state import MagTable

NAMES = ("Anna", "Boris", "Clara", "David", "Emma", "Franz")


class Greedy:
    """The first proposal, as G answers."""

    def choose(self, question: Question, game: Game) -> Action:
        return proposals(question, game, mag_weights())[0].action


def no_notes(game: Game, answered: BotAnswer) -> None:
    assert not answered.note


def against_chance(variant: str, players: int, seed: int, preset: str = PRESETS[0]) -> Game:
    """One greedy player, the others at random; nobody may fail to answer."""
    game = new_game("18Mag", NAMES[:players], variant=variant, seed=seed, preset=preset)
    bots = {seat: Greedy() if seat == "p1" else RandomBot(seed) for seat in game.state.players}
    return play_out(game, bots, watch=no_notes)


def wealth(game: Game) -> dict[str, int]:
    table = game.table
    assert isinstance(table, MagTable)
    return table.standings()


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "players"), [("base", 3), ("base", 5), ("two_player", 2)])
def test_it_is_far_richer_than_those_who_play_at_random(variant: str, players: int) -> None:
    found = wealth(against_chance(variant, players, seed=5))
    assert found["p1"] > 3 * max(amount for player, amount in found.items() if player != "p1")


def test_it_beats_istvan() -> None:
    found = wealth(against_chance("solo", 1, seed=5))
    assert found["p1"] == max(found.values())


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_it_has_an_answer_under_every_set_of_rulings(preset: str) -> None:
    assert against_chance("two_player", 2, seed=3, preset=preset).over


@pytest.mark.slow
def test_it_plays_the_same_game_again() -> None:
    first, second = against_chance("two_player", 2, seed=7), against_chance("two_player", 2, seed=7)
    assert first.state.digest == second.state.digest


def test_every_proposal_is_allowed_and_the_best_comes_first() -> None:
    game = new_game("18Mag", NAMES[:2], variant="two_player", seed=2)
    while (question := game.question) is not None and len(game) < 150:
        found = proposals(question, game, mag_weights())
        assert found
        assert all(game.refusal(proposal.action) is None for proposal in found)
        assert [proposal.score for proposal in found] == sorted((p.score for p in found), reverse=True)
        game.apply(found[0].action)
