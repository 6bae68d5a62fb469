"""Levels: five strengths that slip rather than blunder, always in the same way."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from ostbahn.bots import levels, registry
from ostbahn.bots.learnt import LearntBot
from ostbahn.bots.levels import LevelBot, LevelStrength, choose_with_slip, default_levels, levels_of
from ostbahn.bots.policies import Candidate, EvaluatedCandidate, Policy, parse_weights, weighted_policy_of
from ostbahn.bots.registry import STRONGEST, bot_named
from ostbahn.bots.search import GreedyBot
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.errors import BadData, BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kit_named, new_game

TITLES = ["18CZ", "18Mag"]
CODES = ["1", "2", "3", "4", "5"]


def answers(title: str, code: str, seed: int, number: int) -> list[Action]:
    """What a level answers in a game that rules of thumb play."""
    game, bot, found = new_game(title, ["Anna", "Ben", "Cyril"], seed=4), bot_named(code, seed), []
    while len(game) < number and game.question is not None:
        if not game.question.obvious:
            found.append(bot.choose(game.question, game))
        game.apply(GreedyBot().choose(game.question, game))
    return found


@pytest.mark.parametrize("title", TITLES)
def test_every_title_has_all_levels_from_g_to_n(title: str) -> None:
    found = levels_of(title)
    assert list(found) == list(default_levels().ranks) == CODES
    assert found["1"].bot == found["2"].bot == "G"
    assert found["1"].slips > found["2"].slips == 0
    assert found[STRONGEST] == LevelStrength("N")


@pytest.mark.parametrize("title", TITLES)
def test_the_strongest_plays_as_n_does(title: str) -> None:
    game = new_game(title, ["Anna", "Ben", "Cyril"], seed=4)
    assert game.question is not None
    assert LevelBot("5", 7).choose(game.question, game) == LearntBot(7).choose(game.question, game)


@pytest.mark.parametrize("title", TITLES)
def test_a_level_without_slips_answers_as_its_bot_does(title: str) -> None:
    assert answers(title, "2", 5, 60) == answers(title, "G", 5, 60)


@pytest.mark.parametrize("title", TITLES)
def test_the_same_seed_slips_at_the_same_answers_and_another_elsewhere(title: str) -> None:
    first = answers(title, "1", 5, 60)
    assert first == answers(title, "1", 5, 60)
    assert first != answers(title, "G", 5, 60), "it does slip"
    best = {seed: answers(title, "G", seed, 60) for seed in (5, 6)}
    places = [
        [own != good for own, good in zip(answers(title, "1", seed, 60), best[seed], strict=True)] for seed in best
    ]
    assert places[0] != places[1]


@pytest.mark.parametrize("title", TITLES)
def test_a_slip_is_the_second_or_third_idea_and_bearable(title: str) -> None:
    strength, slips = levels_of(title)["1"], 0
    game, bot, player = (
        new_game(title, ["Anna", "Ben", "Cyril"], seed=4),
        LevelBot("1", 5),
        weighted_policy_of(title, 5),
    )
    while len(game) < 80 and (question := game.question) is not None:
        action = bot.choose(question, game)
        ideas = {idea.action: idea.score for idea in reversed(player.proposals(question, game))}
        ranked = list(reversed(ideas))
        if action != ranked[0]:
            slips += 1
            assert action in ranked[1:3]
            worth = weighted_policy_of(title).estimate_final_wealth(game)[question.decider]
            assert ideas[action] >= ideas[ranked[0]] - strength.within * worth
        game.apply(action)
    assert slips


def test_only_what_is_bearable_is_taken_instead_of_the_best() -> None:
    best, second = EvaluatedCandidate(Candidate(Pass()), 100.0), EvaluatedCandidate(Candidate(Accept()), 96.0)
    bad = EvaluatedCandidate(Candidate(Decline()), 80.0)
    often = LevelStrength("G", slips=1.0, within=0.05)
    assert choose_with_slip([best, second, bad], 100.0, often, Random(1)) is second
    assert choose_with_slip([best, bad], 100.0, often, Random(1)) is best, "nothing else is bearable"
    assert choose_with_slip([best, second], 0.0, often, Random(1)) is best, "who will have nothing risks nothing"
    third = LevelStrength("G", slips=1.0, third=1.0, within=0.25)
    assert choose_with_slip([best, second, bad], 100.0, third, Random(1)) is bad
    assert choose_with_slip([best, second], 100.0, third, Random(1)) is second, "there is no third"


def test_where_there_is_one_answer_nobody_slips() -> None:
    game = at_one_answer()
    assert game.question is not None
    assert LevelBot("1", 3).choose(game.question, game) == game.question.options[0].action


def at_one_answer() -> Game:
    game = new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=4)
    while game.question is not None and not game.question.obvious:
        game.apply(GreedyBot().choose(game.question, game))
    return game


@pytest.mark.parametrize("text", ['bot = "Q"', 'bot = "G"\nslips = 1.5', 'bot = "G"\nslip = 0.5'])
def test_a_fault_in_the_data_is_told(text: str) -> None:
    with pytest.raises(BadData, match=r"levels\.toml"):
        parse_weights(text, "levels.toml", LevelStrength)


# Titles for which nothing has been learnt


class Untaught(NamedTuple):
    """A kit of a title without a net."""

    policy: Policy


@pytest.fixture
def untaught(monkeypatch: pytest.MonkeyPatch) -> None:
    kit = Untaught(kit_named("18Mag").policy._replace(learnt=None))
    for module in (levels, registry):
        monkeypatch.setattr(module, "kit_named", lambda title: kit)


@pytest.mark.usefixtures("untaught")
def test_without_a_net_the_levels_are_g_and_s() -> None:
    found = levels_of.__wrapped__("18Mag")
    assert list(found) == CODES
    assert {level.bot for level in found.values()} == {"G", "S"}
    assert found[STRONGEST] == LevelStrength("S")


@pytest.mark.usefixtures("untaught")
@pytest.mark.parametrize("code", ["N", "builder", "raider", "steady"])
def test_who_has_learnt_nothing_of_a_title_says_so_before_the_game(code: str) -> None:
    with pytest.raises(BadSetup, match=f"{code} plays by what it has learnt, and nothing has been learnt for 18Mag"):
        registry.check_bot_plays(code, "18Mag")
    assert code not in [bot.code for group in registry.bots_for_title("18Mag").values() for bot in group]


@pytest.mark.usefixtures("untaught")
@pytest.mark.parametrize("code", [*CODES, "R", "G", "S", "S:20", "own.py:Name"])
def test_all_others_play_any_title(code: str) -> None:
    registry.check_bot_plays(code, "18Mag")
