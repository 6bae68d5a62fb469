"""The course of Operating Rounds and of a minor's turn (18Mag VI.1, VI.3.1)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, RoundBegan, TurnBegan
from ostbahn.kernel.state import Task
from ostbahn.titles.mag.actions import BuyTrain, LayTile, PlaceStation, RunTrains, ScrapTrain, TrainRun
from ostbahn.titles.mag.state import (
    CompanyTask,
    EstablishStation,
    LayTrack,
    OperateWithCars,
    OperatingRound,
    PayOut,
    PurchaseTrains,
    ScrapTrains,
)
from tests.titles.mag.scenes import scene, state_of
from tests.titles.mag.track_scenes import (
    cash_of,
    facing,
    lay,
    lays,
    minimal_action,
    payments,
    question_of,
    refusal_rule,
    track_step,
)

LINE = {"E10": facing("57", "W", "E"), "E8": facing("9", "W", "E"), "E6": facing("58", "E", "SW")}
"""A city, plain track and a town, from east to west."""


def everything(game: Game) -> list[Event]:
    return [*game.opening, *(event for record in game.records for event in record.events)]


def rounds_of(events: Sequence[Event]) -> list[str]:
    return [event.round for event in events if isinstance(event, RoundBegan)]


# Operating Rounds


@pytest.mark.rule("18Mag VI.1/1")
@pytest.mark.parametrize(("phase", "number"), [("yellow", 1), ("green", 2), ("brown", 2), ("grey", 3)])
def test_how_many_operating_rounds_lie_between_two_share_rounds(phase: str, number: int) -> None:
    game = scene(phase=phase, owners={"3": "p1"})
    while not game.over and "SR 4" not in rounds_of(everything(game)):
        game.apply(minimal_action(game))
    rounds = rounds_of(everything(game))
    assert rounds[: number + 1] == ["SR 3", *(f"OR 3.{part}" for part in range(1, number + 1))]
    assert rounds[number + 1 :] == ([] if phase == "grey" else ["SR 4"])
    assert game.over is (phase == "grey")


@pytest.mark.rule("18Mag VI.1/2")
def test_minors_come_by_number_and_then_majors_by_price() -> None:
    prices = {"RÁBA": 60, "G&C": 75, "SNW": 80, "SIK": 90, "SzKÉV": 55, "LdStEG": 100, "MÁVAG": 65}
    owners = {"11": "p1", "2": "p2", "5": "p3"}
    directors = {"SIK": "p1", "RÁBA": "p2"}
    game = scene(owners=owners, prices=prices, directors=directors, agenda=[OperatingRound(("2", "5", "11"))])
    while "SR 3" not in rounds_of(everything(game)):
        game.apply(minimal_action(game))
    turns = [event.company for event in everything(game) if isinstance(event, TurnBegan)]
    assert turns == ["2", "5", "11", "LdStEG", "SIK", "SNW", "G&C", "MÁVAG", "RÁBA", "SzKÉV"]


@pytest.mark.rule("18Mag VI.1/2")
def test_a_real_round_asks_ten_after_nine() -> None:
    game = scene()
    while state_of(game).round != "OR 3.1":
        game.apply(minimal_action(game))
    order = []
    while state_of(game).round == "OR 3.1":
        if isinstance(task := question_of(game).task, LayTrack):
            order.append(task.company)
        game.apply(minimal_action(game))
    assert order == [str(number) for number in range(1, 13)]


@pytest.mark.rule("18Mag VI.1/2")
def test_majors_keep_the_order_in_which_they_were_when_their_turns_began() -> None:
    """SNW pays nothing and falls to the space of G&C, which acts after it all the same."""
    game = scene(
        owners={"3": "p1"},
        prices={"SNW": 80, "G&C": 75, "RÁBA": 65},
        directors={"SNW": "p1", "G&C": "p1", "RÁBA": "p1"},
        agenda=[OperatingRound((), None)],
    )
    order = []
    while state_of(game).round == "OR 2.1":
        if isinstance(task := question_of(game).task, PayOut):
            order.append(task.company)
        game.apply(minimal_action(game))
    assert order == ["SNW", "G&C", "RÁBA"]


# The steps of a minor's turn


def a_turn() -> Game:
    """Minor 3 can do something in each of its steps."""
    tiles = {
        "E10": facing("57", "W", "E"),
        "E8": facing("8", "E", "NW"),
        "D7": facing("5", "SE", "E"),
        "D9": facing("57", "W", "E"),
    }
    return scene(
        owners={"3": "p1"}, cash={"3": 500}, tiles=tiles, trains={"3": ["2", "2"]}, agenda=[OperatingRound(("3",))]
    )


@pytest.mark.rule("18Mag VI.3.1/1", "18Mag VI.3.1/2")
def test_the_steps_of_a_turn_in_their_order() -> None:
    game = a_turn()
    steps: list[type[Task]] = []
    while isinstance(task := question_of(game).task, CompanyTask) and task.company == "3":
        steps.append(type(task))
        game.apply(minimal_action(game))
    assert steps == [LayTrack, EstablishStation, ScrapTrains, OperateWithCars, PurchaseTrains]


@pytest.mark.rule("18Mag VI.3.1/1")
def test_no_step_can_be_made_up_for() -> None:
    game = a_turn()
    tile, station = lay("D11", "9", "W", "E"), PlaceStation("D9.0")
    scrap, purchase = ScrapTrain("2-1"), BuyTrain("2")
    early = "18Mag VI.3.1/1"
    assert [refusal_rule(game, action) for action in (station, scrap, purchase)] == [early] * 3
    game.apply(Pass())
    assert [refusal_rule(game, action) for action in (tile, scrap, purchase)] == [early] * 3
    game.apply(station)
    assert [refusal_rule(game, action) for action in (tile, station, purchase)] == [early] * 3
    game.apply(scrap)
    game.apply(Pass())
    assert [refusal_rule(game, action) for action in (tile, station, ScrapTrain("2-2"), purchase)] == [early] * 4
    game.apply(minimal_action(game))
    assert [refusal_rule(game, action) for action in (tile, station, ScrapTrain("2-2"))] == [early] * 3
    game.apply(purchase)
    assert isinstance(question_of(game).task, PurchaseTrains)


@pytest.mark.rule("18Mag VI.3.1/2")
@pytest.mark.parametrize("phase", ["yellow", "green", "brown", "grey"])
def test_everything_but_the_run_is_optional_in_every_phase(phase: str) -> None:
    for step in (LayTrack, EstablishStation, ScrapTrains, PurchaseTrains):
        assert refusal_rule(scene(phase=phase, agenda=[step("3")], tiles=LINE), Pass()) == "allowed"
    running = scene(phase=phase, agenda=[OperateWithCars("3")], tiles=LINE)
    assert refusal_rule(running, Pass()) == "18Mag VI.3.1/1"


@pytest.mark.rule("18Mag VI.3.1/2")
def test_what_is_earned_is_shared_without_a_question() -> None:
    game = scene(agenda=[PurchaseTrains("3"), OperateWithCars("3")], tiles=LINE)
    assert refused_by_run(game, RunTrains(())) == "18Mag VI.3.7/4", "the train must run"
    record = game.apply(RunTrains((TrainRun("2-3", ("E10.0", "E8", "E6.0")),)))
    assert payments(record.events) == [("bank", "p3", 15), ("bank", "3", 15)]
    assert isinstance(question_of(game).task, PurchaseTrains)


def refused_by_run(game: Game, run: RunTrains) -> str:
    refusal = game.refusal(run)
    return "allowed" if refusal is None else refusal.rule


@pytest.mark.rule("18Mag VI.3.1/2")
def test_a_train_without_a_route_earns_nothing_and_the_turn_goes_on() -> None:
    game = scene(agenda=[PurchaseTrains("3"), OperateWithCars("3")])
    record = game.apply(RunTrains(()))
    assert not payments(record.events)
    assert isinstance(question_of(game).task, PurchaseTrains)


# Two lays


START = {"E10": facing("57", "SW", "NE"), "D11": facing("9", "SW", "NE")}
YELLOW, FURTHER = lay("F9", "8", "W", "NE"), lay("F7", "9", "W", "E")
PROMOTION, OTHER = lay("E10", "14", "SW", "W", "NE", "E"), lay("D11", "27", "SW", "W", "NE")


@pytest.mark.rule("18Mag VI.3.1/3", "18Mag VI.3.2/1", "18Mag VI.3.2/2")
@pytest.mark.parametrize(
    ("actions", "fee"),
    [
        ((YELLOW,), 0),
        ((PROMOTION,), 0),
        ((YELLOW, FURTHER), 10),
        ((YELLOW, PROMOTION), 10),
        ((PROMOTION, YELLOW), 10),
    ],
)
def test_one_lay_is_free_and_an_extra_yellow_tile_costs_10(actions: tuple[LayTile, ...], fee: int) -> None:
    game = track_step("3", START, phase="green", cash={"3": 50})
    for action in actions:
        game.apply(action)
    assert (cash_of(game, "3"), cash_of(game, "SzKÉV")) == (50 - fee, fee)
    assert isinstance(question_of(game).task, LayTrack if len(actions) == 1 else EstablishStation)


@pytest.mark.rule("18Mag VI.3.1/3")
def test_nobody_promotes_twice() -> None:
    game = track_step("3", START, phase="green")
    game.apply(PROMOTION)
    assert refusal_rule(game, OTHER) == "18Mag VI.3.1/3"
    assert {tile for _, tile, _ in lays(game)} <= {"7", "8", "9", "3", "4", "58", "5", "57", "6", "L32", "L33"}
    assert lays(game), "a yellow tile may follow"


@pytest.mark.rule("18Mag VI.3.1/3")
@pytest.mark.parametrize("promotion_last", [True, False])
def test_two_lays_are_the_most(promotion_last: bool) -> None:
    game = track_step("3", START, phase="green")
    game.apply(YELLOW)
    game.apply(PROMOTION if promotion_last else FURTHER)
    assert isinstance(question_of(game).task, EstablishStation)
    assert refusal_rule(game, lay("C12", "57", "SW", "NE")) == "18Mag VI.3.1/1"


@pytest.mark.rule("18Mag VI.3.1/3")
def test_the_tile_just_laid_may_be_promoted() -> None:
    game = track_step("3", phase="green", cash={"3": 10})
    game.apply(lay("E10", "57", "W", "E"))
    game.apply(lay("E10", "14", "W", "NW", "E", "SE"))
    assert state_of(game).board.tiles["E10"] == facing("14", "W", "NW", "E", "SE")
    assert (cash_of(game, "3"), cash_of(game, "SzKÉV")) == (0, 10)
