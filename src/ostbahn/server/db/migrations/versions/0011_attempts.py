"""How often somebody has tried a password, counted for all workers together."""

from __future__ import annotations

from ostbahn.server.db.migrations.columns import create, moment, number, text

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    create("attempts", id=number(primary_key=True), hash=text(64, index=True), at=moment())
