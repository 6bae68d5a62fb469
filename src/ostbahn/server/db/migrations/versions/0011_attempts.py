"""How often somebody has tried a password, counted for all workers together."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.tables import Moment

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("at", Moment(), nullable=False),
    )
    op.create_index("ix_attempts_hash", "attempts", ["hash"])
