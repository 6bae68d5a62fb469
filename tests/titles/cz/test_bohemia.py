"""Bohemia for two players: what is in the box, and how Vaclav comes by companies and trains (18CZ XI.1)."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from ostbahn.interop.saves import dump, load
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Paid, RoundBegan, TrainMoved, TurnBegan, Wealth
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import BuyLocal, BuyShare, BuyTrain, LayRedTile, ReturnTrain, StartCompany
from ostbahn.titles.cz.state import (
    EndTurn,
    OperatingRound,
    PreStock,
    PurchaseTrains,
    StockRound,
    Timetable,
)
from tests.kernel.trails import beyond, exits
from tests.titles.cz.asking import asked, idle, walk
from tests.titles.cz.asking import events_of as all_events
from tests.titles.cz.building import lay, on, turn
from tests.titles.cz.looking import all_pass, cash_of, events_of, percent_of, price_of, refused_by
from tests.titles.cz.scenes import scene, state_of, stock_round, table_of
from tests.titles.cz.train_scenes import first_of, phase_before

SMALL, MEDIUM, LARGE = {"EKJ", "BCB", "VBW"}, {"BN", "NWB", "ATE", "BTE"}, {"Sx", "By", "kk"}
HAND_OUT, SECOND_OF_TWO = 2, 14
"""Boxes of the process track: the end of the first set, and an Operating Round that follows another at once."""


def fresh(seed: int = 1) -> Game:
    return new_game("18CZ", ["Ada", "Ben"], variant="bohemia", seed=seed, draw_order=False)


def bohemia(**fields: Any) -> Game:
    return scene(variant="bohemia", players=2, **fields)


@cache
def idle_game(seed: int) -> Game:
    """A whole game in which the two do nothing; not to be played on."""
    game = fresh(seed)
    for _ in walk(game):
        pass
    return game


def his(game: Game) -> set[str]:
    """The companies of which Vaclav has certificates."""
    return {company for company, held in state_of(game).certificates.items() if "Vaclav" in held}


def trains_of(game: Game, company: str) -> list[tuple[str, str]]:
    return [(train.card, train.face) for train in state_of(game).trains.get(company, ())]


# What there is


@pytest.mark.rule("18CZ XI.1/1")
def test_bohemia_is_for_two() -> None:
    assert state_of(fresh()).players == ("p1", "p2")
    for names in (["Ada"], ["Ada", "Ben", "Cleo"]):
        with pytest.raises(BadSetup, match=r"18CZ XI\.1/1"):
            new_game("18CZ", names, variant="bohemia")


@pytest.mark.rule("18CZ XI.1/1")
def test_the_map_ends_where_moravia_begins() -> None:
    hexes = table_of(fresh()).title.map.hexes
    assert {"D2", "D4", "E11", "E15", "I9", "B8", "A7", "B4", "F2", "H4", "J14", "I17"} <= set(hexes)
    assert not {"C25", "F22", "G19", "B18", "A21", "I23", "G27", "E21", "E19"} & set(hexes)
    tiles, stations = {"E15": on("57", "W", "E")}, {"E15.0": ["BCB"]}
    game = turn("BCB", phase="a", variant="bohemia", players=2, tiles=tiles, stations=stations)
    assert refused_by(game, lay("E17", "9", "W", "E")) == "18CZ VIII.4/18"
    assert lay("E17", "8", "W", "NE") in asked(game)


@pytest.mark.rule("18CZ XI.1/1")
def test_no_red_tile_leads_out_of_bohemia() -> None:
    game = turn("kk", variant="bohemia", players=2)
    tile = table_of(game).title.tiles["8895"]
    lays = [option.action for option in asked(game).only(LayRedTile)]
    reached = {(lay.hex, side) for lay in lays if isinstance(lay, LayRedTile) for side in exits(tile, lay.rotation)}
    assert {side for hex_id, side in reached if hex_id == "I17"} == {"NW", "NE"}, "in the base game also E"
    assert all(beyond(hex_id, side) in table_of(game).title.map.hexes for hex_id, side in reached)


@pytest.mark.rule("18CZ XI.1/2")
def test_both_begin_with_280() -> None:
    assert {who: amount for who, amount in state_of(fresh()).cash.items() if amount > 0} == {"p1": 280, "p2": 280}


@pytest.mark.rule("18CZ XI.1/2")
def test_fourteen_certificates_are_the_limit() -> None:
    locals_of = dict.fromkeys(("S1", "S2", "S3", "M1", "M2", "M3", "L1", "L2", "L3"), "p1")
    game = bohemia(
        phase="d",
        started={"VBW": (60, "p1"), "BTE": (60, "p1"), "Sx": (90, "p1")},
        locals_of=locals_of,
        cash={"p1": 1000},
        agenda=[stock_round("p1")],
    )
    game.apply(BuyShare("VBW"))
    game.apply(Pass())
    assert refused_by(game, BuyShare("Sx")) == "allowed", "the fourteenth"
    game.apply(BuyShare("Sx"))
    game.apply(Pass())
    assert refused_by(game, BuyShare("Sx")) == "18CZ VII.4/1"


@pytest.mark.rule("18CZ XI.1/3")
def test_ten_companies_take_part() -> None:
    state = state_of(fresh())
    assert set(state.certificates) == SMALL | MEDIUM | LARGE
    red = {tile.company for tile in table_of(fresh()).title.tiles.values() if tile.colour == "red"}
    assert red == LARGE
    game = bohemia(phase="d", cash={"p1": 1000}, agenda=[stock_round("p1")])
    for company, price in {"OFE": 60, "MW": 60, "KFN": 70, "Pr": 100, "Ug": 100}.items():
        assert refused_by(game, StartCompany(company, price)) == "18CZ XI.1/3"
    options = [option.action for option in asked(game).only(StartCompany)]
    assert {action.company for action in options if isinstance(action, StartCompany)} == SMALL | MEDIUM | LARGE


@pytest.mark.rule("18CZ XI.1/4")
def test_nine_local_railways_are_for_sale() -> None:
    game = fresh()
    prices: dict[str, list[int]] = {}
    for local in ("S1", "S2", "S3", "M1", "M2", "M3", "L1", "L2", "L3"):
        assert isinstance(asked(game).task, PreStock)
        (paid, *_) = events_of(Paid, game.apply(BuyLocal(local)).events)
        prices.setdefault(local[0], []).append(paid.amount)
    assert prices == {"S": [25, 30, 35], "M": [40, 45, 50], "L": [55, 60, 65]}
    assert isinstance(asked(game).task, StockRound), "nothing is left on the sheet"
    assert refused_by(fresh(), BuyLocal("S4")) == "18CZ VI/2"


@pytest.mark.rule("18CZ XI.1/17")
@pytest.mark.parametrize(
    ("company", "held", "most"), [("kk", 3, 70), ("BN", 0, 60), ("VBW", 0, 75)], ids=["large", "medium", "small"]
)
def test_seventy_percent_of_a_large_company_but_no_more_than_usual_of_others(
    company: str, held: int, most: int
) -> None:
    game = bohemia(
        phase="d",
        started={company: ({"kk": 90, "BN": 60, "VBW": 60}[company], "p1")},
        shares={company: {"p1": held}},
        cash={"p1": 2000},
        agenda=[stock_round("p1")],
    )
    while game.refusal(BuyShare(company)) is None:
        game.apply(BuyShare(company))
        game.apply(Pass(), "p2")
    assert percent_of(game, "p1", company) == most
    assert refused_by(game, BuyShare(company)) in ("18CZ VII.4/5", "18CZ VII.4/6", "18CZ XI.1/17")


# Playing order


@pytest.mark.rule("18CZ XI.1/18")
def test_card_one_goes_to_the_poorer_and_later_to_the_richer() -> None:
    game = fresh()
    game.apply(BuyLocal("S1"), "p1")
    game.apply(BuyLocal("L1"), "p2")
    while isinstance(asked(game).task, PreStock):
        game.apply(Pass())
    assert [cash_of(game, player) for player in ("p1", "p2")] == [255, 225]
    assert state_of(game).order == ("p2", "p1")
    all_pass(game)
    assert state_of(game).order == ("p1", "p2")


# Vaclav at the table


@pytest.mark.rule("18CZ XI.1/5")
def test_vaclav_has_no_seat_no_money_and_no_rank() -> None:
    game = idle_game(3)
    assert len(his(game)) == 2, "he did play"
    for number in range(0, len(game) + 1, 10):
        state = state_of(game.position(number))
        assert set(state.order) == set(state.players) == {"p1", "p2"}
        assert "Vaclav" not in state.cash
        assert "Vaclav" not in state.locals.values()
    assert {record.by for record in game.records} == {"p1", "p2"}
    assert set(table_of(game).standings()) == {"p1", "p2"}
    assert "Vaclav" not in table_of(game).winners()
    wealth = [event.player for event in all_events(game) if isinstance(event, Wealth)]
    assert sorted(wealth) == ["p1", "p2"]


@pytest.mark.rule("18CZ XI.1/5")
def test_only_the_two_act_in_pre_stock_and_stock_rounds() -> None:
    deciders = {PreStock: set[str](), StockRound: set[str]()}
    for question in walk(fresh(2)):
        if type(question.task) in deciders:
            deciders[type(question.task)].add(question.decider)
    assert deciders == {PreStock: {"p1", "p2"}, StockRound: {"p1", "p2"}}


@pytest.mark.rule("18CZ XI.1/6", "18CZ XI.1/9")
def test_a_small_company_is_his_before_the_game() -> None:
    game = fresh()
    (company,) = his(game)
    assert company in SMALL
    assert state_of(game).certificates[company] == ("Vaclav", "bank", "bank")
    assert percent_of(game, "Vaclav", company) == 50
    assert trains_of(game, company) == [("a1", "2")]
    assert state_of(game).cards_gone == 1, "four a-cards remain"
    assert price_of(game, company) == 50
    assert cash_of(game, company) == 0


@pytest.mark.rule("18CZ XI.1/6")
def test_it_takes_part_from_the_first_operating_round_on() -> None:
    game = fresh()
    (company,) = his(game)
    while isinstance(asked(game).task, PreStock | StockRound):
        before = isinstance(asked(game).task, PreStock)
        assert refused_by(game, StartCompany(company, 50)) == ("18CZ VI/2" if before else "18CZ VII.3/4")
        game.apply(Pass())
    assert state_of(game).round == "OR 1.1"
    assert asked(game).company == company


@pytest.mark.rule("18CZ XI.1/6")
def test_the_players_may_buy_its_shares_at_once() -> None:
    game = fresh()
    (company,) = his(game)
    game.apply(Pass())
    game.apply(Pass())
    assert [event.amount for event in events_of(Paid, game.apply(BuyShare(company)).events)] == [50]


@pytest.mark.rule("18CZ XI.1/6", "18CZ XI.1/7", "18CZ XI.1/8")
def test_every_candidate_is_drawn_sooner_or_later() -> None:
    assert set.union(*(his(fresh(seed)) for seed in range(40))) == SMALL
    one, two = {"EKJ": (50, "Vaclav")}, {"EKJ": (50, "Vaclav"), "BN": (60, "Vaclav")}
    drawn = [bohemia(chance=seed, started=one, agenda=[Timetable(HAND_OUT)], cards_gone=5) for seed in range(40)]
    assert set.union(*(his(game) - {"EKJ"} for game in drawn)) == MEDIUM
    late = {"started": two, "shares": {"BN": {"Vaclav": 1}}, "agenda": [Timetable(HAND_OUT)], **phase_before("d")}
    assert set.union(*(his(bohemia(chance=seed, **late)) - {"EKJ", "BN"} for seed in range(40))) == LARGE


@pytest.mark.rule("18CZ XI.1/6", "18CZ XI.1/7")
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_draws_depend_on_the_seed_only(seed: int) -> None:
    """Other names, and Local Railways bought beforehand."""
    other = new_game("18CZ", ["Xaver", "Yvonne"], variant="bohemia", seed=seed, draw_order=False)
    assert his(other) == his(fresh(seed))
    for local in ("S1", "M2", "L3"):
        other.apply(BuyLocal(local))
    for _ in walk(other):
        pass
    assert len(his(other)) == 2
    assert his(other) == his(idle_game(seed))


# The medium and the large company


def buying(letter: str, **fields: Any) -> Game:
    """VBW of p1 may buy the first card of a letter; EKJ acts after it, and then comes a second Operating Round."""
    owned = {"EKJ": (50, "Vaclav"), "VBW": (60, "p1"), **({"BN": (60, "Vaclav")} if letter == "d" else {})}
    return bohemia(
        **{
            "started": owned,
            "shares": {"BN": {"Vaclav": 1}},
            "trains": {"EKJ": [("a1", "2")], "VBW": [("a2", "2")], "BN": [("b2", "2+2")] if letter == "d" else []},
            "cash": {"VBW": 500},
            "stations": {"D4.0": ["EKJ"], "I9.0": ["VBW"]},
            "agenda": [Timetable(SECOND_OF_TWO), OperatingRound(("EKJ",)), EndTurn("VBW"), PurchaseTrains("VBW")],
            **phase_before(letter),
            **fields,
        }
    )


@pytest.mark.rule("18CZ XI.1/7", "18CZ XI.1/9")
def test_the_first_b_train_brings_him_a_medium_company() -> None:
    game = buying("b")
    assert his(game) == {"EKJ"}
    game.apply(BuyTrain("b1", "2"))
    (company,) = his(game) - {"EKJ"}
    assert company in MEDIUM
    assert state_of(game).certificates[company] == ("Vaclav", "Vaclav", "bank", "bank")
    assert percent_of(game, "Vaclav", company) == 60
    assert trains_of(game, company) == [("b2", "2+2")]
    assert (price_of(game, company), cash_of(game, company)) == (60, 0)
    assert state_of(game).cards_gone == first_of("b") + 2
    game.apply(BuyTrain("b3", "2"))
    assert his(game) == {"EKJ", company}, "only the first one does that"


@pytest.mark.rule("18CZ XI.1/8", "18CZ XI.1/9")
def test_the_first_d_train_brings_him_a_large_company() -> None:
    game = buying("d")
    game.apply(BuyTrain("d1", "3"))
    (company,) = his(game) - {"EKJ", "BN"}
    assert company in LARGE
    assert state_of(game).certificates[company][:5] == ("Vaclav",) * 4 + ("bank",)
    assert percent_of(game, "Vaclav", company) == 50
    assert trains_of(game, company) == [("d2", "3E")]
    assert (price_of(game, company), cash_of(game, company)) == (90, 0)
    assert state_of(game).cards_gone == first_of("d") + 2


@pytest.mark.rule("18CZ XI.1/7", "18CZ XI.1/8")
@pytest.mark.parametrize(("letter", "face"), [("b", "2"), ("d", "3")])
def test_a_new_company_waits_for_the_next_operating_round(letter: str, face: str) -> None:
    game = buying(letter)
    before = his(game)
    game.apply(BuyTrain(f"{letter}1", face))
    (new,) = his(game) - before
    while not isinstance(asked(game).task, StockRound):
        game.apply(idle(game))
    turns: dict[str, list[str]] = {"running": []}
    for event in all_events(game):
        if isinstance(event, RoundBegan):
            turns[event.round] = []
        if isinstance(event, TurnBegan):
            turns[list(turns)[-1]].append(event.company)
    assert turns["running"] == ["EKJ"]
    assert turns["OR 5.2"].count(new) == 1


@pytest.mark.rule("18CZ XI.1/8", "18CZ VIII.10/6")
def test_his_train_does_not_let_a_forced_buyer_return_its_own() -> None:
    """NWB has three trains and can run none; it buys the first d-train, and Vaclav's new company takes the next."""
    game = buying(
        "d",
        started={"EKJ": (50, "Vaclav"), "BN": (60, "Vaclav"), "NWB": (60, "p2")},
        shares={"BN": {"Vaclav": 1}, "NWB": {"p2": 1}},
        trains={"BN": [("b2", "2+2")], "NWB": [("a2", "2"), ("a3", "2"), ("a4", "2")]},
        cash={"NWB": 500},
        agenda=[PurchaseTrains("NWB")],
    )
    game.apply(BuyTrain("d1", "3+3"))
    assert (asked(game).kind, asked(game).decider) == ("return_trains", "p2")
    assert refused_by(game, ReturnTrain("a2")) == "allowed"
    assert refused_by(game, ReturnTrain("d1")) == "18CZ VIII.10/6"


@pytest.mark.rule("18CZ XI.1/15", "18CZ XI.1/16", "18CZ XI.1/7")
@pytest.mark.parametrize("seed", [1, 5])
def test_the_hand_outs_of_a_whole_game(seed: int) -> None:
    """Seven of them if nobody buys: four a-cards, the first b-card and with it the second, then two cards twice."""
    game = idle_game(seed)
    small, medium = (next(iter(his(game) & sized)) for sized in (SMALL, MEDIUM))
    moves = [event for event in all_events(game) if isinstance(event, TrainMoved)]
    taken = [(move.card, move.face, move.target) for move in moves if move.source == "stack"]
    assert taken == [
        *((f"a{number}", "2", small) for number in (1, 2, 3, 4, 5)),
        ("b1", "2", small),
        ("b2", "2+2", medium),
        ("b3", "2", small),
        ("b4", "2+2", medium),
        ("c1", "3", small),
        ("c2", "2+2", medium),
    ]
    assert [trains_of(game, company) for company in (small, medium)] == [[("c1", "3")], [("c2", "2+2")]]
    assert state_of(game).pool == ()


# Saves


@pytest.mark.rule("18CZ XI.1/6", "18CZ XI.1/7")
def test_a_save_restores_the_game_with_its_draws() -> None:
    game = idle_game(4)
    for number in (0, 20, len(game)):
        earlier = game.position(number)
        again = load(dump(earlier))
        assert again.setup == game.setup
        assert again.state.digest == earlier.state.digest
        assert his(again) == his(earlier)
    twin = load(dump(game.position(5)))
    for _ in walk(twin):
        pass
    assert state_of(twin) == state_of(game)
