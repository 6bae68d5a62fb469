"""Vaclav's companies: the trains they are handed, their turns, and what nobody can do with them (18CZ XI.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Paid, PhaseBegan, TileLaid, TrainMoved
from ostbahn.titles.cz.actions import (
    BuyShare,
    BuyTrain,
    LayTile,
    OfferAcquisition,
    OfferForLocal,
    OfferForTrain,
    PlaceStation,
    RunTrains,
    TrainRun,
)
from ostbahn.titles.cz.state import Acquire, EndTurn, LayTrack, OperatingRound, PurchaseTrains, Timetable
from tests.titles.cz.asking import asked, idle
from tests.titles.cz.building import FURTHER, lay, lays, on, size_of, turn
from tests.titles.cz.lines import CITY_20, CITY_30, line
from tests.titles.cz.looking import all_pass, cash_of, director_of, events_of, percent_of, price_of, refused_by
from tests.titles.cz.scenes import state_of, stock_round, table_of
from tests.titles.cz.test_bohemia import HAND_OUT, LARGE, MEDIUM, SMALL, bohemia, fresh, his, trains_of
from tests.titles.cz.train_scenes import faces_left, first_of

BOTH_ORDERS = pytest.mark.parametrize("order", [("p1", "p2"), ("p2", "p1")], ids=["p1 first", "p2 first"])
CITIES = line("D2", CITY_20, CITY_20, CITY_30, CITY_20)
"""Four cities from west to east, worth 20, 20, 30 and 20; before the first there is a printed town worth 10."""
PLACES = {"EKJ": "D4.0", "BTE": "D2.0", "kk": "D6.0"}


# Hand-outs


def with_three(gone: int, trains: dict[str, list[tuple[str, str]]] | None = None, **fields: Any) -> Game:
    """Vaclav has EKJ, BN and kk, and VBW belongs to p1, after so many cards."""
    letter = table_of(fresh()).title.stack.card(gone - 1)[0]
    return bohemia(
        **{
            "phase": letter,
            "cards_gone": gone,
            "started": {"EKJ": (50, "Vaclav"), "BN": (60, "Vaclav"), "kk": (90, "Vaclav"), "VBW": (60, "p1")},
            "shares": {"BN": {"Vaclav": 1}, "kk": {"Vaclav": 3}},
            "trains": trains,
            "agenda": [Timetable(HAND_OUT)],
            **fields,
        }
    )


def handed_out(game: Game) -> list[tuple[str, str, str]]:
    """Cards that left the stack before the first answer, in this order: card, face, and to whom."""
    moves = events_of(TrainMoved, game.opening)
    return [(move.card, move.face, move.target) for move in moves if move.source == "stack"]


@pytest.mark.rule("18CZ XI.1/15", "18CZ XI.1/16")
def test_small_then_medium_then_large_take_a_train_each() -> None:
    old = {"EKJ": [("c1", "3")], "BN": [("c2", "2+2")], "kk": [("d2", "3E")]}
    game = with_three(first_of("d") + 2, old)
    assert handed_out(game) == [("d3", "3", "EKJ"), ("d4", "3+3", "BN"), ("e1", "3E", "kk")]
    assert state_of(game).cards_gone == first_of("d") + 5, "none is exported"
    assert [trains_of(game, company) for company in old] == [[("d3", "3")], [("d4", "3+3")], [("e1", "3E")]]
    assert state_of(game).pool == (), "the old trains are gone for good"
    assert not events_of(Paid, game.opening)
    assert asked(game).kind == "stock_round"


@pytest.mark.rule("18CZ XI.1/15", "18CZ XI.1/7", "18CZ XI.1/8")
@pytest.mark.parametrize(
    ("has", "phase", "expected"),
    [
        ("S", "a", "a3 S"),
        ("SM", "b", "b3 S, b4 M"),
        ("S", "a", "b1 S, b2 M"),
        ("SM", "c", "c4 S, d1 M, d2 L"),
        ("SM", "c", "d1 S, d2 L, d3 M"),
        pytest.param("S", "a", "c4 S, d1 M, d2 L", id="as if most cards were missing: one company brings the next"),
    ],
)
def test_every_company_takes_one_train_and_a_new_one_at_once(has: str, phase: str, expected: str) -> None:
    owned = {"S": ("EKJ", 50), "M": ("BN", 60)}
    game = bohemia(
        phase=phase,
        cards_gone=first_of(expected[0]) + int(expected[1]) - 1,
        started={company: (price, "Vaclav") for size, (company, price) in owned.items() if size in has},
        shares={"BN": {"Vaclav": 1}},
        agenda=[Timetable(HAND_OUT)],
    )
    sizes = {"S": SMALL, "M": MEDIUM, "L": LARGE}
    found = [f"{card} {size}" for card, _, company in handed_out(game) for size in sizes if company in sizes[size]]
    assert ", ".join(found) == expected
    assert sorted(company for _, _, company in handed_out(game)) == sorted(his(game)), "each of them once"


@pytest.mark.rule("18CZ XI.1/15")
@pytest.mark.parametrize(
    ("first", "phase", "gone"),
    [
        ("d4", "e", set()),  # as a 3, e1 as a 3+3, e2 as a 3E: an exported e-card would scrap the 2-trains
        ("f4", "g", {"2", "2+2"}),  # as a 4, g1 as a 4+4, g2 as a 4E: an exported g-card would scrap the 3-trains
        ("g3", "h", {"2", "3", "2+2"}),  # as a 5, g4 as a 4+4, h1 as a 5E: an exported h-card also the 3+3
        ("h1", "i", {"2", "3", "2+2", "3+3", "3E"}),  # as a 5, h2 as a 5+5, i1 as a 6E
    ],
)
def test_a_train_handed_out_scraps_like_one_bought_in_that_size(first: str, phase: str, gone: set[str]) -> None:
    old = {"2": "a2", "3": "c1", "2+2": "b1", "3+3": "d1", "3E": "d2", "4E": "f1"}
    pool = [(card, face) for face, card in old.items()]
    game = with_three(first_of(first[0]) + int(first[1]) - 1, pool=pool)
    assert PhaseBegan(phase) in game.opening
    assert state_of(game).phase == phase
    assert {train.face for train in state_of(game).pool} == set(old) - gone


@pytest.mark.rule("18CZ XI.1/15")
def test_surplus_trains_after_a_hand_out_are_returned_before_the_stock_round() -> None:
    game = with_three(first_of("e"), {"VBW": [("c1", "3"), ("c2", "3"), ("c3", "3")]})
    assert state_of(game).phase == "e"
    assert (asked(game).kind, asked(game).company, asked(game).decider) == ("return_trains", "VBW", "p1")
    game.apply(idle(game))
    assert asked(game).kind == "stock_round"
    assert faces_left(game) == {"3", "4", "3+3", "3E"}


@pytest.mark.rule("18CZ XI.1/16", "18CZ XI.1/13")
def test_a_scrapped_train_is_made_good_at_the_next_hand_out_only() -> None:
    """VBW buys a 4, which scraps the 2 of EKJ; EKJ has a line to run on, but nothing to run."""
    game = with_three(
        first_of("e"),
        {"EKJ": [("b1", "2")], "VBW": [("d1", "3")], "BN": [("d2", "3+3")], "kk": [("d3", "3E")]},
        cash={"VBW": 500},
        tiles=CITIES,
        stations={"D4.0": ["EKJ"]},
        agenda=[Timetable(HAND_OUT), OperatingRound(("EKJ",)), EndTurn("VBW"), PurchaseTrains("VBW")],
    )
    game.apply(BuyTrain("e1", "4"))
    assert (trains_of(game, "EKJ"), state_of(game).cards_gone) == ([], first_of("e") + 1)
    game.apply(Pass())
    while asked(game).kind != "stock_round":
        assert trains_of(game, "EKJ") == []
        assert price_of(game, "EKJ") == 50
        game.apply(idle(game))
    assert state_of(game).revenue["EKJ"] == 0
    assert price_of(game, "EKJ") == 40
    assert trains_of(game, "EKJ") == [("e2", "4")]


# Who decides


FREELY = {"vaclav_track": "optional"}
"""The builder may pass, so that tests of what comes after the track need not lay any."""


def his_turn(
    company: str, director: str = "Vaclav", *, rulings: Mapping[str, str] | None = None, **fields: Any
) -> Game:
    cash = {company: 0, **fields.pop("cash", {})}
    rulings = FREELY | dict(rulings or {})
    return turn(company, director=director, variant="bohemia", players=2, cash=cash, rulings=rulings, **fields)


@pytest.mark.rule("18CZ XI.1/10", "18CZ XI.1/12")
@BOTH_ORDERS
@pytest.mark.parametrize(("company", "builder"), [("EKJ", 0), ("BTE", 1), ("kk", 0)])
def test_one_builds_track_and_the_other_places_stations(company: str, builder: int, order: tuple[str, str]) -> None:
    game = his_turn(company, order=order, tiles=CITIES, stations={PLACES[company]: [company]})
    for kind, decider, other, rule in (
        ("lay_track", order[builder], order[1 - builder], "18CZ XI.1/10"),
        ("establish_station", order[1 - builder], order[builder], "18CZ XI.1/12"),
    ):
        assert (asked(game).kind, asked(game).decider) == (kind, decider)
        assert refused_by(game, Pass(), by=other) == rule
        with pytest.raises(Refused):
            game.apply(Pass(), other)
        game.apply(Pass() if kind == "lay_track" else PlaceStation("D8.0"), decider)
    assert state_of(game).board.stations["D8.0"] == (company,)
    own = his_turn(company, "p1", tiles=CITIES, stations={PLACES[company]: [company]})
    assert refused_by(own, Pass(), by="p2") == "18CZ V/6", "that of a player is built by its Director"


@pytest.mark.rule("18CZ XI.1/10")
@BOTH_ORDERS
@pytest.mark.parametrize(
    ("company", "kind", "builder"),
    [("Sx", "red_home", 0), ("By", "red_home", 0), ("kk", "red_home", 0), ("ATE", "home_city", 1)],
)
def test_the_builder_says_where_the_home_is(company: str, kind: str, builder: int, order: tuple[str, str]) -> None:
    """Either player could act there on 18xx.games: #11326."""
    game = his_turn(company, order=order, tiles={"B8": ("8885", 0)})
    assert asked(game).kind == kind
    assert len(asked(game).options) > 1
    choice = asked(game).options[-1].action
    assert refused_by(game, choice, by=order[1 - builder]) == "18CZ XI.1/10"
    game.apply(choice, order[builder])
    assert (asked(game).kind, asked(game).decider) == ("lay_track", order[builder])


@pytest.mark.rule("18CZ XI.1/10")
@BOTH_ORDERS
def test_he_is_not_asked_when_somebody_elses_tile_parts_the_cities_of_ate(order: tuple[str, str]) -> None:
    """ATE stands on the bare hex; Sx of p1 lays the tile, and the builder of ATE says which city is its own."""
    game = bohemia(
        phase="d",
        order=order,
        started={"ATE": (60, "Vaclav"), "Sx": (90, "p1")},
        shares={"ATE": {"Vaclav": 1}, "Sx": {"p1": 3}},
        cash={"Sx": 500},
        tiles={"B10": on("57", "W", "E")},
        stations={"B8": ["ATE"], "B10.0": ["Sx"]},
        agenda=[LayTrack("Sx", first=False)],
    )
    game.apply(LayTile(*sorted(lays(game, "B8"))[0]), "p1")
    assert (asked(game).kind, asked(game).company, asked(game).decider) == ("home_city", "ATE", order[1])


@pytest.mark.rule("18CZ XI.1/10", "18CZ XI.1/12", "18CZ XI.1/18")
def test_the_cards_of_the_latest_stock_round_count() -> None:
    """p2 has more money at the end of the round and so becomes the one with card 1."""
    game = bohemia(started={"EKJ": (50, "Vaclav")}, cash={"p1": 100, "p2": 300}, agenda=[Timetable(0)], rulings=FREELY)
    assert state_of(game).order == ("p1", "p2")
    all_pass(game)
    assert (asked(game).kind, asked(game).decider) == ("lay_track", "p2")
    game.apply(Pass())
    assert (asked(game).kind, asked(game).decider) == ("establish_station", "p1")


# Whether they build


def first_turn_of_vbw(track: str) -> Game:
    """VBW stands on its bare home hex and may lay two yellow tiles."""
    return his_turn("VBW", rulings={"vaclav_track": track}, phase="a", trains={"VBW": [("a1", "2")]})


@pytest.mark.rule("18CZ XI.1/10", "18CZ VIII.3/1")
def test_they_build_whenever_they_can() -> None:
    game = first_turn_of_vbw("compulsory")
    assert refused_by(game, Pass()) == "18CZ XI.1/10"
    assert Pass() not in asked(game)
    game.apply(LayTile(*sorted(lays(game, "I9"))[0]))
    assert (asked(game).kind, Pass() in asked(game)) == ("lay_track", True), "one tile is enough"
    game.apply(Pass())
    assert asked(game).kind == "establish_station"


@pytest.mark.rule("18CZ XI.1/10", "18CZ VIII.3/1")
def test_by_ruling_the_builder_may_leave_it() -> None:
    game = first_turn_of_vbw("optional")
    game.apply(Pass())
    assert asked(game).kind == "establish_station"


@pytest.mark.rule("18CZ XI.1/10")
def test_where_nothing_can_be_laid_nobody_is_held_up() -> None:
    """ATE begins in the yellow phase on its OO hex, which takes green tiles only."""
    game = his_turn("ATE", rulings={"vaclav_track": "compulsory"}, phase="b", trains={"ATE": [("b1", "2+2")]})
    while asked(game).kind != "lay_track":
        game.apply(idle(game))
    assert not lays(game)
    game.apply(Pass())
    assert asked(game).kind == "establish_station"


@pytest.mark.rule("18CZ XI.1/10", "18CZ VIII.3/1")
def test_companies_of_players_build_only_if_they_like() -> None:
    game = his_turn("VBW", "p1", rulings={"vaclav_track": "compulsory"})
    assert Pass() in asked(game)


# Building for nothing


@pytest.mark.rule("18CZ XI.1/11", "18CZ XI.1/9")
@pytest.mark.parametrize(
    ("company", "home", "tile"),
    [
        ("BCB", {}, lay("E15", "57", "W", "E")),
        ("EKJ", {"D4": on("57", "NW", "SE")}, lay("E5", "9", "NW", "SE")),
        ("EKJ", {"D4": on("57", "SW", "NE")}, lay("C5", "4", "SW", "NE")),
    ],
    ids=["river", "hill", "mountain"],
)
def test_terrain_costs_them_nothing(company: str, home: Mapping[str, tuple[str, int]], tile: LayTile) -> None:
    stations = {"D4.0": [company]} if home else {}
    assert refused_by(his_turn(company, "p1", tiles=home, stations=stations), tile) == "18CZ VIII.4/16", "others pay"
    game = his_turn(company, tiles=home, stations=stations)
    assert tile in asked(game)
    record = game.apply(tile)
    assert events_of(TileLaid, record.events)
    assert not events_of(Paid, record.events)
    assert cash_of(game, company) == 0


@pytest.mark.rule("18CZ XI.1/12", "18CZ XI.1/9")
@pytest.mark.parametrize("placed", [["D4.0"], ["D4.0", "D6.0"]], ids=["40 K", "100 K"])
def test_stations_cost_them_nothing(placed: list[str]) -> None:
    stations = {city: ["EKJ"] for city in placed}
    game, usual = (his_turn("EKJ", owner, tiles=CITIES, stations=stations) for owner in ("Vaclav", "p1"))
    game.apply(Pass())
    usual.apply(Pass())
    assert refused_by(usual, PlaceStation("D8.0")) == "18CZ VIII.6/11", "others pay"
    assert PlaceStation("D8.0") in asked(game)
    assert not events_of(Paid, game.apply(PlaceStation("D8.0")).events)
    assert cash_of(game, "EKJ") == 0
    assert len(state_of(game).board.stations_of("EKJ")) == len(placed) + 1


# Running


def about_to_run(company: str, face: str, shares: Mapping[str, int], **fields: Any) -> Game:
    """Vaclav's company on the line of four cities, everything done but its run."""
    held = {company: {"Vaclav": FURTHER[size_of(company)], **shares}}
    stations = {PLACES[company]: [company]}
    game = his_turn(company, shares=held, trains={company: [("d1", face)]}, tiles=CITIES, stations=stations, **fields)
    game.apply(Pass())
    game.apply(Pass())
    return game


@pytest.mark.rule("18CZ XI.1/13", "18CZ XI.1/9")
@pytest.mark.parametrize(
    ("company", "face", "shares", "revenue", "dividends", "price"),
    [
        ("EKJ", "2", {"p1": 1, "p2": 1}, 50, {"p1": 13, "p2": 13}, 65),
        ("EKJ", "3", {"p1": 2}, 70, {"p1": 35}, 65),
        ("EKJ", "4", {"p2": 1}, 90, {"p2": 23}, 65),
        ("BTE", "2+2", {"p1": 1, "p2": 1}, 50, {"p1": 10, "p2": 10}, 65),
        ("kk", "3E", {"p1": 1, "p2": 4}, 70, {"p1": 7, "p2": 28}, 110),
        ("kk", "3E", {}, 70, {}, 110),
    ],
)
def test_they_run_for_the_most_and_pay_it_to_the_players(
    company: str, face: str, shares: dict[str, int], revenue: int, dividends: dict[str, int], price: int
) -> None:
    """No player can let them run for less. Reported to 18xx.games: #7532."""
    game = about_to_run(company, face, shares)
    assert state_of(game).revenue == {company: revenue}
    paid = events_of(Paid, game.records[-1].events)
    assert {payment.target: payment.amount for payment in paid} == dividends
    assert {payment.source for payment in paid} <= {"bank"}
    assert price_of(game, company) == price
    assert cash_of(game, company) == 0


@pytest.mark.rule("18CZ XI.1/13")
def test_without_a_way_to_run_the_price_falls() -> None:
    game = his_turn("VBW")
    assert price_of(game, "VBW") == 60
    game.apply(Pass())
    game.apply(Pass())
    assert price_of(game, "VBW") == 55


@pytest.mark.rule("18CZ XI.1/13")
@pytest.mark.parametrize(("company", "face", "seat"), [("EKJ", "2", "p1"), ("BTE", "2+2", "p2"), ("kk", "3E", "p1")])
def test_by_ruling_a_player_runs_their_trains_but_cannot_retain(company: str, face: str, seat: str) -> None:
    """The player must run for the most, too. Reported to 18xx.games: #7532."""
    game = about_to_run(company, face, {"p1": 1}, rulings={"vaclav_runs": "by a player"})
    assert (asked(game).kind, asked(game).decider) == ("operate_trains", seat)
    if company != "BTE":
        poor = RunTrains((TrainRun("d1", ("D2.0", "D4.0") if company == "EKJ" else ("D6.0", "D8.0")),))
        assert refused_by(game, poor) == "18CZ VIII.8/6"
    (option,) = asked(game).only(RunTrains)
    before = cash_of(game, "p1")
    game.apply(option.action)
    assert cash_of(game, "p1") > before
    assert cash_of(game, company) == 0
    assert game.over, "nothing was asked about the income"


# No business


@pytest.mark.rule("18CZ XI.1/14")
@pytest.mark.parametrize("company", ["EKJ", "BTE", "kk"])
def test_their_turn_has_no_take_over_and_no_purchase(company: str) -> None:
    game = his_turn(company, others=["VBW"], trains={company: []}, stations={PLACES[company]: [company]})
    steps = []
    while not game.over:
        steps.append(asked(game).kind)
        game.apply(Pass())
    assert steps == ["lay_track", "establish_station"]


@pytest.mark.rule("18CZ XI.1/14")
@pytest.mark.parametrize("consent", ["asked", "taken for granted"])
def test_nobody_buys_their_trains_or_takes_them_over(consent: str) -> None:
    game = bohemia(
        phase="d",
        started={"EKJ": (50, "Vaclav"), "BN": (60, "Vaclav"), "VBW": (60, "p2"), "Sx": (90, "p1")},
        shares={"BN": {"Vaclav": 1, "p1": 2}, "EKJ": {"p1": 2}, "Sx": {"p1": 3}},
        trains={"EKJ": [("a1", "2")], "BN": [("b2", "2+2")], "VBW": [("a2", "2")], "Sx": [("d1", "3E")]},
        cash={"Sx": 2000},
        rulings={"consent": consent},
        agenda=[PurchaseTrains("Sx"), Acquire("Sx")],
    )
    for target in ("EKJ", "BN"):
        assert refused_by(game, OfferAcquisition(target, 50)) == "18CZ XI.1/14"
    assert [option.action for option in asked(game).only(OfferAcquisition)] == [OfferAcquisition("VBW", 30)]
    game.apply(Pass())
    for card in ("a1", "b2"):
        assert refused_by(game, OfferForTrain(card, 100)) == "18CZ XI.1/14"
    assert [option.action for option in asked(game).only(OfferForTrain)] == [OfferForTrain("a2", 1)]


@pytest.mark.rule("18CZ XI.1/14")
@pytest.mark.parametrize(
    ("company", "rules"),
    [
        ("EKJ", ["18CZ V/7", "18CZ IV.2.b/4", "18CZ IV.2.b/4"]),
        ("BTE", ["18CZ V/7", "18CZ V/7", "18CZ IV.2.c/4"]),
        ("kk", ["18CZ V/7"] * 3),
    ],
)
def test_they_deal_in_no_local_railways(company: str, rules: list[str]) -> None:
    owners = {"S1": "p1", "M1": "p2", "L1": "p1"}
    game = his_turn(company, locals_of=owners, stations={PLACES[company]: [company]}, tiles=CITIES)
    while not game.over:
        assert not asked(game).only(OfferForLocal)
        for price in (1, 40):
            assert [refused_by(game, OfferForLocal(local, price)) for local in owners] == rules
        game.apply(Pass())
    assert state_of(game).locals == owners


@pytest.mark.rule("18CZ XI.1/14", "18CZ XI.1/13")
@pytest.mark.parametrize(("company", "held", "risen"), [("EKJ", 50, 63), ("BTE", 40, 63), ("kk", 50, 95)])
def test_their_director_remains_vaclav(company: str, held: int, risen: int) -> None:
    """p1 buys all that the bank has, and at best draws level with him; sold out, the price rises as usual."""
    game = his_turn(company, agenda=[stock_round("p1")], cash={"p1": 2000})
    while game.refusal(BuyShare(company)) is None:
        game.apply(BuyShare(company), "p1")
        assert director_of(game, company) == "Vaclav"
        game.apply(Pass(), "p2")
    assert (percent_of(game, "p1", company), percent_of(game, "Vaclav", company)) == (held, 100 - held)
    all_pass(game)
    assert director_of(game, company) == "Vaclav"
    assert price_of(game, company) == risen
