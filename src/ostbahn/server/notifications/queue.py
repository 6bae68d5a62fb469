"""Queueing notifications, idempotently, in the transaction in which something happens; `delivery.py` sends them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec
from sqlalchemy import String, bindparam, cast, exists, literal, or_, select
from sqlalchemy.orm import Session

from ostbahn.server.games.keys import hosts_of, owners_at
from ostbahn.server.games.listeners import Asked, GameListener, Telling, last_asked
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.service import Clock
from ostbahn.server.games.tables import KeepingRow, KeyRow
from ostbahn.server.jobs.queue import AT_ONCE, want
from ostbahn.server.notifications.subscriptions import WireRow, is_new
from ostbahn.table.room import ALL, CLOCK, HERE, HOST, LINK, Entry, Handover, Room

TELL: Final = "tell"
"""The kind of job that finds those who want to know."""
SETTLED: Final = timedelta(seconds=5)
"""After which whoever has taken a seat has it among their games, and its table open."""
ANYBODY: Final = select(
    exists().where(
        KeyRow.game == bindparam("game"),
        KeyRow.seats != "",
        KeepingRow.hash == KeyRow.hash,
        WireRow.confirmed,
        or_(
            WireRow.owner == literal("a") + cast(KeepingRow.account, String),
            WireRow.owner == literal("v") + cast(KeepingRow.visitor, String),
        ),
    )
)
"""Whether anybody at a table can be told anything: asked whenever somebody's turn comes, so it is put together once."""


def note(session: Session, tellings: Sequence[Telling]) -> bool:
    """Queue notifications, if anybody at the table wants any at all; whether somebody does."""
    wanted = bool(tellings) and bool(session.scalar(ANYBODY, {"game": tellings[0].game}))
    if wanted:
        _queue(session, tellings, AT_ONCE)
    return wanted


def note_soon(session: Session, tellings: Sequence[Telling], now: datetime) -> None:
    """Queue notifications for a little later: when it is known whose the seats are, and who looks at the table."""
    _queue(session, tellings, now + SETTLED)


def _queue(session: Session, tellings: Sequence[Telling], due: datetime) -> None:
    for telling in tellings:
        want(session, TELL, telling.name, due, msgspec.json.encode(telling).decode(), telling.game)


class NotificationListener(GameListener):
    """Sees what happens at tables, and notes what is to be told of it."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def begun(self, session: Session, room: Room, wanted: NewTable, asked: Asked | None) -> None:
        self.kept(session, room, (), asked)
        if not room.free:
            note_soon(session, _turn(session, room), self.clock())

    def complete(self, session: Session, room: Room) -> None:
        now = self.clock()
        begins = [Telling("begin", room.id, seat, "") for seat in room.persons]
        first = [telling for telling in begins if is_new(session, telling.name, now)]  # a game begins once
        note_soon(session, [*first, *_turn(session, room)], now)

    def handed_over(self, session: Session, room: Room, given: Handover, by: str) -> None:
        owners = owners_at(session, room.id).get(given.seat, [])
        if by == HOST:  # who know what they do
            owners = [owner for owner in owners if owner not in hosts_of(session, room.id)]
        if owners:
            note(session, [Telling("seat", room.id, given.seat, str(room.version), _loss(given, by), tuple(owners))])

    def kept(self, session: Session, room: Room, entries: Sequence[Entry], asked: Asked | None) -> None:
        if asked is None:
            return
        if asked.seat is None:
            note(session, [Telling("over", room.id, seat, "") for seat in room.persons])
        elif asked.turn and not _took_back_themselves(entries, asked.seat):
            turn = [Telling("turn", room.id, asked.seat, str(asked.turn))]
            if not note(session, turn) and entries and asked.turn == 1:
                note_soon(session, turn, self.clock())  # bots were quicker than whoever has just set the table up

    def notify(self, session: Session, tellings: Sequence[Telling]) -> None:
        note(session, tellings)


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


def _took_back_themselves(entries: Sequence[Entry], seat: str) -> bool:
    """Whoever takes their own move back knows that they are asked again."""
    return bool(entries) and entries[-1].kind == "undo" and entries[-1].by == seat and not entries[-1].note
