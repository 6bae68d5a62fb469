"""Alembic runs this: the steps are done on the connection that the database gives."""

from __future__ import annotations

from alembic import context

from ostbahn.server.db.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite changes a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
