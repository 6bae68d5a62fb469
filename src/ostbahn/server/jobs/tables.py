"""What the database keeps of jobs."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from ostbahn.server.db.base import Base
from ostbahn.server.db.columns import Moment


class JobRow(Base):
    """Something to be done by whichever worker is free (`jobs.py`)."""

    __tablename__ = "jobs"
    __table_args__ = {"sqlite_autoincrement": True}  # noqa: RUF012 - SQLAlchemy's way to say it
    # else the next job would get the number of the one that was just done

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(120), unique=True)
    """Of which there is one only."""
    game: Mapped[str | None] = mapped_column(String(16), index=True)
    """What it is about; it finds out by itself if there is no such game any more."""
    due: Mapped[datetime] = mapped_column(Moment, index=True)
    soon: Mapped[bool]
    """Whether it is never due later than in a few minutes: where it is, the clock was put back."""
    data: Mapped[str] = mapped_column(Text)
    tries: Mapped[int]
    """How often it has failed so far."""
    fault: Mapped[str] = mapped_column(Text)
    """Why it failed last."""
