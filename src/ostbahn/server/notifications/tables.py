"""What the database keeps for being told and for clocks: wires, wishes, who was asked since when, votes, holidays."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.columns import Moment
from ostbahn.server.games.tables import Base


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


class BellRow(Base):
    """What somebody wants at one table, where that is not what they want at all others."""

    __tablename__ = "bells"

    owner: Mapped[str] = mapped_column(String(24), primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    rings: Mapped[bool]


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
    made: Mapped[datetime] = mapped_column(Moment)
    trouble: Mapped[str] = mapped_column(Text)
    """Why the last message did not arrive, for its owner to read; empty if all did."""
    failed_at: Mapped[datetime | None] = mapped_column(Moment)
    """When that was."""
    next_try: Mapped[datetime | None] = mapped_column(Moment)
    """When that message is sent again; None if it was given up."""


class TellingRow(Base):
    """Something of which somebody was told, or was to be: it is not told again."""

    __tablename__ = "tellings"

    name: Mapped[str] = mapped_column(String(120), primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment, index=True)


class AskedRow(Base):
    """From this version of a game on somebody else is asked than before; with the next line that is over."""

    __tablename__ = "asked"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str | None] = mapped_column(String(8))
    """None when the game is over."""
    turn: Mapped[int]
    """The how manieth turn of that seat it is: taking back and giving again begin no new one. 0 for bots."""
    at: Mapped[datetime] = mapped_column(Moment)


class ClockRow(Base):
    """A line of what was decided about a game's clock. Lines are added, never changed."""

    __tablename__ = "clock_lines"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    kind: Mapped[str] = mapped_column(String(8))
    """set, pause, resume, more (time for a seat) or ended (what was to happen at its end has)."""
    data: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Moment)


class VoteRow(Base):
    """What somebody wants to change about the time at a table; all others have to agree."""

    __tablename__ = "votes"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int]
    """So that nobody agrees to something else that was proposed meanwhile."""
    by: Mapped[str] = mapped_column(String(64))
    """The seats that propose."""
    data: Mapped[str] = mapped_column(Text)
    """The motion as JSON; empty when there is none any more."""
    agreed: Mapped[str] = mapped_column(String(64))


class HolidayRow(Base):
    """Days on which somebody does not play: clocks of days stand still for them."""

    __tablename__ = "holidays"

    id: Mapped[int] = mapped_column(primary_key=True)
    owner: Mapped[str] = mapped_column(String(24), index=True)
    begins: Mapped[datetime] = mapped_column(Moment)
    ends: Mapped[datetime] = mapped_column(Moment)


class PulseRow(Base):
    """A stretch of time in which some worker was at work; between two of them none was, as far as is known."""

    __tablename__ = "pulses"

    id: Mapped[int] = mapped_column(primary_key=True)
    begins: Mapped[datetime] = mapped_column(Moment)
    ends: Mapped[datetime] = mapped_column(Moment)


class SeenRow(Base):
    """When somebody last looked at a table from their seat."""

    __tablename__ = "seen"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment)
