"""Which tiles fit where: every hex of the map, and the whole Upgrade Chart with all turns (18CZ VIII.4, VIII.5).

What is expected is worked out here from the printed track alone, side by side with the chart written out by hand.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import PrintedHex
from ostbahn.kernel.map.tiles import Tile
from ostbahn.titles.cz.title import cz_title
from tests.kernel.trails import COMPASS, End, beyond, exits, turned
from tests.titles.cz.building import Lay, lays, purple_lays, turn

TITLE = cz_title()
PRINTED = {hex_.id: hex_.printed for hex_ in TITLE.map}
COLOURS = ("yellow", "green", "brown", "grey")
PLENTY = dict.fromkeys(TITLE.tiles, 9)
INLAND = {"plain": "D20", "town": "C13", "towns": "E13", "city": "E21", "Y": "G19", "OO": "C7", "P": "E11"}
"""A hex of each kind with hexes all around it."""

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
    3: 8866p 887p 888p
    58: 8866p 887p 888p
    4: 8866p 887p 888p
    1: 888p
    2: 887p
    55: 888p
    56: 887p
    69: 8866p
    8866p: 889p
    887p: 889p
    888p: 889p
    5: 14 15 619 14p 15p
    6: 14 15 619 14p 15p
    57: 14 15 619 14p 15p
    14: 611 611p
    15: 611 611p
    619: 611 611p
    14p: 611 611p
    15p: 611 611p
    611: 595p
    611p: 595p
    201: 207 208 622
    202: 207 208 622
    621: 207 208 622
    207: 216 216p
    208: 216 216p
    622: 216 216p
    216: 8857p
    216p: 8857p
    8885: 8894p
    8863: 8894p
    8864: 8895p
    8865: 8895p
    8859: 8896p
    8860: 8896p
    8889: 8891
    8890: 8891
    8891: 8892
    8892: 8893
"""


def surrounded(hex_id: str, tile: tuple[str, int] | None = None) -> Game:
    """Sx has a city with six exits and a station on every side of a hex, all colours are open, and it has a power."""
    around = [there for side in COMPASS if (there := beyond(hex_id, side)) in PRINTED]
    return turn(
        "Sx",
        phase="j",
        tiles={**dict.fromkeys(around, ("595p", 0)), **({hex_id: tile} if tile else {})},
        stations={f"{there}.0": ["Sx"] for there in around},
        locals_of={"L1": "Sx"},
        supply=PLENTY,
        cash={"Sx": 1000},
    )


def kinds(thing: Tile | PrintedHex) -> Counter[str]:
    return Counter(node.kind for node in thing.nodes)


def stays_on_map(hex_id: str, tile: Tile, rotation: int) -> bool:
    return all(beyond(hex_id, side) in PRINTED for side in exits(tile, rotation))


# The first tile on a hex


def first_tiles(hex_id: str) -> set[Lay]:
    """By the words of VIII.4: which tiles may come first, with hexes all around connected."""
    hex_ = PRINTED[hex_id]
    if hex_.reserved_for or hex_id == "D0":
        return set()
    wanted = {"E11": ("yellow", "P"), "B8": ("green", "OO"), "C7": ("green", "OO"), "D26": ("green", "OO")}
    colour, label = wanted.get(hex_id, ("yellow", hex_.label))
    must_reach = {"D12": {"SW"}, "F12": {"NW"}, "E11": {"NE", "SE"}}.get(hex_id, set())
    return {
        (hex_id, name, rotation)
        for name, tile in TITLE.tiles.items()
        if (tile.colour, tile.label) == (colour, label) and (hex_id == "E11" or kinds(tile) == kinds(hex_))
        for rotation in range(6)
        if stays_on_map(hex_id, tile, rotation) and must_reach <= exits(tile, rotation)
    }


@pytest.mark.rule(
    "18CZ VIII.4/3",
    "18CZ VIII.4/9",
    "18CZ VIII.4/10",
    "18CZ VIII.4/12",
    "18CZ VIII.4/13",
    "18CZ VIII.4/14",
    "18CZ VIII.4/15",
    "18CZ VIII.4/18",
    "18CZ VIII.4/19",
    "18CZ VIII.4/21",
)
@pytest.mark.parametrize("hex_id", PRINTED)
def test_the_first_tile_on_every_hex_of_the_map(hex_id: str) -> None:
    game = surrounded(hex_id)
    assert lays(game, hex_id) == first_tiles(hex_id)
    assert not purple_lays(game, hex_id), "purple-edged tiles replace others"


def test_there_are_hexes_of_every_kind_to_try() -> None:
    assert all(beyond(hex_id, side) in PRINTED for hex_id in INLAND.values() for side in COMPASS)
    assert {len(first_tiles(hex_id)) for hex_id in ("A7", "D0")} == {0}


# Promotions


@cache
def chart() -> dict[str, set[str]]:
    lines = (line.split(":") for line in CHART.strip().splitlines())
    return {name.strip(): set(others.split()) for name, others in lines}


def track_of(tile: Tile, rotation: int) -> tuple[set[frozenset[End]], list[tuple[str, set[End]]]]:
    """Plain pieces as pairs of sides, and locations as kind and sides."""
    pieces = [frozenset(turned(end, rotation) for end in piece) for piece in tile.track]
    plain = {piece for piece in pieces if all(isinstance(end, str) for end in piece)}
    places: list[tuple[str, set[End]]] = [
        (node.kind, {end for piece in pieces if number in piece for end in piece if end != number})
        for number, node in enumerate(tile.nodes)
    ]
    return plain, places


def keeps(old: tuple[str, int], new: tuple[str, int]) -> bool:
    """Whether all track and all locations are still there, and none of another kind has come."""
    plain, places = track_of(TITLE.tiles[old[0]], old[1])
    new_plain, new_places = track_of(TITLE.tiles[new[0]], new[1])
    return (
        plain <= new_plain
        and all(any(kind == other and sides <= more for other, more in new_places) for kind, sides in places)
        and {kind for kind, _ in places} == {kind for kind, _ in new_places}
    )


def kind_of(name: str) -> str:
    tile = TITLE.tiles[name]
    if tile.label:
        return tile.label
    return "towns" if len(tile.nodes) == 2 else tile.nodes[0].kind if tile.nodes else "plain"


def promotable() -> list[str]:
    return [name for name, tile in TITLE.tiles.items() if tile.colour in COLOURS]


@pytest.mark.rule("18CZ VIII.5/1", "18CZ VIII.5/8", "18CZ VIII.5/9", "18CZ VIII.5/10", "18CZ VIII.5/18")
@pytest.mark.parametrize("name", promotable())
def test_every_tile_is_promoted_as_the_chart_says_and_in_no_other_way(name: str) -> None:
    hex_id = INLAND[kind_of(name)]
    for rotation in range(6):
        game = surrounded(hex_id, (name, rotation))
        ordinary, purple = lays(game, hex_id), purple_lays(game, hex_id)
        assert {tile for _, tile, _ in ordinary | purple} == chart().get(name, set())
        assert not any(TITLE.tiles[tile].purple for _, tile, _ in ordinary)
        assert all(TITLE.tiles[tile].purple for _, tile, _ in purple)
        assert ordinary | purple == {
            (hex_id, other, way)
            for other in chart().get(name, set())
            for way in range(6)
            if keeps((name, rotation), (other, way))
        }


@pytest.mark.rule("18CZ VIII.5/18")
def test_what_the_rulebook_says_of_the_chart() -> None:
    tiles = TITLE.tiles
    for name, tile in tiles.items():
        if kinds(tile)["town"] and tile.colour != "yellow":
            assert tile.purple, "towns grow by Local Railways only"
        if tile.label == "OO" and tile.colour == "brown":
            assert tile.purple
        if tile.colour == "grey":
            assert tile.purple is (tile.label != "P")
        if tile.colour in COLOURS and name not in chart():
            assert tile.colour == "grey" or name in {"889p", "8894p", "8895p", "8896p"} or not tile.nodes


@pytest.mark.rule("18CZ VIII.5/18")
def test_the_tiles_of_the_chart_are_all_there_are() -> None:
    edges = Counter((TITLE.tiles[name].colour, TITLE.tiles[name].purple) for name in promotable())
    pieces = Counter[str]()
    purple = Counter[str]()
    for name in promotable():
        pieces[TITLE.tiles[name].colour] += TITLE.tiles[name].count
        purple[TITLE.tiles[name].colour] += TITLE.tiles[name].count * TITLE.tiles[name].purple
    assert pieces == {"yellow": 69, "green": 54, "brown": 28, "grey": 4}
    assert purple == {"yellow": 0, "green": 10, "brown": 7, "grey": 3}
    assert edges["yellow", True] == 0
    reached = set().union(*chart().values()) | {name for name in promotable() if TITLE.tiles[name].colour == "yellow"}
    first_oo = {"8885", "8859", "8860", "8863", "8864", "8865"}
    assert reached | first_oo == set(promotable()), "no tile is without use"


@pytest.mark.rule("18CZ VIII.5/10")
@pytest.mark.parametrize("name", ["1", "2", "55", "56", "69"])
def test_two_towns_merge_into_one_only_where_all_their_track_is_kept(name: str) -> None:
    game = surrounded("E13", (name, 0))
    assert not lays(game, "E13")
    assert purple_lays(game, "E13")
    for _, tile, rotation in purple_lays(game, "E13"):
        assert exits(TITLE.tiles[tile], rotation) == exits(TITLE.tiles[name], 0)
