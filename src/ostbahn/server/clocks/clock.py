"""Clocks, as a pure function of who was asked since when and of the stretches in which they stood still.

Nobody ticks them: how much time is left follows from moments that were written down, whenever somebody wants to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

from ostbahn.server.games.turns import Asked
from ostbahn.table.slots import TableClock

NOTHING: Final = timedelta(0)


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
