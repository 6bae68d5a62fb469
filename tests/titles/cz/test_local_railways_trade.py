"""Local Railways: income, price, purchase from players and sale to the bank (18CZ IV.1/1 to /14, /24 to /27)."""

from __future__ import annotations

from collections import Counter

import pytest

from ostbahn.kernel.actions import Accept, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Span
from ostbahn.kernel.records import RoundBegan
from ostbahn.titles.cz.actions import (
    BuyLocal,
    BuyTrain,
    ChooseCity,
    LayTile,
    OfferAcquisition,
    OfferForLocal,
    PlaceStation,
    SellLocal,
    StartCompany,
    TurnTrain,
)
from ostbahn.titles.cz.state import (
    Acquire,
    CompanyTask,
    EndTurn,
    EstablishStation,
    LayTrack,
    OperateTrains,
    OperatingRound,
    PurchaseTrains,
    RedHome,
    Timetable,
    UseIncome,
)
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import allowed, asked, events_of, idle, payments, rule_against, walk
from tests.titles.cz.scenes import scene, state_of, stock_round, table_of

FIRST_OPERATING_ROUND = cz_title().boxes.index(40)
SECOND_OPERATING_ROUND = cz_title().boxes.index(45)
EVERY_STEP = (
    LayTrack("EKJ", False),
    EstablishStation("EKJ"),
    OperateTrains("EKJ"),
    UseIncome("EKJ", 50),
    Acquire("EKJ"),
    PurchaseTrains("EKJ"),
)


def ekj(*agenda: object, phase: str = "b", **more: object) -> Game:
    """EKJ of p1 with a train and 100 K; S1 belongs to p1, S2 to p2, unless said otherwise."""
    fields: dict[str, object] = {
        "started": {"EKJ": (60, "p1")},
        "cash": {"EKJ": 100},
        "stations": {"D4.0": ["EKJ"]},
        "trains": {"EKJ": [("a1", "2")]},
        "locals_of": {"S1": "p1", "S2": "p2"},
        **more,
    }
    return scene(phase=phase, agenda=agenda, **fields)  # type: ignore[arg-type]


def cash(game: Game, *accounts: str) -> list[int]:
    return [state_of(game).cash[account] for account in accounts]


# Income and price


@pytest.mark.rule("18CZ IV.1/1")
def test_local_railways_come_in_three_sizes() -> None:
    assert Counter(local.size for local in cz_title().locals.values()) == {"small": 6, "medium": 6, "large": 6}


@pytest.mark.rule("18CZ IV.1/2")
@pytest.mark.parametrize(
    ("owned", "income"), [(("S1",), 5), (("M1",), 10), (("L1",), 20), (("S1", "M1", "L1"), 35), (("L1", "L2"), 40)]
)
def test_income_at_the_start_of_an_operating_round(owned: tuple[str, ...], income: int) -> None:
    game = scene(locals_of=dict.fromkeys(owned, "p2"), agenda=[Timetable(FIRST_OPERATING_ROUND), stock_round()])
    for _ in range(3):
        assert cash(game, "p2") == [380]
        game.apply(Pass())
    assert cash(game, "p1", "p2", "p3") == [380, 380 + income, 380]
    assert state_of(game).cash[BANK] == -3 * 380 - income


@pytest.mark.rule("18CZ IV.1/3")
def test_local_railways_do_nothing_themselves() -> None:
    """With eighteen of them in players' hands and no company, Operating Rounds go by without a question."""
    owners = {local: f"p{number % 3 + 1}" for number, local in enumerate(cz_title().locals)}
    game = scene(locals_of=owners, agenda=[Timetable(0)])
    kinds = set()
    for question in walk(game):
        kinds.add((question.kind, question.company))
    assert kinds == {("stock_round", None)}
    rounds = [event.round for event in events_of(game) if isinstance(event, RoundBegan)]
    assert sum(name.startswith("OR") for name in rounds) == 13


@pytest.mark.rule("18CZ IV.1/4")
@pytest.mark.parametrize("local", ["S1", "M1", "L1"])
def test_one_price_for_all_sizes(local: str) -> None:
    game = scene(
        phase="d",
        started={"Sx": (90, "p1")},
        shares={"Sx": {"p1": 3}},
        cash={"Sx": 500},
        locals_of={local: "p1"},
        local_price=60,
        agenda=[Acquire("Sx")],
    )
    (offer,) = asked(game).only(OfferForLocal)
    assert offer.span == Span(1, 60)
    game.apply(offer.with_price(60))
    game.apply(SellLocal(local))
    assert cash(game, "Sx", "p1") == [500, 380 + 60]


@pytest.mark.rule("18CZ IV.1/5")
def test_the_price_rises_with_every_operating_round() -> None:
    """Read from what the bank would pay in each of them."""
    game = ekj(Timetable(0), phase="a", locals_of={"S1": "EKJ"})
    found = []
    for question in walk(game):
        if question.kind == "lay_track":
            found += [paid.amount for paid in payments(game.copy().apply(SellLocal("S1")).events)]
    assert found == [40, 45, 50, 55, 60, 65, 70, 75, 80, 90, 100, 110, 120]


@pytest.mark.rule("18CZ IV.1/6")
def test_the_game_ends_with_the_operating_round_of_120() -> None:
    game = ekj(Timetable(cz_title().boxes.index(120)))
    assert state_of(game).local_price == 120
    kinds = [question.kind for question in walk(game)]
    assert kinds[0] == "lay_track"
    assert kinds[-1] == "purchase_trains", "the round is played to its end"
    assert game.over
    assert [event.round for event in events_of(game) if isinstance(event, RoundBegan)] == ["OR 8.3"]


# Purchase from players


@pytest.mark.rule("18CZ IV.1/7")
def test_local_railways_are_bought_after_the_first_b_train() -> None:
    game = ekj(PurchaseTrains("EKJ"), phase="a", cards_gone=5)
    assert rule_against(game, OfferForLocal("S1", 10)) == "18CZ IV.1/7"
    assert not asked(game).only(OfferForLocal)
    game.apply(BuyTrain("b1", "2"))
    assert rule_against(game, OfferForLocal("S1", 10)) == ""
    assert asked(game).only(OfferForLocal)


@pytest.mark.rule("18CZ IV.1/7")
@pytest.mark.parametrize(("cards_gone", "rule"), [(4, "18CZ IV.1/7"), (5, "")])
def test_an_exported_b_train_will_do(cards_gone: int, rule: str) -> None:
    game = ekj(Timetable(cz_title().boxes.index("export")), phase="a", cards_gone=cards_gone)
    while asked(game).kind == "stock_round":
        game.apply(Pass())
    assert asked(game).company == "EKJ"
    assert rule_against(game, OfferForLocal("S1", 10)) == rule


@pytest.mark.rule("18CZ IV.1/8")
@pytest.mark.parametrize(("price", "fits"), [(-1, False), (0, False), (1, True), (55, True), (56, False)])
def test_the_price_lies_between_one_and_the_current_one(price: int, fits: bool) -> None:
    game = ekj(Acquire("EKJ"), local_price=55)
    assert rule_against(game, OfferForLocal("S1", price)) == ("" if fits else "18CZ IV.1/8")
    (offer,) = asked(game).only(OfferForLocal, local="S1")
    assert offer.span == Span(1, 55)


@pytest.mark.rule("18CZ IV.1/9")
def test_companies_do_not_buy_from_each_other() -> None:
    """Not even if one player directs both."""
    game = ekj(
        Acquire("EKJ"), started={"EKJ": (60, "p1"), "OFE": (60, "p1")}, locals_of={"S1": "OFE", "S2": "EKJ", "S3": "p1"}
    )
    assert rule_against(game, OfferForLocal("S1", 10)) == "18CZ IV.1/9"
    assert rule_against(game, OfferForLocal("S2", 10)) == "18CZ IV.1/9"
    assert [option.action for option in asked(game).only(OfferForLocal)] == [OfferForLocal("S3", 1)]


@pytest.mark.rule("18CZ IV.1/9")
def test_an_acquisition_moves_them_between_companies() -> None:
    game = scene(
        phase="b",
        started={"BN": (60, "p1"), "EKJ": (60, "p1")},
        shares={"BN": {"p1": 1}},
        cash={"BN": 300},
        locals_of={"S1": "EKJ", "S2": "p1"},
        agenda=[Acquire("BN")],
    )
    game.apply(OfferAcquisition("EKJ", 60))
    assert state_of(game).locals == {"S1": "BN", "S2": "p1"}


@pytest.mark.rule("18CZ IV.1/10")
def test_the_owner_must_agree_and_is_paid_from_the_treasury() -> None:
    game = ekj(Acquire("EKJ"))
    game.apply(OfferForLocal("S2", 33))
    assert (asked(game).kind, asked(game).decider) == ("consent", "p2")
    assert (state_of(game).locals["S2"], cash(game, "EKJ", "p2")) == ("p2", [100, 380])
    assert rule_against(game, Accept(), by="p1") == "18CZ IV.1/10", "the buyer cannot agree for the seller"
    game.apply(Accept(), by="p2")
    assert (state_of(game).locals["S2"], cash(game, "EKJ", "p1", "p2")) == ("EKJ", [67, 380, 413])
    assert asked(game).kind == "acquire"


@pytest.mark.rule("18CZ IV.1/10")
def test_an_offer_may_be_declined() -> None:
    game = ekj(Acquire("EKJ"))
    game.apply(OfferForLocal("S2", 33))
    game.apply(Decline())
    assert (state_of(game).locals["S2"], cash(game, "EKJ", "p2")) == ("p2", [100, 380])
    assert rule_against(game, OfferForLocal("S2", 33)) == "18CZ IV.1/10"
    assert rule_against(game, OfferForLocal("S2", 34)) == ""
    (offer,) = asked(game).only(OfferForLocal, local="S2")
    assert offer.span == Span(34, 40)


@pytest.mark.rule("18CZ IV.1/10")
def test_the_director_sells_his_own_without_being_asked_twice() -> None:
    game = ekj(Acquire("EKJ"))
    game.apply(OfferForLocal("S1", 40))
    assert (state_of(game).locals["S1"], cash(game, "EKJ", "p1")) == ("EKJ", [60, 420])
    assert asked(game).kind == "acquire"


# What a player has of them


@pytest.mark.rule("18CZ IV.1/11")
@pytest.mark.parametrize(
    ("local", "owner", "expected"), [("M1", "p1", [390, 100]), ("S1", "p1", [385, 100]), ("S1", "EKJ", [380, 105])]
)
def test_income_goes_to_the_owner(local: str, owner: str, expected: list[int]) -> None:
    """To a player, or to the treasury of the company that he directs."""
    game = ekj(Timetable(FIRST_OPERATING_ROUND), locals_of={local: owner})
    assert asked(game).company == "EKJ"
    assert cash(game, "p1", "EKJ") == expected


@pytest.mark.rule("18CZ IV.1/12")
def test_a_player_cannot_get_rid_of_one_in_a_stock_round() -> None:
    game = ekj(stock_round(), phase="d")
    assert rule_against(game, SellLocal("S1")) == "18CZ IV.2.a/1"
    for option in asked(game):
        after = game.copy()
        after.apply(option.action)
        assert state_of(after).locals == {"S1": "p1", "S2": "p2"}


@pytest.mark.rule("18CZ IV.1/12")
@pytest.mark.parametrize("task", EVERY_STEP)
def test_a_player_cannot_sell_his_own_to_the_bank_in_a_companys_turn(task: CompanyTask) -> None:
    game = ekj(stock_round(), task)
    assert rule_against(game, SellLocal("S1")) == "18CZ IV.1/24"
    for option in asked(game):
        after = game.copy()
        after.apply(option.action)
        if not isinstance(option.action, OfferForLocal):
            assert state_of(after).locals == {"S1": "p1", "S2": "p2"}


@pytest.mark.rule("18CZ IV.1/13")
@pytest.mark.parametrize(("shares", "fits"), [(5, True), (6, False)])
def test_each_counts_as_a_certificate(shares: int, fits: bool) -> None:
    """Five players may have ten certificates each; p1 has four Local Railways."""
    game = scene(
        players=5,
        phase="d",
        started={"kk": (90, "p2")},
        shares={"kk": {"p1": shares}},
        locals_of={"S1": "p1", "M1": "p1", "L1": "p1", "L2": "p1", "S2": "p2"},
        agenda=[stock_round()],
    )
    assert allowed(game, StartCompany("EKJ", 50)) == fits
    assert rule_against(game, StartCompany("EKJ", 50)) == ("" if fits else "18CZ VII.4/1")


@pytest.mark.rule("18CZ IV.1/14")
def test_each_is_worth_120_at_the_end() -> None:
    game = ekj(Timetable(cz_title().boxes.index(120)), locals_of={"S1": "p2", "S2": "p2", "L1": "p3", "S4": "EKJ"})
    for _ in walk(game):
        pass
    before = cash(game, "p2", "p3")
    found = table_of(game).standings()
    assert [found["p2"], found["p3"]] == [before[0] + 240, before[1] + 120]


# Sale to the bank


@pytest.mark.rule("18CZ IV.1/24")
@pytest.mark.parametrize("task", EVERY_STEP)
def test_a_company_sells_to_the_bank_at_any_moment(task: CompanyTask) -> None:
    game = ekj(stock_round(), task, locals_of={"S1": "EKJ", "S2": "p2"}, local_price=75)
    assert allowed(game, SellLocal("S1"))
    record = game.apply(SellLocal("S1"))
    assert [(paid.source, paid.target, paid.amount) for paid in payments(record.events)] == [(BANK, "EKJ", 75)]
    assert asked(game).kind == type(task).__struct_config__.tag, "and the turn goes on where it was"


@pytest.mark.rule("18CZ IV.1/24")
def test_also_before_the_red_tile_is_laid() -> None:
    game = scene(
        phase="d",
        started={"kk": (90, "p1")},
        shares={"kk": {"p1": 3}},
        locals_of={"S1": "kk"},
        local_price=75,
        agenda=[RedHome("kk")],
    )
    game.apply(SellLocal("S1"))
    assert cash(game, "kk") == [75]
    assert asked(game).kind == "red_home"


@pytest.mark.rule("18CZ IV.1/24")
def test_also_while_a_train_above_the_limit_is_to_be_returned() -> None:
    """kk buys the first j-train, which lowers its limit to two in the middle of its turn."""
    game = scene(
        phase="i",
        cards_gone=33,
        started={"kk": (90, "p1")},
        shares={"kk": {"p1": 3}},
        cash={"kk": 1000},
        trains={"kk": [("h1", "5E"), ("i1", "6E")]},
        locals_of={"S1": "kk"},
        agenda=[PurchaseTrains("kk")],
    )
    game.apply(BuyTrain("j1", "8E"))
    assert asked(game).kind == "return_trains"
    assert rule_against(game, SellLocal("S1")) == ""


@pytest.mark.rule("18CZ IV.1/24")
def test_the_money_helps_at_once() -> None:
    """A company without a K is asked about stations and can pay for one by selling first."""
    game = ekj(
        EstablishStation("EKJ"), cash={"EKJ": 0}, tiles={"D4": ("57", 1), "D2": ("14", 0)}, locals_of={"S1": "EKJ"}
    )
    assert rule_against(game, PlaceStation("D2.0")) == "18CZ VIII.6/11"
    game.apply(SellLocal("S1"))
    game.apply(PlaceStation("D2.0"))
    assert cash(game, "EKJ") == [0]


@pytest.mark.rule("18CZ IV.1/24")
def test_one_that_was_just_taken_over_pays_for_turning_a_train() -> None:
    """BN spends its last money on EKJ, sells the S1 it got and turns EKJ's 3 into a 3+3 for 60 K."""
    game = scene(
        phase="d",
        started={"BN": (60, "p1"), "EKJ": (60, "p1")},
        shares={"BN": {"p1": 1}},
        cash={"BN": 120},
        trains={"EKJ": [("d1", "3")]},
        locals_of={"S1": "EKJ"},
        local_price=60,
        agenda=[Acquire("BN")],
    )
    game.apply(OfferAcquisition("EKJ", 60))
    assert cash(game, "BN") == [0]
    assert rule_against(game, TurnTrain("d1", "3+3")) == "18CZ VIII.9/14"
    game.apply(SellLocal("S1"))
    game.apply(TurnTrain("d1", "3+3"))
    assert cash(game, "BN") == [0]
    assert [train.face for train in state_of(game).trains["BN"]] == ["3+3"]


@pytest.mark.rule("18CZ IV.1/25")
def test_a_sold_one_is_out_of_the_game() -> None:
    game = ekj(Timetable(SECOND_OPERATING_ROUND), EndTurn("EKJ"), Acquire("EKJ"), locals_of={"S1": "EKJ", "S2": "EKJ"})
    game.apply(SellLocal("S1"))
    assert rule_against(game, OfferForLocal("S1", 10)) == "18CZ IV.1/25"
    assert rule_against(game, SellLocal("S1")) == "18CZ IV.1/24"
    assert rule_against(game, BuyLocal("S1")) == "18CZ VIII.3/1"
    while state_of(game).local_price != 45:
        game.apply(idle(game))
    assert [(paid.target, paid.amount) for paid in payments(game.records[-1].events)] == [("EKJ", 5)], "only S2 pays"


@pytest.mark.rule("18CZ IV.1/26")
def test_bought_and_sold_in_one_turn() -> None:
    game = scene(
        phase="b",
        started={"BN": (60, "p1")},
        shares={"BN": {"p1": 1}},
        cash={"BN": 5},
        locals_of={"S1": "p1"},
        local_price=60,
        agenda=[Acquire("BN")],
    )
    game.apply(OfferForLocal("S1", 1))
    game.apply(SellLocal("S1"))
    assert cash(game, "BN", "p1") == [5 + 59, 381]


@pytest.mark.rule("18CZ IV.1/26")
@pytest.mark.parametrize("used", [(), ("S1",)])
def test_sold_with_its_power_used_or_not(used: tuple[str, ...]) -> None:
    game = ekj(Acquire("EKJ"), locals_of={"S1": "EKJ"}, used_powers=used)
    game.apply(SellLocal("S1"))
    assert cash(game, "EKJ") == [140]


@pytest.mark.rule("18CZ IV.1/27")
def test_not_in_another_companys_turn() -> None:
    game = ekj(
        OperatingRound(("EKJ",)),
        EndTurn("OFE"),
        Acquire("OFE"),
        started={"EKJ": (60, "p1"), "OFE": (60, "p1")},
        trains={"EKJ": [("a1", "2")], "OFE": [("a2", "2")]},
        locals_of={"S1": "EKJ"},
    )
    while asked(game).company == "OFE":
        assert rule_against(game, SellLocal("S1")) == "18CZ IV.1/24"
        game.apply(idle(game))
    assert allowed(game, SellLocal("S1"))


@pytest.mark.rule("18CZ IV.1/27")
def test_not_while_choosing_a_city_in_another_companys_turn() -> None:
    """EKJ lays the first tile on B8; ATE's Director says where its station stands, and nothing else."""
    game = ekj(
        LayTrack("EKJ", False),
        phase="d",
        started={"EKJ": (60, "p1"), "ATE": (60, "p2")},
        shares={"ATE": {"p2": 1}},
        tiles={"D4": ("57", 1), "B10": ("57", 1)},
        stations={"D4.0": ["EKJ"], "B10.0": ["EKJ"], "B8": ["ATE"]},
        locals_of={"S1": "ATE"},
    )
    game.apply(LayTile("B8", "8885", 1))
    assert (asked(game).kind, asked(game).company, asked(game).decider) == ("home_city", "ATE", "p2")
    assert rule_against(game, SellLocal("S1")) == "18CZ IV.1/27"
    assert [option.action for option in asked(game)] == [ChooseCity("B8.0"), ChooseCity("B8.1")]


@pytest.mark.rule("18CZ IV.1/27")
@pytest.mark.parametrize("player", ["p1", "p2"])
def test_not_in_a_stock_round_and_never_to_a_player(player: str) -> None:
    game = ekj(stock_round(player), phase="d", locals_of={"S1": "EKJ"})
    for trade in (SellLocal("S1"), BuyLocal("S1"), OfferForLocal("S1", 40)):
        assert rule_against(game, trade) == "18CZ IV.2.a/1"
    for task in EVERY_STEP:
        turn = ekj(stock_round(), task, locals_of={"S1": "EKJ"})
        for option in asked(turn):
            after = turn.copy()
            after.apply(option.action)
            assert state_of(after).locals.get("S1", BANK) in ("EKJ", BANK)
