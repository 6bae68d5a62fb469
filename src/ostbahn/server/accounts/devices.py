"""Guesses at passwords, limited for each account, without a way to lock its owner out.

These are OWASP's device cookies: a browser that has logged in has a signed cookie, and its attempts are counted for
itself. All browsers without one share the attempts at an account. So a stranger can use up only those of strangers; an
owner in a new browser, while somebody is guessing, gets in by their recovery code.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from ostbahn.server.accounts.attempts import Attempts
from ostbahn.server.accounts.people import Visitor, account_named
from ostbahn.server.db.database import Archive
from ostbahn.server.faults import TooMany
from ostbahn.server.lookalikes import clean

MOST: Final = 20
"""Attempts in an hour: of all unknown browsers at one account, and of one known browser."""
SPAN: Final = timedelta(hours=1)
NONCE: Final = 16
"""Bytes by which one device is told from another."""
GUESSED: Final = (
    "there were too many attempts at this account. Try again in an hour, use a browser in which you have logged in"
    " before, or choose a new password with your recovery code"
)


class Devices:
    def __init__(self, archive: Archive, clock: Callable[[], datetime]) -> None:
        self.archive = archive
        self.clock = clock
        self.attempts = Attempts(archive)

    def cookie(self, name: str) -> str:
        """The device cookie of a browser that has just logged in to an account; empty if there is none."""
        person, nonce = self._person(name), secrets.token_hex(NONCE)
        return f"{nonce}-{self._signature(person, nonce)}" if person else ""

    def check_login(self, name: str, cookie: str) -> None:
        """Count an attempt to log in, and refuse it where there were too many."""
        now, nonce = self.clock(), self._nonce(name, cookie)
        if nonce and not self._too_many(f"device {nonce}", now):
            return
        if self._too_many(f"account {clean(name).casefold()}", now):
            raise TooMany(GUESSED)

    def check_owner(self, visitor: Visitor) -> None:
        """The same for somebody who is logged in, and says their password once more."""
        if self._too_many(f"browser {visitor.id}", self.clock()):
            raise TooMany(GUESSED)

    def _too_many(self, what: str, now: datetime) -> bool:
        return self.attempts.too_many(what, now, MOST, SPAN)

    def _nonce(self, name: str, cookie: str) -> str:
        """By what a device is known that has logged in to this account; empty for all others."""
        nonce, _, signature = cookie.partition("-")
        person = self._person(name) if signature else ""
        if not person or not hmac.compare_digest(signature.encode(), self._signature(person, nonce).encode()):
            return ""
        return nonce

    def _person(self, name: str) -> str:
        with self.archive.session() as session:
            row = account_named(session, name)
            return "" if row is None else row.person

    def _signature(self, person: str, nonce: str) -> str:
        return self.archive.seal.derived(f"device {nonce} of {person}").hex()[:40]
