"""Operating Rounds: who acts, in which order, and the steps of a company's turn (18CZ VIII.1 to VIII.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import Paid, TurnBegan
from ostbahn.titles.cz.actions import (
    BuyLocal,
    BuyShare,
    BuyTrain,
    LayPurpleTile,
    LayTile,
    OfferAcquisition,
    OfferForLocal,
    PayOut,
    PlaceStation,
    RepayDebt,
    RunTrains,
    SellLocal,
    SellShares,
    StartCompany,
    TrainRun,
    Withhold,
)
from ostbahn.titles.cz.state import (
    Acquire,
    EstablishStation,
    LayTrack,
    OperateTrains,
    OperatingRound,
    PurchaseTrains,
    Timetable,
    UseIncome,
)
from tests.titles.cz.looking import answer_all, asked, cash_of, events_of, refused_by
from tests.titles.cz.scenes import scene, state_of

OR_60 = 13
"""Box of the process track."""
LINE = {"D2": ("57", 1), "D4": ("57", 1)}
"""The printed town D0 (10 K) and the cities Cheb and Karlovy Vary (20 K each) in a row: 50 K."""
WHOLE_LINE = RunTrains((TrainRun("b1", ("D0.0", "D2.0", "D4.0")),))


def blue_scene(agenda: Sequence[Any], **fields: Any) -> Game:
    """BTE in Cheb with a 2+2 train and a way to earn 50 K; it and OFE are p1's, Karlovy Vary is free."""
    given: dict[str, Any] = {
        "phase": "d",
        "started": {"BTE": (80, "p1"), "OFE": (60, "p1")},
        "shares": {"BTE": {"p1": 1, "p2": 1}},
        "cash": {"BTE": 1000},
        "trains": {"BTE": [("b1", "2+2")], "OFE": [("a1", "2")]},
        "tiles": LINE,
        "stations": {"D2.0": ["BTE"], "C25.0": ["OFE"]},
        "locals_of": {"S1": "p1", "S2": "BTE", "M1": "BTE"},
        "closed": ("EKJ",),
    }
    return scene(agenda=agenda, **{**given, **fields})


def kinds_of_turn(game: Game, *answers: Action) -> list[str]:
    """What is asked one after the other when these answers are given."""
    kinds = []
    for answer in answers:
        kinds.append(asked(game).kind)
        game.apply(answer)
    return kinds


# VIII.1


STEPS_OF_BTE = [
    LayTrack("BTE", first=False),
    EstablishStation("BTE"),
    OperateTrains("BTE"),
    UseIncome("BTE", 50),
    Acquire("BTE"),
    PurchaseTrains("BTE"),
]


@pytest.mark.rule("18CZ VIII.1/1")
@pytest.mark.parametrize("step", STEPS_OF_BTE, ids=lambda step: type(step).__name__)
@pytest.mark.parametrize(
    "action",
    [BuyShare("OFE"), SellShares("BTE", 20), StartCompany("BCB", 60), RepayDebt(), BuyLocal("S3")],
    ids=lambda action: type(action).__name__,
)
def test_players_have_no_actions_of_their_own_in_an_operating_round(step: Any, action: Action) -> None:
    game = blue_scene([step], debts={"p1": 10})
    assert asked(game).company == "BTE"
    assert asked(game).decider == "p1"
    assert refused_by(game, action) == "18CZ VIII.3/1"
    assert not asked(game).only(type(action))


@pytest.mark.rule("18CZ VIII.1/1")
@pytest.mark.parametrize("step", STEPS_OF_BTE, ids=lambda step: type(step).__name__)
def test_only_the_director_answers_for_the_company(step: Any) -> None:
    game = blue_scene([step])
    for option in asked(game):
        assert refused_by(game, option.action, by="p2") == "18CZ V/6"
        assert refused_by(game, option.action, by="p1") == "allowed"


@pytest.mark.rule("18CZ VIII.1/1")
def test_another_player_is_asked_only_to_agree() -> None:
    game = blue_scene([LayTrack("BTE", first=False)], locals_of={"S1": "p2"})
    game.apply(OfferForLocal("S1", 30))
    assert asked(game).decider == "p2"
    assert refused_by(game, SellShares("BTE", 20)) == "18CZ IV.1/10"
    assert {type(option.action) for option in asked(game)} == {Accept, Decline}
    game.apply(Accept(), by="p2")
    assert asked(game).decider == "p1"


# VIII.2, income of the Local Railways


@pytest.mark.rule("18CZ VIII.2/1")
def test_all_local_railways_pay_before_any_company_acts() -> None:
    game = blue_scene([Timetable(OR_60)], locals_of={"S1": "p1", "M1": "p3", "L1": "p3", "S2": "BTE", "M2": "OFE"})
    paid = [(event.target, event.amount) for event in events_of(Paid, game.opening)]
    assert sorted(paid) == [("BTE", 5), ("OFE", 10), ("p1", 5), ("p3", 10), ("p3", 20)]
    assert {event.source for event in events_of(Paid, game.opening)} == {BANK}
    turns = [number for number, event in enumerate(game.opening) if event == TurnBegan("BTE")]
    assert turns
    assert all(not isinstance(event, Paid) for event in game.opening[turns[0] :])


@pytest.mark.rule("18CZ VIII.2/1")
def test_every_operating_round_of_a_set_pays() -> None:
    game = scene(locals_of={"L1": "p1", "S1": "p2"}, agenda=[Timetable(OR_60)])
    assert state_of(game).round == "SR 6", "60 and 65, with no company to act, are over"
    assert (cash_of(game, "p1"), cash_of(game, "p2")) == (380 + 2 * 20, 380 + 2 * 5)


@pytest.mark.rule("18CZ VIII.2/2")
def test_a_local_railway_pays_when_its_power_is_spent() -> None:
    game = blue_scene([Timetable(OR_60)], locals_of={"M1": "BTE", "S2": "OFE"}, used_powers=("M1",))
    assert (cash_of(game, "BTE"), cash_of(game, "OFE")) == (1010, 5)


# VIII.2, order of the companies


def order_of_turns(game: Game) -> list[str]:
    """Let every company do as little as it may, until the Operating Rounds are over."""
    turns = [event.company for event in events_of(TurnBegan, game.opening)]
    while game.question is not None and asked(game).company is not None:
        action = Pass() if Pass() in asked(game) else asked(game).options[0].action
        turns += [event.company for event in events_of(TurnBegan, game.apply(action).events)]
    return turns


def small_companies(*prices: tuple[str, int], **fields: Any) -> Game:
    """Companies with trains and nowhere to run, at these prices, in the last Operating Round."""
    return scene(
        started={company: (60, "p1") for company, _ in prices},
        prices=dict(prices),
        trains={company: [(f"a{number}", "2")] for number, (company, _) in enumerate(prices, start=1)},
        agenda=[Timetable(27)],
        **fields,
    )


@pytest.mark.rule("18CZ VIII.2/3")
@pytest.mark.parametrize(
    ("prices", "order"),
    [
        ([("EKJ", 60), ("OFE", 100), ("BCB", 80)], ["OFE", "BCB", "EKJ"]),
        ([("EKJ", 100), ("OFE", 80), ("BCB", 60)], ["EKJ", "OFE", "BCB"]),
        ([("EKJ", 58), ("OFE", 60), ("BCB", 63)], ["BCB", "OFE", "EKJ"]),
    ],
)
def test_companies_act_by_price_the_highest_first(prices: list[tuple[str, int]], order: list[str]) -> None:
    assert order_of_turns(small_companies(*prices)) == order


@pytest.mark.rule("18CZ VIII.2/3")
def test_a_price_that_falls_below_another_costs_no_second_turn() -> None:
    assert order_of_turns(small_companies(("EKJ", 63), ("OFE", 60))) == ["EKJ", "OFE"]


@pytest.mark.rule("18CZ VIII.2/4")
@pytest.mark.parametrize("stack", [("EKJ", "OFE"), ("OFE", "EKJ")])
def test_the_upper_marker_acts_first(stack: tuple[str, str]) -> None:
    assert order_of_turns(small_companies(*((company, 60) for company in stack))) == list(stack)


@pytest.mark.rule("18CZ VIII.2/5")
def test_companies_that_have_not_floated_do_not_act() -> None:
    game = scene(
        phase="d",
        started={"BN": (100, "p1"), "EKJ": (60, "p2"), "kk": (120, "p3")},
        shares={"kk": {"p1": 2}},
        trains={"EKJ": [("a1", "2")]},
        agenda=[Timetable(27)],
    )
    assert order_of_turns(game) == ["EKJ"]


# VIII.3, the steps


@pytest.mark.rule("18CZ VIII.3/1")
def test_the_steps_of_a_turn_come_in_their_order() -> None:
    game = blue_scene([OperatingRound(("BTE",))])
    kinds = kinds_of_turn(game, Pass(), Pass(), WHOLE_LINE, PayOut(), Pass(), Pass())
    assert kinds == ["lay_track", "establish_station", "operate_trains", "use_income", "acquire", "purchase_trains"]
    assert game.over


@pytest.mark.rule("18CZ VIII.3/1")
def test_a_turn_in_which_everything_is_done() -> None:
    game = blue_scene([OperatingRound(("BTE",))], tiles={"D2": ("57", 1)}, trains={"BTE": [("b1", "2+2")]})
    kinds = kinds_of_turn(
        game,
        LayTile("D4", "57", 1),
        PlaceStation("D4.0"),
        WHOLE_LINE,
        Withhold(),
        OfferAcquisition("OFE", 60),
        Pass(),
        BuyTrain("d2", "3+3"),
        Pass(),
    )
    assert kinds == [
        "lay_track",
        "establish_station",
        "operate_trains",
        "use_income",
        "acquire",
        "acquire",
        "purchase_trains",
        "purchase_trains",
    ]
    assert game.over


@pytest.mark.rule("18CZ VIII.3/1")
@pytest.mark.parametrize(
    ("step", "others"),
    [
        (0, [PlaceStation("D4.0"), WHOLE_LINE, PayOut(), OfferAcquisition("OFE", 60), BuyTrain("d2", "3+3")]),
        (1, [LayTile("D6", "9", 1), WHOLE_LINE, PayOut(), OfferAcquisition("OFE", 60), BuyTrain("d2", "3+3")]),
        (2, [LayTile("D6", "9", 1), PlaceStation("D4.0"), PayOut(), OfferAcquisition("OFE", 60), Pass()]),
        (3, [LayTile("D6", "9", 1), PlaceStation("D4.0"), WHOLE_LINE, OfferAcquisition("OFE", 60), Pass()]),
        (4, [LayTile("D6", "9", 1), PlaceStation("D4.0"), WHOLE_LINE, PayOut(), BuyTrain("d2", "3+3")]),
        (5, [LayTile("D6", "9", 1), PlaceStation("D4.0"), WHOLE_LINE, PayOut(), OfferAcquisition("OFE", 60)]),
    ],
)
def test_no_step_is_taken_before_or_after_its_place(step: int, others: list[Action]) -> None:
    game = blue_scene([OperatingRound(("BTE",))])
    answer_all(game, *[Pass(), Pass(), WHOLE_LINE, PayOut(), Pass()][:step])
    assert [refused_by(game, other) for other in others] == ["18CZ VIII.3/1"] * len(others)


@pytest.mark.rule("18CZ VIII.3/1")
def test_nothing_is_acquired_after_a_train_was_bought() -> None:
    game = blue_scene([Acquire("BTE")])
    assert OfferAcquisition("OFE", 60) in asked(game)
    game = blue_scene([PurchaseTrains("BTE")])
    game.apply(BuyTrain("d2", "3+3"))
    assert refused_by(game, OfferAcquisition("OFE", 60)) == "18CZ VIII.3/1"


@pytest.mark.rule("18CZ VIII.3/1")
def test_buying_a_train_is_optional_unless_the_company_has_none_to_run() -> None:
    assert Pass() in asked(blue_scene([PurchaseTrains("BTE")]))
    forced = blue_scene([PurchaseTrains("BTE")], trains={"BTE": [("a1", "2")]})
    assert refused_by(forced, Pass()) == "18CZ VIII.10/1"


# VIII.3, what the track step is


@pytest.mark.rule("18CZ VIII.3/2")
def test_a_promotion_takes_the_whole_track_step_even_in_the_first_turn() -> None:
    game = blue_scene([EstablishStation("BTE"), LayTrack("BTE", first=True)])
    assert LayTile("D6", "9", 1) in asked(game)
    game.apply(LayTile("D4", "14", 1))
    assert refused_by(game, LayTile("D6", "9", 1)) == "18CZ VIII.3/1"


@pytest.mark.rule("18CZ VIII.3/2")
def test_after_a_yellow_tile_there_is_no_promotion() -> None:
    game = blue_scene([EstablishStation("BTE"), LayTrack("BTE", first=True)])
    assert LayTile("D4", "14", 1) in asked(game)
    game.apply(LayTile("D6", "9", 1))
    assert refused_by(game, LayTile("D4", "14", 1)) == "18CZ VIII.3/2"
    assert all(getattr(option.action, "hex", None) != "D4" for option in asked(game).only(LayTile))
    game.apply(LayTile("D8", "9", 1))
    assert asked(game).kind == "establish_station"


@pytest.mark.rule("18CZ VIII.3/2")
def test_after_the_first_turn_one_yellow_tile_is_the_whole_step() -> None:
    game = blue_scene([EstablishStation("BTE"), LayTrack("BTE", first=False)])
    game.apply(LayTile("D6", "9", 1))
    assert refused_by(game, LayTile("D8", "9", 1)) == "18CZ VIII.3/1"
    assert refused_by(game, LayTile("D4", "14", 1)) == "18CZ VIII.3/1"


def praha_scene(ruling: str) -> Game:
    """BN's first turn, in Praha as printed, with track towards the north-east."""
    return scene(
        phase="b",
        started={"BN": (80, "p1")},
        shares={"BN": {"p1": 1}},
        cash={"BN": 400},
        stations={"E11.1": ["BN"]},
        rulings={"praha_first_tile": ruling},
        agenda=[EstablishStation("BN"), LayTrack("BN", first=True)],
    )


def first_lay(game: Game, hex_id: str) -> Action:
    return asked(game).only(LayTile, hex=hex_id)[0].action


@pytest.mark.rule("18CZ VIII.3/2")
def test_the_first_tile_on_praha_takes_the_whole_step() -> None:
    game = praha_scene("promotion")
    yellow = first_lay(game, "D12")
    game.apply(first_lay(game, "E11"))
    assert refused_by(game, yellow) == "18CZ VIII.3/1"
    assert asked(game).kind == "establish_station"


@pytest.mark.rule("18CZ VIII.3/2")
def test_after_a_yellow_tile_praha_waits() -> None:
    game = praha_scene("promotion")
    praha = first_lay(game, "E11")
    game.apply(first_lay(game, "D12"))
    assert refused_by(game, praha) == "18CZ VIII.3/2"


@pytest.mark.rule("18CZ VIII.3/2")
def test_praha_as_one_of_the_yellow_tiles_where_that_is_the_ruling() -> None:
    game = praha_scene("yellow lay")
    answer_all(game, first_lay(game, "D12"))
    game.apply(first_lay(game, "E11"))
    assert asked(game).kind == "establish_station"


# VIII.3, running and Local Railways


@pytest.mark.rule("18CZ VIII.3/3")
def test_a_company_that_can_earn_50_cannot_report_nothing() -> None:
    game = blue_scene([OperateTrains("BTE")])
    assert refused_by(game, Pass()) == "18CZ VIII.3/1"
    assert refused_by(game, RunTrains(())) == "18CZ VIII.8/6"
    (best,) = asked(game).only(RunTrains)
    game.apply(best.action)
    assert state_of(game).revenue["BTE"] == 50


@pytest.mark.rule("18CZ VIII.3/3")
def test_a_company_without_a_route_reports_nothing() -> None:
    game = blue_scene([OperateTrains("BTE")], tiles={})
    game.apply(RunTrains(()))
    assert state_of(game).revenue["BTE"] == 0


POINTS = [
    pytest.param([], id="before track"),
    pytest.param([Pass()], id="after track"),
    pytest.param([Pass(), Pass()], id="before running"),
    pytest.param([Pass(), Pass(), WHOLE_LINE], id="between run and income"),
    pytest.param([Pass(), Pass(), WHOLE_LINE, PayOut()], id="before acquisitions"),
    pytest.param([Pass(), Pass(), WHOLE_LINE, PayOut(), Pass()], id="before buying trains"),
    pytest.param([Pass(), Pass(), WHOLE_LINE, PayOut(), Pass(), BuyTrain("d2", "3+3")], id="after buying a train"),
]


@pytest.mark.rule("18CZ VIII.3/4")
@pytest.mark.parametrize("before", POINTS)
def test_local_railways_are_bought_sold_and_used_at_any_point(before: list[Action]) -> None:
    game = blue_scene([OperatingRound(("BTE",))], local_price=75)
    answer_all(game, *before)
    kind, treasury = asked(game).kind, cash_of(game, "BTE")
    game.apply(OfferForLocal("S1", 70))
    assert state_of(game).locals["S1"] == "BTE"
    game.apply(LayPurpleTile("S1", "D4", "14p", 0))
    assert state_of(game).board.tiles["D4"] == ("14p", 0)
    game.apply(SellLocal("M1"))
    assert "M1" not in state_of(game).locals
    assert cash_of(game, "BTE") == treasury - 70 + 75
    assert asked(game).kind == kind, "the step goes on"


@pytest.mark.rule("18CZ VIII.3/4")
def test_but_not_in_the_turn_of_another_company() -> None:
    game = blue_scene([OperatingRound(("OFE",))])
    assert asked(game).company == "OFE"
    assert refused_by(game, SellLocal("S2")) == "18CZ IV.1/24"
    assert refused_by(game, OfferForLocal("S2", 1)) == "18CZ IV.1/9"
    assert refused_by(game, LayPurpleTile("S2", "D4", "14p", 0)) == "18CZ IV.1/15"
