"""Preparing moves with a key: giving them, seeing one's own, and cancelling them. Nobody sees those of others."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import delete, select

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.programmed.choosing import PreparedKind, kinds, unfit
from ostbahn.programmed.moves import AnyMove
from ostbahn.programmed.words import described
from ostbahn.server.events import bus as news
from ostbahn.server.games.service import LOOK_ON, House, use
from ostbahn.server.programmed.carrying_out import FLAG, move_in
from ostbahn.server.programmed.tables import PreparedRow
from ostbahn.table.access import Access, NotHere, NotYours, Stale
from ostbahn.table.room import Room
from ostbahn.table.slots import PreparedView

MOST: Final = 8
"""Moves that stand for one seat at once."""
MOST_TOLD: Final = 4
"""Moves that are over, of which somebody is still told."""


class KindsView(Struct, frozen=True):
    """What a seat can prepare now."""

    seat: str
    kinds: tuple[PreparedKind, ...]


class Preparations:
    def __init__(self, house: House) -> None:
        self.house = house

    def of(self, room: Room, who: Access) -> tuple[PreparedView, ...]:
        """One's own, those that stand first."""
        if not who.seats or not room.flags.get(FLAG):
            return ()
        wanted = select(PreparedRow).where(PreparedRow.game == room.id, PreparedRow.seat.in_(who.seats))
        with self.house.archive.session() as session:
            found = [_view(room, row) for row in session.scalars(wanted.order_by(PreparedRow.id))]
        views = [view for view in found if view is not None]
        return (*(view for view in views if not view.ended), *(view for view in views if view.ended))

    def kinds(self, who: Access) -> tuple[KindsView, ...]:
        """What may be prepared now, for each of one's seats."""
        if who.origin:
            return ()
        game = self.house.looked_at(who.game)
        return tuple(KindsView(seat, kinds(game, seat)) for seat in who.seats)

    def give(self, who: Access, version: int, seat: str, move: AnyMove) -> int:
        """Prepare a move; if it is due it is carried out at once. Returns the version after that.

        It counts from the version that its sender saw: what has happened since may call it off at once.
        """
        if seat not in who.seats:
            raise NotYours("only whoever plays a seat prepares moves for it" if who.seats else LOOK_ON)
        if who.origin:
            raise NotHere("a planning board has all seats at hand; moves are prepared at the table of the game")
        with self.house.changing(who.game) as (room, session):
            number = _number_at(room, version)
            if why := unfit(room.game, seat, move):
                raise Refused(Refusal("", why))
            data = msgspec.json.encode(move).decode()
            use(session, who)
            mine = select(PreparedRow).where(PreparedRow.game == room.id, PreparedRow.seat == seat)
            rows = session.scalars(mine.order_by(PreparedRow.id)).all()
            standing = [row for row in rows if not row.ended]
            if any(row.data == data for row in standing):
                raise Refused(Refusal("", "you have prepared that already"))
            if len(standing) >= MOST:
                raise Refused(Refusal("", f"nobody prepares more than {MOST} moves at once"))
            for row in [row for row in rows if row.ended][:-MOST_TOLD]:
                session.delete(row)
            stamp = room.stamp(number)
            fields: dict[str, Any] = {"number": number, "stamp": stamp, "ended": "", "done": False}
            session.add(PreparedRow(game=room.id, seat=seat, data=data, **fields))
            session.flush()
            room.flags[FLAG] = room.flags.get(FLAG, 0) + 1
            self.house.go_on(session, room, ())
            news.tell(session, room.id, "state", room.version)  # their other pages show it too
            return room.version

    def drop(self, who: Access, id_: int) -> None:
        """Cancel a move of one's own, or take note that it is over."""
        with self.house.changing(who.game) as (_, session):
            mine = (PreparedRow.game == who.game) & PreparedRow.seat.in_(who.seats)
            found = session.scalar(select(PreparedRow.id).where(PreparedRow.id == id_, mine))
            if found is None:
                raise NotHere("you have prepared no such move")
            session.execute(delete(PreparedRow).where(PreparedRow.id == id_))


def _view(room: Room, row: PreparedRow) -> PreparedView | None:
    move = move_in(row.data)
    if move is None:
        return None
    words = described(room.game, move)
    return PreparedView(id=row.id, seat=row.seat, move=move, words=words, ended=row.ended, done=row.done)


def _number_at(room: Room, version: int) -> int:
    """How many answers stood at a version, if all of them still do."""
    went_back = max((notice.version for notice in room.notices.all if notice.gone), default=0)
    if not went_back <= version <= room.version:
        raise Stale(f"the game went back since (this was for version {version}, it is at {room.version})")
    return room.skipped + bisect_right(room.given, version, key=lambda given: given.version)
