"""How a kept state was come to, and under which version of the rules a game was played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("games", sa.Column("rules", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("games", sa.Column("digest", sa.String(length=16), nullable=False, server_default=""))
    op.add_column("games", sa.Column("leg", sa.LargeBinary(), nullable=True))
    op.add_column("snapshots", sa.Column("leg", sa.LargeBinary(), nullable=True))
    op.add_column("snapshots", sa.Column("rules", sa.Integer(), nullable=False, server_default="0"))
