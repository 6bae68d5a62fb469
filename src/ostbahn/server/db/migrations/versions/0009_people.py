"""Results and ratings, choices and bans of accounts, logged-in browsers, facts of the house, tournaments."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.tables import Moment

revision = "0009"
down_revision = "0008"

ADDED = {
    "accounts": (
        ("person", sa.String(length=32), sa.text("''")),
        ("public", sa.Boolean(), sa.false()),
        ("rated", sa.Boolean(), sa.true()),
        ("banned", sa.Text(), sa.text("''")),
    ),
    "visitors": (("browser", sa.String(length=40), sa.text("''")),),
    "messages": (("hash", sa.String(length=64), sa.text("''")),),
}


def upgrade() -> None:
    for table, columns in ADDED.items():
        for name, kind, default in columns:
            op.add_column(table, sa.Column(name, kind, nullable=False, server_default=default))
    op.add_column("visitors", sa.Column("seen", Moment(), nullable=True))
    _name_everybody()
    _make_results()
    _make_tournaments()


def _name_everybody() -> None:
    """Accounts of before get what results call them by."""
    accounts = sa.table("accounts", sa.column("id", sa.Integer), sa.column("person", sa.String))
    for (number,) in op.get_bind().execute(sa.select(accounts.c.id)).all():
        person = secrets.token_hex(16)
        op.get_bind().execute(accounts.update().where(accounts.c.id == number).values(person=person))


def _make_results() -> None:
    facts = op.create_table(
        "facts",
        sa.Column("name", sa.String(length=40), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.bulk_insert(facts, [{"name": "ratings", "text": ""}, {"name": "sign-ups", "text": "open"}])
    op.create_table(
        "results",
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(length=16), primary_key=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("variant", sa.String(length=40), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("bot", sa.String(length=200), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("worth", sa.Integer(), nullable=False),
        sa.Column("ended", Moment(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=True),
        sa.Column("sigma", sa.Double(), nullable=True),
    )
    for column in ("number", "person"):
        op.create_index(f"ix_results_{column}", "results", [column])


def _make_tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=16), primary_key=True),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("host", sa.Integer(), sa.ForeignKey("accounts.id"), nullable=True),
        sa.Column("wanted", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("created", Moment(), nullable=False),
    )
    op.create_table(
        "entrants",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("tournament", sa.String(length=16), sa.ForeignKey("tournaments.id"), nullable=False),
        sa.Column("account", sa.Integer(), sa.ForeignKey("accounts.id"), nullable=True),
        sa.UniqueConstraint("tournament", "account"),
    )
    op.create_table(
        "tournament_tables",
        sa.Column("tournament", sa.String(length=16), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("round", sa.Integer(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("seating", sa.String(length=200), nullable=False),
        sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), nullable=True),
    )
    for table, column in (
        ("tournaments", "host"),
        ("entrants", "tournament"),
        ("entrants", "account"),
        ("tournament_tables", "game"),
    ):
        op.create_index(f"ix_{table}_{column}", table, [column])
