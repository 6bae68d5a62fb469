"""The state of a game: plain data, cheap to copy, equal when equal, with a stable digest.

Nothing in a state is ever changed in place: a change replaces the whole table (a mapping or tuple).
So a copy is a shallow copy, and earlier states stay as they were. Nothing in it leads back to it, so the collector of
garbage, which looks for circles, need not look here (`gc=False`, as for actions, tasks and events).
"""

from __future__ import annotations

import hashlib
from typing import Self

import msgspec
from msgspec import Struct

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
        twin = msgspec.json.decode(msgspec.json.encode(self), type=type(self))  # MessagePack has no room for long seeds
        twin.board = self.board.separate()
        return twin
