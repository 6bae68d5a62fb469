"""Results and ratings, choices and bans of accounts, logged-in browsers, server flags, tournaments."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.migrations.columns import add, column, create, flag, game, moment, number, text

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    empty = sa.text("''")
    add(
        "accounts",
        person=text(32, server_default=empty),
        public=flag(server_default=sa.false()),
        rated=flag(server_default=sa.true()),
        banned=text(server_default=empty),
    )
    add("visitors", browser=text(40, server_default=empty), seen=moment(nullable=True))
    add("messages", hash=text(64, server_default=empty))
    _name_everybody()
    _make_results()
    _make_tournaments()


def _name_everybody() -> None:
    """Give existing accounts a `person`, by which results refer to them."""
    accounts = sa.table("accounts", sa.column("id", sa.Integer), sa.column("person", sa.String))
    for (account,) in op.get_bind().execute(sa.select(accounts.c.id)).all():
        person = secrets.token_hex(16)
        op.get_bind().execute(accounts.update().where(accounts.c.id == account).values(person=person))


def _make_results() -> None:
    facts = create("facts", name=text(40, primary_key=True), text=text())
    op.bulk_insert(facts, [{"name": "ratings", "text": ""}, {"name": "sign-ups", "text": "open"}])
    create(
        "results",
        game=game(primary_key=True),
        seat=text(16, primary_key=True),
        number=number(index=True),
        title=text(40),
        variant=text(40),
        person=text(32, index=True),
        bot=text(200, nullable=True),
        place=number(),
        won=flag(),
        worth=number(),
        ended=moment(),
        counts=flag(),
        mu=column(sa.Double(), nullable=True),
        sigma=column(sa.Double(), nullable=True),
    )


def _make_tournaments() -> None:
    create(
        "tournaments",
        id=text(16, primary_key=True),
        name=text(60),
        host=number(refers="accounts.id", nullable=True, index=True),
        wanted=text(),
        size=number(),
        rounds=number(),
        seed=number(),
        round=number(),
        created=moment(),
    )
    create(
        "entrants",
        sa.UniqueConstraint("tournament", "account"),
        id=number(primary_key=True),
        tournament=text(16, refers="tournaments.id", index=True),
        account=number(refers="accounts.id", nullable=True, index=True),
    )
    create(
        "tournament_tables",
        tournament=text(16, refers="tournaments.id", primary_key=True),
        round=number(primary_key=True),
        number=number(primary_key=True),
        seating=text(200),
        game=game(nullable=True, index=True),
    )
