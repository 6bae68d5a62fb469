"""Which tiles fit which hex, on little maps made up for the purpose."""

from __future__ import annotations

import pytest

from ostbahn.kernel.map.board import Fits, Map, PrintedHex, TileFitter, fits_hex, label_for, rotations_reaching
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.map.tiles import Node, Tile, TileSet, face_of

CITY = Node("city", 20, slots=1)
Track = tuple[tuple[str | int, str | int], ...]
OPEN = PrintedHex()
AROUND = ("D4", "C5", "C7", "D8", "E7", "E5")
"""The neighbours of D6: W, NW, NE, E, SE, SW."""


def island(middle: PrintedHex, *missing: str, **others: PrintedHex) -> Map:
    """D6 with hexes around it, except those that are missing."""
    around = {hex_id: OPEN for hex_id in AROUND if hex_id not in missing}
    return Map({"D6": middle, **around, **others})


def plain(*track: tuple[str, str], colour: str = "yellow", label: str | None = None) -> Tile:
    return Tile(colour, 1, track, label=label)


def city(
    *sides: str, colour: str = "yellow", label: str | None = None, rotations: tuple[int, ...] | None = None
) -> Tile:
    return Tile(colour, 1, tuple((side, 0) for side in sides), nodes=(CITY,), label=label, rotations=rotations)


def fits(land: Map, tiles: dict[str, Tile], laid: tuple[str, int] | None = None) -> Fits:
    return TileFitter(TileSet(tiles)).of(land["D6"], laid)


# Labels


@pytest.mark.parametrize(
    ("printed", "labels"),
    [
        (PrintedHex(), [None, None, None, None]),
        (PrintedHex(label="Y"), ["Y", "Y", "Y", "Y"]),
        (PrintedHex(label="K", label_from="green"), [None, "K", "K", "K"]),
        (PrintedHex(label="K", label_from="brown"), [None, None, "K", "K"]),
    ],
)
def test_a_label_binds_from_its_colour_on(printed: PrintedHex, labels: list[str | None]) -> None:
    hex_ = island(printed)["D6"]
    assert [label_for(hex_, colour) for colour in ("yellow", "green", "brown", "grey")] == labels


def test_a_label_that_binds_later_lets_ordinary_tiles_come_first() -> None:
    tiles = {
        "yellow": city("SW", "NE"),
        "marked yellow": city("SW", "NE", label="K"),
        "green": city("SW", "W", "NE", colour="green"),
        "marked green": city("SW", "W", "NE", colour="green", label="K"),
    }
    late = island(PrintedHex(nodes=(CITY,), label="K", label_from="green"))
    assert set(fits(late, tiles)) == {"yellow"}
    assert set(fits(late, tiles, ("yellow", 0))) == {"marked green"}
    ordinary = island(PrintedHex(nodes=(CITY,)))
    assert set(fits(ordinary, tiles, ("yellow", 0))) == {"green"}


# Where track leads


def test_track_stays_on_the_map() -> None:
    assert fits(island(OPEN), {"bend": plain(("SW", "W"))}) == {"bend": (0, 1, 2, 3, 4, 5)}
    assert fits(island(OPEN, "D4"), {"bend": plain(("SW", "W"))}) == {"bend": (2, 3, 4, 5)}
    assert fits(island(OPEN, "D4", "C7", "E7"), {"bend": plain(("SW", "W"))}) == {}


def test_track_keeps_away_from_barriers() -> None:
    assert fits(island(PrintedHex(barriers=("W",))), {"bend": plain(("SW", "W"))}) == {"bend": (2, 3, 4, 5)}
    other_side = island(OPEN, D4=PrintedHex(barriers=("E",)))
    assert fits(other_side, {"bend": plain(("SW", "W"))}) == {"bend": (2, 3, 4, 5)}


def test_stubs_must_be_kept() -> None:
    land = island(PrintedHex(stubs=("W",)))
    assert fits(land, {"bend": plain(("SW", "W"))}) == {"bend": (0, 1)}


LAKE = PrintedHex(shores=(("W", "NW", "NE"), ("E", "SE", "SW")))


@pytest.mark.parametrize(
    ("track", "good"),
    [
        ((("W", "NW"),), True),
        ((("W", "NE"),), True),
        ((("NE", "E"),), False),
        ((("W", "E"),), False),
        ((("W", "NE"), ("E", "SW")), True),
        ((("W", "NE"), ("W", "SE")), False),
        ((("W", "NW"), ("NW", "NE"), ("W", "NE")), True),
    ],
)
def test_each_piece_of_track_keeps_to_one_shore_though_both_may_have_some(track: Track, good: bool) -> None:
    assert fits_hex(island(LAKE)["D6"], face_of((), track)) is good


def test_the_lake_counts_in_promotions_too() -> None:
    tiles = {
        "bend": plain(("W", "NE")),
        "both shores": plain(("W", "NE"), ("E", "SW"), colour="green"),
        "across": plain(("W", "NE"), ("W", "SE"), colour="green"),
    }
    assert fits(island(LAKE), tiles, ("bend", 0)) == {"both shores": (0, 3)}
    assert set(fits(island(OPEN), tiles, ("bend", 0))) == {"both shores", "across"}


# What was there before


def test_the_first_tile_has_the_places_of_the_hex() -> None:
    tiles = {
        "plain": plain(("SW", "NE")),
        "one": city("SW", "NE"),
        "two": Tile("yellow", 1, (("SW", 0),), (CITY, CITY)),
    }
    assert set(fits(island(OPEN), tiles)) == {"plain"}
    assert set(fits(island(PrintedHex(nodes=(CITY,))), tiles)) == {"one"}
    assert set(fits(island(PrintedHex(nodes=(CITY, CITY))), tiles)) == {"two"}


def test_printed_track_is_kept_by_the_first_tile() -> None:
    land = island(PrintedHex(nodes=(CITY,), track=(("W", 0),)))
    assert fits(land, {"through": city("SW", "NE")}) == {"through": (1, 4)}


@pytest.mark.parametrize(
    ("ground", "found"), [("open", {"yellow"}), ("yellow", {"green"}), ("red", set()), ("grey", set())]
)
def test_the_ground_says_which_colour_comes_first(ground: str, found: set[str]) -> None:
    tiles = {"yellow": city("SW", "NE"), "green": city("SW", "W", "NE", colour="green")}
    assert set(fits(island(PrintedHex(ground=ground, nodes=(CITY,))), tiles)) == found


def test_a_promotion_is_turned_with_the_tile_that_lies_there() -> None:
    tiles = {"bend": plain(("SW", "W")), "fork": plain(("SW", "W"), ("SW", "NE"), colour="green")}
    land = island(OPEN)
    assert [fits(land, tiles, ("bend", turn)) for turn in range(6)] == [{"fork": (turn,)} for turn in range(6)]
    assert fits(island(OPEN, "C7"), tiles, ("bend", 0)) == {}, "the fork would lead off the map"
    assert fits(land, tiles, ("fork", 0)) == {}


def test_some_tiles_lie_in_certain_ways_only() -> None:
    tiles = {
        "river": city("SW", "NE", rotations=(2,)),
        "later": city("SW", "W", "NE", colour="green", rotations=(2, 4)),
    }
    land = island(PrintedHex(nodes=(CITY,)))
    assert fits(land, tiles) == {"river": (2,)}
    assert fits(land, tiles, ("river", 2)) == {"later": (2,)}


def test_answers_are_remembered_for_each_hex_and_tile() -> None:
    fitting = TileFitter(TileSet({"bend": plain(("SW", "W"))}))
    land = island(OPEN, "D4")
    first = fitting.of(land["D6"], None)
    assert fitting.of(land["D6"], None) is first
    assert fitting.of(land["C5"], None) != first
    assert fitting.of(land["D6"], ("bend", 0)) == {}


# What carries on track


def sides(*names: str) -> int:
    return sum(1 << DIRECTIONS.index(name) for name in names)


def test_of_rotations_that_look_the_same_one_is_told_with_the_sides_it_comes_to() -> None:
    fitting = TileFitter(TileSet({"straight": plain(("SW", "NE")), "bend": plain(("SW", "W"))}))
    straight, bend = fitting.distinct(island(OPEN)["D6"], None)
    assert straight == ("straight", ((0, sides("SW", "NE")), (1, sides("W", "E")), (2, sides("NW", "SE"))))
    assert bend[0] == "bend"
    assert len(bend[1]) == 6


def test_only_tiles_at_hand_that_meet_the_track_carry_it_on() -> None:
    fitting = TileFitter(TileSet({"straight": plain(("SW", "NE")), "bend": plain(("SW", "W"))}))
    fits = fitting.distinct(island(OPEN)["D6"], None)
    assert list(rotations_reaching(fits, sides("E"), {"straight"})) == [("straight", 1)]
    assert list(rotations_reaching(fits, sides("SW", "NW"), {"straight", "other"})) == [
        ("straight", 0),
        ("straight", 2),
    ]
    assert list(rotations_reaching(fits, sides("E"), {"bend"})) == [("bend", 3), ("bend", 4)]
    assert not list(rotations_reaching(fits, 0, {"straight", "bend"}))
