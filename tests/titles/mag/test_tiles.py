"""The tables of tiles, the first tile on every hex, and every promotion (18Mag VI.3.2, VI.3.3, XII).

What is expected is worked out here from the printed track alone, side by side with tables written out by hand.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from ostbahn.kernel.map.tiles import Tile
from ostbahn.titles.mag.actions import LayTile
from tests.kernel.trails import COMPASS, End, beyond, exits, turned
from tests.titles.mag.scenes import state_of
from tests.titles.mag.track_scenes import (
    PRINTED,
    TITLE,
    TileLay,
    facing,
    lay,
    lays,
    names,
    refusal_rule,
    surrounded,
    track_step,
)

YELLOW = "7:4 8/9:21 3:5:town:10 58/4:13:town:10 5/57:10:city:20:1 6:7:city:20:1"
GREEN = """16/19:2 20:1 23/24:6 25:2 26/27:4 28/29:2 30/31:2 204:3:town:10 88/87:6:town:10 619:5:city:30:2
    14/15:8:city:30:2 236:1:city:40:2:K 237/238:2:city:40:2:K 209:1:city:40:3:B"""
BROWN = """39/40:2 41/42:2 43/70:2 44/47:2 45/46:2 G17:4:town:20 611:8:city:40:2 L17:3:city:60:2:OO L34:2:city:50:2:K
    L35:1:city:60:4:B"""
GREY = "L38:1:town:30 455:2:city:50:3 X9:1:city:70:3:OO L36:1:city:60:2:K L37:1:city:80:4:B"
"""Numbers on the faces, pieces, kind, value, places, label."""

TWO_CITIES = {
    "L32": ("yellow", 4, "OO", [30, 0]),
    "L33": ("yellow", 1, "B", [30, 30]),
    **{name: ("green", 1, "OO", [40, 40]) for name in ("8858", "8859", "8860", "8863", "8864", "8865")},
}


def pieces_of(colour: str) -> int:
    return sum(
        count for piece, count in state_of(track_step("3")).supply.items() if TITLE.tiles[piece].colour == colour
    )


def check(colour: str, table: str) -> set[str]:
    """Hold a table against the tiles; the names in it."""
    seen = set()
    for entry in table.split():
        faces, count, *rest = entry.split(":")
        kind, value, slots, label = [*rest, *("", "0", "0", "")[len(rest) :]]
        for face in faces.split("/"):
            tile = TITLE.tiles[face]
            assert (tile.colour, tile.count, tile.label or "") == (colour, int(count), label), face
            assert [(node.kind, node.value, node.slots) for node in tile.nodes] == (
                [(kind, int(value), int(slots or 0))] if kind else []
            ), face
            assert {face, tile.back} - {None} == set(faces.split("/")), face
            seen.add(face)
    for face, (of, number, mark, values) in TWO_CITIES.items():
        if of == colour:
            tile = TITLE.tiles[face]
            assert (tile.colour, tile.count, tile.label) == (colour, number, mark)
            assert [(node.kind, node.value, node.slots) for node in tile.nodes] == [("city", v, 1) for v in values]
            seen.add(face)
    return seen


def in_colour(colour: str) -> set[str]:
    return {name for name, tile in TITLE.tiles.items() if tile.colour == colour}


@pytest.mark.rule("18Mag XII/1")
def test_the_65_yellow_tiles() -> None:
    assert check("yellow", YELLOW) == in_colour("yellow")
    assert pieces_of("yellow") == 65
    assert [len(cities(TITLE.tiles["L32"], node)) for node in (0, 1)] == [1, 0], "one city of OO has track"
    assert [len(cities(TITLE.tiles["L33"], node)) for node in (0, 1)] == [2, 2]


@pytest.mark.rule("18Mag XII/2")
def test_the_51_green_tiles() -> None:
    assert check("green", GREEN) == in_colour("green")
    assert pieces_of("green") == 51
    plain = [name for name in in_colour("green") if not TITLE.tiles[name].nodes]
    assert sum(TITLE.tiles[name].count for name in plain if TITLE.piece(name) == name) == 19


@pytest.mark.rule("18Mag XII/3")
def test_the_28_brown_tiles() -> None:
    assert check("brown", BROWN) == in_colour("brown")
    assert pieces_of("brown") == 28


@pytest.mark.rule("18Mag XII/4")
def test_the_6_grey_tiles() -> None:
    assert check("grey", GREY) == in_colour("grey")
    assert pieces_of("grey") == 6
    assert all(TITLE.tiles[name].nodes for name in in_colour("grey"))


@pytest.mark.rule("18Mag VI.3.3.1/4")
def test_the_double_sided_tiles() -> None:
    pairs = {frozenset((name, tile.back)): tile.count for name, tile in TITLE.tiles.items() if tile.back}
    assert pairs == {
        frozenset(faces.split("/")): count
        for count, together in (
            (21, "8/9"),
            (13, "58/4"),
            (10, "5/57"),
            (8, "14/15"),
            (6, "23/24 88/87"),
            (4, "26/27"),
            (2, "16/19 28/29 30/31 237/238 39/40 41/42 43/70 44/47 45/46"),
        )
        for faces in together.split()
    }
    supply = state_of(track_step("3")).supply
    assert all(len(pair & set(supply)) == 1 for pair in pairs), "each pair is counted once"


def cities(tile: Tile, node: int) -> set[End]:
    """The sides to which the track of a city leads, at rotation 0."""
    return {end for piece in tile.track if node in piece for end in piece if end != node}


# Supply that runs out


@pytest.mark.rule("18Mag XII/3")
def test_a_fourth_brown_oo_and_a_third_brown_k_do_not_exist() -> None:
    oo = dict.fromkeys(("D19", "G10", "I14"), ("L17", 0))
    game = track_step("4", {**oo, "G14": ("8859", 0)}, owners={"4": "p1"}, phase="brown")
    assert refusal_rule(game, LayTile("G14", "L17", 0)) == "18Mag II.3/4"
    del oo["I14"]
    fewer = track_step("4", {**oo, "G14": ("8859", 0)}, owners={"4": "p1"}, phase="brown")
    assert refusal_rule(fewer, LayTile("G14", "L17", 0)) == "allowed"
    k = track_step(
        "12",
        {"I2": ("L34", 0), "H27": ("L34", 0), "H23": facing("237", "W", "NW", "E")},
        owners={"12": "p1"},
        phase="brown",
    )
    assert refusal_rule(k, lay("H23", "L34", "W", "NW", "NE", "E")) == "18Mag II.3/4"


@pytest.mark.rule("18Mag XII/4")
@pytest.mark.parametrize("tile", [name for name in sorted(in_colour("brown")) if not TITLE.tiles[name].nodes])
def test_plain_track_is_never_grey(tile: str) -> None:
    assert not lays(surrounded("E16", (tile, 0)), "E16")


# The first tile on a hex


BARRIERS = {("C8", "SW"), ("D7", "NE"), ("F5", "SW"), ("G4", "NE"), ("I6", "SW"), ("J5", "NE")}
SHORES = ({"W", "NW", "NE"}, {"E", "SE", "SW"})
LABELS = {**dict.fromkeys(("D19", "G10", "G14", "I14"), "OO"), "E12": "B", **dict.fromkeys(("I2", "H23", "H27"), "K")}


def may_lie(hex_id: str, name: str, rotation: int) -> bool:
    """Whether all track leads to a hex, away from barriers and the lake, and some of it to a hex that is no red one."""
    sides = exits(TITLE.tiles[name], rotation)
    if any(beyond(hex_id, side) not in PRINTED or (hex_id, side) in BARRIERS for side in sides):
        return False
    if name == "L33" and rotation != 2:
        return False
    if all(PRINTED[beyond(hex_id, side)].ground == "red" for side in sides):
        return False
    plain, _ = track_of(TITLE.tiles[name], rotation)
    return hex_id != "F9" or all(any(piece <= shore for shore in SHORES) for piece in plain)


def first_tiles(hex_id: str) -> set[TileLay]:
    """By the words of VI.3.2: which tiles may come first, with everything around connected."""
    if PRINTED[hex_id].ground != "open":
        return set()
    kinds = Counter(node.kind for node in PRINTED[hex_id].nodes)
    label = LABELS.get(hex_id)
    return {
        (hex_id, name, rotation)
        for name in in_colour("yellow")
        if TITLE.tiles[name].label == (None if label == "K" else label)
        and Counter(node.kind for node in TITLE.tiles[name].nodes) == kinds
        for rotation in range(6)
        if may_lie(hex_id, name, rotation)
    }


@pytest.mark.rule(
    "18Mag VI.3.2/5",
    "18Mag VI.3.2/6",
    "18Mag VI.3.2/7",
    "18Mag VI.3.2/8",
    "18Mag VI.3.2/9",
    "18Mag VI.3.2/10",
    "18Mag VI.3.2/15",
    "18Mag VI.3.2/17",
    "18Mag VI.3.2/19",
    "18Mag VI.3.2/21",
    "18Mag VI.3.2/22",
)
@pytest.mark.parametrize("hex_id", PRINTED)
def test_the_first_tile_on_every_hex_of_the_map(hex_id: str) -> None:
    assert lays(surrounded(hex_id), hex_id) == first_tiles(hex_id)


# Promotions


CHART = """
    7: 26 27 28 29 30 31
    8: 16 19 23 24 25 28 29 30 31
    9: 19 20 23 24 26 27
    16: 43 70
    19: 45 46
    20: 44 47
    23: 41 43 45 47
    24: 42 43 46 47
    25: 40 45 46
    26: 42 44 45
    27: 41 44 46
    28: 39 43 46 70
    29: 39 43 45 70
    30: 42 70
    31: 41 70
    3: 204 88 87
    58: 204 88 87
    4: 204 88 87
    204: G17
    88: G17
    87: G17
    G17: L38
    5: 14 15 619
    6: 14 15 619
    57: 14 15 619
    14: 611
    15: 611
    619: 611
    611: 455
    236: L34
    237: L34
    238: L34
    L34: L36
    L32: 8858 8859 8860 8863 8864 8865
    8858: L17
    8859: L17
    8860: L17
    8863: L17
    8864: L17
    8865: L17
    L17: X9
    L33: 209
    209: L35
    L35: L37
"""
ON_K = {"5": "236 237 238", "6": "236 237 238", "57": "237 238"}
INLAND = {"plain": "E16", "town": "D13", "city": "C12", "K": "H23", "OO": "G14", "B": "E12"}
"""A hex of each kind with hexes all around it; H23 has none to the south-west."""


@cache
def chart() -> dict[str, set[str]]:
    lines = (line.split(":") for line in CHART.strip().splitlines())
    return {name.strip(): set(others.split()) for name, others in lines}


def track_of(tile: Tile, rotation: int) -> tuple[set[frozenset[End]], list[set[End]]]:
    """Plain pieces as pairs of sides, and for each place its sides."""
    found = [frozenset(turned(end, rotation) for end in piece) for piece in tile.track]
    plain = {piece for piece in found if all(isinstance(end, str) for end in piece)}
    places: list[set[End]] = [
        {end for piece in found if number in piece for end in piece if end != number}
        for number in range(len(tile.nodes))
    ]
    return plain, places


def keeps(old: tuple[str, int], new: tuple[str, int]) -> bool:
    """Whether all track is still there, and that of each place at one place."""
    plain, places = track_of(TITLE.tiles[old[0]], old[1])
    new_plain, new_places = track_of(TITLE.tiles[new[0]], new[1])
    return plain <= new_plain and all(any(sides <= more for more in new_places) for sides in places)


def kind_of(name: str) -> str:
    tile = TITLE.tiles[name]
    return tile.label or (tile.nodes[0].kind if tile.nodes else "plain")


def promotions(hex_id: str, there: tuple[str, int], tiles: set[str]) -> set[TileLay]:
    return {
        (hex_id, tile, way)
        for tile in tiles
        for way in range(6)
        if keeps(there, (tile, way)) and may_lie(hex_id, tile, way)
    }


@pytest.mark.rule("18Mag XII/5", "18Mag VI.3.3/1", "18Mag VI.3.3/4", "18Mag VI.3.3/5")
@pytest.mark.parametrize("name", TITLE.tiles)
def test_every_tile_is_promoted_as_the_chart_says_and_in_no_other_way(name: str) -> None:
    hex_id = INLAND[kind_of(name)]
    for rotation in range(6):
        offered = lays(surrounded(hex_id, (name, rotation)), hex_id)
        assert offered == promotions(hex_id, (name, rotation), chart().get(name, set()))
        if hex_id not in ("H23", "E12"):
            assert {tile for _, tile, _ in offered} == chart().get(name, set())


@pytest.mark.rule("18Mag XII/5", "18Mag VI.3.2/9")
@pytest.mark.parametrize("name", ON_K)
def test_yellow_cities_on_k_hexes_become_k_tiles(name: str) -> None:
    found = set()
    for rotation in range(6):
        offered = lays(surrounded("H23", (name, rotation)), "H23")
        assert offered == promotions("H23", (name, rotation), set(ON_K[name].split()))
        found |= {tile for _, tile, _ in offered}
    assert found == set(ON_K[name].split())


def test_there_are_hexes_of_every_kind_to_try() -> None:
    for hex_id in set(INLAND.values()) - {"H23"}:
        assert all(beyond(hex_id, side) in PRINTED for side in COMPASS)
    reached = set().union(*chart().values(), *(others.split() for others in ON_K.values())) | in_colour("yellow")
    assert reached == set(TITLE.tiles), "no tile is without use"
    assert names(surrounded("H23", ("236", 2)), "H23") == {"L34"}
