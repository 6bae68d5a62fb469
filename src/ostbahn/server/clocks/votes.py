"""Votes about the clock of a table, and the views of clocks and votes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy.orm import Session

from ostbahn.bots.registry import STRONGEST
from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.server.clocks import timekeeper
from ostbahn.server.clocks.clock import (
    ClockState,
    ExtraTime,
    VoteRow,
    append_clock_line,
    clock_lines,
    current_turn,
    expires_at,
    latest_clock,
    time_left,
)
from ostbahn.server.clocks.timekeeper import VOTE_FLAG
from ostbahn.server.events import bus
from ostbahn.server.games.listeners import Notification, last_turn_change
from ostbahn.server.games.service import GameService, mark_key_used
from ostbahn.table.access import Access, NotYours, Stale, joined, parted
from ostbahn.table.plans import PlanRoom
from ostbahn.table.room import ALL, Room, names_by_seat
from ostbahn.table.slots import (
    DAY,
    MINUTE,
    ClocksView,
    SeatClockView,
    TableClock,
    VoteView,
    check_clock,
    clock_in_words,
    duration,
)

LEAST_MORE, MOST_MORE = MINUTE, 7 * DAY
END_DESCRIPTIONS: Final = {
    "tell": "nothing happens at its end but that it is told",
    "bot_once": "at its end a bot answers in that turn",
    "bot_stays": "at its end a bot has the seat for good",
}


class Motion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A proposal about the clock."""

    what: Literal["clock", "pause", "resume", "more", "bot"]
    """`clock`: another clock. `pause`, `resume`. `more`: more time for a player. `bot`: a bot plays for a player who is
    away."""
    clock: TableClock | None = None
    """The new clock; null for none."""
    seat: str = ""
    """Who gets more time, or for whom a bot plays."""
    seconds: int = 0
    """How much more time."""


class Vote(NamedTuple):
    """An open vote."""

    number: int
    by: tuple[str, ...]
    motion: Motion
    missing: tuple[str, ...]
    """Seats that have not replied."""


class Votes:
    def __init__(self, game_service: GameService) -> None:
        self.game_service = game_service

    def current_vote(self, session: Session, room: Room) -> Vote | None:
        row = session.get(VoteRow, room.id)
        if row is None or not row.data or room.game.over:
            return None
        motion = msgspec.json.decode(row.data, type=Motion)
        agreed = parted(row.agreed)
        missing = tuple(seat for seat in voters(room, motion) if seat not in agreed)
        return Vote(row.number, parted(row.by), motion, missing)

    def propose(self, who: Access, motion: Motion) -> bool:
        """Open a vote; return whether it takes effect at once, as the proposer plays all human seats."""
        with self.game_service.changing(who.game) as (room, session):
            if isinstance(room, PlanRoom):
                raise Refused(Refusal("", "a plan has no clock"))
            if not set(who.seats) & set(room.persons):
                raise NotYours("only players have a say in this")
            self._check_motion(session, room, motion)
            mark_key_used(session, who)
            previous, seats = session.get(VoteRow, room.id), joined(who.seats)
            number = 1 if previous is None else previous.number + 1
            data = msgspec.json.encode(motion).decode()
            session.merge(VoteRow(game=room.id, number=number, by=seats, data=data, agreed=seats))
            self._notify_voters(session, room, who, motion, number)
            room.flags[VOTE_FLAG] = number
            return self._carry_out_if_unanimous(session, room, number)

    def reply(self, who: Access, number: int, agree: bool) -> bool:
        """Agree or object to a vote by its number; return whether it takes effect with this reply."""
        with self.game_service.changing(who.game) as (room, session):
            row = session.get(VoteRow, room.id)
            if row is None or not row.data or row.number != number:
                raise Stale("this is not asked any more; the table is up to date now")
            if not set(who.seats) & set(voters(room, msgspec.json.decode(row.data, type=Motion))):
                raise NotYours("only players have a say in this")
            mark_key_used(session, who)
            row.agreed = joined(dict.fromkeys((*parted(row.agreed), *who.seats)))
            if not agree:
                row.data = ""
            return self._carry_out_if_unanimous(session, room, number)

    def _check_motion(self, session: Session, room: Room, motion: Motion) -> None:
        clock = latest_clock(clock_lines(session, room.id))
        if room.game.over:
            raise Refused(Refusal("", "the game is over"))
        if motion.clock is not None:
            check_clock(motion.clock)
        if motion.what in ("pause", "resume", "more") and clock is None:
            raise Refused(Refusal("", "there is no clock at this table"))
        if motion.what in ("more", "bot") and motion.seat not in room.persons:
            raise Refused(Refusal("", "nobody sits there who could have that"))
        if motion.what == "bot" and len(room.persons) < 2:
            raise Refused(Refusal("", "nobody else is at the table who could decide that"))
        if motion.what == "more" and not LEAST_MORE <= motion.seconds <= MOST_MORE:
            raise Refused(Refusal("", f"one can give {duration(LEAST_MORE)} to {duration(MOST_MORE)} more"))

    def _notify_voters(self, session: Session, room: Room, who: Access, motion: Motion, number: int) -> None:
        names = names_by_seat(room.game.setup)
        detail = f"{', '.join(names[seat] for seat in who.seats)} would like this: {motion_text(motion, names)}."
        others = [seat for seat in voters(room, motion) if seat not in who.seats]
        self.game_service.notify(
            session, [Notification("vote", room.id, seat, f"time-{number}", detail) for seat in others]
        )

    def _carry_out_if_unanimous(self, session: Session, room: Room, number: int) -> bool:
        """Carry the motion out in the transaction of the last reply; return whether it passed."""
        session.flush()
        vote = self.current_vote(session, room)
        passed = vote is not None and vote.number == number and not vote.missing
        if vote is not None and passed:
            session.get_one(VoteRow, room.id).data = ""
            self._carry_out(session, room, vote.motion)
        bus.publish(session, room.id, "proposal", room.version)
        return passed

    def _carry_out(self, session: Session, room: Room, motion: Motion) -> None:
        game, now = room.id, self.game_service.clock()
        if motion.what == "bot":
            self.game_service.give_to_bot(session, room, motion.seat, STRONGEST, ALL)
            return
        if motion.what == "clock":
            append_clock_line(session, game, "set", now, motion.clock)
        elif motion.what == "more":
            last = last_turn_change(session, game)
            turn = last.turn if last is not None and last.seat == motion.seat else 0
            append_clock_line(session, game, "more", now, ExtraTime(motion.seat, turn, motion.seconds))
        else:
            append_clock_line(session, game, motion.what, now)
        timekeeper.schedule_alarms(session, game, now)


def voters(room: Room, motion: Motion) -> tuple[str, ...]:
    """All human seats, except the one that a bot would take."""
    return tuple(seat for seat in room.persons if motion.what != "bot" or seat != motion.seat)


def motion_text(motion: Motion, names: dict[str, str]) -> str:
    if motion.what == "clock":
        return _clock_text(motion.clock)
    if motion.what == "more":
        return f"{duration(motion.seconds)} more for {names.get(motion.seat, motion.seat)}"
    if motion.what == "bot":
        return f"a bot plays for {names.get(motion.seat, motion.seat)} from now on"
    return {"pause": "the clocks stand still for a while", "resume": "the clocks run again"}[motion.what]


def _clock_text(clock: TableClock | None) -> str:
    return clock_in_words(clock) + (f"; {END_DESCRIPTIONS[clock.end]}" if clock is not None else "")


def clocks_view(
    room: Room,
    who: Access,
    clock_state: ClockState | None,
    vote: Vote | None,
    now: datetime,
    seen: Mapping[str, datetime],
) -> ClocksView:
    clock = None if clock_state is None else clock_state.clock
    return ClocksView(
        clock=clock,
        words=_clock_text(clock),
        paused=clock_state is not None and clock_state.paused,
        now=now,
        seats=() if clock_state is None else tuple(_seat_clock_view(clock_state, seat, now) for seat in room.persons),
        seen=seen,
        vote=_vote_view(room, who, vote),
    )


def _seat_clock_view(clock_state: ClockState, seat: str, now: datetime) -> SeatClockView:
    last, holidays = current_turn(clock_state), clock_state.away.get(seat, ())
    away_until = max((holiday.ends for holiday in holidays if holiday.begins <= now < holiday.ends), default=None)
    is_running = last is not None and last.seat == seat and not clock_state.paused and away_until is None
    return SeatClockView(
        seat=seat,
        left=None if is_running else max(0, round(time_left(clock_state, seat, now).total_seconds())),
        until=expires_at(clock_state, now) if is_running else None,
        away_until=away_until,
    )


def _vote_view(room: Room, who: Access, vote: Vote | None) -> VoteView | None:
    if vote is None:
        return None
    names = names_by_seat(room.game.setup)
    return VoteView(
        number=vote.number,
        by=", ".join(names[seat] for seat in vote.by),
        words=motion_text(vote.motion, names),
        missing=tuple(names[seat] for seat in vote.missing),
        ask_me=bool(set(who.seats) & set(vote.missing)),
    )
