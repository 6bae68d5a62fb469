"""The set-up of a game."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType, structs

from ostbahn.kernel.native import Lookup


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What has to be said before the first action."""

    title: str
    variant: str
    players: tuple[str, ...]
    seed: int = 1
    draws: tuple[int, ...] | UnsetType = UNSET
    """Of a game that notes its draws, those with which it begins: a copy of a game that others still play has the draws
    made there, and a seed of its own for the later ones. Games without this field have the generator of 18xx.games."""
    draw_order: bool = True
    """Whether the first playing order is drawn from the seed, or is the one given."""
    rulings: Lookup[str, str] = {}
    """All switches with their values."""
    board: str | None = None
    """The text of a board file, where another board than that of the title is used."""
    deck: str | None = None
    """The text of a file with cards, where others than those of the title are used."""
    options: Lookup[str, str] = {}
    """What else has to be chosen in a variant, with its values."""
    modules: tuple[str, ...] = ()
    """Parts of an expansion that are played with, in the order of the catalogue."""

    def separate(self) -> Setup:
        """An equal set-up with tables of its own."""
        return structs.replace(self, rulings={**self.rulings}, options={**self.options})
