"""Purchase of trains (18CZ VIII.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ostbahn.kernel.actions import Accept, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Span
from ostbahn.kernel.records import PhaseBegan
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.actions import BuyTrain, OfferForTrain, ReturnTrain, RunTrains, ScrapTrain, TrainRun, TurnTrain
from ostbahn.titles.cz.state import (
    Acquire,
    CompanyTask,
    Consent,
    EstablishStation,
    LayTrack,
    OperateTrains,
    PurchaseTrains,
    ReturnTrains,
    UseIncome,
)
from tests.titles.cz.scenes import scene, state_of
from tests.titles.cz.train_scenes import asked, payments, phase_before, rule_of

DIRECTORS = {
    "EKJ": (60, "p1"),
    "OFE": (60, "p2"),
    "BN": (60, "p1"),
    "NWB": (60, "p2"),
    "kk": (90, "p1"),
    "Sx": (90, "p2"),
}
SHARES = {"BN": {"p1": 1}, "NWB": {"p2": 1}, "kk": {"p1": 3}, "Sx": {"p2": 3}}
LETTERS = "abcdefghij"

# Small companies: phases a to d, e to g, h to j; medium: b to e, f to h, i and j; large: d to i, j (XII.9).
LIMITS = {
    "EKJ": dict(zip(LETTERS, (3, 3, 3, 3, 2, 2, 2, 1, 1, 1), strict=True)),
    "BN": dict(zip(LETTERS[1:], (3, 3, 3, 3, 2, 2, 2, 1, 1), strict=True)),
    "kk": dict(zip(LETTERS[3:], (3, 3, 3, 3, 3, 3, 2), strict=True)),
}
FLEETS = {
    "EKJ": [("a1", "2"), ("a2", "2"), ("a3", "2")],
    "BN": [("b1", "2+2"), ("a1", "2"), ("a2", "2")],
    "kk": [("d1", "3E"), ("b1", "2+2"), ("a1", "2")],
}


def buying(
    company: str, *, trains: Mapping[str, Sequence[tuple[str, str]]] | None = None, cash: int = 2000, **more: Any
) -> Game:
    """Six companies, and one of them comes to buy trains."""
    more.setdefault("agenda", [PurchaseTrains(company)])
    return scene(started=DIRECTORS, shares=SHARES, trains=trains, cash={company: cash}, **more)


def cards_of(game: Game, company: str) -> list[str]:
    return [train.card for train in state_of(game).trains.get(company, ())]


@pytest.mark.rule("18CZ VIII.10/1")
@pytest.mark.parametrize(
    ("company", "useless", "needed"),
    [
        ("EKJ", [], "3"),
        ("BN", [("c1", "3")], "3+3"),
        ("kk", [("c1", "3"), ("b1", "2+2")], "3E"),
    ],
)
def test_a_turn_does_not_end_without_a_train_of_the_own_size(
    company: str, useless: list[tuple[str, str]], needed: str
) -> None:
    """There is no track at all on the board, so nobody has a route."""
    game = buying(company, phase="d", trains={company: useless})
    assert rule_of(game, Pass()) == "18CZ VIII.10/1"
    assert not asked(game).only(Pass)
    game.apply(BuyTrain("d2", needed))
    assert Pass() in asked(game)
    game.apply(Pass())
    assert game.over


@pytest.mark.rule("18CZ VIII.10/2")
def test_a_new_train_does_not_run_in_the_turn_of_its_purchase() -> None:
    """EKJ could run from Karlovy Vary to Cheb, but its train comes too late."""
    game = buying(
        "EKJ",
        tiles={"D2": ("57", 1), "D4": ("57", 1)},
        stations={"D4.0": ["EKJ"]},
        agenda=[PurchaseTrains("EKJ"), Acquire("EKJ"), OperateTrains("EKJ")],
    )
    run = RunTrains((TrainRun("a1", ("D2.0", "D4.0")),))
    assert rule_of(game, BuyTrain("a1", "2")) == "18CZ VIII.3/1"
    assert rule_of(game, run) == "18CZ IV.2.b/2"
    game.apply(RunTrains(()))
    game.apply(Pass())
    game.apply(BuyTrain("a1", "2"))
    assert rule_of(game, run) == "18CZ VIII.3/1"
    game.apply(Pass())
    assert game.over
    assert state_of(game).revenue["EKJ"] == 0


@pytest.mark.rule("18CZ VIII.10/3")
def test_a_purchase_can_begin_a_phase_at_once() -> None:
    game = buying("EKJ", **phase_before("d"))
    assert state_of(game).phase == "c"
    record = game.apply(BuyTrain("d1", "3"))
    assert state_of(game).phase == "d"
    assert PhaseBegan("d") in record.events


@pytest.mark.rule("18CZ VIII.10/4")
@pytest.mark.parametrize(
    ("company", "phase", "limit"), [(company, *row) for company, limits in LIMITS.items() for row in limits.items()]
)
def test_the_limit_goes_by_phase_and_size_and_every_train_counts(company: str, phase: str, limit: int) -> None:
    full = buying(company, phase=phase, trains={company: FLEETS[company][:limit]})
    assert not asked(full).only(BuyTrain)
    room = buying(company, phase=phase, trains={company: FLEETS[company][: limit - 1]})
    assert asked(room).only(BuyTrain)


@pytest.mark.rule("18CZ VIII.10/4")
def test_trains_that_cannot_run_count_as_well() -> None:
    game = buying("BN", phase="e", trains={"BN": [("a1", "2"), ("a2", "2"), ("d1", "3+3")]})
    assert rule_of(game, BuyTrain("e2", "3+3")) == "18CZ VIII.10/5"


@pytest.mark.rule("18CZ VIII.10/5")
def test_a_full_company_may_not_buy_even_what_would_make_room() -> None:
    trains = [("a1", "2"), ("a2", "2"), ("a3", "2")]
    full = buying("EKJ", trains={"EKJ": trains}, **phase_before("e"))
    assert rule_of(full, BuyTrain("e1", "4")) == "18CZ VIII.10/5"
    room = buying("EKJ", trains={"EKJ": trains[:2]}, **phase_before("e"))
    room.apply(BuyTrain("e1", "4"))
    assert cards_of(room, "EKJ") == ["e1"]


@pytest.mark.rule("18CZ VIII.10/5")
@pytest.mark.parametrize("source", ["bank", "company"])
def test_the_last_place_is_not_for_a_train_that_cannot_run(source: str) -> None:
    trains = {"BN": [("a1", "2"), ("a2", "2")], "EKJ": [("a3", "2")]}
    game = buying("BN", phase="d", trains=trains)
    offers = {"bank": BuyTrain("d2", "3"), "company": OfferForTrain("a3", 1)}
    assert rule_of(game, offers[source]) == "18CZ VIII.10/5"
    assert BuyTrain("d2", "3+3") in asked(game)
    with_blue = buying("BN", phase="d", trains={**trains, "BN": [("a1", "2"), ("b1", "2+2")]})
    assert with_blue.refusal(offers[source]) is None


@pytest.mark.rule("18CZ VIII.10/6")
@pytest.mark.parametrize(
    ("company", "letter", "owned", "red", "own_size"),
    [("BN", "f", ("c1", "3"), "4", "4+4"), ("kk", "j", ("f1", "4+4"), "5", "8E")],
)
def test_a_purchase_that_lowers_the_limit_may_leave_a_full_company_without_a_train_to_run(
    company: str, letter: str, owned: tuple[str, str], red: str, own_size: str
) -> None:
    """With one train that it cannot run, and a limit that falls to two with this very card."""
    game = buying(company, trains={company: [owned]}, cash=5000, **phase_before(letter))
    game.apply(BuyTrain(f"{letter}1", red))
    assert rule_of(game, Pass()) == "18CZ VIII.10/1"
    game.apply(BuyTrain(f"{letter}2", own_size))
    assert {option.action for option in asked(game).only(ReturnTrain)} == {
        ReturnTrain(owned[0]),
        ReturnTrain(f"{letter}1"),
    }


def full_of_reds() -> Game:
    """NWB's 4+4 scraps BN's 2+2 and begins phase f: BN is left at its limit with two red trains."""
    game = buying(
        "NWB",
        trains={"BN": [("a1", "2"), ("c1", "3"), ("b1", "2+2")], "NWB": []},
        agenda=[PurchaseTrains("BN"), PurchaseTrains("NWB")],
        pool=[("c2", "3")],
        **phase_before("f"),
    )
    game.apply(BuyTrain("f1", "4+4"))
    game.apply(Pass())
    return game


@pytest.mark.rule("18CZ VIII.10/6")
def test_a_full_company_that_a_phase_left_without_a_runnable_train_must_buy_one() -> None:
    game = full_of_reds()
    assert (asked(game).company, cards_of(game, "BN")) == ("BN", ["a1", "c1"])
    assert rule_of(game, Pass()) == "18CZ VIII.10/1"
    assert rule_of(game, BuyTrain("c2", "3")) == "18CZ VIII.10/5"
    assert {option.action for option in asked(game).only(BuyTrain)} == {BuyTrain("f2", "4+4")}
    game.apply(BuyTrain("f2", "4+4"))
    assert asked(game).task == ReturnTrains("BN", "f2")
    assert rule_of(game, ReturnTrain("f2")) == "18CZ VIII.10/6"
    cash = dict(state_of(game).cash)
    game.apply(ReturnTrain("a1"))
    assert cards_of(game, "BN") == ["c1", "f2"]
    assert state_of(game).pool == (Train("c2", "3"), Train("a1", "2"))
    assert state_of(game).cash == cash
    assert rule_of(game, BuyTrain("f3", "4+4")) == "18CZ VIII.10/5"
    assert Pass() in asked(game)


@pytest.mark.rule("18CZ VIII.10/6")
def test_the_needed_train_may_also_come_from_another_company() -> None:
    trains = {"BN": [("a1", "2"), ("a2", "2")], "NWB": [("f1", "4+4")]}
    game = buying("BN", phase="f", trains=trains, cash=1)
    game.apply(OfferForTrain("f1", 1))
    game.apply(Accept())
    assert rule_of(game, ReturnTrain("f1")) == "18CZ VIII.10/6"
    game.apply(ReturnTrain("a2"))
    assert cards_of(game, "BN") == ["a1", "f1"]
    assert state_of(game).pool == (Train("a2", "2"),)


@pytest.mark.rule("18CZ VIII.10/7")
@pytest.mark.parametrize(("company", "face", "price"), [("EKJ", "4", 250), ("BN", "3+3", 180), ("kk", "3E", 250)])
def test_a_new_train_costs_what_is_printed_for_its_size(company: str, face: str, price: int) -> None:
    game = buying(company, cash=300, **phase_before("e"))
    record = game.apply(BuyTrain("e1", face))
    assert payments(record) == [(company, BANK, price)]
    assert state_of(game).cash[company] == 300 - price
    assert state_of(game).trains[company] == (Train("e1", face),)


@pytest.mark.rule("18CZ VIII.10/7")
def test_a_card_is_sold_only_in_a_size_that_it_shows() -> None:
    game = buying("kk", **phase_before("e"))
    assert rule_of(game, BuyTrain("e1", "5")) == "18CZ VIII.10/7"


@pytest.mark.rule("18CZ VIII.10/8")
@pytest.mark.parametrize(
    ("phase", "gone", "next_card", "too_early"),
    [("a", 4, ("a5", "2"), ("b1", "2")), ("b", 8, ("b4", "2"), ("c1", "3")), ("h", 30, ("h2", "5"), ("i1", "5"))],
)
def test_trains_are_sold_in_the_order_of_their_letters(
    phase: str, gone: int, next_card: tuple[str, str], too_early: tuple[str, str]
) -> None:
    game = buying("EKJ", phase=phase, cards_gone=gone)
    assert rule_of(game, BuyTrain(*too_early)) == "18CZ VIII.10/8"
    game.apply(BuyTrain(*next_card))
    later = buying("EKJ", phase=phase, cards_gone=gone + 1)
    assert later.refusal(BuyTrain(*too_early)) is None


@pytest.mark.rule("18CZ VIII.10/9")
def test_companies_trade_trains_from_phase_b_on_with_consent() -> None:
    trains = {"EKJ": [("a1", "2")], "OFE": [("a2", "2"), ("a3", "2")]}
    early = buying("EKJ", phase="a", trains=trains)
    assert rule_of(early, OfferForTrain("a2", 30)) == "18CZ VIII.10/9"
    game = buying("EKJ", phase="b", trains=trains, cash=50)
    game.apply(OfferForTrain("a2", 30))
    assert (asked(game).decider, asked(game).task) == ("p2", Consent("EKJ", "p2", OfferForTrain("a2", 30)))
    assert rule_of(game, Pass()) == "18CZ VIII.10/9", "the other Director is asked first"
    declined = game.copy()
    declined.apply(Decline())
    assert cards_of(declined, "EKJ") == ["a1"]
    assert state_of(declined).cash["EKJ"] == 50
    game.apply(Accept())
    assert (cards_of(game, "EKJ"), cards_of(game, "OFE")) == (["a1", "a2"], ["a3"])
    assert (state_of(game).cash["EKJ"], state_of(game).cash["OFE"]) == (20, 30)


@pytest.mark.rule("18CZ VIII.10/9")
def test_a_director_of_both_companies_agrees_with_himself() -> None:
    game = buying("BN", phase="d", trains={"EKJ": [("a1", "2")]}, cash=10)
    game.apply(OfferForTrain("a1", 10))
    assert cards_of(game, "BN") == ["a1"]
    assert state_of(game).cash["EKJ"] == 10


@pytest.mark.rule("18CZ VIII.10/9")
def test_no_company_is_offered_a_train_that_it_may_not_own() -> None:
    game = buying("EKJ", phase="d", trains={"BN": [("b1", "2+2")], "kk": [("d1", "3E")]})
    assert rule_of(game, OfferForTrain("b1", 10)) == "18CZ IV.2.b/3"
    assert rule_of(game, OfferForTrain("d1", 10)) == "18CZ IV.2.b/3"


@pytest.mark.rule("18CZ VIII.10/10")
def test_the_price_is_free_from_1_up_to_the_treasury_and_public() -> None:
    game = buying("EKJ", phase="b", trains={"OFE": [("a2", "2")]}, cash=300)
    assert [option.span for option in asked(game).only(OfferForTrain)] == [Span(1, 300)]
    for price in (0, -1, 301):
        assert rule_of(game, OfferForTrain("a2", price)) == "18CZ VIII.10/10"
    for price in (1, 300):
        deal = game.copy()
        deal.apply(OfferForTrain("a2", price))
        record = deal.apply(Accept())
        assert payments(record) == [("EKJ", "OFE", price)]


@pytest.mark.rule("18CZ VIII.10/11")
def test_a_company_buys_in_its_own_turn_and_does_not_sell_then() -> None:
    trains = {"kk": [("d1", "3E"), ("d2", "3E")], "Sx": [("d3", "3E")]}
    game = buying("kk", phase="e", trains=trains)
    assert rule_of(game, OfferForTrain("d1", 10)) == "18CZ VIII.10/11"
    with_p2 = game.refusal(OfferForTrain("d1", 10), by="p2")
    assert with_p2 is not None
    assert with_p2.rule == "18CZ V/6"
    game = buying("Sx", phase="e", trains=trains)
    game.apply(OfferForTrain("d1", 10))
    game.apply(Accept())
    assert cards_of(game, "Sx") == ["d3", "d1"]


def with_spare_trains() -> Game:
    return buying(
        "kk", phase="e", trains={"kk": [("d1", "3E"), ("c2", "3")], "BN": [("b1", "2+2")]}, pool=[("c1", "3")]
    )


@pytest.mark.rule("18CZ VIII.10/12")
def test_trains_are_not_sold_to_the_bank() -> None:
    """Nothing that can be done in the train step brings money."""
    game = with_spare_trains()
    for option in asked(game):
        after = game.copy()
        after.apply(option.action)
        assert state_of(after).cash["kk"] <= state_of(game).cash["kk"]
        assert set(cards_of(game, "kk")) <= set(cards_of(after, "kk"))
    assert rule_of(game, ReturnTrain("c2")) == "18CZ VIII.3/1"


@pytest.mark.rule("18CZ VIII.10/13")
@pytest.mark.parametrize(
    "step",
    [
        LayTrack("kk", first=False),
        EstablishStation("kk"),
        OperateTrains("kk"),
        UseIncome("kk", 90),
        Acquire("kk"),
        PurchaseTrains("kk"),
    ],
)
def test_trains_are_not_scrapped_at_will(step: CompanyTask) -> None:
    trains = {"kk": [("d1", "3E"), ("d2", "3")]}
    game = buying("kk", phase="e", trains=trains, stations={"J14.0": ["kk"]}, tiles={"J14": ("8895", 1)}, agenda=[step])
    for action in (ScrapTrain("d2"), ReturnTrain("d2"), TurnTrain("d2", "3E")):
        assert rule_of(game, action) == "18CZ VIII.3/1"
        assert not asked(game).only(type(action))


@pytest.mark.rule("18CZ VIII.10/14")
def test_smaller_trains_may_stay_beside_one_that_runs() -> None:
    game = buying("kk", phase="g", trains={"kk": [("f1", "4E"), ("g1", "5")]})
    assert Pass() in asked(game)
    only_red = buying("kk", phase="g", trains={"kk": [("g1", "5")]})
    assert rule_of(only_red, Pass()) == "18CZ VIII.10/1"


@pytest.mark.rule("18CZ VIII.10/14")
def test_a_smaller_train_may_be_bought_and_resold() -> None:
    game = scene(
        phase="g",
        started=DIRECTORS,
        shares=SHARES,
        trains={"kk": [("f1", "4E")]},
        cash={"kk": 350, "OFE": 400},
        agenda=[PurchaseTrains("OFE"), PurchaseTrains("kk")],
    )
    game.apply(BuyTrain("g2", "5"))
    game.apply(Pass())
    game.apply(OfferForTrain("g2", 400))
    game.apply(Accept())
    assert (cards_of(game, "OFE"), cards_of(game, "kk")) == (["g2"], ["f1"])
    assert state_of(game).cash["kk"] == 400


@pytest.mark.rule("18CZ VIII.10/1")
@pytest.mark.parametrize(("value", "ends"), [("enforced", False), ("can be evaded", True)])
def test_the_duty_to_own_a_train_is_a_ruling(value: str, ends: bool) -> None:
    game = scene(
        started={"EKJ": (60, "p1")},
        stations={"D4.0": ["EKJ"]},
        agenda=[PurchaseTrains("EKJ")],
        rulings={"duty_to_own_a_train": value},
    )
    assert (Pass() in asked(game)) is ends
