"""Buying trains from the stacks and from other minors (18Mag VI.3.8, III.3.2/6)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Accept, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Span
from ostbahn.kernel.records import PhaseBegan, TrainMoved
from ostbahn.titles.mag.actions import BuyTrain, OfferForTrain, RunTrains, ScrapTrain
from ostbahn.titles.mag.state import Consent, EndTurn, OperateWithCars, OperatingRound, PurchaseTrains, ScrapTrains
from tests.titles.mag.run_scenes import CITY_20, best_income, cash_of, gains, line, question_of, refusal_rule
from tests.titles.mag.scenes import cards_of, scene, state_of


def buying(minor: str = "1", *trains: str, cash: int = 1000, **fields: Any) -> Game:
    """A minor that may buy; of the others 2 belongs to p2, 3 to p3 and 4 to p1, who has 1 as well."""
    owned = fields.pop("trains", {})
    money = fields.pop("money", {})
    return scene(
        trains={minor: list(trains), **owned}, cash={minor: cash, **money}, agenda=[PurchaseTrains(minor)], **fields
    )


# From the stacks


@pytest.mark.rule("18Mag VI.3.8/3")
@pytest.mark.parametrize(
    ("face", "price", "seller"), [("2", 80, "LdStEG"), ("3", 120, "MÁVAG"), ("4", 200, "LdStEG"), ("6", 320, "MÁVAG")]
)
def test_half_of_the_price_goes_to_the_seller(face: str, price: int, seller: str) -> None:
    game = buying(cash=price)
    before = game.copy()
    game.apply(BuyTrain(face))
    assert gains(before, game) == {"1": -price, seller: price // 2, "bank": price // 2}
    assert [train.face for train in state_of(game).trains["1"]] == [face]


@pytest.mark.rule("18Mag VI.3.8/3")
@pytest.mark.parametrize(("face", "price"), [("2", 80), ("3", 120), ("4", 200), ("6", 320)])
def test_without_the_money_there_is_no_train(face: str, price: int) -> None:
    game = buying(cash=price - 1, money={"p1": 1000})
    assert refusal_rule(game, BuyTrain(face)) == "18Mag VI.3.8/3"
    assert not question_of(game).only(BuyTrain, face=face)


@pytest.mark.rule("18Mag VI.3.8/2")
@pytest.mark.parametrize("phase", ["yellow", "green", "brown", "grey"])
def test_every_size_is_on_sale_in_every_phase(phase: str) -> None:
    game = buying(phase=phase)
    assert [option.action for option in question_of(game).only(BuyTrain)] == [
        BuyTrain(face) for face in ("2", "3", "4", "6")
    ]
    assert refusal_rule(game, BuyTrain("5")) == "18Mag VI.3.8/2"


@pytest.mark.rule("18Mag VI.3.8/2")
def test_the_stacks_are_endless() -> None:
    game = scene(agenda=[PurchaseTrains(minor) for minor in "123456789"], cash=dict.fromkeys("123456789", 500))
    for number in range(1, 10):
        record = game.apply(BuyTrain("6"))
        assert any(isinstance(event, TrainMoved) and event.card == f"6-{number}" for event in record.events)
        game.apply(Pass())


@pytest.mark.rule("18Mag VI.3.8/1", "18Mag VI.3.8/4", "18Mag III.3.2/3")
def test_one_or_two_trains_may_be_bought_but_no_third() -> None:
    game = buying()
    game.apply(BuyTrain("2"))
    assert question_of(game).company == "1"
    game.apply(BuyTrain("2"))
    assert cards_of(game, "1") == ["2-12", "2-13"], "the other minors have eleven"
    assert refusal_rule(game, BuyTrain("2")) == "18Mag VI.3.8/4"
    assert not question_of(game).only(BuyTrain)
    assert Pass() in question_of(game)


@pytest.mark.rule("18Mag VI.3.8/1")
def test_a_new_train_runs_in_the_next_operating_round() -> None:
    tiles = line("F5", CITY_20, CITY_20)
    agenda = [EndTurn("3"), PurchaseTrains("3"), OperateWithCars("3")]
    game = scene(agenda=agenda, trains={"3": []}, cash={"3": 80}, tiles=tiles, stations={"F5.0": ["3"]})
    assert best_income(game) == (0, 0)
    game.apply(RunTrains(()))
    game.apply(BuyTrain("2"))
    assert refusal_rule(game, RunTrains(())) == "18Mag VI.3.1/1"
    game.apply(Pass())
    assert question_of(game).company != "3"
    assert state_of(game).revenue["3"] == 0
    later = scene(agenda=[OperatingRound(("3",))], tiles=tiles, stations={"F5.0": ["3"]})
    for _ in ("track", "station", "scrapping"):
        later.apply(Pass())
    assert best_income(later) == (40, 0)


@pytest.mark.rule("18Mag VI.3.8/4")
def test_room_is_made_by_scrapping_before_the_run() -> None:
    agenda = [EndTurn("1"), PurchaseTrains("1"), OperateWithCars("1"), ScrapTrains("1")]
    for scrapped, rule in (["2-1"], "allowed"), (["2-2", "2-1"], "allowed"), ([], "18Mag VI.3.8/4"):
        game = scene(agenda=agenda, trains={"1": ["2", "2"]}, cash={"1": 200})
        for card in scrapped:
            game.apply(ScrapTrain(card))
        game.apply(Pass())
        game.apply(RunTrains(()))
        assert refusal_rule(game, BuyTrain("4")) == rule
        assert refusal_rule(game, ScrapTrain("2-1")) == "18Mag VI.3.1/1"


@pytest.mark.rule("18Mag VI.3.8/1", "18Mag III.3.2/4")
def test_nobody_must_buy() -> None:
    game = buying(cash=1000)
    game.apply(Pass())
    assert cards_of(game, "1") == []


@pytest.mark.rule("18Mag VI.3.8/5")
def test_a_purchase_changes_the_phase_at_once() -> None:
    game = buying()
    record = game.apply(BuyTrain("3"))
    assert PhaseBegan("green") in record.events
    assert state_of(game).phase == "green"
    assert question_of(game).company == "1"
    game.apply(BuyTrain("4"))
    assert state_of(game).phase == "brown"


# From other minors


@pytest.mark.rule("18Mag III.3.2/6")
@pytest.mark.parametrize("price", [1, 37, 100])
def test_a_train_of_another_owner_is_sold_with_his_consent(price: int) -> None:
    game = buying(cash=100)
    before = game.copy()
    game.apply(OfferForTrain("2-1", price))
    assert isinstance(question_of(game).task, Consent)
    assert question_of(game).decider == "p2"
    assert cards_of(game, "1") == []
    game.apply(Accept())
    assert gains(before, game) == {"1": -price, "2": price}
    assert (cards_of(game, "1"), cards_of(game, "2")) == (["2-1"], [])
    assert question_of(game).company == "1", "it may go on buying"


@pytest.mark.rule("18Mag III.3.2/6")
def test_only_the_owner_of_the_selling_minor_consents() -> None:
    game = buying(cash=100)
    game.apply(OfferForTrain("2-1", 10))
    assert refusal_rule(game, Accept(), by="p1") == "18Mag III.3.2/6"
    assert refusal_rule(game, Decline(), by="p3") == "18Mag III.3.2/6"
    assert refusal_rule(game, BuyTrain("2")) == "18Mag III.3.2/6"


@pytest.mark.rule("18Mag III.3.2/6")
def test_a_declined_offer_changes_nothing_and_must_be_bettered() -> None:
    game = buying(cash=100)
    before = game.copy()
    game.apply(OfferForTrain("2-1", 10))
    game.apply(Decline())
    assert gains(before, game) == {}
    assert cards_of(game, "2") == ["2-1"]
    assert refusal_rule(game, OfferForTrain("2-1", 10)) == "18Mag III.3.2/6"
    assert refusal_rule(game, OfferForTrain("2-1", 11)) == refusal_rule(game, OfferForTrain("2-2", 1)) == "allowed"
    free = buying(cash=100, rulings={"repeated_offer": "free"})
    free.apply(OfferForTrain("2-1", 10))
    free.apply(Decline())
    assert refusal_rule(free, OfferForTrain("2-1", 10)) == refusal_rule(free, OfferForTrain("2-1", 1)) == "allowed"


@pytest.mark.rule("18Mag III.3.2/6")
def test_in_the_next_turn_a_declined_offer_may_be_made_again() -> None:
    agenda = [EndTurn("4"), PurchaseTrains("4"), EndTurn("1"), PurchaseTrains("1")]
    game = scene(agenda=agenda, trains={"1": [], "4": []}, cash={"1": 100, "4": 100})
    game.apply(OfferForTrain("2-1", 100))
    game.apply(Decline())
    assert not [option for option in question_of(game).only(OfferForTrain, card="2-1")], "nothing is left to offer"
    game.apply(Pass())
    assert refusal_rule(game, OfferForTrain("2-1", 1)) == "allowed"


@pytest.mark.rule("18Mag III.3.2/6")
def test_between_minors_of_one_player_nobody_is_asked() -> None:
    game = buying(cash=100)
    game.apply(OfferForTrain("2-3", 100))
    assert cash_of(game, "1", "4") == [0, 150]
    assert cards_of(game, "1") == ["2-3"]


@pytest.mark.rule("18Mag III.3.2/6")
@pytest.mark.parametrize("site", [False, True])
def test_consent_may_be_taken_for_granted(site: bool) -> None:
    rulings = {} if site else {"consent": "taken for granted"}
    game = buying(cash=100, rulings=rulings, site=site)
    game.apply(OfferForTrain("2-1", 60))
    assert cash_of(game, "1", "2") == [40, 110]
    assert cards_of(game, "1") == ["2-1"]


@pytest.mark.rule("18Mag III.3.2/6")
@pytest.mark.parametrize("price", [0, -1, 101])
def test_the_price_is_at_least_1_and_at_most_the_treasury(price: int) -> None:
    game = buying(cash=100, money={"p1": 500})
    assert refusal_rule(game, OfferForTrain("2-1", price)) == "18Mag III.3.2/6"
    (option,) = question_of(game).only(OfferForTrain, card="2-1")
    assert option.span == Span(1, 100)


@pytest.mark.rule("18Mag III.3.2/6")
def test_there_must_be_such_a_train_at_another_minor() -> None:
    game = buying("1", "2", cash=100)
    assert refusal_rule(game, OfferForTrain("2-1", 10)) == "18Mag III.3.2/6", "its own"
    assert refusal_rule(game, OfferForTrain("4-1", 10)) == "18Mag III.3.2/6"
    assert not question_of(buying(cash=0)).only(OfferForTrain)


@pytest.mark.rule("18Mag VI.3.8/4", "18Mag III.3.2/3")
def test_a_minor_with_two_trains_buys_none_from_others_either() -> None:
    game = buying("1", "2", "2", cash=100)
    assert refusal_rule(game, OfferForTrain("2-3", 10)) == "18Mag VI.3.8/4"
    assert not question_of(game).only(OfferForTrain)


@pytest.mark.rule("18Mag III.3.2/6", "18Mag VI.3.9/1")
def test_trade_between_minors_pays_no_major_and_begins_no_phase() -> None:
    game = buying(cash=100, trains={"4": ["3"]})
    game.apply(OfferForTrain("3-1", 60))
    state = state_of(game)
    assert (state.phase, state.sold_train, state.indicators) == ("yellow", False, ("3", "4", "6"))
    assert cash_of(game, "MÁVAG", "LdStEG") == [0, 0]
