"""Game play: the process track, who acts and who pays (18CZ V)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import RoundBegan, TrainMoved
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import (
    BuyLocal,
    BuyShare,
    BuyTrain,
    LayTile,
    OfferForLocal,
    PlaceStation,
    SellShares,
    StartCompany,
)
from ostbahn.titles.cz.state import CompanyTask, EstablishStation, LayTrack, PurchaseTrains, Timetable
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import allowed, asked, events_of, payments, rule_against, walk
from tests.titles.cz.scenes import NAMES, scene, state_of, stock_round

TRACK = """
    SR 1: 40 x   SR 2: 45 x   SR 3: 50 x   SR 4: 55 x
    SR 5: 60 65 x   SR 6: 70 75 x   SR 7: 80 90 x   SR 8: 100 110 120
"""
OPERATING_ROUNDS = (40, 45, 50, 55, 60, 65, 70, 75, 80, 90, 100, 110, 120)


def short_game() -> Game:
    """A whole game with EKJ as the only company, which does nothing but buy a train once."""
    game = new_game("18CZ", NAMES[:3], draw_order=False)
    for _ in range(3):
        game.apply(Pass())
    game.apply(StartCompany("EKJ", 50))
    return game


def boxes_of(game: Game) -> list[str]:
    """Stock Rounds, Local Railway prices of the Operating Rounds, and exports, as they come about."""
    found: list[str] = []
    prices: dict[str, int] = {}
    for question in walk(game):
        if question.kind == "lay_track":
            prices[state_of(game).round] = state_of(game).local_price
    for event in events_of(game):
        if isinstance(event, RoundBegan):
            found.append(event.round + ":" if event.round.startswith("SR") else str(prices[event.round]))
        elif isinstance(event, TrainMoved) and event.target == "abroad":
            found.append("x")
    return found


@pytest.mark.rule("18CZ V/1", "18CZ VI/9")
def test_the_pre_stock_round_comes_first_and_then_the_first_stock_round() -> None:
    game = new_game("18CZ", NAMES[:3])
    assert (asked(game).kind, state_of(game).round) == ("pre_stock", "PRE")
    assert state_of(game).agenda[0] == Timetable(0)
    assert allowed(game, BuyLocal("S1"))
    for _ in range(3):
        game.apply(Pass())
    assert (asked(game).kind, state_of(game).round) == ("stock_round", "SR 1")
    assert asked(game).decider == state_of(game).order[0]
    box = state_of(game).agenda[0]
    assert isinstance(box, Timetable)
    assert cz_title().boxes[box.box - 1 : box.box + 1] == ("SR", 40)


@pytest.mark.rule("18CZ V/2", "18CZ V/4")
def test_the_process_track() -> None:
    game = short_game()
    found = boxes_of(game)
    assert " ".join(found) == " ".join(TRACK.split())
    assert game.over
    assert (found.count("x"), sum(box.isdecimal() for box in found)) == (7, 13)


@pytest.mark.rule("18CZ V/2")
def test_the_track_is_the_same_when_nobody_starts_anything() -> None:
    game = new_game("18CZ", NAMES[:4])
    rounds = [state_of(game).round for _ in walk(game)]
    assert rounds == ["PRE"] * 4 + [f"SR {number}" for number in range(1, 9) for _ in range(4)]


@pytest.mark.rule("18CZ V/3")
def test_the_number_in_the_box_is_the_value_of_local_railways() -> None:
    game = short_game()
    values: dict[str, int] = {}
    for _ in walk(game):
        values[state_of(game).round] = state_of(game).local_price
    found = {name: value for name, value in values.items() if name.startswith("OR")}
    assert tuple(found.values()) == OPERATING_ROUNDS
    assert list(found)[8] == "OR 7.1"
    assert found["OR 7.1"] == 80


@pytest.mark.rule("18CZ V/5")
def test_stock_rounds_move_players_money_only() -> None:
    """Whatever a player answers, no treasury pays; one is only filled by the bank when its company floats."""
    game = scene(
        phase="d",
        cash={"EKJ": 300, "p1": 900},
        started={"EKJ": (60, "p2"), "BN": (60, "p2")},
        shares={"EKJ": {"p1": 1}},
        agenda=[stock_round()],
    )
    actions = [option.action for option in asked(game)]
    assert {type(action) for action in actions} == {StartCompany, BuyShare, SellShares, Pass}
    for action in actions:
        after = game.copy()
        for paid in payments(after.apply(action).events):
            assert {paid.source, paid.target} == {"p1", BANK} or (paid.source == BANK and paid.why == "capital")
        assert state_of(after).cash["EKJ"] == 300
        assert [state_of(after).cash[other] for other in ("p2", "p3")] == [380, 380]


COSTS: dict[str, tuple[CompanyTask, Action, int]] = {
    "terrain": (LayTrack("EKJ", False), LayTile("E5", "8", 0), 20),
    "station": (EstablishStation("EKJ"), PlaceStation("D2.0"), 40),
    "train": (PurchaseTrains("EKJ"), BuyTrain("a2", "2"), 70),
}


def paying(task: CompanyTask, treasury: int) -> Game:
    """EKJ with a rich Director, connected to the hill in E5 and to the city in D2."""
    return scene(
        started={"EKJ": (60, "p1")},
        cash={"EKJ": treasury, "p1": 5000},
        cards_gone=1,
        tiles={"D4": ("6", 5), "D2": ("14", 0)},
        stations={"D4.0": ["EKJ"]},
        trains={"EKJ": [("a1", "2")]},
        agenda=[stock_round(), task],
    )


@pytest.mark.rule("18CZ V/5", "18CZ V/7")
@pytest.mark.parametrize("what", COSTS)
def test_operating_rounds_move_the_companys_money_only(what: str) -> None:
    task, action, cost = COSTS[what]
    game = paying(task, cost)
    record = game.apply(action)
    assert [(paid.source, paid.target, paid.amount) for paid in payments(record.events)] == [("EKJ", BANK, cost)]
    assert (state_of(game).cash["EKJ"], state_of(game).cash["p1"]) == (0, 5000)


@pytest.mark.rule("18CZ V/7")
@pytest.mark.parametrize(
    ("what", "rule"), [("terrain", "18CZ VIII.4/16"), ("station", "18CZ VIII.6/11"), ("train", "18CZ VIII.11/4")]
)
def test_a_rich_director_does_not_help_a_poor_company(what: str, rule: str) -> None:
    task, action, cost = COSTS[what]
    game = paying(task, cost - 1)
    assert rule_against(game, action) == rule
    assert not allowed(game, action)


@pytest.mark.rule("18CZ V/7")
def test_a_local_railway_is_paid_from_the_treasury() -> None:
    game = scene(
        phase="b",
        started={"EKJ": (60, "p1")},
        cash={"EKJ": 12, "p1": 5000},
        locals_of={"S1": "p1"},
        agenda=[PurchaseTrains("EKJ")],
    )
    assert rule_against(game, OfferForLocal("S1", 13)) == "18CZ V/7"
    assert rule_against(game, OfferForLocal("S1", 12)) == ""


@pytest.mark.rule("18CZ V/6")
@pytest.mark.parametrize("director", ["p1", "p2", "p3"])
def test_only_the_director_acts(director: str) -> None:
    game = scene(
        started={"EKJ": (60, director)}, stations={"D4.0": ["EKJ"]}, agenda=[stock_round(), LayTrack("EKJ", False)]
    )
    assert (asked(game).decider, asked(game).company) == (director, "EKJ")
    for player in ("p1", "p2", "p3"):
        assert rule_against(game, Pass(), by=player) == ("" if player == director else "18CZ V/6")


@pytest.mark.rule("18CZ V/6")
def test_the_director_is_the_player_with_most_shares() -> None:
    """p2 buys a third share of BN, 60% against 40%, and acts for it from then on."""
    game = scene(
        phase="b",
        started={"BN": (60, "p1")},
        shares={"BN": {"p2": 2}},
        stations={"E11.1": ["BN"]},
        agenda=[LayTrack("BN", False), stock_round("p2")],
    )
    keeping = game.copy()
    game.apply(BuyShare("BN"))
    for after, director in ((game, "p2"), (keeping, "p1")):
        while asked(after).kind == "stock_round":
            after.apply(Pass())
        assert asked(after).decider == director
