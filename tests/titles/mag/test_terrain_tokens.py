"""Terrain tokens, by both rulings on when they are spent (18Mag VI.3.2/13, VI.3.2/14)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.titles.mag.actions import DeclareToken
from tests.titles.mag.scenes import state_of
from tests.titles.mag.track_scenes import TITLE, cash_of, facing, lay, payments, refusal_rule, track_step

DECLARED = {"terrain_token_spent": "when declared"}
NO_TOKENS = dict.fromkeys(TITLE.minors, 0)
ROW = {"E14": facing("57", "W", "E"), "E16": facing("9", "W", "E"), "E18": facing("57", "W", "E")}
"""Szolnok, open country and Debrecen in a row; nobody lives there."""


def beside_d23(tokens: int = 2, money: int = 500, laid: int = 0, **fields: Any) -> Game:
    """Minor 12 has a station in Kolozsvár and track over E22 to D23, where two mountains and a river cost 30 Ft."""
    tiles = {"F23": facing("57", "NW", "SE"), "E22": facing("58", "NE", "SE")}
    return track_step(
        "12",
        tiles,
        laid=laid,
        stations={"F23.0": ["12"]},
        cash={"12": money},
        terrain_tokens={**NO_TOKENS, "12": tokens},
        **fields,
    )


@pytest.mark.rule("18Mag VI.3.2/13", "18Mag VI.3.2/14")
@pytest.mark.parametrize(("token", "payer", "left"), [(False, "12", 2), (True, BANK, 1)])
def test_either_the_minor_pays_for_d23_or_a_token_makes_the_bank_pay(token: bool, payer: str, left: int) -> None:
    game = beside_d23()
    record = game.apply(lay("D23", "9", "SW", "NE", token=token))
    assert payments(record.events) == [(payer, "SIK", 30)]
    assert cash_of(game, "SIK") == 30
    assert cash_of(game, "12") == (500 if token else 470)
    assert state_of(game).terrain_tokens["12"] == left


@pytest.mark.rule("18Mag VI.3.2/13")
def test_a_token_helps_who_has_no_money() -> None:
    game = beside_d23(money=0)
    assert refusal_rule(game, lay("D23", "9", "SW", "NE")) == "18Mag VI.3.2/11"
    assert refusal_rule(game, lay("D23", "9", "SW", "NE", token=True)) == "allowed"


@pytest.mark.rule("18Mag VI.3.2/13")
def test_a_token_is_given_only_by_who_has_one_and_only_where_something_is_due() -> None:
    assert refusal_rule(beside_d23(tokens=0), lay("D23", "9", "SW", "NE", token=True)) == "18Mag VI.3.2/13"
    free = track_step("12", ROW, stations={"E18.0": ["12"]})
    assert refusal_rule(free, lay("E20", "9", "W", "E", token=True)) == "18Mag VI.3.2/13"
    assert refusal_rule(free, lay("E20", "9", "W", "E")) == "allowed"


@pytest.mark.rule("18Mag VI.3.2/13")
@pytest.mark.parametrize(("money", "rule"), [(9, "18Mag VI.3.2/1"), (10, "allowed")])
def test_a_token_does_not_pay_for_the_extra_tile(money: int, rule: str) -> None:
    game = beside_d23(money=money, laid=1)
    assert refusal_rule(game, lay("D23", "9", "SW", "NE", token=True)) == rule


@pytest.mark.rule("18Mag VI.3.2/13")
def test_several_tokens_in_a_turn_one_for_each_hex() -> None:
    game = beside_d23(money=10)
    game.apply(lay("D23", "9", "SW", "NE", token=True))
    game.apply(lay("C24", "7", "SW", "W", token=True))
    assert state_of(game).terrain_tokens["12"] == 0
    assert (cash_of(game, "12"), cash_of(game, "SIK"), cash_of(game, "SzKÉV")) == (0, 60, 10)


@pytest.mark.rule("18Mag VI.3.2/13")
def test_tokens_go_with_the_lay_and_are_not_declared_before() -> None:
    assert refusal_rule(beside_d23(), DeclareToken()) == "18Mag VI.3.2/13"


@pytest.mark.rule("18Mag VI.3.2/13", "18Mag VI.3.2/14")
@pytest.mark.parametrize("fields", [{"site": True}, {"rulings": DECLARED}])
def test_by_the_other_ruling_a_token_is_spent_when_declared(fields: dict[str, Any]) -> None:
    game = beside_d23(money=0, **fields)
    assert refusal_rule(game, lay("D23", "9", "SW", "NE", token=True)) == "18Mag VI.3.2/13"
    game.apply(DeclareToken())
    assert state_of(game).terrain_tokens["12"] == 1
    assert refusal_rule(game, DeclareToken()) == "18Mag VI.3.2/13", "one is waiting to be used"
    assert payments(game.apply(lay("D23", "9", "SW", "NE")).events) == [(BANK, "SIK", 30)]
    assert state_of(game).terrain_tokens["12"] == 1


@pytest.mark.rule("18Mag VI.3.2/13")
def test_a_declared_token_waits_for_a_tile_with_a_cost_in_that_turn() -> None:
    # From Debrecen to E20, which is free, and on to D21, where 20 Ft are due.
    game = track_step("12", ROW, stations={"E18.0": ["12"]}, cash={"12": 10}, rulings=DECLARED)
    game.apply(DeclareToken())
    assert not payments(game.apply(lay("E20", "8", "W", "NE")).events)
    assert payments(game.apply(lay("D21", "9", "SW", "NE")).events) == [(BANK, "SIK", 20), ("12", "SzKÉV", 10)]
    assert state_of(game).terrain_tokens["12"] == 1


@pytest.mark.rule("18Mag VI.3.2/13")
def test_a_declared_token_is_wasted_if_no_such_tile_follows() -> None:
    game = beside_d23(rulings=DECLARED)
    game.apply(DeclareToken())
    game.apply(Pass())
    assert state_of(game).terrain_tokens["12"] == 1
    assert cash_of(game, "SIK") == 0
    nobody = track_step("3", rulings=DECLARED)
    assert refusal_rule(nobody, DeclareToken()) == "18Mag VI.3.2/13", "minor 3 never had one"


@pytest.mark.rule("18Mag VI.3.2/13")
def test_two_tokens_can_be_declared_one_after_the_other() -> None:
    game = beside_d23(money=10, rulings=DECLARED)
    for action in (DeclareToken(), lay("D23", "9", "SW", "NE"), DeclareToken(), lay("C24", "7", "SW", "W")):
        game.apply(action)
    assert state_of(game).terrain_tokens["12"] == 0
    assert (cash_of(game, "12"), cash_of(game, "SIK"), cash_of(game, "SzKÉV")) == (0, 60, 10)
