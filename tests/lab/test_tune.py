from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor, Future
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from lab import tune
from lab.tune import Log, Tuning, merit, names_of, rewritten
from ostbahn.bots.playing import Bot
from ostbahn.bots.policies import Factors, TunableWeights, cap_weight, parse_weights, perturb_weights, scale_weights
from ostbahn.bots.search import GreedyBot, SearchBot
from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kit_named, kits

TEXT = """\
# A comment.
[dealing]
levy = 1.4      # what 1 K costs
count = 3
[trains.typical]
levy = 2.0
"""


@pytest.mark.parametrize("title", kits())
def test_every_decimal_weight_can_be_changed_by_its_name(title: str) -> None:
    weights = kit_named(title).policy.weights()
    names = list(names_of(weights))
    assert len(names) == len(set(names)) > 10
    for name in names:
        changed = scale_weights(weights, {name: 2.0})
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


@pytest.mark.parametrize("title", kits())
def test_a_character_is_near_the_weights_and_always_the_same(title: str) -> None:
    weights = kit_named(title).policy.weights()
    one, again, other = (perturb_weights(weights, seed, 0.05) for seed in (3, 3, 4))
    assert one == again != other
    for name in names_of(weights):
        assert _value(one, name) == pytest.approx(_value(weights, name), rel=0.051)


@pytest.mark.parametrize("title", kits())
def test_what_is_fixed_is_neither_varied_nor_tuned(title: str) -> None:
    policy = kit_named(title).policy
    for weights in (policy.weights(), policy.search_weights()):
        names = list(names_of(weights))
        assert not [name for name in names if name.startswith("fixed")]
        assert perturb_weights(weights, 3, 0.05).fixed == weights.fixed
        assert scale_weights(weights, dict.fromkeys(names, 2.0)).fixed == weights.fixed


def test_close_looks_can_be_limited() -> None:
    weights = cap_weight(kit_named("18CZ").policy.weights(), "candidates", 2)
    assert weights.building.candidates == 2


# What a candidate is worth, without playing whole games


def ends(monkeypatch: pytest.MonkeyPatch, alone: list[int], together: int) -> list[TunableWeights]:
    """Games end so: a candidate has `alone` by its seat and G 1000 each, three candidates have `together` each."""
    seen: list[TunableWeights] = []

    def played(title: str, weights: TunableWeights, seed: int, seats: Collection[int]) -> list[int]:
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


def test_in_18mag_candidates_need_not_get_rich_together_as_that_asks_only_for_patience(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for together in (3000, 30_000):
        ends(monkeypatch, [2000, 2000, 2000], together)
        assert merit("18Mag", {}, 1) == pytest.approx(math.log(2))


def test_a_candidate_that_gets_rich_only_by_itself_is_not_the_better_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ends(monkeypatch, [1500] * 3, 3000)
    strong = merit("18CZ", {}, 1)
    ends(monkeypatch, [1500] * 3, 2000)
    assert merit("18CZ", {}, 1) < strong


def test_merit_is_found_in_four_games_with_the_changed_weights_of_s(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = ends(monkeypatch, [1000] * 3, 1000)
    merit("18CZ", {"building.way": 2.0}, 1)
    expected = kit_named("18CZ").policy.search_weights().building.way * 2
    assert [_value(weights, "building.way") for weights in seen] == [expected] * 4


@pytest.mark.parametrize("title", kits())
@pytest.mark.parametrize("seats", [{0}, {2}, {0, 1, 2}])
def test_candidates_play_as_s_on_their_seats_and_g_on_the_others(
    monkeypatch: pytest.MonkeyPatch, title: str, seats: set[int]
) -> None:
    """The games are not played here; what everybody has is what he began with."""
    tables: list[tuple[Game, Mapping[str, Bot]]] = []
    monkeypatch.setattr(tune, "play_out", lambda game, bots: tables.append((game, bots)))
    policy = kit_named(title).policy
    weights = scale_weights(policy.search_weights(), {"building.way": 3.0} if title == "18CZ" else {})
    worth = tune._played(title, weights, 7, seats)
    ((game, bots),) = tables
    assert list(bots) == list(game.state.players)
    assert len(worth) == tune.PLAYERS
    for number, bot in enumerate(bots.values()):
        if number not in seats:
            assert isinstance(bot, GreedyBot)
            continue
        assert isinstance(bot, SearchBot)
        policies = bot.policies(title, bot.seed)
        assert policies.candidates.propose is policies.own.propose is policy.search_propose
        assert policies.opponents.propose is policy.propose
        for name in names_of(weights):
            assert _value(policies.candidates.weights, name) == pytest.approx(_value(weights, name), rel=0.051)
            assert _value(policies.own.weights, name) == _value(weights, name)


@pytest.mark.parametrize(("title", "folder"), [("18CZ", "cz"), ("18Mag", "mag")])
def test_what_was_learnt_can_be_written_into_the_weights_file_of_s(title: str, folder: str) -> None:
    """Every weight that is tuned stands in the file in a form in which it is found again."""
    weights = kit_named(title).policy.search_weights()
    text = (
        resources.files(f"ostbahn.titles.{folder}.opponents")
        .joinpath("data", "search_weights.toml")
        .read_text(encoding="utf-8")
    )
    factors = dict.fromkeys(names_of(weights), 1.5)
    learnt = parse_weights(rewritten(text, factors), "search_weights.toml", type(weights))
    lost = [name for name in factors if _value(learnt, name) != pytest.approx(1.5 * _value(weights, name), rel=0.005)]
    assert not lost


# Learning, from merits that cost no games


class AtOnce(Executor):
    """Does what it is given in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


NAMES = ("dealing.levy", "shares.control")
BEST = {"dealing.levy": 1.5, "shares.control": 0.8}


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """All seeds that were played, of games in which BEST is best and some seeds are luckier than others."""
    seen: list[int] = []

    def played(title: str, factors: Factors, seed: int) -> float:
        seen.append(seed)
        return seed % 7 - sum(abs(math.log(factors.get(name, 1.0) / best)) for name, best in BEST.items())

    monkeypatch.setattr(tune, "merit", played)
    return seen


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def tuning(seed: int = 3, generations: int = 25) -> Tuning:
    return Tuning("18CZ", NAMES, generations, 2, seed, AtOnce())


def learnt(path: Path, seed: int = 3, generations: int = 25) -> dict[str, float]:
    run = tuning(seed, generations)
    return run.learn(Log(path, run.settings))


def test_what_is_better_is_learnt(seeds: list[int], path: Path) -> None:
    assert learnt(path) == pytest.approx(BEST, rel=0.15)


def test_the_same_seed_gives_the_same_log(seeds: list[int], tmp_path: Path) -> None:
    texts = []
    for name, seed in [("one", 3), ("again", 3), ("other", 4)]:
        learnt(tmp_path / name, seed, 2)
        texts.append((tmp_path / name).read_text())
    one, again, other = texts
    assert one == again != other
    settings, *generations = map(json.loads, one.splitlines())
    weights = kit_named("18CZ").policy.search_weights()
    assert settings["weights"] == {name: _value(weights, name) for name in NAMES}
    assert (settings["title"], settings["games"], settings["seed"]) == ("18CZ", 2, 3)
    assert [line["generation"] for line in generations] == [0, 1]


def test_a_run_goes_on_from_its_log_and_plays_no_game_twice(seeds: list[int], path: Path, tmp_path: Path) -> None:
    whole = learnt(tmp_path / "whole", generations=5)
    seeds.clear()
    learnt(path, generations=3)
    tuning().check(BEST, 4, Log(path, tuning().settings))
    first = len(seeds) - 2 * 4
    seeds.clear()
    assert learnt(path, generations=5) == whole
    assert len(seeds) == first * 2 // 3
    assert path.read_text() == (tmp_path / "whole").read_text()


def test_a_log_is_not_gone_on_with_once_the_weights_are_others(seeds: list[int], path: Path) -> None:
    """What was learnt is in the weights file then, and would be learnt a second time."""
    learnt(path, generations=1)
    settings, generation = map(json.loads, path.read_text().splitlines())
    settings["weights"]["dealing.levy"] *= 1.1
    path.write_text(f"{json.dumps(settings)}\n{json.dumps(generation)}\n")
    with pytest.raises(BadSetup, match="the log of another run"):
        learnt(path, generations=2)


def test_a_log_that_cannot_be_written_is_found_out_before_any_game(seeds: list[int], tmp_path: Path) -> None:
    with pytest.raises(OstbahnError):
        learnt(tmp_path / "nowhere" / "log.jsonl")
    assert seeds == []


def test_an_empty_log_is_begun(seeds: list[int], path: Path) -> None:
    path.touch()
    learnt(path, generations=1)
    assert len(path.read_text().splitlines()) == 2


def test_a_log_of_other_settings_is_not_touched(seeds: list[int], path: Path) -> None:
    learnt(path, generations=1)
    before = path.read_text()
    with pytest.raises(BadSetup, match="the log of another run"):
        learnt(path, seed=4, generations=1)
    assert path.read_text() == before


def test_what_was_learnt_is_compared_in_games_that_were_not_learnt_from(seeds: list[int], path: Path) -> None:
    learnt(path)
    known = set(seeds)
    seeds.clear()
    tuning().check(BEST, 12, Log(path, tuning().settings))
    assert len(set(seeds)) == 12
    assert not known & set(seeds)


@pytest.mark.parametrize(
    ("factors", "better"),
    [(BEST, True), ({}, False), ({"dealing.levy": 0.9, "shares.control": 1.1}, False)],
)
def test_only_what_is_better_than_today_is_said_to_be(
    factors: Factors, better: bool, seeds: list[int], path: Path
) -> None:
    assert tuning().check(factors, 12, Log(path, tuning().settings)) is better
    assert json.loads(path.read_text().splitlines()[-1])["better"] is better


def test_what_may_be_chance_is_not_better(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Better in three games by as much as worse in the three others, and a little more."""
    gain = {"new": 1.0}
    monkeypatch.setattr(tune, "merit", lambda title, factors, seed: (1.1 if seed % 2 else -1.0) if factors else 0.0)
    assert not tuning().check(gain, 6, Log(path, tuning().settings))


def test_weights_that_do_not_exist_cannot_be_tuned() -> None:
    assert tune._chosen("18CZ", "dealing.levy,shares.control") == list(NAMES)
    assert tune._chosen("18CZ", None) == list(names_of(kit_named("18CZ").policy.search_weights()))
    with pytest.raises(BadSetup, match=r"no weights dealing\.tax"):
        tune._chosen("18CZ", "dealing.levy,dealing.tax")
