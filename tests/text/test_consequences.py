"""What an answer would bring about, told before it is given."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from ostbahn.kernel import records
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.text.speech import Consequence, Speech, consequences
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.events import JoinedVaclav
from ostbahn.titles.cz.state import EndTurn, OperatingRound, PurchaseTrains, ReturnTrains, Timetable, UseIncome
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.state import Consent, PayOut, ScrapTrains, StockRound
from ostbahn.titles.mag.state import OperatingRound as MagOperatingRound
from ostbahn.titles.mag.state import PurchaseTrains as MagPurchaseTrains
from tests.golden.games import golden_game
from tests.titles.cz.scenes import scene, stock_round
from tests.titles.cz.takeovers import buying
from tests.titles.cz.train_scenes import fleet, phase_before, table_with
from tests.titles.mag.scenes import scene as mag_scene

SECOND_OF_TWO = 14
"""The box of the process track with an Operating Round that follows another at once."""


def told(game: Game, action: Action) -> list[str]:
    """The consequences; those that are grave with an exclamation mark."""
    return [f"{found.text}{'!' if found.grave else ''}" for found in consequences(game, action)]


# 18CZ


def test_a_share_is_told_with_its_cost_and_the_floating_it_brings() -> None:
    game = scene(phase="b", started={"BN": (70, "p1")}, cash={"p2": 300}, agenda=[stock_round("p2")])
    assert told(game, cz.BuyShare("BN")) == [
        "Boris pays the bank 70 K (share of BN)",
        "BN floats",
        "Boris then has 230 K",
        "BN gets 350 K (5 × 70 K) and 3 station markers",
        "Boris then has 1 of 14 certificates",
    ]


def test_a_start_is_told_with_capital_and_with_what_it_takes_to_float() -> None:
    game = scene(phase="b", cash={"p1": 300}, agenda=[stock_round()])
    assert told(game, cz.StartCompany("EKJ", 60)) == [
        "Anna pays the bank 120 K (Director's certificate of EKJ)",
        "EKJ starts at 60 K",
        "EKJ floats",
        "Anna then has 180 K",
        "EKJ gets 240 K (4 × 60 K) and 3 station markers",
        "the money left is enough for 3 shares more",
        "Anna then has 1 of 14 certificates",
    ]
    found = told(game, cz.StartCompany("ATE", 100))
    assert (
        "ATE floats with 1 share more in players' hands, and then gets 500 K (5 × 100 K) and 3 station markers" in found
    )
    assert "the money left is enough for 1 share more" in found


def test_income_is_told_in_all_by_the_share_and_for_the_treasury() -> None:
    game = scene(
        started={"BN": (60, "p1")},
        shares={"BN": {"p2": 1}},
        cash={"BN": 30},
        stations={"E11.0": ["BN"]},
        agenda=[UseIncome("BN", 110)],
    )
    found = told(game, cz.PayOut())
    assert "110 K is 22 K a share (20%), and players get 66 K of it" in found
    assert "the treasury stays at 30 K" in found
    assert "the treasury grows from 30 to 140 K" in told(game, cz.Withhold())
    assert "BN falls from 60 to 55 K (no dividend)" in told(game, cz.Withhold())


def test_a_sale_that_loses_the_directorship_is_grave() -> None:
    game = scene(
        started={"BN": (70, "p1")}, shares={"BN": {"p2": 2}}, cash={"p1": 0}, agenda=[stock_round()], phase="b"
    )
    found = told(game, cz.SellShares("BN", 20))
    assert found == [
        "the bank pays Anna 70 K (shares of BN)",
        "Boris becomes Director of BN instead of Anna!",
        "BN falls from 70 to 68 K (sale)",
        "Anna then has 70 K",
        "Anna then has 1 of 14 certificates",
        "BN may not be bought again in this stock round",
    ]


def test_a_train_that_begins_a_phase_and_scraps_others_is_grave() -> None:
    game = table_with(agenda=[PurchaseTrains("VBW")], trains=fleet("2", "3"), pool=[("a2", "2")], **phase_before("e"))
    assert told(game, cz.BuyTrain("e1", "4")) == [
        "VBW pays the bank 250 K (4-train)",
        "phase e begins!",
        "a 2-train of EKJ is scrapped!",
        "a 2-train in the pool is scrapped",
        "VBW then has 2750 K",
        "VBW then has 1 of 2 trains",
    ]


def test_emergency_financing_with_a_loan_is_grave() -> None:
    game = scene(
        phase="d",
        started={"BN": (60, "p1")},
        shares={"BN": {"p1": 1}},
        cash={"BN": 30, "p1": 100},
        agenda=[PurchaseTrains("BN")],
    )
    assert told(game, cz.BuyTrain("d2", "3+3")) == [
        "the bank pays Anna 50 K (loan)",
        "Anna borrows 50 K and pays as much again as a penalty at the end!",
        "Anna pays BN 150 K (emergency financing)!",
        "BN pays the bank 180 K (3+3-train)",
        "BN then has 0 K",
        "Anna then has 0 K",
        "BN then has 1 of 3 trains",
    ]


def test_whoever_accepts_a_takeover_is_told_what_he_gets_and_that_his_company_closes() -> None:
    game = buying(cash=400, target_cash=15)
    game.apply(cz.OfferAcquisition("EKJ", 60))
    assert game.question is not None
    assert game.question.decider == "p2"
    found = told(game, Accept())
    assert found[:2] == ["BN pays Boris 120 K (shares of EKJ)", "EKJ pays BN 15 K (treasury of EKJ)"]
    assert "EKJ closes!" in found
    assert told(game, Decline()) == []


def test_payments_between_others_are_left_out() -> None:
    game = scene(
        started={"BN": (60, "p1")},
        shares={"BN": {"p2": 1, "p3": 1}},
        stations={"E11.0": ["BN"]},
        agenda=[UseIncome("BN", 100)],
    )
    found = told(game, cz.PayOut())
    assert found[:2] == ["the bank pays Anna 40 K (dividend of BN)", "BN rises from 60 to 65 K (dividend)"]
    assert not any("Boris" in text or "Clara" in text for text in found)


def test_a_train_given_back_is_told() -> None:
    game = scene(
        phase="f",
        started={"EKJ": (60, "p1")},
        trains={"EKJ": [("c1", "3"), ("c2", "3"), ("c3", "3")]},
        agenda=[ReturnTrains("EKJ")],
    )
    assert told(game, cz.ReturnTrain("c2"))[:1] == ["a 3-train of EKJ goes back to the pool"]


# What is not told


@pytest.mark.parametrize("chance", range(12))
def test_a_lot_is_not_told_before_it_is_drawn(chance: int) -> None:
    """The first b-train brings Vaclav a company by lot (XI.1/7): whoever buys it knows of the phase, not of the lot."""
    fields: dict[str, Any] = {
        "variant": "bohemia",
        "players": 2,
        "started": {"EKJ": (50, "Vaclav"), "VBW": (60, "p1")},
        "cash": {"VBW": 500},
        "agenda": [PurchaseTrains("VBW")],
        **phase_before("b"),
    }
    game = scene(chance=chance, **fields)
    found = told(game, cz.BuyTrain("b1", "2"))
    assert found[:2] == ["VBW pays the bank 70 K (2-train)", "phase b begins!"]
    assert not any("Vaclav" in text for text in found)
    record = game.apply(cz.BuyTrain("b1", "2"))
    assert any(isinstance(event, JoinedVaclav) for event in record.events)


def test_the_turn_that_follows_is_not_told() -> None:
    """Anna passes, and SIK, which has no director, pays out everything to her."""
    game = mag_scene(
        agenda=[MagOperatingRound((), ("SIK",)), MagPurchaseTrains("12")],
        shares={"SIK": {"p3": 1}},
        cash={"SIK": 100},
    )
    assert game.question is not None
    assert game.question.decider == "p3"
    assert told(game, Pass()) == []
    paid = [event for event in game.apply(Pass()).events if isinstance(event, records.Paid)]
    assert "p3" in {event.target for event in paid}


def test_the_round_that_follows_is_not_told() -> None:
    """The last answer of a round lets Local Railways pay their owners in the next one."""
    game = scene(
        started={"EKJ": (60, "p1")},
        trains={"EKJ": [("a1", "2")]},
        locals_of={"S1": "p1"},
        agenda=[Timetable(SECOND_OF_TWO), OperatingRound(()), EndTurn("EKJ"), PurchaseTrains("EKJ")],
    )
    assert told(game, Pass()) == []
    events = game.apply(Pass()).events
    assert any(isinstance(event, records.RoundBegan) for event in events)
    assert any(isinstance(event, records.Paid) and event.target == "p1" for event in events)


def test_nothing_is_told_of_what_would_be_refused() -> None:
    game = scene(phase="b", started={"BN": (70, "p1")}, cash={"p2": 10}, agenda=[stock_round("p2")])
    assert consequences(game, cz.BuyShare("BN")) == []
    assert consequences(game, cz.PayOut()) == []
    over = scene()
    assert over.over
    assert consequences(over, Pass()) == []


# 18Mag


def test_a_first_train_from_a_stack_begins_a_phase() -> None:
    game = mag_scene(trains={"3": []}, cash={"3": 1000}, agenda=[MagPurchaseTrains("3")])
    found = told(game, mag.BuyTrain("6"))
    assert "the green phase begins!" in found
    assert found[-1] == "green tiles can be laid, and the set of operating rounds ends with this one"
    assert told(game, mag.BuyTrain("2")) == [
        "minor 3 pays LdStEG 40 Ft (2-train)",
        "minor 3 pays the bank 40 Ft (2-train)",
        "minor 3 then has 920 Ft",
        "minor 3 then has 1 of 2 trains",
    ]


def test_a_train_that_a_minor_scraps_is_grave() -> None:
    game = mag_scene(agenda=[ScrapTrains("3")])
    assert game.question is not None
    assert told(game, game.question.options[0].action)[:1] == ["a 2-train of minor 3 goes back to the stack!"]


def test_the_last_answer_of_a_game_is_grave() -> None:
    game = golden_game("18CZ-base-3").position(len(golden_game("18CZ-base-3")) - 1)
    assert told(game, Pass())[-1] == "the game is over!"


def test_a_payout_is_told_with_what_it_does_to_the_price() -> None:
    game = mag_scene(directors={"SIK": "p2"}, shares={"SIK": {"p1": 1}}, cash={"SIK": 60}, agenda=[PayOut("SIK")])
    assert told(game, mag.PayDividend(60)) == [
        "SIK pays Anna 6 Ft (dividend of SIK)",
        "SIK pays Boris 12 Ft (dividend of SIK)",
        "SIK pays the bank 42 Ft (dividend of SIK on shares in the bank)",
        "SIK rises from 70 to 80 Ft (dividend)",
        "SIK then has 0 Ft",
        "Boris then has 12 Ft",
        "60 Ft is 6 Ft a share (10%)",
        "SIK keeps 0 Ft",
    ]


def test_a_share_that_makes_one_director_is_told_and_the_loss_of_it_is_grave() -> None:
    game = mag_scene(directors={"SIK": "p1"}, shares={"SIK": {"p2": 2}}, cash={"p2": 200}, agenda=[StockRound("p2")])
    assert told(game, mag.BuyShare("SIK")) == [
        "Boris pays the bank 70 Ft (share of SIK)",
        "Boris becomes director of SIK instead of Anna",
        "Boris then has 130 Ft",
        "Boris then has 2 of 18 certificates",
    ]


def test_whoever_sells_a_train_is_told_what_his_minor_gets() -> None:
    game = mag_scene(agenda=[MagPurchaseTrains("1"), Consent("1", "p2", mag.OfferForTrain("2-2", 40))])
    assert told(game, Accept()) == ["minor 1 pays minor 2 40 Ft (2-train)", "minor 2 then has 90 Ft"]


# Both


@pytest.mark.parametrize(
    ("title", "variant", "players"),
    [("18CZ", "base", 4), ("18CZ", "bohemia", 2), ("18CZ", "moravia", 3), ("18Mag", "base", 3), ("18Mag", "solo", 1)],
)
def test_telling_changes_nothing_and_comes_true(title: str, variant: str, players: int) -> None:
    """In random games: the game stays as it was, all that is told happens then, and nothing is named like a key."""
    chance = random.Random(5)
    game = new_game(title, ["Anna", "Ben", "Cyril", "Dora"][:players], variant=variant, seed=5)
    grave: list[Consequence] = []
    while game.question is not None and len(game) < 200:
        option = chance.choice(game.question.options)
        action = option.action if option.span is None else option.with_price(chance.randint(*option.span))
        before, speech = (len(game), game.state.digest), Speech(game)
        found = consequences(game, action)
        assert (len(game), game.state.digest) == before
        record = game.apply(action)
        happened = [speech.tell(event) for event in record.events]
        told = [row.text for row in found if row.text in happened]
        assert told == [text for text in happened if text in told]
        assert all(row.text in happened for row in found if row.grave and row.text != "the game is over")
        if not any(event.preview == "out_of_reach" for event in record.events):
            has = [match for row in found if (match := re.fullmatch(r"(.+) then has (\d+) (?:K|Ft)", row.text))]
            cash = {speech.naming.who(who): amount for who, amount in game.state.cash.items()}
            assert all(cash[match[1]] == int(match[2]) for match in has), found
        assert not any(re.search(r"\b(p\d|None|_)\b", row.text) for row in found)
        grave += [row for row in found if row.grave]
    assert grave
