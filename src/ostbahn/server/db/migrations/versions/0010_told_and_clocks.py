"""Being told, and clocks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ostbahn.server.db.tables import Moment

revision = "0010"
down_revision = "0009"


def _game(primary_key: bool = False) -> sa.Column[str]:
    return sa.Column("game", sa.String(length=16), sa.ForeignKey("games.id"), nullable=False, primary_key=primary_key)


def upgrade() -> None:
    _of_being_told()
    _of_clocks()


def _of_being_told() -> None:
    op.create_table(
        "wishes",
        sa.Column("owner", sa.String(length=24), primary_key=True),
        sa.Column("events", sa.String(length=80), nullable=False),
        sa.Column("every_game", sa.Boolean(), nullable=False),
        sa.Column("when_there", sa.Boolean(), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("digest_hour", sa.Integer(), nullable=True),
    )
    op.create_table(
        "bells",
        sa.Column("owner", sa.String(length=24), primary_key=True),
        _game(primary_key=True),
        sa.Column("rings", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "wires",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("owner", sa.String(length=24), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("made", Moment(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.UniqueConstraint("owner", "kind", "digest"),
    )
    op.create_index("ix_wires_owner", "wires", ["owner"])
    op.create_table(
        "tellings",
        sa.Column("name", sa.String(length=120), primary_key=True),
        sa.Column("at", Moment(), nullable=False),
    )
    op.create_index("ix_tellings_at", "tellings", ["at"])
    op.create_table(
        "seen",
        _game(primary_key=True),
        sa.Column("seat", sa.String(length=8), primary_key=True),
        sa.Column("at", Moment(), nullable=False),
    )


def _of_clocks() -> None:
    op.create_table(
        "asked",
        _game(primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("seat", sa.String(length=8), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
    )
    op.create_table(
        "clock_lines",
        sa.Column("id", sa.Integer(), primary_key=True),
        _game(),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
    )
    op.create_index("ix_clock_lines_game", "clock_lines", ["game"])
    op.create_table(
        "votes",
        _game(primary_key=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("by", sa.String(length=64), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("agreed", sa.String(length=64), nullable=False),
    )
    op.create_table(
        "holidays",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("owner", sa.String(length=24), nullable=False),
        sa.Column("begins", Moment(), nullable=False),
        sa.Column("ends", Moment(), nullable=False),
    )
    op.create_index("ix_holidays_owner", "holidays", ["owner"])
    op.create_table(
        "pulses",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("begins", Moment(), nullable=False),
        sa.Column("ends", Moment(), nullable=False),
    )
