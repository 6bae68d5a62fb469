"""The clocks of a table, and what is voted on, as a page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.orm import Session

from ostbahn.server.clocks import ledger
from ostbahn.server.clocks.clock import Running, asked_now, ends_at, left
from ostbahn.server.clocks.votes import ENDS, Vote, Votes, worded
from ostbahn.table.access import Access
from ostbahn.table.room import Room, names_by_seat
from ostbahn.table.slots import ClocksView, SeatClockView, VoteView, in_words


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
    names = names_by_seat(room.game.setup)
    return VoteView(
        number=vote.number,
        by=", ".join(names[seat] for seat in vote.by),
        words=worded(vote.motion, names),
        missing=tuple(names[seat] for seat in vote.missing),
        ask_me=bool(set(who.seats) & set(vote.missing)),
    )
