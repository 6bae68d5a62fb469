"""What follows from the tiles of a board, handed down from board to board as far as a lay leaves it as it was."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ostbahn.kernel.map.tiles import Face


class OnHexes(Protocol):
    """Something that follows from the tiles of some hexes."""

    @property
    def hexes(self) -> AbstractSet[str]: ...


class Nearby:
    """What follows from the tiles of some hexes: it holds on every board on which these lie as they did.

    A board that was made of another by one tile looks there, too. What that tile does not touch is handed down when the
    next one is laid; so no board holds on to all those before it.
    """

    __slots__ = ("before", "changed", "faces", "known", "stale")

    def __init__(self, before: dict[object, OnHexes] | None = None, changed: str = "") -> None:
        self.known: dict[object, OnHexes] = {}
        self.before = before
        """What is known of the board of which this one was made,"""
        self.changed = changed
        """by another tile on this hex."""
        self.faces: list[Face] | None = None
        """What lies on each hex, by its number; where hexes are stale, on the board of which this one was made."""
        self.stale: tuple[str, ...] = ()

    def get(self, key: object) -> OnHexes | None:
        found = self.known.get(key)
        if found is None and self.before is not None:
            found = self.before.get(key)
            if found is not None and self.changed in found.hexes:
                return None
        return found

    def separate(self) -> Nearby:
        """The same, to which another board can add without this one noticing."""
        twin = Nearby(self.before, self.changed)
        twin.known, twin.faces, twin.stale = self.known.copy(), self.faces, self.stale
        return twin

    def after(self, hex_id: str) -> Nearby:
        """The same for a board with another tile on a hex."""
        if self.before is not None:
            kept = {key: each for key, each in self.before.copy().items() if self.changed not in each.hexes}
            self.known = kept | self.known
            self.before = None
        later = Nearby(self.known, hex_id)
        later.faces, later.stale = self.faces, (*self.stale, hex_id)
        return later
