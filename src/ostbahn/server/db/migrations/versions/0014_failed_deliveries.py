"""When a message could not be delivered, and when it is tried again."""

from __future__ import annotations

from ostbahn.server.db.migrations.columns import add, moment

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    add("wires", failed_at=moment(nullable=True), next_try=moment(nullable=True))
