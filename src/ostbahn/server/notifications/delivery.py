"""Telling people, as jobs: first who wants to know (`spread`), then one job for each wire (`deliver`)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from ostbahn.server.accounts.preferences import wish_of
from ostbahn.server.db.database import Archive
from ostbahn.server.games.keys import key_of, owners_at
from ostbahn.server.games.listeners import Telling, last_asked
from ostbahn.server.games.service import Clock
from ostbahn.server.games.tables import GameRow
from ostbahn.server.jobs.queue import AT_ONCE, Job, finish, want
from ostbahn.server.notifications import mail as post
from ostbahn.server.notifications import push, webhooks
from ostbahn.server.notifications.config import Outlets
from ostbahn.server.notifications.messages import Words, table_of, worded
from ostbahn.server.notifications.outcomes import Outcomes
from ostbahn.server.notifications.queue import is_new
from ostbahn.server.notifications.safe_http import NotSent, Outside
from ostbahn.server.notifications.subscriptions import CHOSEN_WITH, WireKind, Wishes, rings, wires_of
from ostbahn.server.notifications.tables import WireRow

WIRES: Final[tuple[WireKind, ...]] = ("mail", "push", "webhook")
"""The kinds of jobs that reach one wire: each has threads of its own, so that webhooks that hang hold up no mail."""
FIRST_WAIT: Final = timedelta(seconds=5)
LONGEST_WAIT: Final = timedelta(hours=1)
GIVEN_UP: Final = timedelta(days=1)
LONGEST_TROUBLE: Final = 300

WhoIsThere = Callable[[str], Collection[str]]
"""The seats of a game whose players look at the table now."""


class Errand(Struct, frozen=True):
    """One message on one wire. No key stands here: the link is found when it is sent."""

    wire: int
    since: datetime
    telling: Telling | None = None
    """None for the letter that asks whether an address is somebody's."""
    tries: int = 0
    made: datetime | None = None
    """When the wire was made; one that was made at another moment is another, which only has its number now."""


class Dispatch(NamedTuple):
    words: Words
    own_path: str
    """Of their seat: for nobody else's eyes."""
    open_path: str
    """Of the table, where it leads everybody to their own seat."""
    telling: Telling
    player: str


class Messenger:
    def __init__(
        self,
        archive: Archive,
        clock: Clock,
        outlets: Outlets,
        wishes: Wishes,
        present: WhoIsThere,
        outside: Outside,
        outcomes: Outcomes,
    ) -> None:
        self.archive, self.clock, self.outlets, self.wishes = archive, clock, outlets, wishes
        self.outcomes = outcomes
        self.present = present
        self.outside = outside
        contact = outlets.address if outlets.address.startswith("https://") else "mailto:nobody@example.org"
        if outlets.office is not None:
            contact = f"mailto:{outlets.office.sender.rpartition('<')[2].rstrip('>')}"
        self.signer = push.Signer(archive.seal.derived("push")[:48], contact)

    # Who wants to know

    def spread(self, job: Job) -> None:
        """A job for each wire of each person whom it is for."""
        telling = msgspec.json.decode(job.data, type=Telling)
        there = telling.seat in self.present(telling.game)
        with self.archive.session() as session:
            if is_true(session, telling):
                for owner in telling.owners or owners_at(session, telling.game).get(telling.seat, ()):
                    self._spread_to(session, owner, telling, there)
            finish(session, job)

    def _spread_to(self, session: Session, owner: str, telling: Telling, there: bool) -> None:
        wish = wish_of(session, owner)
        if (
            CHOSEN_WITH.get(telling.event, telling.event) not in wish.events
            or not rings(session, owner, telling.game)
            or (there and not wish.when_there)
            or not is_new(session, f"{telling.name}/{owner}", self.clock())
        ):
            return
        for wire in wires_of(session, owner):
            if wire.confirmed:
                errand = Errand(wire.id, self.clock(), telling, made=wire.made)
                send_errand(session, wire.kind, f"{telling.name}/{wire.id}", errand)

    # Reaching them

    def deliver(self, job: Job) -> None:
        """Send one message; what does not arrive is tried again, after longer and longer pauses, for a day."""
        errand = msgspec.json.decode(job.data, type=Errand)
        try:
            sent = self._deliver(errand)
        except NotSent as fault:
            self._try_later(job, errand, fault)
        else:
            with self.archive.session() as session:
                if sent:
                    mark(session, errand.wire)
                finish(session, job)

    def _deliver(self, errand: Errand) -> bool:
        """Whether there was still something to send."""
        with self.archive.session() as session:
            wire = session.get(WireRow, errand.wire)
            if wire is None or errand.made not in (None, wire.made):
                return False
            if errand.telling is not None and not (wire.confirmed and is_true(session, errand.telling)):
                return False
            message = None if errand.telling is None else self._dispatch(session, wire.owner, errand.telling)
        with self.outcomes.attempt(wire.kind):
            if message is None:
                self._ask_whether_theirs(wire)
            elif wire.kind == "mail":
                self._mail(wire, message)
            elif wire.kind == "push":
                self._push(wire, message)
            else:
                self._post(wire, message)
        return True

    def _dispatch(self, session: Session, owner: str, telling: Telling) -> Dispatch:
        table = table_of(session.get_one(GameRow, telling.game), telling.seat)
        key = key_of(session, self.archive.seal, owner, telling.game, telling.seat)
        in_the_open = f"/g/{telling.game}"
        return Dispatch(worded(telling, table), f"/t/{key}" if key else in_the_open, in_the_open, telling, table.player)

    def _try_later(self, job: Job, errand: Errand, fault: NotSent) -> None:
        now = self.clock()
        with self.archive.session() as session:
            finish(session, job)
            if fault.for_good or now - errand.since > GIVEN_UP:
                self.outcomes.given_up(job.kind)
                mark(session, errand.wire, fault, now)
                # a browser that takes nothing any more is forgotten
                session.execute(delete(WireRow).where(WireRow.id == errand.wire, WireRow.kind == "push"))
                return
            due = now + min(FIRST_WAIT * 2**errand.tries, LONGEST_WAIT)
            mark(session, errand.wire, fault, now, due)
            send_errand(session, job.kind, job.name, msgspec.structs.replace(errand, tries=errand.tries + 1), due)

    # On each kind of wire

    def _ask_whether_theirs(self, wire: WireRow) -> None:
        address = self.outlets.address
        link = f"{address}/told/confirm/{self.wishes.token(wire, 'confirm')}"
        text = (
            f"Somebody at {address} would like to be told by this address when it is their turn in a game.\n\n"
            f"If that is you: {link}\n\nIf not, you need not do anything: nothing else will be sent."
        )
        self._send_mail(wire, "Is this your address?", text)

    def _mail(self, wire: WireRow, message: Dispatch) -> None:
        link = self.outlets.address + message.own_path
        self._send_mail(wire, message.words.title, f"{message.words.to_them}\n\n{link}")

    def mail_digest(self, wire: WireRow, subject: str, text: str, next_try: datetime | None) -> None:
        """next_try: when it is sent again if it fails now."""
        try:
            with self.outcomes.attempt("mail"):
                self._send_mail(wire, subject, text)
        except NotSent as fault:
            with self.archive.session() as session:
                mark(session, wire.id, fault, self.clock(), next_try)
            raise
        with self.archive.session() as session:
            mark(session, wire.id)

    def _send_mail(self, wire: WireRow, subject: str, text: str) -> None:
        if self.outlets.office is None:
            raise NotSent("this server has no mail server set at the moment", "no mail server is set")
        end = f"{self.outlets.address}/told/end/{self.wishes.token(wire, 'end')}"
        post.send(post.Mail(wire.address, subject, text, end), self.outlets.office, self.clock)

    def _push(self, wire: WireRow, message: Dispatch) -> None:
        subscription = push.Subscription(wire.address, msgspec.json.decode(wire.data, type=push.PushKeys))
        told = {
            "title": message.words.title,
            "body": message.words.to_them,
            "path": message.own_path,
            "tag": f"{message.telling.event}-{message.telling.game}",
        }
        push.send(self.outside, self.signer, subscription, told, int(self.clock().timestamp()))

    def _post(self, wire: WireRow, message: Dispatch) -> None:
        told = {
            "event": message.telling.event,
            "game": message.telling.game,
            "player": message.player,
            "text": message.words.to_all,
            "address": self.outlets.address + message.open_path,
        }
        webhooks.send(self.outside, wire.address, wire.data, told)


def send_errand(session: Session, kind: str, name: str, errand: Errand, due: datetime = AT_ONCE) -> None:
    want(session, kind, name, due, msgspec.json.encode(errand).decode())


def mark(
    session: Session,
    wire: int,
    fault: NotSent | None = None,
    failed_at: datetime | None = None,
    next_try: datetime | None = None,
) -> None:
    """Keep for its owner why the last message on a wire failed; without a fault it arrived."""
    trouble = "" if fault is None else str(fault)[:LONGEST_TROUBLE]
    values = {"trouble": trouble, "failed_at": failed_at, "next_try": next_try}
    session.execute(update(WireRow).where(WireRow.id == wire).values(values))


def is_true(session: Session, telling: Telling) -> bool:
    """Whether it is still so: nobody wants to hear of a turn that is over."""
    if telling.past or telling.event not in ("turn", "time"):
        return True
    last = last_asked(session, telling.game)
    return last is not None and last.seat == telling.seat and telling.mark.partition("-")[0] == str(last.turn)
