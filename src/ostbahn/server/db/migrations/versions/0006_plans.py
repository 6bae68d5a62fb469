"""Planning boards."""

from __future__ import annotations

from ostbahn.server.db.migrations.columns import create, game, text

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    owner = text(64, refers="keys.hash", index=True)
    create("plans", game=game(primary_key=True), origin=game(index=True), owner=owner)
