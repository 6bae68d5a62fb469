"""The base class of all tables; `ostbahn.server.schema` imports every one of them."""

from __future__ import annotations

from sqlalchemy.orm import DeclarativeBase


class Base(DeclarativeBase):
    """All tables share its metadata."""
