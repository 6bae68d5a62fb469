"""What the database keeps for notifications: channels, bells, and what was sent already."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.base import Base
from ostbahn.server.db.columns import Moment


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


class BellRow(Base):
    """What somebody wants at one table, where that is not what they want at all others."""

    __tablename__ = "bells"

    owner: Mapped[str] = mapped_column(String(24), primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    rings: Mapped[bool]


class TellingRow(Base):
    """Something of which somebody was told, or was to be: it is not told again."""

    __tablename__ = "tellings"

    name: Mapped[str] = mapped_column(String(120), primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment, index=True)
