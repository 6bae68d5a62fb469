"""How a kept state was come to, and under which version of the rules a game was played."""

from __future__ import annotations

import sqlalchemy as sa

from ostbahn.server.db.migrations.columns import add, column, number, text

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    add(
        "games",
        rules=number(server_default="0"),
        digest=text(16, server_default=""),
        leg=column(sa.LargeBinary(), nullable=True),
    )
    add("snapshots", leg=column(sa.LargeBinary(), nullable=True), rules=number(server_default="0"))
