"""Train cards: each may show several faces, one of which is in use."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from ostbahn.kernel.native import Lookup


class Train(NamedTuple):
    """A train card outside the bank's stack, lying on one of its faces."""

    card: str
    """Letter and number, as in `d2`."""
    face: str
    """As in `3+3`."""

    @property
    def letter(self) -> str:
        return self.card[0]


class FaceSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of train, by its face."""

    size: str
    """Which companies run it: small, medium or large."""
    cities: int
    stops: int
    skips_towns: bool = False
    bonuses: int = 0
    """How many bonuses of stops it collects on its route."""
    scraps: tuple[str, ...] = ()
    """The faces that leave the game when one of these is sold."""


class CardSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """All cards of one letter: how many (None: as many as wanted) and the price of each face."""

    letter: str
    count: int | None
    faces: Lookup[str, int]


class Stack:
    """The bank's stack of train cards, in the order in which they are sold."""

    def __init__(self, cards: tuple[CardSpec, ...]) -> None:
        self.letters = tuple(spec.letter for spec in cards)
        self.spec = {spec.letter: spec for spec in cards}
        self._finite = [f"{spec.letter}{number}" for spec in cards for number in range(1, (spec.count or 0) + 1)]
        self._last = cards[-1].letter

    def card(self, gone: int) -> str:
        """The card that lies on top after so many have gone."""
        if gone < len(self._finite):
            return self._finite[gone]
        return f"{self._last}{gone - len(self._finite) + 1}"

    def price(self, train: Train) -> int:
        return self.spec[train.letter].faces[train.face]
