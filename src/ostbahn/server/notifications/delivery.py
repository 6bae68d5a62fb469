"""Notifying people, as jobs: first who wants to know (`spread`), then one job for each channel (`deliver`). The log
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
from msgspec import Struct
from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from ostbahn.kernel.game import Setup
from ostbahn.server.accounts.people import wish_of
from ostbahn.server.games.keys import key_of, owners_at
from ostbahn.server.games.listeners import Telling, last_turn_change
from ostbahn.server.games.service import Clock, GameService
from ostbahn.server.games.tables import GameRow
from ostbahn.server.jobs.queue import AT_ONCE, Job, enqueue, finish
from ostbahn.server.metrics import Metrics
from ostbahn.server.notifications.channels import (
    Mail,
    Outlets,
    PushKeys,
    Signer,
    Subscription,
    send_mail,
    send_push,
    send_webhook,
)
from ostbahn.server.notifications.safe_http import NotSent, Outside
from ostbahn.server.notifications.subscriptions import CHOSEN_WITH, WireKind, WireRow, Wishes, is_new, rings, wires_of
from ostbahn.table.room import names_by_seat


class Words(NamedTuple):
    """The same for different ears."""

    title: str
    to_them: str
    """To whoever it is about."""
    to_all: str
    """In a room where others read."""


OF_EVENTS: Final = {
    "turn": Words(
        "Your turn: {name}",
        "It is your turn in {name} ({round}). You play {player}.",
        "{player}, it is your turn in {name} ({round}).",
    ),
    "time": Words(
        "Your time: {name}",
        "{detail} You play {player} in {name} ({round}).",
        "{player} in {name}: {detail}",
    ),
    "seat": Words(
        "You lost your seat: {name}",
        "{detail} You played {player} in {name} ({round}).",
        "{player} in {name}: {detail}",
    ),
    "vote": Words(
        "You are asked to agree: {name}",
        "{detail} What do you say? You play {player} in {name}.",
        "{player}, you are asked to agree in {name}: {detail}",
    ),
    "mention": Words(
        "You were mentioned: {name}",
        "{detail} mentioned you in the chat of {name}.",
        "{player}, {detail} mentioned you in the chat of {name}.",
    ),
    "begin": Words(
        "The game begins: {name}",
        "Everybody has sat down: {name} begins. You play {player}.",
        "{player}, everybody has sat down: {name} begins.",
    ),
    "over": Words(
        "The game is over: {name}",
        "{name} is over. You played {player}.",
        "{name} is over.",
    ),
}


LOG: Final = logging.getLogger(__name__)
QUIET: Final = timedelta(minutes=10)
"""In which the same failure gets one line."""


class Outcomes:
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
        except NotSent as fault:
            self._metrics.notified(channel, "failed")
            self._log(channel, fault.cause)
            raise
        self._metrics.notified(channel, "sent")

    def given_up(self, channel: str) -> None:
        """A message that failed is not tried again."""
        self._metrics.notified(channel, "given_up")

    def _log(self, channel: str, cause: str) -> None:
        kind, now = (channel, cause), self._clock()
        with self._lock:
            last = self._logged.get(kind)
            if last is not None and now - last < QUIET:
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
    def __init__(self, game_service: GameService, outlets: Outlets, wishes: Wishes, present: WhoIsThere) -> None:
        """present: seats whose players look at a table now."""
        self.database, self.clock, self.outlets = game_service.database, game_service.clock, outlets
        self.wishes, self.present = wishes, present
        self.outside, self.outcomes = Outside(outlets.let_in), Outcomes(game_service.metrics, game_service.clock)
        contact = outlets.address if outlets.address.startswith("https://") else "mailto:nobody@example.org"
        if outlets.office is not None:
            contact = f"mailto:{outlets.office.sender.rpartition('<')[2].rstrip('>')}"
        self.signer = Signer(self.database.key_cipher.derived("push")[:48], contact)

    # Who wants to know

    def spread(self, job: Job) -> None:
        """A job for each wire of each person whom it is for."""
        telling = msgspec.json.decode(job.data, type=Telling)
        there = telling.seat in self.present(telling.game)
        with self.database.session() as session:
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
            with self.database.session() as session:
                if sent:
                    mark(session, errand.wire)
                finish(session, job)

    def _deliver(self, errand: Errand) -> bool:
        """Whether there was still something to send."""
        with self.database.session() as session:
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
        table = session.get_one(GameRow, telling.game)
        player = names_by_seat(msgspec.json.decode(table.setup, type=Setup)).get(telling.seat, telling.seat)
        facts = {"name": table.name, "round": table.round, "player": player, "detail": telling.detail}
        words = Words(*(text.format_map(facts) for text in OF_EVENTS[telling.event]))
        key = key_of(session, self.database.key_cipher, owner, telling.game, telling.seat)
        in_the_open = f"/g/{telling.game}"
        return Dispatch(words, f"/t/{key}" if key else in_the_open, in_the_open, telling, player)

    def _try_later(self, job: Job, errand: Errand, fault: NotSent) -> None:
        now = self.clock()
        with self.database.session() as session:
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
            with self.database.session() as session:
                mark(session, wire.id, fault, self.clock(), next_try)
            raise
        with self.database.session() as session:
            mark(session, wire.id)

    def _send_mail(self, wire: WireRow, subject: str, text: str) -> None:
        if self.outlets.office is None:
            raise NotSent("this server has no mail server set at the moment", "no mail server is set")
        end = f"{self.outlets.address}/told/end/{self.wishes.token(wire, 'end')}"
        send_mail(Mail(wire.address, subject, text, end), self.outlets.office, self.clock)

    def _push(self, wire: WireRow, message: Dispatch) -> None:
        subscription = Subscription(wire.address, msgspec.json.decode(wire.data, type=PushKeys))
        told = {
            "title": message.words.title,
            "body": message.words.to_them,
            "path": message.own_path,
            "tag": f"{message.telling.event}-{message.telling.game}",
        }
        send_push(self.outside, self.signer, subscription, told, int(self.clock().timestamp()))

    def _post(self, wire: WireRow, message: Dispatch) -> None:
        told = {
            "event": message.telling.event,
            "game": message.telling.game,
            "player": message.player,
            "text": message.words.to_all,
            "address": self.outlets.address + message.open_path,
        }
        send_webhook(self.outside, wire.address, wire.data, told)


def send_errand(session: Session, kind: str, name: str, errand: Errand, due: datetime = AT_ONCE) -> None:
    enqueue(session, kind, name, due, msgspec.json.encode(errand).decode())


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
    last = last_turn_change(session, telling.game)
    return last is not None and last.seat == telling.seat and telling.mark.partition("-")[0] == str(last.turn)
