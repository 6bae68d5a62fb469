"""Inauguration and capitalisation of a share company (18CZ VII.5, VII.5.a)."""

from __future__ import annotations

import pytest

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Paid, StationPlaced, TurnBegan
from ostbahn.titles.cz.actions import (
    BuyShare,
    BuyTrain,
    LayTile,
    PayOut,
    RunTrains,
    SellShares,
    StartCompany,
    Withhold,
)
from ostbahn.titles.cz.state import LayTrack, OperatingRound, RedHome, Timetable
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.looking import answer_all, asked, cash_of, director_of, events_of, price_of, refused_by, stack_at
from tests.titles.cz.scenes import scene, state_of, stock_round, table_of

RICH = {"p1": 2000, "p2": 2000, "p3": 2000}
OR_AFTER_SR_3 = 7
"""Box of the process track."""


def start_prices(game: Game, company: str) -> list[int]:
    return [
        option.action.price
        for option in asked(game)
        if isinstance(option.action, StartCompany) and option.action.company == company
    ]


def first_turn(company: str, price: int = 60) -> Game:
    """An Operating Round in which a small company has its very first turn."""
    return scene(started={company: (price, "p1")}, cash={company: 4 * price}, agenda=[OperatingRound((company,))])


# VII.5, the marker


@pytest.mark.rule("18CZ VII.5/1")
@pytest.mark.parametrize(("company", "price"), [("EKJ", 55), ("BN", 80), ("kk", 120)])
def test_the_marker_lies_on_the_chart_as_soon_as_the_certificate_is_bought(company: str, price: int) -> None:
    game = scene(phase="d", agenda=[stock_round("p1")])
    assert chart.position(table_of(game), company) is None
    game.apply(StartCompany(company, price))
    assert price_of(game, company) == price
    assert cash_of(game, "p1") == 380 - 2 * price


@pytest.mark.rule("18CZ VII.5/2")
def test_a_new_marker_goes_beneath_the_others() -> None:
    game = scene(phase="b", agenda=[stock_round("p1")])
    answer_all(game, StartCompany("EKJ", 60), StartCompany("OFE", 60), StartCompany("BN", 60))
    assert stack_at(game, 60) == ("EKJ", "OFE", "BN")


@pytest.mark.rule("18CZ VII.5/3", "18CZ VII.5/4", "18CZ VII.5/5")
@pytest.mark.parametrize(
    ("company", "prices", "rule"),
    [
        ("EKJ", [50, 55, 60, 65, 70], "18CZ VII.5/3"),
        ("BN", [60, 70, 80, 90, 100], "18CZ VII.5/4"),
        ("kk", [90, 100, 110, 120], "18CZ VII.5/5"),
    ],
)
def test_the_starting_prices_of_each_size(company: str, prices: list[int], rule: str) -> None:
    game = scene(phase="d", agenda=[stock_round("p1")])
    assert start_prices(game, company) == prices
    for price in set(cz_title().prices) - set(prices):
        assert refused_by(game, StartCompany(company, price)) == rule


# VII.5, floating and the first turn


@pytest.mark.rule("18CZ VII.5/6")
@pytest.mark.parametrize(
    ("company", "price", "further", "markers"), [("EKJ", 60, 0, 3), ("BN", 60, 1, 3), ("kk", 90, 3, 2)]
)
def test_the_station_markers_come_with_the_float(company: str, price: int, further: int, markers: int) -> None:
    game = scene(phase="d", cash=RICH, agenda=[stock_round("p1")])
    purchases: list[Action] = [StartCompany(company, price), *[BuyShare(company)] * further]
    for purchase in purchases:
        assert sum(state_of(game).markers.get(company, (0, 0))) == 0
        game.apply(purchase)
    assert sum(state_of(game).markers[company]) == markers
    assert director_of(game, company) == "p1"


@pytest.mark.rule("18CZ VII.5/7")
def test_a_company_operates_in_the_round_after_it_floated() -> None:
    game = scene(phase="d", cash=RICH, agenda=[Timetable(OR_AFTER_SR_3), stock_round("p1")])
    answer_all(game, StartCompany("VBW", 50), StartCompany("kk", 120), Pass(), Pass(), Pass(), Pass())
    assert state_of(game).round == "OR 3.1"
    assert asked(game).company == "VBW", "kk has a higher price, but it has not floated"
    assert asked(game).decider == "p1"


@pytest.mark.rule("18CZ VII.5/8")
@pytest.mark.parametrize(
    ("company", "price", "home"),
    [("EKJ", 60, "D4.0"), ("VBW", 60, "I9.0"), ("KFN", 80, "G19.0"), ("BN", 80, "E11.1"), ("NWB", 80, "E11.0")],
)
def test_the_first_turn_begins_with_the_home_station(company: str, price: int, home: str) -> None:
    game = scene(
        phase="b",
        started={company: (price, "p1")},
        shares={company: {"p1": 1}},
        agenda=[OperatingRound((company,))],
    )
    assert game.opening == (TurnBegan(company), StationPlaced(home, company))
    assert cash_of(game, company) == 0
    assert asked(game).task == LayTrack(company, first=True)


@pytest.mark.rule("18CZ VII.5/8")
def test_a_large_company_is_asked_for_its_home_before_anything_else() -> None:
    game = scene(phase="d", started={"kk": (100, "p1")}, shares={"kk": {"p1": 3}}, agenda=[OperatingRound(("kk",))])
    assert asked(game).task == RedHome("kk")
    assert refused_by(game, Pass()) == "18CZ VIII.3/1"
    record = game.apply(asked(game).options[0].action)
    (placed,) = events_of(StationPlaced, record.events)
    assert placed.city in ("J14.0", "I17.0")
    assert not events_of(Paid, record.events)


@pytest.mark.rule("18CZ VII.5/8")
def test_later_turns_bring_no_further_home_station() -> None:
    game = scene(started={"EKJ": (60, "p1")}, stations={"D4.0": ["EKJ"]}, agenda=[OperatingRound(("EKJ",))])
    assert game.opening == (TurnBegan("EKJ"),)
    assert asked(game).task == LayTrack("EKJ", first=False)


@pytest.mark.rule("18CZ VII.5/9")
def test_the_home_tile_is_a_lay_of_the_normal_track_step() -> None:
    game = first_turn("EKJ")
    assert {option.action.hex for option in asked(game) if isinstance(option.action, LayTile)} == {"D4"}
    assert refused_by(game, LayTile("D6", "9", 1)) == "18CZ VIII.4/7"
    game.apply(LayTile("D4", "57", 1))
    assert LayTile("D6", "9", 1) in asked(game)
    game.apply(LayTile("D6", "9", 1))
    assert asked(game).kind == "establish_station"


@pytest.mark.rule("18CZ VII.5/10")
def test_without_a_home_tile_the_station_lies_in_the_bare_hex() -> None:
    game = first_turn("EKJ")
    assert Pass() in asked(game)
    game.apply(Pass())
    assert asked(game).kind == "establish_station"
    assert state_of(game).board.tiles == {}
    assert state_of(game).board.companies_in("D4") == ["EKJ"]


@pytest.mark.rule("18CZ VII.5/9", "18CZ VII.5/10")
def test_a_company_that_skipped_its_home_tile_may_lay_it_later() -> None:
    game = scene(started={"EKJ": (60, "p1")}, stations={"D4.0": ["EKJ"]}, agenda=[OperatingRound(("EKJ",))])
    assert refused_by(game, LayTile("D6", "9", 1)) == "18CZ VIII.4/7"
    game.apply(LayTile("D4", "57", 1))
    assert asked(game).kind == "establish_station"
    assert state_of(game).board.stations == {"D4.0": ("EKJ",)}


# VII.5.a


@pytest.mark.rule("18CZ VII.5.a/1")
@pytest.mark.parametrize(
    ("company", "price", "further", "capital"), [("EKJ", 55, 0, 220), ("BN", 80, 1, 400), ("kk", 110, 3, 1100)]
)
def test_the_capital_is_for_all_shares_sold_or_not(company: str, price: int, further: int, capital: int) -> None:
    game = scene(phase="d", cash=RICH, agenda=[stock_round("p1")])
    answer_all(game, StartCompany(company, price), *[BuyShare(company)] * further)
    assert cash_of(game, company) == capital


@pytest.mark.rule("18CZ VII.5.a/2", "18CZ VII.5.a/3", "18CZ VII.5.a/4")
@pytest.mark.parametrize(
    ("company", "further", "price", "outlay", "treasury"),
    [
        ("EKJ", 0, 50, 100, 200),
        ("EKJ", 0, 55, 110, 220),
        ("EKJ", 0, 60, 120, 240),
        ("EKJ", 0, 65, 130, 260),
        ("EKJ", 0, 70, 140, 280),
        ("BN", 1, 60, 180, 300),
        ("BN", 1, 70, 210, 350),
        ("BN", 1, 80, 240, 400),
        ("BN", 1, 90, 270, 450),
        ("BN", 1, 100, 300, 500),
        ("kk", 3, 90, 450, 900),
        ("kk", 3, 100, 500, 1000),
        ("kk", 3, 110, 550, 1100),
        ("kk", 3, 120, 600, 1200),
    ],
)
def test_the_capital_tables(company: str, further: int, price: int, outlay: int, treasury: int) -> None:
    game = scene(phase="d", cash=RICH, agenda=[stock_round("p1")])
    answer_all(game, StartCompany(company, price), *[BuyShare(company)] * further)
    assert company in state_of(game).floated
    assert sum(RICH.values()) - sum(cash_of(game, player) for player in RICH) == outlay
    assert cash_of(game, company) == treasury


@pytest.mark.rule("18CZ VII.5.a/5")
@pytest.mark.parametrize(("start", "fallen", "capital"), [(100, 95, 1000), (120, 115, 1200)])
def test_the_starting_price_decides_even_if_the_price_fell(start: int, fallen: int, capital: int) -> None:
    game = scene(
        phase="d", cash=RICH, started={"kk": (start, "p1")}, shares={"kk": {"p2": 2}}, agenda=[stock_round("p2")]
    )
    answer_all(game, SellShares("kk", 10), Pass(), BuyShare("kk"))
    assert price_of(game, "kk") == fallen
    assert cash_of(game, "kk") == 0
    game.apply(BuyShare("kk"))
    assert cash_of(game, "kk") == capital


@pytest.mark.rule("18CZ VII.5.a/6")
def test_shares_sold_after_the_float_bring_the_company_nothing() -> None:
    game = scene(
        phase="d",
        started={"kk": (100, "p1"), "EKJ": (60, "p1")},
        shares={"kk": {"p1": 3}},
        cash={"kk": 1000, "EKJ": 240},
        agenda=[stock_round("p2")],
    )
    answer_all(game, BuyShare("kk"), BuyShare("EKJ"))
    assert (cash_of(game, "kk"), cash_of(game, "EKJ")) == (1000, 240)


@pytest.mark.rule("18CZ VII.5.a/7")
def test_nothing_in_a_turn_moves_money_between_director_and_treasury() -> None:
    game = scene(
        phase="b",
        started={"EKJ": (60, "p1"), "OFE": (60, "p2")},
        cash={"EKJ": 240, "OFE": 240},
        tiles={"D2": ("57", 1), "D4": ("57", 1)},
        stations={"D4.0": ["EKJ"]},
        trains={"EKJ": [("a1", "2")], "OFE": [("a2", "2")]},
        agenda=[OperatingRound(("EKJ",))],
    )
    seen: set[type[Action]] = set()
    while game.question is not None:
        for option in game.question:
            seen.add(type(option.action))
            for paid in events_of(Paid, game.copy().apply(option.action).events):
                assert {paid.source, paid.target} != {"p1", "EKJ"}
        onward = Pass() if Pass() in game.question else game.question.options[0].action
        game.apply(onward)
    assert seen >= {LayTile, RunTrains, PayOut, Withhold, BuyTrain, Pass}
