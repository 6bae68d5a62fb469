"""Minors and majors (18Mag III.3, and what the short rules say about them)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import RoundBegan, TurnBegan
from ostbahn.titles.mag.actions import (
    BuyCar,
    BuyTrain,
    DraftMinor,
    LayTile,
    OfferForTrain,
    PayDividend,
    PlaceStation,
    RunTrains,
    ScrapTrain,
    SellShares,
    TrainRun,
)
from ostbahn.titles.mag.state import (
    CompanyTask,
    EstablishStation,
    LayTrack,
    OperateWithCars,
    OperatingRound,
    PayOut,
    PlaceMarker,
    PurchaseTrains,
    ScrapTrains,
    StockRound,
)
from ostbahn.titles.mag.title import base_data, mag_title
from tests.titles.mag.scenes import cards_of, scene, state_of
from tests.titles.mag.share_scenes import (
    MAJORS,
    MINORS,
    answer_all,
    cash_of,
    finish_draft,
    is_offered,
    new_mag_game,
    play_until,
    question_of,
    refusal_rule,
)

SOPRON = {"D7": ("57", 2)}
"""Track from Sopron, the home of minor 11, to Bécs: 20 + 30."""


# Two kinds of companies


@pytest.mark.rule("18Mag III.3.1/1")
def test_every_company_is_a_minor_or_a_major() -> None:
    state = state_of(new_mag_game())
    companies = [who for who in state.cash if who not in (BANK, *state.players)]
    assert companies == [*MINORS, *MAJORS]
    assert tuple(state.certificates) == MAJORS, "shares are those of majors"
    assert tuple(state.owners) == MINORS, "a minor has an owner"


@pytest.mark.rule("18Mag S.1.1/1")
def test_minors_operate_to_the_end_of_the_game() -> None:
    """A game of three in which nobody ever does more than he must."""
    game = new_mag_game()
    finish_draft(game)
    owners = state_of(game).owners
    play_until(game)
    assert game.over
    assert state_of(game).owners == owners
    events = [event for record in game.records for event in record.events]
    last = max(number for number, event in enumerate(events) if isinstance(event, RoundBegan))
    turns = [event.company for event in events[last:] if isinstance(event, TurnBegan)]
    assert turns[:12] == sorted(owners, key=int)


@pytest.mark.rule("18Mag S.1.2/1")
def test_all_a_major_does_is_to_place_a_marker_and_to_pay_out() -> None:
    game = scene(directors={"SIK": "p1"}, cash={"SIK": 1000}, agenda=[OperatingRound((), ("SIK",))])
    others: list[Action] = [LayTile("E10", "57", 0), BuyTrain("2"), RunTrains(()), ScrapTrain("2-1"), BuyCar("plus")]
    seen = []
    while question_of(game).company == "SIK":
        seen.append({type(option.action) for option in question_of(game)})
        assert {refusal_rule(game, action) for action in others} == {"18Mag VI.4.1/1"}
        game.apply(question_of(game).options[0].action)
    assert seen == [{PlaceStation, Pass}, {PayDividend}]
    assert not any(major in state_of(game).trains for major in MAJORS)


# Minors and their owners


@pytest.mark.rule("18Mag III.3.2/1", "18Mag S.1.1/1")
@pytest.mark.parametrize(
    "task",
    [
        StockRound("p1"),
        LayTrack("1"),
        EstablishStation("1"),
        ScrapTrains("1"),
        OperateWithCars("1"),
        PurchaseTrains("1"),
        PlaceMarker("SIK"),
        PayOut("SIK"),
    ],
)
def test_a_minor_stays_with_its_owner_whatever_happens(task: StockRound | CompanyTask) -> None:
    game = scene(
        cash={"p1": 500, "1": 500, "SIK": 100},
        directors={"SIK": "p1"},
        shares={"SIK": {"p1": 2, "p2": 2}},
        agenda=[task],
    )
    owners = state_of(game).owners
    major, trading = isinstance(task, PlaceMarker | PayOut), isinstance(task, StockRound)
    step = "18Mag VI.4.1/1" if major else "18Mag VI.3.1/1"
    assert refusal_rule(game, DraftMinor("13")) == ("18Mag VII.1/3" if trading else step)
    assert refusal_rule(game, SellShares("1", 100)) == ("18Mag III.3.3/3" if trading else step)
    for option in question_of(game):
        twin = game.copy()
        twin.apply(option.action)
        assert state_of(twin).owners == owners


@pytest.mark.rule("18Mag III.3.2/3")
@pytest.mark.parametrize("phase", ["yellow", "green", "brown", "grey"])
def test_nobody_gets_a_third_train(phase: str) -> None:
    game = scene(phase=phase, cash={"1": 1000}, trains={"1": ["2"]}, agenda=[PurchaseTrains("1")])
    assert refusal_rule(game, OfferForTrain("2-2", 10)) == "allowed"
    game.apply(BuyTrain("2"))
    for face in ("2", "3", "4", "6"):
        assert refusal_rule(game, BuyTrain(face)) == "18Mag VI.3.8/4"
    assert refusal_rule(game, OfferForTrain("2-2", 10)) == "18Mag VI.3.8/4"
    assert [option.action for option in question_of(game)] == [Pass()]


@pytest.mark.rule("18Mag III.3.2/4")
def test_a_minor_need_not_own_a_train_and_its_owner_adds_nothing() -> None:
    game = scene(cash={"1": 500, "p1": 500}, trains={"1": []}, agenda=[PurchaseTrains("1")])
    assert is_offered(game, Pass())
    game.apply(Pass())
    assert cards_of(game, "1") == []
    poor = scene(cash={"1": 79, "p1": 500}, trains={"1": []}, agenda=[PurchaseTrains("1")])
    assert refusal_rule(poor, BuyTrain("2")) == "18Mag VI.3.8/3"
    poor.apply(Pass())
    assert (cash_of(poor, "1"), cash_of(poor, "p1")) == (79, 500)


@pytest.mark.rule("18Mag III.3.2/5")
def test_income_is_halved_and_there_is_no_choice() -> None:
    """Sopron on a green tile and Bécs in the green phase: 30 + 40 = 70."""
    game = scene(phase="green", tiles={"D7": ("619", 2)}, cash={"11": 50}, agenda=[OperateWithCars("11")])
    owner = state_of(game).owners["11"]
    assert len(question_of(game).only(RunTrains)) == 1
    game.apply(question_of(game).only(RunTrains)[0].action)
    assert (cash_of(game, owner), cash_of(game, "11")) == (35, 85)
    assert isinstance(question_of(game).task, LayTrack | StockRound | PurchaseTrains), (
        "nobody is asked about the income"
    )


# Trade in trains


def trade(price: int, site: bool = False, rulings: dict[str, str] | None = None) -> tuple[list[str], list[int]]:
    """What minor 2, with 30 Ft, buys from minor 3: its trains afterwards, and the money of 2, 3, owners and majors."""
    game = scene(cash={"2": 30}, trains={"2": []}, site=site, rulings=rulings, agenda=[PurchaseTrains("2")])
    game.apply(OfferForTrain("2-2", price))
    if question_of(game).kind == "consent":
        assert question_of(game).decider == "p3"
        assert refusal_rule(game, Accept(), by="p2") == "18Mag III.3.2/6"
        game.apply(Accept())
    return cards_of(game, "2"), [cash_of(game, who) for who in ("2", "3", "p2", "p3", "LdStEG")]


@pytest.mark.rule("18Mag III.3.2/6")
@pytest.mark.parametrize("price", [1, 17, 30])
@pytest.mark.parametrize("site", [False, True])
def test_minors_trade_trains_for_any_price(price: int, site: bool) -> None:
    assert trade(price, site) == (["2-2"], [30 - price, 50 + price, 0, 0, 0])


@pytest.mark.rule("18Mag III.3.2/6")
@pytest.mark.parametrize("price", [0, -5, 31])
def test_the_price_is_at_least_one_and_at_most_the_treasury(price: int) -> None:
    game = scene(cash={"2": 30, "p2": 500}, trains={"2": []}, agenda=[PurchaseTrains("2")])
    assert refusal_rule(game, OfferForTrain("2-2", price)) == "18Mag III.3.2/6"


@pytest.mark.rule("18Mag III.3.2/6")
def test_the_owner_of_the_other_minor_may_decline() -> None:
    game = scene(cash={"2": 30}, trains={"2": []}, agenda=[PurchaseTrains("2")])
    answer_all(game, OfferForTrain("2-2", 20), Decline())
    assert (cards_of(game, "2"), cards_of(game, "3"), cash_of(game, "2")) == ([], ["2-2"], 30)
    assert question_of(game).decider == "p2"
    assert refusal_rule(game, OfferForTrain("2-2", 20)) == "18Mag III.3.2/6"
    assert refusal_rule(game, OfferForTrain("2-2", 21)) == "allowed"
    free = scene(cash={"2": 30}, trains={"2": []}, rulings={"repeated_offer": "free"}, agenda=[PurchaseTrains("2")])
    answer_all(free, OfferForTrain("2-2", 20), Decline())
    assert refusal_rule(free, OfferForTrain("2-2", 1)) == "allowed"


@pytest.mark.rule("18Mag III.3.2/6")
def test_between_minors_of_one_player_nobody_is_asked() -> None:
    game = scene(trains={"1": [], "4": ["3"]}, agenda=[PurchaseTrains("1")])
    game.apply(OfferForTrain("3-1", 1))
    assert (cards_of(game, "1"), cards_of(game, "4"), question_of(game).kind) == (["3-1"], [], "purchase_trains")


@pytest.mark.rule("18Mag III.3.2/6")
@pytest.mark.parametrize("task", [LayTrack("1"), EstablishStation("1"), ScrapTrains("1"), OperateWithCars("1")])
def test_trains_are_traded_when_the_buyer_buys_trains(task: CompanyTask) -> None:
    game = scene(trains={"1": []}, agenda=[task])
    assert refusal_rule(game, OfferForTrain("2-3", 10)) == "18Mag VI.3.1/1"


@pytest.mark.rule("18Mag III.3.2/6")
def test_trade_is_open_from_the_first_operating_round_on() -> None:
    game = new_mag_game()
    finish_draft(game)
    assert state_of(game).round == "OR 1.1"
    play_until(game, lambda question: isinstance(question.task, PurchaseTrains))
    assert question_of(game).only(OfferForTrain)


@pytest.mark.rule("18Mag S.3.1/1")
def test_no_phase_takes_a_train_away() -> None:
    """Minor 2 buys the first trains of all stacks; minor 11 keeps its 2-trains and runs both."""
    game = scene(
        cash={"2": 1000},
        trains={"2": [], "11": ["2", "2"], "5": []},
        tiles={"D7": ("619", 2), "D9": ("57", 1)},
        agenda=[OperateWithCars("11"), PurchaseTrains("2"), ScrapTrains("2"), PurchaseTrains("2")],
    )
    answer_all(game, BuyTrain("3"), BuyTrain("4"), Pass(), ScrapTrain("3-1"), Pass(), BuyTrain("6"), Pass())
    assert state_of(game).phase == "grey"
    mine = cards_of(game, "11")
    assert len(mine) == 2
    game.apply(RunTrains((TrainRun(mine[0], ("C6.0", "D7.0")), TrainRun(mine[1], ("D7.0", "D9.0")))))
    assert state_of(game).revenue["11"] == (70 + 30) + (30 + 20)


@pytest.mark.rule("18Mag S.3.1/2")
def test_a_rail_car_is_bought_once_in_a_round_and_again_in_the_next() -> None:
    game = scene(
        trains={"11": ["2", "2"]},
        tiles={"D7": ("619", 2), "D9": ("57", 1)},
        agenda=[OperatingRound(("11",))],
    )

    def runs_of_11(question: object) -> bool:
        return isinstance(question_of(game).task, OperateWithCars) and question_of(game).company == "11"

    play_until(game, runs_of_11)
    game.apply(BuyCar("off_board"))
    assert refusal_rule(game, BuyCar("off_board")) == "18Mag S.3.1/2"
    first, second = cards_of(game, "11")
    both = RunTrains(
        (TrainRun(first, ("C6.0", "D7.0"), ("off_board",)), TrainRun(second, ("D7.0", "D9.0"), ("off_board",)))
    )
    assert refusal_rule(game, both) == "18Mag S.3.1/2"
    game.apply(RunTrains((TrainRun(first, ("C6.0", "D7.0"), ("off_board",)), TrainRun(second, ("D7.0", "D9.0")))))
    assert state_of(game).revenue["11"] == (30 + 30 + 20) + (30 + 20)
    game.apply(Pass())
    play_until(game, runs_of_11)
    assert is_offered(game, BuyCar("off_board"))
    uncoupled = RunTrains((TrainRun(first, ("C6.0", "D7.0"), ("off_board",)), TrainRun(second, ("D7.0", "D9.0"))))
    assert refusal_rule(game, uncoupled) == "18Mag S.3.1/2", "the car of the last round is gone"


# Table 1


TABLE_1 = {
    "1": ("Magyar Északi Vasút", "MÉV", "Pest", 0, "E12"),
    "2": ("Magyar Keleti Vasút", "MKV", "Szatmárnémeti", 0, "D19"),
    "3": ("Magyar Nyugoti Vasút", "MNyV", "Székesfehérvár", 0, "E10"),
    "4": ("Tiszavidéki Vasút", "TVV", "Szeged", 0, "G14"),
    "5": ("Első Erdélyi Vasút", "EEV", "Brassó", 3, "H27"),
    "6": ("Kassa-Oderbergi Vasút", "KOV", "Kassa", 1, "B17"),
    "7": ("Mohács-Pécsi Vasút", "MPV", "Mohács", 1, "G10"),
    "8": ("Hrvatske Željeznice", "HŽ", "Zágráb", 0, "H5"),
    "9": ("Szabadka-Újvidék Vasút", "SzÚV", "Pétrovárad", 0, "I14"),
    "10": ("Arad-Temesvári Vasúttársaság", "ATV", "Temesvár", 0, "H17"),
    "11": ("Győr-Sopron-Ebenfurti Vasút", "GySEV", "Sopron", 0, "D7"),
    "12": ("Segesvár–Szentágotai Vasút", "SSzV", "Nagyszeben", 2, "H23"),
    "13": ("Déli Vasút", "DV", "Fiume", 1, "I2"),
}


@pytest.mark.rule("18Mag III.3.2/7", "18Mag III.3.2/8")
@pytest.mark.parametrize("minor", MINORS)
def test_names_homes_and_terrain_tokens_of_the_minors(minor: str) -> None:
    name, short, home, tokens, hex_id = TABLE_1[minor]
    spec = mag_title().minors[minor]
    assert (spec.name, spec.short) == (name, short)
    game = new_mag_game()
    game.apply(DraftMinor(minor))
    assert state_of(game).terrain_tokens[minor] == tokens
    [station] = state_of(game).board.stations_of(minor)
    where, _, node = station.partition(".")
    printed = mag_title().map[where].printed
    assert where == hex_id
    assert (printed.city_names or (printed.name,))[int(node)] == home


# What majors live on: tables 2 to 4


@pytest.mark.rule("18Mag III.3.3/5", "18Mag III.3.3/6", "18Mag III.3.3/7")
def test_names_and_colours_of_the_majors() -> None:
    majors = base_data().companies.majors
    assert {id_: (data.name, data.colour_name) for id_, data in majors.items()} == {
        "RÁBA": ("Magyar Waggon-és Gépgyár Rt.", "red"),
        "G&C": ("Ganz & Cie", "light blue"),
        "SNW": ("Schlick-Nicholson Gép-, Waggon és Hajógyár Rt.", "grey"),
        "SIK": ("Gróf Széchenyi István Konzorcium", "green"),
        "SzKÉV": ("Széchy Károly Építőipari Vállalat", "yellow"),
        "LdStEG": ("Lokomotivfabrik der Staatseisenbahn-Gesellschaft", "orange"),
        "MÁVAG": ("Magyar Királyi Államvasutak Gépgyára", "purple"),
    }
