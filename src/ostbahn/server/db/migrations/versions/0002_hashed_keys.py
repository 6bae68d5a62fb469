"""Keys are kept as hashes, and sealed, so that the database alone opens no seat."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import context, op

from ostbahn.server.db.encryption import Seal, hashed

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    seal: Seal = context.config.attributes["seal"]
    keys, notes, keepings = (_rows(name) for name in ("keys", "notes", "keepings"))
    for name in ("notes", "keepings", "keys"):  # with what refers to it before what is referred to
        op.drop_table(name)
    _create()
    _fill("keys", [_hashed(row) | {"sealed": seal.close(row["key"]), "used": False} for row in keys])
    _fill("notes", [_hashed(row) for row in notes])
    _fill("keepings", [_hashed(row) for row in keepings])


def _rows(name: str) -> list[dict[str, Any]]:
    return [dict(row) for row in op.get_bind().execute(sa.text(f"SELECT * FROM {name}")).mappings()]


def _hashed(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "key"} | {"hash": hashed(row["key"])}


def _fill(name: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        table = sa.table(name, *map(sa.column, rows[0]))
        op.bulk_insert(table, rows)


def _create() -> None:
    op.create_table(
        "keys",
        sa.Column("hash", sa.String(length=64), primary_key=True),
        sa.Column("sealed", sa.String(length=120), nullable=False),
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("seats", sa.String(length=64), nullable=False),
        sa.Column("used", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_keys_game", "keys", ["game"])
    op.create_table(
        "notes",
        sa.Column("hash", sa.String(length=64), sa.ForeignKey("keys.hash"), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_table(
        "keepings",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("hash", sa.String(length=64), sa.ForeignKey("keys.hash"), nullable=False),
        sa.Column("visitor", sa.Integer(), sa.ForeignKey("visitors.id"), nullable=True),
        sa.Column("account", sa.Integer(), sa.ForeignKey("accounts.id"), nullable=True),
    )
    op.create_index("ix_keepings_account", "keepings", ["account"])
    op.create_index("ix_keepings_visitor", "keepings", ["visitor"])
