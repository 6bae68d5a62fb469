"""Remarks that both titles make: where track goes, and how parts of a remark are put together."""

from __future__ import annotations

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


def city_exits(table: Table, city: str) -> str:
    """Where the track of a city goes, if the hex has several: it tells them apart."""
    hex_id, _, node = city.partition(".")
    face = table.state.board.face(table.title.tile_set, table.title.map[hex_id])
    if len(face.nodes) < 2 or not node:
        return ""
    return f"track to {sides(face.node_exits[int(node)])}" if face.node_exits[int(node)] else "without track"
