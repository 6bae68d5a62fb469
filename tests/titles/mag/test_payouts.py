"""Majors pay their shareholders, and their prices move (18Mag VI.4.3/1 to VI.4.3/5, VI.4.3/10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.mag.actions import BuyCar, BuyShare, BuyTrain, LayTile, PayDividend, RunTrains, SellShares
from ostbahn.titles.mag.state import (
    LayTrack,
    OperateWithCars,
    OperatingRound,
    PayOut,
    PurchaseTrains,
    StockRound,
)
from ostbahn.titles.mag.title import mag_title
from ostbahn.titles.mag.two_player import two_player_title
from tests.titles.mag.run_scenes import CITY_20, cash_of, gains, price_of, question_of, refusal_rule, turned
from tests.titles.mag.scenes import scene, state_of

MAJORS = ("RÁBA", "G&C", "SNW", "SIK", "SzKÉV", "LdStEG", "MÁVAG")


def paying(treasury: int, major: str = "SIK", shares: Mapping[str, int] | None = None, **fields: Any) -> Game:
    """A major with a director, p2, must say what it pays."""
    return scene(
        **{
            "directors": {major: "p2"},
            "shares": {major: shares or {}},
            "cash": {major: treasury},
            "agenda": [PayOut(major)],
            **fields,
        }
    )


def left_alone(treasury: int, major: str = "SIK", shares: Mapping[str, int] | None = None, **fields: Any) -> Game:
    """A major without a director; it acts when minor 3 has bought its trains."""
    return scene(
        owners={"3": "p1"},
        shares={major: shares or {}},
        cash={major: treasury},
        agenda=[OperatingRound((), (major,)), PurchaseTrains("3")],
        **fields,
    )


# Where a major's money comes from


@pytest.mark.rule("18Mag VI.4.3/1")
def test_the_sale_of_shares_brings_a_major_nothing() -> None:
    shares = {"SIK": {"p1": 2}}
    game = scene(agenda=[StockRound("p1")], cash={"p1": 500}, shares=shares, directors={"SIK": "p2"})
    game.apply(SellShares("SIK", 20))
    game.apply(BuyShare("RÁBA"))
    assert all(state_of(game).cash[major] == 0 for major in MAJORS)


@pytest.mark.rule("18Mag VI.4.3/1")
def test_what_minors_pay_for_services_is_a_majors_money() -> None:
    agenda = [PurchaseTrains("13"), OperateWithCars("13")]
    game = scene(agenda=agenda, owners={"13": "p1"}, cash={"13": 200}, tiles={"I2": turned(CITY_20, "NW")})
    game.apply(BuyCar("off_board"))
    game.apply(question_of(game).only(RunTrains)[0].action)
    game.apply(BuyTrain("2"))
    assert {major: state_of(game).cash[major] for major in MAJORS if state_of(game).cash[major]} == {
        "RÁBA": 10,
        "LdStEG": 40,
    }


@pytest.mark.rule("18Mag VI.4.3/1")
@pytest.mark.parametrize("token", [False, True])
def test_the_bank_pays_for_terrain_in_place_of_a_minor(token: bool) -> None:
    game = scene(agenda=[LayTrack("6")])
    before = game.copy()
    game.apply(LayTile("B17", *turned(CITY_20, "W", "E"), token=token))
    assert gains(before, game) == {"bank" if token else "6": -10, "SIK": 10}


# How much


@pytest.mark.rule("18Mag VI.4.3/2")
def test_the_director_picks_any_number_of_tens_up_to_the_treasury() -> None:
    game = paying(130)
    assert question_of(game).decider == "p2"
    offered = [option.action for option in question_of(game)]
    assert offered == [PayDividend(amount) for amount in range(0, 131, 10)]
    for amount in (5, 135, 140, -10, 1):
        assert refusal_rule(game, PayDividend(amount)) == "18Mag VI.4.3/2"
    game.apply(PayDividend(60))
    assert cash_of(game, "SIK") == [70]


@pytest.mark.rule("18Mag VI.4.3/2", "18Mag VI.4.1/1")
def test_a_major_with_an_empty_treasury_pays_0() -> None:
    game = paying(0)
    assert [option.action for option in question_of(game)] == [PayDividend(0)]


@pytest.mark.rule("18Mag VI.4.3/3")
def test_every_tenth_of_the_shares_brings_a_tenth_of_the_payout() -> None:
    """p2 has the director share and one more, p1 one share; the bank gets the rest."""
    game = paying(100, shares={"p2": 1, "p1": 1})
    before = game.copy()
    game.apply(PayDividend(100))
    assert gains(before, game) == {"SIK": -100, "p2": 30, "p1": 10, "bank": 60}


@pytest.mark.rule("18Mag VI.4.3/3")
def test_small_payouts_are_not_rounded() -> None:
    game = paying(10, shares={"p2": 4, "p1": 3, "p3": 1})
    before = game.copy()
    game.apply(PayDividend(10))
    assert gains(before, game) == {"SIK": -10, "p2": 6, "p1": 3, "p3": 1}


# What it does to the price


TABLE_8 = [(0, 95), (10, 100), (20, 100), (30, 110), (40, 110), (50, 110), (60, 120), (80, 120), (100, 120)]
TABLE_8 += [(110, 130), (150, 130), (200, 130), (210, 140), (900, 140)]


@pytest.mark.rule("18Mag VI.4.3/4")
@pytest.mark.parametrize(("amount", "price"), TABLE_8)
def test_table_8(amount: int, price: int) -> None:
    game = paying(900, prices={"SIK": 100})
    game.apply(PayDividend(amount))
    assert price_of(game, "SIK") == price


@pytest.mark.rule("18Mag VI.4.3/4")
def test_the_whole_payout_counts_not_what_players_get() -> None:
    game = paying(60, prices={"SIK": 100})
    before = game.copy()
    game.apply(PayDividend(60))
    assert gains(before, game) == {"SIK": -60, "p2": 12, "bank": 48}
    assert price_of(game, "SIK") == 120


@pytest.mark.rule("18Mag VI.4.3/4")
@pytest.mark.parametrize(("start", "amount", "price"), [(55, 0, 55), (400, 300, 400), (380, 300, 400), (360, 100, 400)])
def test_the_chart_ends_where_it_ends(start: int, amount: int, price: int) -> None:
    game = paying(300, prices={"SIK": start})
    game.apply(PayDividend(amount))
    assert price_of(game, "SIK") == price


# Without a director


@pytest.mark.rule("18Mag VI.4.3/5")
@pytest.mark.parametrize("site", [False, True])
def test_a_major_without_a_director_pays_out_everything(site: bool) -> None:
    game = left_alone(120, shares={"p1": 1}, prices={"SIK": 100}, site=site)
    before = game.copy()
    game.apply(Pass())
    assert gains(before, game) == {"SIK": -120, "p1": 12, "bank": 108}
    assert price_of(game, "SIK") == 130


@pytest.mark.rule("18Mag VI.4.3/5")
@pytest.mark.parametrize("shares", [{}, {"p1": 1}, {"p1": 1, "p2": 1, "p3": 1}])
def test_with_nothing_to_pay_its_price_falls(shares: dict[str, int]) -> None:
    game = left_alone(0, shares=shares, prices={"SIK": 100})
    before = game.copy()
    game.apply(Pass())
    assert gains(before, game) == {}
    assert price_of(game, "SIK") == 95


@pytest.mark.rule("18Mag VI.4.3/3", "18Mag VI.4.3/5")
def test_if_nobody_holds_a_share_the_bank_gets_it_all_and_the_price_rises_the_same() -> None:
    game = left_alone(210, prices={"SIK": 100})
    before = game.copy()
    game.apply(Pass())
    assert gains(before, game) == {"SIK": -210, "bank": 210}
    assert price_of(game, "SIK") == 140


# Tens


@pytest.mark.rule("18Mag VI.4.3/10")
def test_all_that_majors_can_receive_comes_in_tens() -> None:
    for title in (mag_title(), two_player_title()):
        parts = [stack.price * stack.part[0] / stack.part[1] for stack in title.stacks.values()]
        part = title.services["station"].part
        parts += [price * part[0] / part[1] for price in title.minor.station_prices]
        parts += [price for phase in title.phases.values() for price in phase.rail_cars]
        parts += [title.services["extra_tile"].price, title.services["terrain"].price_per_symbol]
        parts += [hex_.printed.cost for hex_ in title.map]
        parts += [tile.promotion_cost for tile in title.tiles.values()]
        parts += [-price for price in title.major.marker_prices]
        assert all(part % 10 == 0 for part in parts)
