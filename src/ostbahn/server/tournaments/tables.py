"""What the database keeps of tournaments."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.tables import Base, Moment


class TournamentRow(Base):
    """Several tables, in rounds."""

    __tablename__ = "tournaments"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(String(60))
    host: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    wanted: Mapped[str] = mapped_column(Text)
    """What is played, as JSON."""
    size: Mapped[int]
    """How many play at a table."""
    rounds: Mapped[int]
    seed: Mapped[int]
    round: Mapped[int]
    """Which one is played; 0 while people enter."""
    created: Mapped[datetime] = mapped_column(Moment)


class EntrantRow(Base):
    """Somebody who plays in a tournament; without an account once it was deleted."""

    __tablename__ = "entrants"
    __table_args__ = (UniqueConstraint("tournament", "account"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), index=True)
    account: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)


class TournamentTableRow(Base):
    """A table of a tournament, drawn when it begins; its game is made when its round comes."""

    __tablename__ = "tournament_tables"

    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """From 1; 0 for those who sit out."""
    seating: Mapped[str] = mapped_column(String(200))
    """Entrants in the order of their seats, with commas between them."""
    game: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
