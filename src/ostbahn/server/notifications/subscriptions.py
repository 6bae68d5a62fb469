"""What people want to be told, where, and how they are reached."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from datetime import datetime
from typing import Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.server.accounts.preferences import Wish, wish_of, zones
from ostbahn.server.accounts.tables import WishRow
from ostbahn.server.db.database import Archive
from ostbahn.server.db.encryption import hashed
from ostbahn.server.games.service import Clock
from ostbahn.server.notifications import mail as post
from ostbahn.server.notifications import push
from ostbahn.server.notifications.queue import is_new
from ostbahn.server.notifications.safe_http import read_address
from ostbahn.server.notifications.tables import BellRow, TellingRow, WireRow
from ostbahn.server.notifications.webhooks import SHAPES
from ostbahn.table.access import NotHere, Unreadable

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

WireKind = Literal["mail", "webhook", "push"]


class Wire(Struct, frozen=True):
    """A way to reach somebody."""

    id: int
    kind: WireKind
    address: str
    data: str
    confirmed: bool
    trouble: str
    made: datetime
    failed_at: datetime | None = None
    next_try: datetime | None = None


class Wishes:
    def __init__(self, archive: Archive, clock: Clock) -> None:
        self.archive = archive
        self.clock = clock

    # What somebody wants

    def of(self, owner: str) -> Wish:
        with self.archive.session() as session:
            return wish_of(session, owner)

    def keep(self, owner: str, wish: Wish) -> None:
        check_wish(wish)
        fields = msgspec.structs.asdict(wish) | {"events": ",".join(wish.events)}
        with self.archive.session() as session:
            session.merge(WishRow(owner=owner, **fields))

    def rings(self, owner: str, game: str) -> bool:
        """Whether somebody is told of this game."""
        with self.archive.session() as session:
            return rings(session, owner, game)

    def ring(self, owner: str, game: str, wanted: bool) -> None:
        with self.archive.session() as session:
            session.merge(BellRow(owner=owner, game=game, rings=wanted))

    # Wires

    def wires(self, owner: str) -> list[Wire]:
        with self.archive.session() as session:
            return wires_of(session, owner)

    def add_mail(self, session: Session, owner: str, address: str) -> int:
        """An address that is somebody's as soon as a letter there has been answered."""
        address = post.checked(address)
        if not any(is_new(session, letter, self.clock()) for letter in self._letters(address)):
            raise Refused(Refusal("", ASKED_ENOUGH))
        return self._add(session, owner, "mail", address, hashed(address.casefold()), "", confirmed=False)

    def check_mail(self, address: str) -> None:
        """Whether an address may be asked once more today."""
        letters = self._letters(post.checked(address))
        with self.archive.session() as session:
            if len(session.scalars(select(TellingRow.name).where(TellingRow.name.in_(letters))).all()) == len(letters):
                raise Refused(Refusal("", ASKED_ENOUGH))

    def _letters(self, address: str) -> list[str]:
        """What letters to an address are called, of which each is sent once."""
        digest, today = hashed(post.mailbox_of(address)), self.clock()
        return [f"letter/{digest}/{today:%Y-%m-%d}/{number}" for number in range(MOST_LETTERS)]

    def add_webhook(self, owner: str, address: str, shape: str) -> int:
        address = check_webhook(address, shape)
        with self.archive.session() as session:
            return self._add(session, owner, "webhook", address, hashed(address), shape, confirmed=True)

    def add_push(self, owner: str, subscription: push.Subscription) -> int:
        push.checked(subscription)
        keys, endpoint = msgspec.json.encode(subscription.keys).decode(), subscription.endpoint
        with self.archive.session() as session:
            # a browser has one endpoint, and whoever uses the browser now is told there
            session.execute(delete(WireRow).where(WireRow.kind == "push", WireRow.digest == hashed(endpoint)))
            return self._add(session, owner, "push", endpoint, hashed(endpoint), keys, confirmed=True)

    def _add(
        self, session: Session, owner: str, kind: WireKind, address: str, digest: str, data: str, *, confirmed: bool
    ) -> int:
        own = select(WireRow).where(WireRow.owner == owner, WireRow.kind == kind)
        held = list(session.scalars(own))
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
            confirmed=confirmed,
            made=self.clock(),
            trouble="",
        )
        session.add(row)
        session.flush()
        return row.id

    def remove(self, owner: str, wire: int) -> None:
        with self.archive.session() as session:
            session.execute(delete(WireRow).where(WireRow.owner == owner, WireRow.id == wire))

    # Links in mails

    def token(self, wire: WireRow, purpose: str) -> str:
        """What stands in the link of a mail; nobody else can make one.

        It is for this very wire: SQLite gives the number of one that is gone to the next, which may be somebody else's.
        """
        meant = f"{purpose} wire {wire.id} {wire.made.isoformat()}"
        return f"{wire.id}-{self.archive.seal.derived(meant).hex()[:40]}"

    def meant(self, token: str, purpose: str) -> Wire:
        """The wire that a link is about."""
        number = token.partition("-")[0]
        wire = int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else 0
        with self.archive.session() as session:
            row = session.get(WireRow, wire)
            if row is None or not hmac.compare_digest(self.token(row, purpose).encode(), token.encode()):
                raise NotHere("this link leads nowhere: nothing is sent there any more, or not all of it was copied")
            return _wire(row)

    def confirm(self, token: str) -> Wire:
        wire = self.meant(token, "confirm")
        with self.archive.session() as session:
            session.execute(update(WireRow).where(WireRow.id == wire.id).values(confirmed=True))
        return wire

    def end(self, token: str) -> Wire:
        wire = self.meant(token, "end")
        with self.archive.session() as session:
            session.execute(delete(WireRow).where(WireRow.id == wire.id))
        return wire


def rings(session: Session, owner: str, game: str) -> bool:
    bell = session.get(BellRow, (owner, game))
    return wish_of(session, owner).every_game if bell is None else bell.rings


def wires_of(session: Session, owner: str) -> list[Wire]:
    return [_wire(row) for row in session.scalars(select(WireRow).where(WireRow.owner == owner).order_by(WireRow.id))]


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


def _wire(row: WireRow) -> Wire:
    kind: WireKind = "mail" if row.kind == "mail" else "webhook" if row.kind == "webhook" else "push"
    return Wire(row.id, kind, row.address, row.data, row.confirmed, row.trouble, row.made, row.failed_at, row.next_try)


def chosen(events: Iterable[str]) -> tuple[str, ...]:
    """Those that there are, in their order."""
    wanted = set(events)
    return tuple(event for event in EVENTS if event in wanted)
