"""The run that the engine proposes and demands: the highest, and legal (18CZ VIII.7, VIII.8/6).

The expected sums are worked out by hand from the values on the tiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from _pytest.mark import ParameterSet
from msgspec import structs

from bench.dense import dense_board, thinned
from ostbahn.analysis.runs import best_run
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import NotProven, Revenue
from ostbahn.kernel.routes.budget import StepBudget
from ostbahn.titles.cz.actions import RunTrains, TrainRun
from ostbahn.titles.cz.title import cz_title
from tests.kernel.router_parameters import router_parameters
from tests.titles.cz.asking import asked
from tests.titles.cz.lines import (
    CITY_20,
    CITY_30,
    CITY_40,
    CITY_50,
    CITY_60,
    RED,
    SHARP,
    SHARP_TOWN,
    STRAIGHT,
    TOWN_10,
    TOWN_30,
    Tiles,
    line,
    star,
    turned,
    way,
)
from tests.titles.cz.looking import refused_by
from tests.titles.cz.runs import best, earned, rule_against, run, running


class Case(NamedTuple):
    company: str
    trains: list[str]
    tiles: Tiles
    stations: dict[str, list[str]]
    revenue: int


def case(
    rule: str, name: str, company: str, trains: list[str], tiles: Tiles, stations: dict[str, list[str]], revenue: int
) -> ParameterSet:
    scene = Case(company, trains, tiles, stations, revenue)
    return pytest.param(scene, id=name, marks=pytest.mark.rule(f"18CZ VIII.7/{rule}"))


CITY_LOOP = {
    "G9": turned(CITY_40, "E", "NE"),
    "G11": turned(SHARP_TOWN, "W", "NW"),
    "F10": turned(SHARP, "SE", "SW"),
}
CROSSING_LOOP = {
    "G7": turned(CITY_20, "E"),
    "G9": ("20", 0),
    "G11": turned(SHARP, "W", "NW"),
    "F10": turned(SHARP, "SE", "SW"),
    "H8": turned(CITY_20, "NE"),
}
SWITCH_LOOP = {
    **CROSSING_LOOP,
    "G9": turned("23", "SW", "E"),
    "H8": turned("23", "NE", "W"),
    "H6": turned(CITY_20, "E"),
    "I7": turned(CITY_20, "NE"),
}
PRAHA_LOOP = {"F12": turned(SHARP_TOWN, "NW", "NE"), "E13": ("56", 0), "D12": turned(SHARP, "SE", "SW")}
OO_LOOP = {"C7": ("8885", 0), "D6": turned(SHARP, "NE", "NW"), "C5": turned(SHARP, "SE", "E")}
THREE = line("G3", CITY_20, CITY_20, CITY_20)
RED_BEND = star(turned(RED["kk"], "W", "SW"), "W", "SW")
SWITCH = star(turned("23", "SW", "E"), "SW", "NE", "E")
CROSSING = star(("20", 0), "SW", "NE", "W", "E")

CASES = [
    case("2", "a station alone", "EKJ", ["2"], line("G3", CITY_20, STRAIGHT), {"G3.0": ["EKJ"]}, 0),
    case("3", "others' track", "EKJ", ["2"], {**line("G3", CITY_40, CITY_40), **line("E3", CITY_20, TOWN_10)},
         {"E3.0": ["EKJ"], "G3.0": ["OFE"]}, 30),
    case("4", "range of a 2-train", "EKJ", ["2"], line("G3", CITY_20, TOWN_10, CITY_40), {"G3.0": ["EKJ"]}, 30),
    case("5", "range of a 3-train", "EKJ", ["3"], line("G3", CITY_20, TOWN_10, CITY_40), {"G3.0": ["EKJ"]}, 70),
    case("6", "cities of a 2+2-train", "BN", ["2+2"], line("G3", CITY_20, CITY_20, CITY_40), {"G3.0": ["BN"]}, 40),
    case("6", "towns in place of cities", "BN", ["3+3"], line("G3", CITY_20, *[TOWN_10] * 7), {"G3.0": ["BN"]}, 70),
    case("7", "no city left out", "kk", ["3E"], line("G3", CITY_60, CITY_20, TOWN_30, CITY_50), {"G3.0": ["kk"]}, 130),
    case("7", "towns left out", "kk", ["3E"], line("G3", CITY_20, *[TOWN_10] * 3, CITY_30, CITY_40),
         {"G3.0": ["kk"]}, 90),
    case("8", "towns counted", "kk", ["8E"], line("G3", CITY_40, *[TOWN_30] * 8), {"G3.0": ["kk"]}, 250),
    case("9", "no city twice", "EKJ", ["5"], CITY_LOOP, {"G9.0": ["EKJ"]}, 50),
    case("10", "both cities of an OO tile", "EKJ", ["2"], OO_LOOP, {"C7.0": ["EKJ"]}, 80),
    case("11", "bare Praha once", "BN", ["3+3"], PRAHA_LOOP, {"E11.1": ["BN"]}, 40),
    case("11", "yellow Praha once", "BN", ["3+3"], {**PRAHA_LOOP, "E11": ("8889", 1)}, {"E11.0": ["BN"]}, 50),
    case("11", "green Praha once", "BN", ["3+3"], {**PRAHA_LOOP, "E11": ("8891", 1)}, {"E11.1": ["BN"]}, 60),
    case("12", "a red tile is a city", "BN", ["2+2"], {**line("G3", CITY_20, CITY_30), "G7": turned(RED["kk"], "W")},
         {"G3.0": ["BN"]}, 50),
    case("13", "nothing passes a red tile", "EKJ", ["3"], RED_BEND, {"G9.0": ["EKJ"]}, 50),
    case("14", "an open city is passed", "EKJ", ["3"], line("G3", CITY_20, CITY_30, CITY_20),
         {"G3.0": ["EKJ"], "G5.0": ["OFE"]}, 70),
    case("14", "a closed city is not", "EKJ", ["3"], line("G3", CITY_20, CITY_30, CITY_20),
         {"G3.0": ["EKJ"], "G5.0": ["OFE", "MW"]}, 50),
    case("15", "both tracks of a crossing", "EKJ", ["2"], CROSSING_LOOP, {"G7.0": ["EKJ"]}, 40),
    case("15", "no leg of a switch twice", "EKJ", ["2"], SWITCH_LOOP, {"I7.0": ["EKJ"]}, 0),
    case("16", "through the town by any track", "EKJ", ["3"], star((TOWN_30, 0), "SW", "SE"), {"H10.0": ["EKJ"]}, 70),
    case("17", "trains meet in a city", "EKJ", ["2", "2"], THREE, {"G5.0": ["EKJ"]}, 80),
    case("17", "trains share no track", "EKJ", ["2", "2"], THREE, {"G3.0": ["EKJ"]}, 40),
    case("18", "a switch for one train", "EKJ", ["2", "2"], SWITCH, {"F12.0": ["EKJ"], "G13.0": ["EKJ"]}, 40),
    case("18", "a crossing for two", "EKJ", ["2", "2"], CROSSING, {"F12.0": ["EKJ"], "G13.0": ["EKJ"]}, 80),
]  # fmt: skip


@pytest.mark.parametrize("scene", CASES)
def test_the_proposed_run_keeps_to_the_rules(scene: Case) -> None:
    game = running(scene.company, scene.trains, scene.tiles, scene.stations, highest=True)
    assert best(game) == scene.revenue


@pytest.mark.rule("18CZ VIII.8/6")
def test_less_than_the_highest_revenue_is_refused() -> None:
    tiles = line("G3", CITY_40, CITY_40, CITY_50)
    game = running("EKJ", ["2"], tiles, {"G5.0": ["EKJ"]}, highest=True)
    assert rule_against(game, ("G3.0", "G5.0")) == "18CZ VIII.8/6"
    assert rule_against(game) == "18CZ VIII.8/6"
    assert earned(game, ("G5.0", "G7.0")) == earned(game, ("G7.0", "G5.0")) == 90


@pytest.mark.rule("18CZ VIII.8/6")
def test_the_refusal_shows_the_higher_revenue() -> None:
    tiles = line("G3", CITY_40, CITY_40, CITY_50)
    game = running("EKJ", ["2"], tiles, {"G5.0": ["EKJ"]}, highest=True)
    refusal = game.refusal(run(game, ("G3.0", "G5.0")))
    assert refusal is not None
    assert "90 K" in refusal.text
    assert "80 K" in refusal.text


@pytest.mark.rule("18CZ VIII.8/6")
def test_the_highest_total_counts_not_the_best_single_route() -> None:
    tiles = line("G3", CITY_30, CITY_20, CITY_40, TOWN_10)
    game = running("EKJ", ["3", "2"], tiles, {"G5.0": ["EKJ"]}, highest=True)
    assert best(game) == 120
    assert rule_against(game, ("G3.0", "G5.0", "G7.0")) == "18CZ VIII.8/6"  # 90, and nothing left for the 2-train
    assert earned(game, ("G5.0", "G7.0", "G9.0"), ("G3.0", "G5.0")) == 120


@pytest.mark.rule("18CZ VIII.8/6")
def test_the_run_may_be_left_to_the_director_where_that_is_agreed() -> None:
    tiles = line("G3", CITY_40, CITY_40, CITY_50)
    game = running("EKJ", ["2"], tiles, {"G5.0": ["EKJ"]}, highest=False)
    assert earned(game, ("G3.0", "G5.0")) == 80
    assert earned(game) == 0


@pytest.mark.rule("18CZ VIII.8/6")
def test_without_a_route_nothing_is_claimed() -> None:
    game = running("EKJ", ["2"], line("G3", CITY_40), {"G3.0": ["EKJ"]}, highest=True)
    assert RunTrains(()) in (game.question or ())
    assert best(game) == 0


@pytest.mark.rule("18CZ VIII.8/6")
def test_only_trains_of_its_own_size_are_reckoned() -> None:
    tiles = line("G3", CITY_20, CITY_40, CITY_60)
    game = running("BN", ["5", "2+2"], tiles, {"G3.0": ["BN"]}, highest=True)
    assert best(game) == 60
    assert rule_against(game, way(tiles)) == "18CZ IV.2.c/2"


@pytest.mark.rule("18CZ VIII.8/6")
@pytest.mark.parametrize("reading", ["all cities and the best towns", "the best stops, at most three towns"])
def test_what_is_proposed_is_allowed_whatever_the_reading_of_e_trains(reading: str) -> None:
    tiles = line("G3", CITY_40, *[TOWN_30] * 8)
    game = running("kk", ["8E"], tiles, {"G3.0": ["kk"]}, highest=True, rulings={"e_train_stops": reading})
    assert best(game) > 0


# Where the search is given up


@pytest.fixture
def hasty() -> Iterator[None]:
    """Searches end unproven."""
    with router_parameters(game_steps=1500):
        yield


def on_a_well_connected_board() -> Game:
    """kk with 6E, 6E and 5E on 31 revenue locations with 54 links between them."""
    board = thinned(dense_board(cz_title(), 1), 0.65, 1007)
    return running("kk", ["6E", "6E", "5E"], board.tiles, board.stations, phase="j", highest=True)


@pytest.mark.rule("18CZ VIII.8/6")
def test_a_run_that_earns_what_was_found_is_accepted_and_the_doubt_is_noted(hasty: None) -> None:
    game = on_a_well_connected_board()
    (option,) = asked(game).options
    assert isinstance(option.action, RunTrains)
    most = best_run(game, "kk")
    assert not most.proven
    fewer = structs.replace(option.action, runs=option.action.runs[:2])
    assert refused_by(game, fewer) == "18CZ VIII.8/6"
    record = game.apply(option.action)
    told = [event for event in record.events if event.topic == "trains"]
    assert told == [Revenue("kk", most.revenue), NotProven("kk", most.bound)]


@pytest.mark.rule("18CZ VIII.8/6")
def test_a_better_run_than_the_one_found_is_accepted_too(hasty: None) -> None:
    game = on_a_well_connected_board()
    found = best_run(game, "kk")
    better = best_run(game, "kk", StepBudget(150_000))
    assert better.revenue > found.revenue
    action = RunTrains(tuple(TrainRun(route.card, route.path) for route in better.routes))
    assert refused_by(game, action) == "allowed"
    assert best_run(game, "kk") == found, "whoever looks longer changes nothing that is demanded"


@pytest.mark.rule("18CZ VIII.8/6")
def test_a_proven_run_leaves_no_doubt_in_the_log(hasty: None) -> None:
    game = running("kk", ["6E"], line("G3", CITY_20, CITY_20), {"G3.0": ["kk"]}, phase="j", highest=True)
    (option,) = asked(game).options
    record = game.apply(option.action)
    assert [type(event) for event in record.events if event.topic == "trains"] == [Revenue]
