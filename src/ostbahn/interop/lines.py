"""What the lines of a trace have in common, whatever the title."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ostbahn.kernel.map.tiles import TileSet

TraceLine = dict[str, Any]


def by_hex(tile_set: TileSet, lays: Iterable[tuple[str, str, int]]) -> TraceLine:
    """Tiles and rotations for each hex; where one rotation was listed for all that look the same, all of them."""
    rows: dict[str, dict[str, list[int]]] = {}
    for hex_id, tile, rotation in lays:
        rows.setdefault(hex_id, {}).setdefault(tile, []).extend(tile_set.alike[tile][rotation])
    return {hex_id: {tile: sorted(rotations) for tile, rotations in row.items()} for hex_id, row in rows.items()}
