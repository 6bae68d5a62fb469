"""Actions and events in words."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from ostbahn.kernel import records
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.questions import Option, Span
from ostbahn.kits.catalogue import new_game
from ostbahn.text.speech import Speech, heading
from ostbahn.text.words import Naming
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz import events
from ostbahn.titles.cz.title import cz_title
from ostbahn.titles.cz.words.text_renderer import CzTextRenderer
from ostbahn.titles.cz.words.words import WORDS
from tests.text.positions import INNER_ID
from tests.titles.cz.scenes import scene

TABLE = scene(
    started={"EKJ": (60, "p1"), "BN": (70, "p2")},
    trains={"EKJ": [("a1", "2")], "BN": [("d1", "3")]},
    pool=[("b1", "2")],
    tiles={"E11": ("8890", 1)},
    locals_of={"S2": "p2"},
).table
NAMING = Naming(TABLE, {"p2": "Ben"})
"""Anna directs EKJ, which has a 2-train, and Ben BN; a tile lies in Praha."""


class SomethingNew(records.Event, frozen=True, tag="something_new"):
    """Nobody has found words for it yet."""

    player: str
    amount: int


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Pass(), "pass"),
        (cz.LayTile("D4", "57", 2), "lay 57 in Karlovy Vary"),
        (cz.LayTile("D10", "9", 1, "S1"), "lay 9 on D10, S1 waives the cost"),
        (cz.LayPurpleTile("S1", "D4", "15p", 1), "lay purple-edged 15p in Karlovy Vary by S1"),
        (cz.PlaceStation("E11.1"), "place a station in Praha (north-east)"),
        (cz.PlaceStation("D4.0"), "place a station in Karlovy Vary"),
        (cz.OfferForLocal("S2", 40), "offer 40 K for Local Railway S2"),
        (cz.OfferForTrain("a1", 40), "offer 40 K for a 2-train of EKJ"),
        (cz.StartCompany("BCB", 65), "start BCB at 65 K"),
        (cz.OfferAcquisition("EKJ", 70), "offer 70 K a share for EKJ"),
        (cz.BuyTrain("c1", "2+2"), "buy a 2+2-train"),
        (cz.TurnTrain("d1", "3+3"), "turn a 3-train into a 3+3-train"),
        (cz.RunTrains(()), "run no train"),
        (cz.RunTrains((), 120), "run no train, said to earn 120 K"),
        (
            cz.RunTrains((cz.TrainRun("a1", ("D4.0", "D6", "E7.0")), cz.TrainRun("d1", ("E11.1", "F6.0")))),
            "run Karlovy Vary – E7 and Praha – Plzeň",
        ),
        (
            cz.RunTrains((cz.TrainRun("d1", ("D2.0", "D4.0", "E7.0", "E9.0", "E11.1")),)),
            "run Cheb – … – Praha (5 stops)",
        ),
    ],
)
def test_an_action_in_words(action: Action, text: str) -> None:
    assert WORDS.describe(action, NAMING) == text


def test_an_option_with_a_free_price_tells_its_bounds() -> None:
    option = Option(cz.OfferForTrain("a1", 1), Span(1, 90))
    assert WORDS.describe_option(option, NAMING) == "offer 1–90 K for a 2-train of EKJ"
    assert WORDS.describe_option(Option(cz.Bid(50), Span(50, 50)), NAMING) == "bid 50 K"


def test_every_action_has_words_of_its_own() -> None:
    values = {"str": "D4", "int": 3, "str | None": None, "int | None": None, "tuple[TrainRun, ...]": ()}
    told = set()
    for kind in get_args(cz.CzAction):
        action = kind(**{name: values[str(kind.__annotations__[name])] for name in kind.__struct_fields__})
        text = WORDS.describe(action, NAMING)
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
        (records.PriceMoved("BCB", 0, 65, "start"), "BCB starts at 65 K"),
        (records.PriceMoved("BCB", 65, 70, "dividend"), "BCB rises from 65 to 70 K (dividend)"),
        (records.PriceMoved("BCB", 65, 60, "no dividend"), "BCB falls from 65 to 60 K (no dividend)"),
        (records.CertificateMoved("BCB", 50, "bank", "p1"), "50% of BCB goes from the bank to Anna"),
        (records.DirectorChanged("BCB", "p1", "p2"), "Ben becomes Director of BCB instead of Anna"),
        (records.TileLaid("D4", "57", 2, "EKJ"), "EKJ lays 57 in Karlovy Vary"),
        (records.StationPlaced("E11.1", "BN"), "BN has a station in Praha (north-east)"),
        (records.TrainMoved("a1", "2", "stack", "EKJ"), "EKJ gets a 2-train from the stack"),
        (records.TrainMoved("a1", "2", "EKJ", "BN"), "BN gets a 2-train from EKJ"),
        (records.TrainMoved("a1", "2", "EKJ", "scrap"), "a 2-train of EKJ is scrapped"),
        (records.TrainMoved("a1", "2", "pool", "scrap"), "a 2-train in the pool is scrapped"),
        (records.TrainMoved("a1", "2", "EKJ", "pool"), "a 2-train of EKJ goes back to the pool"),
        (records.TrainMoved("d1", "3+3", "BN", "BN"), "BN turns a train into a 3+3-train"),
        (records.TrainMoved("b1", "2+2", "pool", "pool"), "a train in the pool becomes a 2+2-train"),
        (records.TrainMoved("c1", "", "stack", "abroad"), "the next train goes abroad"),
        (records.PhaseBegan("b"), "phase b begins"),
        (records.RoundBegan("OR 5.2"), "Operating round 5.2 begins"),
        (records.OfferDeclined("p2", 40), "Ben declines 40 K"),
        (records.Wealth("p1", 900), "Anna is worth 900 K"),
        (events.LoanTaken("p1", 60), "Anna borrows 60 K and pays as much again as a penalty at the end"),
        (events.LocalRailwayGone("S2"), "Local Railway S2 leaves the game"),
        (SomethingNew("p1", 3), "something new: Anna, 3"),
    ],
)
def test_an_event_in_words(event: records.Event, text: str) -> None:
    assert WORDS.tell(event, NAMING) == text


def test_rounds_by_name() -> None:
    assert [WORDS.round_name(code) for code in ("PRE", "SR 3", "OR 5.2")] == [
        "Pre-stock round",
        "Stock round 3",
        "Operating round 5.2",
    ]


def test_private_papers_that_are_no_local_railways_have_names() -> None:
    naming = Naming(new_game("18CZ", ["Anna", "Ben"], variant="moravia").table)
    assert WORDS.describe(cz.NamePaper("3E"), naming) == "put the 3E-train up for auction without a bid"
    assert WORDS.describe(cz.NamePaper("MW"), naming) == "put the Mährische Westbahn up for auction without a bid"
    assert WORDS.describe(cz.NamePaper("S1"), naming) == "put Local Railway S1 up for auction without a bid"


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_happens_in_a_game_has_words(seed: int) -> None:
    """All options, remarks and events of random games, without a name that only the engine knows."""
    chance = random.Random(seed)
    game = new_game("18CZ", ["Anna", "Ben", "Cyril", "Dora"], seed=seed)
    inner = {"p1", "p2", "p3", "p4", "None", "Event", "bank:"}
    while game.question is not None and len(game) < 400:
        renderer, question = CzTextRenderer(game), game.question
        options = chance.sample(question.options, min(len(question), 10))
        speech = Speech(game)
        texts = [f"{speech.describe_option(option)} {renderer.remark(question, option.action)}" for option in options]
        texts += heading(game)
        option = chance.choice(question.options)
        record = game.apply(option.action if option.span is None else option.with_price(chance.randint(*option.span)))
        texts += [speech.did(record), *map(speech.tell, record.events)]
        for text in texts:
            assert not inner & set(text.replace(",", " ").replace("(", " ").replace(")", " ").split()), text
            assert "events=" not in text
            assert not INNER_ID.search(text), text


def test_track_is_remarked_with_its_sides_and_cost() -> None:
    game = new_game("18CZ", ["A", "B", "C"], seed=1)
    assert game.question is not None
    action = cz.LayTile("A9", "4", 0)
    assert CzTextRenderer(game).remark(game.question, action) == "yellow SW-NE, costs 10 K"
    assert cz_title().map["A9"].printed.cost == 10
