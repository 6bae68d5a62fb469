"""A train is removed from the game (18CZ VIII.13)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PhaseBegan, Record, RoundBegan, TrainMoved
from ostbahn.titles.cz.actions import ReturnTrain, StartCompany
from ostbahn.titles.cz.state import PurchaseTrains, ReturnTrains, StockRound, Timetable
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.scenes import scene, state_of
from tests.titles.cz.train_scenes import (
    FLEET,
    HARMLESS,
    asked,
    faces_left,
    first_of,
    fleet,
    phase_before,
    rule_of,
    table_with,
)

AFTER = {40: 2, 45: 5, 50: 8}
"""The box of the process track that follows an Operating Round."""


def last_turn(box: int = AFTER[40], **more: Any) -> Game:
    """The last company of a set of Operating Rounds ends its turn with the next pass."""
    more.setdefault("trains", {"VBW": [("a1", "2")]})
    return table_with(agenda=[Timetable(box), PurchaseTrains("VBW")], **more)


def exported(record: Record) -> list[str]:
    return [event.card for event in record.events if isinstance(event, TrainMoved) and event.target == "abroad"]


def next_card(game: Game) -> str:
    return cz_title().stack.card(state_of(game).cards_gone)


@pytest.mark.rule("18CZ VIII.13/1")
def test_the_next_card_on_sale_leaves_the_game_after_a_set() -> None:
    game = last_turn(cards_gone=3)
    assert next_card(game) == "a4"
    record = game.apply(Pass())
    assert exported(record) == ["a4"]
    assert next_card(game) == "a5"
    assert [event.round for event in record.events if isinstance(event, RoundBegan)] == ["SR 2"]
    assert all(train.card != "a4" for trains in state_of(game).trains.values() for train in trains)
    assert state_of(game).pool == ()


@pytest.mark.rule("18CZ VIII.13/1")
def test_nothing_is_exported_within_a_set() -> None:
    boxes = cz_title().boxes
    game = last_turn(boxes.index(60) + 1, phase="b")
    record = game.apply(Pass())
    assert exported(record) == []
    assert [event.round for event in record.events if isinstance(event, RoundBegan)] == ["OR 5.2"]


@pytest.mark.rule("18CZ VIII.13/2", "18CZ VIII.12/1")
@pytest.mark.parametrize(
    ("gone", "phase", "share", "rule"),
    [(4, "a", StartCompany("BN", 60), "18CZ VII.3/2"), (12, "c", StartCompany("Sx", 90), "18CZ VII.3/3")],
)
def test_an_export_can_begin_a_phase(gone: int, phase: str, share: StartCompany, rule: str) -> None:
    """One card earlier it is the last of the old letter that goes abroad, and the shares stay shut."""
    games = [
        scene(
            phase=phase,
            cards_gone=number,
            started={"VBW": (60, "p1")},
            trains={"VBW": [("a1", "2")]},
            agenda=[Timetable(AFTER[45]), PurchaseTrains("VBW")],
        )
        for number in (gone, gone + 1)
    ]
    records = [game.apply(Pass()) for game in games]
    following = "bd"[phase == "c"]
    assert PhaseBegan(following) not in records[0].events
    assert PhaseBegan(following) in records[1].events
    assert [rule_of(game, share) for game in games] == [rule, None]


@pytest.mark.rule("18CZ VIII.13/2", "18CZ VIII.12/22")
def test_surplus_trains_after_an_export_are_returned_before_the_stock_round() -> None:
    trains = {"VBW": [("f3", "4")], "BN": [("d1", "3+3"), ("d2", "3+3"), ("c1", "3")]}
    game = last_turn(trains=trains, **phase_before("f"))
    game.apply(Pass())
    assert state_of(game).phase == "f"
    assert (asked(game).task, asked(game).decider) == (ReturnTrains("BN"), "p2")
    game.apply(ReturnTrain("c1"))
    assert isinstance(asked(game).task, StockRound)


@pytest.mark.rule("18CZ VIII.13/3")
def test_trains_in_the_pool_are_not_exported() -> None:
    """The e-card goes abroad as a 4 as well and so scraps the 2-train in the pool; the others stay."""
    pool = [("a2", "2"), ("b1", "2+2"), ("c1", "3")]
    game = last_turn(pool=pool, **phase_before("d"))
    assert exported(game.apply(Pass())) == ["d1"]
    assert [(train.card, train.face) for train in state_of(game).pool] == pool
    game = last_turn(pool=pool, trains={"VBW": [("c2", "3")]}, **phase_before("e"))
    assert exported(game.apply(Pass())) == ["e1"]
    assert [(train.card, train.face) for train in state_of(game).pool] == pool[1:]


@pytest.mark.rule("18CZ VIII.13/4")
def test_seven_exports_in_a_game_and_none_after_the_last_set() -> None:
    """VBW has a train and otherwise everybody passes, from the first Stock Round to the end."""
    game = scene(
        started={"VBW": (60, "p1")}, trains={"VBW": [("g1", "5")]}, agenda=[Timetable(0)], phase="h", cards_gone=31
    )
    prices, rounds = [], []
    while not game.over:
        before = state_of(game).local_price
        action = Pass() if Pass() in asked(game) else asked(game).options[0].action
        record = game.apply(action)
        prices += [before for _ in exported(record)]
        rounds += [event.round for event in record.events if isinstance(event, RoundBegan)]
    assert prices == [40, 45, 50, 55, 65, 75, 90]
    assert rounds[-3:] == ["OR 8.1", "OR 8.2", "OR 8.3"]
    assert state_of(game).cards_gone == 31 + 7


@pytest.mark.rule("18CZ VIII.13/5")
def test_a_later_card_of_a_letter_scraps_as_well() -> None:
    """The first i-card was bought as a 5, so the 3E-trains were safe until the second goes abroad."""
    trains = {"VBW": [("i1", "5")], **fleet("3E", "4E", "5E")}
    game = last_turn(trains=trains, phase="i", cards_gone=first_of("i") + 1, scrapped=("2", "3"))
    record = game.apply(Pass())
    assert exported(record) == ["i2"]
    assert not [event for event in record.events if isinstance(event, PhaseBegan)]
    assert faces_left(game) == {"5", "4E", "5E"}


@pytest.mark.rule("18CZ VIII.12/21")
@pytest.mark.parametrize(
    ("letter", "gone"),
    [
        ("d", set()),
        ("e", {"2"}),
        ("f", {"2", "2+2"}),
        ("g", {"2", "3", "2+2"}),
        ("h", {"2", "3", "2+2", "3+3"}),
        ("i", {"2", "3", "2+2", "3+3", "3E"}),
        ("j", {"2", "3", "2+2", "3+3", "3E", "4E"}),
    ],
)
def test_an_exported_card_scraps_in_all_its_sizes(letter: str, gone: set[str]) -> None:
    """VBW has a 4, which nothing scraps, so that it can end its turn."""
    old = [face for face in HARMLESS if FLEET[face][1][0] < letter]
    game = last_turn(trains={**fleet(*old), "VBW": [("f3", "4")]}, **phase_before(letter))
    game.apply(Pass())
    assert faces_left(game) == {*old, "4"} - gone
