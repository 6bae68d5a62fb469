"""What only a server adds to a table: people who chat, come and go, vote, and have clocks.

A table without a server leaves all of it empty, but for what a planning board says of its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from msgspec import Struct

from ostbahn.programmed.moves import AnyMove
from ostbahn.table.plan_view import PlanView
from ostbahn.table.time_control import TableClock


class Present(NamedTuple):
    """Those at a table."""

    seats: frozenset[str] = frozenset()
    """Seats whose players look at it."""
    watching: int = 0
    """How many others do."""


NOBODY: Final = Present()


class Message(Struct, frozen=True):
    """A line of the chat."""

    id: int
    who: str
    text: str
    at: datetime


class Proposal(Struct, frozen=True):
    """To take back all answers after the first `keep`."""

    by: tuple[str, ...]
    keep: int
    agreed: tuple[str, ...]
    missing: tuple[str, ...]
    """Seats that have not said anything yet."""
    unasked: tuple[str, ...] = ()
    """Seats whose link somebody has lost who saw what would be taken back: nobody can say whether they would agree."""


class PreparedView(Struct, frozen=True, kw_only=True):
    """A move that you have prepared."""

    id: int
    seat: str
    move: AnyMove
    """The move."""
    words: str
    ended: str
    """Why it no longer stands; empty while it does."""
    done: bool
    """Whether it was carried out, or its purpose is over."""


class SeatClockView(Struct, frozen=True, kw_only=True):
    """How much time a player has."""

    seat: str
    left: int | None
    """Seconds left, while their clock stands still; null while it runs."""
    until: datetime | None
    """When their time is up, while their clock runs; null while it stands still."""
    away_until: datetime | None
    """The end of their holiday; null if they are not away."""


class VoteView(Struct, frozen=True, kw_only=True):
    """A proposal about the clock."""

    number: int
    """The number of the proposal. Send it with your reply."""
    by: str
    """The name of whoever proposes it."""
    words: str
    missing: tuple[str, ...]
    """The names of those who have not replied yet."""
    ask_me: bool


class ClocksView(Struct, frozen=True, kw_only=True):
    """The clock of the table, and how much time everybody has."""

    clock: TableClock | None
    words: str
    """The clock, and what happens when time is up, in words."""
    paused: bool
    now: datetime
    """The time of the server."""
    seats: tuple[SeatClockView, ...]
    """The clock of each player."""
    seen: Mapping[str, datetime]
    """When each seat was last at the table."""
    vote: VoteView | None


class Slots(NamedTuple):
    """What a server fills in at one moment, for one viewer."""

    proposal: Proposal | None = None
    messages: tuple[Message, ...] = ()
    present: Present = NOBODY
    prepared: tuple[PreparedView, ...] = ()
    plan: PlanView | None = None
    """How a planning board stands to its game; tables without a server have these too."""
    clocks: ClocksView | None = None


EMPTY: Final = Slots()
