"""The share price chart and how prices move (18Mag III.2, VIII)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.mag.actions import BuyShare, PayDividend, SellShares
from ostbahn.titles.mag.state import OperatingRound, PayOut, PlaceMarker
from ostbahn.titles.mag.title import mag_title
from tests.titles.mag.scenes import scene, state_of
from tests.titles.mag.share_scenes import (
    MAJORS,
    MINORS,
    all_pass,
    answer_all,
    cash_of,
    play_until,
    price_of,
    question_of,
    stack_at,
    stock_scene,
)

CHART = [
    55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 110, 120, 130, 140, 152,
    164, 178, 192, 208, 224, 242, 260, 280, 300, 320, 340, 360, 380, 400,
]  # fmt: skip

SOLD_OUT = {"p1": 2, "p2": 3, "p3": 3}
"""All eight 10% shares, for a major that p1 directs."""


def sold_out_scene(*majors: str, prices: dict[str, int], missing: int = 0) -> Game:
    """Majors directed by p1 whose shares are all sold, or all but so many."""
    held = {**SOLD_OUT, "p3": SOLD_OUT["p3"] - missing}
    return stock_scene(directors=dict.fromkeys(majors, "p1"), shares={major: held for major in majors}, prices=prices)


def payout_scene(amount: int, **particulars: Any) -> Game:
    """SIK, directed by p1, has paid an amount out of a full treasury."""
    game = scene(directors={"SIK": "p1"}, cash={"SIK": 1000}, agenda=[PayOut("SIK")], **particulars)
    game.apply(PayDividend(amount))
    return game


# III.2 The chart


@pytest.mark.rule("18Mag III.2/1")
def test_the_chart_is_one_row_of_29_spaces() -> None:
    """Payouts of 30 move SIK from the first space to the last."""
    game = scene(
        directors={"SIK": "p1"}, cash={"SIK": 1000}, prices={"SIK": 55}, agenda=[PayOut("SIK")] * (len(CHART) - 1)
    )
    seen = [price_of(game, "SIK")]
    for _ in range(len(CHART) - 1):
        game.apply(PayDividend(30))
        seen.append(price_of(game, "SIK"))
    assert seen == CHART
    assert len(seen) == 29
    assert seen[-1] == 400


@pytest.mark.rule("18Mag III.2/1")
def test_sales_lead_back_along_the_same_row() -> None:
    """p1 sells one share in each of his turns."""
    game = stock_scene(directors={"SIK": "p2"}, shares={"SIK": {"p1": 5}}, prices={"SIK": 120})
    seen = []
    for _ in range(5):
        answer_all(game, SellShares("SIK", 10), Pass(), Pass(), Pass())
        seen.append(price_of(game, "SIK"))
    assert seen == [110, 100, 95, 90, 85]


@pytest.mark.rule("18Mag III.2/3")
def test_the_share_price_board_shows_majors_only() -> None:
    game = stock_scene()
    markers = [company for stack in state_of(game).chart for company in stack]
    assert sorted(markers) == sorted(MAJORS)
    assert not set(markers) & set(MINORS)
    prices = {phase: spec.rail_cars for phase, spec in mag_title().phases.items()}
    assert prices == {"yellow": (10, 20, 30), "green": (10, 20, 30), "brown": (20, 30, 40), "grey": (20, 30, 40)}


# VIII.1 Piles


@pytest.mark.rule("18Mag VIII.1/1")
def test_a_marker_that_arrives_goes_to_the_bottom() -> None:
    """SNW lies on 80 when SIK comes there from below, and G&C from above."""
    game = scene(
        directors={"SIK": "p1", "G&C": "p1"},
        cash={"SIK": 30},
        prices={"SNW": 80, "SIK": 75, "G&C": 85},
        agenda=[PayOut("G&C"), PayOut("SIK")],
    )
    answer_all(game, PayDividend(30), PayDividend(0))
    assert stack_at(game, 80) == ("SNW", "SIK", "G&C")


@pytest.mark.rule("18Mag VIII.1/1")
def test_the_upper_of_two_majors_acts_first() -> None:
    """SIK comes to 80 by a payout, under SNW, and has its turn after it in the next round."""
    game = scene(
        directors={"SIK": "p1", "SNW": "p2"},
        cash={"SIK": 30, "SNW": 10},
        prices={"SNW": 80, "SIK": 75},
        agenda=[OperatingRound((), ("SNW", "SIK"))],
    )
    answer_all(game, Pass(), PayDividend(10), Pass(), PayDividend(30))
    assert stack_at(game, 80) == ("SNW", "SIK")
    turns = []
    for _ in range(2):
        play_until(game, lambda question: isinstance(question.task, PlaceMarker))
        turns.append(question_of(game).company)
        game.apply(Pass())
    assert turns == ["SNW", "SIK"]


@pytest.mark.rule("18Mag VIII.1/1")
def test_sold_out_majors_rise_in_operating_order() -> None:
    """SNW lies on SIK, and both come to 85, where RÁBA is; G&C leaves 85 before they arrive."""
    game = sold_out_scene("G&C", "SNW", "SIK", prices={"RÁBA": 85, "G&C": 85, "SNW": 80, "SIK": 80, "LdStEG": 90})
    assert stack_at(game, 85) == ("RÁBA", "G&C")
    all_pass(game)
    assert stack_at(game, 85) == ("RÁBA", "SNW", "SIK")
    assert stack_at(game, 90) == ("LdStEG", "G&C")


@pytest.mark.rule("18Mag VIII.1/1")
def test_the_pile_decides_among_sold_out_majors_on_one_space() -> None:
    """G&C is listed before SNW everywhere, but it comes to 80 by a sale and lies below."""
    game = stock_scene(
        directors={"G&C": "p1", "SNW": "p1"},
        shares={"G&C": SOLD_OUT, "SNW": SOLD_OUT},
        prices={"G&C": 85, "SNW": 80},
        cash={"p2": 80},
    )
    answer_all(game, SellShares("G&C", 10), Pass(), BuyShare("G&C"))
    assert stack_at(game, 80) == ("SNW", "G&C")
    all_pass(game)
    assert stack_at(game, 85) == ("SNW", "G&C")


@pytest.mark.rule("18Mag VIII.1/2")
@pytest.mark.parametrize("payout", [10, 20])
@pytest.mark.parametrize("on_top", [True, False])
def test_a_marker_that_stays_keeps_its_place(payout: int, on_top: bool) -> None:
    other = "LdStEG" if on_top else "RÁBA"
    game = payout_scene(payout, prices={"SIK": 80, other: 80})
    assert stack_at(game, 80) == (("SIK", other) if on_top else (other, "SIK"))


# VIII.3 In a Share Round


@pytest.mark.rule("18Mag VIII.3/1", "18Mag VIII.1/2")
def test_the_price_does_not_fall_below_55() -> None:
    game = stock_scene(directors={"SNW": "p2"}, shares={"SNW": {"p1": 2}}, prices={"SNW": 55, "SIK": 55, "LdStEG": 60})
    game.apply(SellShares("SNW", 20))
    assert cash_of(game, "p1") == 110
    assert stack_at(game, 55) == ("SNW", "SIK"), "the marker stays on top"


@pytest.mark.rule("18Mag VIII.3/1")
def test_a_sale_at_60_falls_to_55() -> None:
    game = stock_scene(shares={"SIK": {"p1": 1}}, prices={"SIK": 60})
    game.apply(SellShares("SIK", 10))
    assert price_of(game, "SIK") == 55


@pytest.mark.rule("18Mag VIII.3/2")
@pytest.mark.parametrize(("missing", "price"), [(0, 130), (1, 120), (2, 120)])
def test_a_sold_out_major_rises_by_one_space(missing: int, price: int) -> None:
    game = sold_out_scene("SzKÉV", prices={"SzKÉV": 120}, missing=missing)
    answer_all(game, Pass(), Pass())
    assert price_of(game, "SzKÉV") == 120, "the round is not over"
    game.apply(Pass())
    assert price_of(game, "SzKÉV") == price


@pytest.mark.rule("18Mag VIII.3/2")
def test_a_major_without_director_is_not_sold_out() -> None:
    """Its director share has no owner, though all 10% shares are with players."""
    game = stock_scene(shares={"SIK": {"p1": 3, "p2": 3, "p3": 2}}, prices={"SIK": 120})
    all_pass(game)
    assert price_of(game, "SIK") == 120


@pytest.mark.rule("18Mag VIII.3/2")
def test_the_last_share_bought_in_a_round_sells_a_major_out() -> None:
    game = stock_scene(
        "p3",
        directors={"SIK": "p1"},
        shares={"SIK": {**SOLD_OUT, "p3": 2}},
        prices={"SIK": 100},
        cash={"p3": 100},
    )
    game.apply(BuyShare("SIK"))
    all_pass(game)
    assert price_of(game, "SIK") == 110


@pytest.mark.rule("18Mag VIII.3/3")
def test_a_sold_out_major_at_400_stays_there() -> None:
    game = sold_out_scene("SIK", prices={"SIK": 400})
    all_pass(game)
    assert price_of(game, "SIK") == 400


@pytest.mark.rule("18Mag VIII.3/3")
@pytest.mark.parametrize(("price", "payout"), [(400, 210), (400, 30), (380, 100), (340, 210), (320, 1000)])
def test_no_payout_lifts_a_price_above_400(price: int, payout: int) -> None:
    game = payout_scene(payout, prices={"SIK": price})
    assert price_of(game, "SIK") == 400


@pytest.mark.rule("18Mag VIII.3/3", "18Mag VIII.1/2")
def test_a_marker_that_cannot_rise_keeps_its_place() -> None:
    game = sold_out_scene("SNW", "SIK", prices={"SNW": 400, "SIK": 380, "LdStEG": 400})
    assert stack_at(game, 400) == ("SNW", "LdStEG")
    all_pass(game)
    assert stack_at(game, 400) == ("SNW", "LdStEG", "SIK")
