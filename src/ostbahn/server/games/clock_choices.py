"""Clocks to choose from, where a table is set up and where its people vote on another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import structs

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.games.table_clock import DAY, HOUR, MINUTE, ClockEnd, ClockKind, TableClock, in_words

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


def code_of(clock: TableClock) -> str:
    return f"{clock.kind}-{clock.seconds}-{clock.increment}"


CLOCKS: Final[Mapping[str, Mapping[str, TableClock]]] = {
    group: {
        code_of(clock): clock
        for seconds, more in spans
        for clock in (TableClock(kind=kind, seconds=seconds, increment=more),)
    }
    for group, (kind, spans) in GROUPS.items()
}
"""By group and code."""
LABELS: Final = {code: in_words(clock) for clocks in CLOCKS.values() for code, clock in clocks.items()}


def clock_coded(code: str, end: str) -> TableClock | None:
    """The clock that was chosen in a form."""
    if code in ("", NONE):
        return None
    found = next((clocks[code] for clocks in CLOCKS.values() if code in clocks), None)
    if found is None:
        raise BadSetup("this is none of the clocks there are to choose from")
    ends: dict[str, ClockEnd] = {str(each): each for each in END_WORDS}
    if end not in ends:
        raise BadSetup(f"what happens at the end of the time is one of {', '.join(ends)}, not {end!r}")
    return structs.replace(found, end=ends[end])
