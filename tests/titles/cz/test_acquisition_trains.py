"""Trains taken over in an acquisition: kept, scrapped or turned (18CZ VIII.9/12 to VIII.9/16)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.actions import BuyTrain, ReturnTrain, ScrapTrain, SellLocal, TurnTrain
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.scenes import state_of
from tests.titles.cz.takeovers import asked, buying, cash_of, rule_against, take_over

OWNER_OF = {"small": "EKJ", "medium": "NWB"}
"""Who is taken over for a train of that size, where BN or kk buys."""


def taking(
    buyer: str, *trains: tuple[str, str], own: tuple[tuple[str, str], ...] = (), phase: str = "d", **fields: Any
) -> Game:
    """A company that has just taken over another one with these trains."""
    target = OWNER_OF[cz_title().train_faces[trains[0][1]].size]
    game = buying(
        buyer,
        target,
        phase=phase,
        cash=fields.pop("cash", 2000),
        trains={target: trains, buyer: own, **fields.pop("trains", {})},
        **fields,
    )
    take_over(game, target, 60 if target == "EKJ" else 70)
    assert asked(game).kind == "settle_trains"
    return game


def cards_of(game: Game, company: str) -> list[Train]:
    return sorted(state_of(game).trains.get(company, ()))


# Kept or scrapped


@pytest.mark.rule("18CZ VIII.9/12")
def test_trains_are_taken_over() -> None:
    game = taking("BN", ("a1", "2"), ("c1", "3"), own=(("d1", "3+3"),))
    game.apply(Pass())
    assert cards_of(game, "BN") == [("a1", "2"), ("c1", "3"), ("d1", "3+3")]
    assert "EKJ" not in state_of(game).trains


@pytest.mark.rule("18CZ VIII.9/12")
def test_a_scrapped_train_is_out_of_the_game() -> None:
    game = taking("BN", ("a1", "2"), ("c1", "3"))
    game.apply(ScrapTrain("a1"))
    game.apply(Pass())
    game.apply(Pass())
    assert asked(game).kind == "purchase_trains"
    assert cards_of(game, "BN") == [("c1", "3")]
    assert state_of(game).pool == ()
    assert rule_against(game, BuyTrain("a1", "2")) == "18CZ VIII.10/8"
    assert state_of(game).scrapped == ()  # other 2-trains stay in the game


@pytest.mark.rule("18CZ VIII.9/12")
def test_all_trains_may_be_scrapped() -> None:
    game = taking("BN", ("a1", "2"), ("c1", "3"))
    game.apply(ScrapTrain("a1"))
    game.apply(ScrapTrain("c1"))
    assert asked(game).kind == "acquire"
    assert cards_of(game, "BN") == []


@pytest.mark.rule("18CZ VIII.9/12")
def test_acquired_trains_above_the_limit_are_scrapped() -> None:
    game = taking("BN", ("d1", "3"), ("d2", "3"), own=(("d3", "3+3"),), phase="f")
    assert rule_against(game, Pass()) == "18CZ VIII.9/12"
    assert rule_against(game, ScrapTrain("d3")) == "18CZ VIII.9/16"
    assert {option.action for option in asked(game).only(ScrapTrain)} == {ScrapTrain("d1"), ScrapTrain("d2")}
    game.apply(TurnTrain("d1", "3+3"))
    assert rule_against(game, Pass()) == "18CZ VIII.9/12"
    game.apply(ScrapTrain("d2"))
    game.apply(Pass())
    assert cards_of(game, "BN") == [("d1", "3+3"), ("d3", "3+3")]
    assert state_of(game).pool == ()


@pytest.mark.rule("18CZ VIII.9/12")
def test_surplus_trains_go_to_the_pool_where_that_is_agreed() -> None:
    rulings = {"above_limit_after_acquisition": "return any to the pool"}
    game = taking("BN", ("d1", "3"), ("d2", "3"), own=(("d3", "3+3"),), phase="f", rulings=rulings)
    later = taking(
        "BN",
        ("d1", "3"),
        ("d2", "3"),
        own=(("d3", "3+3"),),
        phase="f",
        rulings={**rulings, "surplus_trains_returned": "after further acquisitions"},
    )
    later.apply(Pass())
    assert asked(later).kind == "acquire", "a further company may be taken over first"
    later.apply(Pass())
    assert asked(later).kind == "return_trains"
    game.apply(Pass())
    assert asked(game).kind == "return_trains"
    game.apply(ReturnTrain("d3"))
    assert cards_of(game, "BN") == [("d1", "3"), ("d2", "3")]
    assert state_of(game).pool == (("d3", "3+3"),)


# Turned


@pytest.mark.rule("18CZ VIII.9/13")
def test_a_medium_company_makes_a_blue_train_of_a_red_one() -> None:
    game = taking("BN", ("d1", "3"))
    assert rule_against(game, TurnTrain("d1", "3E")) == "18CZ VIII.9/13"
    assert [option.action for option in asked(game).only(TurnTrain)] == [TurnTrain("d1", "3+3")]
    game.apply(TurnTrain("d1", "3+3"))
    assert cards_of(game, "BN") == [("d1", "3+3")]


@pytest.mark.rule("18CZ VIII.9/13")
@pytest.mark.parametrize(
    ("ruling", "blue"), [("any larger size it may own", "allowed"), ("own size", "18CZ VIII.9/13")]
)
def test_a_large_company_may_make_a_blue_train_too(ruling: str, blue: str) -> None:
    game = taking("kk", ("d1", "3"), rulings={"turn_acquired_train_into": ruling})
    assert rule_against(game, TurnTrain("d1", "3+3")) == blue
    assert rule_against(game, TurnTrain("d1", "3E")) == "allowed"


@pytest.mark.rule("18CZ VIII.9/13")
@pytest.mark.parametrize(
    ("buyer", "train", "face"),
    [
        ("kk", ("b1", "2+2"), "2"),
        ("kk", ("b1", "2+2"), "2+2"),
        ("kk", ("d1", "3+3"), "3"),
        ("BN", ("a1", "2"), "2+2"),
        ("kk", ("a1", "2"), "3E"),
        ("kk", ("c1", "3"), "3+3"),
        ("kk", ("c1", "3"), "4"),
    ],
    ids=["smaller", "the same", "smaller than blue", "one face", "no green face", "another card's face", "another red"],
)
def test_only_a_larger_face_of_the_same_card_is_chosen(buyer: str, train: tuple[str, str], face: str) -> None:
    game = taking(buyer, train)
    assert rule_against(game, TurnTrain(train[0], face)) == "18CZ VIII.9/13"


@pytest.mark.rule("18CZ VIII.9/13")
def test_the_largest_face_is_not_turned() -> None:
    game = taking("kk", ("d1", "3+3"))
    game.apply(TurnTrain("d1", "3E"))
    assert not asked(game).only(TurnTrain)
    for face in ("3", "3+3", "3E"):
        assert rule_against(game, TurnTrain("d1", face)) == "18CZ VIII.9/13"


COSTS = [
    ("BN", "b1", "2", "2+2", 10),
    ("BN", "d1", "3", "3+3", 60),
    ("kk", "d1", "3", "3E", 130),
    ("kk", "d1", "3+3", "3E", 70),
    ("BN", "f1", "4", "4+4", 150),
    ("kk", "f1", "4", "4E", 100),
    ("BN", "g1", "5", "4+4", 50),
    ("kk", "h1", "5", "5E", 350),
    ("kk", "i1", "5+5", "6E", 300),
    ("kk", "j1", "5", "8E", 650),
]
FREE = [
    ("BN", "c1", "3", "2+2"),
    ("BN", "e1", "4", "3+3"),
    ("kk", "e1", "4", "3E"),
    ("kk", "f1", "4+4", "4E"),
    ("kk", "g1", "4+4", "4E"),
    ("kk", "g1", "5", "4E"),
]


@pytest.mark.rule("18CZ VIII.9/14")
@pytest.mark.parametrize(("buyer", "card", "old", "new", "cost"), COSTS)
def test_turning_costs_the_difference(buyer: str, card: str, old: str, new: str, cost: int) -> None:
    game = taking(buyer, (card, old), phase=max("d", card[0]))
    before = cash_of(game, buyer, "bank")
    game.apply(TurnTrain(card, new))
    assert cash_of(game, buyer, "bank") == [before[0] - cost, before[1] + cost]
    assert cards_of(game, buyer) == [(card, new)]


@pytest.mark.rule("18CZ VIII.9/14")
@pytest.mark.parametrize(("cash", "rule"), [(250, "allowed"), (249, "18CZ VIII.9/14")])
def test_turning_is_paid_from_the_treasury(cash: int, rule: str) -> None:
    game = taking("kk", ("d1", "3"), cash=cash)
    assert cash_of(game, "kk") == [cash - 120]
    assert rule_against(game, TurnTrain("d1", "3E")) == rule
    assert bool(asked(game).only(TurnTrain, face="3E")) is (rule == "allowed")


@pytest.mark.rule("18CZ VIII.9/14", "18CZ VIII.9/8")
def test_the_targets_money_may_pay_for_turning() -> None:
    """Reported to 18xx.games: #3872."""
    game = taking("kk", ("d1", "3"), cash=120, target_cash=130)
    game.apply(TurnTrain("d1", "3E"))
    assert cash_of(game, "kk") == [0]


@pytest.mark.rule("18CZ VIII.9/15")
@pytest.mark.parametrize(("buyer", "card", "old", "new"), FREE)
def test_turning_to_a_cheaper_face_is_free(buyer: str, card: str, old: str, new: str) -> None:
    game = taking(buyer, (card, old), phase=max("d", card[0]))
    before = cash_of(game, buyer, "bank")
    game.apply(TurnTrain(card, new))
    assert cash_of(game, buyer, "bank") == before
    assert cards_of(game, buyer) == [(card, new)]


# Only now, and only these


@pytest.mark.rule("18CZ VIII.9/16")
@pytest.mark.parametrize("action", [TurnTrain("d2", "3+3"), ScrapTrain("d2"), TurnTrain("d9", "3+3"), ScrapTrain("d9")])
def test_older_trains_are_neither_turned_nor_scrapped(action: Action) -> None:
    game = taking("BN", ("d1", "3"), own=(("d2", "3"),))
    assert rule_against(game, action) == "18CZ VIII.9/16"
    assert action not in [option.action for option in asked(game)]


@pytest.mark.rule("18CZ VIII.9/16")
def test_a_step_later_nothing_is_turned_or_scrapped() -> None:
    game = taking("BN", ("d1", "3"), own=(("d2", "3+3"),))
    game.apply(Pass())
    for kind in ("acquire", "purchase_trains"):
        assert asked(game).kind == kind
        assert rule_against(game, TurnTrain("d1", "3+3")) == "18CZ VIII.3/1"
        assert rule_against(game, ScrapTrain("d1")) == "18CZ VIII.3/1"
        game.apply(Pass())


@pytest.mark.rule("18CZ VIII.9/16")
def test_trains_of_an_earlier_take_over_are_older_ones_too() -> None:
    game = buying(others=["OFE"], trains={"EKJ": [("d1", "3")], "OFE": [("d2", "3")]})
    take_over(game, "EKJ")
    game.apply(Pass())
    take_over(game, "OFE")
    assert rule_against(game, TurnTrain("d1", "3+3")) == "18CZ VIII.9/16"
    assert rule_against(game, TurnTrain("d2", "3+3")) == "allowed"


@pytest.mark.rule("18CZ VIII.9/16")
def test_turning_scraps_what_a_sale_would() -> None:
    game = taking(
        "BN",
        ("f1", "4"),
        own=(("b1", "2+2"),),
        phase="f",
        others=["ATE"],
        trains={"ATE": [("b2", "2+2"), ("d1", "3+3"), ("a1", "2")]},
        pool=[("b3", "2+2"), ("a2", "2")],
    )
    game.apply(TurnTrain("f1", "4+4"))
    assert cards_of(game, "BN") == [("f1", "4+4")]
    assert cards_of(game, "ATE") == [("a1", "2"), ("d1", "3+3")]
    assert state_of(game).pool == (("a2", "2"),)
    assert state_of(game).scrapped == ("2+2",)


@pytest.mark.rule("18CZ VIII.9/16")
def test_a_turned_train_may_scrap_another_that_was_taken_over() -> None:
    game = taking("kk", ("f1", "4+4"), ("i1", "5+5"), own=(("e1", "3E"),), phase="i")
    game.apply(TurnTrain("i1", "6E"))
    assert cards_of(game, "kk") == [("f1", "4+4"), ("i1", "6E")]


@pytest.mark.rule("18CZ VIII.9/16")
@pytest.mark.parametrize(
    ("buyer", "train", "face", "scrapped"),
    [("kk", ("e1", "4"), "3E", ("3E",)), ("BN", ("c1", "3"), "2+2", ("2+2",)), ("BN", ("d1", "3"), "3+3", ("3+3",))],
)
def test_a_scrapped_face_cannot_be_chosen(
    buyer: str, train: tuple[str, str], face: str, scrapped: tuple[str, ...]
) -> None:
    game = taking(buyer, train, phase="g", scrapped=scrapped)
    assert rule_against(game, TurnTrain(train[0], face)) == "18CZ VIII.12/20"
    assert not asked(game).only(TurnTrain, face=face)


@pytest.mark.rule("18CZ VIII.3/4", "18CZ IV.1/24")
def test_a_local_railway_is_sold_to_pay_for_turning() -> None:
    game = taking("kk", ("d1", "3"), cash=120, target_cash=80, locals_of={"S1": "EKJ"}, local_price=55)
    assert rule_against(game, TurnTrain("d1", "3E")) == "18CZ VIII.9/14"
    game.apply(SellLocal("S1"))
    game.apply(TurnTrain("d1", "3E"))
    assert cash_of(game, "kk") == [5]
