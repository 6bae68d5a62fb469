"""Every rail car that is bought must be of use on the run (18Mag VI.3.7/5, ruling unused_rail_car)."""

from __future__ import annotations

from itertools import combinations
from typing import get_args

import pytest

from ostbahn.titles.mag import running as rules
from ostbahn.titles.mag.actions import BuyCar, Car
from ostbahn.titles.mag.state import MagTable
from tests.titles.mag.run_scenes import (
    CITY_20,
    CITY_30,
    TOWN_10,
    TOWN_30,
    Tiles,
    best_income,
    cash_of,
    line,
    proposed_run,
    question_of,
    refusal_of_run,
    refusal_rule,
    revenue_of,
    running,
    turned,
)

CITY_AND_TOWN = line("F5", CITY_20, TOWN_10)
EITHER_WAY = {"H3": turned(CITY_20, "W", "E"), "H5": turned(CITY_20, "W")}
"""A train that may turn to Trieszt or to a city of the same value."""
TO_THE_MINE = {"E24": turned(CITY_30, "E", "W", "NE"), "D25": ("L34", 3), **line("E20", TOWN_30, TOWN_30)}


@pytest.mark.rule("18Mag VI.3.7/5")
@pytest.mark.parametrize("car", ["off_board", "plus", "mine"])
def test_a_car_of_no_use_is_not_sold(car: Car) -> None:
    game = running("3", ["2"], CITY_AND_TOWN, {"F5.0": ["3"]}, strict=True)
    assert refusal_rule(game, BuyCar(car)) == "18Mag VI.3.7/5"
    assert not question_of(game).only(BuyCar)


@pytest.mark.rule("18Mag VI.3.7/5")
def test_a_minor_without_a_train_buys_no_car() -> None:
    game = running("13", [], {"I2": turned(CITY_20, "NW")}, strict=True)
    assert not question_of(game).only(BuyCar)
    assert best_income(game) == (0, 0)


@pytest.mark.rule("18Mag VI.3.7/5")
def test_where_it_is_allowed_a_minor_may_hand_a_major_money_for_nothing() -> None:
    for game in (
        running("3", ["2"], CITY_AND_TOWN, {"F5.0": ["3"]}, rulings={"unused_rail_car": "allowed"}),
        running("3", ["2"], CITY_AND_TOWN, {"F5.0": ["3"]}, strict=True, site=True),
    ):
        game.apply(BuyCar("mine"))
        assert cash_of(game, "3", "SNW") == [40, 10]
        assert revenue_of(game, ("F5.0", "F7.0")) == 30
        assert best_income(game) == (30, 0)


UNUSED: list[tuple[Car, Tiles, tuple[str, ...], tuple[str, ...]]] = [
    ("off_board", EITHER_WAY, ("H3.0", "H5.0"), ("H3.0", "H1.0")),
    ("plus", line("H3", CITY_20, TOWN_10, TOWN_10), ("H3.0", "H5.0"), ("H3.0", "H5.0", "H7.0")),
    ("mine", line("E22", TOWN_10, CITY_20), ("E22.0", "E24.0"), ("E22.0", "E24.0", "E26.0")),
]


@pytest.mark.rule("18Mag VI.3.7/5")
@pytest.mark.parametrize(("car", "tiles", "without", "with_it"), UNUSED, ids=["red", "blue", "grey"])
def test_a_bought_car_must_show_on_the_run(
    car: Car, tiles: Tiles, without: tuple[str, ...], with_it: tuple[str, ...]
) -> None:
    """Even where nobody demands the highest revenue; but whoever may leave it unused can run as he likes."""
    stations = {"H3.0": ["3"], "E24.0": ["3"]}
    rulings = {"highest_revenue": "not demanded", "unused_rail_car": "refused"}
    game = running("3", ["2"], tiles, stations, cars=[car], rulings=rulings)
    assert refusal_of_run(game, without) == "18Mag VI.3.7/5"
    assert refusal_of_run(game, without, cars=[[car]]) == "18Mag VI.3.7/5", (
        "it is with the train, but does nothing there"
    )
    assert refusal_of_run(game, with_it, cars=[[car]]) == "allowed"
    game = running("3", ["2"], tiles, stations, cars=[car], rulings={**rulings, "unused_rail_car": "allowed"})
    assert refusal_of_run(game, without) == refusal_of_run(game, without, cars=[[car]]) == "allowed"


@pytest.mark.rule("18Mag VI.3.7/5")
def test_the_order_of_cars_is_free_if_all_are_of_use_in_the_end() -> None:
    """Only as a plus-train the train reaches Galicia; but RÁBA may be the one that is paid 10, and G&C 20."""
    tiles = {"B17": turned(CITY_20, "E"), **line("B19", TOWN_10, TOWN_10)}
    game = running("6", ["2"], tiles, strict=True)
    game.apply(BuyCar("plus"))
    game.apply(BuyCar("off_board"))
    assert best_income(game) == (20 + 10 + 10 + 30 + 20, 0)
    assert cash_of(game, "G&C", "RÁBA") == [10, 20]
    game = running("6", ["2"], tiles, strict=True)
    assert refusal_rule(game, BuyCar("off_board")) == "allowed"


GALICIA_BY_PLUS = {"B17": turned(CITY_30, "W", "NE", "E"), **line("B19", TOWN_10, TOWN_10)}
"""From Kassa a mine lies to the north-east; to the east Galicia, which a 2-train reaches as a plus-train only."""


@pytest.mark.rule("18Mag VI.3.7/4")
def test_several_cars_may_go_with_one_train_while_another_has_none() -> None:
    tiles = {**GALICIA_BY_PLUS, **line("B15", TOWN_10)}
    game = running("6", ["2", "2"], tiles, cars=["off_board", "plus"], strict=True)
    assert best_income(game) == ((30 + 10 + 10 + 30 + 20) + (30 + 10), 0)
    assert sorted(run.cars for run in proposed_run(game).runs) == [(), ("off_board", "plus")]


@pytest.mark.rule("18Mag VI.3.7/5", "18Mag VI.3.7/6")
@pytest.mark.parametrize(("cars", "both"), [((), 10 + 20), (("mine",), 20 + 30)], ids=["first", "second"])
def test_a_car_that_needs_another_is_sold_only_to_whoever_can_pay_both(cars: tuple[Car, ...], both: int) -> None:
    """The red car is of no use without the blue one, which costs more as the later of the two."""
    for cash, rule in ((both - 1, "18Mag VI.3.7/5"), (both, "allowed")):
        game = running("6", ["2"], GALICIA_BY_PLUS, cars=cars, strict=True, cash={"6": cash})
        assert refusal_rule(game, BuyCar("off_board")) == rule
        assert refusal_rule(game, BuyCar("plus")) == "allowed"


@pytest.mark.rule("18Mag VI.3.7/4", "18Mag VI.3.7/5")
@pytest.mark.parametrize("order", [("mine", "plus"), ("plus", "mine")], ids=" ".join)
def test_whatever_cars_can_be_bought_there_is_a_run_with_them(order: tuple[Car, ...]) -> None:
    """The blue car alone brings 140, without the mine; the grey car alone 110, and a run that uses both 120."""
    game = running("3", ["2"], TO_THE_MINE, {"E24.0": ["3"]}, strict=True)
    for car in order:
        if BuyCar(car) in question_of(game):
            game.apply(BuyCar(car))
    assert proposed_run(game).runs


SCENES: list[tuple[tuple[str, ...], Tiles, str]] = [
    (("2",), CITY_AND_TOWN, "F5.0"),
    (("2",), EITHER_WAY, "H3.0"),
    (("2",), line("H3", CITY_20, TOWN_10, TOWN_10), "H3.0"),
    (("2",), TO_THE_MINE, "E24.0"),
    (("2", "2"), line("H3", CITY_20, TOWN_10, TOWN_10), "H3.0"),
    (("3", "2"), TO_THE_MINE, "E24.0"),
]


@pytest.mark.parametrize(("trains", "tiles", "city"), SCENES)
def test_short_cuts_know_as_well_as_two_searches_whether_cars_are_of_use(
    trains: tuple[str, ...], tiles: Tiles, city: str
) -> None:
    """By definition: the best run on which every car shows earns as much as the best of all."""
    table = running("3", trains, tiles, {city: ["3"]}).table
    assert isinstance(table, MagTable)
    for cars in (cars for number in (1, 2, 3) for cars in combinations(get_args(Car), number)):
        showing = rules.best(table, "3", cars, using_all=True)
        of_use = showing.routes != () and showing.worth == rules.best(table, "3", cars).worth
        assert (rules.best_run_using_all(table, "3", cars) is not None) == of_use, cars
        assert not showing.routes or not rules.unused_cars(table, showing.routes, cars)
