"""The printed map with its rows, barriers and blank sides, and stations that move with their cities."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ostbahn.kernel.map.board import Board, Map, PrintedHex, city_id, hex_of, moved_stations
from ostbahn.kernel.map.hexes import DIRECTIONS, neighbour
from ostbahn.kernel.map.tiles import Node

OPEN = PrintedHex()
RED = Node("red")


def towards(land: Map, hex_id: str) -> set[str]:
    """The sides of a hex towards which track may run."""
    return {side for number, side in enumerate(DIRECTIONS) if land[hex_id].marked >> number & 1}


def open_land(*hexes: str) -> Map:
    return Map(dict.fromkeys(hexes, OPEN))


# Rows


def test_rows_follow_one_another_as_they_are_named() -> None:
    assert neighbour("A10", DIRECTIONS.index("NE"), "aAB") == "a11"
    assert neighbour("a11", DIRECTIONS.index("SW"), "aAB") == "A10"
    assert neighbour("A10", DIRECTIONS.index("SE"), "aAB") == "B11"
    assert neighbour("A10", DIRECTIONS.index("W"), "aAB") == "A8"


@pytest.mark.parametrize(("hex_id", "side"), [("a11", "NE"), ("a11", "NW"), ("B11", "SW"), ("B11", "SE")])
def test_beyond_the_first_and_the_last_row_there_is_nothing(hex_id: str, side: str) -> None:
    assert neighbour(hex_id, DIRECTIONS.index(side), "aAB") == ""


def test_a_map_joins_its_hexes_by_its_own_rows() -> None:
    hexes = {"a11": OPEN, "A10": OPEN, "A12": OPEN}
    joined = Map(hexes, "aA")
    assert joined["a11"].towards == {"A10": DIRECTIONS.index("SW"), "A12": DIRECTIONS.index("SE")}
    assert towards(joined, "a11") == {"SW", "SE"}
    assert towards(joined, "A10") == {"NE", "E"}
    apart = Map({"A10": OPEN, "C10": OPEN}, "AC")
    assert towards(apart, "A10") == set(), "C10 lies in the next row, but not beside it"
    assert towards(Map({"A10": OPEN, "C11": OPEN}, "AC"), "A10") == {"SE"}


# Sides


def test_a_side_belongs_to_two_hexes() -> None:
    land = open_land("D6", "D8", "C7")
    assert land["D6"].bits[DIRECTIONS.index("E")] == land["D8"].bits[DIRECTIONS.index("W")] != 0
    assert land["D6"].bits[DIRECTIONS.index("W")] == 0, "no side is counted where the map ends"
    bits = {bit for hex_ in land for bit in hex_.bits if bit}
    assert len(bits) == land.side_count == 3


def test_a_hex_knows_its_neighbours() -> None:
    land = open_land("D6", "D8", "E7")
    assert land["D6"].towards == {"D8": DIRECTIONS.index("E"), "E7": DIRECTIONS.index("SE")}
    assert [there.id if there else None for there in land["E7"].neighbours] == [None, None, "D6", "D8", None, None]
    assert ("D6" in land, "D10" in land) == (True, False)


@pytest.mark.parametrize("both", [True, False])
def test_a_barrier_stops_track_from_either_side(both: bool) -> None:
    there = PrintedHex(barriers=("W",)) if both else OPEN
    land = Map({"D6": PrintedHex(barriers=("E",)), "D8": there, "E7": OPEN})
    assert towards(land, "D6") == {"SE"}
    assert towards(land, "D8") == {"SW"}
    assert land["D6"].towards["D8"] == DIRECTIONS.index("E"), "they are neighbours all the same"


@pytest.mark.parametrize("ground", ["red", "grey"])
def test_no_track_runs_against_the_blank_side_of_a_hex_that_is_not_built_on(ground: str) -> None:
    fixed = PrintedHex(ground=ground, nodes=(RED,), track=(("W", 0), ("SE", 0)))
    land = Map({"D6": fixed, "D4": OPEN, "E7": OPEN, "E5": OPEN, "D8": OPEN})
    assert towards(land, "D6") == {"W", "SE"}
    assert towards(land, "D4") == {"E", "SE"}
    assert towards(land, "E7") == {"W", "NW", "NE"}
    assert towards(land, "E5") == {"NW", "E"}, "not to the north-east"
    assert towards(land, "D8") == {"SW"}, "not to the west"


@pytest.mark.parametrize(
    "printed", [PrintedHex(ground="red"), PrintedHex(ground="yellow", nodes=(RED,), track=(("W", 0),)), OPEN]
)
def test_sides_of_hexes_that_will_have_a_tile_are_open(printed: PrintedHex) -> None:
    """A red hex without track waits for its tile; what is printed in yellow can be built over."""
    land = Map({"D6": printed, "D4": OPEN, "D8": OPEN})
    assert towards(land, "D4") == {"E"}
    assert towards(land, "D8") == {"W"}


def test_shores_are_sets_of_sides() -> None:
    lake = Map({"D6": PrintedHex(shores=(("W", "NW"), ("E",)))})["D6"]
    assert lake.shores == (1 << DIRECTIONS.index("W") | 1 << DIRECTIONS.index("NW"), 1 << DIRECTIONS.index("E"))


# Stations


@pytest.mark.parametrize(
    ("heirs", "moved"),
    [
        ((0, 1), {"D6.0": ("A",), "D6.1": ("B", "C")}),
        ((1, 0), {"D6.1": ("A",), "D6.0": ("B", "C")}),
        ((0, 0), {"D6.0": ("A", "B", "C")}),
    ],
)
def test_stations_move_with_their_cities(heirs: tuple[int, ...], moved: dict[str, tuple[str, ...]]) -> None:
    land = open_land("D6", "D8")
    board = Board({}, {"D6.0": ("A",), "D6.1": ("B", "C"), "D8.0": ("A",)})
    assert moved_stations(board, land["D6"], heirs) == {"D8.0": ("A",), **moved}
    assert board.stations["D6.1"] == ("B", "C"), "the old board stays as it was"


def test_cities_are_named_by_hex_and_number() -> None:
    assert city_id("D16", 1) == "D16.1"
    assert (hex_of("D16.1"), hex_of("D16")) == ("D16", "D16")
    board = Board({}, {"D1.0": ("A",), "D16.0": ("B",), "D16.1": ("C", "A")})
    assert board.companies_in("D16") == ["B", "C", "A"]
    assert board.companies_in("D1") == ["A"]
    assert board.stations_of("A") == ["D1.0", "D16.1"]


# What follows from some tiles


class Found(NamedTuple):
    """Something that was worked out from the tiles of some hexes."""

    hexes: frozenset[str]


def test_what_a_tile_does_not_touch_is_handed_down() -> None:
    board = Board({}, {})
    near, far = Found(frozenset({"D6", "D8"})), Found(frozenset({"K20"}))
    board.hex_cache.known |= {"near": near, "far": far}
    later = board.with_tile("D8", "9", 0, {})
    assert (later.hex_cache.get("near"), later.hex_cache.get("far")) == (None, far)
    assert later.with_tile("E9", "9", 0, {}).with_tile("E11", "9", 0, {}).hex_cache.get("far") is far
    assert later.with_tile("K20", "9", 0, {}).hex_cache.get("far") is None
    assert board.hex_cache.get("near") is near


def test_stations_change_nothing_that_follows_from_tiles() -> None:
    board = Board({}, {})
    with_station = board.with_stations({"D6.0": ("A",)})
    found = with_station.hex_cache.known["near"] = Found(frozenset({"D6"}))
    assert board.hex_cache.get("near") is found


def test_what_is_found_later_on_the_board_before_is_known_too_but_not_the_other_way_round() -> None:
    board = Board({}, {})
    later = board.with_tile("D8", "9", 0, {})
    found = board.hex_cache.known["far"] = Found(frozenset({"K20"}))
    later.hex_cache.known["new"] = Found(frozenset({"D8"}))
    assert later.hex_cache.get("far") is found
    assert board.hex_cache.get("new") is None


def test_no_board_holds_on_to_all_those_before_it() -> None:
    boards = [Board({}, {})]
    boards[0].hex_cache.known["far"] = Found(frozenset({"K20"}))
    for hex_id in ("D6", "D8", "D10"):
        boards.append(boards[-1].with_tile(hex_id, "9", 0, {}))
    assert [board.hex_cache.before is None for board in boards] == [True, True, True, False]
