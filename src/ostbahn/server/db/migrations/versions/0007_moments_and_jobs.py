"""Moments know their time zone, and there are jobs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.migrations.columns import create, flag, moment, number, text

revision = "0007"
down_revision = "0006"

MOMENTS = (("games", "created"), ("games", "touched"), ("entries", "at"), ("messages", "at"))


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":  # which keeps them in UTC, and has no zones
        # until now in the zone of a session for which nothing else is said
        zone = str(connection.scalar(sa.text("SELECT reset_val FROM pg_settings WHERE name = 'TimeZone'")))
        quoted, kind = zone.replace("'", "''"), sa.DateTime(timezone=True)
        for table, column in MOMENTS:
            op.alter_column(table, column, type_=kind, postgresql_using=f"\"{column}\" AT TIME ZONE '{quoted}'")
    create(
        "jobs",
        id=number(primary_key=True),
        kind=text(16),
        name=text(120, unique=True),
        game=text(16, nullable=True, index=True),
        due=moment(index=True),
        soon=flag(),
        data=text(),
        tries=number(),
        fault=text(),
        autoincrement=True,
    )
