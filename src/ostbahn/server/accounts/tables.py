"""What the database keeps of people: accounts, browsers, attempts at passwords, and preferences."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, false, true
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.base import Base
from ostbahn.server.db.columns import Moment


class AttemptRow(Base):
    """An attempt at a password, or a confirmation mail, for as long as it counts."""

    __tablename__ = "attempts"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), index=True)
    """Of the address that it came from, or of what was tried: an account, a device, the domain of a mail."""
    at: Mapped[datetime] = mapped_column(Moment)


class AccountRow(Base):
    """Somebody who wants to find their seats on every device."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    known_as: Mapped[str] = mapped_column(String(80), unique=True)
    """The name without regard to capitals: Anna and anna are the same."""
    skeleton: Mapped[str | None] = mapped_column(String(200), index=True, unique=True)
    """What the name looks like (`lookalikes.py`); none where an older account looks the same."""
    password: Mapped[str] = mapped_column(String(200))
    """An argon2 hash."""
    recovery: Mapped[str] = mapped_column(String(64), server_default="")
    """A hash of the code with which a new password can be chosen; empty if there is none."""
    person: Mapped[str] = mapped_column(String(32), server_default="")
    """By which results know them; it is drawn by lot, so it says nothing when the account is gone."""
    public: Mapped[bool] = mapped_column(server_default=false())
    """Whether everybody may see their profile."""
    rated: Mapped[bool] = mapped_column(server_default=true())
    """Whether their games count for a rating."""
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
    seen: Mapped[datetime | None] = mapped_column(Moment)
    """When it was here last, as far as that is noted."""
    browser: Mapped[str] = mapped_column(String(40), server_default="")
    """What it is, in coarse words."""


class WishRow(Base):
    """How somebody wants to be told."""

    __tablename__ = "wishes"

    owner: Mapped[str] = mapped_column(String(24), primary_key=True)
    """`a7` for an account, `v7` for a visitor without one."""
    events: Mapped[str] = mapped_column(String(80))
    """Of what, with commas between them."""
    every_game: Mapped[bool]
    """Whether of all their games, but for those with a silent bell; else only where they ring it."""
    when_there: Mapped[bool]
    """Whether also while the table is open before them."""
    zone: Mapped[str] = mapped_column(String(64))
    digest_hour: Mapped[int | None]
    """At which hour of their own time zone they want the daily mail; none for no mail."""
