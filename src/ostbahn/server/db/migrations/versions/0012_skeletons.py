"""What account names look like; where two that exist look alike, the first keeps it for both."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.migrations.columns import add, text
from ostbahn.server.lookalikes import skeleton

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    add("accounts", skeleton=text(200, nullable=True))
    accounts = sa.table("accounts", sa.column("id", sa.Integer), sa.column("name", sa.String), sa.column("skeleton"))
    connection = op.get_bind()
    first: dict[str, int] = {}
    for row in connection.execute(sa.select(accounts.c.id, accounts.c.name).order_by(accounts.c.id)).all():
        first.setdefault(skeleton(row.name), row.id)
    for look, number in first.items():
        connection.execute(sa.update(accounts).where(accounts.c.id == number).values(skeleton=look))
    op.create_index("ix_accounts_skeleton", "accounts", ["skeleton"], unique=True)
