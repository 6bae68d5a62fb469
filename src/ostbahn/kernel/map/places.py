"""What people call the places of the map: by their names, by a side of the compass, or by their hex."""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, hypot, pi, sin
from typing import TYPE_CHECKING, Final

from ostbahn.kernel.map.board import Board
from ostbahn.kernel.map.hexes import DIRECTIONS, sides_of

if TYPE_CHECKING:
    from ostbahn.kernel.title import Title

ANGLES: Final = dict(zip(DIRECTIONS, (4 * pi / 3, pi, 2 * pi / 3, pi / 3, 0.0, 5 * pi / 3), strict=True))
"""Where the sides of a hex lie, from east against the clock."""
COMPASS: Final = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")


def place_name(title: Title, place: str, board: Board | None = None) -> str:
    """The name of a hex or city; what has none is called by its hex.

    Cities of one hex are told apart by their names, and on a tile, which may count them otherwise, by where they lie.
    """
    hex_id, _, node = place.partition(".")
    hex_ = title.map.hexes.get(hex_id)
    if hex_ is None:
        return place
    printed = hex_.printed
    name = printed.name or hex_id
    if not node.isdecimal():
        return name
    bare = board is None or hex_id not in board.tiles
    if bare and int(node) < len(printed.city_names):
        return printed.city_names[int(node)]
    face = hex_.face if board is None else title.tile_set.lying(board, hex_)
    where = bearings(face.node_exits)
    return f"{name} ({where[int(node)]})" if int(node) < len(where) and where[int(node)] else name


def at_place(title: Title, place: str, board: Board | None = None) -> str:
    """`in Praha`, but `on D22`."""
    name = place_name(title, place, board)
    return f"{'on' if name in title.map else 'in'} {name}"


@lru_cache(maxsize=4096)
def bearings(exits: tuple[int, ...]) -> tuple[str, ...]:
    """Where each of several places of a hex lies, told by its track; nothing where there is only one place."""
    if len(exits) < 2:
        return ("",) * len(exits)
    found = tuple(map(_bearing, exits))
    if len(set(found)) == len(found):
        return found
    return tuple("–".join(DIRECTIONS[side] for side in sides_of(mask)) for mask in exits)


def _bearing(exits: int) -> str:
    """The middle of the sides to which a place has track; of a straight line its ends."""
    angles = [ANGLES[DIRECTIONS[side]] for side in sides_of(exits)]
    across, up = sum(map(cos, angles)), sum(map(sin, angles))
    if hypot(across, up) > 0.1:
        return COMPASS[round(atan2(up, across) / (pi / 4)) % len(COMPASS)]
    return "–".join(DIRECTIONS[side] for side in sides_of(exits))
