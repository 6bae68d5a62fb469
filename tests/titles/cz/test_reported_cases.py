"""Situations of 18CZ that players reported to 18xx.games, played here as the rulebook has it.

Reports that another test already plays are named there, by their issue number.
"""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Accept, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.actions import BuyTrain, LayPurpleTile, OfferForTrain, ReturnTrain, TurnTrain
from ostbahn.titles.cz.state import LayTrack, OperatingRound, PurchaseTrains
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import asked, idle
from tests.titles.cz.building import on
from tests.titles.cz.looking import cash_of, refused_by
from tests.titles.cz.scenes import scene, state_of
from tests.titles.cz.takeovers import buying, take_over

MEDIUM = {"BN": (60, "p1"), "NWB": (60, "p2")}
FLOATED = {"BN": {"p1": 1}, "NWB": {"p2": 1}}
GREEN_TOWNS = [
    name
    for name, tile in cz_title().tiles.items()
    if tile.purple and tile.colour == "green" and [node.kind for node in tile.nodes] == ["town"]
]


@pytest.mark.rule("18CZ VIII.9/8", "18CZ VIII.9/14")
def test_the_treasury_of_an_acquired_company_can_be_spent_at_once() -> None:
    """Issue #3872: BN has 295 K after it paid for BCB, which has 91 K. With 386 K it turns trains."""
    game = buying(
        "BN",
        "BCB",
        phase="f",
        cash=295 + 120,
        target_cash=91,
        trains={"BCB": [("f1", "4"), ("f2", "4")]},
    )
    take_over(game, "BCB", 60)
    assert cash_of(game, "BN") == 386
    game.apply(TurnTrain("f1", "4+4"))
    game.apply(TurnTrain("f2", "4+4"))
    assert cash_of(game, "BN") == 386 - 2 * 150, "300 K, more than it had without BCB"


@pytest.mark.rule("18CZ VIII.5/1", "18CZ IV.1/19")
def test_a_purple_town_tile_does_not_go_on_a_bare_hex() -> None:
    """Issue #4074: KFN put a green town tile on a bare hex. Such tiles only replace yellow ones."""

    def beside_brno(**town: tuple[str, int]) -> Game:
        return scene(
            phase="d",
            started={"KFN": (60, "p1")},
            shares={"KFN": {"p1": 1}},
            tiles={"G19": on("621", "W", "E"), **town},
            stations={"G19.0": ["KFN"]},
            locals_of={"M1": "KFN"},
            agenda=[LayTrack("KFN", False)],
        )

    bare, yellow = beside_brno(), beside_brno(G21=on("4", "W", "E"))
    assert len(GREEN_TOWNS) > 1
    assert not asked(bare).only(LayPurpleTile, hex="G21")
    for tile in GREEN_TOWNS:
        assert asked(yellow).only(LayPurpleTile, hex="G21", tile=tile)
        for rotation in range(6):
            assert refused_by(bare, LayPurpleTile("M1", "G21", tile, rotation)) == "18CZ VIII.5/1"


@pytest.mark.rule("18CZ IV.2.d/3", "18CZ VIII.10/9")
def test_a_large_company_buys_a_medium_train_from_another_company() -> None:
    """Issue #5342: kk wanted the 3+3 of ATE, and was told that it cannot be bought."""
    game = scene(
        phase="e",
        started={"kk": (90, "p1"), "ATE": (60, "p2")},
        shares={"kk": {"p1": 3}, "ATE": {"p2": 1}},
        trains={"kk": [("d1", "3E")], "ATE": [("d2", "3+3"), ("d3", "3+3")]},
        cash={"kk": 200},
        agenda=[PurchaseTrains("kk")],
    )
    game.apply(OfferForTrain("d2", 200))
    game.apply(Accept(), "p2")
    assert state_of(game).trains == {"kk": (Train("d1", "3E"), Train("d2", "3+3")), "ATE": (Train("d3", "3+3"),)}
    assert (cash_of(game, "kk"), cash_of(game, "ATE")) == (0, 200)


@pytest.mark.rule("18CZ VIII.10/1", "18CZ VIII.11/1")
def test_a_company_that_spends_all_on_trains_it_cannot_run_must_still_buy_one_it_can() -> None:
    """Issue #9570: BN buys two 4-trains for all its 500 K. The Director has to add a 3+3 before the turn ends."""
    game = scene(phase="e", started=MEDIUM, shares=FLOATED, cash={"BN": 500, "p1": 300}, agenda=[PurchaseTrains("BN")])
    game.apply(BuyTrain("e2", "4"))
    game.apply(BuyTrain("e3", "4"))
    assert cash_of(game, "BN") == 0
    assert refused_by(game, Pass()) == "18CZ VIII.10/1"
    game.apply(BuyTrain("e4", "3+3"))
    assert cash_of(game, "p1") == 300 - 180
    game.apply(Pass())
    assert game.over


@pytest.mark.rule("18CZ VIII.10/5", "18CZ VIII.10/6")
def test_a_company_does_not_fill_up_with_trains_that_it_cannot_run() -> None:
    """Issue #9570: with a red train already, the second 4-train would take BN's last place. It is refused (A24)."""
    game = scene(
        phase="e",
        started=MEDIUM,
        shares=FLOATED,
        trains={"BN": [("c1", "3")]},
        cash={"BN": 1000},
        agenda=[PurchaseTrains("BN")],
    )
    game.apply(BuyTrain("e2", "4"))
    assert refused_by(game, BuyTrain("e3", "4")) == "18CZ VIII.10/5"
    game.apply(BuyTrain("e3", "3+3"))
    assert not asked(game).only(ReturnTrain), "three trains are within the limit"
    assert Pass() in asked(game)


@pytest.mark.rule("18CZ VIII.3/1", "18CZ VIII.10/1")
def test_a_company_whose_train_cannot_run_has_its_whole_turn() -> None:
    """Issue #9570: the turn went on to the next company. BN with a red train builds, earns nothing and buys."""
    game = scene(
        phase="e",
        started=MEDIUM,
        shares=FLOATED,
        trains={"BN": [("e1", "4")], "NWB": [("d1", "3+3")]},
        cash={"BN": 400, "NWB": 400},
        agenda=[OperatingRound(("BN", "NWB"))],
    )
    steps = []
    while asked(game).company == "BN":
        steps.append(asked(game).kind)
        game.apply(idle(game))
    assert steps[0] == "lay_track"
    assert "purchase_trains" in steps
    assert state_of(game).revenue["BN"] == 0
    assert {train.face for train in state_of(game).trains["BN"]} == {"4", "3+3"}
    assert asked(game).company == "NWB"
