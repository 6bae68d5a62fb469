"""Notifications and clocks."""

from __future__ import annotations

import sqlalchemy as sa

from ostbahn.server.db.migrations.columns import create, flag, game, moment, number, text

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    _of_being_told()
    _of_clocks()


def _of_being_told() -> None:
    create(
        "wishes",
        owner=text(24, primary_key=True),
        events=text(80),
        every_game=flag(),
        when_there=flag(),
        zone=text(64),
        digest_hour=number(nullable=True),
    )
    create("bells", owner=text(24, primary_key=True), game=game(primary_key=True), rings=flag())
    create(
        "wires",
        sa.UniqueConstraint("owner", "kind", "digest"),
        id=number(primary_key=True),
        owner=text(24, index=True),
        kind=text(8),
        address=text(),
        digest=text(64),
        data=text(),
        confirmed=flag(),
        made=moment(),
        trouble=text(),
    )
    create("tellings", name=text(120, primary_key=True), at=moment(index=True))
    create("seen", game=game(primary_key=True), seat=text(8, primary_key=True), at=moment())


def _of_clocks() -> None:
    create(
        "asked",
        game=game(primary_key=True),
        version=number(primary_key=True),
        seat=text(8, nullable=True),
        turn=number(),
        at=moment(),
    )
    create("clock_lines", id=number(primary_key=True), game=game(index=True), kind=text(8), data=text(), at=moment())
    create("votes", game=game(primary_key=True), number=number(), by=text(64), data=text(), agreed=text(64))
    create("holidays", id=number(primary_key=True), owner=text(24, index=True), begins=moment(), ends=moment())
    create("pulses", id=number(primary_key=True), begins=moment(), ends=moment())
