"""What a run earns, who gets it, and that it must be the best there is (18Mag VI.3.7/1 to VI.3.7/4, VI.3.7/16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from ostbahn.kernel.records import ClaimBelieved, NotProven, Revenue
from ostbahn.titles.mag.actions import BuyCar, RunTrains, TrainRun
from ostbahn.titles.mag.title import mag_title
from ostbahn.titles.mag.two_player import two_player_title
from tests.kernel.router_parameters import router_parameters
from tests.titles.mag.run_scenes import (
    CITY_20,
    CITY_30,
    CITY_40,
    TOWN_10,
    TOWN_20,
    TOWN_30,
    best_income,
    cash_of,
    gains,
    line,
    path_of_line,
    proposed_run,
    question_of,
    refusal_of_run,
    refusal_rule,
    revenue_of,
    run,
    running,
    star,
    turned,
)
from tests.titles.mag.scenes import state_of

PHASES = ("yellow", "green", "brown", "grey")

# Values


@pytest.mark.rule("18Mag VI.3.7/1")
def test_a_train_earns_what_its_route_is_worth_and_a_minor_what_its_trains_earn() -> None:
    tiles = line("F5", CITY_20, CITY_30, TOWN_10, CITY_40, TOWN_30)
    game = running("3", ["3", "2"], tiles, {"F9.0": [], "F11.0": ["3"], "F5.0": ["3"]})
    assert revenue_of(game, ("F5.0", "F7.0", "F9.0")) == 20 + 30 + 10
    assert revenue_of(game, ("F5.0", "F7.0", "F9.0"), ("F11.0", "F13.0")) == 60 + 40 + 30
    game.apply(run(game, ("F5.0", "F7.0", "F9.0"), ("F11.0", "F13.0")))
    assert state_of(game).revenue["3"] == 130


@pytest.mark.rule("18Mag VI.3.7/2")
@pytest.mark.parametrize("phase", PHASES)
def test_cities_and_towns_are_worth_what_is_printed_in_every_phase(phase: str) -> None:
    tiles = line("F5", CITY_20, CITY_30, CITY_40, TOWN_10, TOWN_20, TOWN_30)
    game = running("3", ["6"], tiles, {"F5.0": ["3"]}, phase=phase)
    assert revenue_of(game, path_of_line(tiles)) == 20 + 30 + 40 + 10 + 20 + 30


@pytest.mark.rule("18Mag VI.3.7/2")
def test_buda_and_pest_have_a_value_before_they_have_a_tile() -> None:
    tiles = {"D13": turned(TOWN_10, "SW", "NE"), "F11": turned(TOWN_10, "NE", "SW")}
    game = running("1", ["2"], tiles, {"E12.0": ["1"]})
    assert revenue_of(game, ("E12.1", "D13.0")) == revenue_of(game, ("E12.0", "F11.0")) == 30


@pytest.mark.rule("18Mag VI.3.7/2", "18Mag VI.3.9/8")
@pytest.mark.parametrize(
    ("red", "city", "side", "values"),
    [
        ("C6", "C8", "W", (30, 40, 50, 70)),
        ("B23", "B21", "E", (30, 40, 50, 60)),
        ("H1", "H3", "W", (20, 30, 40, 50)),
        ("I26", "H25", "SE", (20, 30, 40, 50)),
        ("J15", "I16", "SW", (10, 20, 30, 40)),
    ],
)
def test_the_phase_decides_what_a_red_hex_is_worth(red: str, city: str, side: str, values: tuple[int, ...]) -> None:
    for phase, value in zip(PHASES, values, strict=True):
        game = running("3", ["2"], {city: turned(CITY_20, side)}, {f"{city}.0": ["3"]}, phase=phase)
        assert revenue_of(game, (f"{red}.0", f"{city}.0")) == value + 20


@pytest.mark.rule("18Mag VI.3.7/3", "18Mag VI.4.2/8")
@pytest.mark.parametrize("minor", ["3", "8"])
def test_a_marker_makes_its_city_worth_10_more_for_everybody(minor: str) -> None:
    tiles = line("F5", CITY_20, CITY_30, CITY_20)
    for majors, bonus in ([], 0), (["SIK"], 10), (["SIK", "RÁBA"], 20):
        game = running(minor, ["2"], tiles, {"F5.0": [minor], "F7.0": majors})
        assert revenue_of(game, ("F5.0", "F7.0")) == 50 + bonus


@pytest.mark.rule("18Mag VI.3.7/3")
def test_stations_of_minors_add_nothing() -> None:
    tiles = line("F5", CITY_20, CITY_30)
    game = running(
        "3", ["2"], tiles, {"F5.0": ["3"], "F7.0": ["8", "10"]}, owners=dict.fromkeys(["3", "8", "10"], "p1")
    )
    assert revenue_of(game, path_of_line(tiles)) == 50


@pytest.mark.rule("18Mag VI.3.7/3", "18Mag VI.3.7/7", "18Mag VI.4.2/8")
def test_markers_and_the_red_car_add_up() -> None:
    game = running("3", ["2"], line("H3", CITY_30), {"H3.0": ["3", "MÁVAG"]}, cars=["off_board"])
    assert best_income(game) == (20 + 20 + 30 + 10, 0)


# Halves


@pytest.mark.rule("18Mag VI.3.7/16", "18Mag III.3.2/5")
def test_owner_and_treasury_get_half_each_without_rounding() -> None:
    game = running("3", ["2"], line("F5", CITY_20, TOWN_10), {"F5.0": ["3"]}, owners={"3": "p2"})
    before = game.copy()
    game.apply(proposed_run(game))
    assert gains(before, game) == {"bank": -30, "p2": 15, "3": 15}


def all_values() -> Iterator[int]:
    """Whatever can be part of a revenue."""
    for title in (mag_title(), two_player_title()):
        nodes = [node for tile in title.tiles.values() for node in tile.nodes]
        nodes += [node for hex_ in title.map for node in hex_.printed.nodes]
        for node in nodes:
            yield from node.value.values() if isinstance(node.value, Mapping) else (node.value,)
        yield title.major.marker_bonus
        yield from (phase.off_board_bonus for phase in title.phases.values())


@pytest.mark.rule("18Mag VI.3.7/16")
def test_all_revenue_comes_in_tens() -> None:
    values = set(all_values())
    assert {10, 20, 30, 40, 50, 60, 70, 80} <= values
    assert not [value for value in values if value % 10]


# The highest revenue


THREE = line("F5", CITY_20, CITY_30, CITY_20)


@pytest.mark.rule("18Mag VI.3.7/4")
def test_less_than_the_highest_revenue_is_refused_where_it_is_demanded() -> None:
    game = running("3", ["3"], THREE, {"F5.0": ["3"]}, strict=True)
    assert refusal_of_run(game, ("F5.0", "F7.0")) == "18Mag VI.3.7/4"
    assert refusal_rule(game, RunTrains(())) == "18Mag VI.3.7/4"
    assert revenue_of(game, path_of_line(THREE)) == 70
    assert best_income(game) == (70, 0)


@pytest.mark.rule("18Mag VI.3.7/4")
@pytest.mark.parametrize("site", [False, True])
def test_where_it_is_not_demanded_the_owner_runs_as_he_likes(site: bool) -> None:
    rulings = {} if site else {"highest_revenue": "not demanded"}
    game = running("3", ["3"], THREE, {"F5.0": ["3"]}, strict=True, rulings=rulings, site=site)
    assert revenue_of(game, ("F5.0", "F7.0")) == 50
    assert refusal_rule(game, RunTrains(())) == "allowed"
    assert best_income(game) == (70, 0), "the best is proposed all the same"


@pytest.mark.rule("18Mag VI.3.7/4")
def test_between_equal_runs_the_owner_chooses() -> None:
    game = running("3", ["2"], line("F5", CITY_20, CITY_30, CITY_20), {"F7.0": ["3"]}, strict=True)
    assert revenue_of(game, ("F5.0", "F7.0")) == revenue_of(game, ("F9.0", "F7.0")) == 50


@pytest.mark.rule("18Mag VI.3.7/4")
def test_the_sum_counts_not_what_one_train_earns() -> None:
    """The 3-train alone earns most between the cities of 40, but then the other train finds no track."""
    tiles = line("F5", CITY_40, CITY_20, CITY_40, TOWN_10)
    game = running("3", ["3", "2"], tiles, {"F7.0": ["3"]}, strict=True)
    assert best_income(running("3", ["3"], tiles, {"F7.0": ["3"]})) == (100, 0)
    assert refusal_of_run(game, ("F5.0", "F7.0", "F9.0")) == "18Mag VI.3.7/4"
    assert revenue_of(game, ("F7.0", "F9.0", "F11.0"), ("F5.0", "F7.0")) == 70 + 60
    assert best_income(game) == (130, 0)


@pytest.mark.rule("18Mag VI.3.7/4", "18Mag VI.3.6/5")
def test_where_two_trains_would_need_the_same_track_one_stands_still() -> None:
    game = running("3", ["3", "2"], star(("25", 0), "SW", "NW", "E"), {"G14.0": ["3"]}, strict=True)
    assert best_income(game) == (40, 0)
    assert len(proposed_run(game).runs) == 1


@pytest.mark.rule("18Mag VI.3.7/4")
def test_revenue_and_mine_together_must_be_highest() -> None:
    """East to the mine 20 + 10 + 30, west to a city of 40; without the car only the west is best."""
    tiles = {**line("E20", CITY_40, CITY_20, TOWN_10), "E22": turned(CITY_20, "W", "E")}
    east, west = ("E22.0", "E24.0", "E26.0"), ("E20.0", "E22.0")
    game = running("3", ["2"], tiles, {"E22.0": ["3"]}, strict=True)
    assert refusal_of_run(game, east[:2]) == "18Mag VI.3.7/4"
    assert revenue_of(game, west) == 60
    assert refusal_rule(game, BuyCar("mine")) == "allowed", "60 with the mine as without: the owner's choice"
    game = running("3", ["2"], tiles, {"E22.0": ["3"]}, cars=["mine"], strict=True, phase="brown")
    assert refusal_of_run(game, east, cars=[["mine"]]) == "allowed"
    assert refusal_of_run(game, west, cars=[["mine"]]) == "18Mag VI.3.7/5", "60 only, with the mine 80"
    assert best_income(game) == (30, 50)


@pytest.mark.rule("18Mag VI.3.7/4")
def test_cars_may_go_to_the_train_for_which_they_bring_most_and_must() -> None:
    """To the west no town is left for a plus-train."""
    tiles = line("H3", CITY_20, CITY_20, TOWN_10, TOWN_10)
    game = running("8", ["2", "2"], tiles, {"H3.0": ["8"]}, cars=["plus"], strict=True)
    west, east, further = ("H1.0", "H3.0"), ("H3.0", "H5.0"), ("H3.0", "H5.0", "H7.0", "H9.0")
    assert revenue_of(game, west, further, cars=[[], ["plus"]]) == 40 + 60
    assert refusal_of_run(game, west, east, cars=[["plus"]]) in ("18Mag VI.3.7/4", "18Mag VI.3.7/5")
    assert best_income(game) == (100, 0)


@pytest.mark.rule("18Mag VI.3.7/4", "18Mag VI.3.6/1")
@pytest.mark.parametrize("trains", [[], ["2"], ["2", "6"]])
def test_without_a_route_the_minor_earns_nothing_and_goes_on(trains: list[str]) -> None:
    game = running("3", trains, {"F5": turned(CITY_20, "W", "E")}, {"F5.0": ["3"]}, strict=True)
    assert best_income(game) == (0, 0)
    game.apply(proposed_run(game))
    assert cash_of(game, "3", "p1") == [50, 0]
    assert question_of(game).company is None


@pytest.mark.rule("18Mag VI.3.7/4")
def test_an_unproven_run_is_logged_with_its_bound() -> None:
    """Without any budget nothing is found, and idle trains are allowed."""
    game = running("3", ["2"], line("F5", CITY_20, CITY_20, CITY_20), {"F5.0": ["3"]}, strict=True)
    with router_parameters(free_steps=0, game_steps=0):
        assert best_income(game) == (0, 0)
        assert refusal_of_run(game, ("F5.0", "F7.0")) == "allowed"
        record = game.apply(proposed_run(game))
    told = [event for event in record.events if event.topic == "trains"]
    assert told == [Revenue("3", 0), NotProven("3", 40)]


# Claims of imported games


def claimed(revenue: int, subsidy: int | None = None, *runs: TrainRun) -> RunTrains:
    return RunTrains(runs, claim=revenue, claimed_subsidy=subsidy)


@pytest.mark.rule("18Mag VI.3.7/1")
def test_a_claim_is_checked_by_the_rulebook() -> None:
    game = running("3", ["2"], line("E22", TOWN_10, CITY_20), {"E24.0": ["3"]}, cars=["mine"], strict=True)
    right = TrainRun("2-1", ("E22.0", "E24.0", "E26.0"), ("mine",))
    assert refusal_rule(game, claimed(30, 30, right)) == refusal_rule(game, claimed(30, None, right)) == "allowed"
    for revenue, subsidy in (40, 30), (30, 50), (60, 0), (0, 0):
        assert refusal_rule(game, claimed(revenue, subsidy, right)) == "18Mag VI.3.7/1"


@pytest.mark.rule("18Mag VI.3.7/1")
def test_a_claim_is_believed_by_the_site() -> None:
    game = running("3", ["2"], line("F5", CITY_20, TOWN_10), {"F5.0": ["3"]}, strict=True, site=True)
    way_there = TrainRun("2-1", ("F5.0", "F7.0"))
    assert refusal_rule(game, claimed(-10, 0, way_there)) == "18Mag VI.3.7/1"
    assert refusal_rule(game, claimed(30, -10, way_there)) == "18Mag VI.3.7/1"
    before = game.copy()
    record = game.apply(claimed(80, 50, way_there))
    assert gains(before, game) == {"bank": -130, "p1": 40, "3": 90}
    assert ClaimBelieved("3", 80) in record.events
