"""The state of a game: plain data, cheap to copy, equal when equal, with a stable digest.

Nothing in a state is ever changed in place: a change replaces the whole table (a mapping or tuple).
So a copy is a shallow copy, and earlier states stay as they were. Nothing in it leads back to it, so the collector of
garbage, which looks for circles, need not look here (`gc=False`, as for actions, tasks and events).
"""

from __future__ import annotations

import hashlib
from operator import is_
from typing import Any, Final, Self

import msgspec
from msgspec import Struct, structs

from ostbahn.kernel.agenda import Task
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.trains import Train


class RngState(Struct, frozen=True, gc=False):
    """Where chance stands in a game that notes its draws."""

    value: int
    """Of the generator: below 2 ** 31 that of 18xx.games."""
    draws: tuple[int, ...] = ()
    """The result of every draw: an index for each thing drawn. A copy of a game begins with those of the original."""
    used: int = 0
    """How many of them have been drawn; the next draw is made by the generator once none is left."""


class State(Struct, kw_only=True, gc=False):
    """What lies on the table in every 18xx game. Seats are called p1, p2, …; companies by their letters."""

    players: tuple[str, ...]
    order: tuple[str, ...]
    """The players by their Playing Order cards, lowest first."""
    cash: Lookup[str, int]
    certificates: Lookup[str, tuple[str, ...]]
    """For each company who holds its certificates; number 0 is the Director's."""
    chart: tuple[tuple[str, ...], ...]
    """For each space of the share-price chart, lowest first, the markers on it from top to bottom."""
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
        """The same for equal states, in every process."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()[:16]

    def separate(self) -> Self:
        """An equal state with tables of its own, for somebody who may write into them."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__ if name != "board"}
        tables = {name: separated(value) for name, value in fields.items() if type(value) not in ATOMS}
        return structs.replace(self, board=self.board.separate(), **tables)


ATOMS: Final = frozenset({int, str, bool, float, type(None)})
"""What nobody can write into."""


def separated(value: Any) -> Any:
    """The same, with tables of its own at every depth; what holds none is shared."""
    if isinstance(value, dict):
        if ATOMS.issuperset(map(type, value.values())):
            return dict(value)
        return {key: separated(part) for key, part in value.items()}
    if isinstance(value, tuple):
        if ATOMS.issuperset(map(type, value)):
            return value
        parts = [*map(separated, value)]
        if all(map(is_, parts, value)):
            return value
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    if isinstance(value, Struct):
        fields = structs.asdict(value)
        if ATOMS.issuperset(map(type, fields.values())):
            return value
        own = {name: separated(part) for name, part in fields.items()}
        return value if all(map(is_, own.values(), fields.values())) else structs.replace(value, **own)
    return value
