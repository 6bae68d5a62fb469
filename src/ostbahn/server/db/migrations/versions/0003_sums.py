"""Every line of a log has a sum, by which it is known whether it is as it was written."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.migrations.columns import add, text

revision = "0003"
down_revision = "0002"

FIELDS = ("game", "version", "kind", "by", "data", "how", "note")


def upgrade() -> None:
    add("entries", sum=text(8, server_default=""))
    entries = sa.table("entries", sa.column("sum"), *map(sa.column, FIELDS))
    connection = op.get_bind()
    rows = connection.execute(sa.select(*(entries.c[name] for name in FIELDS))).all()
    sums = [{"of": row.game, "at": row.version, "is": _sum(row)} for row in rows]
    here = (entries.c.game == sa.bindparam("of")) & (entries.c.version == sa.bindparam("at"))
    if sums:
        connection.execute(sa.update(entries).where(here).values(sum=sa.bindparam("is")), sums)


def _sum(row: sa.Row[tuple[object, ...]]) -> str:
    return hashlib.blake2s("\0".join(map(str, row)).encode(), digest_size=4).hexdigest()
