"""What the database keeps of talk: messages at a table, and private notes."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.tables import Base, Moment


class MessageRow(Base):
    """A line of the chat at a table."""

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    who: Mapped[str] = mapped_column(String(80))
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Moment)
    hash: Mapped[str] = mapped_column(String(64), server_default="")
    """Of the key with which it was said; empty for what was said before that was kept."""


class NoteRow(Base):
    """What somebody noted for themselves."""

    __tablename__ = "notes"

    hash: Mapped[str] = mapped_column(ForeignKey("keys.hash"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
