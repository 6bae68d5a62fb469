"""Routes of trains: what is one, how far it goes, and what two trains leave to each other (18Mag VI.2, VI.3.6)."""

from __future__ import annotations

from itertools import combinations

import pytest

from ostbahn.kernel.game import Game
from ostbahn.titles.mag.actions import RunTrains, TrainRun
from tests.titles.mag.run_scenes import (
    AROUND_F15,
    CITY_20,
    CITY_30,
    CITY_40,
    SHARP,
    SHARP_CITY,
    SHARP_TOWN,
    STRAIGHT,
    TOWN_10,
    TOWN_20,
    TOWN_30,
    Tiles,
    best_income,
    line,
    path_of_line,
    refusal_of_run,
    refusal_rule,
    revenue_of,
    running,
    star,
    turned,
)

THREE_CITIES = line("F5", CITY_20, CITY_20, CITY_20)
HOME = {"F5.0": ["3"]}


# What a route is


@pytest.mark.rule("18Mag VI.2/1")
@pytest.mark.parametrize(
    ("tiles", "path", "revenue"),
    [
        (line("F5", CITY_20, CITY_20), ("F5.0", "F7.0"), 40),
        (line("F5", CITY_20, TOWN_10), ("F5.0", "F7.0"), 30),
        (line("H3", CITY_20), ("H1.0", "H3.0"), 40),
    ],
    ids=["city", "town", "red hex"],
)
def test_cities_towns_and_red_hexes_are_revenue_locations(tiles: Tiles, path: tuple[str, ...], revenue: int) -> None:
    assert revenue_of(running("3", ["2"], tiles, {"F5.0": ["3"], "H3.0": ["3"]}), path) == revenue


@pytest.mark.rule("18Mag VI.2/1", "18Mag VI.3.7/14")
def test_a_mine_does_not_count_among_the_locations() -> None:
    game = running("3", ["2"], line("E24", CITY_20), {"E24.0": ["3"]}, cars=["mine"])
    assert refusal_of_run(game, ("E24.0", "E26.0"), cars=[["mine"]]) == "18Mag VI.3.7/14"
    assert best_income(game) == (0, 0)


@pytest.mark.rule("18Mag VI.2/2")
@pytest.mark.parametrize(
    "path",
    [
        (),
        ("F5.0",),
        ("F5.0", "F7"),
        ("F7", "F9.0"),
        ("F5.0", "F9.0"),
        ("F5.0", "G6", "F7", "F9.0"),
        ("F9.0", "F11.0"),
        ("F5.0", "X1.0"),
        ("F5.0", "F7", "F9.1"),
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
    tiles = {**line("F5", CITY_20, STRAIGHT), "F9": turned("6", "W", "NE"), "F11": turned(CITY_20, "W", "E")}
    game = running("3", ["2"], tiles, {"F5.0": ["3"], "F9.0": ["3"]})
    assert refusal_of_run(game, path) == "18Mag VI.2/2"
    assert revenue_of(game, ("F5.0", "F7", "F9.0")) == 40


RING = {
    "F9": turned(CITY_40, "E", "NE", "W"),
    "F11": turned(SHARP_TOWN, "W", "NW"),
    "E10": turned(SHARP, "SE", "SW"),
    "F7": turned(CITY_20, "E"),
}
"""A city of 40 with a ring through a town, and a city of 20 to the west of it."""


@pytest.mark.rule("18Mag VI.2/2", "18Mag VI.3.6/3")
def test_a_route_does_not_return_to_a_city() -> None:
    game = running("4", ["4"], {**RING, "F11": turned(SHARP, "W", "NW")}, {"F9.0": ["4"]})
    assert refusal_of_run(game, ("F9.0", "F11", "E10", "F9.0")) in ("18Mag VI.2/2", "18Mag VI.3.6/3")
    game = running("4", ["4"], RING, {"F9.0": ["4"]})
    assert refusal_of_run(game, ("F9.0", "F11.0", "E10", "F9.0")) == "18Mag VI.3.6/3"
    assert refusal_of_run(game, ("F7.0", "F9.0", "F11.0", "E10", "F9.0")) == "18Mag VI.3.6/3"
    assert revenue_of(game, ("F7.0", "F9.0", "E10", "F11.0")) == 70


@pytest.mark.rule("18Mag VI.3.6/3")
def test_a_route_does_not_return_to_a_town() -> None:
    game = running("4", ["4"], {**RING, "F9": turned(TOWN_20, "E", "NE")}, {"F11.0": ["4"]})
    assert refusal_of_run(game, ("F9.0", "F11.0", "E10", "F9.0")) == "18Mag VI.3.6/3"


@pytest.mark.rule("18Mag VI.3.6/3")
def test_a_route_has_not_the_same_red_hex_at_both_ends() -> None:
    tiles = {"H3": turned(SHARP, "W", "SW"), "I2": turned(SHARP_CITY, "NE", "NW")}
    game = running("13", ["3"], tiles)
    assert refusal_of_run(game, ("H1.0", "H3", "I2.0", "H1.0")) == "18Mag VI.3.6/3"
    assert revenue_of(game, ("H1.0", "H3", "I2.0")) == revenue_of(game, ("H1.0", "I2.0")) == 40
    assert best_income(game) == (40, 0)


@pytest.mark.rule("18Mag VI.2/3")
@pytest.mark.parametrize("station", ["F5.0", "F7.0", "F9.0"])
def test_the_own_station_may_be_anywhere_on_the_route(station: str) -> None:
    assert revenue_of(running("3", ["3"], THREE_CITIES, {station: ["3"]}), path_of_line(THREE_CITIES)) == 60


@pytest.mark.rule("18Mag VI.2/3", "18Mag VI.4.2/6")
@pytest.mark.parametrize("other", ["RÁBA", "8", ""], ids=["a marker", "another minor", "nobody"])
def test_a_route_needs_an_own_station(other: str) -> None:
    """Not even a marker of a major of the same player will do."""
    stations = {"F9.0": ["3"], **({"F5.0": [other]} if other else {})}
    game = running("3", ["2"], THREE_CITIES, stations, directors={"RÁBA": "p1"}, owners={"3": "p1", "8": "p1"})
    assert refusal_of_run(game, ("F5.0", "F7.0")) == "18Mag VI.2/3"
    assert revenue_of(game, ("F7.0", "F9.0")) == 40


# Track is used once


CROSSING = {
    "F11": turned(CITY_20, "E"),
    "F13": ("20", 0),
    "F15": turned(SHARP, "W", "NW"),
    "E14": turned(SHARP, "SE", "SW"),
    "G12": turned(CITY_20, "NE"),
}


@pytest.mark.rule("18Mag VI.2/4", "18Mag VI.2/6")
def test_both_tracks_of_a_crossing_serve_one_route_which_keeps_to_its_own() -> None:
    game = running("3", ["2"], CROSSING, {"F11.0": ["3"]})
    assert revenue_of(game, ("F11.0", "F13", "F15", "E14", "F13", "G12.0")) == 40
    assert refusal_of_run(game, ("F11.0", "F13", "G12.0")) in ("18Mag VI.2/2", "18Mag VI.2/6")
    assert refusal_of_run(game, ("F11.0", "F13", "E14", "F15", "F13", "G12.0")) in ("18Mag VI.2/2", "18Mag VI.2/6")
    assert best_income(game) == (40, 0)


@pytest.mark.rule("18Mag VI.2/4")
def test_the_leg_of_a_switch_serves_a_route_once() -> None:
    tiles = {
        **CROSSING,
        "F13": turned("23", "SW", "E"),
        "G12": turned("23", "NE", "W"),
        "G10": turned(CITY_20, "E"),
        "H11": turned(CITY_20, "NE"),
    }
    game = running("3", ["2"], tiles, {"H11.0": ["3"]})
    assert refusal_of_run(game, ("H11.0", "G12", "F13", "F15", "E14", "F13", "G12", "G10.0")) == "18Mag VI.2/4"
    assert best_income(game) == (0, 0)


@pytest.mark.rule("18Mag VI.2/5")
@pytest.mark.parametrize("tile", ["23", "24", "25", "26", "27", "28", "29", "30", "31"])
def test_a_route_does_not_turn_round_at_a_junction(tile: str) -> None:
    branches = {"23": ("NE", "E"), "24": ("NE", "NW"), "25": ("NW", "E"), "26": ("NE", "SE"), "27": ("NE", "W")}
    branches |= {"28": ("E", "SE"), "29": ("NW", "W"), "30": ("E", "W"), "31": ("NW", "SE")}
    one, other = (f"{AROUND_F15[side]}.0" for side in branches[tile])
    game = running("3", ["2"], star((tile, 0), "SW", *branches[tile]), {one: ["3"], other: ["3"]})
    assert refusal_of_run(game, (one, "F15", other)) in ("18Mag VI.2/2", "18Mag VI.2/5")
    assert revenue_of(game, (one, "F15", "G14.0")) == revenue_of(game, (other, "F15", "G14.0")) == 40


@pytest.mark.rule("18Mag VI.2/6")
@pytest.mark.parametrize(("tile", "tracks"), [("16", "SW NW W NE"), ("19", "SW NE NW E"), ("20", "SW NE W E")])
def test_a_route_does_not_change_track_at_a_crossing(tile: str, tracks: str) -> None:
    sides = tracks.split()
    cities = [f"{AROUND_F15[side]}.0" for side in sides]
    game = running("3", ["2"], star((tile, 0), *sides), {city: ["3"] for city in cities})
    joined = {frozenset(cities[:2]), frozenset(cities[2:])}
    for one, other in combinations(cities, 2):
        if {one, other} in joined:
            assert revenue_of(game, (one, "F15", other)) == 40
        else:
            assert refusal_of_run(game, (one, "F15", other)) in ("18Mag VI.2/2", "18Mag VI.2/6")


PAIRS_OF_THE_CITY = list(combinations(["SW", "W", "NE", "E"], 2))
PAIRS_OF_THE_TOWN = list(combinations(["SW", "NW", "NE", "E", "SE"], 2))


@pytest.mark.rule("18Mag VI.2/7")
@pytest.mark.parametrize(
    ("centre", "value", "sides"),
    [(CITY_30, 30, sides) for sides in PAIRS_OF_THE_CITY] + [(TOWN_20, 20, sides) for sides in PAIRS_OF_THE_TOWN],
)
def test_a_route_leaves_a_location_by_any_other_track(centre: str, value: int, sides: tuple[str, str]) -> None:
    inward, outward = (f"{AROUND_F15[side]}.0" for side in sides)
    game = running("3", ["3"], star((centre, 0), *sides), {inward: ["3"]})
    assert revenue_of(game, (inward, "F15.0", outward)) == value + 40
    assert refusal_of_run(game, (inward, "F15.0", inward)) in ("18Mag VI.2/2", "18Mag VI.2/7", "18Mag VI.3.6/3")


# Red hexes and full cities


@pytest.mark.rule("18Mag VI.2/8")
def test_a_red_hex_is_a_terminus() -> None:
    tiles = {"H3": turned(CITY_20, "W"), "I2": turned(CITY_20, "NW")}
    game = running("3", ["3"], tiles, {"H3.0": ["3"]})
    assert refusal_of_run(game, ("H3.0", "H1.0", "I2.0")) == "18Mag VI.2/8"
    assert revenue_of(game, ("H3.0", "H1.0")) == revenue_of(game, ("H1.0", "H3.0")) == 40
    assert best_income(game) == (40, 0)


@pytest.mark.rule("18Mag VI.2/8")
def test_both_ends_of_a_route_may_be_red() -> None:
    tiles = {**line("C8", *[STRAIGHT] * 3, CITY_20, *[STRAIGHT] * 3), "C22": turned(SHARP, "W", "NW")}
    tiles |= {"B21": turned(SHARP, "SE", "E")}
    game = running("3", ["3"], tiles, {"C14.0": ["3"]})
    assert revenue_of(game, ("C6.0", *path_of_line(tiles), "B23.0")) == 80
    assert best_income(game) == (80, 0)


@pytest.mark.rule("18Mag VI.2/9")
@pytest.mark.parametrize("others", [["8", "10"], ["8", "RÁBA"], ["RÁBA", "SIK"]], ids=["minors", "mixed", "majors"])
def test_a_city_full_of_others_is_an_end_of_the_route(others: list[str]) -> None:
    tiles = line("F5", CITY_20, CITY_30, CITY_20)
    game = running("3", ["3"], tiles, {"F5.0": ["3"], "F7.0": others}, owners=dict.fromkeys(["3", "8", "10"], "p1"))
    assert refusal_of_run(game, path_of_line(tiles)) == "18Mag VI.2/9"
    assert revenue_of(game, path_of_line(tiles)[:-1]) == 50 + 10 * sum(other in ("RÁBA", "SIK") for other in others)


@pytest.mark.rule("18Mag VI.2/10")
@pytest.mark.parametrize("others", [[], ["8"], ["8", "3"]], ids=["empty", "one place free", "own station in it"])
def test_a_city_with_a_free_place_or_an_own_station_may_be_passed(others: list[str]) -> None:
    tiles = line("F5", CITY_20, CITY_30, CITY_20)
    game = running("3", ["3"], tiles, {"F5.0": ["3"], "F7.0": others}, owners={"3": "p1", "8": "p2"})
    assert revenue_of(game, path_of_line(tiles)) == 70


# How far the trains go


@pytest.mark.rule("18Mag VI.3.6/1")
def test_every_train_runs_once() -> None:
    game = running("3", ["2", "2"], THREE_CITIES, {"F7.0": ["3"]})
    west, east = ("F5.0", "F7.0"), ("F7.0", "F9.0")
    assert refusal_rule(game, RunTrains((TrainRun("2-1", west), TrainRun("2-1", east)))) == "18Mag VI.3.6/1"
    assert refusal_rule(game, RunTrains((TrainRun("2-9", west),))) == "18Mag VI.3.6/1"
    assert revenue_of(game, west, east) == 80
    three = RunTrains((TrainRun("2-1", west), TrainRun("2-2", east), TrainRun("2-3", west)))
    assert refusal_rule(game, three) == "18Mag VI.3.6/1"


@pytest.mark.rule("18Mag VI.3.6/2")
@pytest.mark.parametrize("train", ["2", "3", "4", "6"])
def test_the_number_on_a_train_is_how_far_it_goes(train: str) -> None:
    tiles = line("F5", *[CITY_20] * (int(train) + 1))
    game = running("3", [train], tiles, HOME)
    assert revenue_of(game, path_of_line(tiles)[:-1]) == 20 * int(train)
    assert refusal_of_run(game, path_of_line(tiles)) == "18Mag VI.3.6/2"
    assert best_income(game) == (20 * int(train), 0)


@pytest.mark.rule("18Mag VI.3.6/2")
def test_towns_use_up_the_range_and_cannot_be_skipped() -> None:
    tiles = line("F5", CITY_20, TOWN_10, CITY_20)
    game = running("3", ["2"], tiles, HOME)
    assert refusal_of_run(game, path_of_line(tiles)) == "18Mag VI.3.6/2"
    assert refusal_of_run(game, ("F5.0", "F7", "F9.0")) == "18Mag VI.2/2", "there is no track past the town"
    assert best_income(game) == (30, 0)


@pytest.mark.rule("18Mag VI.3.6/2")
def test_the_length_of_the_track_does_not_matter() -> None:
    tiles = line("F5", CITY_20, *[STRAIGHT] * 9, CITY_20)
    assert revenue_of(running("3", ["2"], tiles, HOME), path_of_line(tiles)) == 40


@pytest.mark.rule("18Mag VI.3.6/3", "18Mag VI.3.6/4")
@pytest.mark.parametrize("own", ["E12.0", "E12.1"])
def test_a_train_runs_from_buda_to_pest_on_the_yellow_tile(own: str) -> None:
    tiles = {"E12": ("L33", 2), "D11": turned(SHARP, "SE", "E"), "D13": turned(SHARP, "W", "SW")}
    game = running("3", ["2"], tiles, {own: ["3"]})
    assert revenue_of(game, ("E12.1", "D11", "D13", "E12.0")) == 60
    assert refusal_of_run(game, ("E12.1", "E12.0")) == "18Mag VI.2/2", "no track within the tile joins them"
    assert best_income(game) == (60, 0)


@pytest.mark.rule("18Mag VI.3.6/3", "18Mag VI.3.6/4")
def test_a_train_serves_both_cities_of_a_green_oo_tile() -> None:
    tiles = {"I14": ("8863", 2), "H15": turned(SHARP, "SW", "W"), "H13": turned(SHARP, "E", "SE")}
    game = running("9", ["2"], tiles, phase="green")
    assert revenue_of(game, ("I14.0", "H15", "H13", "I14.1")) == 80


@pytest.mark.rule("18Mag VI.3.6/8")
def test_the_example_of_minor_9() -> None:
    tiles = {"I14": ("8863", 2), "H15": turned(SHARP, "SW", "W"), "H13": turned(SHARP_TOWN, "E", "SE")}
    game = running("9", ["4"], tiles, phase="green", strict=True)
    assert revenue_of(game, ("I14.0", "H15", "H13.0", "I14.1", "J15.0")) == 40 + 10 + 40 + 20
    assert best_income(game) == (110, 0)


# Two trains


@pytest.mark.rule("18Mag VI.3.6/5")
def test_trains_meet_in_cities_but_not_on_track() -> None:
    game = running("3", ["2", "3"], THREE_CITIES, {"F7.0": ["3"]})
    assert revenue_of(game, ("F5.0", "F7.0"), ("F7.0", "F9.0")) == 80
    assert refusal_of_run(game, ("F5.0", "F7.0"), ("F5.0", "F7.0", "F9.0")) == "18Mag VI.3.6/5"
    assert refusal_of_run(game, ("F5.0", "F7.0"), ("F7.0", "F5.0")) == "18Mag VI.3.6/5"
    assert best_income(game) == (80, 0)


@pytest.mark.rule("18Mag VI.3.6/5")
def test_trains_meet_in_towns_and_red_hexes() -> None:
    town = running("3", ["2", "2"], star((TOWN_30, 0), "W", "NW"), {"F13.0": ["3"], "E14.0": ["3"]})
    assert revenue_of(town, ("F13.0", "F15.0"), ("E14.0", "F15.0")) == 100
    tiles = {"H3": turned(CITY_20, "W"), "I2": turned(CITY_20, "NW")}
    red = running("3", ["2", "2"], tiles, {"H3.0": ["3"], "I2.0": ["3"]})
    assert revenue_of(red, ("H3.0", "H1.0"), ("I2.0", "H1.0")) == 80


@pytest.mark.rule("18Mag VI.3.6/5")
def test_a_junction_serves_one_train_and_a_crossing_two() -> None:
    own = {"E16.0": ["3"], "F17.0": ["3"]}
    junction = running("3", ["2", "2"], star(turned("23", "SW", "E"), "SW", "NE", "E"), own)
    first, second = ("E16.0", "F15", "G14.0"), ("F17.0", "F15", "G14.0")
    assert revenue_of(junction, first) == revenue_of(junction, second) == 40
    assert refusal_of_run(junction, first, second) == "18Mag VI.3.6/5"
    crossing = running("3", ["2", "2"], star(("20", 0), "SW", "NE", "W", "E"), own)
    assert revenue_of(crossing, first, ("F17.0", "F15", "F13.0")) == 80


# The example in the brown phase

EXAMPLE = {
    **line("C8", CITY_20, CITY_30, CITY_40, TOWN_10, CITY_20),
    "C12": turned(CITY_40, "W", "E", "SW", "NE"),
    "D11": turned(TOWN_10, "SW", "NE"),
    "E10": turned(CITY_30, "NE"),
    "B13": turned(CITY_30, "SW"),
}
"""The picture is lost, but not the routes and figures. A is Bécs, which pays 50 in brown; minor 3 is at home in I."""
PLACES = {"A": "C6.0", "B": "C8.0", "C": "C16.0", "D": "C10.0", "E": "D11.0", "F": "C14.0", "G": "C12.0"}
PLACES |= {"H": "B13.0", "I": "E10.0"}


def by_way_of(letters: str) -> list[str]:
    return [PLACES[letter] for letter in letters]


def example(minor: str, *trains: str, strict: bool = True) -> Game:
    """Minors 3 and 11 fill G, minor 1 has a station in I; D is closed to 11, which could earn more beyond it."""
    stations = {PLACES["G"]: ["3", "11"], PLACES["D"]: ["3", "4"], PLACES["I"]: ["1"]}
    owners = dict.fromkeys(["1", "3", "4", "11"], "p1")
    return running(minor, trains, EXAMPLE, stations, phase="brown", owners=owners, strict=strict)


@pytest.mark.rule("18Mag VI.3.6/6", "18Mag VI.3.7/1")
def test_the_example_of_minor_3() -> None:
    game = example("3", "4", "6")
    assert revenue_of(game, by_way_of("IEGH"), by_way_of("ABDGFC")) == 110 + 170
    assert best_income(game) == (280, 0)
    assert revenue_of(example("3", "4", strict=False), by_way_of("IEGH")) == 30 + 10 + 40 + 30
    assert revenue_of(example("3", "6", strict=False), by_way_of("ABDGFC")) == 50 + 20 + 30 + 40 + 10 + 20


@pytest.mark.rule("18Mag VI.3.6/7", "18Mag VI.2/9")
def test_the_examples_of_minors_11_and_1() -> None:
    game = example("11", "4")
    assert revenue_of(game, by_way_of("HGEI")) == 30 + 40 + 10 + 30
    assert best_income(game) == (110, 0)
    game = example("1", "4")
    assert revenue_of(game, by_way_of("IEG")) == 30 + 10 + 40
    assert refusal_of_run(game, by_way_of("IEGH")) == "18Mag VI.2/9"
    assert best_income(game) == (80, 0)
