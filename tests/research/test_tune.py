from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from importlib import resources

import pytest

from ostbahn.bots.bot import Bot
from ostbahn.bots.policies import POLICIES
from ostbahn.bots.weights import Numbers, read_weights, varied, with_at_most
from ostbahn.kernel.game import Game
from ostbahn.research import tune
from ostbahn.research.tune import Candidate, merit, multiplied, names_of, rewritten

TEXT = """\
# A comment.
[dealing]
levy = 1.4      # what 1 K costs
count = 3
[trains.typical]
levy = 2.0
"""


@pytest.mark.parametrize("title", POLICIES)
def test_every_decimal_weight_can_be_changed_by_its_name(title: str) -> None:
    weights = POLICIES[title].weights()
    names = list(names_of(weights))
    assert len(names) == len(set(names)) > 10
    for name in names:
        changed = multiplied(weights, {name: 2.0})
        assert changed != weights or _value(weights, name) == 0
        assert _value(changed, name) == 2 * _value(weights, name)


def _value(weights: object, name: str) -> float:
    for part in name.split("."):
        weights = getattr(weights, part)
    assert isinstance(weights, float)
    return weights


def test_a_weights_file_keeps_everything_but_the_numbers() -> None:
    changed = rewritten(TEXT, {"dealing.levy": 0.5, "dealing.count": 7.0})
    assert changed == TEXT.replace("levy = 1.4", "levy = 0.7", 1)


@pytest.mark.parametrize("title", POLICIES)
def test_a_character_is_near_the_weights_and_always_the_same(title: str) -> None:
    weights = POLICIES[title].weights()
    one, again, other = (varied(weights, seed, 0.05) for seed in (3, 3, 4))
    assert one == again != other
    for name in names_of(weights):
        assert _value(one, name) == pytest.approx(_value(weights, name), rel=0.051)


def test_close_looks_can_be_limited() -> None:
    weights = with_at_most(POLICIES["18CZ"].weights(), "candidates", 2)
    assert weights.building.candidates == 2


# What a candidate is worth, without playing whole games


def ends(monkeypatch: pytest.MonkeyPatch, alone: list[int], together: int) -> list[Numbers]:
    """Games end so: a candidate has `alone` by its seat and G 1000 each, three candidates have `together` each."""
    seen: list[Numbers] = []

    def played(title: str, weights: Numbers, seed: int, seats: Collection[int]) -> list[int]:
        seen.append(weights)
        if len(seats) == tune.PLAYERS:
            return [together] * tune.PLAYERS
        return [alone[number] if number in seats else 1000 for number in range(tune.PLAYERS)]

    monkeypatch.setattr(tune, "_played", played)
    return seen


def test_merit_is_being_richer_than_g_and_rich_together(monkeypatch: pytest.MonkeyPatch) -> None:
    ends(monkeypatch, [2000, 1000, 500], 3000)
    assert merit("18CZ", {}, 1) == pytest.approx(math.log(9000)), "as often twice as rich as half as rich"
    ends(monkeypatch, [2000, 2000, 2000], 3000)
    assert merit("18CZ", {}, 1) == pytest.approx(math.log(2) + math.log(9000))


def test_a_candidate_that_gets_rich_only_by_itself_is_not_the_better_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ends(monkeypatch, [1500] * 3, 3000)
    strong = merit("18CZ", {}, 1)
    ends(monkeypatch, [1500] * 3, 2000)
    assert merit("18CZ", {}, 1) < strong


def test_merit_is_found_in_four_games_with_the_changed_weights_of_s(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = ends(monkeypatch, [1000] * 3, 1000)
    merit("18CZ", {"building.way": 2.0}, 1)
    expected = POLICIES["18CZ"].search_weights().building.way * 2
    assert [_value(weights, "building.way") for weights in seen] == [expected] * 4


@pytest.mark.parametrize("title", POLICIES)
@pytest.mark.parametrize("seats", [{0}, {2}, {0, 1, 2}])
def test_candidates_play_as_s_on_their_seats_and_g_on_the_others(
    monkeypatch: pytest.MonkeyPatch, title: str, seats: set[int]
) -> None:
    """The games are not played here; what everybody has is what he began with."""
    tables: list[tuple[Game, Mapping[str, Bot]]] = []
    monkeypatch.setattr(tune, "play_out", lambda game, bots: tables.append((game, bots)))
    policy = POLICIES[title]
    weights = multiplied(policy.search_weights(), {"building.way": 3.0} if title == "18CZ" else {})
    worth = tune._played(title, weights, 7, seats)
    ((game, bots),) = tables
    assert list(bots) == list(game.state.players)
    assert len(worth) == tune.PLAYERS
    for number, bot in enumerate(bots.values()):
        assert isinstance(bot, Candidate)
        theirs = weights if number in seats else policy.weights()
        assert bot.player.propose is (policy.search_propose if number in seats else policy.propose)
        for name in names_of(theirs):
            assert _value(bot.player.weights, name) == pytest.approx(_value(theirs, name), rel=0.051)


@pytest.mark.parametrize(("title", "file"), [("18CZ", "cz_search.toml"), ("18Mag", "mag_search.toml")])
def test_what_was_learnt_can_be_written_into_the_weights_file_of_s(title: str, file: str) -> None:
    """Every weight that is tuned stands in the file in a form in which it is found again."""
    weights = POLICIES[title].search_weights()
    text = resources.files("ostbahn.bots").joinpath("data", file).read_text(encoding="utf-8")
    factors = dict.fromkeys(names_of(weights), 1.5)
    learnt = read_weights(file, type(weights), rewritten(text, factors))
    lost = [name for name in factors if _value(learnt, name) != pytest.approx(1.5 * _value(weights, name), rel=0.005)]
    assert not lost
