"""What minors pay majors for, and what majors pay their shareholders (18Mag III.3.3)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.titles.mag.actions import (
    BuyCar,
    BuyShare,
    BuyTrain,
    Car,
    LayTile,
    PayDividend,
    PlaceStation,
    RunTrains,
)
from ostbahn.titles.mag.state import (
    EstablishStation,
    LayTrack,
    OperateWithCars,
    OperatingRound,
    PayOut,
    PlaceMarker,
    PurchaseTrains,
    StockRound,
)
from tests.titles.mag.scenes import scene, state_of
from tests.titles.mag.share_scenes import (
    MAJORS,
    answer_all,
    cash_of,
    director_of,
    play_until,
    price_of,
    question_of,
    refusal_rule,
    stock_scene,
)


def earned(game: Game, *actions: Action) -> dict[str, int]:
    """What majors have after some answers, those with nothing left out."""
    before = state_of(game).cash
    answer_all(game, *actions)
    return {major: cash_of(game, major) - before[major] for major in MAJORS if cash_of(game, major) != before[major]}


# Tables 2 to 4


@pytest.mark.rule("18Mag III.3.3/5")
@pytest.mark.parametrize(
    ("car", "major", "revenue", "treasury"),
    [("off_board", "RÁBA", 60, 0), ("plus", "G&C", 50, 0), ("mine", "SNW", 40, 30)],
)
def test_each_rail_car_is_paid_to_its_own_company(car: Car, major: str, revenue: int, treasury: int) -> None:
    """Minor 5 runs from Brassó to Isztambul or through three towns, minor 6 from a mine through Kassa to Miskolc."""
    tiles = {
        "off_board": {"H27": ("57", 0)},
        "plus": {"H27": ("5", 2), "G26": ("4", 2), "F25": ("4", 2), "E24": ("4", 2)},
        "mine": {"B17": ("57", 0), "C16": ("57", 0)},
    }[car]
    minor = "6" if car == "mine" else "5"
    game = scene(tiles=tiles, cash={minor: 10}, agenda=[OperateWithCars(minor)])
    owner = state_of(game).owners[minor]
    assert earned(game, BuyCar(car)) == {major: 10}
    assert cash_of(game, minor) == 0
    game.apply(question_of(game).only(RunTrains)[0].action)
    assert state_of(game).revenue[minor] == revenue
    assert (cash_of(game, owner), cash_of(game, minor)) == (revenue // 2, revenue // 2 + treasury)


@pytest.mark.rule("18Mag III.3.3/6")
def test_sik_lives_on_terrain() -> None:
    """C14 has two mountains."""
    game = scene(tiles={"C12": ("57", 1)}, stations={"C12.0": ["1"]}, agenda=[LayTrack("1")])
    assert earned(game, LayTile("C14", "9", 1)) == {"SIK": 20}
    assert cash_of(game, "1") == 30


@pytest.mark.rule("18Mag III.3.3/6")
def test_szkev_lives_on_extra_tiles() -> None:
    game = scene(tiles={"E18": ("57", 1)}, stations={"E18.0": ["1"]}, agenda=[LayTrack("1")])
    assert earned(game, LayTile("E16", "9", 1)) == {}
    assert earned(game, LayTile("E20", "9", 1)) == {"SzKÉV": 10}
    assert cash_of(game, "1") == 40


@pytest.mark.rule("18Mag III.3.3/6")
def test_szkev_lives_on_stations() -> None:
    """Half of 40 Ft, then half of 80 Ft; the bank has the other half."""
    game = scene(
        tiles={"G16": ("57", 2), "H17": ("57", 2), "F15": ("9", 2), "E14": ("57", 2)},
        cash={"10": 120},
        agenda=[EstablishStation("10"), EstablishStation("10")],
    )
    bank = cash_of(game, BANK)
    assert earned(game, PlaceStation("G16.0")) == {"SzKÉV": 20}
    assert earned(game, PlaceStation("E14.0")) == {"SzKÉV": 40}
    assert (cash_of(game, "10"), cash_of(game, BANK)) == (0, bank + 60)


@pytest.mark.rule("18Mag III.3.3/7")
@pytest.mark.parametrize(
    ("face", "major", "part"), [("2", "LdStEG", 40), ("3", "MÁVAG", 60), ("4", "LdStEG", 100), ("6", "MÁVAG", 160)]
)
def test_train_companies_get_half_of_the_price(face: str, major: str, part: int) -> None:
    game = scene(cash={"1": 320}, agenda=[PurchaseTrains("1")])
    bank = cash_of(game, BANK)
    assert earned(game, BuyTrain(face)) == {major: part}
    assert (cash_of(game, "1"), cash_of(game, BANK)) == (320 - 2 * part, bank + part)


# Directors and dividends


@pytest.mark.rule("18Mag III.3.3/1")
def test_only_the_director_decides_for_a_major() -> None:
    game = scene(
        directors={"SIK": "p1"},
        shares={"SIK": {"p2": 2, "p3": 1}},
        cash={"SIK": 100},
        agenda=[PayOut("SIK"), PlaceMarker("SIK")],
    )
    for least in (Pass(), PayDividend(0)):
        assert question_of(game).company == "SIK"
        assert [refusal_rule(game, least, by) for by in ("p1", "p2", "p3")] == ["allowed", "18Mag IV/2", "18Mag IV/2"]
        game.apply(least)
    lone = scene(shares={"SIK": {"p1": 1, "p2": 1}}, cash={"SIK": 100}, agenda=[OperatingRound((), ("SIK",))])
    assert isinstance(question_of(lone).task, StockRound), "with 10% nobody is asked, and the major has paid out all"
    assert (cash_of(lone, "SIK"), cash_of(lone, "p1"), cash_of(lone, "p2")) == (0, 10, 10)


@pytest.mark.rule("18Mag III.3.3/1")
def test_a_director_has_at_least_20_percent() -> None:
    game = stock_scene(shares={"SIK": {"p2": 1, "p3": 1}}, cash={"p1": 70})
    game.apply(BuyShare("SIK"))
    assert director_of(game, "SIK") is None


@pytest.mark.rule("18Mag III.3.3/2")
def test_the_director_share_is_paid_twice() -> None:
    game = scene(directors={"SIK": "p1"}, shares={"SIK": {"p1": 1, "p2": 2}}, cash={"SIK": 100}, agenda=[PayOut("SIK")])
    game.apply(PayDividend(100))
    assert (cash_of(game, "p1"), cash_of(game, "p2"), cash_of(game, "SIK")) == (30, 20, 0)


@pytest.mark.rule("18Mag III.3.3/4")
def test_the_director_is_free_to_keep_the_money() -> None:
    game = scene(directors={"SIK": "p1"}, cash={"SIK": 120}, prices={"SIK": 100}, agenda=[PayOut("SIK")])
    assert [option.action for option in question_of(game)] == [PayDividend(amount) for amount in range(0, 130, 10)]
    game.apply(PayDividend(0))
    assert (cash_of(game, "SIK"), cash_of(game, "p1"), price_of(game, "SIK")) == (120, 0, 95)


@pytest.mark.rule("18Mag III.3.3/4")
def test_money_that_was_kept_pays_for_a_marker_in_the_next_round() -> None:
    game = scene(directors={"SIK": "p1"}, cash={"SIK": 40}, agenda=[PayOut("SIK")])
    game.apply(PayDividend(0))
    play_until(game, lambda question: isinstance(question.task, PlaceMarker))
    assert state_of(game).round == "OR 3.1"
    game.apply(PlaceStation("E18.0"))
    assert cash_of(game, "SIK") == 0


@pytest.mark.rule("18Mag III.3.3/4")
def test_a_major_can_pay_in_every_operating_round() -> None:
    game = scene(phase="green", directors={"SIK": "p1"}, cash={"SIK": 100}, agenda=[PayOut("SIK")])
    for round_ in ("OR 3.1", "OR 3.2"):
        game.apply(PayDividend(10))
        play_until(game, lambda question: isinstance(question.task, PayOut))
        assert state_of(game).round == round_
    assert (cash_of(game, "SIK"), cash_of(game, "p1")) == (80, 4)
