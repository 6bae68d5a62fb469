"""Traces: the state after every action of a file, and what was legal before it, as JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from ostbahn.interop.imported import Imported
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.tiles import TileSet
from ostbahn.kits.catalogue import site_of

TraceLine = dict[str, Any]


def trace_lines(imported: Imported) -> Iterator[TraceLine]:
    """One line per action that took effect, and one before the first."""
    for mark in imported.marks:
        yield {"id": mark.id, **state_line(imported.game.at(mark.actions))}


def state_line(game: Game) -> TraceLine:
    return site_of(game).state_line(game)


def legal_lines(imported: Imported) -> Iterator[TraceLine]:
    """Before each action in a company's turn: what it could lay, and where it could put a station."""
    for mark, following in pairwise(imported.marks):
        line = legal_line(imported.game.at(mark.actions), mark.lingering)
        if line is not None:
            yield {"before": following.id, **line}


def legal_line(game: Game, lingering: bool = False) -> TraceLine | None:
    return site_of(game).legal_line(game, lingering)


def by_hex(tile_set: TileSet, lays: Iterable[tuple[str, str, int]]) -> TraceLine:
    """Tiles and rotations for each hex; where one rotation was listed for all that look the same, all of them."""
    rows: dict[str, dict[str, list[int]]] = {}
    for hex_id, tile, rotation in lays:
        rows.setdefault(hex_id, {}).setdefault(tile, []).extend(tile_set.alike[tile][rotation])
    return {hex_id: {tile: sorted(rotations) for tile, rotations in row.items()} for hex_id, row in rows.items()}
