"""Notifying people, put together once: what is queued, idempotently, in the transaction in which something happens
(`delivery.py` sends it), the daily mail for slow games, and what routes need of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import String, bindparam, cast, exists, literal, or_, select
from sqlalchemy.orm import Session

from ostbahn.server.accounts.people import Wish, WishRow, wish_of, zone_named
from ostbahn.server.accounts.visitors import Injected
from ostbahn.server.games.keys import hosts_of, owners_at
from ostbahn.server.games.listeners import GameListener, Telling, TurnChange, last_turn_change
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.service import Clock, GameService
from ostbahn.server.games.services import GameServices
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow
from ostbahn.server.jobs.queue import AT_ONCE, Job, cancel_jobs, enqueue, finish
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.server.notifications.channels import Outlets
from ostbahn.server.notifications.delivery import WIRES, Messenger, WhoIsThere
from ostbahn.server.notifications.safe_http import NotSent
from ostbahn.server.notifications.subscriptions import (
    DIGEST,
    WireRow,
    Wishes,
    digest_job,
    is_new,
    want_digest,
    wires_of,
)
from ostbahn.table.access import parted
from ostbahn.table.room import ALL, CLOCK, HERE, HOST, LINK, Entry, Handover, Room
from ostbahn.table.slots import duration

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
        enqueue(session, TELL, telling.name, due, msgspec.json.encode(telling).decode(), telling.game)


class NotificationListener(GameListener):
    """Sees what happens at tables, and notes what is to be told of it."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def begun(self, session: Session, room: Room, wanted: NewTable, asked: TurnChange | None) -> None:
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

    def kept(self, session: Session, room: Room, entries: Sequence[Entry], asked: TurnChange | None) -> None:
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
    last = last_turn_change(session, room.id)
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


DAY: Final = timedelta(days=1)
MOST: Final = 100
"""Games in a mail."""
SHORTLY: Final = timedelta(minutes=1)
"""By when a mail that failed is tried again."""
GIVEN_UP: Final = 6
"""Tries for a mail that comes again tomorrow anyway."""


def arrange_digest(session: Session, owner: str, wish: Wish, now: datetime) -> None:
    """The next mail at the hour that somebody wants; none if they want none."""
    cancel_jobs(session, [digest_job(owner)])
    _want_next(session, owner, wish, now)


def _want_next(session: Session, owner: str, wish: Wish, now: datetime) -> None:
    if wish.digest_hour is not None:
        want_digest(session, owner, next_at(wish.digest_hour, wish.zone, now))


def next_at(hour: int, zone: str, now: datetime) -> datetime:
    """The next time that it is this hour there: as its clocks show it, in summer and in winter."""
    there = now.astimezone(zone_named(zone))
    today = there.replace(hour=hour, minute=0, second=0, microsecond=0)
    return (today if today > there else today + DAY).astimezone(now.tzinfo)


SIDE_BY_SIDE: Final = 4
"""Messages of a kind that are on their way side by side."""


class Notifications:
    def __init__(self, game_service: GameService, outlets: Outlets, present: WhoIsThere) -> None:
        self.game_service, self.outlets = game_service, outlets
        self.wishes = Wishes(game_service.database, game_service.clock)
        self.messenger = Messenger(game_service, outlets, self.wishes, present)

    def register(self, runner: JobRunner) -> None:
        runner.register(TELL, self.messenger.spread)
        for kind in WIRES:
            runner.register(kind, self.messenger.deliver, at_once=SIDE_BY_SIDE)
        runner.register(DIGEST, self.send_digest)

    async def start(self) -> None:
        await asyncio.to_thread(self.arrange_digests)

    # Daily mails

    def arrange_digests(self) -> None:
        """When the server starts: all that are wanted are on their way already, unless something was lost."""
        with self.game_service.database.session() as session:
            for owner in session.scalars(select(WishRow.owner).where(WishRow.digest_hour.is_not(None))).all():
                _want_next(session, owner, wish_of(session, owner), self.game_service.clock())

    def send_digest(self, job: Job) -> None:
        owner = msgspec.json.decode(job.data, type=str)
        clock, database = self.game_service.clock, self.game_service.database
        with database.session() as session:
            wish = wish_of(session, owner)
            lines = self._waiting(session, owner, clock()) if wish.digest_hour is not None else []
            wires = [wire for wire in wires_of(session, owner) if wire.kind == "mail" and wire.confirmed]
        next_try = clock() + SHORTLY if job.tries < GIVEN_UP else None
        fault = self._mail_digest(wires, lines, next_try) if lines else None
        if fault is not None and next_try is not None:
            raise fault
        with database.session() as session:
            finish(session, job)
            arrange_digest(session, owner, wish, clock())

    def _mail_digest(self, wires: list[WireRow], lines: list[str], next_try: datetime | None) -> NotSent | None:
        """What went wrong, if no address was reached: those that were get no second mail."""
        subject = f"It is your turn in {len(lines)} game{'' if len(lines) == 1 else 's'}"
        troubles = []
        for wire in wires:
            try:
                self.messenger.mail_digest(wire, subject, "\n\n".join(lines), next_try)
            except NotSent as fault:
                troubles.append(fault)
        return troubles[0] if troubles and len(troubles) == len(wires) else None

    def _waiting(self, session: Session, owner: str, now: datetime) -> list[str]:
        """A few lines for each game in which somebody is asked, those first that have waited longest."""
        column = KeepingRow.account if owner.startswith("a") else KeepingRow.visitor
        key_cipher, address = self.game_service.database.key_cipher, self.outlets.address
        wanted = (
            select(KeyRow, GameRow)
            .join(GameRow, GameRow.id == KeyRow.game)
            .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
            .where(column == int(owner[1:]), KeepingRow.removed.is_(False), GameRow.turn.is_not(None))
        )
        waiting: dict[str, tuple[datetime, str]] = {}
        for key, game in session.execute(wanted):
            last = last_turn_change(session, game.id)
            if last is None or game.turn not in parted(key.seats):
                continue
            opened = key_cipher.open(key.hash, key.sealed)
            path = f"/t/{opened}" if opened else f"/g/{game.id}"
            since = duration(max(60, int((now - last.at).total_seconds())))
            waiting[game.id] = last.at, f"{game.name} ({game.round}): you are asked since {since}\n{address}{path}"
        return [text for _, text in sorted(waiting.values())[:MOST]]


@dataclass(frozen=True, kw_only=True)
class NotificationServices(GameServices):
    wishes: Wishes
    outlets: Outlets
    messenger: Messenger
    other_settings: Callable[[str], Mapping[str, Any]]
    """What other features show on the page of an owner (empty for somebody new): `sections`, the templates to include,
    and the values that these need.
    """


InjectedNotifications = Injected[NotificationServices]
