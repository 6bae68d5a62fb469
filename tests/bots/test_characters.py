"""Characters play as N does, but one notices who they are: counted at questions of golden games."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice

import pytest

from ostbahn.bots.learnt import LearntBot, learnt_model_of
from ostbahn.bots.levels import Characters, characters
from ostbahn.bots.policies import LearntSettings, parse_weights
from ostbahn.kernel.errors import BadData
from tests.golden.games import golden_game

CZ, MAG = "18CZ-base-4", "18Mag-base-3"


@cache
def chosen(name: str, kind: str, code: str, number: int = 12) -> Counter[str]:
    """What the first choices of a character are like, at so many questions of a kind."""
    game = golden_game(name)
    found: Counter[str] = Counter()
    positions = (game.position(place) for place in range(len(game)))
    asked = (each for each in positions if each.question and each.question.kind == kind and not each.question.obvious)
    for position in islice(asked, 0, 3 * number, 3):
        assert position.question is not None
        found.update(LearntBot(0, code).evaluate(position.question, position)[0].candidate.traits)
    return found


@pytest.mark.parametrize(("name", "kind"), [(CZ, "use_income"), (MAG, "pay_out")])
def test_a_builder_keeps_incomes_and_a_steady_hand_pays_them(name: str, kind: str) -> None:
    builder, steady = chosen(name, kind, "builder"), chosen(name, kind, "steady")
    assert builder["keeps"] > chosen(name, kind, "")["keeps"]
    assert steady["pays"] > builder["pays"]
    assert steady["keeps"] <= chosen(name, kind, "")["keeps"]


def test_a_builder_buys_trains_more_often() -> None:
    builder, steady = (chosen(CZ, "purchase_trains", code) for code in ("builder", "steady"))
    assert builder["trains"] > steady["trains"]
    assert builder["phase"] >= steady["phase"]


@pytest.mark.parametrize("name", [CZ, MAG])
def test_a_raider_takes_control_and_sells(name: str) -> None:
    raider, steady, builder = (chosen(name, "stock_round", code) for code in ("raider", "steady", "builder"))
    assert raider["control"] > max(steady["control"], builder["control"])
    assert raider["sells"] > max(steady["sells"], builder["sells"])
    assert raider["hurts"] > steady["hurts"]
    assert raider["others"] >= steady["others"]


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_a_character_changes_a_manner_in_proportion(title: str) -> None:
    settings: LearntSettings = learnt_model_of(title).settings
    raider, builder, steady = (characters()[code].changed(settings) for code in ("raider", "builder", "steady"))
    assert builder.rivalry < settings.rivalry < raider.rivalry
    assert steady.margin > settings.margin
    assert steady.studies == settings.studies


def test_a_taste_that_nothing_has_is_told() -> None:
    words = '[characters.odd]\nname = "odd"\nabout = "?"\nrivalry = 1.0\nmargin = 1.0\ntaste = { colour = 0.1 }'
    with pytest.raises(BadData, match="colour"):
        parse_weights(words, "characters.toml", Characters)
