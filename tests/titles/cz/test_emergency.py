"""Emergency financing (18CZ VIII.11)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Accept, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Span
from ostbahn.kernel.records import Wealth
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.actions import BuyShare, BuyTrain, OfferForTrain, RepayDebt, SellLocal, SellShares, StartCompany
from ostbahn.titles.cz.events import LoanTaken
from ostbahn.titles.cz.state import OperatingRound, PurchaseTrains, StockRound
from tests.titles.cz.scenes import scene, state_of, stock_round, table_of
from tests.titles.cz.train_scenes import asked, payments, rule_of

DIRECTORS = {"EKJ": (60, "p1"), "OFE": (60, "p2"), "BN": (60, "p1"), "kk": (90, "p1"), "Sx": (90, "p2")}
SHARES = {"BN": {"p1": 1}, "OFE": {"p1": 2}, "kk": {"p1": 3}, "Sx": {"p2": 3}}


def needy(company: str = "BN", *, treasury: int = 30, purse: int = 200, phase: str = "d", **more: Any) -> Game:
    """A company without a runnable train that comes to buy one; in phase d a 3+3 costs BN 180."""
    more.setdefault("agenda", [PurchaseTrains(company)])
    return scene(phase=phase, started=DIRECTORS, shares=SHARES, cash={company: treasury, "p1": purse}, **more)


def rest(game: Game) -> None:
    """The companies do as little as they may until the next Stock Round."""
    while not isinstance(asked(game).task, StockRound):
        game.apply(Pass() if Pass() in asked(game) else asked(game).options[0].action)


@pytest.mark.rule("18CZ VIII.11/1")
def test_the_director_adds_what_the_treasury_lacks() -> None:
    game = needy(treasury=30, purse=200)
    record = game.apply(BuyTrain("d2", "3+3"))
    assert payments(record) == [("p1", "BN", 150), ("BN", BANK, 180)]
    assert state_of(game).cash["p1"] == 50
    assert state_of(game).trains["BN"] == (Train("d2", "3+3"),)
    assert not state_of(game).debts


@pytest.mark.rule("18CZ VIII.11/1")
def test_a_director_does_not_help_where_the_company_need_not_buy() -> None:
    """With a blue train of its own BN is not forced, so nobody helps it."""
    game = needy(trains={"BN": [("b1", "2+2")]})
    assert not asked(game).only(BuyTrain)
    assert rule_of(game, BuyTrain("d2", "3+3")) == "18CZ VIII.11/4"


@pytest.mark.rule("18CZ VIII.11/2")
@pytest.mark.parametrize(("train", "price"), [(("d1", "3E"), 250), (("f2", "4E"), 350)])
def test_the_director_chooses_among_the_trains_on_offer(train: tuple[str, str], price: int) -> None:
    game = needy("kk", phase="f", treasury=100, purse=300, pool=[("d1", "3E")])
    offered = {option.action for option in asked(game).only(BuyTrain)}
    assert offered == {BuyTrain("d1", "3E"), BuyTrain("f2", "4E")}
    game.apply(BuyTrain(*train))
    assert state_of(game).cash["p1"] == 300 - (price - 100)


@pytest.mark.rule("18CZ VIII.11/1", "18CZ VIII.11/2")
@pytest.mark.parametrize(
    ("treasury", "ruling", "offered"),
    [
        (249, "if it can pay for none", {"3E", "4E"}),
        (250, "if it can pay for none", {"3E"}),
        (350, "if it can pay for none", {"3E", "4E"}),
        (249, "for any train", {"3E", "4E"}),
        (250, "for any train", {"3E", "4E"}),
    ],
)
def test_it_is_no_emergency_while_another_train_can_be_paid(treasury: int, ruling: str, offered: set[str]) -> None:
    """The pool has a 3E for 250 K, the stack a 4E for 350 K; a 3 in the pool would be of no use to kk."""
    pool = [("d1", "3E"), ("c1", "3")]
    game = needy("kk", phase="f", treasury=treasury, purse=300, pool=pool, rulings={"emergency_money": ruling})
    large = {"3E": BuyTrain("d1", "3E"), "4E": BuyTrain("f2", "4E")}
    assert {face for face, buy in large.items() if buy in asked(game)} == offered
    for face in set(large) - offered:
        assert rule_of(game, large[face]) == "18CZ VIII.11/1"


@pytest.mark.rule("18CZ VIII.11/1")
def test_a_cheaper_train_that_the_company_cannot_run_is_no_way_out() -> None:
    """BN could pay a 3 for 120 K, but needs a blue train; a 2+2 in the pool for 80 K would be one."""
    strict = {"emergency_money": "if it can pay for none"}
    game = needy(treasury=130, purse=200, rulings=strict)
    assert BuyTrain("d2", "3+3") in asked(game)
    pooled = needy(treasury=130, purse=200, pool=[("b1", "2")], rulings=strict)
    assert rule_of(pooled, BuyTrain("d2", "3+3")) == "18CZ VIII.11/1"
    assert BuyTrain("b1", "2+2") in asked(pooled)
    scrapped = needy(treasury=130, purse=200, pool=[("b1", "2")], scrapped=("2+2",), rulings=strict)
    assert BuyTrain("d2", "3+3") in asked(scrapped)


@pytest.mark.rule("18CZ VIII.11/3")
def test_director_money_buys_no_train_of_another_company() -> None:
    game = needy("kk", phase="f", treasury=5, purse=900, trains={"Sx": [("d1", "3E")]})
    assert rule_of(game, OfferForTrain("d1", 6)) == "18CZ VIII.10/10"
    assert [option.span for option in asked(game).only(OfferForTrain)] == [Span(1, 5)]
    game.apply(OfferForTrain("d1", 5))
    record = game.apply(Accept())
    assert payments(record) == [("kk", "Sx", 5)]
    penniless = needy("kk", phase="f", treasury=0, purse=900, trains={"Sx": [("d1", "3E")]})
    assert not asked(penniless).only(OfferForTrain)


@pytest.mark.rule("18CZ VIII.11/3")
def test_nobody_is_made_to_sell_local_railways_first() -> None:
    game = needy(treasury=30, purse=200, locals_of={"S1": "BN"})
    assert SellLocal("S1") in asked(game)
    game.apply(BuyTrain("d2", "3+3"))
    assert state_of(game).locals == {"S1": "BN"}
    assert state_of(game).cash["p1"] == 50


@pytest.mark.rule("18CZ VIII.11/4")
def test_director_money_pays_for_one_train_only() -> None:
    game = needy(treasury=30, purse=900)
    game.apply(BuyTrain("d2", "3+3"))
    assert rule_of(game, BuyTrain("d3", "3+3")) == "18CZ VIII.11/4"
    assert not asked(game).only(BuyTrain)


@pytest.mark.rule("18CZ VIII.11/4")
def test_director_money_pays_only_for_a_train_that_the_company_can_run() -> None:
    game = needy(treasury=30, purse=900)
    assert rule_of(game, BuyTrain("d2", "3")) == "18CZ VIII.11/4"
    assert BuyTrain("d2", "3+3") in asked(game)


@pytest.mark.rule("18CZ VIII.11/5")
@pytest.mark.parametrize(
    ("treasury", "left", "added"), [(0, 0, 180), (30, 0, 150), (179, 0, 1), (180, 0, 0), (200, 20, 0)]
)
def test_the_director_adds_no_more_than_the_shortfall(treasury: int, left: int, added: int) -> None:
    game = needy(treasury=treasury, purse=500)
    game.apply(BuyTrain("d2", "3+3"))
    assert (state_of(game).cash["BN"], state_of(game).cash["p1"]) == (left, 500 - added)


@pytest.mark.rule("18CZ VIII.11/6")
@pytest.mark.parametrize(("purse", "loan"), [(90, 60), (149, 1), (150, 0), (0, 150)])
def test_the_bank_lends_exactly_what_the_director_lacks(purse: int, loan: int) -> None:
    game = needy(treasury=30, purse=purse)
    game.apply(BuyTrain("d2", "3+3"))
    assert state_of(game).cash["p1"] == 0
    assert state_of(game).debts.get("p1", 0) == loan


@pytest.mark.rule("18CZ VIII.11/7")
def test_a_loan_carries_a_penalty_as_high_that_counts_only_at_the_end() -> None:
    game = needy(treasury=30, purse=90)
    worth = table_of(game).wealth("p1")
    record = game.apply(BuyTrain("d2", "3+3"))
    assert payments(record) == [(BANK, "p1", 60), ("p1", "BN", 150), ("BN", BANK, 180)]
    assert (state_of(game).debts, state_of(game).penalties) == ({"p1": 60}, {"p1": 60})
    assert LoanTaken("p1", 60) in record.events
    assert table_of(game).wealth("p1") == worth - 150 - 60


@pytest.mark.rule("18CZ VIII.11/7")
def test_loans_and_penalties_add_up() -> None:
    game = needy(treasury=30, purse=90, agenda=[PurchaseTrains("EKJ"), PurchaseTrains("BN")])
    game.apply(BuyTrain("d2", "3+3"))
    game.apply(Pass())
    game.apply(BuyTrain("d3", "3"))
    assert (state_of(game).debts, state_of(game).penalties) == ({"p1": 180}, {"p1": 180})


@pytest.mark.rule("18CZ VIII.11/8")
def test_a_debt_does_not_grow_and_the_penalty_stays() -> None:
    """The loan is taken in one Operating Round, three more follow, then p1 sells two shares of OFE and repays."""
    rounds = [OperatingRound(("EKJ", "BN"))] * 3
    game = needy(
        treasury=30,
        purse=90,
        agenda=[stock_round("p1"), *rounds, PurchaseTrains("BN")],
        trains={"EKJ": [("c1", "3")]},
        stations={"D4.0": ["EKJ"]},
    )
    game.apply(BuyTrain("d2", "3+3"))
    rest(game)
    assert (state_of(game).debts, state_of(game).penalties) == ({"p1": 60}, {"p1": 60})
    game.apply(SellShares("OFE", 50))
    game.apply(RepayDebt())
    assert (state_of(game).debts, state_of(game).penalties) == ({}, {"p1": 60})
    assert rule_of(game, RepayDebt()) == "18CZ VIII.11/10"


def in_debt(purse: int, debt: int = 60, **more: Any) -> Game:
    more.setdefault("agenda", [stock_round("p1")])
    return scene(
        phase="d",
        started={"OFE": (60, "p2"), "MW": (60, "p3")},
        shares={"OFE": {"p1": 2}},
        cash={"p1": purse, "p2": 0, "p3": 0},
        debts={"p1": debt},
        penalties={"p1": debt},
        **more,
    )


@pytest.mark.rule("18CZ VIII.11/9")
def test_whoever_is_in_debt_buys_no_shares_before_all_of_it_is_repaid() -> None:
    game = in_debt(purse=300)
    assert rule_of(game, BuyShare("MW")) == "18CZ VII.3/7"
    assert rule_of(game, StartCompany("EKJ", 50)) == "18CZ VII.3/7"
    assert not asked(game).only(BuyShare)
    assert not asked(game).only(StartCompany)
    game.apply(RepayDebt())
    assert state_of(game).cash["p1"] == 240
    assert state_of(game).penalties == {"p1": 60}
    assert StartCompany("EKJ", 50) in asked(game)
    game.apply(BuyShare("MW"))
    assert state_of(game).cash["p1"] == 180


@pytest.mark.rule("18CZ VIII.11/9")
def test_repaying_with_70_in_hand_leaves_10_to_buy_with() -> None:
    game = in_debt(purse=70)
    assert rule_of(game, BuyShare("MW")) == "18CZ VII.3/7"
    game.apply(RepayDebt())
    assert state_of(game).cash["p1"] == 10
    assert rule_of(game, BuyShare("MW")) == "18CZ VII.3/6", "not the debt, only the price is in the way now"


@pytest.mark.rule("18CZ VIII.11/9")
def test_a_debt_is_repaid_whole_or_not_at_all() -> None:
    assert rule_of(in_debt(purse=59), RepayDebt()) == "18CZ VIII.11/9"
    assert in_debt(purse=60).refusal(RepayDebt()) is None


@pytest.mark.rule("18CZ VIII.11/10")
def test_selling_repaying_and_buying_fit_into_one_turn() -> None:
    game = in_debt(purse=0)
    assert rule_of(game, RepayDebt()) == "18CZ VIII.11/9"
    game.apply(SellShares("OFE", 50))
    game.apply(RepayDebt())
    assert asked(game).decider == "p1"
    game.apply(BuyShare("MW"))
    assert asked(game).decider == "p2"
    assert state_of(game).cash["p1"] == 120 - 60 - 60


@pytest.mark.rule("18CZ VIII.11/10")
def test_a_turn_with_a_repayment_only_is_a_pass() -> None:
    game = in_debt(purse=60)
    game.apply(RepayDebt())
    for player in ("p1", "p2", "p3"):
        assert asked(game).decider == player
        game.apply(Pass())
    assert game.over, "all have passed one after another"


@pytest.mark.rule("18CZ VIII.11/10")
def test_debts_are_not_repaid_in_an_operating_round() -> None:
    game = needy(purse=500, debts={"p1": 60}, penalties={"p1": 60})
    assert rule_of(game, RepayDebt()) == "18CZ VIII.3/1"
    assert not asked(game).only(RepayDebt)


@pytest.mark.rule("18CZ VIII.11/11")
@pytest.mark.parametrize(("repaid", "cash", "deducted"), [(False, 200, 120), (True, 140, 60)])
def test_debt_and_penalty_are_subtracted_at_the_end(repaid: bool, cash: int, deducted: int) -> None:
    """p1 has two shares of OFE, which is sold out and rises to 63; the game ends after this Stock Round."""
    game = in_debt(purse=200)
    if repaid:
        game.apply(RepayDebt())
    for _ in range(3):
        record = game.apply(Pass())
    assert game.over
    assert state_of(game).cash["p1"] == cash
    assert Wealth("p1", cash + 2 * 63 - deducted) in record.events


@pytest.mark.rule("18CZ VIII.11/12")
def test_no_shares_are_sold_for_a_forced_train() -> None:
    """p1 could raise 120 K with his two shares of OFE, but takes a loan for all of it."""
    game = needy(treasury=0, purse=0)
    assert rule_of(game, SellShares("OFE", 50)) == "18CZ VIII.3/1"
    assert not asked(game).only(SellShares)
    game.apply(BuyTrain("d2", "3+3"))
    assert state_of(game).debts == {"p1": 180}
    assert state_of(game).certificates["OFE"] == ("p2", "p1", "p1")
    assert Pass() in asked(game), "the game goes on"
