"""People: visitors (browsers with a cookie), accounts, and their notification preferences."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from functools import cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct
from sqlalchemy import ForeignKey, String, Text, delete, false, select, true, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from ostbahn.server.db.database import Database
from ostbahn.server.db.encryption import hashed
from ostbahn.server.db.tables import CLOSED, SIGN_UPS, Base, UtcDateTime, server_flag
from ostbahn.server.lookalikes import account_name, clean, skeleton
from ostbahn.table.access import NotHere, NotYours, Unreadable


class AttemptRow(Base):
    """An attempt at a password, or a request for a confirmation mail, stored while it counts."""

    __tablename__ = "attempts"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), index=True)
    """The hash of the client's address, or of the target: an account, a device, a mail domain."""
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class AccountRow(Base):
    """An account, by which a player finds their seats on every device."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    known_as: Mapped[str] = mapped_column(String(80), unique=True)
    """The name with its case folded: Anna and anna are the same."""
    skeleton: Mapped[str | None] = mapped_column(String(200), index=True, unique=True)
    """The skeleton of the name (`lookalikes.py`); None if an older account has the same."""
    password: Mapped[str] = mapped_column(String(200))  # an argon2 hash
    recovery: Mapped[str] = mapped_column(String(64), server_default="")
    """The hash of the recovery code, which sets a new password; empty if there is none."""
    person: Mapped[str] = mapped_column(String(32), server_default="")
    """A random id in results, which identifies nobody once the account is deleted."""
    public: Mapped[bool] = mapped_column(server_default=false())  # whether everyone may see their profile
    rated: Mapped[bool] = mapped_column(server_default=true())  # whether their games count for a rating
    banned: Mapped[str] = mapped_column(Text, server_default="")
    """Why the operator has closed it; empty while it is open."""


class VisitorRow(Base):
    """A browser that has visited the server, identified by its cookie."""

    __tablename__ = "visitors"

    id: Mapped[int] = mapped_column(primary_key=True)
    cookie: Mapped[str] = mapped_column(String(64), unique=True)
    """The hash of the cookie: a copy of the database logs nobody in."""
    account: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))  # in which it is logged in
    called: Mapped[str] = mapped_column(String(40), server_default="")
    """The name that its user last typed at a table, as a default for the next."""
    seen: Mapped[datetime | None] = mapped_column(UtcDateTime)  # its last recorded request
    browser: Mapped[str] = mapped_column(String(40), server_default="")  # its program and system


class SubscriptionRow(Base):
    """The notification preferences of a visitor or account."""

    __tablename__ = "wishes"

    owner: Mapped[str] = mapped_column(String(24), primary_key=True)
    """`a7` for an account, `v7` for a visitor without one."""
    events: Mapped[str] = mapped_column(String(80))  # separated by commas
    every_game: Mapped[bool]
    """Whether for all games but those they muted; otherwise only for games with their bell on."""
    when_there: Mapped[bool]  # also while they have the table open
    zone: Mapped[str] = mapped_column(String(64))
    digest_hour: Mapped[int | None]  # the hour of the daily mail, in their own time zone; None for no mail


SHORTEST_PASSWORD: Final = 8
LONGEST_PASSWORD: Final = 200
LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # of recovery codes: no two look alike
PERSON: Final = 16  # bytes of `AccountRow.person`
NO_SIGN_UPS: Final = "this server takes no new accounts at the moment; you can play without one"
GROUPS, GROUP = 4, 5
"""Groups of letters in a recovery code, and letters in each: 99 bits, so that even a fast hash resists guessing."""


class Visitor(Struct, frozen=True):
    """The user of a browser with a cookie."""

    id: int
    account: int | None
    name: str | None  # the name of the account, if there is one
    called: str = ""  # the account's name, or without one the name they last typed at a table
    seen: datetime | None = None  # their last recorded request
    banned: str = ""  # why the operator has closed their account; they are not logged in then


class AccountListener:
    def joined(self, session: Session, visitor: Visitor, account: AccountRow) -> None:
        """A visitor has registered or logged in: move what they own to the account; the visitor is deleted next."""


class PrivacyChoices(Struct, frozen=True):
    public: bool = False  # whether everyone may see their profile
    rated: bool = True  # whether their games are rated


class Admission(NamedTuple):
    """The result of a registration or recovery."""

    cookie: str  # identifies the browser from now on
    code: str  # a recovery code, shown and valid only once


class AccountService:
    def __init__(self, database: Database, listeners: Sequence[AccountListener] = ()) -> None:
        """listeners: called in this order when a visitor gets an account."""
        self.database = database
        self._listeners = tuple(listeners)
        self._hasher = PasswordHasher()
        self._dummy_hash = _dummy_hash()

    # Visitors

    def visitor(self, cookie: str | None) -> Visitor | None:
        if not cookie:
            return None
        with self.database.session() as session:
            row = session.scalar(select(VisitorRow).where(VisitorRow.cookie == hashed(cookie)))
            return None if row is None else self._visitor(session, row)

    def welcome(self) -> tuple[str, Visitor]:
        """Create a visitor; returns their cookie too."""
        with self.database.session() as session:
            cookie, row = _new_visitor(session, None)
            return cookie, self._visitor(session, row)

    def _visitor(self, session: Session, row: VisitorRow) -> Visitor:
        account = None if row.account is None else session.get(AccountRow, row.account)
        if account is None or account.banned:
            return Visitor(row.id, None, None, row.called, banned="" if account is None else account.banned)
        return Visitor(row.id, account.id, account.name, account.name, row.seen)

    def remember_name(self, visitor: Visitor, name: str) -> None:
        if visitor.account is None and visitor.called != name:
            with self.database.session() as session:
                session.get_one(VisitorRow, visitor.id).called = name

    # Accounts

    def register(self, visitor: Visitor | None, name: str, password: str) -> Admission:
        """Create an account, which takes over the visitor's games."""
        name = account_name(name)
        _check_password(password)
        code = _new_code()
        row = AccountRow(
            name=name,
            known_as=name.casefold(),
            skeleton=skeleton(name),
            password=self._hasher.hash(password),
            recovery=_code_hash(code),
            person=secrets.token_hex(PERSON),
        )
        try:
            with self.database.session() as session:
                if server_flag(session, SIGN_UPS) == CLOSED:
                    raise NotYours(NO_SIGN_UPS)
                if other := name_like(session, name):
                    same = other.casefold() == name.casefold()
                    raise Unreadable(f"the name {name} {'is' if same else 'looks like one that is'} taken")
                session.add(row)
                session.flush()
                return Admission(self._enter(session, visitor, row), code)
        except IntegrityError:
            raise Unreadable(f"the name {name} is taken") from None

    def log_in(self, visitor: Visitor | None, name: str, password: str) -> str:
        """Log in; returns a new cookie."""
        with self.database.session() as session:
            row = account_named(session, name)
            if not self._is_password(row, password) or row is None:
                raise NotYours("name and password do not fit together")
            if row.banned:
                raise _banned_error(row)
            if self._hasher.check_needs_rehash(row.password):
                row.password = self._hasher.hash(password)
            return self._enter(session, visitor, row)

    def _is_password(self, row: AccountRow | None, password: str) -> bool:
        try:
            self._hasher.verify(row.password if row is not None else self._dummy_hash, password)
        except (VerificationError, InvalidHashError):
            return False
        return row is not None

    def _enter(self, session: Session, visitor: Visitor | None, account: AccountRow) -> str:
        """Log a visitor in to an account; returns a new cookie, since others may know the old one."""
        if visitor is not None:
            for listener in self._listeners:
                listener.joined(session, visitor, account)
            # not by the session: the row is gone already if the form was sent twice
            session.execute(delete(VisitorRow).where(VisitorRow.id == visitor.id))
        return _new_visitor(session, account.id)[0]

    def log_out(self, visitor: Visitor) -> None:
        with self.database.session() as session:
            session.get_one(VisitorRow, visitor.id).account = None

    def recover(self, visitor: Visitor | None, name: str, code: str, password: str) -> Admission:
        """Set a new password by the recovery code, and log out all browsers."""
        _check_password(password)
        with self.database.session() as session:
            row = account_named(session, name)
            if row is None or not row.recovery or not hmac.compare_digest(row.recovery, _code_hash(code)):
                raise NotYours("name and recovery code do not fit together")
            if row.banned:
                raise _banned_error(row)
            row.password = self._hasher.hash(password)
            log_out_others(session, row.id)
            browser = None if visitor is None else session.get(VisitorRow, visitor.id)
            logged_out = None if browser is None else self._visitor(session, browser)
            return Admission(self._enter(session, logged_out, row), _set_new_code(row))

    def new_code(self, visitor: Visitor, password: str) -> str:
        """Replace the recovery code, for an owner who knows the password; returns the new one."""
        with self.database.session() as session:
            return _set_new_code(self.own_account(session, visitor, password))

    def own_account(self, session: Session, visitor: Visitor, password: str) -> AccountRow:
        """The visitor's account; refuses a wrong password."""
        row = None if visitor.account is None else session.get(AccountRow, visitor.account)
        if row is None or not self._is_password(row, password):
            raise NotYours("this is not your password")
        return row

    # Settings

    def change_password(self, visitor: Visitor, old: str, new: str, everywhere: bool) -> str:
        """Change the password; returns a new cookie. everywhere: log out all other browsers."""
        _check_password(new)
        with self.database.session() as session:
            row = self.own_account(session, visitor, old)
            row.password = self._hasher.hash(new)
            if everywhere:
                log_out_others(session, row.id, visitor.id)
            return self._enter(session, visitor, row)

    def choices(self, visitor: Visitor) -> PrivacyChoices:
        with self.database.session() as session:
            row = session.get(AccountRow, visitor.account)
            return PrivacyChoices() if row is None else PrivacyChoices(row.public, row.rated)

    def save_privacy(self, visitor: Visitor, choices: PrivacyChoices) -> None:
        columns = msgspec.structs.asdict(choices)
        with self.database.session() as session:
            session.execute(update(AccountRow).where(AccountRow.id == visitor.account).values(columns))

    def takes_sign_ups(self) -> bool:
        with self.database.session() as session:
            return server_flag(session, SIGN_UPS) != CLOSED

    def reset_recovery_code(self, name: str) -> tuple[str, str]:
        """Replace a recovery code for an operator; returns the name as its owner writes it, and the code."""
        with self.database.session() as session:
            row = _existing_account(session, name)
            return row.name, _set_new_code(row)

    def account_id(self, name: str) -> tuple[int, str]:
        """The id of an account, and its name as its owner writes it."""
        with self.database.session() as session:
            row = _existing_account(session, name)
            return row.id, row.name


@cache
def _dummy_hash() -> str:
    """Verified for unknown names, so that timing does not reveal whether a name exists."""
    return PasswordHasher().hash("")


def _banned_error(account: AccountRow) -> NotYours:
    return NotYours(f"the account {account.name} was closed by whoever runs this server: {account.banned}")


def log_out_others(session: Session, account: int, here: int | None = None) -> None:
    """Log an account out in all browsers but `here`."""
    is_other = (VisitorRow.account == account) & (VisitorRow.id.is_distinct_from(here))
    session.execute(update(VisitorRow).where(is_other).values(account=None))


def account_named(session: Session, name: str) -> AccountRow | None:
    """The account of a name, also if typed with extra blanks or full-width letters; None if there is none."""
    for spelling in (name.strip(), clean(name)):
        row = session.scalar(select(AccountRow).where(AccountRow.known_as == spelling.casefold()))
        if row is not None:
            return row
    return None


def name_like(session: Session, name: str) -> str | None:
    """The name of an existing account that equals this one, or looks like it; None if there is none."""
    is_alike = (AccountRow.known_as == name.casefold()) | (AccountRow.skeleton == skeleton(name))
    equal_first = select(AccountRow.name).where(is_alike).order_by(AccountRow.known_as != name.casefold())
    return session.scalar(equal_first.limit(1))


def _existing_account(session: Session, name: str) -> AccountRow:
    row = account_named(session, name)
    if row is None:
        raise NotHere(f"nobody here has an account by the name of {name}")
    return row


def _check_password(password: str) -> None:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise Unreadable(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} letters")


def _new_code() -> str:
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))


def _code_hash(code: str) -> str:
    """The hash of a recovery code; case, blanks and dashes do not matter."""
    return hashed("".join(filter(str.isalnum, code.upper())))


def _set_new_code(row: AccountRow) -> str:
    code = _new_code()
    row.recovery = _code_hash(code)
    return code


def _new_visitor(session: Session, account: int | None) -> tuple[str, VisitorRow]:
    """Create a visitor, logged in to `account`; returns the cookie and the row."""
    cookie = secrets.token_urlsafe(32)
    row = VisitorRow(cookie=hashed(cookie), account=account)
    session.add(row)
    session.flush()
    return cookie, row


USUAL: Final = ("turn", "time", "vote")
NO_ZONE: Final = "UTC"


class Subscription(Struct, frozen=True):
    events: tuple[str, ...] = USUAL
    every_game: bool = False
    when_there: bool = False
    zone: str = NO_ZONE
    digest_hour: int | None = None


def owner_of(visitor: Visitor) -> str:
    """The owner id of a visitor, by which other tables refer to their account or browser."""
    return f"v{visitor.id}" if visitor.account is None else account_owner(visitor.account)


def account_owner(account: int) -> str:
    return f"a{account}"


def subscription_of(session: Session, owner: str) -> Subscription:
    row = session.get(SubscriptionRow, owner)
    if row is None:
        return Subscription()
    events = tuple(filter(None, row.events.split(",")))
    return Subscription(events, row.every_game, row.when_there, row.zone, row.digest_hour)


@cache
def zones() -> frozenset[str]:
    """All time zones of this machine; cached, since listing them is slow."""
    return frozenset({NO_ZONE, *available_timezones()})


def zone_named(name: str) -> tzinfo:
    return UTC if name == NO_ZONE or name not in zones() else ZoneInfo(name)
