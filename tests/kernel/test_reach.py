"""What a company reaches: the engine's search against every trail on boards made at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest

from ostbahn.kernel.map.board import Board, Hex
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.routes.reach import Surveyor, Track
from ostbahn.titles.cz.title import cz_title
from tests.kernel.trails import BACK, Land, Piece, TooLong, Trails, beyond, careless, crowded_board, random_board

COMPANIES = ("BCB", "KFN", "Ug")
TITLE = cz_title()
PRINTED = {hex_.id: hex_.printed for hex_ in TITLE.map}
BOARDS = 600


def land_of(board: Board) -> Land:
    return Land(PRINTED, TITLE.tiles, board)


def laid(tiles: Mapping[str, tuple[str, int]], stations: Mapping[str, tuple[str, ...]]) -> Board:
    return Board(dict(tiles), dict(stations))


def reached_sides(board: Board, company: str) -> dict[str, set[str]]:
    sides = TITLE.surveyor.reach(board, company).sides
    return {
        hex_id: {side for number, side in enumerate(DIRECTIONS) if mask & 1 << number}
        for hex_id, mask in sides.items()
        if mask
    }


def reached(board: Board, company: str) -> set[str]:
    return set(TITLE.surveyor.reach(board, company).nodes)


# At random


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_reach_is_what_all_trails_together_find(part: int) -> None:
    seen = Counter[str]()
    for seed in range(part * BOARDS, (part + 1) * BOARDS):
        board = random_board(Random(seed), PRINTED, TITLE.tiles, COMPANIES)
        land = land_of(board)
        for company in COMPANIES:
            try:
                trails = Trails(land, company)
            except TooLong:
                seen["too long"] += 1
                continue
            where = f"board {seed}, {company}: {board.tiles} {board.stations}"
            assert reached(board, company) == trails.nodes, where
            assert reached_sides(board, company) == {hex_id: found for hex_id, found in trails.sides.items() if found}
            seen["loops matter"] += careless(land, company) != trails.nodes
            seen["more than the stations"] += len(trails.nodes) > len(board.stations_of(company))
    assert not seen["too long"] > BOARDS // 100
    assert seen["loops matter"], "the boards must have places that only a reversing loop would reach"
    assert seen["more than the stations"] > BOARDS // 2


KNOTS = [
    (
        "KFN",
        {
            **{"I13": ("216p", 5), "H14": ("1", 0), "G13": ("40", 2), "H12": ("45", 1)},
            **{"H16": ("44", 4), "F14": ("595p", 5), "F12": ("39", 3), "G15": ("44", 1)},
        },
        {"I13.0": ("KFN", "Ug")},
    ),
    (
        "BCB",
        {
            **{"I7": ("7", 2), "H8": ("47", 0), "H10": ("47", 4), "I11": ("46", 5), "H12": ("207", 0), "H6": ("3", 4)},
            **{"J12": ("70", 1), "G5": ("25", 4), "G9": ("40", 4), "F4": ("41", 5), "J14": ("8895", 1)},
            **{"G7": ("43", 1), "F8": ("46", 2), "E3": ("8857p", 4)},
        },
        {"H12.0": ("BCB",), "E3.0": ("KFN", "Ug", "BCB")},
    ),
]
"""Boards on which the first trail that comes to a place is the wrong one to go on with."""


@pytest.mark.parametrize(("company", "tiles", "stations"), KNOTS)
def test_a_longer_trail_may_lead_further(
    company: str, tiles: Mapping[str, tuple[str, int]], stations: Mapping[str, tuple[str, ...]]
) -> None:
    board = laid(tiles, stations)
    assert reached(board, company) == Trails(land_of(board), company).nodes


class Patient(Surveyor):
    """Counts how often it looks at a location, and gives up."""

    looks = 0

    def closed(self, board: Board, hex_: Hex, node: int, company: str) -> bool:
        self.looks += 1
        assert self.looks < 3_000, "the search gets out of hand"
        return super().closed(board, hex_, node, company)


@pytest.mark.parametrize("seed", range(40))
def test_a_crowded_board_does_not_take_for_ever(seed: int) -> None:
    board = crowded_board(Random(seed), PRINTED, TITLE.tiles)
    reach = Patient(TITLE.map, TITLE.tile_set).reach(board, "K")
    assert set(board.stations) <= set(reach.nodes) <= careless(land_of(board), "K")


@pytest.mark.parametrize("seed", range(300))
def test_tracks_are_all_ways_between_two_locations(seed: int) -> None:
    board = random_board(Random(seed), PRINTED, TITLE.tiles, COMPANIES)
    found = [Way(track.start, track.hexes, track.end) for track in TITLE.surveyor.tracks(board)]
    assert len(found) == len(set(found))
    assert {way for told in found for way in (told, told.backwards())} == set(ways(land_of(board)))
    for track in TITLE.surveyor.tracks(board):
        assert track.sides.bit_count() == len(track.hexes) + 1, "one hex side between each two of them"


class Way(NamedTuple):
    """Track as the hexes that it takes between two locations."""

    start: str
    hexes: tuple[str, ...]
    end: str

    def backwards(self) -> Way:
        return Way(self.end, self.hexes[::-1], self.start)


def ways(land: Land) -> Iterator[Way]:
    """All track from one location to another one, found by following the pieces."""
    for hex_id in land.printed:
        for number in {end for piece in land.pieces(hex_id) for end in piece if isinstance(end, int)}:
            start = f"{hex_id}.{number}"
            for side in land.from_node(start):
                for between, end in onward(land, (hex_id,), side):
                    if end != start:
                        yield Way(start, between, end)


def onward(land: Land, hexes: tuple[str, ...], side: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every way on to the next location, crossing no border twice."""
    here, there = hexes[-1], beyond(hexes[-1], side)
    crossed = [frozenset(pair) for pair in pairwise(hexes)]
    if there not in land.printed or frozenset((here, there)) in crossed:
        return
    for end in land.from_side(there, BACK[side]):
        if isinstance(end, str):
            yield from onward(land, (*hexes, there), end)
        else:
            yield hexes[1:], f"{there}.{end}"


# Scenes drawn by hand


def straight(hexes: str, axis: int = 1) -> dict[str, tuple[str, int]]:
    """Straight yellow track in a row of hexes; axis 1 is west to east."""
    return {hex_id: ("9", axis) for hex_id in hexes.split()}


def test_a_bare_city_with_a_station_may_be_built_in_every_direction() -> None:
    board = laid({}, {"I9.0": ("VBW",)})
    assert reached(board, "VBW") == {"I9.0"}
    assert reached_sides(board, "VBW") == {"I9": {"SW", "W", "NW", "NE", "E", "SE"} - {"SW"}}
    assert reached(board, "EKJ") == set()


def test_track_is_followed_over_any_distance_to_its_open_end() -> None:
    # E9 Kladno (57, west to east) lies west of Praha; D6 to D18 would be far: row F from F4 to F20.
    board = laid({**straight("F8 F10 F12 F14 F16"), "F6": ("621", 1)}, {"F6.0": ("KFN",)})
    sides = reached_sides(board, "KFN")
    assert sides["F16"] == {"W", "E"}
    assert sides["F18"] == {"W"}, "the next hex may be built on"
    assert sides["F4"] == {"E"}
    assert "F20" not in sides


def test_a_junction_cannot_be_reversed() -> None:
    # D6 is a fork with its stem in the west: from D8 one gets to D4, not over to the other branch E7.
    fork: Piece = ("W", "E")
    tiles = {"D4": ("57", 1), "D6": ("23", 1), "D8": ("57", 1), "E7": ("57", 2)}
    assert fork in [tuple(piece) for piece in land_of(laid(tiles, {})).pieces("D6")]
    assert reached(laid(tiles, {"D8.0": ("BCB",)}), "BCB") == {"D8.0", "D4.0"}
    assert reached(laid(tiles, {"D4.0": ("BCB",)}), "BCB") == {"D4.0", "D8.0", "E7.0"}


def test_a_closed_city_is_reached_but_not_passed() -> None:
    tiles = {"D4": ("57", 1), "D6": ("57", 1), "D8": ("57", 1)}
    closed = laid(tiles, {"D4.0": ("BCB",), "D6.0": ("KFN",)})
    assert reached(closed, "BCB") == {"D4.0", "D6.0"}
    assert reached(closed, "KFN") == {"D4.0", "D6.0", "D8.0"}, "nothing closes a city to who is in it"
    assert reached(laid(tiles, {"D4.0": ("BCB",)}), "BCB") == {"D4.0", "D6.0", "D8.0"}


@pytest.mark.parametrize(("others", "passed"), [((), True), (("KFN",), True), (("KFN", "Ug"), False)])
def test_a_free_place_leaves_a_city_open(others: tuple[str, ...], passed: bool) -> None:
    tiles = {"D4": ("57", 1), "D6": ("14", 0), "D8": ("57", 1)}
    board = laid(tiles, {"D4.0": ("BCB",), **({"D6.0": others} if others else {})})
    assert ("D8.0" in reached(board, "BCB")) is passed


def test_ones_own_station_keeps_a_full_city_open() -> None:
    tiles = {"D4": ("57", 1), "D6": ("14", 0), "D8": ("57", 1)}
    board = laid(tiles, {"D4.0": ("BCB",), "D6.0": ("BCB", "Ug")})
    assert "D8.0" in reached(board, "BCB")


def test_a_red_tile_ends_every_way() -> None:
    # Dresden on A7 joins A9 and B8; a way from A9 must not come out at B8.
    tiles = {"A7": ("8896", 4), "A9": ("4", 1), "A11": ("57", 1), "B8": ("8859", 0)}
    board = laid(tiles, {"A11.0": ("BCB",)})
    assert reached(board, "BCB") == {"A11.0", "A9.0", "A7.0"}
    assert "B8" not in reached_sides(board, "BCB")
    assert {"A7.0", "B8.1"} <= reached(laid(tiles, {"A7.0": ("Sx",)}), "Sx"), "its own company starts there"


@pytest.mark.parametrize(
    ("tile", "companies", "closed"),
    [
        ("57", (), False),
        ("57", ("Ug",), True),
        ("57", ("BCB",), False),
        ("14", ("Ug",), False),
        ("14", ("Ug", "KFN"), True),
        ("14", ("Ug", "BCB"), False),
        ("4", (), False),
        ("8896", (), True),
        ("8896", ("BCB",), True),
    ],
)
def test_which_places_are_closed_to_whom(tile: str, companies: tuple[str, ...], closed: bool) -> None:
    board = laid({"D6": (tile, 0)}, {"D6.0": companies} if companies else {})
    assert TITLE.surveyor.closed(board, TITLE.map["D6"], 0, "BCB") is closed


# Boards that are nearly the same


def test_track_is_handed_down_to_later_boards_where_it_keeps_off_what_changed() -> None:
    handed_down = 0
    for seed in range(60):
        before, other = (random_board(Random(each), PRINTED, TITLE.tiles, COMPANIES) for each in (seed, seed + 1000))
        known = all_tracks(before)
        changed = sorted(hex_id for hex_id in other.tiles if before.tiles.get(hex_id) != other.tiles[hex_id])[:2]
        later = before
        for hex_id in changed:
            later = later.with_tile(hex_id, *other.tiles[hex_id], later.stations)
        found = all_tracks(later)
        assert found == all_tracks(laid(later.tiles, later.stations))
        assert all_tracks(later.with_stations({})) == found
        handed_down += sum(found[place] is known.get(place) for place in found)
    assert handed_down > 500


def all_tracks(board: Board) -> dict[tuple[str, int], list[Track]]:
    return {
        (hex_.id, node): TITLE.surveyor.tracks_from(board, hex_, node)
        for hex_ in TITLE.map
        for node in range(len(board.face(TITLE.tile_set, hex_).nodes))
    }
