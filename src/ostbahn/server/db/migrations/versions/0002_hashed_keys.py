"""Keys are kept as hashes, and sealed, so that the database alone opens no seat."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import context, op

from ostbahn.server.db.encryption import KeyCipher, hashed
from ostbahn.server.db.migrations.columns import create, flag, game, number, text

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    key_cipher: KeyCipher = context.config.attributes["key_cipher"]
    keys, notes, keepings = (_rows(name) for name in ("keys", "notes", "keepings"))
    for name in ("notes", "keepings", "keys"):  # with what refers to it before what is referred to
        op.drop_table(name)
    create(
        "keys",
        hash=text(64, primary_key=True),
        sealed=text(120),
        game=game(index=True),
        role=text(12),
        seats=text(64),
        used=flag(),
    )
    create("notes", hash=text(64, refers="keys.hash", primary_key=True), text=text())
    create(
        "keepings",
        id=number(primary_key=True),
        hash=text(64, refers="keys.hash"),
        visitor=number(refers="visitors.id", nullable=True, index=True),
        account=number(refers="accounts.id", nullable=True, index=True),
    )
    _fill("keys", [_hashed(row) | {"sealed": key_cipher.encrypt(row["key"]), "used": False} for row in keys])
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
