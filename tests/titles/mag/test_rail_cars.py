"""Rail cars: what they cost, and what they do for a run (18Mag VI.3.7/5 to VI.3.7/15)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.mag.actions import BuyCar, Car, RunTrains, TrainRun
from ostbahn.titles.mag.state import OperateWithCars, OperatingRound, Rounds
from tests.titles.mag.run_scenes import (
    CITY_20,
    CITY_30,
    CITY_40,
    SHARP,
    SHARP_TOWN,
    STRAIGHT,
    TOWN_10,
    best_income,
    cash_of,
    gains,
    income_of,
    line,
    path_of_line,
    proposed_run,
    question_of,
    refusal_of_run,
    refusal_rule,
    revenue_of,
    running,
    turned,
)

SELLERS: dict[Car, str] = {"off_board": "RÁBA", "plus": "G&C", "mine": "SNW"}
ALL_OF_USE = {"B17": turned(CITY_30, "W", "NE", "E"), **line("B19", TOWN_10, STRAIGHT), **line("B13", TOWN_10, TOWN_10)}
"""From Kassa, the home of minor 6, a mine lies to the north-east, Galicia to the east and two towns to the west."""


def kassa(trains: tuple[str, ...] = ("3", "2"), **fields: Any) -> Game:
    """Minor 6, to which every car is of use, whichever others it has."""
    return running("6", trains, ALL_OF_USE, **{"cash": {"6": 100}, "strict": True, **fields})


# Who is paid, and how much


@pytest.mark.rule("18Mag VI.3.7/5")
@pytest.mark.parametrize("car", SELLERS)
def test_a_car_is_paid_from_the_treasury_to_the_major_that_offers_it(car: Car) -> None:
    game = kassa()
    before = game.copy()
    game.apply(BuyCar(car))
    assert gains(before, game) == {"6": -10, SELLERS[car]: 10}


@pytest.mark.rule("18Mag VI.3.7/5", "18Mag VI.3.7/6")
@pytest.mark.parametrize(("phase", "prices"), [("yellow", (10, 20, 30)), ("green", (10, 20, 30))])
@pytest.mark.parametrize("order", list(permutations(SELLERS)), ids="-".join)
def test_three_cars_cost_60_until_green_in_any_order(phase: str, prices: tuple[int, ...], order: tuple[Car]) -> None:
    game = kassa(phase=phase)
    for car in order:
        game.apply(BuyCar(car))
    assert cash_of(game, "6", *(SELLERS[car] for car in order)) == [40, *prices]
    assert not question_of(game).only(BuyCar)


@pytest.mark.rule("18Mag VI.3.7/6")
@pytest.mark.parametrize("phase", ["brown", "grey"])
def test_three_cars_cost_90_from_brown_on(phase: str) -> None:
    game = kassa(phase=phase)
    for car in SELLERS:
        game.apply(BuyCar(car))
    assert cash_of(game, "6", *SELLERS.values()) == [10, 20, 30, 40]


@pytest.mark.rule("18Mag VI.3.7/5")
def test_the_income_of_the_run_does_not_pay_for_its_cars() -> None:
    assert refusal_rule(kassa(cash={"6": 9}), BuyCar("plus")) == "18Mag VI.3.7/5"
    game = kassa(cash={"6": 29})
    game.apply(BuyCar("plus"))
    assert refusal_rule(game, BuyCar("mine")) == "18Mag VI.3.7/5"
    assert not question_of(game).only(BuyCar)
    assert best_income(game)[0] > 20


@pytest.mark.rule("18Mag S.3.1/2", "18Mag VI.3.7/5")
def test_no_car_is_needed_and_none_bought_twice_in_a_turn() -> None:
    game = kassa()
    assert proposed_run(game).runs
    game.apply(BuyCar("off_board"))
    assert refusal_rule(game, BuyCar("off_board")) == "18Mag S.3.1/2"


@pytest.mark.rule("18Mag S.3.1/2")
def test_a_car_is_gone_after_the_turn_and_may_be_bought_again() -> None:
    game = kassa(agenda=[Rounds(2, 1, 2), OperatingRound(("6",))], phase="green")
    for _ in range(2):
        for _ in ("track", "station", "scrapping"):
            game.apply(Pass())
        task = question_of(game).task
        assert isinstance(task, OperateWithCars)
        assert task.cars == ()
        game.apply(BuyCar("off_board"))
        game.apply(proposed_run(game))
        game.apply(Pass())


@pytest.mark.rule("18Mag VI.3.7/6")
def test_an_imported_price_is_checked_or_believed() -> None:
    game = kassa()
    assert refusal_rule(game, BuyCar("plus", claim=20)) == "18Mag VI.3.7/6"
    assert refusal_rule(game, BuyCar("plus", claim=10)) == "allowed"
    game = kassa(rulings={"claimed_car_price": "believed"})
    assert refusal_rule(game, BuyCar("plus", claim=101)) == "18Mag VI.3.7/5"
    assert refusal_rule(game, BuyCar("plus", claim=-1)) == "18Mag VI.3.7/5"
    assert refusal_rule(game, BuyCar("plus", claim=0)) == refusal_rule(game, BuyCar("plus", claim=100)) == "allowed"
    game.apply(BuyCar("plus", claim=20))
    assert cash_of(game, "6", "G&C") == [80, 20]


# The red car


@pytest.mark.rule("18Mag VI.3.7/8", "18Mag VI.3.7/3", "18Mag VI.3.7/7", "18Mag III.3.2/5")
def test_the_example_of_minor_13() -> None:
    game = running("13", ["2"], {"I2": turned(CITY_20, "NW")}, strict=True)
    before = game.copy()
    assert best_income(game) == (40, 0)
    game.apply(BuyCar("off_board"))
    assert best_income(game) == (60, 0)
    game.apply(proposed_run(game))
    assert gains(before, game) == {"p1": 30, "13": 30 - 10, "RÁBA": 10, "bank": -60}


RED_TO_RED = {**line("C8", *[STRAIGHT] * 3, CITY_20, *[STRAIGHT] * 3), "C22": turned(SHARP, "W", "NW")}
RED_TO_RED |= {"B21": turned(SHARP, "SE", "E")}


@pytest.mark.rule("18Mag VI.3.7/7")
@pytest.mark.parametrize(
    ("phase", "values", "bonus"),
    [("yellow", 30 + 30, 20), ("green", 40 + 40, 20), ("brown", 50 + 50, 30), ("grey", 70 + 60, 30)],
)
def test_the_red_car_raises_one_of_two_red_hexes(phase: str, values: int, bonus: int) -> None:
    path = ("C6.0", *path_of_line(RED_TO_RED), "B23.0")
    game = running("3", ["3"], RED_TO_RED, {"C14.0": ["3"]}, cars=["off_board"], phase=phase)
    assert revenue_of(game, path) == values + 20
    assert revenue_of(game, path, cars=[["off_board"]]) == values + 20 + bonus
    assert best_income(game) == (values + 20 + bonus, 0)


@pytest.mark.rule("18Mag VI.3.7/7", "18Mag S.3.1/2")
def test_the_red_car_serves_one_train() -> None:
    tiles = {"H3": turned(CITY_20, "W"), "I2": turned(CITY_20, "NW")}
    game = running("13", ["2", "2"], tiles, {"H3.0": ["13"]}, cars=["off_board"])
    ways = ("H3.0", "H1.0"), ("I2.0", "H1.0")
    assert revenue_of(game, *ways, cars=[["off_board"]]) == revenue_of(game, *ways, cars=[[], ["off_board"]]) == 100
    assert refusal_of_run(game, *ways, cars=[["off_board"], ["off_board"]]) in ("18Mag S.3.1/2", "18Mag VI.3.7/7")
    assert best_income(game) == (100, 0)


@pytest.mark.rule("18Mag VI.3.7/7")
def test_the_red_car_does_nothing_for_cities_and_towns() -> None:
    tiles = line("F5", CITY_20, TOWN_10)
    game = running("3", ["2"], tiles, {"F5.0": ["3"]}, cars=["off_board"])
    assert revenue_of(game, path_of_line(tiles), cars=[["off_board"]]) == 30


# The blue car


def places(kinds: str) -> dict[str, tuple[str, int]]:
    return line("F5", *(CITY_20 if kind == "C" else TOWN_10 for kind in kinds))


@pytest.mark.rule("18Mag VI.3.7/9", "18Mag VI.3.7/10")
@pytest.mark.parametrize(
    ("train", "kinds", "revenue"),
    [
        ("3", "CTCTCT", 90),
        ("3", "CCCTTT", 90),
        ("3", "CTTTTC", 80),
        ("3", "CTTTTT", 70),
        ("3", "CC", 40),
        ("2", "CTTC", 60),
        ("2", "CTTT", 50),
        ("4", "CTCTCTCT", 120),
        ("6", "CTCTCTCTCTCT", 180),
    ],
)
def test_a_plus_train_has_as_many_towns_in_addition(train: str, kinds: str, revenue: int) -> None:
    tiles = places(kinds)
    game = running("3", [train], tiles, {"F5.0": ["3"]}, cars=["plus"])
    assert revenue_of(game, path_of_line(tiles), cars=[["plus"]]) == revenue
    assert best_income(game) == (revenue, 0)
    if len(kinds) > int(train):
        assert refusal_of_run(game, path_of_line(tiles)) == "18Mag VI.3.6/2", "without the car"


@pytest.mark.rule("18Mag VI.3.7/9", "18Mag VI.3.7/10")
@pytest.mark.parametrize(
    ("train", "kinds"), [("3", "CCCC"), ("3", "CCCTTTT"), ("3", "CTTTTTT"), ("3", "CTTTTTC"), ("2", "CTCTC")]
)
def test_a_plus_train_goes_no_further(train: str, kinds: str) -> None:
    game = running("3", [train], places(kinds), {"F5.0": ["3"]}, cars=["plus"])
    assert refusal_of_run(game, path_of_line(places(kinds)), cars=[["plus"]]) in ("18Mag VI.3.7/9", "18Mag VI.3.7/10")


@pytest.mark.rule("18Mag VI.3.7/10")
@pytest.mark.parametrize(("kinds", "fits"), [("CTTTC", True), ("CTTCC", False), ("CTCTT", True), ("CCTTTC", False)])
def test_a_red_hex_is_no_additional_town(kinds: str, fits: bool) -> None:
    tiles = line("H3", *(CITY_20 if kind == "C" else TOWN_10 for kind in kinds))
    game = running("8", ["3"], tiles, {"H3.0": ["8"]}, cars=["plus"])
    path = ("H1.0", *path_of_line(tiles))
    if fits:
        assert revenue_of(game, path, cars=[["plus"]]) == 20 + 20 * kinds.count("C") + 10 * kinds.count("T")
    else:
        assert refusal_of_run(game, path, cars=[["plus"]]) == "18Mag VI.3.7/10"


@pytest.mark.rule("18Mag VI.3.7/11")
def test_the_example_of_minor_12() -> None:
    """From Nagyszeben over three towns and Brassó to Isztambul; the picture is lost, the values fit."""
    tiles = {
        "H23": turned(CITY_20, "NE"),
        "G24": turned("58", "SW", "E"),
        "G26": turned(TOWN_10, "W", "E"),
        "G28": turned(SHARP_TOWN, "W", "SW"),
        "H27": turned(CITY_30, "NE", "SW"),
    }
    game = running("12", ["3"], tiles, phase="brown", strict=True)
    assert best_income(game) == (40, 0)
    game.apply(BuyCar("plus"))
    assert best_income(game) == (20 + 10 + 10 + 10 + 30 + 40, 0)
    assert cash_of(game, "G&C") == [20]


@pytest.mark.rule("18Mag VI.3.7/9", "18Mag S.3.1/2")
def test_the_blue_car_serves_one_train() -> None:
    tiles = line("F5", TOWN_10, TOWN_10, CITY_40, TOWN_10, TOWN_10)
    game = running("3", ["2", "2"], tiles, {"F9.0": ["3"]}, cars=["plus"])
    west, east = ("F5.0", "F7.0", "F9.0"), ("F9.0", "F11.0", "F13.0")
    assert revenue_of(game, west, east[:2], cars=[["plus"]]) == 110
    assert refusal_of_run(game, west, east, cars=[["plus"]]) == "18Mag VI.3.6/2"
    assert refusal_of_run(game, west, east, cars=[["plus"], ["plus"]]) in ("18Mag S.3.1/2", "18Mag VI.3.7/9")


# The grey car


THROUGH = {"E24": turned(CITY_20, "E"), "F25": turned(CITY_20, "NE", "SW")}
"""A mine between two cities."""


@pytest.mark.rule("18Mag VI.3.7/13", "18Mag VI.3.7/12", "18Mag VI.3.7/16")
def test_the_example_of_minor_6() -> None:
    game = running("6", ["2"], {"B17": turned("6", "W", "NE"), "B15": turned(TOWN_10, "W", "E")}, strict=True)
    before = game.copy()
    assert best_income(game) == (30, 0)
    game.apply(BuyCar("mine"))
    assert best_income(game) == (30, 30)
    game.apply(RunTrains((TrainRun("2-1", ("A18.0", "B17.0", "B15.0"), ("mine",)),)))
    assert gains(before, game) == {"p1": 15, "6": 15 + 30 - 10, "SNW": 10, "bank": -60}


@pytest.mark.rule("18Mag VI.3.7/12", "18Mag VI.3.7/14")
def test_a_train_runs_through_a_mine_between_two_cities_only_with_the_car() -> None:
    path = ("E24.0", "E26.0", "F25.0")
    plain = running("3", ["2"], THROUGH, {"E24.0": ["3"]})
    assert refusal_of_run(plain, path) == "18Mag VI.3.7/12"
    assert best_income(plain) == (0, 0)
    game = running("3", ["2"], THROUGH, {"E24.0": ["3"]}, cars=["mine"])
    assert income_of(game, path, cars=[["mine"]]) == (40, 30)
    assert refusal_of_run(game, path) == "18Mag VI.3.7/12", "the car must go with the train"
    assert best_income(game) == (40, 30)


@pytest.mark.rule("18Mag VI.3.7/12", "18Mag VI.3.7/14")
@pytest.mark.parametrize(("phase", "value"), [("yellow", 30), ("green", 30), ("brown", 50), ("grey", 50)])
def test_a_mine_comes_on_top_of_all_stops(phase: str, value: int) -> None:
    tiles = {**THROUGH, "G24": turned(TOWN_10, "NE", "SW")}
    game = running("3", ["3"], tiles, {"E24.0": ["3"]}, cars=["mine"], phase=phase)
    assert income_of(game, ("E24.0", "E26.0", "F25.0", "G24.0"), cars=[["mine"]]) == (50, value)


@pytest.mark.rule("18Mag VI.3.7/14")
def test_a_mine_at_the_end_of_a_route() -> None:
    tiles = line("E22", TOWN_10, CITY_20)
    game = running("3", ["2"], tiles, {"E24.0": ["3"]}, cars=["mine"])
    assert income_of(game, ("E22.0", "E24.0", "E26.0"), cars=[["mine"]]) == (30, 30)
    assert income_of(game, ("E26.0", "E24.0", "E22.0"), cars=[["mine"]]) == (30, 30)
    assert refusal_of_run(game, ("E24.0", "E26.0"), cars=[["mine"]]) == "18Mag VI.3.7/14"


TWO_MINES = {"B9": turned(CITY_20, "NE"), **line("A12", STRAIGHT, CITY_20, STRAIGHT), "B17": turned(CITY_20, "NE")}


@pytest.mark.rule("18Mag VI.3.7/15")
def test_only_one_mine_and_only_one_train() -> None:
    west, east = ("B9.0", "A10.0", "A12", "A14.0"), ("A14.0", "A16", "A18.0", "B17.0")
    single = running("6", ["3"], TWO_MINES, cars=["mine"], stations={"A14.0": ["6"]})
    assert refusal_of_run(single, (*west, *east[1:]), cars=[["mine"]]) == "18Mag VI.3.7/15"
    assert best_income(single) == (40, 30)
    double = running("6", ["2", "2"], TWO_MINES, cars=["mine"], stations={"A14.0": ["6"]})
    assert refusal_of_run(double, west, east, cars=[["mine"], ["mine"]]) in ("18Mag S.3.1/2", "18Mag VI.3.7/15")
    assert refusal_of_run(double, west, east, cars=[["mine"]]) == "18Mag VI.3.7/12"
    assert income_of(double, west, cars=[["mine"]]) == (40, 30)
    assert best_income(double) == (40, 30)


# Several cars


@pytest.mark.rule("18Mag VI.3.7/5")
def test_cars_may_share_a_train_or_be_spread_over_two() -> None:
    game = kassa(strict=False, cars=["off_board", "mine", "plus"])
    three, two = ("B23.0", "B21", "B19.0", "B17.0", "A18.0"), ("B17.0", "B15.0", "B13.0")
    assert income_of(game, three, two, cars=[["mine", "off_board"], ["plus"]]) == (30 + 20 + 10 + 30 + 30 + 20, 30)
    assert income_of(game, three, two[:2], cars=[["mine", "off_board", "plus"]]) == (30 + 20 + 10 + 30 + 30 + 10, 30)
    assert best_income(game) == (140, 30)
    three_first = kassa(("2", "3"), strict=False, cars=["off_board", "mine", "plus"])
    assert best_income(three_first) == (140, 30)


@pytest.mark.rule("18Mag VI.3.7/5", "18Mag VI.3.7/12")
def test_all_cars_on_a_single_train() -> None:
    tiles = {"B17": turned("5", "NE", "E"), **line("B19", TOWN_10, TOWN_10)}
    game = running("6", ["2"], tiles, cars=["mine", "off_board", "plus"])
    path = ("A18.0", "B17.0", "B19.0", "B21.0", "B23.0")
    assert income_of(game, path, cars=[["mine", "off_board", "plus"]]) == (20 + 10 + 10 + 30 + 20, 30)
    assert best_income(game) == (90, 30)


@pytest.mark.rule("18Mag S.3.1/2")
def test_only_cars_that_were_bought_can_be_used() -> None:
    game = running("3", ["2"], THROUGH, {"E24.0": ["3"]}, cars=["plus"])
    assert refusal_of_run(game, ("E24.0", "E26.0", "F25.0"), cars=[["mine"]]) == "18Mag S.3.1/2"
