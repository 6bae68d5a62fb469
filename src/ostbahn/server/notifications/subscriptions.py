"""Subscriptions: which events people want to be notified of, in which games, and over which channels."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec
from sqlalchemy import ForeignKey, String, Text, UniqueConstraint, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.server.accounts.people import (
    AccountListener,
    AccountRow,
    Subscription,
    SubscriptionRow,
    Visitor,
    account_owner,
    owner_of,
    subscription_of,
    zones,
)
from ostbahn.server.db.database import Database
from ostbahn.server.db.encryption import hashed
from ostbahn.server.db.tables import Base, UtcDateTime
from ostbahn.server.games.service import Clock
from ostbahn.server.jobs.queue import JobRow, cancel_jobs, enqueue
from ostbahn.server.notifications.channels import (
    PAYLOAD_FORMATS,
    PushSubscription,
    check_push_subscription,
    checked_address,
    mailbox_of,
)
from ostbahn.server.notifications.safe_http import read_address
from ostbahn.table.access import NotHere, Unreadable


class ChannelRow(Base):
    """A mail address, a webhook, or a browser that takes push messages."""

    __tablename__ = "wires"
    __table_args__ = (UniqueConstraint("owner", "kind", "digest"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(24), index=True)
    kind: Mapped[str] = mapped_column(String(8))  # a ChannelKind
    address: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))
    """Hash of the address: no owner has the same one twice."""
    data: Mapped[str] = mapped_column(Text)
    """The payload format of a webhook; the keys of a browser as JSON."""
    confirmed: Mapped[bool]
    """Whether its owner has followed the link in the confirmation mail; nothing else is sent before."""
    made: Mapped[datetime] = mapped_column(UtcDateTime)
    trouble: Mapped[str] = mapped_column(Text)
    """Why the last message failed, for its owner to read; empty if it arrived."""
    failed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    next_try: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When the failed message is sent again; None if it was abandoned."""


class GameSubscriptionRow(Base):
    """A game that is an exception from its owner's setting for all games."""

    __tablename__ = "bells"

    owner: Mapped[str] = mapped_column(String(24), primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    rings: Mapped[bool]


class IdempotencyKeyRow(Base):
    """Marks something that must happen only once: enqueueing a notification, or sending a confirmation mail."""

    __tablename__ = "tellings"

    name: Mapped[str] = mapped_column(String(120), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


EVENTS: Final = {
    "turn": "It is my turn",
    "time": "My time is running out or is over, or I lose my turn or my seat",
    "vote": "I am asked to agree: to going back, or to something about the clock",
    "mention": "Somebody mentions me in the chat, as @Name",
    "begin": "A game begins: everybody has sat down",
    "over": "A game is over",
}
CHECKBOX_OF_EVENT: Final = {"seat": "time"}
"""For events without their own checkbox on the page: the checkbox that covers them."""
MOST_CHANNELS: Final = 6  # of a kind, for one owner
MOST_CONFIRMATIONS: Final = 3  # a day to one address, from all visitors

TOO_MANY_CONFIRMATIONS: Final = "this address was asked several times today; look among its mail, or try tomorrow"

IDEMPOTENCY_KEY_LIFETIME: Final = timedelta(days=90)

ChannelKind = Literal["mail", "webhook", "push"]


class Subscriptions:
    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock

    def get(self, owner: str) -> Subscription:
        with self.database.session() as session:
            return subscription_of(session, owner)

    def save(self, owner: str, subscription: Subscription) -> None:
        check_subscription(subscription)
        fields = msgspec.structs.asdict(subscription) | {"events": ",".join(subscription.events)}
        with self.database.session() as session:
            session.merge(SubscriptionRow(owner=owner, **fields))

    def is_notified_of_game(self, owner: str, game: str) -> bool:
        with self.database.session() as session:
            return is_notified_of_game(session, owner, game)

    def set_for_game(self, owner: str, game: str, wanted: bool) -> None:
        with self.database.session() as session:
            session.merge(GameSubscriptionRow(owner=owner, game=game, rings=wanted))

    # Channels

    def channels(self, owner: str) -> list[ChannelRow]:
        with self.database.session() as session:
            return channels_of(session, owner)

    def add_mail(self, session: Session, owner: str, address: str) -> int:
        """Add an unconfirmed mail address; refuse it after too many confirmation mails."""
        address = checked_address(address)
        if not any(claim_idempotency_key(session, key, self.clock()) for key in self._confirmation_keys(address)):
            raise Refused(Refusal("", TOO_MANY_CONFIRMATIONS))
        return self._add(session, owner, "mail", address, hashed(address.casefold()), "")

    def check_mail(self, address: str) -> None:
        """Refuse an address that has had too many confirmation mails today."""
        keys = self._confirmation_keys(checked_address(address))
        sent = select(func.count()).where(IdempotencyKeyRow.name.in_(keys))
        with self.database.session() as session:
            if session.scalar(sent) == MOST_CONFIRMATIONS:
                raise Refused(Refusal("", TOO_MANY_CONFIRMATIONS))

    def _confirmation_keys(self, address: str) -> list[str]:
        """An idempotency key for each confirmation mail that an address may get today."""
        digest, today = hashed(mailbox_of(address)), self.clock()
        return [f"letter/{digest}/{today:%Y-%m-%d}/{number}" for number in range(MOST_CONFIRMATIONS)]

    def add_webhook(self, owner: str, address: str, shape: str) -> int:
        address = check_webhook(address, shape)
        with self.database.session() as session:
            return self._add(session, owner, "webhook", address, hashed(address), shape)

    def add_push(self, owner: str, push_subscription: PushSubscription) -> int:
        check_push_subscription(push_subscription)
        keys, endpoint = msgspec.json.encode(push_subscription.keys).decode(), push_subscription.endpoint
        with self.database.session() as session:
            # a browser has one endpoint, for the person who uses it now
            session.execute(delete(ChannelRow).where(ChannelRow.kind == "push", ChannelRow.digest == hashed(endpoint)))
            return self._add(session, owner, "push", endpoint, hashed(endpoint), keys)

    def _add(self, session: Session, owner: str, kind: ChannelKind, address: str, digest: str, data: str) -> int:
        channels = session.scalars(select(ChannelRow).where(ChannelRow.owner == owner, ChannelRow.kind == kind)).all()
        for row in channels:
            if row.digest == digest:
                row.data, row.trouble, row.failed_at, row.next_try = data, "", None, None
                return row.id
        if len(channels) >= MOST_CHANNELS:
            raise Refused(Refusal("", f"you have {MOST_CHANNELS} of these already; remove one first"))
        row = ChannelRow(
            owner=owner,
            kind=kind,
            address=address,
            digest=digest,
            data=data,
            confirmed=kind != "mail",
            made=self.clock(),
            trouble="",
        )
        session.add(row)
        session.flush()
        return row.id

    def remove(self, owner: str, channel: int) -> None:
        with self.database.session() as session:
            session.execute(delete(ChannelRow).where(ChannelRow.owner == owner, ChannelRow.id == channel))

    # Links in mails

    def token(self, channel: ChannelRow, purpose: str) -> str:
        """The secret in a mail's link. It depends on the channel's creation time, as SQLite reuses deleted ids."""
        context = f"{purpose} wire {channel.id} {channel.made.isoformat()}"
        return f"{channel.id}-{self.database.key_cipher.derive(context).hex()[:40]}"

    def channel_of_token(self, token: str, purpose: str) -> ChannelRow:
        """Return the channel of a link in a mail; refuse a forged token."""
        number = token.partition("-")[0]
        channel = int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else 0
        with self.database.session() as session:
            row = session.get(ChannelRow, channel)
            if row is None or not hmac.compare_digest(self.token(row, purpose).encode(), token.encode()):
                raise NotHere("this link leads nowhere: nothing is sent there any more, or not all of it was copied")
            return row

    def confirm(self, token: str) -> ChannelRow:
        channel = self.channel_of_token(token, "confirm")
        with self.database.session() as session:
            session.execute(update(ChannelRow).where(ChannelRow.id == channel.id).values(confirmed=True))
        return channel

    def remove_by_token(self, token: str) -> ChannelRow:
        channel = self.channel_of_token(token, "end")
        with self.database.session() as session:
            session.execute(delete(ChannelRow).where(ChannelRow.id == channel.id))
        return channel


def claim_idempotency_key(session: Session, name: str, now: datetime) -> bool:
    """Store a key; return whether it is new."""
    insert = insert_sqlite if session.get_bind().dialect.name == "sqlite" else insert_postgresql
    statement = insert(IdempotencyKeyRow).values(name=name, at=now).on_conflict_do_nothing()
    return session.scalar(statement.returning(IdempotencyKeyRow.name)) is not None


def delete_old_idempotency_keys(session: Session, now: datetime) -> None:
    session.execute(delete(IdempotencyKeyRow).where(IdempotencyKeyRow.at < now - IDEMPOTENCY_KEY_LIFETIME))


def is_notified_of_game(session: Session, owner: str, game: str) -> bool:
    bell = session.get(GameSubscriptionRow, (owner, game))
    return subscription_of(session, owner).every_game if bell is None else bell.rings


def channels_of(session: Session, owner: str) -> list[ChannelRow]:
    return list(session.scalars(select(ChannelRow).where(ChannelRow.owner == owner).order_by(ChannelRow.id)))


def check_webhook(address: str, shape: str) -> str:
    """Strip the address of a webhook; refuse an invalid address or format."""
    address = address.strip()
    read_address(address)
    if shape not in PAYLOAD_FORMATS:
        raise Unreadable(f"a webhook takes one of {', '.join(PAYLOAD_FORMATS)}, not {shape!r}")
    return address


def check_subscription(subscription: Subscription) -> None:
    if unknown := set(subscription.events) - EVENTS.keys():
        raise Unreadable(f"nobody is told of {', '.join(sorted(unknown))}; there are {', '.join(EVENTS)}")
    if subscription.zone not in zones():
        raise Unreadable(f"{subscription.zone[:64]!r} is no time zone; one is written like Europe/Prague")
    if subscription.digest_hour is not None and not 0 <= subscription.digest_hour < 24:
        raise Unreadable("the hour of the daily mail is one from 0 to 23")


def in_page_order(events: Collection[str]) -> tuple[str, ...]:
    return tuple(event for event in EVENTS if event in events)


DIGEST_JOB: Final = "digest"


class NotificationOwners(AccountListener):
    def joined(self, session: Session, visitor: Visitor, account: AccountRow) -> None:
        if visitor.account is None:
            move_to_account(session, owner_of(visitor), account_owner(account.id))


def move_to_account(session: Session, before: str, after: str) -> None:
    """Move subscription and channels of a browser to the account that it has logged in to."""
    digests = set(session.scalars(select(ChannelRow.digest).where(ChannelRow.owner == after)))
    for channel in session.scalars(select(ChannelRow).where(ChannelRow.owner == before)).all():
        if channel.digest in digests:
            session.delete(channel)
        else:
            channel.owner = after
    for bell in session.scalars(select(GameSubscriptionRow).where(GameSubscriptionRow.owner == before)).all():
        session.merge(GameSubscriptionRow(owner=after, game=bell.game, rings=bell.rings))
        session.delete(bell)
    subscription = session.get(SubscriptionRow, before)
    if subscription is not None:
        if session.get(SubscriptionRow, after) is None:
            fields = {"events", "every_game", "when_there", "zone", "digest_hour"}
            session.add(SubscriptionRow(owner=after, **{name: getattr(subscription, name) for name in fields}))
            due = session.scalar(select(JobRow.due).where(JobRow.name == digest_job(before)))
            cancel_jobs(session, [digest_job(before), digest_job(after)])
            if due is not None:
                enqueue_digest(session, after, due)
        session.delete(subscription)


def digest_job(owner: str) -> str:
    return f"{DIGEST_JOB}/{owner}"


def enqueue_digest(session: Session, owner: str, due: datetime) -> None:
    enqueue(session, DIGEST_JOB, digest_job(owner), due, msgspec.json.encode(owner).decode())
