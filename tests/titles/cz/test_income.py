"""Calculating income (18CZ VIII.8); that the highest revenue is demanded shows test_best_runs.py."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import ClaimBelieved, Paid
from ostbahn.titles.cz.actions import PayOut, RunTrains, TrainRun, Withhold
from ostbahn.titles.cz.state import UseIncome
from tests.titles.cz.lines import (
    CITY_20,
    CITY_30,
    CITY_40,
    CITY_50,
    RED,
    TOWN_10,
    TOWN_20,
    line,
    star,
    turned,
    way,
)
from tests.titles.cz.looking import refused_by
from tests.titles.cz.runs import best, earned, rule_against, run, running
from tests.titles.cz.scenes import scene, state_of

# What trains and companies earn


@pytest.mark.rule("18CZ VIII.8/1")
def test_a_train_earns_the_locations_that_it_counts() -> None:
    tiles = line("G3", CITY_30, TOWN_10, CITY_40, TOWN_20, CITY_20)
    skips = running("kk", ["3E"], tiles, {"G3.0": ["kk"]})
    assert earned(skips, way(tiles)) == 30 + 40 + 20
    counts_all = running("BN", ["3+3"], tiles, {"G3.0": ["BN"]})
    assert earned(counts_all, way(tiles)) == 30 + 10 + 40 + 20 + 20


@pytest.mark.rule("18CZ VIII.8/2")
def test_a_company_earns_what_its_trains_earn_together() -> None:
    tiles = line("G3", CITY_30, CITY_20, CITY_30, CITY_40)
    game = running("EKJ", ["2", "3"], tiles, {"G5.0": ["EKJ"]})
    assert earned(game, way(tiles)[:2]) == 50
    assert earned(game, way(tiles)[:2], way(tiles)[1:]) == 50 + 90


@pytest.mark.rule("18CZ VIII.8/2")
def test_another_sum_cannot_be_claimed() -> None:
    game = running("EKJ", ["2"], line("G3", CITY_30, CITY_20), {"G3.0": ["EKJ"]})
    routes = (TrainRun("a1", ("G3.0", "G5.0")),)
    refusal = game.refusal(RunTrains(routes, claim=60))
    assert refusal is not None
    assert refusal.rule == "18CZ VIII.8/2"
    assert game.refusal(RunTrains(routes, claim=50)) is None


@pytest.mark.rule("18CZ VIII.8/2")
def test_a_claim_is_believed_by_the_site() -> None:
    rulings = {"claimed_revenue": "believed"}
    game = running("EKJ", ["2"], line("G3", CITY_30, CITY_20), {"G3.0": ["EKJ"]}, rulings=rulings)
    routes = (TrainRun("a1", ("G3.0", "G5.0")),)
    assert refused_by(game, RunTrains(routes, claim=-10)) == "18CZ VIII.8/2"
    nothing = game.copy()
    assert ClaimBelieved("EKJ", 0) in nothing.apply(RunTrains(routes, claim=0)).events
    right = game.copy()
    assert ClaimBelieved("EKJ", 50) not in right.apply(RunTrains(routes, claim=50)).events
    record = game.apply(RunTrains(routes, claim=80))
    assert ClaimBelieved("EKJ", 80) in record.events
    assert state_of(game).revenue["EKJ"] == 80


@pytest.mark.rule("18CZ VIII.8/3")
@pytest.mark.parametrize(("tile", "revenue"), [(CITY_20, 40), (CITY_30, 50), (CITY_40, 60), ("595p", 80)])
def test_a_promoted_city_pays_what_its_tile_shows(tile: str, revenue: int) -> None:
    game = running("EKJ", ["2"], line("G3", tile, CITY_20), {"G3.0": ["EKJ"]})
    assert earned(game, ("G3.0", "G5.0")) == revenue


@pytest.mark.rule("18CZ VIII.8/3")
def test_printed_hexes_pay_what_they_show() -> None:
    town = running("BTE", ["2+2"], {"D2": turned(CITY_20, "W")}, {"D2.0": ["BTE"]})
    assert earned(town, ("D0.0", "D2.0")) == 10 + 20
    praha = running("BN", ["2+2"], {"D12": turned("8", "SW", "E"), "D14": turned(CITY_30, "W")}, {"E11.1": ["BN"]})
    assert earned(praha, ("E11.1", "D12", "D14.0")) == 20 + 30


@pytest.mark.rule("18CZ VIII.8/4")
@pytest.mark.parametrize(("phases", "value"), [("def", 30), ("gh", 40), ("ij", 50)])
def test_a_red_tile_pays_by_the_phase(phases: str, value: int) -> None:
    tiles = {**line("G3", CITY_20), "G5": turned(RED["Ug"], "W")}
    for phase in phases:
        game = running("BN", ["5+5"], tiles, {"G3.0": ["BN"]}, phase=phase)
        assert earned(game, ("G3.0", "G5.0")) == 20 + value


@pytest.mark.rule("18CZ VIII.8/5")
@pytest.mark.parametrize(
    ("company", "train", "bonus"), [("Sx", "3E", 50), ("By", "3E", 0), ("BN", "3+3", 0), ("EKJ", "3", 0)]
)
@pytest.mark.parametrize(("phase", "value"), [("d", 30), ("g", 40), ("i", 50)])
def test_only_the_company_at_home_has_the_bonus(company: str, train: str, bonus: int, phase: str, value: int) -> None:
    tiles = {**line("G3", CITY_20), "G5": turned(RED["Sx"], "W")}
    game = running(company, [train], tiles, {"G3.0": [company], "G5.0": ["Sx"]}, phase=phase)
    assert earned(game, ("G3.0", "G5.0")) == 20 + value + bonus


@pytest.mark.rule("18CZ VIII.8/5")
def test_every_train_that_comes_home_has_the_bonus() -> None:
    game = running("Sx", ["3E", "3E"], star(turned(RED["Sx"], "W", "SW"), "W", "SW"), {"G11.0": ["Sx"]})
    assert earned(game, ("G9.0", "G11.0"), ("G11.0", "H10.0")) == 2 * (20 + 30 + 50)


@pytest.mark.rule("18CZ VIII.8/7")
def test_the_income_table_keeps_the_last_revenue() -> None:
    tiles = line("G3", CITY_50, CITY_50, CITY_50, CITY_40)
    game = running("kk", ["4E"], tiles, {"G3.0": ["kk"]}, revenue={"kk": 70, "EKJ": 40})
    game.apply(run(game, way(tiles)))
    assert state_of(game).revenue == {"kk": 190, "EKJ": 40}
    record = game.apply(PayOut())
    paid = {event.target: event.amount for event in record.events if isinstance(event, Paid)}
    assert paid == {"p1": 5 * 19}  # a tenth of 190 for each 10 %
    assert state_of(game).revenue["kk"] == 190


@pytest.mark.rule("18CZ VIII.8/7")
def test_a_company_that_earns_nothing_falls_to_nought_in_the_income_table() -> None:
    game = running("EKJ", ["2"], {}, {"D4.0": ["EKJ"]}, revenue={"EKJ": 50})
    game.apply(RunTrains(()))
    assert state_of(game).revenue == {"EKJ": 0}
    assert UseIncome not in {type(task) for task in state_of(game).agenda}


# The rulebook's examples, on a map that fits their sums


EXAMPLE = {
    "E15": turned(CITY_20, "NE"),  # F
    "D16": ("15", 0),  # H: 30
    "C15": turned("8", "SE", "NE"),
    "B16": ("887p", 4),  # L, a town: 20
    "B18": turned(RED["Pr"], "W", "SW"),  # M: 40 in the brown phase, for Pr 90
    "B14": ("888p", 5),  # K, a town: 20
    "B12": ("216", 3),  # J: 50
    "C11": ("887p", 0),  # I, a town: 20
    "B10": turned(CITY_20, "SE"),  # G
    "C13": turned(TOWN_10, "NW", "SE"),  # between J and H
    "D14": turned("8", "NW", "E"),
    "F12": turned("58", "NW", "SW"),  # B, a town: 10; A is Praha as printed, 20
    "G11": turned(CITY_20, "NE"),  # C
}
PLACES = {"A": "E11.0", "B": "F12.0", "C": "G11.0", "F": "E15.0", "G": "B10.0", "H": "D16.0", "I": "C11.0"}
PLACES |= {"J": "B12.0", "K": "B14.0", "L": "B16.0", "M": "B18.0"}
BETWEEN = {"LH": ("C15",), "JH": ("C13.0", "D14")}
STATIONS = {"E15.0": ["BCB"], "D16.0": ["BCB"], "E11.1": ["BN"], "B12.0": ["BN"], "E11.0": ["NWB"], "B18.0": ["Pr"]}
TRAINS = {"BCB": ["2", "3"], "BN": ["3+3"], "NWB": ["4+4"], "Pr": ["4E"]}


def from_to(letters: str) -> tuple[str, ...]:
    """A route over the letters of the example, with what lies between them."""
    path = [PLACES[letters[0]]]
    for here, there in pairwise(letters):
        path += BETWEEN.get(here + there, BETWEEN.get(there + here, ())[::-1])
        path.append(PLACES[there])
    return tuple(path)


EXAMPLES = [
    pytest.param("BCB", ["FH"], 50, marks=pytest.mark.rule("18CZ VIII.8/8")),
    pytest.param("BCB", ["FH", "HLM"], 50 + 90, marks=pytest.mark.rule("18CZ VIII.8/9")),
    pytest.param("BN", ["GIJKLM"], 170, marks=pytest.mark.rule("18CZ VIII.8/10")),
    pytest.param("NWB", ["ABC"], 50, marks=pytest.mark.rule("18CZ VIII.8/11")),
    pytest.param("Pr", ["MLKJHF"], 190, marks=pytest.mark.rule("18CZ VIII.8/12")),
]


@pytest.mark.parametrize(("company", "routes", "revenue"), EXAMPLES)
def test_the_examples_of_the_rulebook(company: str, routes: list[str], revenue: int) -> None:
    game = running(company, TRAINS[company], EXAMPLE, STATIONS, phase="g")
    assert earned(game, *(from_to(route) for route in routes)) == revenue


@pytest.mark.rule("18CZ VIII.8/9")
def test_the_longer_train_of_the_example_earns_90_alone() -> None:
    game = running("BCB", ["3"], EXAMPLE, STATIONS, phase="g")
    assert earned(game, from_to("HLM")) == 90
    assert rule_against(game, from_to("FHLM")) == "18CZ VIII.7/4"


@pytest.mark.rule("18CZ VIII.8/12")
@pytest.mark.parametrize(("company", "revenue"), [("Pr", 190), ("By", 140)])
def test_the_example_without_the_bonus(company: str, revenue: int) -> None:
    stations = {**STATIONS, "E15.0": [company]}
    game = running(company, ["4E"], EXAMPLE, stations, phase="g")
    assert earned(game, from_to("MLKJHF")) == revenue


@pytest.mark.parametrize(("company", "routes", "revenue"), EXAMPLES[1:])
def test_the_examples_are_the_highest_revenues(company: str, routes: list[str], revenue: int) -> None:
    game = running(company, TRAINS[company], EXAMPLE, STATIONS, phase="g", highest=True)
    assert best(game) == revenue
    assert earned(game, *(from_to(route) for route in routes)) == revenue


# Paid out or kept


def with_income(
    company: str,
    revenue: int,
    price: int,
    shares: Mapping[str, int],
    cash: Mapping[str, int] | None = None,
) -> Game:
    return scene(
        phase="d",
        started={company: (price, "p1")},
        shares={company: shares},
        cash=cash,
        agenda=[UseIncome(company, revenue)],
    )


def gains(game: Game, *players: str) -> list[int]:
    """What these players receive when the company pays out."""
    before = state_of(game).cash
    game.apply(PayOut())
    return [state_of(game).cash[player] - before[player] for player in players]


@pytest.mark.rule("18CZ VIII.8/13")
def test_there_are_two_things_to_do_with_the_income() -> None:
    game = with_income("EKJ", 110, 60, {"p2": 1})
    assert game.question is not None
    assert [option.action for option in game.question] == [PayOut(), Withhold()]
    assert refused_by(game, Pass()) == "18CZ VIII.3/1"


@pytest.mark.rule("18CZ VIII.8/13")
@pytest.mark.parametrize("answer", [PayOut(), Withhold()])
def test_the_director_alone_decides(answer: PayOut | Withhold) -> None:
    game = with_income("EKJ", 110, 60, {"p2": 2})
    assert game.question is not None
    assert game.question.decider == "p1"
    assert refused_by(game, answer, by="p2") == "18CZ V/6"
    assert refused_by(game, answer, by="p1") == "allowed"


@pytest.mark.rule("18CZ VIII.8/14")
def test_shares_in_the_bank_pay_the_bank() -> None:
    game = with_income("kk", 200, 100, {"p1": 1, "p2": 2}, cash={"kk": 70})
    assert gains(game, "p1", "p2", "p3", "kk", "bank") == [60, 40, 0, 0, -100]


@pytest.mark.rule("18CZ VIII.8/15")
@pytest.mark.parametrize(
    ("revenue", "shares", "paid"),
    [
        (110, {"p2": 1}, [55, 28]),
        (110, {"p2": 2}, [55, 55]),
        (110, {"p1": 1}, [83, 0]),
        (110, {"p1": 1, "p2": 1}, [83, 28]),
        (50, {"p2": 2}, [25, 25]),
        (70, {"p1": 1, "p2": 1}, [53, 18]),
    ],
)
def test_the_whole_holding_is_rounded_up_once(revenue: int, shares: dict[str, int], paid: list[int]) -> None:
    """50 K and 70 K were rounded down for each share on 18xx.games: #4015."""
    assert gains(with_income("EKJ", revenue, 60, shares), "p1", "p2") == paid


@pytest.mark.rule("18CZ VIII.8/15")
def test_separate_holders_are_each_rounded_up() -> None:
    assert gains(with_income("EKJ", 110, 60, {"p2": 1, "p3": 1}), "p1", "p2", "p3", "bank") == [55, 28, 28, -111]


TABLE = [
    (50, 13, 38), (60, 15, 45), (70, 18, 53), (80, 20, 60), (90, 23, 68), (100, 25, 75), (110, 28, 83), (120, 30, 90),
    (130, 33, 98), (140, 35, 105), (150, 38, 113), (160, 40, 120), (170, 43, 128), (180, 45, 135), (190, 48, 143),
    (200, 50, 150), (210, 53, 158), (220, 55, 165), (230, 58, 173), (240, 60, 180), (250, 63, 188), (260, 65, 195),
]  # fmt: skip


@pytest.mark.rule("18CZ VIII.8/16")
@pytest.mark.parametrize(("revenue", "quarter", "three_quarters"), TABLE)
def test_the_calculation_card(revenue: int, quarter: int, three_quarters: int) -> None:
    game = with_income("EKJ", revenue, 60, {"p1": 1, "p2": 1})
    assert gains(game, "p1", "p2") == [three_quarters, quarter]


@pytest.mark.rule("18CZ VIII.8/17")
def test_retained_revenue_flows_into_the_treasury() -> None:
    game = with_income("EKJ", 90, 60, {"p2": 1}, cash={"EKJ": 40})
    before = state_of(game).cash
    game.apply(Withhold())
    after = state_of(game).cash
    assert after["EKJ"] == 130
    assert after["bank"] == before["bank"] - 90
    assert [after[player] for player in ("p1", "p2", "p3")] == [before[player] for player in ("p1", "p2", "p3")]
