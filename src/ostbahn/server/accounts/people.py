"""People: browsers that have been here, accounts for those who want one, and preferences of both."""

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
    """An attempt at a password, or a confirmation mail, for as long as it counts."""

    __tablename__ = "attempts"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), index=True)
    """Of the address that it came from, or of what was tried: an account, a device, the domain of a mail."""
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class AccountRow(Base):
    """Somebody who wants to find their seats on every device."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    known_as: Mapped[str] = mapped_column(String(80), unique=True)
    """The name without regard to capitals: Anna and anna are the same."""
    skeleton: Mapped[str | None] = mapped_column(String(200), index=True, unique=True)
    """What the name looks like (`lookalikes.py`); none where an older account looks the same."""
    password: Mapped[str] = mapped_column(String(200))  # an argon2 hash
    recovery: Mapped[str] = mapped_column(String(64), server_default="")
    """A hash of the code with which a new password can be chosen; empty if there is none."""
    person: Mapped[str] = mapped_column(String(32), server_default="")
    """By which results know them; it is drawn by lot, so it says nothing when the account is gone."""
    public: Mapped[bool] = mapped_column(server_default=false())  # whether everybody may see their profile
    rated: Mapped[bool] = mapped_column(server_default=true())  # whether their games count for a rating
    banned: Mapped[str] = mapped_column(Text, server_default="")
    """Why whoever runs the server has closed it; empty while it is open."""


class VisitorRow(Base):
    """A browser that has been here, known by its cookie."""

    __tablename__ = "visitors"

    id: Mapped[int] = mapped_column(primary_key=True)
    cookie: Mapped[str] = mapped_column(String(64), unique=True)
    """A hash of the cookie, so that nobody gets in with a copy of the database."""
    account: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))
    called: Mapped[str] = mapped_column(String(40), server_default="")
    """What whoever sits there called themselves last, so that they need not type it again."""
    seen: Mapped[datetime | None] = mapped_column(UtcDateTime)  # when it was here last, as far as that is noted
    browser: Mapped[str] = mapped_column(String(40), server_default="")  # what it is, in coarse words


class SubscriptionRow(Base):
    """How somebody wants to be told."""

    __tablename__ = "wishes"

    owner: Mapped[str] = mapped_column(String(24), primary_key=True)
    """`a7` for an account, `v7` for a visitor without one."""
    events: Mapped[str] = mapped_column(String(80))  # of what, with commas between them
    every_game: Mapped[bool]
    """Whether of all their games, but for those with a silent bell; else only where they ring it."""
    when_there: Mapped[bool]  # whether also while the table is open before them
    zone: Mapped[str] = mapped_column(String(64))
    digest_hour: Mapped[int | None]  # at which hour of their own time zone they want the daily mail; none for no mail


SHORTEST_PASSWORD: Final = 8
LONGEST_PASSWORD: Final = 200
LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # of recovery codes: none that looks like another
PERSON: Final = 16  # bytes of what results call somebody by
NO_SIGN_UPS: Final = "this server takes no new accounts at the moment; you can play without one"
GROUPS, GROUP = 4, 5
"""Of letters in a recovery code; with 99 bits nobody finds a code by trying, however quick its hash is."""


class Visitor(Struct, frozen=True):
    """Somebody who looks at the pages."""

    id: int
    account: int | None
    name: str | None  # the name of the account, if there is one
    called: str = ""  # what they called themselves last at a table; by an account one is called as it is
    seen: datetime | None = None  # when they were here last, as far as that is noted
    banned: str = ""  # why their account was closed by whoever runs the server; then they are logged in no more


class AccountListener:
    def joined(self, session: Session, visitor: Visitor, account: AccountRow) -> None:
        """A visitor has registered or logged in: what was theirs is the account's now, and the visitor is deleted."""


class PrivacyChoices(Struct, frozen=True):
    public: bool = False  # whether everybody may see their profile
    rated: bool = True  # whether their games are rated


class Admission(NamedTuple):
    """Somebody has an account, or a new password for it."""

    cookie: str  # by which they are known from then on
    code: str  # with which they can choose a new password; it is shown once, and works once


class AccountService:
    def __init__(self, database: Database, listeners: Sequence[AccountListener] = ()) -> None:
        """listeners: called in this order when a visitor gets an account."""
        self.database = database
        self._listeners = tuple(listeners)
        self._hasher = PasswordHasher()
        self._nobody = _password_of_nobody()

    # Visitors

    def visitor(self, cookie: str | None) -> Visitor | None:
        if not cookie:
            return None
        with self.database.session() as session:
            row = session.scalar(select(VisitorRow).where(VisitorRow.cookie == hashed(cookie)))
            return None if row is None else self._visitor(session, row)

    def welcome(self) -> tuple[str, Visitor]:
        with self.database.session() as session:
            cookie, row = _known_from_now_on(session, None)
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
        """Make an account, and take the visitor's games into it."""
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
        """Returns a new cookie."""
        with self.database.session() as session:
            row = account_named(session, name)
            if not self._is_password(row, password) or row is None:
                raise NotYours("name and password do not fit together")
            if row.banned:
                raise _closed(row)
            if self._hasher.check_needs_rehash(row.password):
                row.password = self._hasher.hash(password)
            return self._enter(session, visitor, row)

    def _is_password(self, row: AccountRow | None, password: str) -> bool:
        try:
            self._hasher.verify(row.password if row is not None else self._nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return row is not None

    def _enter(self, session: Session, visitor: Visitor | None, account: AccountRow) -> str:
        """A new cookie for an account, so that an earlier one that somebody else knows is worth nothing."""
        if visitor is not None:
            for listener in self._listeners:
                listener.joined(session, visitor, account)
            session.execute(delete(VisitorRow).where(VisitorRow.id == visitor.id))  # gone already if they pressed twice
        return _known_from_now_on(session, account.id)[0]

    def log_out(self, visitor: Visitor) -> None:
        with self.database.session() as session:
            session.get_one(VisitorRow, visitor.id).account = None

    def recover(self, visitor: Visitor | None, name: str, code: str, password: str) -> Admission:
        """Choose a new password by the recovery code, which logs out all browsers."""
        _check_password(password)
        with self.database.session() as session:
            row = account_named(session, name)
            if row is None or not row.recovery or not hmac.compare_digest(row.recovery, _code_hash(code)):
                raise NotYours("name and recovery code do not fit together")
            if row.banned:
                raise _closed(row)
            row.password = self._hasher.hash(password)
            log_out_others(session, row.id)
            here = None if visitor is None else session.get(VisitorRow, visitor.id)
            someone = None if here is None else self._visitor(session, here)
            return Admission(self._enter(session, someone, row), _give_code(row))

    def new_code(self, visitor: Visitor, password: str) -> str:
        """Another recovery code, in exchange for the password."""
        with self.database.session() as session:
            return _give_code(self.own_account(session, visitor, password))

    def own_account(self, session: Session, visitor: Visitor, password: str) -> AccountRow:
        row = None if visitor.account is None else session.get(AccountRow, visitor.account)
        if row is None or not self._is_password(row, password):
            raise NotYours("this is not your password")
        return row

    # What one decides oneself

    def change_password(self, visitor: Visitor, old: str, new: str, everywhere: bool) -> str:
        """Returns a new cookie; everywhere: log out other browsers."""
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
        chosen = msgspec.structs.asdict(choices)
        with self.database.session() as session:
            session.execute(update(AccountRow).where(AccountRow.id == visitor.account).values(chosen))

    def takes_sign_ups(self) -> bool:
        with self.database.session() as session:
            return server_flag(session, SIGN_UPS) != CLOSED

    def reset_recovery_code(self, name: str) -> tuple[str, str]:
        """Another recovery code for an operator to hand on, and the name as its owner writes it."""
        with self.database.session() as session:
            row = _named(session, name)
            return row.name, _give_code(row)

    def account_id(self, name: str) -> tuple[int, str]:
        """The id of an account, and its name as its owner writes it."""
        with self.database.session() as session:
            row = _named(session, name)
            return row.id, row.name


@cache
def _password_of_nobody() -> str:
    """Verified for unknown names, so that the time does not tell whether a name exists."""
    return PasswordHasher().hash("")


def _closed(account: AccountRow) -> NotYours:
    return NotYours(f"the account {account.name} was closed by whoever runs this server: {account.banned}")


def log_out_others(session: Session, account: int, here: int | None = None) -> None:
    """Log an account out in all browsers but one."""
    others = (VisitorRow.account == account) & (VisitorRow.id.is_distinct_from(here))
    session.execute(update(VisitorRow).where(others).values(account=None))


def account_named(session: Session, name: str) -> AccountRow | None:
    """The account of a name, which may be written with other blanks or full-width letters."""
    for written in (name.strip(), clean(name)):
        row = session.scalar(select(AccountRow).where(AccountRow.known_as == written.casefold()))
        if row is not None:
            return row
    return None


def name_like(session: Session, name: str) -> str | None:
    """The name of an account that is this one, or looks like it."""
    same = (AccountRow.known_as == name.casefold()) | (AccountRow.skeleton == skeleton(name))
    return session.scalar(select(AccountRow.name).where(same).order_by(AccountRow.known_as != name.casefold()).limit(1))


def _named(session: Session, name: str) -> AccountRow:
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
    """The hash of a code, in whatever case and with whatever blanks or dashes it was typed."""
    return hashed("".join(filter(str.isalnum, code.upper())))


def _give_code(row: AccountRow) -> str:
    code = _new_code()
    row.recovery = _code_hash(code)
    return code


def _known_from_now_on(session: Session, account: int | None) -> tuple[str, VisitorRow]:
    """A new cookie, and the visitor who is known by it."""
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
    """The key of what belongs to somebody, such as their subscription."""
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
    """All time zones that this machine knows; to look for them takes a while."""
    return frozenset({NO_ZONE, *available_timezones()})


def zone_named(name: str) -> tzinfo:
    return UTC if name == NO_ZONE or name not in zones() else ZoneInfo(name)
