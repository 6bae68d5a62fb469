"""Moves that somebody has prepared."""

from __future__ import annotations

from ostbahn.server.db.migrations.columns import create, flag, game, number, text

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    create(
        "prepared_moves",
        id=number(primary_key=True),
        game=game(index=True),
        seat=text(8),
        data=text(),
        number=number(),
        stamp=number(),
        ended=text(),
        done=flag(),
    )
