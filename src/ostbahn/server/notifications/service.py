"""Enqueue notifications, idempotently, in the transaction of the change they are about; send the daily digest."""

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
from ostbahn.table.room import ALL, CLOCK, HERE, HOST, LINK, Handover, LogEntry, Room
from ostbahn.table.slots import duration

FAN_OUT_JOB: Final = "tell"
SETTLING_TIME: Final = timedelta(seconds=5)  # until a new player's seat is stored and their table open
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
"""Whether any player of a game has a channel; compiled once, since every change of turn runs it."""


def enqueue_notifications(session: Session, notifications: Sequence[Notification]) -> bool:
    """Enqueue notifications if any player of the game has a channel; return whether one has."""
    has_channel = bool(notifications) and bool(session.scalar(HAS_CONFIRMED_CHANNEL, {"game": notifications[0].game}))
    if has_channel:
        _enqueue_fan_outs(session, notifications, AT_ONCE)
    return has_channel


def enqueue_notifications_soon(session: Session, notifications: Sequence[Notification], now: datetime) -> None:
    """Enqueue notifications for SETTLING_TIME later."""
    _enqueue_fan_outs(session, notifications, now + SETTLING_TIME)


def _enqueue_fan_outs(session: Session, notifications: Sequence[Notification], due: datetime) -> None:
    for notification in notifications:
        data = msgspec.json.encode(notification).decode()
        enqueue(session, FAN_OUT_JOB, notification.name, due, data, notification.game)


class NotificationListener(GameListener):
    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def game_created(self, session: Session, room: Room, wanted: NewTable, new_turn: TurnChange | None) -> None:
        self.entries_recorded(session, room, (), new_turn)
        if not room.free:
            enqueue_notifications_soon(session, _turn_notifications(session, room), self.clock())

    def seats_filled(self, session: Session, room: Room) -> None:
        now = self.clock()
        begins = [Notification("begin", room.id, seat, "") for seat in room.persons]
        new = [begin for begin in begins if claim_idempotency_key(session, begin.name, now)]  # a game begins once
        enqueue_notifications_soon(session, [*new, *_turn_notifications(session, room)], now)

    def seat_reassigned(self, session: Session, room: Room, given: Handover, by: str) -> None:
        owners = owners_at(session, room.id).get(given.seat, [])
        if by == HOST:  # hosts know what they did themselves
            owners = [owner for owner in owners if owner not in hosts_of(session, room.id)]
        if owners:
            mark, detail = str(room.version), _seat_loss_detail(given, by)
            loss = Notification("seat", room.id, given.seat, mark, detail, tuple(owners))
            enqueue_notifications(session, [loss])

    def entries_recorded(
        self, session: Session, room: Room, entries: Sequence[LogEntry], new_turn: TurnChange | None
    ) -> None:
        if new_turn is None:
            return
        if new_turn.seat is None:
            enqueue_notifications(session, [Notification("over", room.id, seat, "") for seat in room.persons])
        elif new_turn.turn and not _undid_own_move(entries, new_turn.seat):
            turn = [Notification("turn", room.id, new_turn.seat, str(new_turn.turn))]
            if not enqueue_notifications(session, turn) and entries and new_turn.turn == 1:
                enqueue_notifications_soon(session, turn, self.clock())  # bots were quicker than the host's first visit

    def notify(self, session: Session, notifications: Sequence[Notification]) -> None:
        enqueue_notifications(session, notifications)


def _turn_notifications(session: Session, room: Room) -> list[Notification]:
    """A notification for the player to move; empty if a bot or nobody is."""
    last = last_turn_change(session, room.id)
    if last is None or not last.seat or not last.turn:
        return []
    return [Notification("turn", room.id, last.seat, str(last.turn))]


def _seat_loss_detail(given: Handover, by: str) -> str:
    if by == CLOCK:
        return "Your time was over, so a bot plays for you from now on."
    if by == ALL:
        return "The other players agreed that a bot plays for you from now on."
    if given.who == HERE:
        return "The host took over your seat."
    if given.who == LINK:
        return "The host offers your seat to somebody else."
    return "The host gave your seat to a bot."


def _undid_own_move(entries: Sequence[LogEntry], seat: str) -> bool:
    return bool(entries) and entries[-1].kind == "undo" and entries[-1].by == seat and not entries[-1].note


DAY: Final = timedelta(days=1)
MOST_GAMES_IN_MAIL: Final = 100
RETRY_DELAY: Final = timedelta(minutes=1)
MOST_TRIES: Final = 6  # the next digest comes tomorrow anyway


def schedule_digest(session: Session, owner: str, subscription: Subscription, now: datetime) -> None:
    """Schedule the next digest at the subscriber's hour, or cancel it if they want none."""
    cancel_jobs(session, [digest_job(owner)])
    _enqueue_next_digest(session, owner, subscription, now)


def _enqueue_next_digest(session: Session, owner: str, subscription: Subscription, now: datetime) -> None:
    if subscription.digest_hour is not None:
        enqueue_digest(session, owner, next_digest_at(subscription.digest_hour, subscription.zone, now))


def next_digest_at(hour: int, zone: str, now: datetime) -> datetime:
    """The next moment at which this hour of local time begins; daylight saving is respected."""
    local_now = now.astimezone(zone_named(zone))
    today = local_now.replace(hour=hour, minute=0, second=0, microsecond=0)
    return (today if today > local_now else today + DAY).astimezone(now.tzinfo)


CONCURRENT_DELIVERIES: Final = 4  # of each kind of channel


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
        """Schedule all digests when the server starts, in case a job was lost."""
        with self.game_service.database.session() as session:
            subscribers = select(SubscriptionRow.owner).where(SubscriptionRow.digest_hour.is_not(None))
            for owner in session.scalars(subscribers).all():
                _enqueue_next_digest(session, owner, subscription_of(session, owner), self.game_service.clock())

    def send_digest(self, job: Job) -> None:
        """Mail a digest to all addresses of a subscriber, and schedule the next one."""
        owner = msgspec.json.decode(job.data, type=str)
        clock, database = self.game_service.clock, self.game_service.database
        with database.session() as session:
            subscription = subscription_of(session, owner)
            lines = self._digest_lines(session, owner, clock()) if subscription.digest_hour is not None else []
            own_channels = channels_of(session, owner)
        addresses = [channel for channel in own_channels if channel.kind == "mail" and channel.confirmed]
        next_try = clock() + RETRY_DELAY if job.tries < MOST_TRIES else None
        fault = self._mail_digest(addresses, lines, next_try) if lines else None
        if fault is not None and next_try is not None:
            raise fault
        with database.session() as session:
            finish(session, job)
            schedule_digest(session, owner, subscription, clock())

    def _mail_digest(
        self, channels: list[ChannelRow], lines: list[str], next_try: datetime | None
    ) -> DeliveryFailed | None:
        """Mail a digest; return a failure only if all addresses failed, so that none gets the digest twice."""
        subject = f"It is your turn in {len(lines)} game{'' if len(lines) == 1 else 's'}"
        failures = []
        for channel in channels:
            try:
                self.dispatcher.mail_digest(channel, subject, "\n\n".join(lines), next_try)
            except DeliveryFailed as fault:
                failures.append(fault)
        return failures[0] if failures and len(failures) == len(channels) else None

    def _digest_lines(self, session: Session, owner: str, now: datetime) -> list[str]:
        """An entry for each game in which the owner is to move, the longest wait first."""
        column = KeepingRow.account if owner.startswith("a") else KeepingRow.visitor
        key_cipher, address = self.game_service.database.key_cipher, self.config.address
        own_keys = (
            select(KeyRow, GameRow)
            .join(GameRow, GameRow.id == KeyRow.game)
            .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
            .where(column == int(owner[1:]), KeepingRow.removed.is_(False), GameRow.turn.is_not(None))
        )
        entries: dict[str, tuple[datetime, str]] = {}
        for key, game in session.execute(own_keys):
            last = last_turn_change(session, game.id)
            if last is None or game.turn not in parted(key.seats):
                continue
            plain_key = key_cipher.decrypt(key.hash, key.sealed)
            path = f"/t/{plain_key}" if plain_key else f"/g/{game.id}"
            since = duration(max(60, int((now - last.at).total_seconds())))
            entries[game.id] = last.at, f"{game.name} ({game.round}): you are asked since {since}\n{address}{path}"
        return [text for _, text in sorted(entries.values())[:MOST_GAMES_IN_MAIL]]


@dataclass(frozen=True, kw_only=True)
class NotificationServices(GameServices):
    subscriptions: Subscriptions
    notification_config: NotificationConfig
    dispatcher: NotificationDispatcher
    other_settings: Callable[[str], Mapping[str, Any]]
    """Values of other features for an owner's settings page; `sections` lists templates. The owner may be empty."""


InjectedNotifications = Injected[NotificationServices]
