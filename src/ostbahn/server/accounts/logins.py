"""Log-ins: an account's browsers, and limits on password guesses (OWASP's device cookies).

A browser that has logged in before has its own attempts; all others share those of an account. So guessing by others
does not lock the owner out.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import OperationalError

from ostbahn.server.accounts.people import AttemptRow, Visitor, VisitorRow, account_named, log_out_others
from ostbahn.server.db.database import Database
from ostbahn.server.db.encryption import hashed
from ostbahn.server.faults import TooManyAttempts
from ostbahn.server.lookalikes import clean
from ostbahn.table.access import NotHere

SPAN: Final = timedelta(minutes=1)  # for which an attempt counts by default
LONGEST_SPAN: Final = timedelta(hours=1)  # after which attempts are deleted


class Attempts:
    def __init__(self, database: Database) -> None:
        self.database = database

    def too_many(self, what: str, now: datetime, most: int, span: timedelta = SPAN) -> bool:
        """Record an attempt; returns whether there were too many. It is stored before it is counted, against races."""
        begin, end = now - span, now + span  # later ones are from before the clock was put back
        is_recent = (AttemptRow.hash == hashed(what)) & (AttemptRow.at > begin) & (AttemptRow.at <= end)
        count = select(func.count(AttemptRow.id)).where(is_recent)
        with self.database.session() as session:
            if (session.scalar(count) or 0) >= most:
                return True
            old = (AttemptRow.at <= now - LONGEST_SPAN) | (AttemptRow.at > now + LONGEST_SPAN)
            session.execute(delete(AttemptRow).where(old))
            session.add(AttemptRow(hash=hashed(what), at=now))
        with self.database.session() as session:
            return (session.scalar(count) or 0) > most


MOST_GUESSES: Final = 20  # attempts in an hour: of all unknown browsers at one account, and of one known browser
GUESSING_SPAN: Final = timedelta(hours=1)
NONCE: Final = 16  # random bytes that identify a device
GUESSED: Final = (
    "there were too many attempts at this account. Try again in an hour, use a browser in which you have logged in"
    " before, or choose a new password with your recovery code"
)


class Devices:
    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self.database = database
        self.clock = clock
        self.attempts = Attempts(database)

    def cookie(self, name: str) -> str:
        """A device cookie for a browser that has just logged in to an account; empty if there is no such account."""
        person, nonce = self._person(name), secrets.token_hex(NONCE)
        return f"{nonce}-{self._signature(person, nonce)}" if person else ""

    def check_login(self, name: str, cookie: str) -> None:
        """Count an attempt to log in; refuse it if there were too many."""
        now, nonce = self.clock(), self._nonce(name, cookie)
        if nonce and not self._too_many(f"device {nonce}", now):
            return
        if self._too_many(f"account {clean(name).casefold()}", now):
            raise TooManyAttempts(GUESSED)

    def check_owner(self, visitor: Visitor) -> None:
        """Count an attempt of a logged-in visitor at their own password; refuse it if there were too many."""
        if self._too_many(f"browser {visitor.id}", self.clock()):
            raise TooManyAttempts(GUESSED)

    def _too_many(self, what: str, now: datetime) -> bool:
        return self.attempts.too_many(what, now, MOST_GUESSES, GUESSING_SPAN)

    def _nonce(self, name: str, cookie: str) -> str:
        """The device id in a cookie; empty unless that device has logged in to this account."""
        nonce, _, signature = cookie.partition("-")
        person = self._person(name) if signature else ""
        if not person or not hmac.compare_digest(signature.encode(), self._signature(person, nonce).encode()):
            return ""
        return nonce

    def _person(self, name: str) -> str:
        with self.database.session() as session:
            row = account_named(session, name)
            return "" if row is None else row.person

    def _signature(self, person: str, nonce: str) -> str:
        return self.database.key_cipher.derive(f"device {nonce} of {person}").hex()[:40]


NOTE_INTERVAL: Final = timedelta(minutes=10)  # between two writes of when a browser was last seen
GONE: Final = "you are not logged in there any more"
PROGRAMS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
"""Marks in user agents, and names for people; first those of browsers that mention others too."""
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


class Browser(Struct, frozen=True):
    id: int
    name: str
    seen: datetime | None
    here: bool  # whether it is the one that sends the request


def browser_name(agent: str) -> str:
    """A coarse name of a browser, without version or model."""
    program = next((name for sign, name in PROGRAMS if sign in agent), "")
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    return " on ".join(filter(None, (program or "A browser", system)))


class Browsers:
    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self.database = database
        self.clock = clock

    def note(self, visitor: Visitor, agent: str) -> None:
        """Store when a logged-in browser was last seen; most requests write nothing."""
        now = self.clock()
        if visitor.account is None or (visitor.seen is not None and now - visitor.seen < NOTE_INTERVAL):
            return
        seen = {"seen": now, "browser": browser_name(agent)}
        # a busy database must not make the page fail
        with suppress(OperationalError), self.database.session() as session:
            session.execute(update(VisitorRow).where(VisitorRow.id == visitor.id).values(seen))

    def of(self, visitor: Visitor) -> list[Browser]:
        """The browsers in which a visitor's account is logged in: this one first, then by when they were last seen."""

        def order(browser: Browser) -> tuple[bool, float, int]:
            return not browser.here, -browser.seen.timestamp() if browser.seen else 0.0, browser.id

        with self.database.session() as session:
            rows = session.scalars(select(VisitorRow).where(VisitorRow.account == visitor.account)).all()
        browsers = [Browser(row.id, row.browser or "A browser", row.seen, row.id == visitor.id) for row in rows]
        return sorted(browsers, key=order)

    def log_out(self, visitor: Visitor, browser: int) -> None:
        is_own = (VisitorRow.id == browser) & (VisitorRow.account == visitor.account)
        with self.database.session() as session:
            logged_out = session.scalar(update(VisitorRow).where(is_own).values(account=None).returning(VisitorRow.id))
        if visitor.account is None or logged_out is None:
            raise NotHere(GONE)

    def log_out_others(self, visitor: Visitor) -> None:
        if visitor.account is not None:
            with self.database.session() as session:
                log_out_others(session, visitor.account, visitor.id)
