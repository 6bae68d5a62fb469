"""Keys are encrypted with AES-GCM; those that were covered by a pad of our own are encrypted anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context, op

from ostbahn.server.db.encryption import KeyCipher

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    key_cipher: KeyCipher = context.config.attributes["key_cipher"]
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":  # which does not look at the length
        op.alter_column("keys", "sealed", type_=sa.String(length=120), existing_nullable=False)
    keys = sa.table("keys", sa.column("hash", sa.String), sa.column("sealed", sa.String))
    for row in connection.execute(sa.select(keys.c.hash, keys.c.sealed)).all():
        if key := key_cipher.decrypt(row.hash, row.sealed):  # where the secret was lost, its owner brings it back
            connection.execute(sa.update(keys).where(keys.c.hash == row.hash).values(sealed=key_cipher.encrypt(key)))
