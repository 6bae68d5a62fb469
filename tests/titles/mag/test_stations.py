"""Stations of minors (18Mag VI.3.4)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import StationPlaced
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.mag.actions import DraftMinor, PlaceStation
from ostbahn.titles.mag.state import EstablishStation, PlaceMarker, ScrapTrains
from tests.titles.mag.scenes import scene, state_of
from tests.titles.mag.track_scenes import (
    TITLE,
    Tiles,
    cash_of,
    cities,
    facing,
    minimal_action,
    payments,
    question_of,
    refusal_rule,
    station_step,
    stations_of,
)

ROW = {
    "E14": facing("57", "W", "E"),
    "E16": facing("9", "W", "E"),
    "E18": facing("57", "W", "E"),
    "E20": facing("8", "W", "SE"),
    "F21": facing("9", "NW", "SE"),
    "G22": facing("3", "NW", "NE"),
    "F23": facing("6", "SW", "E"),
}
"""Szolnok, Debrecen and, over the mountains and a town, Kolozsvár; nobody lives there."""


def in_szolnok(tiles: Tiles = ROW, stations: dict[str, list[str]] | None = None, **fields: Any) -> Game:
    """Minor 3 has a station in Szolnok; its home has no track."""
    return station_step("3", tiles, stations={"E14.0": ["3"], **(stations or {})}, **fields)


# What a station is


@pytest.mark.rule("18Mag VI.3.4/1")
def test_a_token_in_a_city_is_a_station() -> None:
    game = in_szolnok()
    record = game.apply(PlaceStation("E18.0"))
    assert stations_of(game, "E18") == {"E18.0": ("3",)}
    assert StationPlaced("E18.0", "3") in record.events


@pytest.mark.rule("18Mag VI.3.4/1")
def test_towns_red_hexes_mines_and_open_country_have_no_room_for_stations() -> None:
    game = in_szolnok()
    assert cities(game) == {"E18.0", "F23.0"}
    for place in ("G22.0", "C6.0", "A18.0", "E16.0", "E18.1", "E18", "Z9.0", "E18.x"):
        assert refusal_rule(game, PlaceStation(place)) == "18Mag VI.3.4/1"


# How many and for how much


@pytest.mark.rule("18Mag VI.3.4/2")
def test_one_station_in_a_round_is_the_most() -> None:
    tiles = {
        "H17": facing("57", "NW", "SE"),
        "G16": facing("57", "SE", "NW"),
        "F15": facing("8", "SE", "W"),
        "F13": facing("57", "E", "W"),
    }
    game = scene(cash={"10": 500}, tiles=tiles, agenda=[ScrapTrains("10"), EstablishStation("10")])
    assert cities(game) == {"G16.0", "F13.0"}
    game.apply(PlaceStation("G16.0"))
    assert cash_of(game, "10") == 460
    assert isinstance(question_of(game).task, ScrapTrains)
    assert refusal_rule(game, PlaceStation("F13.0")) == "18Mag VI.3.1/1"


@pytest.mark.rule("18Mag VI.3.4/3", "18Mag VI.3.4/6")
def test_stations_cost_40_and_80_and_szkev_gets_half() -> None:
    tiles = {
        "E10": facing("57", "W", "E"),
        "E8": facing("8", "E", "NW"),
        "D7": facing("5", "SE", "E"),
        "D9": facing("57", "W", "E"),
    }
    game = scene(cash={"3": 120}, owners={"3": "p1"}, tiles=tiles, agenda=[EstablishStation("3")] * 2)
    assert state_of(game).markers["3"] == 2, "two are left after the home station"
    assert payments(game.apply(PlaceStation("D7.0")).events) == [("3", "SzKÉV", 20), ("3", BANK, 20)]
    assert payments(game.apply(PlaceStation("D9.0")).events) == [("3", "SzKÉV", 40), ("3", BANK, 40)]
    assert (cash_of(game, "3"), cash_of(game, "SzKÉV")) == (0, 60)
    assert state_of(game).markers["3"] == 0


@pytest.mark.rule("18Mag VI.3.4/3")
def test_the_home_station_comes_with_the_minor_and_is_free() -> None:
    game = new_game("18Mag", ["A", "B", "C"], seed=2, draw_order=False)
    record = game.apply(DraftMinor("8"))
    assert stations_of(game, "H5") == {"H5.0": ("8",)}
    assert not [payment for payment in payments(record.events) if payment[0] == "8" or payment[1] == "SzKÉV"]
    assert cash_of(game, "8") == 50
    while state_of(game).round == "PRE":
        game.apply(minimal_action(game))
    stations = state_of(game).board.stations
    assert sorted(companies for companies in stations.values()) == sorted((minor,) for minor in state_of(game).owners)
    assert cash_of(game, "SzKÉV") == 0


@pytest.mark.rule("18Mag VI.3.4/3")
@pytest.mark.parametrize(("owned", "price"), [({}, 40), ({"E18.0": ["3"]}, 80)])
def test_the_treasury_must_hold_the_price(owned: dict[str, list[str]], price: int) -> None:
    tiles = {"E10": facing("57", "W", "E"), "E8": facing("8", "E", "NW"), "D7": facing("5", "SE", "E")}
    for money, rule in ((price - 1, "18Mag VI.3.4/3"), (price, "allowed")):
        game = station_step("3", tiles, owners={"3": "p1"}, stations=owned, cash={"3": money, "p1": 500})
        assert refusal_rule(game, PlaceStation("D7.0")) == rule


@pytest.mark.rule("18Mag VI.3.4/6")
def test_a_minor_has_three_stations_in_all() -> None:
    game = in_szolnok(stations={"E18.0": ["3"]})
    assert len(state_of(game).board.stations_of("3")) == TITLE.minor.stations == 3
    assert refusal_rule(game, PlaceStation("F23.0")) == "18Mag VI.3.4/6"
    assert not cities(game)


# Where


@pytest.mark.rule("18Mag VI.3.4/4")
def test_nobody_has_two_stations_in_a_hex() -> None:
    # Track leads from Pest over D13 and D11 to Székesfehérvár, and over F11 to Buda.
    tiles = {
        "D13": facing("3", "SW", "W"),
        "D11": facing("8", "E", "SW"),
        "E10": facing("6", "NE", "SE"),
        "F11": facing("7", "NW", "NE"),
    }
    game = station_step("1", tiles, owners={"1": "p1"})
    assert cities(game) == {"E10.0"}
    assert refusal_rule(game, PlaceStation("E12.0")) == "18Mag VI.3.4/4"


@pytest.mark.rule("18Mag VI.3.4/4")
def test_nobody_has_two_stations_on_an_oo_tile() -> None:
    # Green OO on G14: track from W to E in one city, from SW to NE in the other, where minor 4 is at home.
    game = station_step("4", {"G14": ("8859", 0)}, owners={"4": "p1"})
    assert refusal_rule(game, PlaceStation("G14.0")) == "18Mag VI.3.4/4"
    other = station_step("10", {"G14": ("8859", 0), "G16": facing("57", "W", "E")}, stations={"G16.0": ["10"]})
    assert cities(other) == {"G14.0"}, "that of west and east is free for somebody else"


@pytest.mark.rule("18Mag VI.3.4/4")
@pytest.mark.parametrize("place", ["G14.0", "E12.0"])
def test_majors_too_have_one_marker_in_a_hex(place: str) -> None:
    other = place.replace(".0", ".1")
    game = scene(
        owners={"3": "p1"},
        directors={"SNW": "p1"},
        cash={"SNW": 500},
        stations={place: ["SNW"]},
        agenda=[PlaceMarker("SNW")],
    )
    assert refusal_rule(game, PlaceStation(other)) == "18Mag VI.3.4/4"
    assert refusal_rule(game, PlaceStation("D19.1")) == "allowed"


# Connection


@pytest.mark.rule("18Mag VI.3.4/5")
def test_a_new_station_needs_a_connection_of_any_length() -> None:
    assert refusal_rule(in_szolnok(), PlaceStation("F23.0")) == "allowed"
    broken = {hex_id: tile for hex_id, tile in ROW.items() if hex_id != "F21"}
    assert refusal_rule(in_szolnok(broken), PlaceStation("F23.0")) == "18Mag VI.3.4/5"
    assert refusal_rule(in_szolnok(), PlaceStation("F19.0")) == "18Mag VI.3.4/5", "a city without track"


@pytest.mark.rule("18Mag VI.3.4/5")
@pytest.mark.parametrize(("there", "beyond"), [([], "allowed"), (["2"], "18Mag VI.3.4/5"), (["SIK"], "18Mag VI.3.4/5")])
def test_a_full_city_is_neither_entered_nor_passed(there: list[str], beyond: str) -> None:
    game = in_szolnok(stations={"E18.0": there})
    assert refusal_rule(game, PlaceStation("F23.0")) == beyond
    assert refusal_rule(game, PlaceStation("E18.0")) == beyond


@pytest.mark.rule("18Mag VI.3.4/5")
def test_an_own_station_opens_a_full_city() -> None:
    tiles = {**ROW, "E18": facing("14", "W", "NW", "E", "SE")}
    full = in_szolnok(tiles, {"E18.0": ["2", "4"]})
    assert refusal_rule(full, PlaceStation("F23.0")) == "18Mag VI.3.4/5"
    own = station_step("3", tiles, owners={"3": "p1"}, stations={"E18.0": ["3", "SIK"]})
    assert cities(own) == {"E14.0", "F23.0"}


FORK = {**ROW, "E16": ("23", 1), "F17": facing("58", "NW", "E"), "F19": facing("57", "W", "E")}
del FORK["E20"]
"""A fork on E16: from Szolnok to Debrecen and, over a town, to Nagyvárad; not from one of these to the other."""


@pytest.mark.rule("18Mag VI.3.4/5")
@pytest.mark.parametrize(
    ("home", "reached"), [("E14.0", {"E18.0", "F19.0"}), ("E18.0", {"E14.0"}), ("F19.0", {"E14.0"})]
)
def test_a_connection_does_not_turn_round_at_a_junction(home: str, reached: set[str]) -> None:
    game = station_step("3", FORK, stations={home: ["3"]})
    assert cities(game) == reached
    for city in {"E14.0", "E18.0", "F19.0"} - reached - {home}:
        assert refusal_rule(game, PlaceStation(city)) == "18Mag VI.3.4/5"
