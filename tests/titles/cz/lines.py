"""Track for tests: short lines and single tiles, described by the sides they join.

A scene may put any tile on any hex, so a board is as small as its test wants it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.titles.cz.title import cz_title

CITY_20, CITY_30, CITY_40, CITY_50, CITY_60 = "57", "14", "611", "216", "595p"
TOWN_10, TOWN_20, TOWN_30 = "4", "888p", "889p"
SHARP_TOWN = "3"
STRAIGHT, GENTLE, SHARP = "9", "8", "7"
RED = {"Ug": "8894", "kk": "8895", "Sx": "8896", "Pr": "8897", "By": "8898"}

OPPOSITE = {"SW": "NE", "W": "E", "NW": "SE", "NE": "SW", "E": "W", "SE": "NW"}
AROUND_G11 = {"SW": "H10", "W": "G9", "NW": "F10", "NE": "F12", "E": "G13", "SE": "H12"}

Tiles = Mapping[str, tuple[str, int]]


def turned(tile: str, *sides: str) -> tuple[str, int]:
    """A tile, turned so that its city, its town or one of its tracks joins these sides."""
    wanted = sum(1 << DIRECTIONS.index(side) for side in sides)
    for rotation, face in enumerate(cz_title().tile_set.faces[tile]):
        if wanted in face.pairs or any(wanted & ~exits == 0 for exits in face.node_exits):
            return tile, rotation
    raise ValueError(f"{tile} does not join {sides}")


def line(start: str, *tiles: str) -> dict[str, tuple[str, int]]:
    """Tiles side by side from west to east."""
    row, column = start[0], int(start[1:])
    return {f"{row}{column + 2 * step}": turned(tile, "W", "E") for step, tile in enumerate(tiles)}


def way(tiles: Tiles) -> tuple[str, ...]:
    """The way along a line from its first hex to its last."""
    return tuple(f"{name}.0" if cz_title().tiles[tile].nodes else name for name, (tile, _) in tiles.items())


def star(centre: tuple[str, int], *sides: str) -> dict[str, tuple[str, int]]:
    """A tile on G11 with a city of 20 beyond each of these sides."""
    around = {AROUND_G11[side]: turned(CITY_20, OPPOSITE[side]) for side in sides}
    return {"G11": centre, **around}
