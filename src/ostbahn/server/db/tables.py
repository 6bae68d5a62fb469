"""The base class of all tables (`ops/backups.py` imports every one), UTC moments, and server flags."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import DateTime, Dialect, String, Text, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.types import TypeDecorator, TypeEngine


class Base(DeclarativeBase):
    """The base class of all tables, which share its metadata."""


class UtcDateTime(TypeDecorator[datetime]):
    """A timezone-aware moment in UTC: PostgreSQL stores the zone; SQLite stores a text without it."""

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(DateTime(timezone=dialect.name != "sqlite"))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value.isoformat()} could be any hour: a moment is kept with its time zone")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


SIGN_UPS: Final = "sign-ups"
OPEN: Final = "open"
CLOSED: Final = "closed"
RATINGS: Final = "ratings"  # without a value: only the transaction that locks its row writes results


class FlagRow(Base):
    """A server flag, shared by all processes."""

    __tablename__ = "facts"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


def server_flag(session: Session, name: str) -> str:
    row = session.get(FlagRow, name)
    return "" if row is None else row.text


def set_server_flag(session: Session, name: str, text: str) -> None:
    session.merge(FlagRow(name=name, text=text))


def lock_server_flag(session: Session, name: str) -> None:
    """Lock a flag until the end of the transaction (PostgreSQL only: SQLite has one writing process)."""
    session.execute(select(FlagRow).where(FlagRow.name == name).with_for_update())
