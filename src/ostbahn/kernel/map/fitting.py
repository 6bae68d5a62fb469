"""Which tiles fit which hex: worked out once for a map and a tile set, whoever lays them and whatever is left."""

from __future__ import annotations

from ostbahn.kernel.map.board import Hex
from ostbahn.kernel.map.tiles import COLOURS, Face, TileSet, preserves
from ostbahn.kernel.native import Lookup

Fits = Lookup[str, tuple[int, ...]]
"""Tile to rotations."""

Apart = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
"""Tiles with those rotations that look different, and the sides that their track comes to."""


def label_for(hex_: Hex, colour: str) -> str | None:
    """The label that tiles of a colour must bear on a hex."""
    printed = hex_.printed
    if printed.label_from is not None and COLOURS.index(colour) < COLOURS.index(printed.label_from):
        return None
    return printed.label


def lies_well(hex_: Hex, face: Face) -> bool:
    """Whether all track of a face leads where track may lead."""
    if face.exits & ~hex_.marked or hex_.stubs & ~face.exits:
        return False
    return not hex_.shores or all(any(not pair & ~shore for shore in hex_.shores) for pair in face.pairs)


def carrying_on(fits: Apart, sides: int, tiles: set[str]) -> list[tuple[str, int]]:
    """Those of some tiles, with their rotations, whose track meets what comes to some sides."""
    found: list[tuple[str, int]] = []
    for name, turns in fits:
        if name in tiles:
            for rotation, exits in turns:
                if exits & sides:
                    found.append((name, rotation))
    return found


class Fitting:
    """Tiles and rotations by hex and by what lies on it."""

    def __init__(self, tile_set: TileSet) -> None:
        self.tile_set = tile_set
        self._known: dict[str, dict[tuple[str, int] | None, Fits]] = {}
        self._apart: dict[str, dict[tuple[str, int] | None, Apart]] = {}

    def of(self, hex_: Hex, laid: tuple[str, int] | None) -> Fits:
        known = self._known.setdefault(hex_.id, {})
        found = known.get(laid)
        if found is None:
            found = known[laid] = self._first(hex_) if laid is None else self._next(hex_, laid[0], laid[1])
        return found

    def apart(self, hex_: Hex, laid: tuple[str, int] | None) -> Apart:
        """The same where one rotation stands for all that look the same."""
        known = self._apart.get(hex_.id)
        if known is None:
            known = self._apart[hex_.id] = {}
        found = known.get(laid)
        if found is None:
            faces, distinct = self.tile_set.faces, self.tile_set.distinct
            found = known[laid] = tuple(
                (name, tuple((rotation, faces[name][rotation].exits) for rotation in distinct(name, rotations)))
                for name, rotations in self.of(hex_, laid).items()
            )
        return found

    def _first(self, hex_: Hex) -> Fits:
        printed = hex_.printed
        if printed.ground not in ("open", "yellow"):
            return {}
        colour = "green" if printed.ground == "yellow" else "yellow"
        found = {}
        for name, tile in self.tile_set.tiles.items():
            if tile.colour == colour and tile.label == label_for(hex_, colour):
                rotations = tuple(turn for turn in self._turns(name) if self._begins(hex_, name, turn))
                if rotations:
                    found[name] = rotations
        return found

    def _begins(self, hex_: Hex, name: str, rotation: int) -> bool:
        face = self.tile_set.faces[name][rotation]
        if not lies_well(hex_, face):
            return False
        return preserves(hex_.face, face) if hex_.printed.track else face.kinds == hex_.face.kinds

    def _next(self, hex_: Hex, laid: str, laid_rotation: int) -> Fits:
        found = {}
        for name, turns in self.tile_set.promotions[laid].items():
            tile = self.tile_set.tiles[name]
            if tile.label != label_for(hex_, tile.colour):
                continue
            rotations = tuple(
                rotation
                for rotation in sorted((laid_rotation + turn) % 6 for turn in turns)
                if rotation in self._turns(name) and lies_well(hex_, self.tile_set.faces[name][rotation])
            )
            if rotations:
                found[name] = rotations
        return found

    def _turns(self, name: str) -> tuple[int, ...]:
        allowed = self.tile_set.tiles[name].rotations
        return tuple(range(6)) if allowed is None else allowed
