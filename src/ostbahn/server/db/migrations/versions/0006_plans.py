"""Planning boards."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "plans",
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("origin", sa.String(length=16), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("owner", sa.String(length=64), sa.ForeignKey("keys.hash"), nullable=False),
    )
    for column in ("origin", "owner"):
        op.create_index(f"ix_plans_{column}", "plans", [column])
