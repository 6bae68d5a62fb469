"""Phases begin with the first train from a stack (18Mag VI.3.9)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PhaseBegan, Record
from ostbahn.titles.mag.actions import BuyCar, BuyTrain, LayTile, ScrapTrain
from ostbahn.titles.mag.state import (
    EndTurn,
    LayTrack,
    OperateWithCars,
    OperatingRound,
    PurchaseTrains,
    Rounds,
    ScrapTrains,
)
from ostbahn.titles.mag.title import mag_title
from tests.titles.mag.run_scenes import (
    CITY_20,
    CITY_30,
    CITY_40,
    STRAIGHT,
    best_income,
    cash_of,
    in_set,
    line,
    minimal_action,
    play_to,
    question_of,
    rounds_of,
    turned,
)
from tests.titles.mag.scenes import scene, state_of

BEGUN = ("green", "brown", "grey")


def buyers(number: int = 6, **fields: Any) -> Game:
    """So many minors that may buy, one after the other, each with enough for anything and without a train."""
    minors = [str(minor) for minor in range(1, number + 1)]
    return scene(
        **{
            "agenda": [PurchaseTrains(minor) for minor in reversed(minors)],
            "trains": {minor: [] for minor in minors},
            "cash": dict.fromkeys(minors, 1000),
            **fields,
        }
    )


def buy(game: Game, face: str) -> Record:
    """The minor in turn buys a train and leaves."""
    record = game.apply(BuyTrain(face))
    game.apply(Pass())
    return record


# Which train begins which phase


@pytest.mark.rule("18Mag VI.3.9/1", "18Mag VI.3.9/2", "18Mag VI.3.9/3")
@pytest.mark.parametrize("order", list(permutations(["3", "4", "6"])), ids="-".join)
def test_the_first_train_of_each_stack_begins_a_phase_in_any_order(order: tuple[str, ...]) -> None:
    game = buyers(9)
    for place, face in enumerate(order):
        assert PhaseBegan(BEGUN[place]) in buy(game, face).events
        assert state_of(game).phase == BEGUN[place]
        assert state_of(game).indicators == tuple(other for other in ("3", "4", "6") if other not in order[: place + 1])
        again = buy(game, face)
        assert not any(isinstance(event, PhaseBegan) for event in again.events), "not the second of the same stack"
        assert state_of(game).phase == BEGUN[place]


@pytest.mark.rule("18Mag VI.3.9/1")
def test_a_2_train_begins_nothing() -> None:
    game = buyers()
    buy(game, "2")
    assert (state_of(game).phase, state_of(game).indicators) == ("yellow", ("3", "4", "6"))


@pytest.mark.rule("18Mag VI.3.9/3")
def test_nothing_comes_after_grey() -> None:
    game = buyers(phase="grey")
    for face in ("2", "3", "4", "6"):
        buy(game, face)
    assert state_of(game).phase == "grey"


@pytest.mark.rule("18Mag VI.3.9/1")
def test_a_stack_once_opened_stays_so_even_if_its_trains_are_scrapped() -> None:
    agenda = [PurchaseTrains("2"), ScrapTrains("1"), PurchaseTrains("1")]
    game = scene(agenda=agenda, trains={"1": [], "2": []}, cash={"1": 500, "2": 500})
    buy(game, "3")
    game.apply(ScrapTrain("3-1"))
    game.apply(Pass())
    buy(game, "3")
    assert state_of(game).phase == "green"


# What a phase changes at once


@pytest.mark.rule("18Mag VI.3.9/7")
@pytest.mark.parametrize(
    ("phase", "tile", "colour"), [("yellow", CITY_20, "green"), ("green", CITY_30, "brown"), ("brown", CITY_40, "grey")]
)
def test_who_comes_later_may_use_the_new_colour(phase: str, tile: str, colour: str) -> None:
    tiles = {"E10": turned(tile, "W", "E")}
    before = scene(phase=phase, agenda=[LayTrack("3")], tiles=tiles, cash={"3": 500})
    assert promotions(before) == set()
    agenda = [OperatingRound(("3",)), EndTurn("2"), PurchaseTrains("2")]
    game = scene(phase=phase, agenda=agenda, tiles=tiles, trains={"2": []}, cash={"2": 500, "3": 500})
    buy(game, "6")
    assert isinstance(question_of(game).task, LayTrack)
    assert promotions(game) == {colour}


def promotions(game: Game) -> set[str]:
    """The colours to which the tile on E10 can be promoted."""
    lays = [option.action for option in question_of(game).only(LayTile, hex="E10")]
    return {mag_title().tiles[lay.tile].colour for lay in lays if isinstance(lay, LayTile)}


@pytest.mark.rule("18Mag VI.3.9/8")
@pytest.mark.parametrize(("phase", "face", "value"), [("yellow", "6", 40), ("green", "4", 50), ("brown", "6", 70)])
def test_red_hexes_pay_the_new_amount_at_once(phase: str, face: str, value: int) -> None:
    agenda = [OperateWithCars("11"), EndTurn("2"), PurchaseTrains("2")]
    tiles = {"D7": turned(CITY_20, "NW")}
    game = scene(phase=phase, agenda=agenda, tiles=tiles, trains={"2": []}, cash={"2": 500})
    buy(game, face)
    assert best_income(game) == (value + 20, 0)


@pytest.mark.rule("18Mag VI.3.9/8")
@pytest.mark.parametrize(("phase", "mine", "bonus", "price"), [("yellow", 30, 20, 10), ("green", 50, 30, 20)])
def test_with_brown_mines_bonus_and_prices_of_cars_change(phase: str, mine: int, bonus: int, price: int) -> None:
    """From Kassa to Galicia and to the mine; the purchase begins green first, then brown."""
    tiles = {"B17": turned("5", "NE", "E"), **line("B19", STRAIGHT, STRAIGHT)}
    agenda = [OperateWithCars("6"), EndTurn("2"), PurchaseTrains("2")]
    game = scene(phase=phase, agenda=agenda, tiles=tiles, trains={"2": []}, cash={"2": 500, "6": 100})
    buy(game, "4")
    red = {"yellow": 40, "green": 50}[phase]
    game.apply(BuyCar("off_board"))
    game.apply(BuyCar("mine"))
    assert best_income(game) == (20 + red + bonus, mine)
    assert cash_of(game, "RÁBA", "SNW") == [price, price + 10]


# What a phase does to the set of Operating Rounds


def in_round(phase: str, rounds: Rounds, *minors: str, **fields: Any) -> Game:
    """The last steps of an Operating Round: these minors may buy, then the majors act, which have no directors."""
    game = scene(
        **{
            "phase": phase,
            "agenda": [OperatingRound((), ()), *(PurchaseTrains(minor) for minor in reversed(minors))],
            "trains": {minor: [] for minor in minors},
            "cash": dict.fromkeys(minors, 1000),
            "owners": dict.fromkeys(minors, "p1"),
            **fields,
        }
    )
    return in_set(game, rounds)


@pytest.mark.rule("18Mag VI.3.9/4")
@pytest.mark.parametrize(
    ("phase", "rounds"),
    [
        ("yellow", Rounds(3, 1, 1)),
        ("green", Rounds(3, 1, 2)),
        ("green", Rounds(3, 2, 2)),
        ("brown", Rounds(3, 1, 2)),
        ("brown", Rounds(3, 2, 2)),
    ],
)
def test_after_a_phase_began_a_share_round_follows_in_any_case(phase: str, rounds: Rounds) -> None:
    game = in_round(phase, rounds, "1", "2")
    buy(game, "6")
    assert question_of(game).company == "2", "the round goes on"
    game.apply(Pass())
    assert rounds_of(game) == ["SR 4"]


@pytest.mark.rule("18Mag VI.3.9/4")
def test_without_a_new_phase_the_set_goes_on() -> None:
    game = in_round("green", Rounds(3, 1, 2), "1")
    buy(game, "2")
    assert rounds_of(game) == ["OR 3.2"]


@pytest.mark.rule("18Mag VI.3.9/5")
@pytest.mark.parametrize(("phase", "face"), [("yellow", "3"), ("green", "4")])
def test_sets_of_two_follow_green_and_brown(phase: str, face: str) -> None:
    """Nobody buys a train afterwards, but tokens for that shall not matter here."""
    game = in_round(phase, Rounds(3, 1, 1), "1", indicators=(face,))
    buy(game, face)
    play_to(game, "OR 5.2")
    assert rounds_of(game) == ["SR 4", "OR 4.1", "OR 4.2", "SR 5", "OR 5.1", "OR 5.2"]


@pytest.mark.rule("18Mag VI.3.9/5", "18Mag VI.3.9/4")
def test_another_change_cuts_the_next_set_short() -> None:
    game = in_round("yellow", Rounds(3, 1, 1), "1")
    buy(game, "3")
    while not isinstance(question_of(game).task, PurchaseTrains):
        game.apply(minimal_action(game))
    assert state_of(game).round == "OR 4.1"
    buy(game, "4")
    play_to(game, "OR 5.1")
    assert rounds_of(game) == ["SR 4", "OR 4.1", "SR 5", "OR 5.1"]


@pytest.mark.rule("18Mag VI.3.9/6", "18Mag IX.1/1")
@pytest.mark.parametrize("rounds", [Rounds(5, 1, 2), Rounds(5, 2, 2)])
def test_grey_brings_one_share_round_and_three_operating_rounds(rounds: Rounds) -> None:
    """The phase change at the end of the game. Reported to 18xx.games: #3482."""
    game = in_round("brown", rounds, "1", "2")
    buy(game, "6")
    play_to(game, "end")
    assert rounds_of(game) == ["SR 6", "OR 6.1", "OR 6.2", "OR 6.3"]
    assert game.over


@pytest.mark.rule("18Mag VI.3.9/9")
def test_two_phases_in_one_round_are_followed_by_one_share_round() -> None:
    game = in_round("yellow", Rounds(2, 1, 1), "1", "2", "3")
    buy(game, "3")
    buy(game, "4")
    assert state_of(game).phase == "brown"
    assert question_of(game).company == "3"
    game.apply(Pass())
    play_to(game, "OR 3.2")
    assert rounds_of(game) == ["SR 3", "OR 3.1", "OR 3.2"]


@pytest.mark.rule("18Mag VI.3.9/9", "18Mag VI.3.9/6")
def test_all_phases_may_begin_in_one_round() -> None:
    game = in_round("yellow", Rounds(2, 1, 1), "1", "2", "3")
    for face in ("6", "3", "4"):
        buy(game, face)
    assert state_of(game).phase == "grey"
    play_to(game, "end")
    assert rounds_of(game) == ["SR 3", "OR 3.1", "OR 3.2", "OR 3.3"]
