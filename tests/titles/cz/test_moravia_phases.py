"""Moravia-Silesia: what the phases open, bonuses of red tiles, exports, share prices, and the track (18CZ XI.2)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PhaseBegan, Record, RoundBegan, TrainMoved
from ostbahn.titles.cz.actions import LayPurpleTile, OfferForLocal, OfferForTrain, PayOut, RunTrains, Withhold
from ostbahn.titles.cz.state import LayTrack, OperateTrains, PurchaseTrains, Timetable, UseIncome
from tests.titles.cz.asking import asked, walk
from tests.titles.cz.asking import events_of as all_events
from tests.titles.cz.building import lay, on
from tests.titles.cz.lines import CITY_20, CITY_30, CITY_40, RED
from tests.titles.cz.looking import price_of, refused_by
from tests.titles.cz.moravian import (
    AT_HOME,
    BOX,
    FACE,
    before,
    both,
    fresh,
    from_red_to_red,
    moravia,
    path,
    row,
    running,
    sold_one,
)
from tests.titles.cz.scenes import state_of

LETTERS = list(FACE)
AROUND = ("SW", "W", "NW", "NE", "E")


def exported(record: Record) -> list[str]:
    return [event.card for event in record.events if isinstance(event, TrainMoved) and event.target == "abroad"]


# Tiles


def promoting(phase: str, *there: str) -> Game:
    """kk may promote E19, a city next to its home."""
    return both(
        phase=phase,
        tiles={**row(RED["kk"], CITY_20), "E19": on(*there)},
        stations=AT_HOME,
        locals_of={"L1": "kk"},
        agenda=[LayTrack("kk", first=False)],
    )


@pytest.mark.rule("18CZ XI.2/13")
@pytest.mark.parametrize("phase", LETTERS)
def test_the_colours_open_with_their_trains(phase: str) -> None:
    """Grey tiles of this board all have a purple edge; the Local Railway that lays one is there only for that."""
    lays: dict[str, tuple[tuple[str, ...], Action]] = {
        "d": ((CITY_20, "W", "E"), lay("E19", CITY_30, "SW", "W", "NE", "E")),
        "g": ((CITY_30, "SW", "W", "NE", "E"), lay("E19", CITY_40, *AROUND)),
        "j": ((CITY_40, *AROUND), LayPurpleTile("L1", "E19", "595p", 0)),
    }
    for opens, (there, action) in lays.items():
        open_now = LETTERS.index(phase) >= LETTERS.index(opens)
        assert (action in asked(promoting(phase, *there))) == open_now
    assert lay("E21", "5", "W", "SW") in asked(promoting(phase, CITY_20, "W", "E")), "yellow, from the beginning"


@pytest.mark.rule("18CZ XI.2/13", "18CZ VIII.8/4")
@pytest.mark.parametrize(("phase", "value"), [("a", 20), ("d", 30), ("e", 30), ("g", 40), ("j", 50)])
def test_red_tiles_gain_value_with_the_colours(phase: str, value: int) -> None:
    """In the yellow phase they are worth 20, as 18xx.games had it before its pull request 4221 (A66)."""
    tiles = row(RED["kk"], CITY_20)
    game = moravia(
        phase=phase, tiles=tiles, stations=AT_HOME, trains={"kk": [("a1", "2")]}, agenda=[OperateTrains("kk")]
    )
    game.apply(running(("a1", path(tiles))))
    assert state_of(game).revenue["kk"] == value + 20


# Bonuses


def run_on(tiles: dict[str, tuple[str, int]], face: str, way: tuple[str, ...], **fields: Any) -> int:
    """What kk earns with a train on a way."""
    game = moravia(
        **{"stations": AT_HOME, **fields},
        tiles=tiles,
        trains={"kk": [("x1", face)]},
        agenda=[OperateTrains("kk")],
        rulings={"highest_revenue": "not demanded"},
    )
    game.apply(running(("x1", way)))
    return state_of(game).revenue["kk"]


@pytest.mark.rule("18CZ XI.2/15")
def test_blue_trains_add_fifty_for_each_red_tile_and_red_trains_nothing() -> None:
    two_cities = from_red_to_red(CITY_20, CITY_20)
    assert run_on(two_cities, "4", path(two_cities), phase="j") == 50 + 20 + 20 + 50
    assert run_on(two_cities, "4+4", path(two_cities), phase="j") == 50 + 20 + 20 + 50 + 100
    assert run_on(two_cities, "5+5", path(two_cities), phase="j") == 50 + 20 + 20 + 50 + 100
    one_city = from_red_to_red(CITY_20)
    assert run_on(one_city, "3", path(one_city), phase="g") == 40 + 20 + 40
    assert run_on(one_city, "4+4", path(one_city), phase="g") == 40 + 20 + 40 + 100
    assert run_on(row(RED["kk"], CITY_20), "2", ("E17.0", "E19.0"), phase="a") == 20 + 20, "not even at home"


@pytest.mark.rule("18CZ XI.2/15")
@pytest.mark.parametrize("red", ["kk", "Pr"])
def test_a_single_red_tile_brings_its_bonus_whosever_it_is(red: str) -> None:
    station = {"E17.0": ["kk"]} if red == "kk" else {"E19.0": ["kk"]}
    assert run_on(row(RED[red], CITY_20), "4+4", ("E17.0", "E19.0"), phase="g", stations=station) == 40 + 50 + 20
    tiles = row(CITY_20, CITY_20)
    assert run_on(tiles, "4+4", path(tiles), phase="g") == 40, "no red tile, no bonus"


@pytest.mark.rule("18CZ XI.2/15", "18CZ VIII.8/6")
def test_the_best_run_reckons_with_the_bonuses() -> None:
    """A 4+4 rather joins two red tiles than runs on to three cities, which would be worth more as such."""
    tiles = {**from_red_to_red(CITY_20, CITY_20), "E21": on(CITY_30, "SW", "W", "NE", "E")}
    tiles |= {"F20": on("9", "NE", "SW"), "G19": on("216", *AROUND)}
    game = moravia(
        phase="g", tiles=tiles, stations=AT_HOME, trains={"kk": [("g1", "4+4")]}, agenda=[OperateTrains("kk")]
    )
    assert refused_by(game, running(("g1", ("E17.0", "E19.0", "E21.0", "F20", "G19.0")))) == "18CZ VIII.8/6"
    (option,) = asked(game).only(RunTrains)
    game.apply(option.action)
    assert state_of(game).revenue["kk"] == 40 + 20 + 30 + 40 + 100


# The share price


@pytest.mark.rule("18CZ XI.2/17")
@pytest.mark.parametrize(
    ("price", "paid", "kept"), [(60, 65, 55), (63, 68, 58), (70, 80, 65), (350, 350, 320), (40, 50, 40)]
)
def test_a_dividend_moves_the_price_by_one_space(price: int, paid: int, kept: int) -> None:
    for answer, after in ((PayOut(), paid), (Withhold(), kept)):
        game = moravia(
            started={"kk": (60, "p1")},
            shares={"kk": {"p1": 3}},
            prices={"kk": price},
            agenda=[UseIncome("kk", 100)],
        )
        game.apply(answer)
        assert price_of(game, "kk") == after


# Exports and the process track


@pytest.mark.rule("18CZ XI.2/27", "18CZ XI.2/14")
@pytest.mark.parametrize("players", [2, 3])
def test_six_stock_rounds_eleven_operating_rounds_and_five_exports(players: int) -> None:
    game = sold_one(fresh(players))
    for _ in walk(game):
        pass
    rounds = [event.round for event in all_events(game) if isinstance(event, RoundBegan)]
    sets = [1, 1, 2, 2, 2, 3]
    wanted = []
    for number, rounds_of_it in enumerate(sets, start=1):
        wanted += [f"SR {number}", *(f"OR {number}.{part}" for part in range(1, rounds_of_it + 1))]
    assert rounds == wanted
    assert [card for record in game.records for card in exported(record)] == ["a1", "a2", "a3", "a4", "a5"]


@pytest.mark.rule("18CZ XI.2/27")
def test_the_price_of_local_railways_by_operating_round() -> None:
    """kk has a train, so that there are turns in which to look."""
    game = moravia(trains={"kk": [("j1", "5+5")]}, phase="j", cards_gone=18, agenda=[Timetable(0)])
    prices: dict[str, int] = {}
    exports = []
    while not game.over:
        state = state_of(game)
        if state.round.startswith("OR"):
            prices[state.round] = state.local_price
        action = Pass() if Pass() in asked(game) else asked(game).options[0].action
        at = state.local_price
        exports += [at for _ in exported(game.apply(action))]
    assert prices == {
        "OR 1.1": 50,
        "OR 2.1": 55,
        "OR 3.1": 60,
        "OR 3.2": 65,
        "OR 4.1": 70,
        "OR 4.2": 75,
        "OR 5.1": 80,
        "OR 5.2": 90,
        "OR 6.1": 100,
        "OR 6.2": 110,
        "OR 6.3": 120,
    }
    assert exports == [50, 55, 65, 75, 90]


@pytest.mark.rule("18CZ XI.2/14")
@pytest.mark.parametrize("letter", LETTERS[1:])
def test_an_exported_train_begins_its_phase(letter: str) -> None:
    fields: dict[str, Any] = {"trains": {"kk": [("e3", "4")]}, **before(letter)}
    game = both(agenda=[Timetable(BOX[65] + 1), PurchaseTrains("kk")], **fields)
    record = game.apply(Pass())
    assert exported(record) == [f"{letter}1"]
    assert PhaseBegan(letter) in record.events
    assert state_of(game).round == "SR 4"
    within = both(agenda=[Timetable(BOX[65]), PurchaseTrains("kk")], **fields)
    assert exported(within.apply(Pass())) == [], "60 and 65 are one set"


# Refusals


@pytest.mark.rule("18CZ XI.2/9", "18CZ XI.2/13", "18CZ XI.2/7")
@pytest.mark.parametrize("what", ["paper too early", "train too early", "grey too early", "another's train"])
def test_a_refusal_cites_the_rule_of_this_variant_where_the_base_game_has_another(what: str) -> None:
    """The rules of the base game speak of b-trains, of i-trains and of E-trains."""
    too_early = both(
        phase="a",
        locals_of={"S1": "p2"},
        trains={"kk": [("a1", "2")], "Ug": [("a2", "2")]},
        agenda=[PurchaseTrains("kk")],
    )
    tiles = row(RED["kk"], CITY_20, CITY_20)
    run = both(tiles=tiles, stations=AT_HOME, trains={"kk": [("a1", "2")]}, agenda=[OperateTrains("kk")])
    cited = {
        "paper too early": (refused_by(too_early, OfferForLocal("S1", 10)), "18CZ XI.2/9"),
        "train too early": (refused_by(too_early, OfferForTrain("a2", 10)), "18CZ XI.2/9"),
        "grey too early": (
            refused_by(promoting("g", CITY_40, *AROUND), LayPurpleTile("L1", "E19", "595p", 0)),
            "18CZ XI.2/13",
        ),
        "another's train": (refused_by(run, running(("a2", ("E17.0", "E19.0")))), "18CZ XI.2/7"),
    }
    found, wanted = cited[what]
    assert found == wanted


@pytest.mark.rule("18CZ XI.2/7", "18CZ VIII.7/4", "18CZ VIII.7/6")
@pytest.mark.parametrize(("face", "cities", "rule"), [("2", 2, "18CZ VIII.7/4"), ("4+4", 4, "18CZ VIII.7/6")])
def test_a_train_is_too_short_by_the_rule_on_its_colour(face: str, cities: int, rule: str) -> None:
    tiles = row(RED["kk"], *[CITY_20] * cities)
    game = both(tiles=tiles, stations=AT_HOME, trains={"kk": [("x1", face)]}, agenda=[OperateTrains("kk")])
    assert refused_by(game, running(("x1", path(tiles)))) == rule
