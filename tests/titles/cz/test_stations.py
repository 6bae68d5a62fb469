"""Establishing stations (18CZ VIII.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import Paid, StationPlaced
from ostbahn.titles.cz.actions import ChooseCity, LayRedTile, LayTile, PlaceStation, RunTrains, TrainRun
from ostbahn.titles.cz.state import EstablishStation, HomeCity, LayTrack, Markers, OperateTrains
from ostbahn.titles.cz.title import cz_title
from tests.kernel.trails import Land, careless
from tests.titles.cz.building import Tiles, lay, on, turn
from tests.titles.cz.looking import asked, cash_of, events_of, refused_by
from tests.titles.cz.scenes import state_of

CROSS = ("SW", "W", "NE", "E")
IN_A_ROW = {"D2": on("57", "W", "E"), "D4": on("57", "W", "E"), "D6": on("57", "W", "E"), "D8": on("57", "W", "E")}
"""Four cities of one place each, from west to east; Cheb and Karlovy Vary are the homes of BTE and EKJ."""


def station_step(
    company: str, tiles: Tiles, stations: Mapping[str, Sequence[str]], others: Sequence[str] = (), **fields: Any
) -> Game:
    return turn(
        company,
        others=others,
        **{"phase": "j", "agenda": [EstablishStation(company)], **fields, "tiles": tiles, "stations": stations},
    )


def offered(game: Game) -> set[str]:
    return {option.action.city for option in asked(game) if isinstance(option.action, PlaceStation)}


def stations_of(game: Game) -> dict[str, tuple[str, ...]]:
    return dict(state_of(game).board.stations)


# What a station is


@pytest.mark.rule("18CZ VIII.6/1")
def test_a_marker_in_a_city_makes_a_station() -> None:
    game = station_step("EKJ", IN_A_ROW, {"D4.0": ["EKJ"]})
    record = game.apply(PlaceStation("D6.0"))
    assert stations_of(game) == {"D4.0": ("EKJ",), "D6.0": ("EKJ",)}
    assert events_of(StationPlaced, record.events) == [StationPlaced("D6.0", "EKJ")]
    assert state_of(game).markers["EKJ"].own == 1


@pytest.mark.rule("18CZ VIII.6/1")
def test_stations_stand_on_free_circles_of_cities() -> None:
    tiles = {**IN_A_ROW, "D4": on("14", *CROSS), "D6": on("4", "W", "E"), "C5": on("8896", "SW", "W")}
    game = station_step("EKJ", tiles, {"D4.0": ["EKJ"], "D2.0": ["BTE"]}, others=["BTE"])
    assert refused_by(game, PlaceStation("D6.0")) == "18CZ VIII.6/1", "a town"
    assert refused_by(game, PlaceStation("C5.0")) == "18CZ VIII.6/1", "a red tile"
    assert refused_by(game, PlaceStation("D2.0")) == "18CZ VIII.6/1", "no place is free"
    assert offered(game) == {"D8.0"}


@pytest.mark.rule("18CZ VIII.6/2")
def test_a_full_city_is_passed_only_by_those_in_it() -> None:
    run = RunTrains((TrainRun("e1", ("D4.0", "D6.0", "D8.0")),))
    ending = RunTrains((TrainRun("e1", ("D4.0", "D6.0")),))
    for there, through in (([], "allowed"), (["BTE"], "18CZ VIII.6/2"), (["EKJ"], "allowed")):
        game = station_step(
            "EKJ",
            {hex_id: tile for hex_id, tile in IN_A_ROW.items() if hex_id != "D2"},
            {"D4.0": ["EKJ"], **({"D6.0": there} if there else {})},
            others=["BTE"],
            trains={"EKJ": [("e1", "4")]},
            agenda=[OperateTrains("EKJ")],
            rulings={"highest_revenue": "not demanded"},
        )
        assert refused_by(game, run) == through
        assert refused_by(game, ending) == "allowed", "one may always end there"


@pytest.mark.rule("18CZ VIII.6/2")
def test_a_route_may_begin_and_end_in_full_cities_of_others() -> None:
    game = station_step(
        "EKJ",
        IN_A_ROW,
        {"D4.0": ["BTE"], "D6.0": ["EKJ"], "D8.0": ["BN"]},
        others=["BTE", "BN"],
        trains={"EKJ": [("e1", "4")]},
        agenda=[OperateTrains("EKJ")],
    )
    game.apply(RunTrains((TrainRun("e1", ("D4.0", "D6.0", "D8.0")),)))
    assert state_of(game).revenue["EKJ"] == 60


# The home station


@pytest.mark.rule("18CZ VIII.6/3")
@pytest.mark.parametrize(
    ("company", "home"),
    [
        ("EKJ", "D4.0"),
        ("OFE", "C25.0"),
        ("BCB", "E15.0"),
        ("MW", "F22.0"),
        ("VBW", "I9.0"),
        ("BN", "E11.1"),
        ("NWB", "E11.0"),
        ("BTE", "D2.0"),
        ("KFN", "G19.0"),
    ],
)
def test_the_home_station_comes_first_and_free(company: str, home: str) -> None:
    game = turn(company, phase="b")
    assert isinstance(asked(game).task, LayTrack), "it stands before any track is laid"
    assert stations_of(game) == {home: (company,)}
    assert cash_of(game, company) == 500
    assert not events_of(Paid, game.opening)
    assert state_of(game).markers[company] == Markers(own=2, taken=0)


@pytest.mark.rule("18CZ VIII.6/3")
def test_the_home_station_of_a_large_company_comes_with_its_red_tile() -> None:
    game = turn("kk")
    record = game.apply(LayRedTile("J14", 1))
    assert stations_of(game) == {"J14.0": ("kk",)}
    assert not events_of(Paid, record.events)
    assert state_of(game).markers["kk"] == Markers(own=1, taken=0)


@pytest.mark.rule("18CZ VIII.6/3")
@pytest.mark.parametrize(
    ("company", "exit_side", "tile"),
    [("BN", "NE", ("8889", 1)), ("NWB", "SE", ("8889", 1)), ("BN", "NE", ("8891", 1)), ("NWB", "SE", ("8891", 3))],
)
def test_the_cities_of_bn_and_nwb_stay_those_at_their_printed_track(
    company: str, exit_side: str, tile: tuple[str, int]
) -> None:
    game = turn(company, tiles={"E11": tile})
    (city,) = stations_of(game)
    hex_id, number = city.split(".")
    pieces = [piece for piece in cz_title().tiles[tile[0]].track if int(number) in piece]
    turned = {("SW", "W", "NW", "NE", "E", "SE")[(rank(str(side)) + tile[1]) % 6] for side, _ in pieces}
    assert (hex_id, turned) == ("E11", {exit_side})


def rank(side: str) -> int:
    return ("SW", "W", "NW", "NE", "E", "SE").index(side)


# How many and for how much


@pytest.mark.rule("18CZ VIII.6/4")
def test_one_further_station_in_a_turn() -> None:
    tiles = {hex_id: tile for hex_id, tile in IN_A_ROW.items() if hex_id != "D2"}
    game = turn("EKJ", tiles=tiles)
    assert stations_of(game) == {"D4.0": ("EKJ",)}
    game.apply(Pass())
    game.apply(PlaceStation("D6.0"))
    assert cash_of(game, "EKJ") == 460
    assert refused_by(game, PlaceStation("D8.0")) == "18CZ VIII.3/1"
    assert not offered(game)
    assert isinstance(asked(game).task, OperateTrains)


@pytest.mark.rule("18CZ VIII.6/4")
def test_a_company_without_markers_places_none() -> None:
    game = station_step("EKJ", IN_A_ROW, {"D4.0": ["EKJ"]}, markers={"EKJ": Markers(0, 0)})
    assert refused_by(game, PlaceStation("D6.0")) == "18CZ VIII.6/4"
    assert not offered(game)


@pytest.mark.rule("18CZ VIII.6/5")
def test_the_second_station_costs_40_and_the_third_100() -> None:
    agenda = [EstablishStation("EKJ"), EstablishStation("EKJ")]
    game = station_step("EKJ", IN_A_ROW, {"D4.0": ["EKJ"]}, agenda=agenda)
    paid = events_of(Paid, game.apply(PlaceStation("D6.0")).events)
    assert [(payment.source, payment.target, payment.amount) for payment in paid] == [("EKJ", BANK, 40)]
    assert events_of(Paid, game.apply(PlaceStation("D8.0")).events)[0].amount == 100
    assert cash_of(game, "EKJ") == 360
    assert state_of(game).markers["EKJ"] == Markers(0, 0)


@pytest.mark.rule("18CZ VIII.6/5")
@pytest.mark.parametrize(
    ("own", "taken", "taken_over", "price"),
    [
        (2, 0, (), 40),
        (2, 2, (), 40),
        (0, 2, (), 100),
        (2, 0, ("D2.0",), 100),
        (1, 1, ("D2.0",), 100),
    ],
)
def test_stations_on_the_map_set_the_price(own: int, taken: int, taken_over: tuple[str, ...], price: int) -> None:
    stations = {city: ["KFN"] for city in ("D6.0", *taken_over)}
    tiles = {**IN_A_ROW, "G19": on("621", "W", "E")}
    game = station_step("KFN", tiles, stations, markers={"KFN": Markers(own, taken)}, closed=("EKJ", "BTE"))
    game.apply(PlaceStation("D8.0"))
    assert cash_of(game, "KFN") == 500 - price


@pytest.mark.rule("18CZ VIII.6/11")
@pytest.mark.parametrize(("own", "price"), [(2, 40), (1, 100)])
def test_the_treasury_must_hold_the_price(own: int, price: int) -> None:
    stations = {"D4.0": ["EKJ"]} if own == 2 else {"D4.0": ["EKJ"], "D2.0": ["EKJ"]}
    short = station_step("EKJ", IN_A_ROW, stations, cash={"EKJ": price - 1})
    assert refused_by(short, PlaceStation("D6.0")) == "18CZ VIII.6/11"
    assert not offered(short)
    enough = station_step("EKJ", IN_A_ROW, stations, cash={"EKJ": price})
    enough.apply(PlaceStation("D6.0"))
    assert cash_of(enough, "EKJ") == 0


# Where


PRAHA = {"E11": ("8889", 1), "D12": on("7", "SW", "SE"), "E13": on("3", "NW", "W")}
"""Yellow Praha with exits NE (BN), E and SE (NWB), and track round from NE to E."""


@pytest.mark.rule("18CZ VIII.6/6")
def test_one_station_of_a_company_in_a_hex() -> None:
    game = station_step("BN", PRAHA, {"E11.0": ["BN"]})
    assert refused_by(game, PlaceStation("E11.1")) == "18CZ VIII.6/6"
    other = station_step("BCB", {**PRAHA, "E13": on("8866p", "NW", "W", "E", "SW")}, {"E13.0": ["BCB"]})
    assert offered(other) == {"E11.1"}, "somebody else may have the third city"


@pytest.mark.rule("18CZ VIII.6/6")
def test_one_station_in_the_two_cities_of_an_oo_tile() -> None:
    # Tile 8885 has tracks SW-NW and W-NE; cities on B6 and C7 join its south-west with its west.
    tiles = {"B8": ("8885", 0), "B6": on("5", "E", "SE"), "C7": on("5", "NW", "NE")}
    ate = station_step("ATE", tiles, {"B8.0": ["ATE"]})
    assert refused_by(ate, PlaceStation("B8.1")) == "18CZ VIII.6/6"
    assert offered(ate) == {"B6.0", "C7.0"}


FORK = {"D4": on("57", "W", "E"), "D6": ("23", 1), "D8": on("57", "W", "E"), "E7": on("57", "NW", "SE")}
"""A fork on D6: from D4 one comes to D8 and to E7, but not from one of these to the other."""


@pytest.mark.rule("18CZ VIII.6/7")
@pytest.mark.parametrize(("home", "cities"), [("D4.0", {"D8.0", "E7.0"}), ("D8.0", {"D4.0"}), ("E7.0", {"D4.0"})])
def test_a_connection_does_not_reverse_at_a_junction(home: str, cities: set[str]) -> None:
    game = station_step("MW", {**FORK, "F22": on("57", "W", "E")}, {home: ["MW"]}, closed=("EKJ",))
    assert offered(game) == cities
    for city in {"D4.0", "D8.0", "E7.0"} - cities - {home}:
        assert refused_by(game, PlaceStation(city)) == "18CZ VIII.6/7"


@pytest.mark.rule("18CZ VIII.6/7")
def test_a_loop_does_not_turn_a_connection_round() -> None:
    # The stem of the fork leads to D4, a fork as well, whose branches meet each other over C3, D2 and E3:
    # whoever went round would come to D6 by its stem and could go on to D8.
    loop = {"D4": ("25", 4), "C3": on("7", "SE", "SW"), "D2": on("8", "NE", "SE"), "E3": on("7", "NW", "NE")}
    tiles = {**FORK, **loop}
    game = station_step("MW", {**tiles, "F22": on("57", "W", "E")}, {"E7.0": ["MW"]})
    assert refused_by(game, PlaceStation("D8.0")) == "18CZ VIII.6/7"
    assert not offered(game)
    printed = {hex_.id: hex_.printed for hex_ in cz_title().map}
    land = Land(printed, cz_title().tiles, state_of(game).board)
    assert "D8.0" in careless(land, "MW"), "the loop is there"


@pytest.mark.rule("18CZ VIII.6/7")
def test_a_connection_may_be_of_any_length() -> None:
    plain = {f"F{column}": on("9", "W", "E") for column in range(8, 26, 2)}
    tiles = {**plain, "F6": on("621", "W", "E"), "F26": on("57", "W", "E"), "G19": on("621", "W", "E")}
    game = station_step("KFN", tiles, {"F6.0": ["KFN"]})
    assert offered(game) == {"F26.0"}
    del tiles["F16"]
    assert refused_by(station_step("KFN", tiles, {"F6.0": ["KFN"]}), PlaceStation("F26.0")) == "18CZ VIII.6/7"


@pytest.mark.rule("18CZ VIII.6/7")
@pytest.mark.parametrize(("there", "rule"), [([], "allowed"), (["BN"], "18CZ VIII.6/7"), (["EKJ"], "allowed")])
def test_a_connection_does_not_pass_a_full_city(there: list[str], rule: str) -> None:
    stations = {"D4.0": ["EKJ"], **({"D6.0": there} if there else {})}
    game = station_step("EKJ", IN_A_ROW, stations, others=["BN"])
    assert refused_by(game, PlaceStation("D8.0")) == rule


# Homes of others


def beside_karlovy_vary(tile: str, there: Sequence[str], **fields: Any) -> Game:
    """BTE in Cheb wants a station in D4, the home of EKJ."""
    sides = ("W", "E") if tile == "57" else CROSS
    tiles = {"D2": on("57", "W", "E"), "D4": on(tile, *sides)}
    stations = {"D2.0": ["BTE"], **({"D4.0": there} if there else {})}
    return station_step("BTE", tiles, stations, others=["BN", "EKJ"], **fields)


@pytest.mark.rule("18CZ VIII.6/8")
@pytest.mark.parametrize(
    ("tile", "there", "rule"),
    [
        ("57", (), "18CZ VIII.6/8"),
        ("14", (), "allowed"),
        ("14", ("BN",), "18CZ VIII.6/8"),
        ("14", ("EKJ",), "allowed"),
        ("14", ("EKJ", "BN"), "18CZ VIII.6/1"),
    ],
)
def test_a_home_keeps_a_place_for_its_company(tile: str, there: tuple[str, ...], rule: str) -> None:
    assert refused_by(beside_karlovy_vary(tile, there), PlaceStation("D4.0")) == rule


@pytest.mark.rule("18CZ VIII.6/8")
def test_a_company_that_left_the_game_keeps_no_place() -> None:
    game = beside_karlovy_vary("57", (), closed=("EKJ",))
    assert refused_by(game, PlaceStation("D4.0")) == "allowed"


@pytest.mark.rule("18CZ VIII.6/8")
def test_nothing_is_kept_in_a_city_that_is_nobodys_home() -> None:
    game = station_step(
        "BTE", {"D2": on("57", "W", "E"), "D4": IN_A_ROW["D4"], "D6": IN_A_ROW["D6"]}, {"D2.0": ["BTE"]}
    )
    assert offered(game) == {"D6.0"}, "through Karlovy Vary, where the only place is kept"


@pytest.mark.rule("18CZ VIII.6/8")
@pytest.mark.parametrize(
    ("there", "rule"),
    [
        ((), "allowed"),
        (("EKJ",), "allowed"),
        (("EKJ", "MW"), "18CZ VIII.6/8"),
        (("EKJ", "BN"), "allowed"),
        (("EKJ", "MW", "BN"), "18CZ VIII.6/8"),
        (("EKJ", "NWB", "BN"), "allowed"),
    ],
)
def test_brown_praha_keeps_a_place_for_bn_and_one_for_nwb(there: tuple[str, ...], rule: str) -> None:
    tiles = {"E11": ("8892", 0), "E9": on("57", "W", "E")}
    stations = {"E9.0": ["BTE"], **({"E11.0": there} if there else {})}
    game = station_step("BTE", {**tiles, "D2": IN_A_ROW["D2"]}, stations, others=["EKJ", "MW", "BN", "NWB"])
    assert refused_by(game, PlaceStation("E11.0")) == rule


@pytest.mark.rule("18CZ VIII.6/8")
@pytest.mark.parametrize(
    ("side", "started", "rule"),
    [("NE", (), "18CZ VIII.6/8"), ("SE", (), "18CZ VIII.6/8"), ("E", (), "allowed"), ("SE", ("NWB",), "18CZ VIII.6/1")],
)
def test_yellow_praha_keeps_the_cities_of_its_companies(side: str, started: tuple[str, ...], rule: str) -> None:
    beyond = {"NE": "D12", "E": "E13", "SE": "F12"}[side]
    node = {"NE": 0, "E": 1, "SE": 2}[side]
    back = {"NE": ("SW", "NE"), "E": ("W", "E"), "SE": ("NW", "SE")}[side]
    tiles = {"E11": ("8889", 1), beyond: on("57", *back), "D2": IN_A_ROW["D2"]}
    stations = {f"{beyond}.0": ["BTE"], **({"E11.2": ["NWB"]} if started else {})}
    game = station_step("BTE", tiles, stations, others=started)
    assert refused_by(game, PlaceStation(f"E11.{node}")) == rule


ANYWHERE = {"praha_places": "one each on the tile"}


@pytest.mark.rule("18CZ VIII.6/8")
@pytest.mark.parametrize(
    ("there", "rule"),
    [
        ({}, "allowed"),
        ({"E11.1": ["EKJ"]}, "18CZ VIII.6/8"),
        ({"E11.2": ["NWB"]}, "allowed"),
        ({"E11.2": ["NWB"], "E11.1": ["EKJ"]}, "18CZ VIII.6/8"),
    ],
    ids=["three places, two wait", "two places, two wait", "two places, one waits", "one place, one waits"],
)
def test_by_ruling_a_free_place_for_each_anywhere_in_praha_is_enough(
    there: Mapping[str, Sequence[str]], rule: str
) -> None:
    """BTE comes from the north-east to the city of BN, which by default is kept for it in any case."""
    tiles = {"E11": ("8889", 1), "D12": on("57", "SW", "NE"), "D2": IN_A_ROW["D2"], "D4": IN_A_ROW["D4"]}
    others = ["EKJ", *(company for companies in there.values() for company in companies if company != "EKJ")]
    game = station_step("BTE", tiles, {"D12.0": ["BTE"], **there}, others=others, rulings=ANYWHERE)
    assert refused_by(game, PlaceStation("E11.0")) == rule
    usual = station_step("BTE", tiles, {"D12.0": ["BTE"], **there}, others=others)
    assert refused_by(usual, PlaceStation("E11.0")) == "18CZ VIII.6/8"


@pytest.mark.rule("18CZ VIII.6/8")
@pytest.mark.parametrize("ruling", ["their own cities", "one each on the tile"])
def test_bare_praha_and_other_homes_are_kept_by_either_ruling(ruling: str) -> None:
    rulings = {"praha_places": ruling}
    tiles = {"D12": on("57", "SW", "NE"), "D2": IN_A_ROW["D2"]}
    praha = station_step("BTE", tiles, {"D12.0": ["BTE"]}, rulings=rulings)
    assert refused_by(praha, PlaceStation("E11.1")) == "18CZ VIII.6/8"
    assert refused_by(beside_karlovy_vary("57", (), rulings=rulings), PlaceStation("D4.0")) == "18CZ VIII.6/8"
    assert refused_by(beside_karlovy_vary("14", (), rulings=rulings), PlaceStation("D4.0")) == "allowed"


@pytest.mark.rule("18CZ VIII.6/8", "18CZ VIII.6/3")
def test_by_ruling_a_company_whose_city_of_praha_is_taken_chooses_another() -> None:
    game = turn("BN", others=["BTE"], tiles={"E11": ("8889", 1)}, stations={"E11.0": ["BTE"]}, rulings=ANYWHERE)
    assert isinstance(asked(game).task, HomeCity)
    assert {option.action for option in asked(game)} == {ChooseCity("E11.1"), ChooseCity("E11.2")}
    game.apply(ChooseCity("E11.1"))
    assert stations_of(game) == {"E11.0": ("BTE",), "E11.1": ("BN",)}
    assert cash_of(game, "BN") == 500
    undisturbed = turn("BN", tiles={"E11": ("8889", 1)}, rulings=ANYWHERE)
    assert stations_of(undisturbed) == {"E11.0": ("BN",)}, "its own city, if it is free"


# ATE


GREEN_B8 = {"B8": ("8859", 1), "B10": on("57", "W", "E"), "C7": on("57", "NE", "SW")}
"""Tile 8859 turned once: city 0 on a track from W to E, towards Děčín, and city 1 on one from NE to SW, towards C7."""
BROWN_B8 = {"B8": on("8896p", "W", "NE", "E", "SW"), "B10": on("57", "W", "E"), "C7": on("57", "NE", "SW")}


@pytest.mark.rule("18CZ VIII.6/9")
def test_ate_chooses_between_the_cities_of_a_green_tile() -> None:
    for city in ("B8.0", "B8.1"):
        game = turn("ATE", tiles=GREEN_B8)
        assert isinstance(asked(game).task, HomeCity)
        assert {option.action for option in asked(game)} == {ChooseCity("B8.0"), ChooseCity("B8.1")}
        assert refused_by(game, ChooseCity("B8")) == "18CZ VIII.6/9"
        assert refused_by(game, ChooseCity("B10.0")) == "18CZ VIII.6/9"
        game.apply(ChooseCity(city))
        assert stations_of(game) == {city: ("ATE",)}
        assert cash_of(game, "ATE") == 500


@pytest.mark.rule("18CZ VIII.6/9")
def test_there_is_nothing_to_choose_on_a_brown_tile() -> None:
    game = turn("ATE", phase="g", tiles=BROWN_B8)
    assert isinstance(asked(game).task, LayTrack)
    assert stations_of(game) == {"B8.0": ("ATE",)}


@pytest.mark.rule("18CZ VIII.6/10")
@pytest.mark.parametrize("from_city", ["B10.0", "C7.0"])
def test_nobody_has_a_station_in_b8_before_ate(from_city: str) -> None:
    tiles = {**GREEN_B8, "D4": IN_A_ROW["D4"]}
    cities = {"B8.0", "B8.1"}
    before = station_step("EKJ", tiles, {from_city: ["EKJ"]})
    rules = {refused_by(before, PlaceStation(city)) for city in cities}
    assert rules == {"18CZ VIII.6/10", "18CZ VIII.6/7"}, "one city is reached, the other is not"
    assert not offered(before) & cities
    for home in cities:
        after = station_step("EKJ", tiles, {from_city: ["EKJ"], home: ["ATE"]}, others=["ATE"])
        reached = next(city for city in cities if refused_by(before, PlaceStation(city)) == "18CZ VIII.6/10")
        assert refused_by(after, PlaceStation(reached)) == ("18CZ VIII.6/1" if reached == home else "allowed")
    gone = station_step("EKJ", tiles, {from_city: ["EKJ"]}, closed=("ATE",))
    assert offered(gone) & cities, "taken over before it ever acted"


@pytest.mark.rule("18CZ VIII.6/10")
@pytest.mark.parametrize(("site", "rule"), [(False, "18CZ VIII.6/10"), (True, "allowed")])
def test_b8_is_closed_in_brown_too(site: bool, rule: str) -> None:
    tiles = {**BROWN_B8, "D4": IN_A_ROW["D4"]}
    game = station_step("EKJ", tiles, {"B10.0": ["EKJ"]}, site=site)
    assert refused_by(game, PlaceStation("B8.0")) == rule
    started = station_step("EKJ", tiles, {"B10.0": ["EKJ"], "B8.0": ["ATE"]}, others=["ATE"])
    assert refused_by(started, PlaceStation("B8.0")) == "allowed"


@pytest.mark.rule("18CZ VIII.6/10", "18CZ VIII.6/3")
def test_ates_station_in_the_bare_hex_is_placed_in_a_city_for_nothing() -> None:
    # ATE took over EKJ meanwhile, so that a further marker would cost 100 K.
    stations = {"B8": ["ATE"], "D4.0": ["ATE"]}
    game = turn(
        "ATE", tiles={"D4": IN_A_ROW["D4"]}, stations=stations, markers={"ATE": Markers(0, 2)}, cash={"ATE": 10}
    )
    game.apply(LayTile("B8", "8859", 1))
    game.apply(ChooseCity("B8.1"))
    assert stations_of(game) == {"B8.1": ("ATE",), "D4.0": ("ATE",)}
    assert sum(state_of(game).markers["ATE"]) == 2
    assert cash_of(game, "ATE") == 0, "10 K for the river, nothing for the station"


@pytest.mark.rule("18CZ VIII.6/1")
def test_stations_stay_in_their_cities_when_tiles_are_promoted() -> None:
    stations = {"E11.0": ["BN"], "E11.1": ["EKJ"], "E11.2": ["NWB"]}
    others = ["EKJ", "NWB"]
    game = turn("BN", others=others, tiles={"E11": ("8889", 1), "D4": IN_A_ROW["D4"]}, stations=stations)
    game.apply(LayTile("E11", "8891", 1))
    # Turned once, 8891 has its cities at W, NE, E and SE.
    assert stations_of(game) == {"E11.1": ("BN",), "E11.2": ("EKJ",), "E11.3": ("NWB",)}
    brown = turn("BN", phase="g", others=others, tiles={"E11": ("8891", 1)}, stations=stations_of(game))
    brown.apply(lay("E11", "8892", "SW", "W", "NW", "NE", "E", "SE"))
    assert sorted(stations_of(brown)["E11.0"]) == ["BN", "EKJ", "NWB"]
