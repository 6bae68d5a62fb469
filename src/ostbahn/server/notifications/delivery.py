"""Notifying people, as jobs: first who wants to know (`fan_out`), then one job for each channel (`deliver`). The log
names a channel and a cause, and never an address, a name or what another server said.
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
    """The same for different ears."""

    title: str
    personal: str
    """To whoever it is about."""
    public: str
    """In a room where others read."""


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
LOG_INTERVAL: Final = timedelta(minutes=10)
"""In which the same failure gets one line."""


class DeliveryMonitor:
    """May be called from any thread."""

    def __init__(self, metrics: Metrics, clock: Clock) -> None:
        self._metrics, self._clock = metrics, clock
        self._lock = Lock()
        self._logged: dict[tuple[str, str], datetime] = {}
        """When a channel's failure was last logged, by its cause."""
        self._unlogged: dict[tuple[str, str], int] = {}
        """How many have followed since."""

    @contextmanager
    def attempt(self, channel: str) -> Iterator[None]:
        """While a message is being sent."""
        try:
            yield
        except DeliveryFailed as fault:
            self._metrics.notified(channel, "failed")
            self._log(channel, fault.cause)
            raise
        self._metrics.notified(channel, "sent")

    def count_abandoned(self, channel: str) -> None:
        """A message that failed is not tried again."""
        self._metrics.notified(channel, "given_up")

    def _log(self, channel: str, cause: str) -> None:
        kind, now = (channel, cause), self._clock()
        with self._lock:
            last = self._logged.get(kind)
            if last is not None and now - last < LOG_INTERVAL:
                self._unlogged[kind] = self._unlogged.get(kind, 0) + 1
                return
            self._logged[kind] = now
            more = self._unlogged.pop(kind, 0)
        LOG.warning(
            "a notification by %s could not be sent (%s)%s",
            channel,
            cause,
            f"; {more} more failed like this since the last such line" if more else "",
        )


CHANNEL_KINDS: Final[tuple[ChannelKind, ...]] = ("mail", "push", "webhook")
"""The kinds of jobs that reach one wire: each has threads of its own, so that webhooks that hang hold up no mail."""
FIRST_WAIT: Final = timedelta(seconds=5)
LONGEST_WAIT: Final = timedelta(hours=1)
GIVEN_UP: Final = timedelta(days=1)
LONGEST_TROUBLE: Final = 300

PresentSeats = Callable[[str], Collection[str]]
"""The seats of a game whose players look at the table now."""


class Delivery(Struct, frozen=True):
    """One message on one wire. No key stands here: the link is found when it is sent."""

    channel: int = field(name="wire")
    since: datetime
    notification: Notification | None = field(default=None, name="telling")
    """None for the letter that asks whether an address is somebody's."""
    tries: int = 0
    made: datetime | None = None
    """When the wire was made; one that was made at another moment is another, which only has its number now."""


class RenderedNotification(NamedTuple):
    words: NotificationText
    own_path: str
    """Of their seat: for nobody else's eyes."""
    open_path: str
    """Of the table, where it leads everybody to their own seat."""
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
        """present: seats whose players look at a table now."""
        self.database, self.clock, self.config = game_service.database, game_service.clock, config
        self.subscriptions, self.seats_present = subscriptions, seats_present
        self.http_client, self.monitor = (
            SafeHttpClient(config.allowed_networks),
            DeliveryMonitor(game_service.metrics, game_service.clock),
        )
        contact = config.address if config.address.startswith("https://") else "mailto:nobody@example.org"
        if config.mail_settings is not None:
            contact = f"mailto:{config.mail_settings.sender.rpartition('<')[2].rstrip('>')}"
        self.signer = VapidSigner(self.database.key_cipher.derive("push")[:48], contact)

    # Who wants to know

    def fan_out(self, job: Job) -> None:
        """A job for each wire of each person whom it is for."""
        notification = msgspec.json.decode(job.data, type=Notification)
        is_present = notification.seat in self.seats_present(notification.game)
        with self.database.session() as session:
            if is_still_true(session, notification):
                for owner in notification.owners or owners_at(session, notification.game).get(notification.seat, ()):
                    self._fan_out_to(session, owner, notification, is_present)
            finish(session, job)

    def _fan_out_to(self, session: Session, owner: str, notification: Notification, is_present: bool) -> None:
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

    # Reaching them

    def deliver(self, job: Job) -> None:
        """Send one message; what does not arrive is tried again, after longer and longer pauses, for a day."""
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
        """Whether there was still something to send."""
        with self.database.session() as session:
            channel = session.get(ChannelRow, delivery.channel)
            if channel is None or delivery.made not in (None, channel.made):
                return False
            if delivery.notification is not None and not (
                channel.confirmed and is_still_true(session, delivery.notification)
            ):
                return False
            message = (
                None if delivery.notification is None else self._render(session, channel.owner, delivery.notification)
            )
        with self.monitor.attempt(channel.kind):
            if message is None:
                self._send_confirmation(channel)
            elif channel.kind == "mail":
                self._mail(channel, message)
            elif channel.kind == "push":
                self._push(channel, message)
            else:
                self._post(channel, message)
        return True

    def _render(self, session: Session, owner: str, notification: Notification) -> RenderedNotification:
        table = session.get_one(GameRow, notification.game)
        player = names_by_seat(msgspec.json.decode(table.setup, type=Setup)).get(notification.seat, notification.seat)
        facts = {"name": table.name, "round": table.round, "player": player, "detail": notification.detail}
        words = NotificationText(*(text.format_map(facts) for text in TEXT_BY_EVENT[notification.event]))
        key = key_of(session, self.database.key_cipher, owner, notification.game, notification.seat)
        in_the_open = f"/g/{notification.game}"
        return RenderedNotification(words, f"/t/{key}" if key else in_the_open, in_the_open, notification, player)

    def _retry_or_abandon(self, job: Job, delivery: Delivery, fault: DeliveryFailed) -> None:
        now = self.clock()
        with self.database.session() as session:
            finish(session, job)
            if fault.is_permanent or now - delivery.since > GIVEN_UP:
                self.monitor.count_abandoned(job.kind)
                record_outcome(session, delivery.channel, fault, now)
                # a browser that takes nothing any more is forgotten
                session.execute(delete(ChannelRow).where(ChannelRow.id == delivery.channel, ChannelRow.kind == "push"))
                return
            due = now + min(FIRST_WAIT * 2**delivery.tries, LONGEST_WAIT)
            record_outcome(session, delivery.channel, fault, now, due)
            enqueue_delivery(
                session, job.kind, job.name, msgspec.structs.replace(delivery, tries=delivery.tries + 1), due
            )

    # On each kind of wire

    def _send_confirmation(self, channel: ChannelRow) -> None:
        address = self.config.address
        link = f"{address}/told/confirm/{self.subscriptions.token(channel, 'confirm')}"
        text = (
            f"Somebody at {address} would like to be told by this address when it is their turn in a game.\n\n"
            f"If that is you: {link}\n\nIf not, you need not do anything: nothing else will be sent."
        )
        self._send_mail(channel, "Is this your address?", text)

    def _mail(self, channel: ChannelRow, message: RenderedNotification) -> None:
        link = self.config.address + message.own_path
        self._send_mail(channel, message.words.title, f"{message.words.personal}\n\n{link}")

    def mail_digest(self, channel: ChannelRow, subject: str, text: str, next_try: datetime | None) -> None:
        """next_try: when it is sent again if it fails now."""
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
        end = f"{self.config.address}/told/end/{self.subscriptions.token(channel, 'end')}"
        send_mail(Mail(channel.address, subject, text, end), self.config.mail_settings, self.clock)

    def _push(self, channel: ChannelRow, message: RenderedNotification) -> None:
        subscription = PushSubscription(channel.address, msgspec.json.decode(channel.data, type=PushKeys))
        told = {
            "title": message.words.title,
            "body": message.words.personal,
            "path": message.own_path,
            "tag": f"{message.notification.event}-{message.notification.game}",
        }
        send_push(self.http_client, self.signer, subscription, told, int(self.clock().timestamp()))

    def _post(self, channel: ChannelRow, message: RenderedNotification) -> None:
        told = {
            "event": message.notification.event,
            "game": message.notification.game,
            "player": message.player,
            "text": message.words.public,
            "address": self.config.address + message.open_path,
        }
        send_webhook(self.http_client, channel.address, channel.data, told)


def enqueue_delivery(session: Session, kind: str, name: str, delivery: Delivery, due: datetime = AT_ONCE) -> None:
    enqueue(session, kind, name, due, msgspec.json.encode(delivery).decode())


def record_outcome(
    session: Session,
    channel: int,
    fault: DeliveryFailed | None = None,
    failed_at: datetime | None = None,
    next_try: datetime | None = None,
) -> None:
    """Keep for its owner why the last message on a wire failed; without a fault it arrived."""
    trouble = "" if fault is None else str(fault)[:LONGEST_TROUBLE]
    values = {"trouble": trouble, "failed_at": failed_at, "next_try": next_try}
    session.execute(update(ChannelRow).where(ChannelRow.id == channel).values(values))


def is_still_true(session: Session, notification: Notification) -> bool:
    """Whether it is still so: nobody wants to hear of a turn that is over."""
    if notification.past or notification.event not in ("turn", "time"):
        return True
    last = last_turn_change(session, notification.game)
    return last is not None and last.seat == notification.seat and notification.mark.partition("-")[0] == str(last.turn)
