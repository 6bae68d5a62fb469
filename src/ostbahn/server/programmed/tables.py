"""What the database keeps of prepared moves."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.tables import Base


class PreparedRow(Base):
    """What somebody has prepared to answer; those who have the seat see it, and nobody else."""

    __tablename__ = "prepared_moves"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    data: Mapped[str] = mapped_column(Text)
    """The move as JSON."""
    number: Mapped[int]
    """After how many answers it was prepared."""
    stamp: Mapped[int]
    """The version that made the state which its owner saw: where it is another by now, they went back."""
    ended: Mapped[str] = mapped_column(Text)
    """Why it stands no more; empty while it does."""
    done: Mapped[bool]
    """Whether it was carried out or what it was for is over; else it was cancelled."""
