"""Scrapping, surplus trains and the train pool (18CZ VIII.12)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.records import Paid, TrainMoved
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.actions import BuyTrain, ReturnTrain
from ostbahn.titles.cz.state import PurchaseTrains, ReturnTrains
from tests.titles.cz.scenes import state_of
from tests.titles.cz.train_scenes import (
    FLEET,
    HARMLESS,
    asked,
    buyer_of,
    faces_left,
    first_of,
    fleet,
    phase_before,
    rule_of,
    table_with,
)

# Scrapping


@pytest.mark.parametrize(
    ("letter", "face", "gone"),
    [
        pytest.param("e", "4", {"2"}, marks=pytest.mark.rule("18CZ VIII.12/12", "18CZ VIII.12/18")),
        pytest.param("e", "3+3", set(), marks=pytest.mark.rule("18CZ VIII.12/18")),
        pytest.param("e", "3E", set(), marks=pytest.mark.rule("18CZ VIII.12/18")),
        pytest.param("f", "4", {"2"}, marks=pytest.mark.rule("18CZ VIII.12/12", "18CZ VIII.12/14")),
        pytest.param("f", "4+4", {"2+2"}, marks=pytest.mark.rule("18CZ VIII.12/14")),
        pytest.param("f", "4E", set(), marks=pytest.mark.rule("18CZ VIII.12/18")),
        pytest.param("g", "5", {"2", "3"}, marks=pytest.mark.rule("18CZ VIII.12/13")),
        pytest.param("g", "4+4", {"2+2"}, marks=pytest.mark.rule("18CZ VIII.12/14")),
        pytest.param("g", "4E", set(), marks=pytest.mark.rule("18CZ VIII.12/18")),
        pytest.param("h", "5", {"2", "3"}, marks=pytest.mark.rule("18CZ VIII.12/13")),
        pytest.param("h", "5+5", {"2+2", "3+3"}, marks=pytest.mark.rule("18CZ VIII.12/15")),
        pytest.param("h", "5E", set(), marks=pytest.mark.rule("18CZ VIII.12/16")),
        pytest.param("i", "5", {"2", "3"}, marks=pytest.mark.rule("18CZ VIII.12/13")),
        pytest.param("i", "5+5", {"2+2", "3+3"}, marks=pytest.mark.rule("18CZ VIII.12/15")),
        pytest.param("i", "6E", {"3E"}, marks=pytest.mark.rule("18CZ VIII.12/16")),
        pytest.param("j", "5", {"2", "3"}, marks=pytest.mark.rule("18CZ VIII.12/13")),
        pytest.param("j", "5+5", {"2+2", "3+3"}, marks=pytest.mark.rule("18CZ VIII.12/15")),
        pytest.param("j", "8E", {"3E", "4E"}, marks=pytest.mark.rule("18CZ VIII.12/17")),
    ],
)
def test_a_sale_scraps_older_trains_of_its_colour(letter: str, face: str, gone: set[str]) -> None:
    """Nothing was scrapped before: no 4, 4+4 or 6E was ever sold."""
    old = [face for face in HARMLESS if FLEET[face][1][0] < letter]
    game = table_with(agenda=[PurchaseTrains(buyer_of(face))], trains=fleet(*old), **phase_before(letter))
    game.apply(BuyTrain(f"{letter}1", face))
    assert faces_left(game) == set(old) - gone | {face}


@pytest.mark.rule("18CZ VIII.12/12")
def test_two_trains_go_only_when_a_four_is_sold() -> None:
    game = table_with(
        agenda=[PurchaseTrains("VBW"), PurchaseTrains("KFN")], trains=fleet("2", "2+2"), **phase_before("e")
    )
    game.apply(BuyTrain("e1", "3+3"))
    game.apply(Pass())
    assert faces_left(game) == {"2", "2+2", "3+3"}
    game.apply(BuyTrain("e2", "4"))
    assert faces_left(game) == {"2+2", "3+3", "4"}


@pytest.mark.rule("18CZ VIII.12/12")
def test_a_four_sold_from_the_pool_scraps_as_well() -> None:
    """The card was a 3+3 before, so no 4 has been sold yet."""
    game = table_with(agenda=[PurchaseTrains("VBW")], trains=fleet("2"), pool=[("e1", "3+3")], phase="e")
    game.apply(BuyTrain("e1", "4"))
    assert faces_left(game) == {"4"}


@pytest.mark.rule("18CZ VIII.12/16", "18CZ VIII.12/17")
def test_green_trains_go_with_a_6e_and_an_8e() -> None:
    game = table_with(
        agenda=[PurchaseTrains("Ug")], trains=fleet("3E", "4E", "5E"), phase="h", cards_gone=first_of("h") + 1
    )
    steps = [("h2", "5E", {"3E", "4E", "5E"}), ("i1", "6E", {"4E", "5E", "6E"})]
    for card, face, left in steps:
        game.apply(BuyTrain(card, face))
        assert faces_left(game) == left
    last = table_with(agenda=[PurchaseTrains("Ug")], trains=fleet("4E", "5E", "6E"), **phase_before("j"))
    last.apply(BuyTrain("j1", "8E"))
    assert faces_left(last) == {"5E", "6E", "8E"}


@pytest.mark.rule("18CZ VIII.12/19")
def test_seven_kinds_of_trains_are_never_scrapped() -> None:
    lasting = {"4", "5", "4+4", "5+5", "5E", "6E", "8E"}
    buyers = [PurchaseTrains(buyer_of(face)) for face in ("8E", "5+5", "5")]
    game = table_with(agenda=buyers, trains=fleet(*lasting), phase="j")
    before = [train for trains in state_of(game).trains.values() for train in trains]
    for card, face in (("j2", "5"), ("j3", "5+5"), ("j4", "8E")):
        game.apply(BuyTrain(card, face))
        game.apply(Pass())
    after = [train for trains in state_of(game).trains.values() for train in trains]
    assert set(before) < set(after)
    assert {train.face for train in before} == lasting


@pytest.mark.rule("18CZ VIII.12/20")
def test_scrapping_reaches_the_pool_where_a_card_goes_by_the_size_it_lies_in() -> None:
    """Scrapped trains cannot be bought. Reported to 18xx.games: #4211."""
    game = table_with(
        agenda=[PurchaseTrains("KFN"), PurchaseTrains("VBW")],
        trains={"EKJ": [("a1", "2")], "BN": [("a2", "2"), ("b3", "2+2")]},
        pool=[("a3", "2"), ("b1", "2+2"), ("b2", "2"), ("c1", "3")],
        **phase_before("e"),
    )
    game.apply(BuyTrain("e1", "4"))
    assert state_of(game).pool == (Train("b1", "2+2"), Train("c1", "3"))
    assert state_of(game).trains["EKJ"] == ()
    assert state_of(game).trains["BN"] == (Train("b3", "2+2"),)
    game.apply(Pass())
    assert rule_of(game, BuyTrain("b1", "2")) == "18CZ VIII.12/20"
    assert BuyTrain("b1", "2+2") in asked(game)


@pytest.mark.rule("18CZ VIII.12/20", "18CZ VIII.12/23")
def test_by_ruling_a_pool_card_stays_in_the_sizes_that_are_left() -> None:
    game = table_with(
        agenda=[PurchaseTrains("KFN"), PurchaseTrains("VBW")],
        pool=[("a3", "2"), ("b2", "2"), ("d1", "3")],
        rulings={"pool_card_scrapped": "it stays in its other sizes"},
        **phase_before("g"),
    )
    record = game.apply(BuyTrain("g1", "5"))
    moves = [event for event in record.events if isinstance(event, TrainMoved) and event.source == "pool"]
    assert moves == [
        TrainMoved("a3", "2", "pool", "scrap"),
        TrainMoved("b2", "2+2", "pool", "pool"),
        TrainMoved("d1", "3+3", "pool", "pool"),
    ]
    assert state_of(game).pool == (Train("b2", "2+2"), Train("d1", "3+3"))
    game.apply(Pass())
    assert rule_of(game, BuyTrain("b2", "2")) == "18CZ VIII.12/20"
    assert {option.action for option in asked(game).only(BuyTrain, card="b2")} == {BuyTrain("b2", "2+2")}
    game.apply(BuyTrain("g2", "4+4"))
    assert state_of(game).pool == (Train("d1", "3+3"),), "nothing was left of b2"


@pytest.mark.rule("18CZ VIII.12/20")
def test_the_record_tells_every_train_that_is_scrapped() -> None:
    game = table_with(
        agenda=[PurchaseTrains("VBW")],
        trains={"EKJ": [("a1", "2")]},
        pool=[("a3", "2"), ("b2", "2"), ("c1", "3")],
        **phase_before("e"),
    )
    record = game.apply(BuyTrain("e1", "4"))
    scrapped = [event for event in record.events if isinstance(event, TrainMoved) and event.target == "scrap"]
    assert {(event.card, event.source) for event in scrapped} == {("a1", "EKJ"), ("a3", "pool"), ("b2", "pool")}


# Trains above the limit, and the pool


@pytest.mark.rule("18CZ VIII.12/22")
@pytest.mark.parametrize("card", ["a1", "a2", "c1"])
def test_surplus_trains_are_returned_unpaid_as_the_owner_chooses(card: str) -> None:
    trains = {"EKJ": [("a1", "2"), ("a2", "2"), ("c1", "3")], "OFE": [("a3", "2"), ("a4", "2")]}
    game = table_with(agenda=[PurchaseTrains("Ug")], trains=trains, **phase_before("e"))
    record = game.apply(BuyTrain("e1", "3E"))
    assert [paid.target for paid in record.events if isinstance(paid, Paid)] == ["bank"]
    assert (asked(game).task, asked(game).decider) == (ReturnTrains("EKJ"), "p1")
    assert [option.action for option in asked(game)] == [ReturnTrain("a1"), ReturnTrain("a2"), ReturnTrain("c1")]
    assert rule_of(game, ReturnTrain("a3")) == "18CZ VIII.12/22"
    record = game.apply(ReturnTrain(card))
    assert not [event for event in record.events if isinstance(event, Paid)]
    assert [train.card for train in state_of(game).pool] == [card]
    assert asked(game).task == PurchaseTrains("Ug")


@pytest.mark.rule("18CZ VIII.12/22")
def test_every_company_above_its_limit_returns_trains_at_once() -> None:
    reds = {"EKJ": [("a1", "2"), ("a2", "2"), ("a3", "2")], "MW": [("a4", "2"), ("a5", "2"), ("b1", "2")]}
    game = table_with(agenda=[PurchaseTrains("Ug")], trains=reds, **phase_before("e"))
    game.apply(BuyTrain("e1", "3E"))
    for company, card in (("EKJ", "a2"), ("MW", "b1")):
        assert asked(game).task == ReturnTrains(company)
        game.apply(ReturnTrain(card))
    assert asked(game).task == PurchaseTrains("Ug")


@pytest.mark.rule("18CZ VIII.12/22")
def test_scrapping_comes_before_the_limit() -> None:
    """As a 4 the same card scraps EKJ's 2-trains, so nothing is above the limit any more."""
    trains = {"EKJ": [("a1", "2"), ("a2", "2"), ("c1", "3")]}
    game = table_with(agenda=[PurchaseTrains("VBW")], trains=trains, **phase_before("e"))
    game.apply(BuyTrain("e1", "4"))
    assert asked(game).task == PurchaseTrains("VBW")
    assert state_of(game).trains["EKJ"] == (Train("c1", "3"),)


@pytest.mark.rule("18CZ VIII.12/23")
def test_a_returned_train_is_sold_from_the_pool_at_its_printed_price() -> None:
    game = table_with(
        agenda=[PurchaseTrains("OFE"), PurchaseTrains("Ug")],
        trains={"EKJ": [("a1", "2"), ("a2", "2"), ("c1", "3")]},
        cash={"OFE": 130, "Ug": 500},
        **phase_before("e"),
    )
    game.apply(BuyTrain("e1", "3E"))
    game.apply(ReturnTrain("c1"))
    game.apply(Pass())
    game.apply(BuyTrain("c1", "3"))
    assert state_of(game).trains["OFE"] == (Train("c1", "3"),)
    assert (state_of(game).cash["OFE"], state_of(game).pool) == (10, ())


@pytest.mark.rule("18CZ VIII.12/23")
@pytest.mark.parametrize(
    ("company", "faces"),
    [("VBW", {"5": 350}), ("KFN", {"5": 350, "5+5": 500}), ("Ug", {"5": 350, "5+5": 500, "5E": 700})],
)
def test_a_pool_card_is_sold_in_every_size_that_the_buyer_may_own(company: str, faces: dict[str, int]) -> None:
    game = table_with(agenda=[PurchaseTrains(company)], pool=[("h1", "5")], phase="h")
    offered = {option.action for option in asked(game).only(BuyTrain, card="h1")}
    assert offered == {BuyTrain("h1", face) for face in faces}
    for face, price in faces.items():
        bought = game.copy()
        bought.apply(BuyTrain("h1", face))
        assert state_of(bought).cash[company] == 3000 - price
        assert state_of(bought).pool == ()
        assert state_of(bought).cards_gone == state_of(game).cards_gone
