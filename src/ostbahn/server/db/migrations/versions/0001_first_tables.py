"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("known_as", sa.String(length=80), nullable=False, unique=True),
        sa.Column("password", sa.String(length=200), nullable=False),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=16), primary_key=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("setup", sa.Text(), nullable=False),
        sa.Column("pace", sa.Integer(), nullable=False),
        sa.Column("ask_all", sa.Boolean(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("touched", sa.DateTime(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("round", sa.String(length=80), nullable=False),
        sa.Column("turn", sa.String(length=8), nullable=True),
    )
    op.create_table(
        "entries",
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("by", sa.String(length=8), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("how", sa.String(length=8), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("key", sa.String(length=32), primary_key=True),
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("seats", sa.String(length=64), nullable=False),
    )
    op.create_index("ix_keys_game", "keys", ["game"])
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
    )
    op.create_index("ix_messages_game", "messages", ["game"])
    op.create_table(
        "proposals",
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("by", sa.String(length=64), nullable=False),
        sa.Column("keep", sa.Integer(), nullable=False),
        sa.Column("agreed", sa.String(length=64), nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(length=8), primary_key=True),
        sa.Column("bot", sa.String(length=200), nullable=True),
    )
    op.create_table(
        "snapshots",
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=16), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "visitors",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("cookie", sa.String(length=64), nullable=False, unique=True),
        sa.Column("account", sa.Integer(), sa.ForeignKey("accounts.id"), nullable=True),
    )
    op.create_table(
        "keepings",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(length=32), sa.ForeignKey("keys.key"), nullable=False),
        sa.Column("visitor", sa.Integer(), sa.ForeignKey("visitors.id"), nullable=True),
        sa.Column("account", sa.Integer(), sa.ForeignKey("accounts.id"), nullable=True),
    )
    op.create_index("ix_keepings_account", "keepings", ["account"])
    op.create_index("ix_keepings_visitor", "keepings", ["visitor"])
    op.create_table(
        "notes",
        sa.Column("key", sa.String(length=32), sa.ForeignKey("keys.key"), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
    )
