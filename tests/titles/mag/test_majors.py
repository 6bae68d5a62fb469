"""Turns of majors and their markers (18Mag VI.4, VI.4.1, VI.4.2)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import TurnBegan
from ostbahn.titles.mag.actions import BuyTrain, LayTile, PayDividend, PlaceStation, RunTrains
from ostbahn.titles.mag.state import OperatingRound, PayOut, PlaceMarker, PurchaseTrains, Rounds
from ostbahn.titles.mag.title import mag_title
from tests.titles.mag.run_scenes import (
    CITY_20,
    CITY_30,
    SHARP,
    SHARP_TOWN,
    best_income,
    cash_of,
    gains,
    in_set,
    line,
    path_of_line,
    question_of,
    refusal_of_run,
    refusal_rule,
    revenue_of,
    running,
    turned,
)
from tests.titles.mag.scenes import scene, state_of

CHART = mag_title().prices


def marking(major: str = "RÁBA", cash: int = 200, **fields: Any) -> Game:
    """A major, directed by p2, may place a marker."""
    money = fields.pop("cash", {})
    return scene(
        **{
            "directors": {major: "p2"},
            "cash": {major: cash, **money},
            "agenda": [PayOut(major), PlaceMarker(major)],
            **fields,
        }
    )


def offered(game: Game) -> set[str]:
    return {option.action.city for option in question_of(game) if isinstance(option.action, PlaceStation)}


# Order and course of a turn


def chart_with(*spaces: tuple[int, tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """A chart with these majors on these prices, the first on top."""
    chart: list[tuple[str, ...]] = [()] * len(CHART)
    for price, majors in spaces:
        chart[CHART.index(price)] = majors
    return tuple(chart)


@pytest.mark.rule("18Mag VI.4/1")
def test_the_highest_price_goes_first_and_of_equals_the_one_on_top() -> None:
    chart = chart_with((100, ("SzKÉV",)), (75, ("SNW", "SIK")), (55, ("MÁVAG", "RÁBA", "LdStEG", "G&C")))
    game = scene(chart=chart, owners={"3": "p1"}, agenda=[OperatingRound(()), PurchaseTrains("3")])
    record = game.apply(Pass())
    turns = [event.company for event in record.events if isinstance(event, TurnBegan)]
    assert turns == ["SzKÉV", "SNW", "SIK", "MÁVAG", "RÁBA", "LdStEG", "G&C"]


@pytest.mark.rule("18Mag VI.4.1/1")
def test_first_the_marker_then_the_payout() -> None:
    game = marking()
    assert refusal_rule(game, PayDividend(0)) == "18Mag VI.4.1/1"
    game.apply(PlaceStation("C12.0"))
    assert isinstance(question_of(game).task, PayOut)
    assert refusal_rule(game, PlaceStation("C16.0")) == "18Mag VI.4.1/1"


@pytest.mark.rule("18Mag VI.4.1/1")
def test_the_marker_is_optional_and_the_payout_is_not() -> None:
    game = marking()
    game.apply(Pass())
    assert refusal_rule(game, Pass()) == "18Mag VI.4.1/1"
    assert refusal_rule(game, PayDividend(0)) == "allowed"
    assert refusal_rule(game, PayDividend(0), by="p1") == "18Mag IV/2"


@pytest.mark.rule("18Mag VI.4.1/1", "18Mag S.1.2/1")
@pytest.mark.parametrize("step", [0, 1])
def test_a_major_neither_builds_nor_runs_nor_buys_trains(step: int) -> None:
    game = marking()
    for _ in range(step):
        game.apply(Pass())
    for action in (LayTile("E10", "57", 0), RunTrains(()), BuyTrain("2")):
        assert refusal_rule(game, action) == "18Mag VI.4.1/1"


# How many markers, where and for how much


@pytest.mark.rule("18Mag VI.4.2/1", "18Mag VI.4.2/3")
def test_one_marker_in_a_round_and_two_in_all_for_40_and_80() -> None:
    game = scene(
        phase="green",
        owners={"3": "p1"},
        directors={"RÁBA": "p2"},
        cash={"RÁBA": 300, "SzKÉV": 0},
        agenda=[OperatingRound((), ("RÁBA",)), PurchaseTrains("3")],
    )
    game = in_set(game, Rounds(2, 1, 3))
    for city, price in ("C12.0", 40), ("C16.0", 80):
        while not isinstance(question_of(game).task, PlaceMarker):
            game.apply(Pass() if Pass() in question_of(game) else question_of(game).options[0].action)
        before = game.copy()
        game.apply(PlaceStation(city))
        assert gains(before, game) == {"RÁBA": -price, "bank": price}
        assert refusal_rule(game, PlaceStation("F13.0")) == "18Mag VI.4.1/1"
        game.apply(PayDividend(0))
    while not isinstance(question_of(game).task, PlaceMarker):
        game.apply(Pass() if Pass() in question_of(game) else question_of(game).options[0].action)
    assert refusal_rule(game, PlaceStation("F13.0")) == "18Mag VI.4.2/1"
    assert offered(game) == set()


@pytest.mark.rule("18Mag VI.4.2/2")
@pytest.mark.parametrize(
    "city",
    ["C12.0", "E12.0", "D19.1", "G10.0", "I2.0", "G10.1"],
    ids=["no tile", "Buda", "OO hex", "OO hex without a tile", "home of an unused minor", "city without track"],
)
def test_every_free_circle_will_do_without_a_connection(city: str) -> None:
    tiles = {"G10": ("L32", 0)} if city == "G10.1" else {}
    owners = {minor: "p1" for minor in mag_title().minors if minor not in ("13", "7")}
    game = marking(tiles=tiles, owners=owners)
    assert city in offered(game)
    game.apply(PlaceStation(city))
    assert state_of(game).board.stations[city] == ("RÁBA",)


@pytest.mark.rule("18Mag VI.4.2/2")
def test_just_the_free_circles_are_offered() -> None:
    """Of the printed board, after a draft in which only minor 13 was left over."""
    homes = {"E12.1", "D19.0", "E10.0", "G14.1", "H27.0", "B17.0", "G10.1", "H5.0", "I14.1", "H17.0", "D7.0", "H23.0"}
    free = {"C8.0", "C12.0", "C16.0", "D9.0", "D19.1", "E12.0", "E14.0", "E18.0", "F13.0", "F19.0", "F23.0"}
    free |= {"G10.0", "G14.0", "G16.0", "I2.0", "I14.0"}
    game = marking()
    assert offered(game) == free
    assert not homes & offered(game)


@pytest.mark.rule("18Mag VI.4.2/2")
def test_a_full_city_is_not_free() -> None:
    game = marking(tiles={"C12": turned(CITY_30, "W", "E")}, stations={"C12.0": ["SIK", "3"]})
    assert refusal_rule(game, PlaceStation("C12.0")) == "18Mag VI.4.2/2"
    assert refusal_rule(game, PlaceStation("E10.0")) == "18Mag VI.4.2/2", "the home of minor 3, and its only place"


@pytest.mark.rule("18Mag VI.4.2/2", "18Mag VI.3.4/1")
@pytest.mark.parametrize("place", ["B9.0", "A10.0", "C6.0", "C10.0", "C12.1", "C12", "X1.0", ""])
def test_a_marker_needs_a_city(place: str) -> None:
    assert refusal_rule(marking(), PlaceStation(place)) in ("18Mag VI.3.4/1", "18Mag VI.4.2/2")


@pytest.mark.rule("18Mag VI.4.2/2", "18Mag VI.3.4/4")
def test_a_major_has_one_marker_in_a_hex() -> None:
    green = {"C12": turned(CITY_30, "W", "E")}
    game = marking(tiles=green, stations={"C12.0": ["RÁBA"], "E12.0": ["SIK"]})
    assert refusal_rule(game, PlaceStation("C12.0")) in ("18Mag VI.3.4/4", "18Mag VI.4.2/2")
    game = marking(owners={"3": "p1"}, stations={"E12.0": ["RÁBA"]})
    assert refusal_rule(game, PlaceStation("E12.1")) in ("18Mag VI.3.4/4", "18Mag VI.4.2/2"), "Pest beside Buda"


@pytest.mark.rule("18Mag VI.4.2/4")
@pytest.mark.parametrize(("placed", "price"), [([], 40), (["F13.0"], 80)])
def test_without_the_money_there_is_no_marker(placed: list[str], price: int) -> None:
    stations = {city: ["RÁBA"] for city in placed}
    poor = marking(cash=price - 10, stations=stations)
    assert refusal_rule(poor, PlaceStation("C12.0")) == "18Mag VI.4.2/4"
    assert offered(poor) == set()
    assert "C12.0" in offered(marking(cash=price, stations=stations))


@pytest.mark.rule("18Mag VI.4.2/5", "18Mag VI.4.3/5")
def test_without_a_director_there_is_no_marker() -> None:
    agenda = [OperatingRound((), ("RÁBA",)), PurchaseTrains("3")]
    game = scene(agenda=agenda, shares={"RÁBA": {"p1": 1}}, cash={"RÁBA": 200}, owners={"3": "p1"})
    game.apply(Pass())
    assert state_of(game).round == "SR 3", "nobody was asked"
    assert state_of(game).markers["RÁBA"] == 2
    assert cash_of(game, "RÁBA") == [0]


# What markers do


@pytest.mark.rule("18Mag VI.4.2/6", "18Mag VI.2/9")
def test_a_marker_closes_a_city_to_minors() -> None:
    row = line("F5", CITY_20, CITY_20, CITY_20)
    game = running("3", ["3"], row, {"F5.0": ["3"], "F7.0": ["SIK"]}, directors={"SIK": "p1"})
    assert refusal_of_run(game, path_of_line(row)) == "18Mag VI.2/9"
    assert revenue_of(game, ("F5.0", "F7.0")) == 50
    assert best_income(game) == (50, 0)


@pytest.mark.rule("18Mag VI.4.2/6", "18Mag VI.2/3")
def test_a_marker_is_nobodys_own_station() -> None:
    row = line("F5", CITY_30, CITY_20)
    game = running("3", ["2"], row, {"F5.0": ["SIK", "RÁBA"]}, directors={"SIK": "p1"})
    assert refusal_of_run(game, path_of_line(row)) == "18Mag VI.2/3"
    assert best_income(game) == (0, 0)


@pytest.mark.rule("18Mag VI.4.2/7", "18Mag VI.4.2/8")
def test_two_majors_may_stand_in_one_city() -> None:
    game = marking(tiles={"C12": turned(CITY_30, "W", "E")}, stations={"C12.0": ["SIK"]})
    game.apply(PlaceStation("C12.0"))
    assert state_of(game).board.stations["C12.0"] == ("SIK", "RÁBA")
    row = line("C12", CITY_30, CITY_20)
    run = running("3", ["2"], row, {"C12.0": ["SIK", "RÁBA"], "C14.0": ["3"]})
    assert revenue_of(run, path_of_line(row)) == 30 + 20 + 20


@pytest.mark.rule("18Mag VI.4.2/8")
def test_only_the_city_of_the_marker_gains() -> None:
    tiles = {"E12": ("L33", 2), "D11": turned(SHARP, "SE", "E"), "D13": turned(SHARP, "W", "SW")}
    ring = ("E12.1", "D11", "D13", "E12.0")
    assert revenue_of(running("3", ["2"], tiles, {"E12.0": ["3"]}), ring) == 30 + 30
    marked = {"E12.0": ["3"], "E12.1": ["SNW"]}
    assert revenue_of(running("3", ["2"], tiles, marked), ring) == 30 + 40
    town = {**tiles, "D13": turned(SHARP_TOWN, "W", "SW")}
    assert revenue_of(running("3", ["2"], town, marked), ("E12.0", "D13.0")) == 30 + 10, "Pest with a town"
