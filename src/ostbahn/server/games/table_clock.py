"""The clock of a table as its players choose it: how much time there is, and what happens when it is up."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from ostbahn.kernel.errors import BadSetup

ClockKind = Literal["move", "game", "days"]
ClockEnd = Literal["tell", "bot_once", "bot_stays"]

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
SPANS: Final = {"move": (10, DAY), "game": (MINUTE, 30 * DAY), "days": (DAY, 30 * DAY)}
"""How little and how much time there is, in seconds."""
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


def check(clock: TableClock) -> TableClock:
    """Say what is wrong with a clock that somebody has chosen."""
    least, most = SPANS[clock.kind]
    if not least <= clock.seconds <= most:
        raise BadSetup(f"a clock of this kind has {least} seconds to {most // HOUR} hours, not {clock.seconds} seconds")
    if not 0 <= clock.increment <= LONGEST_INCREMENT or (clock.increment and clock.kind != "game"):
        raise BadSetup("at most an hour comes back with each turn, and only where there is time for the whole game")
    return clock


def in_words(clock: TableClock | None) -> str:
    """A clock as it is told at the table."""
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
            parts.append(f"{number} {name}{'' if number == 1 else 's'}")
    return " ".join(parts[:2]) or "0 seconds"
