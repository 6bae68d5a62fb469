"""Actions and events in words."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from ostbahn.kernel import records
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.questions import Option, Span
from ostbahn.kits.catalogue import new_game
from ostbahn.telling import questions
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz import events
from ostbahn.titles.cz.title import cz_title
from ostbahn.titles.cz.words.remarks import cz_table, remark
from ostbahn.titles.cz.words.words import WORDS

NAMES = {"p1": "Anna", "p2": "Ben"}


class SomethingNew(records.Event, frozen=True, tag="something_new"):
    """Nobody has found words for it yet."""

    player: str
    amount: int


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Pass(), "pass"),
        (cz.LayTile("D4", "57", 2), "lay tile 57 on D4, rotation 2"),
        (cz.LayTile("D10", "9", 1, "S1"), "lay tile 9 on D10, rotation 1, S1 waives the cost"),
        (cz.OfferForLocal("S2", 40), "offer 40 K for Local Railway S2"),
        (cz.StartCompany("BCB", 65), "start BCB at 65 K"),
        (cz.OfferAcquisition("EKJ", 70), "offer 70 K a share to take over EKJ"),
        (cz.RunTrains(()), "run no train"),
        (cz.RunTrains((), 120), "run no train, said to earn 120 K"),
        (cz.RunTrains((cz.TrainRun("a1", ("D4.0", "D6", "E7.0")),)), "run a1: D4.0 D6 E7.0"),
    ],
)
def test_an_action_in_words(action: Action, text: str) -> None:
    assert WORDS.describe(action) == text


def test_an_option_with_a_free_price_tells_its_bounds() -> None:
    assert WORDS.describe_option(Option(cz.OfferForTrain("a1", 1), Span(1, 90))) == "offer 1–90 K for train a1"


def test_every_action_has_words_of_its_own() -> None:
    values = {"str": "D4", "int": 3, "str | None": None, "int | None": None, "tuple[TrainRun, ...]": ()}
    told = set()
    for kind in get_args(cz.CzAction):
        text = WORDS.describe(
            kind(**{name: values[str(kind.__annotations__[name])] for name in kind.__struct_fields__})
        )
        assert text
        assert "{" not in text
        assert "_" not in text
        told.add(text)
    assert len(told) == len(get_args(cz.CzAction))


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (records.Paid("p1", "bank", 30, "Local Railway S2"), "Anna pays the bank 30 K (Local Railway S2)"),
        (records.Paid("BCB", "p2", 7, "dividend"), "BCB pays Ben 7 K (dividend)"),
        (records.PriceMoved("BCB", 0, 65, "start"), "BCB enters the chart at 65 K"),
        (records.PriceMoved("BCB", 65, 70, "dividend"), "BCB rises from 65 K to 70 K (dividend)"),
        (records.PriceMoved("BCB", 65, 60, "no dividend"), "BCB falls from 65 K to 60 K (no dividend)"),
        (records.CertificateMoved("BCB", 50, "bank", "p1"), "50% of BCB: the bank to Anna"),
        (records.DirectorChanged("BCB", "p1", "p2"), "Ben is Director of BCB instead of Anna"),
        (records.TileLaid("D4", "57", 2, "EKJ"), "EKJ lays tile 57 on D4, rotation 2"),
        (records.StationPlaced("E11.1", "BN"), "BN has a station in E11.1"),
        (records.TrainMoved("a1", "2", "stack", "EKJ"), "EKJ gets 2-train a1 from the stack"),
        (records.TrainMoved("a1", "2", "EKJ", "BN"), "BN gets 2-train a1 from EKJ"),
        (records.TrainMoved("a1", "2", "EKJ", "scrap"), "the 2-train a1 of EKJ is scrapped"),
        (records.TrainMoved("a1", "2", "EKJ", "pool"), "the 2-train a1 of EKJ goes to the pool"),
        (records.TrainMoved("d1", "3+3", "BN", "BN"), "BN turns card d1 into a 3+3-train"),
        (records.TrainMoved("b1", "2+2", "pool", "pool"), "card b1 stays in the pool as a 2+2-train"),
        (records.TrainMoved("c1", "", "stack", "abroad"), "train c1 goes abroad"),
        (records.PhaseBegan("b"), "phase b begins"),
        (records.RoundBegan("OR 5.2"), "Operating Round 5.2 begins"),
        (records.OfferDeclined("p2", 40), "Ben declines 40 K"),
        (records.Wealth("p1", 900), "Anna is worth 900 K"),
        (events.LoanTaken("p1", 60), "Anna borrows 60 K, and as much again is a penalty at the end"),
        (events.LocalRailwayGone("S2"), "Local Railway S2 is out of the game"),
        (SomethingNew("p1", 3), "something new: Anna, 3"),
    ],
)
def test_an_event_in_words(event: records.Event, text: str) -> None:
    assert WORDS.tell(event, NAMES) == text


def test_rounds_by_name() -> None:
    assert [WORDS.round_name(code) for code in ("PRE", "SR 3", "OR 5.2")] == [
        "Pre-Stock Round",
        "Stock Round 3",
        "Operating Round 5.2",
    ]


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_happens_in_a_game_has_words(seed: int) -> None:
    """All options, remarks and events of random games, without a name that only the engine knows."""
    chance = random.Random(seed)
    game = new_game("18CZ", ["Anna", "Ben", "Cyril", "Dora"], seed=seed)
    names = {f"p{seat}": name for seat, name in enumerate(game.setup.players, start=1)}
    inner = set(names) | {"None", "Event", "bank:"}
    while game.question is not None and len(game) < 400:
        table, question = cz_table(game), game.question
        options = chance.sample(question.options, min(len(question), 10))
        texts = [f"{WORDS.describe_option(option)} {remark(table, question, option.action)}" for option in options]
        texts += questions.heading(game)
        option = chance.choice(question.options)
        record = game.apply(option.action if option.span is None else option.at(chance.randint(*option.span)))
        texts += [WORDS.tell(event, names) for event in record.events]
        for text in texts:
            assert not inner & set(text.replace(",", " ").replace("(", " ").replace(")", " ").split()), text
            assert "events=" not in text


def test_track_is_remarked_with_its_sides_and_cost() -> None:
    game = new_game("18CZ", ["A", "B", "C"], seed=1)
    table = cz_table(game)
    assert game.question is not None
    action = cz.LayTile("A9", "4", 0)
    assert remark(table, game.question, action) == "yellow SW-NE, costs 10 K"
    assert cz_title().map["A9"].printed.cost == 10
