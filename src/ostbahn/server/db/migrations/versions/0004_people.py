"""Open tables, free seats, hints, games taken off a list, recovery codes, and what guests are called."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

ADDED = {
    "games": (
        ("listed", sa.Boolean(), sa.false()),
        ("watchable", sa.Boolean(), sa.false()),
        ("hints", sa.Boolean(), sa.true()),
    ),
    "seats": (("free", sa.Boolean(), sa.false()),),
    "keepings": (("removed", sa.Boolean(), sa.false()),),
    "accounts": (("recovery", sa.String(length=64), sa.text("''")),),
    "visitors": (("called", sa.String(length=40), sa.text("''")),),
}
UNUSED = (
    "SELECT 1 FROM keys WHERE keys.game = seats.game AND keys.seats = seats.seat AND keys.role = 'seat'"
    " AND keys.used = :no"
)


def upgrade() -> None:
    for table, columns in ADDED.items():
        for name, kind, default in columns:
            op.add_column(table, sa.Column(name, kind, nullable=False, server_default=default))
    free = sa.text(f"UPDATE seats SET free = :yes WHERE EXISTS ({UNUSED})")
    op.get_bind().execute(free, {"yes": True, "no": False})
