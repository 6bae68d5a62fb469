"""Scrapping trains (18Mag VI.3.5)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.records import PhaseBegan, TrainMoved
from ostbahn.titles.mag.actions import BuyTrain, RunTrains, ScrapTrain
from ostbahn.titles.mag.state import OperateWithCars, PurchaseTrains, ScrapTrains
from tests.titles.mag.scenes import cards_of, scene, state_of
from tests.titles.mag.track_scenes import cash_of, payments, question_of, refusal_rule


@pytest.mark.rule("18Mag VI.3.5/1")
@pytest.mark.parametrize("scrapped", [(), ("2-3",), ("3-1",), ("2-3", "3-1"), ("3-1", "2-3")])
def test_none_one_or_both_trains_may_be_scrapped_before_the_run(scrapped: tuple[str, ...]) -> None:
    game = scene(phase="green", trains={"3": ["2", "3"]}, agenda=[OperateWithCars("3"), ScrapTrains("3")])
    for card in scrapped:
        game.apply(ScrapTrain(card))
    assert set(cards_of(game, "3")) == {"2-3", "3-1"} - set(scrapped)
    game.apply(Pass())
    assert isinstance(question_of(game).task, OperateWithCars)


@pytest.mark.rule("18Mag VI.3.5/1")
def test_after_the_run_nothing_is_scrapped() -> None:
    game = scene(agenda=[PurchaseTrains("3"), OperateWithCars("3"), ScrapTrains("3")])
    game.apply(Pass())
    assert refusal_rule(game, ScrapTrain("2-3")) == "18Mag VI.3.1/1"
    game.apply(RunTrains(()))
    assert refusal_rule(game, ScrapTrain("2-3")) == "18Mag VI.3.1/1"


@pytest.mark.rule("18Mag VI.3.5/1")
def test_a_minor_scraps_its_own_trains() -> None:
    game = scene(agenda=[ScrapTrains("3")])
    assert refusal_rule(game, ScrapTrain("2-1")) == "18Mag VI.3.5/1", "that of minor 1"
    assert refusal_rule(game, ScrapTrain("6-1")) == "18Mag VI.3.5/1", "nobody has such a train"
    game.apply(ScrapTrain("2-3"))
    assert refusal_rule(game, ScrapTrain("2-3")) == "18Mag VI.3.5/1", "it is gone"


@pytest.mark.rule("18Mag VI.3.5/2")
def test_nothing_is_paid_for_a_scrapped_train() -> None:
    game = scene(agenda=[ScrapTrains("3")])
    record = game.apply(ScrapTrain("2-3"))
    assert not payments(record.events)
    assert cash_of(game, "3") == 50
    assert not cards_of(game, "3")


@pytest.mark.rule("18Mag VI.3.5/2")
def test_a_scrapped_train_returns_to_its_stack() -> None:
    game = scene(agenda=[ScrapTrains("3")])
    record = game.apply(ScrapTrain("2-3"))
    assert [event for event in record.events if isinstance(event, TrainMoved)] == [TrainMoved("2-3", "2", "3", "stack")]


@pytest.mark.rule("18Mag VI.3.5/2")
def test_a_stack_that_was_opened_stays_opened() -> None:
    """Minor 2 buys the first 3-train and scraps it; the next one begins no phase."""
    agenda = [PurchaseTrains("3"), ScrapTrains("2"), PurchaseTrains("2")]
    game = scene(cash={"2": 120, "3": 320}, trains={"2": [], "3": []}, agenda=agenda)
    assert PhaseBegan("green") in game.apply(BuyTrain("3")).events
    game.apply(Pass())
    game.apply(ScrapTrain(cards_of(game, "2")[0]))
    game.apply(Pass())
    record = game.apply(BuyTrain("3"))
    assert not any(isinstance(event, PhaseBegan) for event in record.events)
    assert state_of(game).phase == "green"
    assert len(cards_of(game, "3")) == 1, "it could be bought again"


@pytest.mark.rule("18Mag VI.3.5/2")
def test_scrapping_makes_room_for_a_new_train() -> None:
    game = scene(
        cash={"3": 80}, trains={"3": ["2", "2"]}, agenda=[PurchaseTrains("3"), OperateWithCars("3"), ScrapTrains("3")]
    )
    game.apply(ScrapTrain("2-3"))
    game.apply(Pass())
    game.apply(RunTrains(()))
    assert refusal_rule(game, BuyTrain("2")) == "allowed"
