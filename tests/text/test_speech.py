"""What was done, as the log tells it, and what passing is called."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option
from ostbahn.text.speech import Speech, has_acted_in_step
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.state import EstablishStation, LayTrack, OperateTrains, PurchaseTrains, UseIncome
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.state import PayOut, StockRound
from ostbahn.titles.mag.state import PurchaseTrains as MagPurchaseTrains
from tests.golden.games import golden_game
from tests.titles.cz.lines import CITY_20, line
from tests.titles.cz.scenes import scene, stock_round
from tests.titles.cz.takeovers import buying
from tests.titles.mag.scenes import scene as mag_scene


def did(game: Game, action: Action) -> str:
    """Let it happen, and tell it."""
    speech = Speech(game.copy())
    return speech.did(game.apply(action))


def of_ekj(task: Any, **fields: Any) -> Game:
    """EKJ at home in Karlovy Vary, with Cheb beside it and a 2-train."""
    given = {
        "started": {"EKJ": (60, "p1")},
        "tiles": line("D2", CITY_20, CITY_20),
        "stations": {"D4.0": ["EKJ"]},
        "trains": {"EKJ": [("a1", "2")]},
        "cash": {"EKJ": 200},
        "phase": "b",
    }
    return scene(**{**given, "agenda": [task], **fields})


def test_a_tile_is_told_with_its_place_and_cost() -> None:
    game = of_ekj(LayTrack("EKJ", first=False))
    assert did(game, cz.LayTile("D6", "8", 1)) == "laid 8 on D6"
    played = golden_game("18CZ-base-3")
    assert [Speech(played.position(number - 1)).did(played.records[number - 1]) for number in (93, 101, 131)] == [
        "laid 6 in Pardubice for 10 K",
        "laid 9 on E5 for 20 K",
        "laid 6 in Olomouc",
    ]


def test_a_run_is_told_with_its_stops_and_what_it_brings() -> None:
    game = of_ekj(OperateTrains("EKJ"))
    assert did(game, cz.RunTrains((cz.TrainRun("a1", ("D2.0", "D4.0")),))) == "ran Cheb – Karlovy Vary for 40 K"
    assert did(game, cz.PayOut()) == "paid out 40 K"
    assert did(of_ekj(UseIncome("EKJ", 70)), cz.Withhold()) == "kept 70 K"


def test_shares_are_told_with_what_they_cost_or_bring() -> None:
    game = scene(
        phase="b", started={"BN": (70, "p1")}, shares={"BN": {"p2": 1}}, cash={"p2": 300}, agenda=[stock_round("p2")]
    )
    assert did(game.copy(), cz.BuyShare("BN")) == "bought a share of BN for 70 K"
    assert did(game.copy(), cz.SellShares("BN", 20)) == "sold 20% of BN for 70 K"
    assert did(game.copy(), cz.StartCompany("ATE", 80)) == "started ATE at 80 K"
    assert did(game.copy(), Pass()) == "passed"


def test_an_offer_is_told_as_long_as_it_is_one() -> None:
    game = of_ekj(PurchaseTrains("EKJ"), started={"EKJ": (60, "p1"), "OFE": (60, "p2")}, trains={"OFE": [("a2", "2")]})
    assert did(game, cz.OfferForTrain("a2", 30)) == "offered 30 K for a 2-train of OFE"
    refused = game.copy()
    assert did(refused, Decline()) == "declined the offer of EKJ: 30 K for a 2-train of OFE"
    assert did(game, Accept()) == "accepted the offer of EKJ: 30 K for a 2-train of OFE"


def test_where_one_player_is_on_both_sides_an_offer_is_a_purchase() -> None:
    game = of_ekj(PurchaseTrains("EKJ"), locals_of={"S1": "p1"})
    assert did(game, cz.OfferForLocal("S1", 30)) == "bought Local Railway S1 from Anna for 30 K"


def test_a_take_over_is_told_with_the_price_of_a_share() -> None:
    game = buying(cash=400, target_cash=15)
    assert did(game, cz.OfferAcquisition("EKJ", 60)) == "offered 60 K a share for EKJ"
    assert did(game, Accept()) == "accepted the offer of BN: 60 K a share for EKJ"


def test_majors_pay_out_or_nothing() -> None:
    game = mag_scene(directors={"SIK": "p2"}, cash={"SIK": 60}, agenda=[PayOut("SIK")])
    assert did(game.copy(), mag.PayDividend(60)) == "paid out 60 Ft"
    assert did(game, mag.PayDividend(0)) == "paid nothing out"


# Passing


@pytest.mark.parametrize(
    ("task", "label", "told"),
    [
        (LayTrack("EKJ", first=False), "Lay no track", "laid no track"),
        (EstablishStation("EKJ"), "Place no station", "placed no station"),
        (PurchaseTrains("EKJ"), "Buy no train", "bought no train"),
        (stock_round("p1"), "Pass", "passed"),
    ],
)
def test_passing_is_called_what_it_is(task: Any, label: str, told: str) -> None:
    game = of_ekj(task)
    assert Speech(game).label(Option(Pass())) == label
    assert did(game, Pass()) == told


def test_who_has_done_something_in_a_step_is_done() -> None:
    game = of_ekj(PurchaseTrains("EKJ"), cards_gone=5)
    assert not has_acted_in_step(game)
    assert game.question is not None
    game.apply(game.question.only(cz.BuyTrain)[0].action)
    assert Speech(game).label(Option(Pass())) == "Done"
    assert Speech(game).describe(Pass()) == "buy no more trains"
    assert did(game, Pass()) == "bought no more trains"


def test_an_offer_that_was_declined_was_made_in_the_step() -> None:
    owned = {"EKJ": (60, "p1"), "OFE": (60, "p2")}
    game = of_ekj(PurchaseTrains("EKJ"), started=owned, trains={"EKJ": [("a1", "2")], "OFE": [("a2", "2")]})
    game.apply(cz.OfferForTrain("a2", 30))
    game.apply(Decline())
    assert Speech(game).label(Option(Pass())) == "Done", "an offer was made"


def test_the_step_of_another_company_is_another_step() -> None:
    game = mag_scene(
        trains={"3": [], "6": []}, cash={"3": 1000, "6": 0}, agenda=[MagPurchaseTrains("6"), MagPurchaseTrains("3")]
    )
    game.apply(mag.BuyTrain("2"))
    assert has_acted_in_step(game)
    game.apply(Pass())
    assert not has_acted_in_step(game)


def test_in_a_share_round_a_sale_begins_a_turn_and_a_purchase_ends_it() -> None:
    game = mag_scene(shares={"SIK": {"p1": 2}}, cash={"p1": 500, "p2": 0, "p3": 0}, agenda=[StockRound("p1")])
    assert Speech(game).label(Option(Pass())) == "Pass"
    game.apply(mag.SellShares("SIK", 10))
    assert Speech(game).label(Option(Pass())) == "Done"


@pytest.mark.parametrize(("face", "words"), [("8E", "buy an 8E-train"), ("5+5", "buy a 5+5-train")])
def test_a_train_has_the_article_of_its_number(face: str, words: str) -> None:
    assert Speech(scene()).describe(cz.BuyTrain("j1", face)) == words
