"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa

from ostbahn.server.db.migrations.columns import column, create, flag, game, number, text

revision = "0001"
down_revision = None


def upgrade() -> None:
    create("accounts", id=number(primary_key=True), name=text(40), known_as=text(80, unique=True), password=text(200))
    create(
        "games",
        id=text(16, primary_key=True),
        name=text(80),
        setup=text(),
        pace=number(),
        ask_all=flag(),
        created=column(sa.DateTime()),
        touched=column(sa.DateTime()),
        number=number(),
        round=text(80),
        turn=text(8, nullable=True),
    )
    create(
        "entries",
        game=game(primary_key=True),
        version=number(primary_key=True),
        kind=text(8),
        by=text(8),
        data=text(),
        how=text(8),
        note=text(),
        at=column(sa.DateTime()),
    )
    create("keys", key=text(32, primary_key=True), game=game(index=True), role=text(12), seats=text(64))
    create(
        "messages",
        id=number(primary_key=True),
        game=game(index=True),
        who=text(80),
        text=text(),
        at=column(sa.DateTime()),
    )
    create("proposals", game=game(primary_key=True), version=number(), by=text(64), keep=number(), agreed=text(64))
    create("seats", game=game(primary_key=True), seat=text(8, primary_key=True), bot=text(200, nullable=True))
    create(
        "snapshots",
        game=game(primary_key=True),
        version=number(primary_key=True),
        number=number(),
        digest=text(16),
        state=column(sa.LargeBinary()),
    )
    create(
        "visitors",
        id=number(primary_key=True),
        cookie=text(64, unique=True),
        account=number(refers="accounts.id", nullable=True),
    )
    create(
        "keepings",
        id=number(primary_key=True),
        key=text(32, refers="keys.key"),
        visitor=number(refers="visitors.id", nullable=True, index=True),
        account=number(refers="accounts.id", nullable=True, index=True),
    )
    create("notes", key=text(32, refers="keys.key", primary_key=True), text=text())
