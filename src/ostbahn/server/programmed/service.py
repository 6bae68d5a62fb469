"""Programmed moves: given, listed and cancelled with a key, and carried out right after an answer."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation
from msgspec import Struct
from sqlalchemy import ColumnElement, ForeignKey, String, Text, bindparam, delete, func, or_, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.programmed.carrying import Ended, Found, Prepared, look
from ostbahn.programmed.choosing import PreparedKind, described, kinds, unfit
from ostbahn.programmed.preparing import AnyMove
from ostbahn.server.db.tables import Base
from ostbahn.server.events import bus as news
from ostbahn.server.games.listeners import GameListener
from ostbahn.server.games.service import LOOK_ON, House, use
from ostbahn.server.games.services import GameServices
from ostbahn.table.access import Access, NotHere, NotYours, Stale
from ostbahn.table.room import Entry, Room
from ostbahn.table.slots import PreparedView


class PreparedRow(Base):
    """What somebody has prepared to answer; those who have the seat see it, and nobody else."""

    __tablename__ = "prepared_moves"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    data: Mapped[str] = mapped_column(Text)
    """The move as JSON."""
    number: Mapped[int]
    """After how many answers it was prepared."""
    stamp: Mapped[int]
    """The version that made the state which its owner saw: where it is another by now, they went back."""
    ended: Mapped[str] = mapped_column(Text)
    """Why it stands no more; empty while it does."""
    done: Mapped[bool]
    """Whether it was carried out or what it was for is over; else it was cancelled."""


LOG: Final = logging.getLogger(__name__)
SEEN: Final = "prepared moves"
"""Under this a room remembers up to which moment alarms were looked at."""
STANDING: Final = (
    select(PreparedRow.id, PreparedRow.seat, PreparedRow.data, PreparedRow.number, PreparedRow.stamp)
    .where(PreparedRow.game == bindparam("game"), PreparedRow.ended == "")
    .order_by(PreparedRow.id)
)
"""Asked after every answer, so it is put together once."""
WENT_BACK: Final = Ended("answers were taken back", False)
STUMBLED: Final = Ended("it could not be carried out", False)


FLAG: Final = "prepared"
"""Under this `Room.flags` has how many moves are kept, those that are over included."""


class ProgrammedListener(GameListener):
    """Carries programmed moves out, and calls them off."""

    flags: Mapping[str, ColumnElement[Any]] = MappingProxyType(
        {FLAG: select(func.count(PreparedRow.id)).where(PreparedRow.game == bindparam("game")).scalar_subquery()}
    )

    def follow_up(self, session: Session, room: Room) -> Sequence[Entry]:
        entries, ended = carry_out(session, room)
        for id_, why in ended.items():
            values = {"ended": why.why, "done": why.done}
            session.execute(update(PreparedRow).where(PreparedRow.id == id_).values(values))
        return entries

    def undone(self, session: Session, room: Room, seats: Collection[str], keep: int) -> None:
        """Somebody went back: their moves fall, and all that were prepared at a moment that is gone."""
        falls = or_(PreparedRow.seat.in_(seats), PreparedRow.number > keep)
        stands = (PreparedRow.game == room.id) & (PreparedRow.ended == "")
        session.execute(update(PreparedRow).where(stands, falls).values(ended=WENT_BACK.why, done=False))

    def seat_taken_away(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        session.execute(delete(PreparedRow).where(PreparedRow.game == game, PreparedRow.seat == seat))


class Stamped(NamedTuple):
    """Which state of a room: after how many answers, and the version that made it."""

    number: int
    stamp: int


def carry_out(session: Session, room: Room) -> tuple[list[Entry], Mapping[int, Ended]]:
    """Let prepared moves answer as long as one has an answer; what they answered, and which of them stand no more."""
    if not room.flags.get(FLAG):
        return [], {}
    rows = session.execute(STANDING, {"game": room.id}).all()
    entries: list[Entry] = []
    ended = {row.id: WENT_BACK for row in rows if not _stands(room, Stamped(row.number, row.stamp))}
    moves = {row.id: move for row in rows if (move := move_in(row.data)) is not None}
    ended |= {row.id: STUMBLED for row in rows if row.id not in moves}
    standing = [_prepared(room, row, moves[row.id]) for row in rows if row.id not in ended]
    while standing:
        found = _look(room, standing)
        ended |= {each.id: over for each, over in found.ended}
        here = len(room.game)
        standing = [each._replace(seen=here) for each in standing if each.id not in ended]
        if found.action is None or found.by is None:
            break
        entries += room.answer(found.action, found.by.seat, "prepared")
    room.memory[SEEN] = {each.id: Stamped(room.number, room.stamp(room.number)) for each in standing}
    return entries, ended


def move_in(data: str) -> AnyMove | None:
    """A move as it was kept, unless it was by a version that had others."""
    try:
        move: AnyMove = msgspec.json.decode(data, type=AnyMove)
    except ValueError:
        return None
    return move


def _prepared(room: Room, row: Any, move: AnyMove) -> Prepared:
    seen: Stamped | None = room.memory.get(SEEN, {}).get(row.id)
    given = row.number - room.skipped
    last = given if seen is None or not _stands(room, seen) else seen.number - room.skipped
    return Prepared(row.id, row.seat, move, given, max(given, last))


def _stands(room: Room, state: Stamped) -> bool:
    """Whether a state is still one of those that led to the present one."""
    return room.skipped <= state.number <= room.number and room.stamp(state.number) == state.stamp


def _look(room: Room, standing: list[Prepared]) -> Found:
    """A fault of ours ends what was prepared, never the game."""
    try:
        return look(room.game, standing)
    except Exception:
        LOG.exception("prepared moves in game %s cannot be carried out", room.id)
        return Found(None, None, tuple((each, STUMBLED) for each in standing))


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

    def slot(self, room: Room, who: Access) -> Mapping[str, Any]:
        """What it shows at a table."""
        return {"prepared": self.of(room, who)}

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


@dataclass(frozen=True, kw_only=True)
class PreparedServices(GameServices):
    preparations: Preparations


GivenPrepared = NamedDependency[SkipValidation[PreparedServices]]
