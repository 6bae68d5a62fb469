"""What only a server adds to a table: chat, presence, votes, clocks and their time controls."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple

from msgspec import Struct, structs

from ostbahn.kernel.errors import BadSetup
from ostbahn.programmed.moves import AnyProgrammedMove
from ostbahn.table.plans import PlanView
from ostbahn.text.words import plural

ClockKind = Literal["move", "game", "days"]
ClockEnd = Literal["tell", "bot_once", "bot_stays"]

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
SPANS: Final = {"move": (10, DAY), "game": (MINUTE, 30 * DAY), "days": (DAY, 30 * DAY)}
"""The least and most time in seconds, by kind of clock."""
LONGEST_INCREMENT: Final = HOUR


class TableClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much time players have, and what happens when it is up."""

    kind: ClockKind
    """Time for each turn (`move`), for the whole game (`game`), or days for each turn, holidays excepted (`days`)."""
    seconds: int
    increment: int = 0
    """Seconds added with every turn, where time is for the whole game."""
    end: ClockEnd = "tell"
    """When time is up: `tell` all players, let a bot answer once (`bot_once`), or give it the seat (`bot_stays`)."""


def check_clock(clock: TableClock) -> TableClock:
    """Return the clock; raise if its times are out of range."""
    least, most = SPANS[clock.kind]
    if not least <= clock.seconds <= most:
        raise BadSetup(f"a clock of this kind has {least} seconds to {most // HOUR} hours, not {clock.seconds} seconds")
    if not 0 <= clock.increment <= LONGEST_INCREMENT or (clock.increment and clock.kind != "game"):
        raise BadSetup("at most an hour comes back with each turn, and only where there is time for the whole game")
    return clock


def clock_in_words(clock: TableClock | None) -> str:
    if clock is None:
        return "no clock"
    span = duration(clock.seconds)
    if clock.kind == "game":
        extra = f" and {duration(clock.increment)} more with each turn" if clock.increment else ""
        return f"{span} for the whole game{extra}"
    return f"{span} for each turn"


def duration(seconds: int) -> str:
    """`2 days`, `1 hour 30 minutes`."""
    parts = []
    for size, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (1, "second")):
        number, seconds = divmod(seconds, size)
        if number:
            parts.append(plural(number, name))
    return " ".join(parts[:2]) or "0 seconds"


# Clocks to choose from

GROUPS: Final[Mapping[str, tuple[ClockKind, tuple[tuple[int, int], ...]]]] = {
    "Days for each turn": ("days", ((DAY, 0), (2 * DAY, 0), (3 * DAY, 0), (7 * DAY, 0))),
    "Time for each turn": ("move", ((2 * MINUTE, 0), (5 * MINUTE, 0), (10 * MINUTE, 0), (HOUR, 0))),
    "Time for the whole game": ("game", ((30 * MINUTE, 10), (HOUR, 15), (2 * HOUR, 30), (4 * HOUR, 60))),
}
NONE: Final = "none"
END_WORDS: Final[Mapping[ClockEnd, str]] = {
    "tell": "nothing but that it is told",
    "bot_once": "a bot answers in this turn",
    "bot_stays": "a bot plays the seat for good",
}


CLOCKS: Final[Mapping[str, Mapping[str, TableClock]]] = {
    group: {
        f"{kind}-{seconds}-{more}": TableClock(kind=kind, seconds=seconds, increment=more) for seconds, more in spans
    }
    for group, (kind, spans) in GROUPS.items()
}
"""By group and code."""
LABELS: Final = {code: clock_in_words(clock) for clocks in CLOCKS.values() for code, clock in clocks.items()}


def clock_from_code(code: str, end: str) -> TableClock | None:
    if code in ("", NONE):
        return None
    clock = next((clocks[code] for clocks in CLOCKS.values() if code in clocks), None)
    if clock is None:
        raise BadSetup("this is none of the clocks there are to choose from")
    ends: dict[str, ClockEnd] = {str(known): known for known in END_WORDS}
    if end not in ends:
        raise BadSetup(f"what happens at the end of the time is one of {', '.join(ends)}, not {end!r}")
    return structs.replace(clock, end=ends[end])


class Attendance(NamedTuple):
    """Who has the table's page open."""

    seats: frozenset[str] = frozenset()
    watching: int = 0
    """The number of spectators."""


NOBODY: Final = Attendance()


class Message(Struct, frozen=True):
    """A line of the chat."""

    id: int
    who: str
    text: str
    at: datetime


class UndoProposal(Struct, frozen=True):
    """A proposal to undo all answers after the first `keep`."""

    by: tuple[str, ...]
    keep: int
    agreed: tuple[str, ...]
    missing: tuple[str, ...]
    """Seats that have not replied yet."""
    unasked: tuple[str, ...] = ()
    """Seats with a revoked link: its former player saw the answers to undo, and cannot be asked."""


class ProgrammedMoveView(Struct, frozen=True, kw_only=True):
    """A move that you have prepared."""

    id: int
    seat: str
    move: AnyProgrammedMove
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
    """What a server adds to a table at one moment, for one viewer."""

    proposal: UndoProposal | None = None
    messages: tuple[Message, ...] = ()
    present: Attendance = NOBODY
    prepared: tuple[ProgrammedMoveView, ...] = ()
    plan: PlanView | None = None
    """How a planning board compares with its game; tables without a server have it too."""
    clocks: ClocksView | None = None


EMPTY: Final = Slots()
