"""Laying yellow track on ordinary hexes, and what it costs (18Mag VI.3.2)."""

from __future__ import annotations

from collections import Counter

import pytest

from ostbahn.kits.catalogue import new_game
from ostbahn.titles.mag.actions import LayTile, RunTrains, TrainRun
from ostbahn.titles.mag.state import LayTrack, OperateWithCars
from tests.titles.mag.scenes import scene, state_of
from tests.titles.mag.track_scenes import (
    PRINTED,
    cash_of,
    cities,
    facing,
    lay,
    lays,
    minimal_action,
    names,
    payments,
    question_of,
    refusal_rule,
    station_step,
    surrounded,
    track_step,
)

# The extra tile


@pytest.mark.rule("18Mag VI.3.2/1")
def test_the_extra_tile_is_paid_to_szkev() -> None:
    game = track_step("3", {"E10": facing("57", "W", "E")}, cash={"3": 50})
    assert not payments(game.apply(lay("E8", "8", "E", "SW")).events)
    assert payments(game.apply(lay("F7", "9", "NE", "SW")).events) == [("3", "SzKÉV", 10)]
    assert (cash_of(game, "3"), cash_of(game, "SzKÉV")) == (40, 10)


@pytest.mark.rule("18Mag VI.3.2/1")
def test_without_10_ft_there_is_no_extra_tile() -> None:
    game = track_step("3", {"E10": facing("57", "W", "E")}, cash={"3": 9})
    game.apply(lay("E8", "8", "E", "SW"))
    assert refusal_rule(game, lay("F7", "9", "NE", "SW")) == "18Mag VI.3.2/1"
    assert not lays(game)


@pytest.mark.rule("18Mag VI.3.2/2")
@pytest.mark.parametrize("yellow_first", [True, False])
def test_the_extra_tile_may_come_before_or_after_the_promotion(yellow_first: bool) -> None:
    game = track_step("3", {"E10": facing("57", "W", "E")}, phase="green", cash={"3": 10})
    pair = [lay("E8", "9", "W", "E"), lay("E10", "14", "W", "NW", "E", "SE")]
    for action in pair if yellow_first else reversed(pair):
        game.apply(action)
    assert (cash_of(game, "3"), cash_of(game, "SzKÉV")) == (0, 10)


@pytest.mark.rule("18Mag VI.3.2/1", "18Mag VI.3.2/11")
def test_an_extra_tile_on_terrain_costs_both() -> None:
    for money, rule in ((29, "18Mag VI.3.2/11"), (30, "allowed")):
        game = track_step("3", {"E10": facing("57", "SW", "NE")}, laid=1, cash={"3": money})
        assert refusal_rule(game, lay("D11", "9", "SW", "NE")) == rule
    assert sorted(payments(game.apply(lay("D11", "9", "SW", "NE")).events)) == [("3", "SIK", 20), ("3", "SzKÉV", 10)]


# Home first, then what is connected


@pytest.mark.rule("18Mag VI.3.2/3")
def test_the_first_tile_belongs_on_the_home_hex() -> None:
    game = track_step("3")
    assert {hex_id for hex_id, _, _ in lays(game)} == {"E10"}
    assert refusal_rule(game, lay("E8", "9", "W", "E")) == "18Mag VI.3.2/4"
    game.apply(lay("E10", "57", "W", "E"))
    assert refusal_rule(game, lay("E8", "9", "W", "E")) == "allowed"


@pytest.mark.rule("18Mag VI.3.2/3")
def test_the_opening_asks_every_minor_but_the_first_to_begin_at_home() -> None:
    game = new_game("18Mag", ["A", "B", "C"], seed=4, draw_order=False)
    seen = {}
    while state_of(game).round in ("PRE", "OR 1.1"):
        if isinstance(task := question_of(game).task, LayTrack):
            seen[task.company] = {hex_id for hex_id, _, _ in lays(game)}
        game.apply(minimal_action(game))
    homes = {"2": "D19", "3": "E10", "4": "G14", "5": "H27", "6": "B17", "7": "G10", "8": "H5", "9": "I14"}
    homes |= {"10": "H17", "11": "D7", "12": "H23", "13": "I2"}
    assert len(seen) == 12
    for minor, hexes in seen.items():
        assert hexes == ({"E12", "D13"} if minor == "1" else {homes[minor]})


@pytest.mark.rule("18Mag VI.3.2/3")
def test_budapest_has_track_to_begin_with() -> None:
    game = track_step("1")
    game.apply(lay("D13", "4", "SW", "NE"))
    assert refusal_rule(game, lay("C14", "9", "SW", "NE")) == "allowed"
    assert refusal_rule(game, lay("F11", "9", "SW", "NE")) == "18Mag VI.3.2/4", "that is beside Buda"


@pytest.mark.rule("18Mag VI.3.2/3")
def test_who_finds_a_tile_at_home_may_build_elsewhere_at_once() -> None:
    game = track_step("3", {"E10": facing("57", "W", "E")})
    assert {hex_id for hex_id, _, _ in lays(game)} == {"E8"}, "the tile of Budapest has no track to the west"


ROW = {"E14": facing("57", "W", "E"), "E16": facing("9", "W", "E"), "E18": facing("57", "W", "E")}
"""Szolnok, open country and Debrecen in a row; nobody lives there."""


@pytest.mark.rule("18Mag VI.3.2/4")
@pytest.mark.parametrize(
    ("there", "rule"),
    [([], "allowed"), (["2"], "18Mag VI.3.2/4"), (["SIK"], "18Mag VI.3.2/4"), (["3"], "allowed")],
)
def test_a_city_closed_by_others_ends_the_connection(there: list[str], rule: str) -> None:
    game = track_step("3", ROW, stations={"E14.0": ["3"], "E18.0": there})
    assert refusal_rule(game, lay("E20", "9", "W", "E")) == rule


@pytest.mark.rule("18Mag VI.3.2/4")
@pytest.mark.parametrize(
    ("there", "rule"), [(["2"], "allowed"), (["2", "4"], "18Mag VI.3.2/4"), (["2", "3"], "allowed")]
)
def test_a_large_city_is_closed_when_both_its_places_are_taken(there: list[str], rule: str) -> None:
    tiles = {**ROW, "E18": facing("14", "W", "NW", "E", "SE")}
    game = track_step("3", tiles, stations={"E14.0": ["3"], "E18.0": there})
    assert refusal_rule(game, lay("E20", "9", "W", "E")) == rule


@pytest.mark.rule("18Mag VI.3.2/4")
def test_a_connection_may_be_long() -> None:
    tiles = {**ROW, "E20": facing("9", "W", "E"), "E22": facing("4", "W", "E")}
    assert refusal_rule(track_step("3", tiles, stations={"E14.0": ["3"]}), lay("E24", "4", "W", "E")) == "allowed"


@pytest.mark.rule("18Mag VI.3.2/4")
def test_a_new_tile_must_have_track_towards_the_connection() -> None:
    game = track_step("3", ROW, stations={"E14.0": ["3"]})
    assert refusal_rule(game, lay("E20", "9", "SW", "NE")) == "18Mag VI.3.2/4"
    sides = {(tile, turn) for _, tile, turn in lays(game, "E20")}
    assert sides == {(tile, turn) for tile in ("7", "8", "9") for turn in range(6) if turn in joining_west(tile)}
    (straight,) = question_of(game).only(LayTile, hex="E20", tile="9")
    assert straight.action == LayTile("E20", "9", 1), "at 4 it looks the same"
    assert refusal_rule(game, LayTile("E20", "9", 4)) == "allowed"


def joining_west(tile: str) -> set[int]:
    """Tiles 7, 8 and 9 join a side with the next, the next but one and the opposite one; west is side 1."""
    apart = {"7": 1, "8": 2, "9": 3}[tile]
    return {turn for turn in range(6) if 1 in (turn, (turn + apart) % 6)}


@pytest.mark.rule("18Mag VI.3.2/4")
def test_a_connection_may_use_a_mine_but_passes_no_red_hex() -> None:
    # Kassa's track enters the mine A18 from SW; the mine has track to A16 (W) and B19 (SE) as well.
    mine = track_step("6", {"B17": facing("57", "NE", "SW")})
    assert refusal_rule(mine, lay("A16", "7", "E", "SE")) == "allowed"
    assert refusal_rule(mine, lay("B19", "8", "NW", "E")) == "allowed"
    # Fiume's track enters Trieszt (H1) from SE; Trieszt has an arrow to H3 (E).
    red = track_step("13", {"I2": facing("5", "NW", "NE")}, owners={"13": "p1"})
    assert refusal_rule(red, lay("H3", "9", "NE", "SW")) == "allowed", "that is joined to Fiume itself"
    assert refusal_rule(red, lay("H3", "8", "W", "SE")) == "18Mag VI.3.2/4"


@pytest.mark.rule("18Mag VI.3.2/4")
def test_a_connection_does_not_turn_round_at_a_junction() -> None:
    # A fork on E16: from the west to E18 and to F17, but not from one of these to the other.
    tiles = {"E16": ("23", 1), "E18": facing("57", "W", "E"), "F17": facing("4", "NW", "SE")}
    game = track_step("3", tiles, stations={"E18.0": ["3"]}, phase="yellow")
    assert refusal_rule(game, lay("E14", "57", "W", "E")) == "allowed"
    assert refusal_rule(game, lay("G18", "4", "NW", "SE")) == "18Mag VI.3.2/4"


# What goes where


@pytest.mark.rule("18Mag VI.3.2/5", "18Mag VI.3.2/6", "18Mag VI.3.2/10")
@pytest.mark.parametrize(
    ("hex_id", "tiles", "rule"),
    [("D13", {"3", "4", "58"}, "5"), ("C12", {"5", "6", "57"}, "6"), ("E16", {"7", "8", "9"}, "10")],
)
def test_towns_cities_and_open_country_take_their_own_kind_of_tile(hex_id: str, tiles: set[str], rule: str) -> None:
    game = surrounded(hex_id, phase="yellow")
    assert names(game, hex_id) == tiles
    for tile in {"3", "4", "58", "5", "6", "57", "7", "8", "9"} - tiles:
        for turn in range(6):
            assert refusal_rule(game, LayTile(hex_id, tile, turn)) == f"18Mag VI.3.2/{rule}"


@pytest.mark.rule("18Mag VI.3.2/15")
@pytest.mark.parametrize(
    ("minor", "good", "bad"),
    [
        ("11", lay("D7", "5", "SE", "E"), lay("D7", "5", "SW", "W")),
        ("5", lay("H27", "6", "NW", "SW"), lay("H27", "6", "NW", "E")),
    ],
)
def test_no_track_leads_off_the_map(minor: str, good: LayTile, bad: LayTile) -> None:
    game = track_step(minor)
    assert refusal_rule(game, good) == "allowed"
    assert refusal_rule(game, bad) == "18Mag VI.3.2/15"


@pytest.mark.rule("18Mag VI.3.2/15")
def test_there_is_nothing_outside_the_map() -> None:
    assert refusal_rule(track_step("3"), LayTile("K10", "9", 0)) == "18Mag VI.3.2/15"
    assert refusal_rule(track_step("3"), LayTile("E9", "9", 0)) == "18Mag VI.3.2/15"


@pytest.mark.rule("18Mag VI.3.2/15")
def test_no_track_leads_against_the_blank_side_of_a_grey_hex() -> None:
    """Only the map for two has such a side: the grey A4 has track to W and SE, and none towards Sopron (B3)."""
    game = scene(variant="two_player", players=2, owners={"11": "p1"}, agenda=[LayTrack("11")])
    assert refusal_rule(game, lay("B3", "57", "SE", "NW")) == "allowed", "Bécs has an arrow there"
    assert refusal_rule(game, lay("B3", "57", "NE", "SW")) == "18Mag VI.3.2/15"


@pytest.mark.rule("18Mag VI.3.2/16")
def test_track_may_run_against_the_blank_side_of_a_tile() -> None:
    tiles = {"E10": facing("57", "W", "E"), "D7": facing("57", "W", "E")}
    game = track_step("3", tiles)
    game.apply(lay("E8", "8", "E", "NW"))
    assert state_of(game).board.tiles["E8"] == facing("8", "E", "NW")


# Terrain


@pytest.mark.rule("18Mag VI.3.2/11")
@pytest.mark.parametrize(("money", "rule"), [(10, "18Mag VI.3.2/11"), (19, "18Mag VI.3.2/11"), (20, "allowed")])
def test_terrain_must_be_paid_from_the_treasury(money: int, rule: str) -> None:
    game = track_step("1", {"D13": facing("4", "SW", "NE")}, cash={"1": money, "p1": 500})
    assert refusal_rule(game, lay("C14", "9", "SW", "NE")) == rule


@pytest.mark.rule("18Mag VI.3.2/11", "18Mag VI.3.2/12")
@pytest.mark.parametrize(
    ("hex_id", "cost"), [("C14", 20), ("H11", 30), ("D23", 30), ("E16", 0), ("E14", 10), ("C20", 20)]
)
def test_the_first_tile_pays_10_for_every_symbol(hex_id: str, cost: int) -> None:
    """E14 has a river. Reported to 18xx.games: #7468."""
    game = surrounded(hex_id, phase="yellow")
    record = game.apply(LayTile(*next(iter(sorted(lays(game, hex_id))))))
    assert payments(record.events) == ([("3", "SIK", cost)] if cost else [])
    assert cash_of(game, "3") == 500 - cost


@pytest.mark.rule("18Mag VI.3.2/11")
def test_a_promotion_on_terrain_is_free() -> None:
    game = track_step("3", {"E10": facing("57", "SW", "NE"), "D11": facing("9", "SW", "NE")}, phase="green")
    assert not payments(game.apply(lay("D11", "27", "SW", "W", "NE")).events)


@pytest.mark.rule("18Mag VI.3.2/12")
def test_symbols_are_worth_10_each() -> None:
    for hex_ in PRINTED.values():
        if hex_.symbols:
            assert 10 * sum(hex_.symbols.values()) == hex_.cost
    assert dict(PRINTED["D23"].symbols) == {"river": 1, "mountain": 2}
    assert (PRINTED["C14"].terrain, PRINTED["H11"].terrain) == ("mountain", "river")
    assert Counter(hex_.cost for hex_ in PRINTED.values() if hex_.terrain)[0] == 0


# Red and grey hexes


@pytest.mark.rule("18Mag VI.3.2/22")
@pytest.mark.parametrize(
    ("hex_id", "rule"), [("C6", "III.1/3"), ("H1", "III.1/3"), ("A10", "III.1/4"), ("I20", "III.1/4")]
)
def test_nothing_is_laid_on_red_and_grey_hexes(hex_id: str, rule: str) -> None:
    game = surrounded(hex_id)
    assert not lays(game, hex_id)
    for tile in ("9", "57", "L37"):
        assert refusal_rule(game, LayTile(hex_id, tile, 0)) == f"18Mag {rule}"


@pytest.mark.rule("18Mag VI.3.2/22")
def test_one_connects_to_the_arrow_of_a_red_hex() -> None:
    game = scene(owners={"13": "p1"}, tiles={"I2": facing("5", "NW", "NE")}, agenda=[OperateWithCars("13")])
    game.apply(RunTrains((TrainRun("2-1", ("I2.0", "H1.0")),)))
    assert state_of(game).revenue["13"] == 20 + 20


@pytest.mark.rule("18Mag VI.3.2/22")
def test_one_connects_to_the_track_of_a_mine() -> None:
    """From Kassa through the mine A18 to a city on A16 (which no real game has)."""
    tiles = {"B17": facing("57", "NE", "SW"), "A16": facing("5", "E", "SE")}
    assert cities(station_step("6", tiles)) == {"A16.0"}
