"""A synthetic board of 18CZ on which every hex is built, in brown and grey: the hardest case for the router.

Supplies are ignored; each hex gets a tile that belongs there, with as much track as the map's edge allows.
"""

from __future__ import annotations

from random import Random

from ostbahn.kernel.map.board import Board, Hex, hex_of
from ostbahn.titles.cz.title import CzTitle

PLAIN = ("39", "40", "41", "42", "43", "44", "45", "46", "47", "70")
STATIONS = {"I17.0": ("kk",), "G19.0": ("kk",), "E11.0": ("kk",)}
RED = {"I17": "8895", "B18": "8897", "A7": "8896", "F2": "8898", "I23": "8894"}


def dense_board(title: CzTitle, seed: int) -> Board:
    """The same board for the same seed."""
    chance = Random(seed)
    tiles: dict[str, tuple[str, int]] = {}
    for hex_ in title.map:
        if hex_.printed.ground not in ("red", "grey"):
            tiles[hex_.id] = chance.choice(_fitting(title, hex_))
    for hex_id, tile in RED.items():
        tiles[hex_id] = next(
            (tile, turn) for turn in range(6) if not title.tile_set.faces[tile][turn].exits & ~title.map[hex_id].marked
        )
    return Board(tiles, STATIONS)


def thinned(board: Board, part: float, seed: int) -> Board:
    """A board of which only some hexes are built, and those with stations."""
    chance = Random(seed)
    homes = {hex_of(city) for city in board.stations}
    tiles = {hex_id: laid for hex_id, laid in board.tiles.items() if chance.random() < part or hex_id in homes}
    return Board(tiles, board.stations)


def _fitting(title: CzTitle, hex_: Hex) -> list[tuple[str, int]]:
    """Brown or grey tiles for a hex; at the edge of the map whatever fits."""
    kinds = set(hex_.face.kinds)
    named = [
        name
        for name, tile in title.tiles.items()
        if tile.label == hex_.printed.label and {node.kind for node in tile.nodes} == kinds and tile.colour != "red"
    ]
    for colours in (("brown", "grey"), ("green",), ("yellow",)):
        found = [
            (name, turn)
            for name in named
            if title.tiles[name].colour in colours and (kinds or colours != ("brown", "grey") or name in PLAIN)
            for turn in range(6)
            if not title.tile_set.faces[name][turn].exits & ~hex_.marked
            and not hex_.stubs & ~title.tile_set.faces[name][turn].exits
        ]
        if found:
            most = max(title.tile_set.faces[name][turn].exits.bit_count() for name, turn in found)
            return [row for row in found if title.tile_set.faces[row[0]][row[1]].exits.bit_count() == most]
    raise ValueError(f"no tile fits {hex_.id}")
