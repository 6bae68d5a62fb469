"""Moves that somebody has prepared."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "prepared_moves",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("stamp", sa.Integer(), nullable=False),
        sa.Column("ended", sa.Text(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_prepared_moves_game", "prepared_moves", ["game"])
