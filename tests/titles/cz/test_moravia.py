"""Moravia-Silesia for two or three: money, companies, trains, phases, prices, process track (18CZ XI.2)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Accept, Pass
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import (
    BuyShare,
    BuyTrain,
    LayRedTile,
    OfferForLocal,
    OfferForTrain,
    PlaceStation,
    ReturnTrain,
    StartCompany,
)
from ostbahn.titles.cz.state import (
    EstablishStation,
    Markers,
    OperateTrains,
    OperatingRound,
    PurchaseTrains,
    ReturnTrains,
    Timetable,
)
from tests.titles.cz.asking import asked
from tests.titles.cz.building import on
from tests.titles.cz.lines import CITY_20, RED, STRAIGHT, turned
from tests.titles.cz.looking import cash_of, percent_of, refused_by
from tests.titles.cz.moravian import (
    AT_HOME,
    BOX,
    CARDS,
    COMPANIES,
    FACE,
    HOME_AND_CITIES,
    PRICE,
    answers,
    before,
    both,
    fresh,
    moravia,
    running,
    sold_one,
)
from tests.titles.cz.scenes import state_of, stock_round


def faces_of(game: Game, company: str) -> list[str]:
    return [train.face for train in state_of(game).trains.get(company, ())]


def buying(letter: str, **fields: Any) -> Game:
    """kk may buy the first train of a letter; both companies have a 4-train, which nothing scraps, unless told so."""
    trains = {"kk": [("e2", "4")], "Ug": [("e3", "4")]}
    return both(**{"agenda": [PurchaseTrains("kk")], "trains": trains, **before(letter), **fields})


def exporting(letter: str, **fields: Any) -> Game:
    """kk ends the last turn of a set with the next pass; then the first train of a letter is exported."""
    return buying(letter, agenda=[Timetable(BOX[65] + 1), PurchaseTrains("kk")], **fields)


# Players, money, companies


@pytest.mark.rule("18CZ XI.2/1")
def test_two_or_three_play() -> None:
    assert state_of(fresh(2)).players == ("p1", "p2")
    assert state_of(fresh(3)).players == ("p1", "p2", "p3")
    for names in (["Ada"], ["Ada", "Ben", "Cleo", "Dan"]):
        with pytest.raises(BadSetup, match=r"18CZ XI\.2/1"):
            new_game("18CZ", names, variant="moravia")


@pytest.mark.rule("18CZ XI.2/1")
def test_a_turn_is_that_of_the_base_game_without_companies_to_take_over() -> None:
    game = both(agenda=[OperatingRound(("kk",))], trains={"kk": [("a1", "2")]}, phase="a")
    kinds = []
    while not game.over:
        kinds.append(asked(game).kind)
        game.apply(Pass() if Pass() in asked(game) else asked(game).options[0].action)
    assert kinds == ["red_home", "lay_track", "establish_station", "operate_trains", "purchase_trains"]


@pytest.mark.rule("18CZ XI.2/2")
@pytest.mark.parametrize(("players", "money"), [(2, 500), (3, 450)])
def test_what_everybody_begins_with(players: int, money: int) -> None:
    state = state_of(fresh(players))
    assert [state.cash[player] for player in state.players] == [money] * players


@pytest.mark.rule("18CZ XI.2/2")
@pytest.mark.parametrize(("players", "limit"), [(2, 15), (3, 13)])
def test_how_many_certificates_a_player_may_hold(players: int, limit: int) -> None:
    """Six in each of two companies, with two players two more in a third; then two of another's company."""
    first, second, third, others = list(state_of(fresh(players)).certificates)[:4]
    game = moravia(
        players=players,
        started={**dict.fromkeys([first, second, third][: 5 - players], (60, "p1")), others: (60, "p2")},
        shares={first: {"p1": 5}, second: {"p1": 5}, third: {"p1": 1}},
        cash={"p1": 2000},
        agenda=[stock_round("p1")],
    )
    held = [owner for owners in state_of(game).certificates.values() for owner in owners].count("p1")
    assert held == limit - 1
    game.apply(BuyShare(others))
    for _ in range(players - 1):
        game.apply(Pass())
    assert refused_by(game, BuyShare(others)) == "18CZ VII.4/1"


@pytest.mark.rule("18CZ XI.2/3")
def test_three_play_with_all_large_companies() -> None:
    game = sold_one(fresh())
    assert set(state_of(game).certificates) == COMPANIES
    for small in ("EKJ", "MW", "KFN"):
        assert refused_by(game, StartCompany(small, 60)) == "18CZ XI.2/3"


@pytest.mark.rule("18CZ XI.2/3")
def test_with_two_a_lot_leaves_one_out() -> None:
    missing = []
    for seed in range(1, 41):
        (out,) = COMPANIES - set(state_of(fresh(2, seed)).certificates)
        missing.append(out)
    assert set(missing) == COMPANIES
    assert max(map(missing.count, COMPANIES)) < 20
    game = sold_one(fresh(2))
    (out,) = COMPANIES - set(state_of(game).certificates)
    assert refused_by(game, StartCompany(out, 60)) == "18CZ XI.2/3"
    other = new_game("18CZ", ["Xaver", "Yvonne"], variant="moravia", seed=7, draw_order=False)
    assert set(state_of(other).certificates) == set(state_of(fresh(2, 7)).certificates)


@pytest.mark.rule("18CZ XI.2/4", "18CZ XI.2/16")
def test_all_companies_open_in_the_first_stock_round_at_five_prices() -> None:
    game = sold_one(fresh())
    assert state_of(game).round == "SR 1"
    prices = (50, 55, 60, 65, 70)
    assert set(answers(game, StartCompany)) == {StartCompany(name, price) for name in COMPANIES for price in prices}
    for price in (45, 53, 75, 80, 90, 100):
        assert refused_by(game, StartCompany("kk", price)) == "18CZ XI.2/16"


@pytest.mark.rule("18CZ XI.2/16")
def test_half_of_it_brings_ten_times_the_starting_price() -> None:
    game = moravia(started={"kk": (65, "p1")}, shares={"kk": {"p2": 2}}, agenda=[stock_round("p1")])
    assert (state_of(game).floated, cash_of(game, "kk")) == ((), 0)
    game.apply(BuyShare("kk"))
    assert (state_of(game).floated, cash_of(game, "kk")) == (("kk",), 650)


@pytest.mark.rule("18CZ XI.2/6")
def test_seventy_percent_is_the_most_of_a_company() -> None:
    game = moravia(shares={"kk": {"p1": 4}}, started={"kk": (60, "p1")}, cash={"p1": 999}, agenda=[stock_round()])
    game.apply(BuyShare("kk"))
    assert percent_of(game, "p1", "kk") == 70
    game.apply(Pass())
    game.apply(Pass())
    assert refused_by(game, BuyShare("kk")) == "18CZ XI.2/6"


@pytest.mark.rule("18CZ XI.2/5")
def test_three_markers_for_nothing_for_40_and_for_100() -> None:
    game = both(agenda=[OperatingRound(("kk",))], trains={"kk": [("a1", "2")]})
    game.apply(answers(game, LayRedTile)[0])
    assert (cash_of(game, "kk"), state_of(game).markers["kk"]) == (1000, Markers(own=2, taken=0))
    game = both(tiles=HOME_AND_CITIES, stations=AT_HOME, agenda=[EstablishStation("kk")] * 3)
    game.apply(PlaceStation("E21.0"))
    assert cash_of(game, "kk") == 960
    game.apply(PlaceStation("E19.0"))
    assert cash_of(game, "kk") == 860
    assert refused_by(game, PlaceStation("E23.0")) == "18CZ VIII.6/4"
    assert not answers(game, PlaceStation)


# Trains


@pytest.mark.rule("18CZ XI.2/7", "18CZ XI.2/8", "18CZ XI.2/9", "18CZ XI.2/10", "18CZ XI.2/11", "18CZ XI.2/12")
@pytest.mark.parametrize("players", [2, 3])
def test_the_trains_for_sale_one_after_the_other(players: int) -> None:
    """Bought one by one, at every step the only train of the stack."""
    sold: list[tuple[str, int]] = []
    for gone in range(sum(CARDS[players].values()) + 8):
        (company, *_) = state_of(fresh(players)).certificates
        phase = next((letter for letter in FACE if gone < number_to(letter, players)), "j")
        game = moravia(
            players=players,
            started={company: (60, "p1")},
            shares={company: {"p1": 3}},
            cash={company: 1000},
            phase=phase,
            cards_gone=gone,
            agenda=[PurchaseTrains(company)],
        )
        (offered,) = answers(game, BuyTrain)
        game.apply(offered)
        assert isinstance(offered, BuyTrain)
        sold.append((offered.face, 1000 - cash_of(game, company)))
    kinds = [(face, PRICE[face]) for letter, face in FACE.items() for _ in range(CARDS[players].get(letter, 8))]
    assert sold == kinds


def number_to(letter: str, players: int) -> int:
    """How many cards there are up to the last of a letter."""
    letters = list(FACE)
    return sum(CARDS[players].get(other, 1000) for other in letters[: letters.index(letter) + 1])


@pytest.mark.rule("18CZ XI.2/7")
@pytest.mark.parametrize("face", FACE.values())
def test_any_train_is_enough_for_any_company(face: str) -> None:
    card = next(letter for letter, other in FACE.items() if other == face)
    game = buying("j", trains={"kk": [(f"{card}1", face)]})
    assert Pass() in asked(game)
    assert refused_by(buying("j", trains={}), Pass()) == "18CZ VIII.10/1"


@pytest.mark.rule("18CZ XI.2/7")
@pytest.mark.parametrize("company", sorted(COMPANIES))
def test_red_and_blue_trains_run_for_every_company(company: str) -> None:
    """A 3 towards the east and a 4+4 towards the south-east."""
    tiles = {"E17": turned(RED[company], "E", "SE"), **{f"E{n}": on("57", "W", "E") for n in (19, 21, 23)}}
    tiles |= {"F18": turned(STRAIGHT, "NW", "SE"), "G19": turned(CITY_20, "NW")}
    game = moravia(
        started={company: (60, "p1")},
        shares={company: {"p1": 3}},
        trains={company: [("d1", "3"), ("g1", "4+4")]},
        tiles=tiles,
        stations={"E17.0": [company]},
        phase="g",
        agenda=[OperateTrains(company)],
        rulings={"highest_revenue": "not demanded"},
    )
    game.apply(running(("d1", ("E17.0", "E19.0", "E21.0")), ("g1", ("E17.0", "F18", "G19.0"))))
    assert state_of(game).revenue[company] == (40 + 20 + 20) + (40 + 50 + 20)


@pytest.mark.rule("18CZ XI.2/8")
def test_four_trains_are_the_limit_to_begin_with() -> None:
    game = buying("d", trains={"kk": [("a1", "2"), ("a2", "2"), ("a3", "2")]})
    game.apply(BuyTrain("d1", "3"))
    assert faces_of(game, "kk") == ["2", "2", "2", "3"]
    assert refused_by(game, BuyTrain("d2", "3")) == "18CZ VIII.10/5"


@pytest.mark.rule("18CZ XI.2/9")
@pytest.mark.parametrize("how", ["bought", "exported"])
def test_trade_begins_with_the_first_3_train(how: str) -> None:
    """Trains between companies, and private papers from players."""
    cards: dict[str, Any] = {"trains": {"kk": [("a1", "2")], "Ug": [("a2", "2")]}, "locals_of": {"S1": "p2"}}
    game = buying("d", **cards)
    for offer in (OfferForTrain("a2", 10), OfferForLocal("S1", 10)):
        assert refused_by(game, offer) == "18CZ XI.2/9"
    if how == "bought":
        game.apply(BuyTrain("d1", "3"))
    else:
        game = exporting("d", **cards)
        game.apply(Pass())
        assert state_of(game).phase == "d"
        game = buying("d", **cards, phase=state_of(game).phase, cards_gone=7)
    for offer in (OfferForTrain("a2", 10), OfferForLocal("S1", 10)):
        game.apply(offer)
        assert asked(game).decider == "p2"
        game.apply(Accept())
    assert state_of(game).locals == {"S1": "kk"}
    assert faces_of(game, "Ug") == []


@pytest.mark.rule("18CZ XI.2/10", "18CZ XI.2/14")
@pytest.mark.parametrize("how", ["bought", "exported"])
def test_the_first_4_train_scraps_the_2_trains(how: str) -> None:
    trains = {"kk": [("a1", "2"), ("d1", "3")], "Ug": [("a2", "2"), ("d2", "3")]}
    make = buying if how == "bought" else exporting
    game = make("e", trains=trains, pool=[("a3", "2"), ("d3", "3")])
    game.apply(BuyTrain("e1", "4") if how == "bought" else Pass())
    assert faces_of(game, "kk") == (["3", "4"] if how == "bought" else ["3"])
    assert faces_of(game, "Ug") == ["3"]
    assert [train.face for train in state_of(game).pool] == ["3"]


@pytest.mark.rule("18CZ XI.2/11", "18CZ XI.2/12", "18CZ XI.2/14")
@pytest.mark.parametrize("how", ["bought", "exported"])
@pytest.mark.parametrize(("letter", "limit"), [("g", 3), ("j", 2)])
def test_the_train_limit_falls_with_the_blue_trains(letter: str, limit: int, how: str) -> None:
    trains = {"kk": [("e1", "4")], "Ug": [("e2", "4"), ("e3", "4"), ("g1", "4+4"), ("g2", "4+4")][: limit + 1]}
    make = buying if how == "bought" else exporting
    game = make(letter, trains=trains)
    game.apply(BuyTrain(f"{letter}1", FACE[letter]) if how == "bought" else Pass())
    assert (asked(game).task, asked(game).decider) == (ReturnTrains("Ug"), "p2")
    game.apply(ReturnTrain("e3"))
    assert len(faces_of(game, "Ug")) == limit
    assert not isinstance(asked(game).task, ReturnTrains)
    twin = buying(letter, phase=letter, cards_gone=20, trains={"kk": trains["Ug"][:limit]})
    assert refused_by(twin, BuyTrain("j4", "5+5")) == "18CZ VIII.10/5"


@pytest.mark.rule("18CZ XI.2/12", "18CZ XI.2/14")
@pytest.mark.parametrize("how", ["bought", "exported"])
def test_the_first_5_plus_5_scraps_the_3_trains(how: str) -> None:
    make = buying if how == "bought" else exporting
    game = make("j", trains={"kk": [("e1", "4")], "Ug": [("d1", "3"), ("e2", "4"), ("g1", "4+4")]})
    game.apply(BuyTrain("j1", "5+5") if how == "bought" else Pass())
    assert faces_of(game, "Ug") == ["4", "4+4"], "nothing is left to return"
    assert not isinstance(asked(game).task, ReturnTrains)
