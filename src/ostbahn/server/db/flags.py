"""Facts about the whole house that whoever runs it may change while it is open."""

from __future__ import annotations

from typing import Final

from sqlalchemy import String, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from ostbahn.server.db.base import Base

SIGN_UPS: Final = "sign-ups"
OPEN: Final = "open"
CLOSED: Final = "closed"
RATINGS: Final = "ratings"
"""Says nothing: whoever holds its row is the only one who writes results."""


class FactRow(Base):
    """A fact about the whole house, which every process reads when it needs it."""

    __tablename__ = "facts"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


def fact(session: Session, name: str) -> str:
    row = session.get(FactRow, name)
    return "" if row is None else row.text


def note_fact(session: Session, name: str, text: str) -> None:
    session.merge(FactRow(name=name, text=text))


def hold(session: Session, name: str) -> None:
    """One process at a time, until the end of the transaction; SQLite has only one that writes in any case."""
    session.execute(select(FactRow).where(FactRow.name == name).with_for_update())
