"""Who is to be told of what happens: noted in the same transaction in which it happens, so that it is told exactly when
it is true. Sending takes its time, and is done by jobs (`messenger.py`); nobody's move waits for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from ostbahn.kernel.game import Setup
from ostbahn.server.clocks import timekeeper
from ostbahn.server.games.access import Access
from ostbahn.server.games.listeners import Telling, Witness
from ostbahn.server.games.new_table import HERE, LINK, NewTable
from ostbahn.server.games.seat_owners import hosts_of, owners_at
from ostbahn.server.games.service import Clock
from ostbahn.server.games.tables import SeatRow
from ostbahn.server.games.turns import Asked, begin, last_asked, note_asked
from ostbahn.server.notifications.queue import is_new, note, note_soon
from ostbahn.table.notices import Handover, Naming
from ostbahn.table.plan_room import PlanRoom
from ostbahn.table.room import ALL, CLOCK, HOST, Entry, Room, seats_of

QUIET: Final = 600
"""Seconds in which nobody is told twice that they were mentioned."""


class Teller(Witness):
    """Sees what happens at tables, and notes what is to be told of it."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def begun(self, session: Session, room: Room, wanted: NewTable) -> None:
        timekeeper.set_up(session, room, wanted.clock, self.clock())
        room.timed = wanted.clock is not None
        begin(room)
        self.kept(session, room, ())
        if not room.free:
            note_soon(session, _turn(session, room), self.clock())

    def complete(self, session: Session, room: Room) -> None:
        now = self.clock()
        timekeeper.everybody_is_there(session, room.id, now)
        begins = [Telling("begin", room.id, seat, "") for seat in room.persons]
        first = [telling for telling in begins if is_new(session, telling.name, now)]  # a game begins once
        note_soon(session, [*first, *_turn(session, room)], now)

    def handed_over(self, session: Session, room: Room, given: Handover, by: str) -> None:
        owners = owners_at(session, room.id).get(given.seat, [])
        if by == HOST:  # who know what they do
            owners = [owner for owner in owners if owner not in hosts_of(session, room.id)]
        if owners:
            lost = Telling("seat", room.id, given.seat, str(room.version), _loss(given, by), tuple(owners))
            note(session, [lost])

    def kept(self, session: Session, room: Room, entries: Sequence[Entry]) -> None:
        if isinstance(room, PlanRoom):
            return
        now = self.clock()
        line = note_asked(session, room, entries, now)
        if _seats_changed(entries) and not _awaits_anybody(session, room.id):
            self.complete(session, room)
        if line is not None:
            self._asked(session, room, entries, line, now)

    def _asked(self, session: Session, room: Room, entries: Sequence[Entry], line: Asked, now: datetime) -> None:
        if line.seat is None:
            note(session, [Telling("over", room.id, seat, "") for seat in room.persons])
        elif line.turn:
            if room.timed:
                timekeeper.set_alarms(session, room.id, now)
            if not _took_back_themselves(entries, line.seat):
                turn = [Telling("turn", room.id, line.seat, str(line.turn))]
                if not note(session, turn) and entries and line.turn == 1:
                    note_soon(session, turn, now)  # bots were quicker than whoever has just set the table up

    def said(self, session: Session, who: Access, setup: Setup, speaker: str, text: str) -> None:
        seats, moment = mentioned(text, setup), str(int(self.clock().timestamp()) // QUIET)
        tellings = [Telling("mention", who.game, seat, moment, speaker) for seat in seats if seat not in who.seats]
        note(session, tellings)

    def proposed(self, session: Session, room: Room, by: Collection[str], keep: int) -> None:
        names = dict(zip(seats_of(room.game.setup), room.game.setup.players, strict=True))
        detail = f"{', '.join(names[seat] for seat in by)} would like to go back to move {keep}."
        mark = f"back-{room.version}-{keep}"
        others = [seat for seat in room.persons if seat not in by]
        note(session, [Telling("vote", room.id, seat, mark, detail) for seat in others])


def mentioned(text: str, setup: Setup) -> list[str]:
    """Seats whose players are called in a text, as `@Anna`."""
    names = zip(seats_of(setup), setup.players, strict=True)
    return [seat for seat, name in names if re.search(rf"@{re.escape(name)}(?!\w)", text, re.IGNORECASE)]


def _turn(session: Session, room: Room) -> list[Telling]:
    """For whoever is to move, as far as that is a person."""
    last = last_asked(session, room.id)
    return [Telling("turn", room.id, last.seat, str(last.turn))] if last is not None and last.seat and last.turn else []


def _loss(given: Handover, by: str) -> str:
    """Why somebody has lost their seat."""
    if by == CLOCK:
        return "Your time was over, so a bot plays for you from now on."
    if by == ALL:
        return "The other players agreed that a bot plays for you from now on."
    if given.who == HERE:
        return "The host took over your seat."
    if given.who == LINK:
        return "The host offers your seat to somebody else."
    return "The host gave your seat to a bot."


def _seats_changed(entries: Sequence[Entry]) -> bool:
    """Whether somebody has sat down, or the host has given a seat away: perhaps nobody is awaited any more."""
    return any(
        entry.kind == "seat" or (entry.kind == "name" and msgspec.json.decode(entry.data, type=Naming).joins)
        for entry in entries
    )


def _awaits_anybody(session: Session, game: str) -> bool:
    session.flush()
    return bool(session.scalar(select(exists().where(SeatRow.game == game, SeatRow.free))))


def _took_back_themselves(entries: Sequence[Entry], seat: str) -> bool:
    """Whoever takes their own move back knows that they are asked again."""
    return bool(entries) and entries[-1].kind == "undo" and entries[-1].by == seat and not entries[-1].note
