"""Logging in: the browsers in which somebody is, and limits on guesses at passwords (OWASP's device cookies).

A browser that has logged in has attempts of its own; all others share those of an account, so nobody is locked out.
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

SPAN: Final = timedelta(minutes=1)  # for this long an attempt counts, unless something else is said
LONGEST_SPAN: Final = timedelta(hours=1)  # nothing older is kept


class Attempts:
    def __init__(self, database: Database) -> None:
        self.database = database

    def too_many(self, what: str, now: datetime, most: int, span: timedelta = SPAN) -> bool:
        """Whether something was tried too often. An attempt is stored before it is counted, unless refused anyway."""
        begun, end = now - span, now + span  # what lies far ahead is from before the clock was put back
        lately = (AttemptRow.hash == hashed(what)) & (AttemptRow.at > begun) & (AttemptRow.at <= end)
        tried = select(func.count(AttemptRow.id)).where(lately)
        with self.database.session() as session:
            if (session.scalar(tried) or 0) >= most:
                return True
            old = (AttemptRow.at <= now - LONGEST_SPAN) | (AttemptRow.at > now + LONGEST_SPAN)
            session.execute(delete(AttemptRow).where(old))
            session.add(AttemptRow(hash=hashed(what), at=now))
        with self.database.session() as session:
            return (session.scalar(tried) or 0) > most


MOST_GUESSES: Final = 20  # attempts in an hour: of all unknown browsers at one account, and of one known browser
GUESSING_SPAN: Final = timedelta(hours=1)
NONCE: Final = 16  # bytes by which one device is told from another
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
        """The device cookie of a browser that has just logged in to an account; empty if there is none."""
        person, nonce = self._person(name), secrets.token_hex(NONCE)
        return f"{nonce}-{self._signature(person, nonce)}" if person else ""

    def check_login(self, name: str, cookie: str) -> None:
        now, nonce = self.clock(), self._nonce(name, cookie)
        if nonce and not self._too_many(f"device {nonce}", now):
            return
        if self._too_many(f"account {clean(name).casefold()}", now):
            raise TooManyAttempts(GUESSED)

    def check_owner(self, visitor: Visitor) -> None:
        """Count the attempt of somebody who is logged in and types their password once more."""
        if self._too_many(f"browser {visitor.id}", self.clock()):
            raise TooManyAttempts(GUESSED)

    def _too_many(self, what: str, now: datetime) -> bool:
        return self.attempts.too_many(what, now, MOST_GUESSES, GUESSING_SPAN)

    def _nonce(self, name: str, cookie: str) -> str:
        """What tells apart the devices that have logged in to this account; empty for all others."""
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


OFTEN: Final = timedelta(minutes=10)  # a browser that was here so shortly ago is not noted again
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
"""What browsers call themselves, and what people do; those that name others too stand first."""
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
    here: bool  # whether it is the one that asks


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
        """Note when a browser with an account was here last; most requests write nothing."""
        now = self.clock()
        if visitor.account is None or (visitor.seen is not None and now - visitor.seen < OFTEN):
            return
        seen = {"seen": now, "browser": browser_name(agent)}
        # a database that is busy is no reason to keep a page from anybody
        with suppress(OperationalError), self.database.session() as session:
            session.execute(update(VisitorRow).where(VisitorRow.id == visitor.id).values(seen))

    def of(self, visitor: Visitor) -> list[Browser]:
        """The browsers in which somebody is logged in: this one first, then the latest."""
        with self.database.session() as session:
            rows = session.scalars(select(VisitorRow).where(VisitorRow.account == visitor.account)).all()
        browsers = [Browser(row.id, row.browser or "A browser", row.seen, row.id == visitor.id) for row in rows]
        return sorted(browsers, key=lambda each: (not each.here, -each.seen.timestamp() if each.seen else 0.0, each.id))

    def log_out(self, visitor: Visitor, browser: int) -> None:
        mine = (VisitorRow.id == browser) & (VisitorRow.account == visitor.account)
        with self.database.session() as session:
            done = session.scalar(update(VisitorRow).where(mine).values(account=None).returning(VisitorRow.id))
        if visitor.account is None or done is None:
            raise NotHere(GONE)

    def log_out_others(self, visitor: Visitor) -> None:
        if visitor.account is not None:
            with self.database.session() as session:
                log_out_others(session, visitor.account, visitor.id)
