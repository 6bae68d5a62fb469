"""What the database keeps of people beyond their accounts: results and ratings, tournaments, and facts of the house."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Double, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.columns import Moment
from ostbahn.server.games.tables import Base


class FactRow(Base):
    """A fact about the whole house, which every process reads when it needs it."""

    __tablename__ = "facts"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class AttemptRow(Base):
    """An attempt at a password, or a confirmation mail, for as long as it counts."""

    __tablename__ = "attempts"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), index=True)
    """Of the address that it came from, or of what was tried: an account, a device, the domain of a mail."""
    at: Mapped[datetime] = mapped_column(Moment)


class ResultRow(Base):
    """How a finished game ended for one seat."""

    __tablename__ = "results"

    game: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(16), primary_key=True)
    """A seat, or somebody without one whom the rules play."""
    number: Mapped[int] = mapped_column(index=True)
    """Of the game among all that have ended here, in this order."""
    title: Mapped[str] = mapped_column(String(40))
    variant: Mapped[str] = mapped_column(String(40))
    person: Mapped[str] = mapped_column(String(32), index=True)
    """Whose account had the seat (`accounts.person`); empty where nobody's had. It does not tell of an account that was
    deleted."""
    bot: Mapped[str | None] = mapped_column(String(200))
    place: Mapped[int]
    won: Mapped[bool]
    worth: Mapped[int]
    ended: Mapped[datetime] = mapped_column(Moment)
    counts: Mapped[bool]
    """Whether it counts for the person's rating; they choose that, and nobody counts who had several seats."""
    mu: Mapped[float | None] = mapped_column(Double)
    """The rating after this game, where it was rated at all."""
    sigma: Mapped[float | None] = mapped_column(Double)


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
