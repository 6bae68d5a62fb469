"""Share Rounds: turns, limits and purchases (18Mag VII.1, VII.2, VII.3, VII.5)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import CertificateMoved, DirectorChanged, Paid, PriceMoved
from ostbahn.titles.mag.actions import BuyShare, SellShares
from ostbahn.titles.mag.state import OperatingRound, StockRound
from tests.titles.mag.scenes import state_of
from tests.titles.mag.share_scenes import (
    MAJORS,
    all_pass,
    answer_all,
    cash_of,
    director_of,
    events_of,
    is_offered,
    on_charter,
    percent_of,
    play_until,
    price_of,
    question_of,
    refusal_rule,
    stock_scene,
)


def portfolio(certificates: int) -> dict[str, Any]:
    """So many certificates of p1, at most 60% of each major: a director share and four others, and so on."""
    directors, shares = {}, {}
    for major in MAJORS[:-1]:
        if certificates:
            directors[major] = "p1"
            shares[major] = {"p1": min(certificates - 1, 4)}
            certificates -= 1 + shares[major]["p1"]
    assert not certificates
    return {"directors": directors, "shares": shares}


def next_share_round(game: Game) -> None:
    play_until(game, lambda question: not isinstance(question.task, StockRound))
    play_until(game, lambda question: isinstance(question.task, StockRound))


# VII.1 General information


@pytest.mark.rule("18Mag VII.1/1")
def test_players_deal_with_the_bank_alone() -> None:
    """Whatever is chosen, money moves between a player and the bank; players swap shares only for a directorship."""
    game = stock_scene(
        cash={"p1": 500},
        directors={"SIK": "p1", "SNW": "p2"},
        shares={"SIK": {"p1": 1, "p2": 2, "p3": 2}, "SNW": {"p1": 2}, "G&C": {"p3": 1}},
    )
    assert len(question_of(game)) > 10
    for option in question_of(game):
        twin = game.copy()
        record = twin.apply(option.action)
        assert all({paid.source, paid.target} == {"p1", BANK} for paid in events_of(Paid, [record]))
        moves = events_of(CertificateMoved, [record])
        if not events_of(DirectorChanged, [record]):
            assert all({move.source, move.target} == {"p1", BANK} for move in moves)


@pytest.mark.rule("18Mag VII.1/1")
def test_everybody_may_have_several_turns() -> None:
    game = stock_scene(cash=dict.fromkeys(("p1", "p2", "p3"), 210))
    for major in ("SIK", "SNW", "G&C"):
        answer_all(game, BuyShare(major), BuyShare("RÁBA") if major == "SIK" else BuyShare("LdStEG"), Pass())
    assert [by for by, _ in game.actions()] == ["p1", "p2", "p3"] * 3


@pytest.mark.rule("18Mag VII.1/2")
@pytest.mark.parametrize("price", [60, 70, 152, 400])
def test_a_share_costs_its_price_and_the_bank_gets_it(price: int) -> None:
    game = stock_scene(cash={"p1": 400}, prices={"LdStEG": price})
    bank = cash_of(game, BANK)
    record = game.apply(BuyShare("LdStEG"))
    assert (cash_of(game, "p1"), cash_of(game, "LdStEG"), cash_of(game, BANK)) == (400 - price, 0, bank + price)
    assert (percent_of(game, "p1", "LdStEG"), on_charter(game, "LdStEG")) == (10, 7)
    assert not events_of(PriceMoved, [record])


@pytest.mark.rule("18Mag VII.1/3")
def test_a_turn_is_sales_and_then_one_purchase() -> None:
    game = stock_scene(cash={"p1": 500}, shares={"SIK": {"p1": 1}, "SNW": {"p1": 1}, "RÁBA": {"p2": 1}})
    answer_all(game, SellShares("SIK", 10), SellShares("SNW", 10))
    assert question_of(game).decider == "p1"
    game.apply(BuyShare("G&C"))
    assert question_of(game).decider == "p2"
    assert refusal_rule(game, BuyShare("RÁBA"), by="p1") == "18Mag VII.2/1", "no second purchase"
    assert refusal_rule(game, SellShares("G&C", 10), by="p1") == "18Mag VII.2/1", "no sale after a purchase"


@pytest.mark.rule("18Mag VII.1/3")
def test_a_seller_need_not_buy_and_a_buyer_need_not_sell() -> None:
    game = stock_scene(cash={"p2": 70}, shares={"SIK": {"p1": 1}})
    answer_all(game, SellShares("SIK", 10), Pass(), BuyShare("SIK"))
    assert (percent_of(game, "p1", "SIK"), percent_of(game, "p2", "SIK")) == (0, 10)
    assert question_of(game).decider == "p3"


@pytest.mark.rule("18Mag VII.1/4")
def test_who_passed_may_act_again() -> None:
    game = stock_scene(cash={"p1": 70, "p2": 70})
    answer_all(game, Pass(), BuyShare("SIK"), Pass())
    assert question_of(game).decider == "p1"
    game.apply(BuyShare("SIK"))
    assert percent_of(game, "p1", "SIK") == 10


# VII.2 Turn order


@pytest.mark.rule("18Mag VII.2/1")
@pytest.mark.parametrize("players", [3, 4, 6])
def test_the_round_ends_after_as_many_passes_as_players(players: int) -> None:
    """The one who acted last has to pass as well."""
    game = stock_scene(players=players, cash={"p1": 70})
    game.apply(BuyShare("SIK"))
    deciders = []
    for _ in range(players):
        assert isinstance(question_of(game).task, StockRound)
        deciders.append(question_of(game).decider)
        game.apply(Pass())
    assert deciders == [*(f"p{seat}" for seat in range(2, players + 1)), "p1"]
    assert any(isinstance(task, OperatingRound) for task in state_of(game).agenda)


@pytest.mark.rule("18Mag VII.2/1")
def test_passes_before_somebody_acts_do_not_count() -> None:
    game = stock_scene(cash={"p3": 70})
    answer_all(game, Pass(), Pass(), BuyShare("SIK"), Pass(), Pass())
    assert question_of(game).decider == "p3"
    game.apply(Pass())
    assert not isinstance(question_of(game).task, StockRound)


@pytest.mark.rule("18Mag VII.2/1")
def test_a_turn_with_a_sale_is_no_pass() -> None:
    game = stock_scene(shares={"SIK": {"p3": 1}})
    answer_all(game, Pass(), Pass(), SellShares("SIK", 10), Pass())
    assert isinstance(question_of(game).task, StockRound)
    all_pass(game)
    assert not isinstance(question_of(game).task, StockRound)


@pytest.mark.rule("18Mag VII.2/1")
@pytest.mark.parametrize("holder", ["p1", "p2", "p3"])
def test_the_holder_of_the_priority_deal_begins(holder: str) -> None:
    game = stock_scene(priority=holder)
    all_pass(game)
    play_until(game, lambda question: isinstance(question.task, StockRound))
    assert question_of(game).decider == holder
    assert refusal_rule(game, Pass(), by="p1" if holder != "p1" else "p2") == "18Mag VII.2/1"


@pytest.mark.rule("18Mag VII.2/2")
@pytest.mark.parametrize(("actor", "heir"), [(1, "p2"), (2, "p3"), (3, "p1")])
@pytest.mark.parametrize("sells", [True, False])
def test_the_priority_deal_goes_to_the_left_of_the_last_who_acted(actor: int, heir: str, sells: bool) -> None:
    who = f"p{actor}"
    game = stock_scene(cash={who: 70}, shares={"SIK": {who: 1}}, priority="p1")
    answer_all(game, *[Pass()] * (actor - 1))
    answer_all(game, *([SellShares("SIK", 10), Pass()] if sells else [BuyShare("SNW")]))
    all_pass(game)
    assert state_of(game).priority == heir
    play_until(game, lambda question: isinstance(question.task, StockRound))
    assert question_of(game).decider == heir


@pytest.mark.rule("18Mag VII.2/2")
def test_the_priority_deal_stays_if_nobody_acts() -> None:
    game = stock_scene("p2", priority="p2")
    all_pass(game)
    assert state_of(game).priority == "p2"


# VII.3 Limits


@pytest.mark.rule("18Mag VII.3/1", "18Mag VII.3/2", "18Mag III.3.3/2")
@pytest.mark.parametrize(("players", "limit"), [(3, 18), (4, 14), (5, 11), (6, 9)])
def test_the_certificate_limit(players: int, limit: int) -> None:
    """A director share is one certificate, and p1 owns minors all the time."""
    for held, answer in ((limit - 1, "allowed"), (limit, "18Mag VII.3/1")):
        game = stock_scene(players=players, cash={"p1": 400}, **portfolio(held))
        assert "p1" in state_of(game).owners.values()
        assert refusal_rule(game, BuyShare("MÁVAG")) == answer
        assert is_offered(game, BuyShare("MÁVAG")) == (answer == "allowed")


@pytest.mark.rule("18Mag VII.3/1")
def test_two_players_have_a_limit_of_ten() -> None:
    for held, answer in ((9, "allowed"), (10, "18Mag VII.3/1")):
        directors = {"RÁBA": "p1", "SIK": "p1"}
        shares = {"RÁBA": {"p1": 4}, "SIK": {"p1": held - 6}}
        game = stock_scene(players=2, variant="two_player", cash={"p1": 400}, directors=directors, shares=shares)
        assert refusal_rule(game, BuyShare("LdStEG")) == answer


def above_the_limit() -> Game:
    """p2 has become director of SIK, and so p1, with 18 certificates, got two for one; it is his turn again."""
    held = portfolio(18)
    assert held["shares"]["SIK"] == {"p1": 2}
    held["shares"]["SIK"]["p2"] = 4
    game = stock_scene("p2", cash={"p1": 400, "p2": 70}, **held)
    answer_all(game, BuyShare("SIK"), Pass())
    assert director_of(game, "SIK") == "p2"
    return game


@pytest.mark.rule("18Mag VII.3/1")
def test_above_the_limit_one_must_sell_before_anything_else() -> None:
    game = above_the_limit()
    assert sum(holders.count("p1") for holders in state_of(game).certificates.values()) == 19
    assert refusal_rule(game, Pass()) == "18Mag VII.3/1"
    assert refusal_rule(game, BuyShare("MÁVAG")) == "18Mag VII.3/1"
    assert {type(option.action) for option in question_of(game)} == {SellShares}
    game.apply(SellShares("SIK", 10))
    assert is_offered(game, Pass()), "18 certificates are within the limit"
    assert refusal_rule(game, BuyShare("MÁVAG")) == "18Mag VII.3/1"
    game.apply(SellShares("RÁBA", 10))
    assert is_offered(game, BuyShare("MÁVAG"))


@pytest.mark.rule("18Mag VII.3/1")
def test_who_is_far_above_the_limit_goes_on_selling() -> None:
    game = stock_scene(cash={"p1": 400}, **portfolio(20))
    game.apply(SellShares("RÁBA", 10))
    assert refusal_rule(game, Pass()) == "18Mag VII.3/1"
    game.apply(SellShares("SIK", 10))
    assert is_offered(game, Pass())


@pytest.mark.rule("18Mag VII.3/3")
@pytest.mark.parametrize(
    ("director", "shares", "answer"),
    [("p1", 3, "allowed"), ("p1", 4, "18Mag VII.3/3"), ("p2", 5, "allowed"), ("p2", 6, "18Mag VII.3/3")],
)
def test_nobody_owns_more_than_60_percent(director: str, shares: int, answer: str) -> None:
    game = stock_scene(cash={"p1": 70}, directors={"SIK": director}, shares={"SIK": {"p1": shares}})
    assert refusal_rule(game, BuyShare("SIK")) == answer
    assert is_offered(game, BuyShare("SIK")) == (answer == "allowed")


# VII.5 Purchases


@pytest.mark.rule("18Mag VII.5/1")
@pytest.mark.parametrize(("cash", "answer"), [(69, "18Mag VII.5/1"), (70, "allowed")])
def test_one_must_have_the_price_oneself(cash: int, answer: str) -> None:
    game = stock_scene(cash={"p1": cash, "1": 500, "SIK": 500}, prices={"SIK": 70})
    assert refusal_rule(game, BuyShare("SIK")) == answer


@pytest.mark.rule("18Mag VII.5/1")
def test_an_empty_charter_sells_nothing() -> None:
    game = stock_scene(cash={"p1": 400}, directors={"SIK": "p2"}, shares={"SIK": {"p1": 1, "p2": 4, "p3": 3}})
    assert on_charter(game, "SIK") == 0
    assert refusal_rule(game, BuyShare("SIK")) == "18Mag VII.5/1"


@pytest.mark.rule("18Mag VII.5/1")
def test_the_money_of_a_sale_can_be_spent_in_the_same_turn() -> None:
    game = stock_scene(shares={"SIK": {"p1": 1}}, prices={"SIK": 75, "SNW": 75})
    assert refusal_rule(game, BuyShare("SNW")) == "18Mag VII.5/1"
    answer_all(game, SellShares("SIK", 10), BuyShare("SNW"))
    assert (cash_of(game, "p1"), percent_of(game, "p1", "SNW")) == (0, 10)


@pytest.mark.rule("18Mag VII.5/2")
def test_what_was_sold_is_not_bought_back_in_the_same_round() -> None:
    game = stock_scene(cash={"p1": 500, "p2": 500}, shares={"SIK": {"p1": 2}}, priority="p1")
    game.apply(SellShares("SIK", 10))
    assert refusal_rule(game, BuyShare("SIK")) == "18Mag VII.5/2", "in the same turn"
    game.apply(Pass())
    assert is_offered(game, BuyShare("SIK")), "others may buy it"
    answer_all(game, BuyShare("SNW"), Pass())
    assert question_of(game).decider == "p1"
    assert refusal_rule(game, BuyShare("SIK")) == "18Mag VII.5/2", "in a later turn"
    assert is_offered(game, BuyShare("SNW"))
    next_share_round(game)
    play_until(game, lambda question: question.decider == "p1")
    assert isinstance(question_of(game).task, StockRound)
    assert is_offered(game, BuyShare("SIK")), "in the next round"


@pytest.mark.rule("18Mag VII.5/2")
def test_what_was_bought_can_be_sold_in_a_later_turn_of_the_round() -> None:
    game = stock_scene(cash={"p1": 70})
    answer_all(game, BuyShare("SIK"), Pass(), Pass())
    game.apply(SellShares("SIK", 10))
    assert (cash_of(game, "p1"), price_of(game, "SIK")) == (70, 65)


@pytest.mark.rule("18Mag III.2/3", "18Mag III.3.3/3")
def test_there_are_no_shares_of_minors() -> None:
    game = stock_scene(cash={"p1": 500})
    assert refusal_rule(game, BuyShare("3")) == "18Mag III.3.3/3"
    assert refusal_rule(game, SellShares("1", 10)) == "18Mag III.3.3/3"
