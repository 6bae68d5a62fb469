"""Phase changes, scrapping and train limits (18CZ VIII.12)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import PhaseBegan
from ostbahn.kernel.state import Train
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import (
    BuyTrain,
    LayTile,
    OfferForLocal,
    OfferForTrain,
    ReturnTrain,
    StartCompany,
    Withhold,
)
from ostbahn.titles.cz.state import LayTrack, OperateTrains, PurchaseTrains, ReturnTrains, UseIncome
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.scenes import scene, state_of, stock_round
from tests.titles.cz.train_scenes import asked, buyer_of, first_of, phase_before, rule_of, table_with

# Phases


@pytest.mark.rule("18CZ VIII.12/1")
@pytest.mark.parametrize(
    ("letter", "face"),
    [
        (letter, face)
        for letter in "bcdefghij"
        for face in cz_title().stack.spec[letter].faces
        if (letter, face) not in (("b", "2+2"), ("d", "3E"))  # nobody can own these yet
    ],
)
def test_the_first_card_of_a_letter_begins_its_phase_in_whatever_size(letter: str, face: str) -> None:
    game = table_with(agenda=[PurchaseTrains(buyer_of(face))], **phase_before(letter))
    record = game.apply(BuyTrain(f"{letter}1", face))
    assert PhaseBegan(letter) in record.events
    assert state_of(game).phase == letter


@pytest.mark.rule("18CZ VIII.12/1")
def test_a_further_card_of_a_letter_begins_nothing() -> None:
    game = table_with(agenda=[PurchaseTrains("Ug")], phase="e")
    record = game.apply(BuyTrain("e2", "4"))
    assert not [event for event in record.events if isinstance(event, PhaseBegan)]
    assert state_of(game).phase == "e"


@pytest.mark.rule("18CZ VIII.12/2")
def test_phase_a_has_yellow_tiles_and_three_trains_to_a_company() -> None:
    start = new_game("18CZ", ["Anna", "Boris", "Clara"]).state
    assert start.phase == "a"
    trains = [("a1", "2"), ("a2", "2")]
    game = table_with(
        agenda=[PurchaseTrains("VBW"), LayTrack("EKJ", first=False)],
        trains={"VBW": trains},
        stations={"D4.0": ["EKJ"]},
        tiles={"D4": ("57", 1)},
        cash={"VBW": 500, "EKJ": 500},
        cards_gone=2,
    )
    colours = {cz_title().tiles[option.action.tile].colour for option in lays(game)}
    assert colours == {"yellow"}
    assert rule_of(game, LayTile("D4", "14", 1)) == "18CZ VIII.5/2"
    game.apply(Pass())
    game.apply(BuyTrain("a3", "2"))
    assert rule_of(game, BuyTrain("a4", "2")) == "18CZ VIII.10/5"


@pytest.mark.rule("18CZ VIII.12/3")
def test_phase_b_opens_trade_local_railways_and_medium_shares() -> None:
    game = scene(
        cards_gone=5,
        started={"VBW": (60, "p1"), "EKJ": (60, "p2")},
        trains={"EKJ": [("a1", "2")], "VBW": [("a2", "2")]},
        cash={"VBW": 200},
        locals_of={"S1": "p1"},
        agenda=[stock_round("p2"), PurchaseTrains("VBW")],
    )
    trade, local, share = OfferForTrain("a1", 10), OfferForLocal("S1", 10), StartCompany("BN", 60)
    assert (rule_of(game, trade), rule_of(game, local)) == ("18CZ VIII.10/9", "18CZ IV.1/7")
    without = game.copy()
    without.apply(Pass())
    assert rule_of(without, share) == "18CZ VII.3/2"
    game.apply(BuyTrain("b1", "2"))
    assert (rule_of(game, trade), rule_of(game, local)) == (None, None)
    game.apply(Pass())
    assert rule_of(game, share) is None


def lays(game: Game) -> list[Any]:
    return asked(game).only(LayTile)


def possibilities(game: Game) -> tuple[object, ...]:
    """What VBW may still do in its purchases, EKJ on the track, and p2 in the Stock Round after that."""
    trade = [game.refusal(action) is None for action in (OfferForTrain("a1", 10), OfferForLocal("S1", 10))]
    game.apply(Pass())
    tiles = {option.action for option in lays(game)}
    game.apply(Pass())
    return trade, tiles, {option.action for option in asked(game).options}


@pytest.mark.rule("18CZ VIII.12/4")
def test_phase_c_changes_nothing() -> None:
    game = scene(
        phase="b",
        cards_gone=first_of("c"),
        started={"VBW": (60, "p1"), "EKJ": (60, "p2")},
        trains={"EKJ": [("a1", "2")], "VBW": [("a2", "2")]},
        cash={"VBW": 500, "EKJ": 500, "p2": 500},
        locals_of={"S1": "p1"},
        tiles={"D4": ("57", 1)},
        stations={"D4.0": ["EKJ"]},
        agenda=[stock_round("p2"), LayTrack("EKJ", first=False), PurchaseTrains("VBW")],
    )
    before = possibilities(game.copy())
    game.apply(BuyTrain("c1", "3"))
    assert state_of(game).phase == "c"
    assert state_of(game).trains["VBW"] == (Train("a2", "2"), Train("c1", "3"))
    assert possibilities(game) == before
    assert cz_title().phases["c"] == cz_title().phases["b"]


def colour_scene(letter: str, home: tuple[str, int], blue: tuple[str, str]) -> Game:
    """KFN, with a train already, may buy the first card of a letter.

    Then EKJ runs from Karlovy Vary to Dresden, EKJ and NWB (in Praha, brown) may build, and p1 may buy shares.
    """
    return scene(
        started={"EKJ": (60, "p1"), "KFN": (60, "p2"), "NWB": (60, "p2")},
        shares={"KFN": {"p2": 1}, "NWB": {"p2": 1}},
        cash={"KFN": 1000},
        trains={"EKJ": [("c1", "3")], "KFN": [blue]},
        tiles={"D4": home, "C3": ("8", 3), "B4": ("8896", 5), "E11": ("8892", 0)},
        stations={"D4.0": ["EKJ"], "E11.0": ["NWB"]},
        agenda=[
            stock_round("p1"),
            LayTrack("NWB", first=False),
            LayTrack("EKJ", first=False),
            OperateTrains("EKJ"),
            PurchaseTrains("KFN"),
        ],
        **phase_before(letter),
    )


def run_to_dresden(game: Game) -> int:
    """What EKJ earns with a run to the red tile."""
    game.apply(asked(game).options[0].action)
    if isinstance(asked(game).task, UseIncome):
        game.apply(Withhold())
    return state_of(game).revenue["EKJ"]


@pytest.mark.rule("18CZ VIII.12/5")
def test_phase_d_brings_green_tiles_large_shares_and_the_green_value_of_red_tiles() -> None:
    game = colour_scene("d", ("57", 2), ("b1", "2+2"))
    green, share = LayTile("D4", "14", 2), StartCompany("Sx", 90)
    without = game.copy()
    game.apply(BuyTrain("d1", "3+3"))
    for played in (without, game):
        played.apply(Pass())
        revenue = run_to_dresden(played)
    assert revenue == 20 + 30
    assert (rule_of(without, green), rule_of(game, green)) == ("18CZ VIII.5/2", None)
    for played in (without, game):
        played.apply(Pass())
        played.apply(Pass())
    assert (rule_of(without, share), rule_of(game, share)) == ("18CZ VII.3/3", None)


@pytest.mark.rule("18CZ VIII.12/8")
def test_phase_g_brings_brown_tiles_and_the_brown_value_of_red_tiles() -> None:
    game = colour_scene("g", ("14", 2), ("d1", "3+3"))
    brown = LayTile("D4", "611", 2)
    without = game.copy()
    game.apply(BuyTrain("g1", "4+4"))
    without.apply(Pass())
    game.apply(Pass())
    assert (run_to_dresden(without), run_to_dresden(game)) == (30 + 30, 30 + 40)
    assert (rule_of(without, brown), rule_of(game, brown)) == ("18CZ VIII.5/3", None)


@pytest.mark.rule("18CZ VIII.12/10")
def test_phase_i_brings_grey_tiles_their_value_of_red_tiles_and_one_train_to_a_medium_company() -> None:
    game = colour_scene("i", ("611", 2), ("h1", "5+5"))
    grey = LayTile("E11", "8893", 0)
    without = game.copy()
    game.apply(BuyTrain("i1", "5+5"))
    assert asked(game).task == ReturnTrains("KFN")
    game.apply(ReturnTrain("h1"))
    without.apply(Pass())
    game.apply(Pass())
    assert (run_to_dresden(without), run_to_dresden(game)) == (40 + 40, 40 + 50)
    without.apply(Pass())
    game.apply(Pass())
    assert (rule_of(without, grey), rule_of(game, grey)) == ("18CZ VIII.5/4", None)


LOWERED = [
    pytest.param("e", "3+3", "3+3", "EKJ", ("a1 2", "a2 2", "c1 3"), 2, marks=pytest.mark.rule("18CZ VIII.12/6")),
    pytest.param("f", "3E", "4E", "BN", ("b1 2+2", "d1 3+3", "a1 2"), 2, marks=pytest.mark.rule("18CZ VIII.12/7")),
    pytest.param("h", "4E", "5E", "EKJ", ("c1 3", "e1 4"), 1, marks=pytest.mark.rule("18CZ VIII.12/9")),
    pytest.param("i", "5E", "6E", "BN", ("f1 4+4", "a1 2"), 1, marks=pytest.mark.rule("18CZ VIII.12/10")),
    pytest.param("j", "5", "5", "Sx", ("d1 3E", "f1 4E", "f2 4+4"), 2, marks=pytest.mark.rule("18CZ VIII.12/11")),
]


@pytest.mark.parametrize(("letter", "last", "first", "owner", "trains", "limit"), LOWERED)
def test_a_phase_lowers_the_train_limit(
    letter: str, last: str, first: str, owner: str, trains: tuple[str, ...], limit: int
) -> None:
    """One company buys the last card before the letter, which changes nothing, another the first one of it."""
    earlier = cz_title().stack.card(first_of(letter) - 1)
    owned = [(card, face) for card, _, face in (train.partition(" ") for train in trains)]
    others = {"small": "MW", "medium": "BTE", "large": "kk"}
    other = others[cz_title().train_faces[last].size]
    game = table_with(
        agenda=[PurchaseTrains(buyer_of(first)), PurchaseTrains(other)],
        trains={owner: owned},
        cash={other: 2000, buyer_of(first): 2000},
        phase=earlier[0],
        cards_gone=first_of(letter) - 1,
    )
    game.apply(BuyTrain(earlier, last))
    game.apply(Pass())
    assert len(state_of(game).trains[owner]) == limit + 1
    game.apply(BuyTrain(f"{letter}1", first))
    assert asked(game).task == ReturnTrains(owner)
    assert rule_of(game, Pass()) == "18CZ VIII.12/22"
    game.apply(ReturnTrain(owned[0][0]))
    assert asked(game).task == PurchaseTrains(buyer_of(first))
    assert len(state_of(game).trains[owner]) == limit
