"""Moments know their time zone, and there are jobs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.tables import Moment

revision = "0007"
down_revision = "0006"

MOMENTS = (("games", "created"), ("games", "touched"), ("entries", "at"), ("messages", "at"))


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":  # which keeps them in UTC, and has no zones
        _change(sa.DateTime(timezone=True), _zone())
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False, unique=True),
        sa.Column("game", sa.String(length=16), nullable=True),
        sa.Column("due", Moment(), nullable=False),
        sa.Column("soon", sa.Boolean(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_jobs_game", "jobs", ["game"])
    op.create_index("ix_jobs_due", "jobs", ["due"])


def _zone() -> str:
    """In which zone moments were kept: that of a session for which nothing else is said, as it was until now."""
    return str(op.get_bind().scalar(sa.text("SELECT reset_val FROM pg_settings WHERE name = 'TimeZone'")))


def _change(kind: sa.DateTime, zone: str) -> None:
    quoted = zone.replace("'", "''")
    for table, column in MOMENTS:
        op.alter_column(table, column, type_=kind, postgresql_using=f"\"{column}\" AT TIME ZONE '{quoted}'")
