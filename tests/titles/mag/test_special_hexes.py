"""OO, Budapest, K, Lake Balaton and the barriers (18Mag VI.3.2, VI.3.3)."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.titles.mag.actions import LayTile
from ostbahn.titles.mag.state import LayTrack
from tests.kernel.trails import exits, turned
from tests.titles.mag.scenes import scene, state_of
from tests.titles.mag.track_scenes import (
    TITLE,
    cash_of,
    facing,
    lay,
    lays,
    names,
    payments,
    question_of,
    refusal_rule,
    sides_of,
    stations_of,
    surrounded,
    track_step,
)

OO_HEXES = ("D19", "G10", "G14", "I14")
K_HEXES = ("I2", "H23", "H27")
GREEN_OO = {"8858", "8859", "8860", "8863", "8864", "8865"}
FIRST_CITY = {"yellow_oo_stations": "that in the first city"}


def refusals(game: Game, hex_id: str, tile: str) -> set[str]:
    """What is said of a tile on a hex, however it lies."""
    return {refusal_rule(game, LayTile(hex_id, tile, turn)) for turn in range(6)}


# OO


@pytest.mark.rule("18Mag VI.3.2/7")
@pytest.mark.parametrize("hex_id", OO_HEXES)
def test_oo_hexes_take_oo_tiles_only(hex_id: str) -> None:
    bare = surrounded(hex_id)
    assert names(bare, hex_id) == {"L32"}
    for tile in ("5", "6", "57"):
        assert refusals(bare, hex_id, tile) == {"18Mag VI.3.2/7"}
    yellow = surrounded(hex_id, next((tile, turn) for _, tile, turn in sorted(lays(bare, hex_id))))
    assert names(yellow, hex_id) <= GREEN_OO
    assert names(yellow, hex_id)
    for tile in ("14", "15", "619", "236"):
        assert refusals(yellow, hex_id, tile) <= {"18Mag VI.3.2/7", "18Mag VI.3.2/9"}


@pytest.mark.rule("18Mag VI.3.2/7")
@pytest.mark.parametrize("hex_id", ["E10", "E12", "D13", "E16", "H23"])
def test_oo_tiles_go_nowhere_else(hex_id: str) -> None:
    assert refusals(surrounded(hex_id), hex_id, "L32") == {"18Mag VI.3.2/7"}


@pytest.mark.rule("18Mag VI.3.2/18")
def test_the_home_station_gets_the_track_of_the_yellow_oo_tile() -> None:
    game = track_step("4")
    assert stations_of(game, "G14") == {"G14.1": ("4",)}
    game.apply(lay("G14", "L32", "E"))
    ((city, companies),) = stations_of(game, "G14").items()
    assert (sides_of(game, city), companies) == ({"E"}, ("4",))
    assert refusal_rule(game, lay("G16", "57", "W", "E")) == "allowed"


def from_arad(stations: dict[str, list[str]], owners: dict[str, str], **fields: Any) -> Game:
    """Minor 10 comes from Arad (G16) to the OO hex G14 in the west; minor 4, if it is in the game, lives there."""
    places = {"G16.0": ["10"], **stations}
    return track_step("10", {"G16": facing("57", "W", "E")}, owners={"10": "p2", **owners}, stations=places, **fields)


@pytest.mark.rule("18Mag VI.3.2/18")
@pytest.mark.parametrize("rulings", [{}, FIRST_CITY])
@pytest.mark.parametrize("place", ["G14.0", "G14.1"])
def test_the_only_station_on_an_oo_hex_gets_the_track_whoever_lays(place: str, rulings: dict[str, str]) -> None:
    game = from_arad({place: ["SIK"]}, {}, rulings=rulings)
    game.apply(lay("G14", "L32", "E"))
    ((city, companies),) = stations_of(game, "G14").items()
    assert (sides_of(game, city), companies) == ({"E"}, ("SIK",))


@pytest.mark.rule("18Mag VI.3.2/18")
@pytest.mark.parametrize(("rulings", "favoured"), [({}, "4"), (FIRST_CITY, "SIK")])
def test_of_two_stations_the_layers_own_gets_the_track(rulings: dict[str, str], favoured: str) -> None:
    game = track_step("4", stations={"G14.0": ["SIK"]}, rulings=rulings)
    assert refusal_rule(game, lay("G14", "L32", "E", track_for="SIK")) == "18Mag VI.3.2/18"
    game.apply(lay("G14", "L32", "E"))
    tracks = {companies: sides_of(game, city) for city, companies in stations_of(game, "G14").items()}
    assert tracks == {("4",): {"E"} if favoured == "4" else set(), ("SIK",): {"E"} if favoured == "SIK" else set()}


@pytest.mark.rule("18Mag VI.3.2/18")
@pytest.mark.parametrize(("own", "other"), [("G14.0", "G14.1"), ("G14.1", "G14.0")])
def test_the_layers_own_gets_the_track_in_whichever_city_it_stands(own: str, other: str) -> None:
    game = from_arad({own: ["10"], other: ["SIK"]}, {})
    game.apply(lay("G14", "L32", "E"))
    tracks = {companies[0]: sides_of(game, city) for city, companies in stations_of(game, "G14").items()}
    assert tracks == {"10": {"E"}, "SIK": set()}


@pytest.mark.rule("18Mag VI.3.2/18")
@pytest.mark.parametrize("favoured", ["4", "SIK"])
def test_without_a_station_there_the_layer_chooses_whose_city_gets_the_track(favoured: str) -> None:
    game = from_arad({"G14.0": ["SIK"]}, {"4": "p1"})
    assert refusal_rule(game, lay("G14", "L32", "E")) == "18Mag VI.3.2/18"
    assert refusal_rule(game, lay("G14", "L32", "E", track_for="10")) == "18Mag VI.3.2/18"
    game.apply(lay("G14", "L32", "E", track_for=favoured))
    tracks = {companies[0]: sides_of(game, city) for city, companies in stations_of(game, "G14").items()}
    other = {"4": "SIK", "SIK": "4"}[favoured]
    assert tracks == {favoured: {"E"}, other: set()}


@pytest.mark.rule("18Mag VI.3.2/18")
@pytest.mark.parametrize("fields", [{"rulings": FIRST_CITY}, {"site": True}])
def test_by_the_other_ruling_the_first_city_gets_the_track_and_nobody_chooses(fields: dict[str, Any]) -> None:
    game = from_arad({"G14.0": ["SIK"]}, {"4": "p1"}, **fields)
    assert refusal_rule(game, lay("G14", "L32", "E", track_for="4")) == "18Mag VI.3.2/18"
    game.apply(lay("G14", "L32", "E"))
    tracks = {companies[0]: sides_of(game, city) for city, companies in stations_of(game, "G14").items()}
    assert tracks == {"SIK": {"E"}, "4": set()}


@pytest.mark.rule("18Mag VI.3.2/18")
def test_nothing_is_to_choose_on_an_empty_oo_hex() -> None:
    game = from_arad({}, {})
    assert len([option for option in question_of(game).only(LayTile, hex="G14")]) == 1
    game.apply(lay("G14", "L32", "E"))
    assert not stations_of(game, "G14")


@pytest.mark.rule("18Mag VI.3.2/18", "18Mag XII/5")
def test_stations_stay_in_their_cities_when_oo_grows() -> None:
    game = from_arad({"G14.0": ["SIK"]}, {"4": "p1"}, phase="grey")
    game.apply(lay("G14", "L32", "E", track_for="4"))
    game.apply(lay("G14", "8859", "W", "E", "SW", "NE"))
    tracks = {companies[0]: sides_of(game, city) for city, companies in stations_of(game, "G14").items()}
    assert "E" in tracks["4"]
    assert tracks["4"].isdisjoint(tracks["SIK"])
    assert len(tracks["SIK"]) == 2
    later = track_step("4", dict(state_of(game).board.tiles), phase="grey", stations={"G14.0": ["SIK"]})
    later.apply(lay("G14", "L17", "SW", "W", "NE", "E", "SE"))
    ((city, together),) = stations_of(later, "G14").items()
    assert (city, set(together)) == ("G14.0", {"4", "SIK"})


@pytest.mark.rule("18Mag VI.3.3/3")
def test_a_station_in_the_city_without_track_can_promote_its_tile_but_lay_nothing_else() -> None:
    game = track_step("4", {"G14": facing("L32", "E")}, phase="green", stations={"G14.0": ["SIK"]})
    assert sides_of(game, "G14.1") == set()
    assert {hex_id for hex_id, _, _ in lays(game)} == {"G14"}
    assert names(game, "G14") == GREEN_OO


# Budapest


@pytest.mark.rule("18Mag VI.3.2/8")
@pytest.mark.parametrize(
    ("there", "tile"),
    [(None, "L33"), (("L33", 2), "209"), (("209", 0), "L35"), (("L35", 0), "L37"), (("L37", 0), None)],
)
def test_budapest_takes_b_tiles_only(there: tuple[str, int] | None, tile: str | None) -> None:
    game = surrounded("E12", there)
    assert names(game, "E12") == ({tile} if tile else set())
    if tile is not None:
        ordinary = {"yellow": "57", "green": "14", "brown": "611", "grey": "455"}[TITLE.tiles[tile].colour]
        assert refusals(game, "E12", ordinary) == {"18Mag VI.3.2/8"}


@pytest.mark.rule("18Mag VI.3.2/8")
def test_b_tiles_go_nowhere_else() -> None:
    for hex_id in ("C12", "G14", "D13", "E16", "H23"):
        assert refusals(surrounded(hex_id), hex_id, "L33") <= {"18Mag VI.3.2/8", "18Mag VI.3.2/7"}
    assert refusals(surrounded("C12"), "C12", "L33") == {"18Mag VI.3.2/8"}
    assert refusals(surrounded("C12", ("57", 0)), "C12", "209") == {"18Mag VI.3.2/8"}


@pytest.mark.rule("18Mag VI.3.2/17")
def test_the_river_leaves_one_way_to_lay_the_yellow_tile() -> None:
    game = surrounded("E12")
    ((_, _, turn),) = lays(game, "E12")
    assert exits(TITLE.tiles["L33"], turn) == {"SW", "NW", "NE", "SE"}
    for other in set(range(6)) - {turn}:
        assert refusal_rule(game, LayTile("E12", "L33", other)) == "18Mag VI.3.2/17"


@pytest.mark.rule("18Mag VI.3.2/18", "18Mag XII/5")
def test_the_stations_of_buda_and_pest_stay_and_come_together_in_green() -> None:
    game = track_step("1", phase="grey", stations={"E12.0": ["SIK"]})
    assert (sides_of(game, "E12.0"), sides_of(game, "E12.1")) == ({"SW"}, {"NE"})
    game.apply(lay("E12", "L33", "SW", "NW", "NE", "SE"))
    tracks = {companies: sides_of(game, city) for city, companies in stations_of(game, "E12").items()}
    assert tracks == {("1",): {"NE", "SE"}, ("SIK",): {"SW", "NW"}}, "west of the Danube Buda, east of it Pest"
    game.apply(lay("E12", "209", "SW", "NW", "NE", "E", "SE"))
    ((city, together),) = stations_of(game, "E12").items()
    assert (city, set(together)) == ("E12.0", {"1", "SIK"})


@pytest.mark.rule("18Mag VI.3.2/18")
@pytest.mark.parametrize(("company", "place", "track"), [("1", "E12.1", {"NE", "SE"}), ("SIK", "E12.0", {"SW", "NW"})])
def test_a_single_station_in_budapest_keeps_its_bank_of_the_river(company: str, place: str, track: set[str]) -> None:
    if company == "1":
        game = track_step("1", owners={"1": "p1"})
    else:
        tiles = {"F11": facing("9", "SW", "NE"), "G10": facing("L32", "NE")}
        game = track_step("3", tiles, owners={"3": "p1"}, stations={place: [company], "G10.0": ["3"]})
    assert stations_of(game, "E12") == {place: (company,)}
    game.apply(lay("E12", "L33", "SW", "NW", "NE", "SE"))
    ((city, companies),) = stations_of(game, "E12").items()
    assert (companies, sides_of(game, city)) == ((company,), track)


# What promoting OO and B costs


@pytest.mark.rule("18Mag VI.3.3/9", "18Mag VI.3.3/10")
@pytest.mark.parametrize(
    ("minor", "hex_id", "tiles"), [("4", "G14", "L32 8859 L17 X9"), ("1", "E12", "L33 209 L35 L37")]
)
def test_only_the_step_from_yellow_to_green_costs_20(minor: str, hex_id: str, tiles: str) -> None:
    game = scene(phase="grey", cash={minor: 100}, agenda=[LayTrack(minor)] * 4)
    costs = []
    for tile in tiles.split():
        before = cash_of(game, minor)
        turn = min(turn for _, name, turn in lays(game, hex_id) if name == tile)
        record = game.apply(LayTile(hex_id, tile, turn))
        costs.append(before - cash_of(game, minor))
        assert payments(record.events) == ([(minor, "SIK", costs[-1])] if costs[-1] else [])
        game.apply(Pass())
    assert costs == [0, 20, 0, 0]


@pytest.mark.rule("18Mag VI.3.3/10")
@pytest.mark.parametrize(("money", "rule"), [(19, "18Mag VI.3.3/10"), (20, "allowed")])
def test_the_20_ft_must_be_there(money: int, rule: str) -> None:
    game = track_step("1", {"E12": ("L33", 2)}, phase="green", cash={"1": money})
    assert refusal_rule(game, lay("E12", "209", "SW", "NW", "NE", "E", "SE")) == rule


@pytest.mark.rule("18Mag VI.3.3/10", "18Mag VI.3.2/13")
def test_a_terrain_token_covers_the_promotion() -> None:
    game = track_step("7", {"G10": facing("L32", "NE")}, phase="green", cash={"7": 0}, stations={"G10.0": ["SIK"]})
    record = game.apply(lay("G10", "8859", "W", "E", "SW", "NE", token=True))
    assert payments(record.events) == [(BANK, "SIK", 20)]
    assert (cash_of(game, "7"), cash_of(game, "SIK"), state_of(game).terrain_tokens["7"]) == (0, 20, 0)


# K


@pytest.mark.rule("18Mag VI.3.2/9")
@pytest.mark.parametrize("hex_id", K_HEXES)
def test_k_hexes_take_ordinary_yellow_tiles_and_k_tiles_later(hex_id: str) -> None:
    bare = surrounded(hex_id)
    assert names(bare, hex_id) == {"5", "6", "57"}
    seen: set[str] = set()
    waiting = {(tile, turn) for _, tile, turn in lays(bare, hex_id)}
    for colour in ("green", "brown", "grey"):
        following: set[tuple[str, int]] = set()
        for there in waiting:
            game = surrounded(hex_id, there)
            assert all(TITLE.tiles[tile].label == "K" for tile in names(game, hex_id))
            for tile in {"green": ("14", "15", "619"), "brown": ("611",), "grey": ("455",)}[colour]:
                assert refusals(game, hex_id, tile) == {"18Mag VI.3.2/9"}
            following |= {(tile, turn) for _, tile, turn in lays(game, hex_id)}
        waiting = following
        seen |= {tile for tile, _ in following}
    assert seen == {"236", "237", "238", "L34", "L36"}


@pytest.mark.rule("18Mag VI.3.2/9")
@pytest.mark.parametrize(("there", "tiles"), [("57", "236 237 238"), ("14", "L34"), ("611", "L36")])
def test_k_tiles_go_nowhere_else(there: str, tiles: str) -> None:
    game = surrounded("C12", (there, 0))
    for tile in tiles.split():
        assert refusals(game, "C12", tile) == {"18Mag VI.3.2/9"}


# Lake Balaton


NORTH, SOUTH = frozenset({"W", "NW", "NE"}), frozenset({"E", "SE", "SW"})


@pytest.mark.rule("18Mag VI.3.2/21", "18Mag VI.3.2/20")
def test_the_first_tile_at_the_lake_stays_on_one_shore() -> None:
    game = surrounded("F9", phase="yellow")
    found = {(tile, exits(TITLE.tiles[tile], turn)) for _, tile, turn in lays(game, "F9")}
    assert found == {
        ("7", frozenset({"W", "NW"})),
        ("7", frozenset({"NW", "NE"})),
        ("7", frozenset({"E", "SE"})),
        ("7", frozenset({"SE", "SW"})),
        ("8", NORTH - {"NW"}),
        ("8", SOUTH - {"SE"}),
    }
    assert refusals(game, "F9", "9") == {"18Mag VI.3.2/21"}
    assert refusal_rule(game, lay("F9", "7", "NE", "E")) == "18Mag VI.3.2/21"
    assert refusal_rule(game, lay("F9", "8", "SW", "NW")) == "18Mag VI.3.2/21"


def pieces(tile: str, turn: int) -> list[frozenset[str]]:
    return [frozenset(str(turned(end, turn)) for end in piece) for piece in TITLE.tiles[tile].track]


@pytest.mark.rule("18Mag VI.3.3/11")
@pytest.mark.parametrize(("there", "green"), [(facing("8", "W", "NE"), {"28", "29"}), (facing("7", "W", "NW"), {"29"})])
def test_track_keeps_to_its_shore_when_promoted(there: tuple[str, int], green: set[str]) -> None:
    game = surrounded("F9", there)
    offered = lays(game, "F9")
    assert {tile for _, tile, _ in offered} == green
    for _, tile, turn in offered:
        assert all(piece <= NORTH or piece <= SOUTH for piece in pieces(tile, turn))
        brown = surrounded("F9", (tile, turn))
        assert names(brown, "F9") == {"39"}
        assert all(piece <= NORTH for _, name, way in lays(brown, "F9") for piece in pieces(name, way))


@pytest.mark.rule("18Mag VI.3.3/11")
def test_no_promotion_joins_the_shores() -> None:
    # Tile 25 joins one side with two others: W with NE, as before, and W with SE on the other shore.
    game = surrounded("F9", facing("8", "W", "NE"))
    assert refusal_rule(game, lay("F9", "25", "W", "NE", "SE")) == "18Mag VI.3.3/11"
    assert refusal_rule(game, lay("F9", "28", "E", "SW", "SE")) == "18Mag VI.3.3/4", "that keeps to the other shore"


# Barriers


BARRIERS = [("C8", "SW", "D7"), ("F5", "SW", "G4"), ("I6", "SW", "J5")]


@pytest.mark.rule("18Mag VI.3.2/19", "18Mag VI.3.2/20")
@pytest.mark.parametrize(("hex_id", "side"), [(a, s) for a, s, _ in BARRIERS] + [(b, "NE") for _, _, b in BARRIERS])
def test_no_tile_has_track_towards_a_barrier(hex_id: str, side: str) -> None:
    game = surrounded(hex_id)
    offered = lays(game, hex_id)
    assert offered
    for _, tile, turn in offered:
        assert side not in exits(TITLE.tiles[tile], turn)
        for _, other, way in lays(surrounded(hex_id, (tile, turn)), hex_id):
            assert side not in exits(TITLE.tiles[other], way)
    barred = [
        (tile, turn)
        for tile in {tile for _, tile, _ in offered}
        for turn in range(6)
        if side in exits(TITLE.tiles[tile], turn)
    ]
    said = {refusal_rule(game, LayTile(hex_id, tile, turn)) for tile, turn in barred}
    assert "18Mag VI.3.2/19" in said
    assert said <= {"18Mag VI.3.2/19", "18Mag VI.3.2/15"}, "some of them lead off the map as well"


@pytest.mark.rule("18Mag VI.3.2/19")
@pytest.mark.parametrize(("here", "side", "there"), BARRIERS)
def test_the_barriers_lie_between_neighbours(here: str, side: str, there: str) -> None:
    assert TITLE.map[here].towards[there] == ("SW", "W", "NW", "NE", "E", "SE").index(side)
