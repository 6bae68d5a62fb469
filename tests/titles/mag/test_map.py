"""The map board: which hexes are built on and what the others pay (18Mag III.1)."""

from __future__ import annotations

import pytest

from ostbahn.titles.mag.actions import BuyCar, LayTile, RunTrains
from ostbahn.titles.mag.state import LayTrack, OperateWithCars
from ostbahn.titles.mag.title import mag_title
from tests.titles.mag.scenes import scene, state_of
from tests.titles.mag.share_scenes import cash_of, question_of, refusal_rule

RED = {"B23", "C6", "H1", "I26", "J15"}
MINES = {"A10", "A18", "E26", "I20"}
PHASES = ("yellow", "green", "brown", "grey")
Tiles = dict[str, tuple[str, int]]


@pytest.mark.rule("18Mag III.1/1")
def test_every_other_hex_takes_a_yellow_tile() -> None:
    title = mag_title()
    for hex_ in title.map:
        fits = [name for name, rotations in title.fitting(hex_, None).items() if rotations]
        assert bool(fits) == (hex_.id not in RED | MINES), hex_.id
        assert {title.tiles[name].colour for name in fits} <= {"yellow"}


@pytest.mark.rule("18Mag III.1/2")
@pytest.mark.parametrize("hex_id", ["C4", "D5", "J1", "J7", "A8", "A20", "K14", "I22"])
def test_nothing_is_laid_beyond_the_edge_of_the_map(hex_id: str) -> None:
    game = scene(tiles={"D7": ("57", 1)}, agenda=[LayTrack("11")])
    assert hex_id not in mag_title().map
    assert refusal_rule(game, LayTile(hex_id, "9", 1)) in ("18Mag III.1/2", "18Mag VI.3.2/15")


@pytest.mark.rule("18Mag III.1/3")
@pytest.mark.parametrize("hex_id", sorted(RED))
def test_nothing_is_laid_on_a_red_hex(hex_id: str) -> None:
    game = scene(tiles={"D7": ("57", 2)}, agenda=[LayTrack("11")])
    for tile in ("8", "57", "4", "L32"):
        assert refusal_rule(game, LayTile(hex_id, tile, 0)) == "18Mag III.1/3"


@pytest.mark.rule("18Mag III.1/4")
@pytest.mark.parametrize("hex_id", sorted(MINES))
def test_nothing_is_laid_on_a_mine(hex_id: str) -> None:
    game = scene(tiles={"B17": ("57", 0)}, agenda=[LayTrack("6")])
    for tile in ("8", "57", "4", "L32"):
        assert refusal_rule(game, LayTile(hex_id, tile, 0)) == "18Mag III.1/4"


@pytest.mark.rule("18Mag III.1/5")
def test_cities_have_names_and_towns_have_none() -> None:
    cities = towns = 0
    for hex_ in mag_title().map:
        kinds = [node.kind for node in hex_.printed.nodes]
        if "city" in kinds:
            cities += len(kinds)
            names = hex_.printed.city_names or (hex_.printed.name,)
            assert len(names) == len(kinds)
            assert all(names)
        elif "town" in kinds:
            towns += 1
            assert hex_.printed.name is None
            assert kinds == ["town"]
    assert (cities, towns) == (28, 19)


# What red hexes and mines pay


def to_red(hex_id: str) -> tuple[str, dict[str, list[str]], Tiles, int]:
    """A minor, its stations, track to a red hex, and what the city at the other end pays."""
    match hex_id:
        case "B23":
            straight: Tiles = dict.fromkeys(("C22", "D21", "E20"), ("9", 0))
            return "1", {"F19.0": ["1"]}, {**straight, "F19": ("57", 0)}, 20
        case "C6":
            return "11", {}, {"D7": ("57", 2)}, 20
        case "H1":
            return "1", {"I2.0": ["1"]}, {"I2": ("57", 2)}, 20
        case "I26":
            return "5", {}, {"H27": ("57", 0)}, 20
        case _:
            return "9", {"I14.0": ["9"]}, {"I14": ("L32", 3)}, 30


RED_VALUES = {
    "B23": (30, 40, 50, 60),
    "C6": (30, 40, 50, 70),
    "H1": (20, 30, 40, 50),
    "I26": (20, 30, 40, 50),
    "J15": (10, 20, 30, 40),
}


@pytest.mark.rule("18Mag III.1/3", "18Mag III.1/7")
@pytest.mark.parametrize("hex_id", sorted(RED))
@pytest.mark.parametrize("phase", PHASES)
def test_what_red_hexes_pay(hex_id: str, phase: str) -> None:
    minor, stations, tiles, city = to_red(hex_id)
    game = scene(phase=phase, stations=stations, tiles=tiles, agenda=[OperateWithCars(minor)])
    [run] = [option.action for option in question_of(game).only(RunTrains)]
    game.apply(run)
    assert state_of(game).revenue[minor] == city + RED_VALUES[hex_id][PHASES.index(phase)]


@pytest.mark.rule("18Mag III.1/7")
def test_names_of_the_red_hexes() -> None:
    names = {hex_.id: hex_.printed.name for hex_ in mag_title().map if hex_.id in RED}
    assert names == {"B23": "Galicia", "C6": "Bécs", "H1": "Trieszt", "I26": "Isztambul", "J15": "Belgrád"}


TO_MINES: dict[str, tuple[str, dict[str, list[str]], Tiles]] = {
    "A10": ("1", {"C12.0": ["1"]}, {"B11": ("9", 2), "C12": ("57", 2), "D13": ("4", 2)}),
    "A18": ("6", {}, {"B17": ("57", 0), "C16": ("57", 0)}),
    "E26": ("12", {}, {"F25": ("4", 0), "G24": ("4", 0), "H23": ("57", 0)}),
    "I20": ("10", {}, {"H19": ("8", 5), "H17": ("6", 2), "G16": ("57", 2)}),
}
"""A minor, its stations, and track from a mine to at least two locations."""


@pytest.mark.rule("18Mag III.1/4", "18Mag III.1/8")
@pytest.mark.parametrize(("hex_id"), sorted(MINES))
@pytest.mark.parametrize(
    ("phase", "value", "car"), [("yellow", 30, 10), ("green", 30, 10), ("brown", 50, 20), ("grey", 50, 20)]
)
def test_what_mines_pay(hex_id: str, phase: str, value: int, car: int) -> None:
    minor, stations, tiles = TO_MINES[hex_id]
    game = scene(phase=phase, stations=stations, tiles=tiles, trains={minor: ["3"]}, agenda=[OperateWithCars(minor)])
    game.apply(BuyCar("mine"))
    [run] = [option.action for option in question_of(game).only(RunTrains)]
    assert isinstance(run, RunTrains)
    assert f"{hex_id}.0" in run.runs[0].path
    game.apply(run)
    assert cash_of(game, minor) == 50 - car + state_of(game).revenue[minor] // 2 + value


# The income table


@pytest.mark.rule("18Mag III.1/6")
def test_the_income_table_remembers_the_last_income_and_nothing_depends_on_it() -> None:
    money = []
    for shown in ({}, {"11": 400}):
        game = scene(tiles={"D7": ("57", 2)}, revenue=shown, agenda=[OperateWithCars("11")])
        game.apply(question_of(game).only(RunTrains)[0].action)
        assert state_of(game).revenue["11"] == 50
        money.append(state_of(game).cash)
    assert money[0] == money[1]


@pytest.mark.rule("18Mag III.1/6")
def test_a_turn_without_income_is_remembered_too() -> None:
    game = scene(revenue={"11": 50}, agenda=[OperateWithCars("11")])
    game.apply(RunTrains(()))
    assert state_of(game).revenue["11"] == 0
