"""When a message could not be delivered, and when it is tried again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.tables import Moment

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("wires", sa.Column("failed_at", Moment(), nullable=True))
    op.add_column("wires", sa.Column("next_try", Moment(), nullable=True))
