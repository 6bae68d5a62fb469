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

from ostbahn.server.accounts.people import Subscription, SubscriptionRow, subscription_of, zone_named
from ostbahn.server.accounts.visitors import Injected
from ostbahn.server.games.keys import hosts_of, owners_at
from ostbahn.server.games.listeners import GameListener, Notification, TurnChange, last_turn_change
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.service import Clock, GameService
from ostbahn.server.games.services import GameServices
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow
from ostbahn.server.jobs.queue import AT_ONCE, Job, cancel_jobs, enqueue, finish
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.server.notifications.channels import NotificationConfig
from ostbahn.server.notifications.delivery import CHANNEL_KINDS, NotificationDispatcher, PresentSeats
from ostbahn.server.notifications.safe_http import DeliveryFailed
from ostbahn.server.notifications.subscriptions import (
    DIGEST_JOB,
    ChannelRow,
    Subscriptions,
    channels_of,
    claim_idempotency_key,
    digest_job,
    enqueue_digest,
)
from ostbahn.table.access import parted
from ostbahn.table.room import ALL, CLOCK, HERE, HOST, LINK, Entry, Handover, Room
from ostbahn.table.slots import duration

FAN_OUT_JOB: Final = "tell"
"""The kind of job that finds those who want to know."""
SETTLING_TIME: Final = timedelta(seconds=5)
"""After which whoever has taken a seat has it among their games, and its table open."""
HAS_CONFIRMED_CHANNEL: Final = select(
    exists().where(
        KeyRow.game == bindparam("game"),
        KeyRow.seats != "",
        KeepingRow.hash == KeyRow.hash,
        ChannelRow.confirmed,
        or_(
            ChannelRow.owner == literal("a") + cast(KeepingRow.account, String),
            ChannelRow.owner == literal("v") + cast(KeepingRow.visitor, String),
        ),
    )
)
"""Whether anybody at a table can be told anything: asked whenever somebody's turn comes, so it is put together once."""


def enqueue_notifications(session: Session, notifications: Sequence[Notification]) -> bool:
    """Queue notifications, if anybody at the table wants any at all; whether somebody does."""
    wanted = bool(notifications) and bool(session.scalar(HAS_CONFIRMED_CHANNEL, {"game": notifications[0].game}))
    if wanted:
        _enqueue_fan_outs(session, notifications, AT_ONCE)
    return wanted


def enqueue_notifications_soon(session: Session, notifications: Sequence[Notification], now: datetime) -> None:
    """Queue notifications for a little later: when it is known whose the seats are, and who looks at the table."""
    _enqueue_fan_outs(session, notifications, now + SETTLING_TIME)


def _enqueue_fan_outs(session: Session, notifications: Sequence[Notification], due: datetime) -> None:
    for notification in notifications:
        enqueue(
            session, FAN_OUT_JOB, notification.name, due, msgspec.json.encode(notification).decode(), notification.game
        )


class NotificationListener(GameListener):
    """Sees what happens at tables, and notes what is to be told of it."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def game_created(self, session: Session, room: Room, wanted: NewTable, asked: TurnChange | None) -> None:
        self.entries_recorded(session, room, (), asked)
        if not room.free:
            enqueue_notifications_soon(session, _turn(session, room), self.clock())

    def seats_filled(self, session: Session, room: Room) -> None:
        now = self.clock()
        begins = [Notification("begin", room.id, seat, "") for seat in room.persons]
        first = [
            notification for notification in begins if claim_idempotency_key(session, notification.name, now)
        ]  # a game begins once
        enqueue_notifications_soon(session, [*first, *_turn(session, room)], now)

    def seat_reassigned(self, session: Session, room: Room, given: Handover, by: str) -> None:
        owners = owners_at(session, room.id).get(given.seat, [])
        if by == HOST:  # who know what they do
            owners = [owner for owner in owners if owner not in hosts_of(session, room.id)]
        if owners:
            enqueue_notifications(
                session,
                [
                    Notification(
                        "seat", room.id, given.seat, str(room.version), _seat_loss_detail(given, by), tuple(owners)
                    )
                ],
            )

    def entries_recorded(
        self, session: Session, room: Room, entries: Sequence[Entry], asked: TurnChange | None
    ) -> None:
        if asked is None:
            return
        if asked.seat is None:
            enqueue_notifications(session, [Notification("over", room.id, seat, "") for seat in room.persons])
        elif asked.turn and not _undid_own_move(entries, asked.seat):
            turn = [Notification("turn", room.id, asked.seat, str(asked.turn))]
            if not enqueue_notifications(session, turn) and entries and asked.turn == 1:
                enqueue_notifications_soon(
                    session, turn, self.clock()
                )  # bots were quicker than whoever has just set the table up

    def notify(self, session: Session, notifications: Sequence[Notification]) -> None:
        enqueue_notifications(session, notifications)


def _turn(session: Session, room: Room) -> list[Notification]:
    """For whoever is to move, as far as that is a person."""
    last = last_turn_change(session, room.id)
    return (
        [Notification("turn", room.id, last.seat, str(last.turn))]
        if last is not None and last.seat and last.turn
        else []
    )


def _seat_loss_detail(given: Handover, by: str) -> str:
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


def _undid_own_move(entries: Sequence[Entry], seat: str) -> bool:
    """Whoever takes their own move back knows that they are asked again."""
    return bool(entries) and entries[-1].kind == "undo" and entries[-1].by == seat and not entries[-1].note


DAY: Final = timedelta(days=1)
MOST_GAMES_IN_MAIL: Final = 100
"""Games in a mail."""
RETRY_DELAY: Final = timedelta(minutes=1)
"""By when a mail that failed is tried again."""
GIVEN_UP: Final = 6
"""Tries for a mail that comes again tomorrow anyway."""


def schedule_digest(session: Session, owner: str, subscription: Subscription, now: datetime) -> None:
    """The next mail at the hour that somebody wants; none if they want none."""
    cancel_jobs(session, [digest_job(owner)])
    _schedule_next(session, owner, subscription, now)


def _schedule_next(session: Session, owner: str, subscription: Subscription, now: datetime) -> None:
    if subscription.digest_hour is not None:
        enqueue_digest(session, owner, next_digest_at(subscription.digest_hour, subscription.zone, now))


def next_digest_at(hour: int, zone: str, now: datetime) -> datetime:
    """The next time that it is this hour there: as its clocks show it, in summer and in winter."""
    there = now.astimezone(zone_named(zone))
    today = there.replace(hour=hour, minute=0, second=0, microsecond=0)
    return (today if today > there else today + DAY).astimezone(now.tzinfo)


CONCURRENT_DELIVERIES: Final = 4
"""Messages of a kind that are on their way side by side."""


class Notifications:
    def __init__(self, game_service: GameService, config: NotificationConfig, seats_present: PresentSeats) -> None:
        self.game_service, self.config = game_service, config
        self.subscriptions = Subscriptions(game_service.database, game_service.clock)
        self.dispatcher = NotificationDispatcher(game_service, config, self.subscriptions, seats_present)

    def register(self, runner: JobRunner) -> None:
        runner.register(FAN_OUT_JOB, self.dispatcher.fan_out)
        for kind in CHANNEL_KINDS:
            runner.register(kind, self.dispatcher.deliver, max_parallel=CONCURRENT_DELIVERIES)
        runner.register(DIGEST_JOB, self.send_digest)

    async def start(self) -> None:
        await asyncio.to_thread(self.schedule_digests)

    # Daily mails

    def schedule_digests(self) -> None:
        """When the server starts: all that are wanted are on their way already, unless something was lost."""
        with self.game_service.database.session() as session:
            for owner in session.scalars(
                select(SubscriptionRow.owner).where(SubscriptionRow.digest_hour.is_not(None))
            ).all():
                _schedule_next(session, owner, subscription_of(session, owner), self.game_service.clock())

    def send_digest(self, job: Job) -> None:
        owner = msgspec.json.decode(job.data, type=str)
        clock, database = self.game_service.clock, self.game_service.database
        with database.session() as session:
            subscription = subscription_of(session, owner)
            lines = self._digest_lines(session, owner, clock()) if subscription.digest_hour is not None else []
            channels = [
                channel for channel in channels_of(session, owner) if channel.kind == "mail" and channel.confirmed
            ]
        next_try = clock() + RETRY_DELAY if job.tries < GIVEN_UP else None
        fault = self._mail_digest(channels, lines, next_try) if lines else None
        if fault is not None and next_try is not None:
            raise fault
        with database.session() as session:
            finish(session, job)
            schedule_digest(session, owner, subscription, clock())

    def _mail_digest(
        self, channels: list[ChannelRow], lines: list[str], next_try: datetime | None
    ) -> DeliveryFailed | None:
        """What went wrong, if no address was reached: those that were get no second mail."""
        subject = f"It is your turn in {len(lines)} game{'' if len(lines) == 1 else 's'}"
        troubles = []
        for channel in channels:
            try:
                self.dispatcher.mail_digest(channel, subject, "\n\n".join(lines), next_try)
            except DeliveryFailed as fault:
                troubles.append(fault)
        return troubles[0] if troubles and len(troubles) == len(channels) else None

    def _digest_lines(self, session: Session, owner: str, now: datetime) -> list[str]:
        """A few lines for each game in which somebody is asked, those first that have waited longest."""
        column = KeepingRow.account if owner.startswith("a") else KeepingRow.visitor
        key_cipher, address = self.game_service.database.key_cipher, self.config.address
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
            opened = key_cipher.decrypt(key.hash, key.sealed)
            path = f"/t/{opened}" if opened else f"/g/{game.id}"
            since = duration(max(60, int((now - last.at).total_seconds())))
            waiting[game.id] = last.at, f"{game.name} ({game.round}): you are asked since {since}\n{address}{path}"
        return [text for _, text in sorted(waiting.values())[:MOST_GAMES_IN_MAIL]]


@dataclass(frozen=True, kw_only=True)
class NotificationServices(GameServices):
    subscriptions: Subscriptions
    notification_config: NotificationConfig
    dispatcher: NotificationDispatcher
    other_settings: Callable[[str], Mapping[str, Any]]
    """What other features show on the page of an owner (empty for somebody new): `sections`, the templates to include,
    and the values that these need.
    """


InjectedNotifications = Injected[NotificationServices]
