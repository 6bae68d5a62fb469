"""Clocks, as a pure function of who was asked since when and of the stretches in which they stood still.

Nobody ticks them: how much time is left follows from moments that were written down, whenever somebody wants to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

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
NOTHING: Final = timedelta(0)


class TableClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much time players have, and what happens when it is up."""

    kind: ClockKind
    """Time for each turn (`move`), for the whole game (`game`), or days for each turn, holidays excepted (`days`)."""
    seconds: int
    increment: int = 0
    """Seconds added with every turn, where time is for the whole game."""
    end: ClockEnd = "tell"
    """When time is up: `tell` all players, let a bot answer once (`bot_once`), or give it the seat (`bot_stays`)."""


class Asked(NamedTuple):
    """From this moment on a seat was asked, until the next such line."""

    version: int
    seat: str | None
    turn: int
    at: datetime


class Stretch(NamedTuple):
    begins: datetime
    ends: datetime


class More(NamedTuple):
    """Time that was given to somebody by a vote."""

    seat: str
    turn: int
    """Where there is time for each turn, it counts in this one only."""
    seconds: int


class Running(NamedTuple):
    """All that a clock is read from."""

    clock: TableClock
    since: datetime
    """When this clock was chosen; what was before does not count."""
    asked: Sequence[Asked]
    still: Sequence[Stretch] = ()
    """When it stood for everybody: pauses, and while no worker ran."""
    away: Mapping[str, Sequence[Stretch]] = MappingProxyType({})
    """Holidays by seat; they count for clocks of days."""
    more: Sequence[More] = ()
    paused: bool = False
    serial: int = 0
    """Tells what was decided about the clock so far from what it was before."""


def check(clock: TableClock) -> TableClock:
    """Say what is wrong with a clock that somebody has chosen."""
    least, most = SPANS[clock.kind]
    if not least <= clock.seconds <= most:
        raise BadSetup(f"a clock of this kind has {least} seconds to {most // HOUR} hours, not {clock.seconds} seconds")
    if not 0 <= clock.increment <= LONGEST_INCREMENT or (clock.increment and clock.kind != "game"):
        raise BadSetup("at most an hour comes back with each turn, and only where there is time for the whole game")
    return clock


def asked_now(running: Running) -> Asked | None:
    """Who is asked; None once the game is over."""
    last = running.asked[-1] if running.asked else None
    return None if last is None or last.seat is None else last


def left(running: Running, seat: str, now: datetime) -> timedelta:
    """How much time somebody has; less than none where it has been over for a while."""
    clock, turn = running.clock, _turn(running, seat)
    if clock.kind == "game":
        used = _used(running, seat, None, now)
        gained = clock.increment * _turns_over(running, seat)
        given = sum(more.seconds for more in running.more if more.seat == seat)
    else:
        used = _used(running, seat, turn, now) if turn else NOTHING
        gained = 0
        given = sum(more.seconds for more in running.more if more.seat == seat and turn and more.turn == turn)
    return timedelta(seconds=clock.seconds + gained + given) - used


def ends_at(running: Running, now: datetime, rest: timedelta = NOTHING) -> datetime | None:
    """When the time of whoever is asked is over, or so much is left; None if their clock does not run."""
    last = asked_now(running)
    if last is None or last.seat is None or not last.turn or running.paused:
        return None
    return after(now, left(running, last.seat, now) - rest, _still(running, last.seat))


def after(now: datetime, span: timedelta, still: Iterable[Stretch]) -> datetime:
    """The moment at which so much time has gone by, not counting when the clock will stand."""
    moment = now
    for stretch in merged(still):
        if stretch.ends <= moment:
            continue
        if moment + span <= stretch.begins:
            break
        span -= max(NOTHING, stretch.begins - moment)
        moment = stretch.ends
    return moment + span


def _turn(running: Running, seat: str) -> int:
    """The turn that somebody is in; 0 if they are not asked."""
    last = asked_now(running)
    return last.turn if last is not None and last.seat == seat else 0


def _turns_over(running: Running, seat: str) -> int:
    """How many turns somebody has had since the clock was chosen."""
    ends = [*(line.at for line in running.asked[1:]), None]
    lines = zip(running.asked, ends, strict=True)
    had = {line.turn for line, end in lines if line.seat == seat and line.turn and end and end >= running.since}
    return len(had - {_turn(running, seat)})


def _used(running: Running, seat: str, turn: int | None, now: datetime) -> timedelta:
    """How much time somebody took: in one turn, or in all of them."""
    ends = [*(line.at for line in running.asked[1:]), now]
    still = _still(running, seat)
    return sum(
        (
            counted(Stretch(max(line.at, running.since), end), still)
            for line, end in zip(running.asked, ends, strict=True)
            if line.seat == seat and line.turn and turn in (None, line.turn)
        ),
        NOTHING,
    )


def _still(running: Running, seat: str) -> list[Stretch]:
    away = running.away.get(seat, ()) if running.clock.kind == "days" else ()
    return merged((*running.still, *away))


def counted(stretch: Stretch, still: Sequence[Stretch]) -> timedelta:
    """The length of a stretch without those in which the clock stood; nothing where a clock has jumped back."""
    length = max(NOTHING, stretch.ends - stretch.begins)
    for each in still:
        length -= max(NOTHING, min(stretch.ends, each.ends) - max(stretch.begins, each.begins))
    return max(NOTHING, length)


def merged(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The same without overlaps, in their order."""
    found: list[Stretch] = []
    for begins, ends in sorted(stretches):
        if found and begins <= found[-1].ends:
            found[-1] = Stretch(found[-1].begins, max(found[-1].ends, ends))
        elif ends > begins:
            found.append(Stretch(begins, ends))
    return found


def between(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The gaps between stretches."""
    joined = merged(stretches)
    return [Stretch(one.ends, other.begins) for one, other in pairwise(joined)]


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
