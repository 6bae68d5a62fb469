"""Deliver notifications as jobs: `fan_out` finds the subscribers, `deliver` sends to one channel.

Logs name the kind of channel and a cause, never an address, a player or another server's answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Lock
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct, field
from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from ostbahn.kernel.game import Setup
from ostbahn.server.accounts.people import subscription_of
from ostbahn.server.games.keys import key_of, owners_at
from ostbahn.server.games.listeners import Notification, last_turn_change
from ostbahn.server.games.service import Clock, GameService
from ostbahn.server.games.tables import GameRow
from ostbahn.server.jobs.queue import AT_ONCE, Job, enqueue, finish
from ostbahn.server.metrics import Metrics
from ostbahn.server.notifications.channels import (
    Mail,
    NotificationConfig,
    PushKeys,
    PushSubscription,
    VapidSigner,
    send_mail,
    send_push,
    send_webhook,
)
from ostbahn.server.notifications.safe_http import DeliveryFailed, SafeHttpClient
from ostbahn.server.notifications.subscriptions import (
    CHECKBOX_OF_EVENT,
    ChannelKind,
    ChannelRow,
    Subscriptions,
    channels_of,
    claim_idempotency_key,
    is_notified_of_game,
)
from ostbahn.table.room import names_by_seat


class NotificationText(NamedTuple):
    title: str
    personal: str
    """For the player concerned."""
    public: str
    """For a chat room that others read."""


TEXT_BY_EVENT: Final = {
    "turn": NotificationText(
        "Your turn: {name}",
        "It is your turn in {name} ({round}). You play {player}.",
        "{player}, it is your turn in {name} ({round}).",
    ),
    "time": NotificationText(
        "Your time: {name}",
        "{detail} You play {player} in {name} ({round}).",
        "{player} in {name}: {detail}",
    ),
    "seat": NotificationText(
        "You lost your seat: {name}",
        "{detail} You played {player} in {name} ({round}).",
        "{player} in {name}: {detail}",
    ),
    "vote": NotificationText(
        "You are asked to agree: {name}",
        "{detail} What do you say? You play {player} in {name}.",
        "{player}, you are asked to agree in {name}: {detail}",
    ),
    "mention": NotificationText(
        "You were mentioned: {name}",
        "{detail} mentioned you in the chat of {name}.",
        "{player}, {detail} mentioned you in the chat of {name}.",
    ),
    "begin": NotificationText(
        "The game begins: {name}",
        "Everybody has sat down: {name} begins. You play {player}.",
        "{player}, everybody has sat down: {name} begins.",
    ),
    "over": NotificationText(
        "The game is over: {name}",
        "{name} is over. You played {player}.",
        "{name} is over.",
    ),
}


LOG: Final = logging.getLogger(__name__)
LOG_INTERVAL: Final = timedelta(minutes=10)  # between two log lines about the same failure


class DeliveryMonitor:
    """Counts deliveries and logs failures; safe to use from any thread."""

    def __init__(self, metrics: Metrics, clock: Clock) -> None:
        self._metrics, self._clock = metrics, clock
        self._lock = Lock()
        self._logged: dict[tuple[str, str], datetime] = {}
        """When each kind of failure was last logged, by channel and cause."""
        self._unlogged: dict[tuple[str, str], int] = {}
        """How many failures of each kind have followed since."""

    @contextmanager
    def attempt(self, channel: str) -> Iterator[None]:
        """Count the outcome of sending a message."""
        try:
            yield
        except DeliveryFailed as fault:
            self._metrics.notified(channel, "failed")
            self._log(channel, fault.cause)
            raise
        self._metrics.notified(channel, "sent")

    def count_abandoned(self, channel: str) -> None:
        self._metrics.notified(channel, "given_up")

    def _log(self, channel: str, cause: str) -> None:
        failure, now = (channel, cause), self._clock()
        with self._lock:
            last = self._logged.get(failure)
            if last is not None and now - last < LOG_INTERVAL:
                self._unlogged[failure] = self._unlogged.get(failure, 0) + 1
                return
            self._logged[failure] = now
            unlogged = self._unlogged.pop(failure, 0)
        more = f"; {unlogged} more failed like this since the last such line" if unlogged else ""
        LOG.warning("a notification by %s could not be sent (%s)%s", channel, cause, more)


CHANNEL_KINDS: Final[tuple[ChannelKind, ...]] = ("mail", "push", "webhook")
"""Also the kinds of jobs: each has its own threads, so that hanging webhooks delay no mail."""
FIRST_WAIT: Final = timedelta(seconds=5)
LONGEST_WAIT: Final = timedelta(hours=1)
ABANDON_AFTER: Final = timedelta(days=1)
LONGEST_TROUBLE: Final = 300

PresentSeats = Callable[[str], Collection[str]]
"""The seats of a game whose players have the table open."""


class Delivery(Struct, frozen=True):
    """A message for a channel. Links with keys are made on sending, so that none is stored here."""

    channel: int = field(name="wire")
    since: datetime
    notification: Notification | None = field(default=None, name="telling")
    """None for a confirmation mail."""
    tries: int = 0
    made: datetime | None = None
    """When the channel was created, to tell it from a later one: SQLite reuses the ids of deleted rows."""


class RenderedNotification(NamedTuple):
    words: NotificationText
    own_path: str
    """Has the key of the seat: only for its owner."""
    open_path: str
    """Has no key: it leads all visitors to their own seats."""
    notification: Notification
    player: str


class NotificationDispatcher:
    def __init__(
        self,
        game_service: GameService,
        config: NotificationConfig,
        subscriptions: Subscriptions,
        seats_present: PresentSeats,
    ) -> None:
        self.database, self.clock, self.config = game_service.database, game_service.clock, config
        self.subscriptions, self.seats_present = subscriptions, seats_present
        self.http_client = SafeHttpClient(config.allowed_networks)
        self.monitor = DeliveryMonitor(game_service.metrics, game_service.clock)
        contact = config.address if config.address.startswith("https://") else "mailto:nobody@example.org"
        if config.mail_settings is not None:
            contact = f"mailto:{config.mail_settings.sender.rpartition('<')[2].rstrip('>')}"
        self.signer = VapidSigner(self.database.key_cipher.derive("push")[:48], contact)

    # Finding subscribers

    def fan_out(self, job: Job) -> None:
        """Enqueue a delivery for each channel of each subscriber."""
        notification = msgspec.json.decode(job.data, type=Notification)
        is_present = notification.seat in self.seats_present(notification.game)
        with self.database.session() as session:
            if is_still_true(session, notification):
                for owner in notification.owners or owners_at(session, notification.game).get(notification.seat, ()):
                    self._fan_out_to(session, owner, notification, is_present)
            finish(session, job)

    def _fan_out_to(self, session: Session, owner: str, notification: Notification, is_present: bool) -> None:
        """Enqueue the deliveries of one subscriber, unless they want none or have them already."""
        subscription = subscription_of(session, owner)
        if (
            CHECKBOX_OF_EVENT.get(notification.event, notification.event) not in subscription.events
            or not is_notified_of_game(session, owner, notification.game)
            or (is_present and not subscription.when_there)
            or not claim_idempotency_key(session, f"{notification.name}/{owner}", self.clock())
        ):
            return
        for channel in channels_of(session, owner):
            if channel.confirmed:
                delivery = Delivery(channel.id, self.clock(), notification, made=channel.made)
                enqueue_delivery(session, channel.kind, f"{notification.name}/{channel.id}", delivery)

    # Sending

    def deliver(self, job: Job) -> None:
        """Send one message; retry failures with exponential backoff for a day."""
        delivery = msgspec.json.decode(job.data, type=Delivery)
        try:
            sent = self._deliver(delivery)
        except DeliveryFailed as fault:
            self._retry_or_abandon(job, delivery, fault)
        else:
            with self.database.session() as session:
                if sent:
                    record_outcome(session, delivery.channel)
                finish(session, job)

    def _deliver(self, delivery: Delivery) -> bool:
        """Send a message unless it is out of date; return whether it was sent."""
        with self.database.session() as session:
            channel, notification = session.get(ChannelRow, delivery.channel), delivery.notification
            if channel is None or delivery.made not in (None, channel.made):
                return False
            if notification is not None and not (channel.confirmed and is_still_true(session, notification)):
                return False
            message = None if notification is None else self._render(session, channel.owner, notification)
        with self.monitor.attempt(channel.kind):
            if message is None:
                self._send_confirmation(channel)
            elif channel.kind == "mail":
                self._send_by_mail(channel, message)
            elif channel.kind == "push":
                self._send_by_push(channel, message)
            else:
                self._send_by_webhook(channel, message)
        return True

    def _render(self, session: Session, owner: str, notification: Notification) -> RenderedNotification:
        table = session.get_one(GameRow, notification.game)
        player = names_by_seat(msgspec.json.decode(table.setup, type=Setup)).get(notification.seat, notification.seat)
        values = {"name": table.name, "round": table.round, "player": player, "detail": notification.detail}
        words = NotificationText(*(text.format_map(values) for text in TEXT_BY_EVENT[notification.event]))
        key = key_of(session, self.database.key_cipher, owner, notification.game, notification.seat)
        open_path = f"/g/{notification.game}"
        return RenderedNotification(words, f"/t/{key}" if key else open_path, open_path, notification, player)

    def _retry_or_abandon(self, job: Job, delivery: Delivery, fault: DeliveryFailed) -> None:
        """Enqueue a failed delivery again with a longer wait, unless it cannot succeed or is too old."""
        now = self.clock()
        with self.database.session() as session:
            finish(session, job)
            if fault.is_permanent or now - delivery.since > ABANDON_AFTER:
                self.monitor.count_abandoned(job.kind)
                record_outcome(session, delivery.channel, fault, now)
                # remove a browser that accepts no messages any more
                session.execute(delete(ChannelRow).where(ChannelRow.id == delivery.channel, ChannelRow.kind == "push"))
                return
            due = now + min(FIRST_WAIT * 2**delivery.tries, LONGEST_WAIT)
            record_outcome(session, delivery.channel, fault, now, due)
            retry = msgspec.structs.replace(delivery, tries=delivery.tries + 1)
            enqueue_delivery(session, job.kind, job.name, retry, due)

    # By kind of channel

    def _send_confirmation(self, channel: ChannelRow) -> None:
        address = self.config.address
        link = f"{address}/told/confirm/{self.subscriptions.token(channel, 'confirm')}"
        text = (
            f"Somebody at {address} would like to be told by this address when it is their turn in a game.\n\n"
            f"If that is you: {link}\n\nIf not, you need not do anything: nothing else will be sent."
        )
        self._send_mail(channel, "Is this your address?", text)

    def _send_by_mail(self, channel: ChannelRow, message: RenderedNotification) -> None:
        link = self.config.address + message.own_path
        self._send_mail(channel, message.words.title, f"{message.words.personal}\n\n{link}")

    def mail_digest(self, channel: ChannelRow, subject: str, text: str, next_try: datetime | None) -> None:
        """Send a digest, and store the outcome; `next_try` is when a failed one is sent again."""
        try:
            with self.monitor.attempt("mail"):
                self._send_mail(channel, subject, text)
        except DeliveryFailed as fault:
            with self.database.session() as session:
                record_outcome(session, channel.id, fault, self.clock(), next_try)
            raise
        with self.database.session() as session:
            record_outcome(session, channel.id)

    def _send_mail(self, channel: ChannelRow, subject: str, text: str) -> None:
        if self.config.mail_settings is None:
            raise DeliveryFailed("this server has no mail server set at the moment", "no mail server is set")
        unsubscribe_url = f"{self.config.address}/told/end/{self.subscriptions.token(channel, 'end')}"
        send_mail(Mail(channel.address, subject, text, unsubscribe_url), self.config.mail_settings, self.clock)

    def _send_by_push(self, channel: ChannelRow, message: RenderedNotification) -> None:
        subscription = PushSubscription(channel.address, msgspec.json.decode(channel.data, type=PushKeys))
        payload = {
            "title": message.words.title,
            "body": message.words.personal,
            "path": message.own_path,
            "tag": f"{message.notification.event}-{message.notification.game}",
        }
        send_push(self.http_client, self.signer, subscription, payload, int(self.clock().timestamp()))

    def _send_by_webhook(self, channel: ChannelRow, message: RenderedNotification) -> None:
        payload = {
            "event": message.notification.event,
            "game": message.notification.game,
            "player": message.player,
            "text": message.words.public,
            "address": self.config.address + message.open_path,
        }
        send_webhook(self.http_client, channel.address, channel.data, payload)


def enqueue_delivery(session: Session, kind: str, name: str, delivery: Delivery, due: datetime = AT_ONCE) -> None:
    enqueue(session, kind, name, due, msgspec.json.encode(delivery).decode())


def record_outcome(
    session: Session,
    channel: int,
    fault: DeliveryFailed | None = None,
    failed_at: datetime | None = None,
    next_try: datetime | None = None,
) -> None:
    """Store for a channel's owner why the last message failed; no fault means that it arrived."""
    trouble = "" if fault is None else str(fault)[:LONGEST_TROUBLE]
    values = {"trouble": trouble, "failed_at": failed_at, "next_try": next_try}
    session.execute(update(ChannelRow).where(ChannelRow.id == channel).values(values))


def is_still_true(session: Session, notification: Notification) -> bool:
    """Whether a notification is not about a turn that has ended."""
    if notification.past or notification.event not in ("turn", "time"):
        return True
    last = last_turn_change(session, notification.game)
    return last is not None and last.seat == notification.seat and notification.mark.partition("-")[0] == str(last.turn)
