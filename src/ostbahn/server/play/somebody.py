"""Seats without a name: what is left at the tables of somebody who is gone, or whose name nobody should read."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Setup
from ostbahn.server.faults import NotHere
from ostbahn.server.play.house import House, table_name
from ostbahn.server.play.notices import Naming
from ostbahn.server.play.room import renamed, seats_of
from ostbahn.server.store import news
from ostbahn.server.store.schema import EntryRow, GameRow, MessageRow, PlanRow
from ostbahn.server.store.shelf import forget_leg, setup_in, sum_of

SOMEBODY: Final = "Somebody"


def forget_name(house: House, game: str, seat: str) -> str:
    """Call a seat `Somebody`, and whoever was called otherwise there before; returns what it is called now.

    This alone changes lines of a log that were written: a name that is to be forgotten must not stand in it. What was
    answered stays as it is. A line more tells other workers to read the game again.
    """
    try:
        with house.changing(game) as (room, session):
            if seat not in seats_of(room.game.setup):
                raise NotHere(f"there is no seat {seat} at this table")
            name, former = _free_name(room.game.setup, seat), _player(room.game.setup, seat)
            unnamed = room.name == table_name("", room.game.setup)
            entries = room.name_seat(Naming(seat, name, name, joins=False))
            if unnamed:
                room.name = table_name("", room.game.setup)
            _rewrite(session, game, seat, former, name)
            house.keep(session, room, entries)
            forget_leg(session, game)
            news.tell(session, game, "joined")
    except NotHere:
        raise
    except OstbahnError:  # a game that cannot be played any more has names too
        with house.archive.session() as session:
            row = session.get_one(GameRow, game)
            setup = setup_in(row.setup)
            name = SOMEBODY if setup is None else _free_name(setup, seat)
            _rewrite(session, game, seat, name if setup is None else _player(setup, seat), name)
            _rewrite_setup(row, seat, name)
            forget_leg(session, game)
    house.close(game)  # whoever comes next reads it without the name
    return name


def _free_name(setup: Setup, seat: str) -> str:
    """`Somebody`, or with a number where others are called so."""
    others = {name for each, name in zip(seats_of(setup), setup.players, strict=True) if each != seat}
    names = (SOMEBODY, *(f"{SOMEBODY} {number}" for number in range(2, len(others) + 3)))
    return next(name for name in names if name not in others)


def _player(setup: Setup, seat: str) -> str:
    return dict(zip(seats_of(setup), setup.players, strict=True))[seat]


def _rewrite(session: Session, game: str, seat: str, former: str, name: str) -> None:
    """What people at this seat were called, in its log, in the chat and on planning boards."""
    names = {former}
    wanted = select(EntryRow).where(EntryRow.game == game, EntryRow.kind == "name", EntryRow.by == seat)
    for row in session.scalars(wanted).all():
        naming = msgspec.json.decode(row.data, type=Naming)
        names |= {naming.name, naming.was} if not naming.joins else {naming.name}
        row.data = msgspec.json.encode(msgspec.structs.replace(naming, was=name, name=name)).decode()
        row.sum = sum_of(row)
    session.execute(update(MessageRow).where(MessageRow.game == game, MessageRow.who.in_(names)).values(who=name))
    boards = select(PlanRow.game).where(PlanRow.origin == game)
    for board in session.scalars(select(GameRow).where(GameRow.id.in_(boards))).all():
        _rewrite_setup(board, seat, name)


def _rewrite_setup(row: GameRow, seat: str, name: str) -> None:
    setup = setup_in(row.setup)
    if setup is not None:
        row.setup = msgspec.json.encode(renamed(setup, seat, name)).decode()


def forget_table_name(house: House, game: str) -> str:
    """Call a table by those at it again; returns what it was called."""
    with house.changing(game) as (room, session):
        was, room.name = room.name, table_name("", room.game.setup)
        seat, player = next(zip(seats_of(room.game.setup), room.game.setup.players, strict=True))
        house.keep(session, room, room.name_seat(Naming(seat, player, player, joins=False)))
    house.close(game)
    return was
