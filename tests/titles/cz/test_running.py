"""Operating trains (18CZ VIII.7).

The routes are checked one by one; whether the highest revenue is demanded is a matter of VIII.8. What the
engine itself proposes has to keep to the same rules, see test_best_runs.py.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from ostbahn.titles.cz.actions import RunTrains, TrainRun
from tests.titles.cz.lines import (
    AROUND_G11,
    CITY_20,
    CITY_30,
    CITY_40,
    RED,
    SHARP,
    SHARP_TOWN,
    STRAIGHT,
    TOWN_10,
    TOWN_20,
    TOWN_30,
    line,
    star,
    turned,
    way,
)
from tests.titles.cz.runs import earned, rule_against, run, running

TWO_CITIES = line("G3", CITY_20, CITY_20)
THREE_CITIES = line("G3", CITY_20, CITY_20, CITY_20)


# One run for each train, between places that track joins


@pytest.mark.rule("18CZ VIII.7/1")
def test_a_train_runs_once() -> None:
    game = running("EKJ", ["2", "2"], THREE_CITIES, {"G5.0": ["EKJ"]})
    west, east = ("G3.0", "G5.0"), ("G5.0", "G7.0")
    refusal = game.refusal(RunTrains((TrainRun("a1", west), TrainRun("a1", east))))
    assert refusal is not None
    assert refusal.rule == "18CZ VIII.7/1"
    assert RunTrains((TrainRun("a1", west), TrainRun("a2", east))) in (game.question or ())


@pytest.mark.rule("18CZ VIII.7/2")
@pytest.mark.parametrize(
    "path",
    [
        (),
        ("G3.0",),
        ("G3.0", "G5"),
        ("G5", "G7.0"),
        ("G3.0", "G7.0"),
        ("G3.0", "F4", "G5", "G7.0"),
        ("G7.0", "G9.0"),
        ("G3.0", "X1.0"),
        ("G3.0", "G5", "G7.1"),
    ],
    ids=[
        "nothing",
        "one location",
        "ends on plain track",
        "begins on plain track",
        "jumps over a hex",
        "crosses a bare hex",
        "no track to the next city",
        "no such hex",
        "no such city",
    ],
)
def test_a_route_joins_two_locations_by_track(path: tuple[str, ...]) -> None:
    tiles = {**line("G3", CITY_20, STRAIGHT), "G7": turned("6", "W", "NE"), "G9": turned(CITY_20, "W", "E")}
    game = running("EKJ", ["2"], tiles, {"G3.0": ["EKJ"], "G7.0": ["EKJ"]})
    assert rule_against(game, path) == "18CZ VIII.7/2"


@pytest.mark.rule("18CZ VIII.7/2")
def test_two_locations_make_a_route() -> None:
    game = running("EKJ", ["2"], line("G3", CITY_20, STRAIGHT, TOWN_10), {"G3.0": ["EKJ"]})
    assert earned(game, ("G3.0", "G5", "G7.0")) == 30


@pytest.mark.rule("18CZ VIII.7/3")
@pytest.mark.parametrize("station", ["G3.0", "G5.0", "G7.0"])
def test_the_own_station_may_be_anywhere_on_the_route(station: str) -> None:
    game = running("EKJ", ["3"], THREE_CITIES, {station: ["EKJ"]})
    assert earned(game, way(THREE_CITIES)) == 60


@pytest.mark.rule("18CZ VIII.7/3")
def test_a_route_needs_an_own_station() -> None:
    game = running("EKJ", ["2"], THREE_CITIES, {"G7.0": ["EKJ"], "G3.0": ["OFE"]})
    assert rule_against(game, ("G3.0", "G5.0")) == "18CZ VIII.7/3"


# How far the trains go


@pytest.mark.rule("18CZ VIII.7/4")
@pytest.mark.parametrize(("train", "reaches"), [("2", 2), ("3", 3), ("4", 4), ("5", 5)])
def test_a_route_is_no_longer_than_the_range(train: str, reaches: int) -> None:
    tiles = line("G3", *[CITY_20] * (reaches + 1))
    game = running("EKJ", [train], tiles, {"G3.0": ["EKJ"]})
    assert earned(game, way(tiles)[:-1]) == 20 * reaches
    assert rule_against(game, way(tiles)) == "18CZ VIII.7/4"


@pytest.mark.rule("18CZ VIII.7/5")
def test_a_red_train_counts_every_location() -> None:
    tiles = line("G3", CITY_20, TOWN_10, CITY_20)
    game = running("EKJ", ["3"], tiles, {"G3.0": ["EKJ"]})
    assert earned(game, way(tiles)) == 50
    assert rule_against(game, ("G3.0", "G5", "G7.0")) == "18CZ VIII.7/2"  # no track past the town


@pytest.mark.rule("18CZ VIII.7/5")
def test_towns_use_up_the_range_of_a_red_train() -> None:
    tiles = line("G3", CITY_20, TOWN_10, CITY_20)
    assert rule_against(running("EKJ", ["2"], tiles, {"G3.0": ["EKJ"]}), way(tiles)) == "18CZ VIII.7/4"


@pytest.mark.rule("18CZ VIII.7/5")
def test_the_length_of_the_track_does_not_matter() -> None:
    tiles = line("G3", CITY_20, *[STRAIGHT] * 9, CITY_20)
    game = running("EKJ", ["2"], tiles, {"G3.0": ["EKJ"]})
    assert earned(game, way(tiles)) == 40


@pytest.mark.rule("18CZ VIII.7/6")
@pytest.mark.parametrize(
    ("train", "places", "revenue"),
    [
        ("3+3", "CTCTCT", 90),
        ("3+3", "CTTTTC", 80),
        ("3+3", "CTTTTT", 70),
        ("3+3", "CC", 40),
        ("2+2", "CTTC", 60),
        ("4+4", "CTCTCTCT", 120),
        ("5+5", "CTTTCTTTC", 120),
    ],
)
def test_plus_trains_visit_so_many_cities_and_towns(train: str, places: str, revenue: int) -> None:
    tiles = line("G3", *(CITY_20 if place == "C" else TOWN_10 for place in places))
    assert earned(running("BN", [train], tiles, {"G3.0": ["BN"]}), way(tiles)) == revenue


@pytest.mark.rule("18CZ VIII.7/6")
@pytest.mark.parametrize(
    ("train", "places"),
    [("3+3", "CCCC"), ("3+3", "CTTTTTT"), ("3+3", "CTTTTTC"), ("2+2", "CTCTC"), ("2+2", "CTTTC"), ("4+4", "CTCTCCC")],
)
def test_plus_trains_go_no_further(train: str, places: str) -> None:
    tiles = line("G3", *(CITY_20 if place == "C" else TOWN_10 for place in places))
    assert rule_against(running("BN", [train], tiles, {"G3.0": ["BN"]}), way(tiles)) == "18CZ VIII.7/6"


@pytest.mark.rule("18CZ VIII.7/6")
def test_plus_trains_skip_no_town() -> None:
    tiles = line("G3", CITY_20, TOWN_10, TOWN_10, TOWN_10, CITY_20)
    game = running("BN", ["2+2"], tiles, {"G3.0": ["BN"]})
    assert rule_against(game, ("G3.0", "G5", "G7.0", "G9.0", "G11.0")) == "18CZ VIII.7/2"  # no track past the town


@pytest.mark.rule("18CZ VIII.7/7")
def test_an_e_train_leaves_out_towns() -> None:
    tiles = line("G3", CITY_20, TOWN_10, TOWN_10, CITY_30, CITY_40)
    assert earned(running("kk", ["3E"], tiles, {"G3.0": ["kk"]}), way(tiles)) == 90


@pytest.mark.rule("18CZ VIII.7/7")
@pytest.mark.parametrize(("train", "cities"), [("3E", 4), ("4E", 5), ("5E", 6), ("6E", 7), ("8E", 9)])
def test_an_e_train_leaves_out_no_city(train: str, cities: int) -> None:
    tiles = line("G3", *[CITY_20] * cities)
    game = running("kk", [train], tiles, {"G3.0": ["kk"]})
    assert rule_against(game, way(tiles)) == "18CZ VIII.7/7"
    assert rule_against(game, ("G3.0", "G5", *way(tiles)[2:])) == "18CZ VIII.7/2"  # no track past the city
    assert earned(game, way(tiles)[:-1]) == 20 * (cities - 1)


@pytest.mark.rule("18CZ VIII.7/7")
def test_a_good_town_does_not_take_the_place_of_a_poor_city() -> None:
    tiles = line("G3", CITY_40, CITY_20, TOWN_30, CITY_30)
    assert earned(running("kk", ["3E"], tiles, {"G3.0": ["kk"]}), way(tiles)) == 90
    as_on_the_site = {"e_train_stops": "the best stops, at most three towns"}
    assert earned(running("kk", ["3E"], tiles, {"G3.0": ["kk"]}, rulings=as_on_the_site), way(tiles)) == 100


@pytest.mark.rule("18CZ VIII.7/8")
@pytest.mark.parametrize(
    ("train", "tiles", "revenue"),
    [
        ("3E", [CITY_20, TOWN_10, CITY_20], 50),
        ("3E", [CITY_20, TOWN_10, TOWN_30, TOWN_20, CITY_20], 70),
        ("4E", [CITY_20, TOWN_10, TOWN_30, TOWN_20, CITY_20], 90),
        ("3E", [CITY_20, TOWN_10, TOWN_10], 40),
        ("8E", [CITY_40, *[TOWN_30] * 8], 250),
    ],
    ids=["one between", "the best of three", "the best two", "towns alone beside the home", "eight towns"],
)
def test_an_e_train_with_stops_to_spare_counts_towns(train: str, tiles: list[str], revenue: int) -> None:
    track = line("G3", *tiles)
    assert earned(running("kk", [train], track, {"G3.0": ["kk"]}), way(track)) == revenue


# Each location once


LOOP = {"G9": turned(CITY_40, "E", "NE", "W"), "G11": turned(SHARP_TOWN, "W", "NW"), "F10": turned(SHARP, "SE", "SW")}


@pytest.mark.rule("18CZ VIII.7/9")
def test_a_route_does_not_return_to_a_city() -> None:
    tiles = {**LOOP, "G7": turned(CITY_20, "E")}
    game = running("EKJ", ["5"], tiles, {"G9.0": ["EKJ"]})
    assert rule_against(game, ("G9.0", "G11.0", "F10", "G9.0")) == "18CZ VIII.7/9"
    assert rule_against(game, ("G7.0", "G9.0", "G11.0", "F10", "G9.0")) == "18CZ VIII.7/9"
    assert earned(game, ("G7.0", "G9.0", "F10", "G11.0")) == 70


@pytest.mark.rule("18CZ VIII.7/9")
def test_a_route_does_not_return_to_a_town_or_a_red_tile() -> None:
    town = running("BN", ["3+3"], {**LOOP, "G9": turned(TOWN_30, "E", "NE")}, {"G11.0": ["BN"]})
    assert rule_against(town, ("G9.0", "G11.0", "F10", "G9.0")) == "18CZ VIII.7/9"
    red = running("kk", ["3E"], {**LOOP, "G9": turned(RED["kk"], "E", "NE")}, {"G9.0": ["kk"]})
    assert rule_against(red, ("G9.0", "G11.0", "F10", "G9.0")) == "18CZ VIII.7/9"


@pytest.mark.rule("18CZ VIII.7/10")
def test_both_cities_of_a_green_oo_tile_are_locations() -> None:
    tiles = {"C7": ("8885", 0), "D6": turned(SHARP, "NE", "NW"), "C5": turned(SHARP, "SE", "E")}
    game = running("EKJ", ["2"], tiles, {"C7.0": ["EKJ"]})
    assert earned(game, ("C7.0", "D6", "C5", "C7.1")) == 80
    assert rule_against(game, ("C7.0", "C7.1")) == "18CZ VIII.7/2"


AROUND_PRAHA = {"F12": turned(SHARP_TOWN, "NW", "NE"), "E13": ("56", 0), "D12": turned(SHARP, "SE", "SW")}
PRAHA = [
    pytest.param(None, 1, 0, 20, id="bare"),
    pytest.param(("8889", 1), 0, 2, 30, id="yellow"),
    pytest.param(("8891", 1), 1, 3, 40, id="green"),
]


@pytest.mark.rule("18CZ VIII.7/11")
@pytest.mark.parametrize(("tile", "north", "south", "value"), PRAHA)
def test_no_route_runs_from_praha_to_praha(tile: tuple[str, int] | None, north: int, south: int, value: int) -> None:
    tiles = {**AROUND_PRAHA, "E11": tile} if tile else AROUND_PRAHA
    game = running("BN", ["3+3"], tiles, {f"E11.{north}": ["BN"]})
    home = (f"E11.{north}", "D12", "E13.0", "F12.0")
    assert earned(game, home) == value + 20
    assert rule_against(game, (*home, f"E11.{south}")) == "18CZ VIII.7/11"


@pytest.mark.rule("18CZ VIII.7/17")
@pytest.mark.parametrize(("tile", "north", "south", "value"), PRAHA)
def test_two_trains_may_both_call_at_praha(tile: tuple[str, int] | None, north: int, south: int, value: int) -> None:
    tiles = {**AROUND_PRAHA, "E13": ("6", 0), **({"E11": tile} if tile else {})}
    game = running("BN", ["2+2", "2+2"], tiles, {f"E11.{north}": ["BN"], "E13.0": ["BN"]})
    assert earned(game, (f"E11.{north}", "D12", "E13.0"), ("E13.0", "F12.0", f"E11.{south}")) == 2 * value + 50


# Red tiles and closed cities


@pytest.mark.rule("18CZ VIII.7/12")
@pytest.mark.parametrize(
    ("tiles", "fits"),
    [([CITY_20], True), ([CITY_20, TOWN_10, TOWN_10], True), ([CITY_20, CITY_20], False), ([CITY_20, TOWN_10], True)],
)
def test_a_red_tile_counts_as_a_city(tiles: list[str], fits: bool) -> None:
    track = line("G3", *tiles)
    end = f"G{3 + 2 * len(tiles)}"
    game = running("BN", ["2+2"], {**track, end: turned(RED["Ug"], "W")}, {"G3.0": ["BN"]})
    path = (*way(track), f"{end}.0")
    if fits:
        assert earned(game, path) == 50 + 10 * (len(tiles) - 1)
    else:
        assert rule_against(game, path) == "18CZ VIII.7/6"


@pytest.mark.rule("18CZ VIII.7/12")
def test_an_e_train_cannot_leave_out_a_red_tile() -> None:
    tiles = {**line("G3", *[CITY_20] * 3), "G9": turned(RED["Ug"], "W")}
    game = running("kk", ["3E"], tiles, {"G3.0": ["kk"]})
    assert rule_against(game, way(tiles)) == "18CZ VIII.7/7"


@pytest.mark.rule("18CZ VIII.7/13")
@pytest.mark.parametrize(("company", "train", "revenue"), [("EKJ", "3", 50), ("BN", "3+3", 50), ("kk", "3E", 100)])
def test_a_red_tile_is_an_end_of_the_route(company: str, train: str, revenue: int) -> None:
    tiles = star(turned(RED["kk"], "W", "SW"), "W", "SW")
    game = running(company, [train], tiles, {"G9.0": [company], "G11.0": ["kk"]})
    assert rule_against(game, through := ("G9.0", "G11.0", "H10.0")) == "18CZ VIII.7/13"
    assert str(game.refusal(run(game, through))).startswith("the route cannot pass Tábor: it is a red area")
    assert earned(game, ("G9.0", "G11.0")) == revenue
    assert earned(game, ("G11.0", "G9.0")) == revenue


@pytest.mark.rule("18CZ VIII.7/14")
@pytest.mark.parametrize("others", [[], ["OFE"], ["OFE", "EKJ"]], ids=["empty", "one place free", "own place in it"])
def test_a_city_that_is_not_closed_may_be_passed(others: list[str]) -> None:
    tiles = line("G3", CITY_20, CITY_30, CITY_20)
    game = running("EKJ", ["3"], tiles, {"G3.0": ["EKJ"], "G5.0": others})
    assert earned(game, way(tiles)) == 70


@pytest.mark.rule("18CZ VIII.6/2", "18CZ VIII.7/14")
def test_a_closed_city_is_an_end_of_the_route() -> None:
    tiles = line("G3", CITY_20, CITY_30, CITY_20)
    game = running("EKJ", ["3"], tiles, {"G3.0": ["EKJ"], "G5.0": ["OFE", "MW"]})
    assert rule_against(game, way(tiles)) == "18CZ VIII.6/2"
    assert str(game.refusal(run(game, way(tiles)))).startswith("the route cannot pass G5: it is closed by others'")
    assert earned(game, way(tiles)[:-1]) == 50


# Track is used once


CROSSING = {
    "G7": turned(CITY_20, "E"),
    "G9": ("20", 0),
    "G11": turned(SHARP, "W", "NW"),
    "F10": turned(SHARP, "SE", "SW"),
    "H8": turned(CITY_20, "NE"),
}


@pytest.mark.rule("18CZ VIII.7/15")
def test_both_tracks_of_a_crossing_serve_one_route() -> None:
    game = running("EKJ", ["2"], CROSSING, {"G7.0": ["EKJ"]})
    assert earned(game, ("G7.0", "G9", "G11", "F10", "G9", "H8.0")) == 40
    assert rule_against(game, ("G7.0", "G9", "H8.0")) == "18CZ VIII.7/2"  # the tracks do not meet


SWITCHES = {
    **CROSSING,
    "G9": turned("23", "SW", "E"),
    "H8": turned("23", "NE", "W"),
    "H6": turned(CITY_20, "E"),
    "I7": turned(CITY_20, "NE"),
}


@pytest.mark.rule("18CZ VIII.7/15")
def test_the_leg_of_a_switch_serves_a_route_once() -> None:
    game = running("EKJ", ["2"], SWITCHES, {"I7.0": ["EKJ"]})
    assert rule_against(game, ("I7.0", "H8", "G9", "G11", "F10", "G9", "H8", "H6.0")) == "18CZ VIII.7/15"


@pytest.mark.rule("18CZ VIII.7/15")
def test_a_route_does_not_turn_back_in_a_switch() -> None:
    game = running("EKJ", ["2"], star(turned("23", "SW", "E"), "SW", "NE", "E"), {"F12.0": ["EKJ"]})
    assert rule_against(game, ("F12.0", "G11", "G13.0")) == "18CZ VIII.7/2"
    assert earned(game, ("F12.0", "G11", "H10.0")) == 40


PAIRS_OF_THE_CITY = list(combinations(["SW", "W", "NW", "NE", "E"], 2))
PAIRS_OF_THE_TOWN = list(combinations(["SW", "W", "NE", "E", "SE"], 2))


@pytest.mark.rule("18CZ VIII.7/16")
@pytest.mark.parametrize(
    ("centre", "value", "sides"),
    [(CITY_40, 40, sides) for sides in PAIRS_OF_THE_CITY] + [(TOWN_30, 30, sides) for sides in PAIRS_OF_THE_TOWN],
)
def test_a_train_leaves_a_location_by_any_other_track(centre: str, value: int, sides: tuple[str, str]) -> None:
    game = running("EKJ", ["3"], star((centre, 0), *sides), {f"{AROUND_G11[sides[0]]}.0": ["EKJ"]})
    inward, outward = (f"{AROUND_G11[side]}.0" for side in sides)
    assert earned(game, (inward, "G11.0", outward)) == value + 40
    assert rule_against(game, (inward, "G11.0", inward)) == "18CZ VIII.7/2"


# Several trains


@pytest.mark.rule("18CZ VIII.7/17")
def test_trains_meet_in_locations_but_not_on_track() -> None:
    game = running("EKJ", ["2", "3"], THREE_CITIES, {"G5.0": ["EKJ"]})
    assert earned(game, ("G3.0", "G5.0"), ("G5.0", "G7.0")) == 80
    assert rule_against(game, ("G3.0", "G5.0"), ("G3.0", "G5.0", "G7.0")) == "18CZ VIII.7/17"
    assert rule_against(game, ("G3.0", "G5.0"), ("G5.0", "G3.0")) == "18CZ VIII.7/17"


@pytest.mark.rule("18CZ VIII.7/17")
@pytest.mark.parametrize("middle", [TOWN_20, RED["kk"]], ids=["town", "red tile"])
def test_trains_may_meet_in_a_town_or_on_a_red_tile(middle: str) -> None:
    tiles = star(turned(middle, "W", "NW"), "W", "NW")
    game = running("BN", ["2+2", "2+2"], tiles, {"G9.0": ["BN"], "F10.0": ["BN"]})
    assert earned(game, ("G9.0", "G11.0"), ("F10.0", "G11.0")) == (80 if middle == TOWN_20 else 100)


@pytest.mark.rule("18CZ VIII.7/18")
def test_a_switch_serves_one_train() -> None:
    tiles = star(turned("23", "SW", "E"), "SW", "NE", "E")
    game = running("EKJ", ["2", "2"], tiles, {"F12.0": ["EKJ"], "G13.0": ["EKJ"]})
    first, second = ("F12.0", "G11", "H10.0"), ("G13.0", "G11", "H10.0")
    assert earned(game, first) == earned(game, second) == 40
    assert rule_against(game, first, second) in ("18CZ VIII.7/17", "18CZ VIII.7/18")


@pytest.mark.rule("18CZ VIII.7/18")
@pytest.mark.parametrize(("tile", "other"), [("20", ("W", "E")), ("19", ("NW", "E"))])
def test_a_crossing_serves_two_trains(tile: str, other: tuple[str, str]) -> None:
    game = running("EKJ", ["2", "2"], star((tile, 0), "SW", "NE", *other), {"F12.0": ["EKJ"], "G13.0": ["EKJ"]})
    ways = ("F12.0", "G11", "H10.0"), (f"{AROUND_G11[other[0]]}.0", "G11", "G13.0")
    assert earned(game, *ways) == 80


@pytest.mark.rule("18CZ VIII.7/18")
def test_a_brown_junction_serves_two_trains_on_tracks_that_do_not_merge() -> None:
    tiles = star(("45", 0), "SW", "NE", "NW", "E")
    game = running("EKJ", ["2", "2"], tiles, {"F12.0": ["EKJ"], "G13.0": ["EKJ"]}, phase="g")
    assert earned(game, ("F12.0", "G11", "H10.0"), ("G13.0", "G11", "F10.0")) == 80
    assert rule_against(game, ("F12.0", "G11", "H10.0"), ("G13.0", "G11", "H10.0")) == "18CZ VIII.7/17"
