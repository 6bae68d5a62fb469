"""The state of a game: set-up, tasks, train cards and tables as plain data, cheap to copy, with a stable digest."""

from __future__ import annotations

import hashlib
from operator import is_
from typing import Any, Final, NamedTuple, Self

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from ostbahn.kernel.map.board import Board
from ostbahn.kernel.native import Lookup


class Task(Struct, frozen=True, gc=False, tag_field="task"):
    """A small piece of work, such as "ABC, lay track"; plain data that can be saved, copied and sent."""


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All choices before the first action."""

    title: str
    variant: str
    players: tuple[str, ...]
    seed: int = 1
    draws: tuple[int, ...] | UnsetType = UNSET
    """The recorded draws that the game begins with; later ones come from the seed. A copy of a running game has the
    draws of the original and a seed of its own. Games without this field use the generator of 18xx.games."""
    draw_order: bool = True
    """Whether the first playing order is drawn, or is the given one."""
    rulings: Lookup[str, str] = {}
    """Ruling to value."""
    board: str | None = None
    """The text of a board file that replaces the title's board."""
    deck: str | None = None
    """The text of a card file that replaces the title's cards."""
    options: Lookup[str, str] = {}
    """Other choices of the variant, with their values."""
    modules: tuple[str, ...] = ()
    """Modules of expansions in play, in the order of the catalogue."""

    def deep_copy(self) -> Setup:
        """An equal set-up that shares no mapping with this one."""
        return structs.replace(self, rulings={**self.rulings}, options={**self.options})


class Train(NamedTuple):
    """A train card outside the bank's stack, lying on one of its faces."""

    card: str
    """Letter and number: `d2`."""
    face: str
    """`3+3`."""

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
    """The number of stops whose bonus it collects."""
    scraps: tuple[str, ...] = ()
    """The faces that are scrapped when one of these is sold."""


class CardSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """All cards of one letter: their number (None: unlimited) and the price of each face."""

    letter: str
    faces: Lookup[str, int]
    count: int | None = None


class Stack:
    """The bank's stack of train cards, in order of sale."""

    def __init__(self, cards: tuple[CardSpec, ...]) -> None:
        self.letters = tuple(spec.letter for spec in cards)
        self.spec = {spec.letter: spec for spec in cards}
        self._finite = [f"{spec.letter}{number}" for spec in cards for number in range(1, (spec.count or 0) + 1)]
        self._last = cards[-1].letter

    def card(self, gone: int) -> str:
        """The top card after `gone` cards have left."""
        if gone < len(self._finite):
            return self._finite[gone]
        return f"{self._last}{gone - len(self._finite) + 1}"

    def price(self, train: Train) -> int:
        return self.spec[train.letter].faces[train.face]


class RngState(Struct, frozen=True, gc=False):
    """The generator's state in a game that records its draws."""

    value: int
    """The state of the generator; below 2 ** 31 that of 18xx.games."""
    draws: tuple[int, ...] = ()
    """The results of draws: an index for each thing drawn. A copy of a game begins with those of the original."""
    used: int = 0
    """The number of recorded draws used; when all are used, the generator makes the next."""


class State(Struct, kw_only=True, gc=False):
    """The state common to all 18xx games. Seats are p1, p2, …; companies have their letters."""

    players: tuple[str, ...]
    order: tuple[str, ...]
    """The players in playing order."""
    cash: Lookup[str, int]
    certificates: Lookup[str, tuple[str, ...]]
    """The holders of each company's certificates; the first is the Director's certificate."""
    chart: tuple[tuple[str, ...], ...]
    """The markers on each space of the share-price chart, lowest price first, from top to bottom."""
    board: Board
    supply: Lookup[str, int]
    """Tiles left beside the board."""
    phase: str
    trains: Lookup[str, tuple[Train, ...]]
    revenue: Lookup[str, int]
    """The last income of each company."""
    agenda: tuple[Task, ...]

    @property
    def digest(self) -> str:
        """A hash, equal for equal states in every process."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()[:16]

    def deep_copy(self) -> Self:
        """An equal state that shares no mutable value with this one."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__ if name != "board"}
        tables = {name: deep_copied(value) for name, value in fields.items() if type(value) not in ATOMS}
        return structs.replace(self, board=self.board.deep_copy(), **tables)


ATOMS: Final = frozenset({int, str, bool, float, type(None)})
"""Immutable types."""


def deep_copied(value: Any) -> Any:
    """Copy mappings at every depth; share values that hold none."""
    if isinstance(value, dict):
        if ATOMS.issuperset(map(type, value.values())):
            return dict(value)
        return {key: deep_copied(part) for key, part in value.items()}
    if isinstance(value, tuple):
        if ATOMS.issuperset(map(type, value)):
            return value
        parts = [*map(deep_copied, value)]
        if all(map(is_, parts, value)):
            return value
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    if isinstance(value, Struct):
        fields = structs.asdict(value)
        if ATOMS.issuperset(map(type, fields.values())):
            return value
        own = {name: deep_copied(part) for name, part in fields.items()}
        return value if all(map(is_, own.values(), fields.values())) else structs.replace(value, **own)
    return value
