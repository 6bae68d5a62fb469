"""Selling shares (18Mag VII.4)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.money import BANK
from ostbahn.titles.mag.actions import BuyShare, SellShares
from ostbahn.titles.mag.state import PayOut, StockRound
from tests.titles.mag.scenes import scene
from tests.titles.mag.share_scenes import (
    MAJORS,
    answer_all,
    cards_held,
    cash_of,
    director_of,
    is_offered,
    on_charter,
    percent_of,
    price_of,
    question_of,
    refusal_rule,
    stack_at,
    stock_scene,
)

# The director share


@pytest.mark.rule("18Mag VII.4/2")
@pytest.mark.parametrize("own", [0, 1, 3])
def test_the_bank_never_takes_a_director_share(own: int) -> None:
    """Nobody else has 20%, so the director can sell what he has beside the director share."""
    game = stock_scene(directors={"SIK": "p1"}, shares={"SIK": {"p1": own, "p2": 1, "p3": 1}})
    allowed = [option.action for option in question_of(game).only(SellShares)]
    assert allowed == [SellShares("SIK", percent) for percent in range(10, 10 * own + 1, 10)]
    for percent in (10 * own + 10, 10 * own + 20):
        assert refusal_rule(game, SellShares("SIK", percent)) == "18Mag VII.4/2"


@pytest.mark.rule("18Mag VII.4/2")
def test_a_director_share_never_comes_back_to_the_bank() -> None:
    game = stock_scene(directors={"SIK": "p1"}, shares={"SIK": {"p1": 2, "p2": 3}})
    for option in question_of(game).only(SellShares):
        twin = game.copy()
        twin.apply(option.action)
        assert cards_held(twin, BANK, "SIK")[0] == 0


@pytest.mark.rule("18Mag VII.4/3")
@pytest.mark.parametrize(
    ("own", "other", "sale", "director"),
    [
        (0, 2, 10, "p2"),  # 20% and 20%: the seller keeps 10%
        (0, 2, 20, "p2"),
        (1, 2, 10, "p1"),  # he keeps 20%, and as much is not enough
        (1, 2, 20, "p2"),
        (2, 2, 20, "p1"),
        (2, 2, 30, "p2"),
        (2, 3, 20, "p2"),  # he keeps 20%, the other has more
    ],
)
def test_a_sale_may_pass_the_director_share_on(own: int, other: int, sale: int, director: str) -> None:
    game = stock_scene(directors={"SIK": "p1"}, shares={"SIK": {"p1": own, "p2": other}})
    charter = on_charter(game, "SIK")
    game.apply(SellShares("SIK", sale))
    assert director_of(game, "SIK") == director
    assert (percent_of(game, "p1", "SIK"), percent_of(game, "p2", "SIK")) == (20 + 10 * own - sale, 10 * other)
    assert on_charter(game, "SIK") == charter + sale // 10


@pytest.mark.rule("18Mag VII.4/3")
def test_two_others_with_20_percent_only_together_are_not_enough() -> None:
    game = stock_scene(directors={"SIK": "p1"}, shares={"SIK": {"p2": 1, "p3": 1}})
    assert refusal_rule(game, SellShares("SIK", 10)) == "18Mag VII.4/2"


# What is sold, and for how much


@pytest.mark.rule("18Mag VII.4/4")
def test_sold_shares_lie_on_the_charter_for_anyone_to_buy() -> None:
    game = stock_scene(
        directors={"SIK": "p1"}, shares={"SIK": {"p1": 2, "p2": 3, "p3": 3}}, cash={"p2": 65}, prices={"SIK": 70}
    )
    assert on_charter(game, "SIK") == 0
    answer_all(game, SellShares("SIK", 20), Pass())
    assert on_charter(game, "SIK") == 2
    game.apply(BuyShare("SIK"))
    assert (on_charter(game, "SIK"), cash_of(game, "p2")) == (1, 0), "bought for the price of the day"


@pytest.mark.rule("18Mag VII.4/5", "18Mag S.4/1")
@pytest.mark.parametrize("number", [1, 2, 5])
def test_every_share_of_a_sale_brings_the_price_before_it_falls(number: int) -> None:
    """Five shares at 100 bring 500 Ft, and the price falls to 95."""
    game = stock_scene(directors={"SIK": "p2"}, shares={"SIK": {"p1": 5}}, prices={"SIK": 100})
    bank = cash_of(game, BANK)
    game.apply(SellShares("SIK", 10 * number))
    assert (cash_of(game, "p1"), cash_of(game, BANK), cash_of(game, "SIK")) == (100 * number, bank - 100 * number, 0)
    assert price_of(game, "SIK") == 95


@pytest.mark.rule("18Mag VII.4/8", "18Mag VII.4/5")
def test_the_example_of_the_rulebook() -> None:
    """Q sells 30% of G&C at 75."""
    game = stock_scene(directors={"G&C": "p2"}, shares={"G&C": {"p1": 3}}, prices={"G&C": 75})
    game.apply(SellShares("G&C", 30))
    assert (cash_of(game, "p1"), price_of(game, "G&C")) == (225, 70)


@pytest.mark.rule("18Mag VII.4/5")
@pytest.mark.parametrize(
    ("percent", "rule"),
    [*((percent, "18Mag III.3.3/3") for percent in (-10, 0, 5, 15)), (40, "18Mag VII.1/3")],
)
def test_one_sells_whole_shares_and_only_what_one_has(percent: int, rule: str) -> None:
    game = stock_scene(directors={"SIK": "p2"}, shares={"SIK": {"p1": 3}})
    assert refusal_rule(game, SellShares("SIK", percent)) == rule
    assert [option.action for option in question_of(game).only(SellShares)] == [
        SellShares("SIK", 10),
        SellShares("SIK", 20),
        SellShares("SIK", 30),
    ]


# Order and number of sales


@pytest.mark.rule("18Mag VII.4/6")
@pytest.mark.parametrize("order", [("SIK", "SNW"), ("SNW", "SIK")])
def test_the_seller_chooses_the_order(order: tuple[str, str]) -> None:
    """Both fall from 80 to 75; the one that was sold first lies on top there."""
    game = stock_scene(shares={"SIK": {"p1": 1}, "SNW": {"p1": 1}}, prices={"SIK": 80, "SNW": 80})
    answer_all(game, *(SellShares(major, 10) for major in order))
    assert stack_at(game, 75) == order


@pytest.mark.rule("18Mag VII.4/7", "18Mag S.4/1")
def test_a_major_is_sold_once_in_a_turn() -> None:
    game = stock_scene(directors={"SIK": "p2"}, shares={"SIK": {"p1": 3}, "SNW": {"p1": 1}}, prices={"SIK": 100})
    game.apply(SellShares("SIK", 10))
    assert refusal_rule(game, SellShares("SIK", 10)) == "18Mag S.4/1"
    assert not question_of(game).only(SellShares, major="SIK")
    assert is_offered(game, SellShares("SNW", 10))
    assert price_of(game, "SIK") == 95


@pytest.mark.rule("18Mag VII.4/7")
def test_sales_in_different_turns_are_different_sales() -> None:
    game = stock_scene(directors={"SIK": "p2"}, shares={"SIK": {"p1": 3}}, prices={"SIK": 100})
    answer_all(game, SellShares("SIK", 20), Pass(), Pass(), Pass(), SellShares("SIK", 10))
    assert (cash_of(game, "p1"), price_of(game, "SIK")) == (200 + 95, 90)


@pytest.mark.rule("18Mag VII.4/7")
def test_sales_of_different_players_are_different_sales() -> None:
    game = stock_scene(shares={"SIK": {"p1": 1, "p2": 1}}, prices={"SIK": 100})
    answer_all(game, SellShares("SIK", 10), Pass(), SellShares("SIK", 10))
    assert (cash_of(game, "p1"), cash_of(game, "p2"), price_of(game, "SIK")) == (100, 95, 90)


@pytest.mark.rule("18Mag VII.1/1", "18Mag IV/2")
def test_shares_are_not_sold_in_operating_rounds() -> None:
    game = scene(directors={"SIK": "p1"}, shares={"SIK": {"p1": 2}}, cash={"p1": 500}, agenda=[PayOut("SIK")])
    assert refusal_rule(game, SellShares("SIK", 10)) == "18Mag VI.4.1/1"
    assert refusal_rule(game, BuyShare("SIK")) == "18Mag VI.4.1/1"
    assert not isinstance(question_of(game).task, StockRound)


@pytest.mark.rule("18Mag VII.1/3")
def test_any_number_of_majors_can_be_sold_in_one_turn() -> None:
    game = stock_scene(shares={major: {"p1": 1} for major in MAJORS}, prices=dict.fromkeys(MAJORS, 100))
    answer_all(game, *(SellShares(major, 10) for major in MAJORS))
    assert cash_of(game, "p1") == 700
    assert [option.action for option in question_of(game).only(SellShares)] == []
    assert stack_at(game, 95) == MAJORS
