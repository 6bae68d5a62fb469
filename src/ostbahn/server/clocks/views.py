"""The clocks of a table, and what is voted on, as a page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct
from sqlalchemy.orm import Session

from ostbahn.server.clocks import ledger
from ostbahn.server.clocks.clock import Running, asked_now, ends_at, left
from ostbahn.server.clocks.votes import ENDS, Vote, Votes, worded
from ostbahn.server.games.access import Access
from ostbahn.server.games.table_clock import TableClock, in_words
from ostbahn.table.room import Room, seats_of


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


def no_clocks_view(now: datetime, seen: Mapping[str, datetime]) -> ClocksView:
    """Of a table about whose time nothing was ever decided."""
    return ClocksView(clock=None, words=in_words(None), paused=False, now=now, seats=(), seen=seen, vote=None)


def clocks_view(
    session: Session, room: Room, who: Access, votes: Votes, now: datetime, seen: Mapping[str, datetime]
) -> ClocksView:
    running = None if room.game.over else ledger.read(session, room.id, now)
    clock = None if running is None else running.clock
    return ClocksView(
        clock=clock,
        words=in_words(clock) + (f"; {ENDS[clock.end]}" if clock is not None else ""),
        paused=running is not None and running.paused,
        now=now,
        seats=() if running is None else tuple(_seat(running, seat, now) for seat in room.persons),
        seen=seen,
        vote=_vote(room, who, votes.standing(session, room)),
    )


def _seat(running: Running, seat: str, now: datetime) -> SeatClockView:
    last = asked_now(running)
    away = max((each.ends for each in running.away.get(seat, ()) if each.begins <= now < each.ends), default=None)
    runs = last is not None and last.seat == seat and not running.paused and away is None
    return SeatClockView(
        seat=seat,
        left=None if runs else max(0, round(left(running, seat, now).total_seconds())),
        until=ends_at(running, now) if runs else None,
        away_until=away,
    )


def _vote(room: Room, who: Access, vote: Vote | None) -> VoteView | None:
    if vote is None:
        return None
    names = dict(zip(seats_of(room.game.setup), room.game.setup.players, strict=True))
    return VoteView(
        number=vote.number,
        by=", ".join(names[seat] for seat in vote.by),
        words=worded(vote.motion, names),
        missing=tuple(names[seat] for seat in vote.missing),
        ask_me=bool(set(who.seats) & set(vote.missing)),
    )
