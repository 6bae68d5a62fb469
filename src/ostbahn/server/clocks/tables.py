"""What the database keeps for clocks: decisions, votes, holidays, and when servers and people were there."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.tables import Base, Moment


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
