"""What people want to be told, where, and how they are reached."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec
from sqlalchemy import ForeignKey, String, Text, UniqueConstraint, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert as insert_there
from sqlalchemy.dialects.sqlite import insert as insert_here
from sqlalchemy.orm import Mapped, Session, mapped_column

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.server.accounts.people import (
    AccountListener,
    AccountRow,
    Visitor,
    Wish,
    WishRow,
    account_owner,
    owner_of,
    wish_of,
    zones,
)
from ostbahn.server.db.database import Database
from ostbahn.server.db.encryption import hashed
from ostbahn.server.db.tables import Base, UtcDateTime
from ostbahn.server.games.service import Clock
from ostbahn.server.jobs.queue import JobRow, cancel_jobs, enqueue
from ostbahn.server.notifications.channels import (
    SHAPES,
    Subscription,
    checked_address,
    checked_subscription,
    mailbox_of,
)
from ostbahn.server.notifications.safe_http import read_address
from ostbahn.table.access import NotHere, Unreadable


class WireRow(Base):
    """A way to reach somebody: a mail address, a webhook, a browser that takes push messages."""

    __tablename__ = "wires"
    __table_args__ = (UniqueConstraint("owner", "kind", "digest"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(24), index=True)
    kind: Mapped[str] = mapped_column(String(8))
    """mail, webhook or push."""
    address: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))
    """Of the address, so that nobody has the same one twice."""
    data: Mapped[str] = mapped_column(Text)
    """For a webhook its shape, for push the browser's keys, as JSON."""
    confirmed: Mapped[bool]
    """Whether its owner has said that it is theirs; before that nothing else is sent there."""
    made: Mapped[datetime] = mapped_column(UtcDateTime)
    trouble: Mapped[str] = mapped_column(Text)
    """Why the last message did not arrive, for its owner to read; empty if all did."""
    failed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When that was."""
    next_try: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When that message is sent again; None if it was given up."""


class BellRow(Base):
    """What somebody wants at one table, where that is not what they want at all others."""

    __tablename__ = "bells"

    owner: Mapped[str] = mapped_column(String(24), primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    rings: Mapped[bool]


class TellingRow(Base):
    """Something of which somebody was told, or was to be: it is not told again."""

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
CHOSEN_WITH: Final = {"seat": "time"}
"""Events that have no box of their own on the page, with the one that people tick for them."""
MOST_WIRES: Final = 6
"""Of a kind, for one person."""
MOST_LETTERS: Final = 3
"""Letters a day that ask one address whether it is somebody's, whoever wants that."""

ASKED_ENOUGH: Final = "this address was asked several times today; look among its mail, or try tomorrow"

FORGOTTEN: Final = timedelta(days=90)
"""After which nobody needs to know what somebody was told."""

WireKind = Literal["mail", "webhook", "push"]


class Wishes:
    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock

    # What somebody wants

    def of(self, owner: str) -> Wish:
        with self.database.session() as session:
            return wish_of(session, owner)

    def keep(self, owner: str, wish: Wish) -> None:
        check_wish(wish)
        fields = msgspec.structs.asdict(wish) | {"events": ",".join(wish.events)}
        with self.database.session() as session:
            session.merge(WishRow(owner=owner, **fields))

    def rings(self, owner: str, game: str) -> bool:
        with self.database.session() as session:
            return rings(session, owner, game)

    def ring(self, owner: str, game: str, wanted: bool) -> None:
        with self.database.session() as session:
            session.merge(BellRow(owner=owner, game=game, rings=wanted))

    # Wires

    def wires(self, owner: str) -> list[WireRow]:
        with self.database.session() as session:
            return wires_of(session, owner)

    def add_mail(self, session: Session, owner: str, address: str) -> int:
        """An address that is somebody's as soon as a letter there has been answered."""
        address = checked_address(address)
        if not any(is_new(session, letter, self.clock()) for letter in self._letters(address)):
            raise Refused(Refusal("", ASKED_ENOUGH))
        return self._add(session, owner, "mail", address, hashed(address.casefold()), "")

    def check_mail(self, address: str) -> None:
        """Whether an address may be asked once more today."""
        letters = self._letters(checked_address(address))
        sent = select(func.count()).where(TellingRow.name.in_(letters))
        with self.database.session() as session:
            if session.scalar(sent) == MOST_LETTERS:
                raise Refused(Refusal("", ASKED_ENOUGH))

    def _letters(self, address: str) -> list[str]:
        """What letters to an address are called, of which each is sent once."""
        digest, today = hashed(mailbox_of(address)), self.clock()
        return [f"letter/{digest}/{today:%Y-%m-%d}/{number}" for number in range(MOST_LETTERS)]

    def add_webhook(self, owner: str, address: str, shape: str) -> int:
        address = check_webhook(address, shape)
        with self.database.session() as session:
            return self._add(session, owner, "webhook", address, hashed(address), shape)

    def add_push(self, owner: str, subscription: Subscription) -> int:
        checked_subscription(subscription)
        keys, endpoint = msgspec.json.encode(subscription.keys).decode(), subscription.endpoint
        with self.database.session() as session:
            # a browser has one endpoint, and whoever uses the browser now is told there
            session.execute(delete(WireRow).where(WireRow.kind == "push", WireRow.digest == hashed(endpoint)))
            return self._add(session, owner, "push", endpoint, hashed(endpoint), keys)

    def _add(self, session: Session, owner: str, kind: WireKind, address: str, digest: str, data: str) -> int:
        held = session.scalars(select(WireRow).where(WireRow.owner == owner, WireRow.kind == kind)).all()
        for row in held:
            if row.digest == digest:
                row.data, row.trouble, row.failed_at, row.next_try = data, "", None, None
                return row.id
        if len(held) >= MOST_WIRES:
            raise Refused(Refusal("", f"you have {MOST_WIRES} of these already; remove one first"))
        row = WireRow(
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

    def remove(self, owner: str, wire: int) -> None:
        with self.database.session() as session:
            session.execute(delete(WireRow).where(WireRow.owner == owner, WireRow.id == wire))

    # Links in mails

    def token(self, wire: WireRow, purpose: str) -> str:
        """The secret in the link of a mail. It names the wire's moment: SQLite gives numbers of deleted rows again."""
        meant = f"{purpose} wire {wire.id} {wire.made.isoformat()}"
        return f"{wire.id}-{self.database.key_cipher.derived(meant).hex()[:40]}"

    def meant(self, token: str, purpose: str) -> WireRow:
        """The wire that a link is about."""
        number = token.partition("-")[0]
        wire = int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else 0
        with self.database.session() as session:
            row = session.get(WireRow, wire)
            if row is None or not hmac.compare_digest(self.token(row, purpose).encode(), token.encode()):
                raise NotHere("this link leads nowhere: nothing is sent there any more, or not all of it was copied")
            return row

    def confirm(self, token: str) -> WireRow:
        wire = self.meant(token, "confirm")
        with self.database.session() as session:
            session.execute(update(WireRow).where(WireRow.id == wire.id).values(confirmed=True))
        return wire

    def end(self, token: str) -> WireRow:
        wire = self.meant(token, "end")
        with self.database.session() as session:
            session.execute(delete(WireRow).where(WireRow.id == wire.id))
        return wire


def is_new(session: Session, name: str, now: datetime) -> bool:
    """Whether this happens for the first time; from now on it does not."""
    insert = insert_here if session.get_bind().dialect.name == "sqlite" else insert_there
    noted = insert(TellingRow).values(name=name, at=now).on_conflict_do_nothing().returning(TellingRow.name)
    return session.scalar(noted) is not None


def forget_old(session: Session, now: datetime) -> None:
    """Delete what nobody needs to know any more of what was told."""
    session.execute(delete(TellingRow).where(TellingRow.at < now - FORGOTTEN))


def rings(session: Session, owner: str, game: str) -> bool:
    bell = session.get(BellRow, (owner, game))
    return wish_of(session, owner).every_game if bell is None else bell.rings


def wires_of(session: Session, owner: str) -> list[WireRow]:
    return list(session.scalars(select(WireRow).where(WireRow.owner == owner).order_by(WireRow.id)))


def check_webhook(address: str, shape: str) -> str:
    """The address, as it is written to."""
    address = address.strip()
    read_address(address)
    if shape not in SHAPES:
        raise Unreadable(f"a webhook takes one of {', '.join(SHAPES)}, not {shape!r}")
    return address


def check_wish(wish: Wish) -> None:
    if unknown := set(wish.events) - EVENTS.keys():
        raise Unreadable(f"nobody is told of {', '.join(sorted(unknown))}; there are {', '.join(EVENTS)}")
    if wish.zone not in zones():
        raise Unreadable(f"{wish.zone[:64]!r} is no time zone; one is written like Europe/Prague")
    if wish.digest_hour is not None and not 0 <= wish.digest_hour < 24:
        raise Unreadable("the hour of the daily mail is one from 0 to 23")


def chosen(events: Collection[str]) -> tuple[str, ...]:
    return tuple(event for event in EVENTS if event in events)


DIGEST: Final = "digest"
"""The kind of job that sends a daily mail."""


class NotificationOwners(AccountListener):
    def joined(self, session: Session, visitor: Visitor, account: AccountRow) -> None:
        if visitor.account is None:
            move(session, owner_of(visitor), account_owner(account.id))


def move(session: Session, before: str, after: str) -> None:
    """Somebody has an account from now on: what they wanted without one they go on wanting."""
    held = set(session.scalars(select(WireRow.digest).where(WireRow.owner == after)))
    for wire in session.scalars(select(WireRow).where(WireRow.owner == before)).all():
        if wire.digest in held:
            session.delete(wire)
        else:
            wire.owner = after
    for bell in session.scalars(select(BellRow).where(BellRow.owner == before)).all():
        session.merge(BellRow(owner=after, game=bell.game, rings=bell.rings))
        session.delete(bell)
    wish = session.get(WishRow, before)
    if wish is not None:
        if session.get(WishRow, after) is None:
            fields = {"events", "every_game", "when_there", "zone", "digest_hour"}
            session.add(WishRow(owner=after, **{name: getattr(wish, name) for name in fields}))
            due = session.scalar(select(JobRow.due).where(JobRow.name == digest_job(before)))
            cancel_jobs(session, [digest_job(before), digest_job(after)])  # whoever sends it just now finds out
            if due is not None:
                want_digest(session, after, due)
        session.delete(wish)


def digest_job(owner: str) -> str:
    """The name of the job that sends somebody's daily mail."""
    return f"{DIGEST}/{owner}"


def want_digest(session: Session, owner: str, due: datetime) -> None:
    enqueue(session, DIGEST, digest_job(owner), due, msgspec.json.encode(owner).decode())
