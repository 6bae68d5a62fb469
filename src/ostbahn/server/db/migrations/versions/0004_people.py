"""Open tables, free seats, hints, games taken off a list, recovery codes, and what guests are called."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.migrations.columns import add, flag, text

revision = "0004"
down_revision = "0003"

UNUSED = (
    "SELECT 1 FROM keys WHERE keys.game = seats.game AND keys.seats = seats.seat AND keys.role = 'seat'"
    " AND keys.used = :no"
)


def upgrade() -> None:
    no, yes, empty = sa.false(), sa.true(), sa.text("''")
    add("games", listed=flag(server_default=no), watchable=flag(server_default=no), hints=flag(server_default=yes))
    add("seats", free=flag(server_default=no))
    add("keepings", removed=flag(server_default=no))
    add("accounts", recovery=text(64, server_default=empty))
    add("visitors", called=text(40, server_default=empty))
    free = sa.text(f"UPDATE seats SET free = :yes WHERE EXISTS ({UNUSED})")
    op.get_bind().execute(free, {"yes": True, "no": False})
