"""Remarks that both titles make: where track goes, and how parts of a remark are put together."""

from __future__ import annotations

from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.map.hexes import DIRECTIONS, sides_of
from ostbahn.kernel.map.tiles import Face
from ostbahn.kernel.table import Table


def joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def sides(mask: int) -> str:
    """Sides of a hex, as in SW-NE."""
    return "-".join(DIRECTIONS[side] for side in sides_of(mask))


def track_words(colour: str, face: Face) -> str:
    """The colour of a tile and what its track joins."""
    return f"{colour} {', '.join(text for mask in (*face.node_exits, *sorted(face.pairs)) if (text := sides(mask)))}"


def hex_of_name(table: Table, place: str) -> str:
    """The hex of a place that is called by its name, for those who look for it on the map."""
    hex_id = hex_of(place)
    return "" if table.place(hex_id) == hex_id else hex_id
