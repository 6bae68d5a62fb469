"""What places on the board are called."""

from __future__ import annotations

from ostbahn.kernel.map.board import Board
from ostbahn.kernel.title import Title


def place_name(title: Title, city: str, board: Board | None = None) -> str:
    """The name of the hex or city in which a station stands; on a tile the cities of a hex have no names of their own,
    as it may count them otherwise."""
    hex_id, _, node = city.partition(".")
    printed = title.map[hex_id].printed
    bare = board is None or hex_id not in board.tiles
    if bare and node and int(node) < len(printed.city_names):
        return printed.city_names[int(node)]
    return printed.name or hex_id
