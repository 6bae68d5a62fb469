"""Programmed moves: storage by seat, execution right after an answer, and routes."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from litestar import Response
from litestar.params import JSONBody
from msgspec import Struct
from sqlalchemy import ColumnElement, ForeignKey, String, Text, bindparam, delete, func, or_, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.programmed.choices import ProgrammableKind, describe_move, programmable_kinds, programming_fault
from ostbahn.programmed.execution import ActiveMove, DueAnswer, MoveEnd, due_answer
from ostbahn.programmed.moves import AnyProgrammedMove
from ostbahn.server.accounts.visitors import Injected
from ostbahn.server.db.tables import Base
from ostbahn.server.events import bus
from ostbahn.server.games.api import Sent, ThemeCookie, after_change
from ostbahn.server.games.listeners import GameListener
from ostbahn.server.games.service import SPECTATORS_WATCH, GameService, mark_key_used
from ostbahn.server.games.services import GameServices, InjectedAccess, KeyPages, KeyRoutes, part
from ostbahn.server.limits import PathNumber
from ostbahn.server.routing import delete as delete_route
from ostbahn.server.routing import get, post
from ostbahn.table.access import Access, NotHere, NotYours, Stale
from ostbahn.table.rendering import Update
from ostbahn.table.room import LogEntry, Room
from ostbahn.table.slots import ProgrammedMoveView


class ProgrammedMoveRow(Base):
    """A programmed move; only the owner of the seat sees it."""

    __tablename__ = "prepared_moves"

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    data: Mapped[str] = mapped_column(Text)
    """The move as JSON."""
    number: Mapped[int]
    """After how many answers it was programmed."""
    stamp: Mapped[int]
    """The version of the last of these answers, which differs after undo."""
    ended: Mapped[str] = mapped_column(Text)
    """Why the move is over; empty while it is active."""
    done: Mapped[bool]
    """Whether the move was carried out or has become pointless; otherwise it was cancelled."""


LOG: Final = logging.getLogger(__name__)
LAST_CHECKED: Final = "prepared moves"
"""Key in `Room.memory`: the last state for which the stop conditions of each move were checked."""
ACTIVE_MOVES: Final = (
    select(
        ProgrammedMoveRow.id,
        ProgrammedMoveRow.seat,
        ProgrammedMoveRow.data,
        ProgrammedMoveRow.number,
        ProgrammedMoveRow.stamp,
    )
    .where(ProgrammedMoveRow.game == bindparam("game"), ProgrammedMoveRow.ended == "")
    .order_by(ProgrammedMoveRow.id)
)
"""Compiled once, since every answer runs it."""
UNDONE: Final = MoveEnd("answers were taken back", False)
FAILED: Final = MoveEnd("it could not be carried out", False)


MOVES_FLAG: Final = "prepared"
"""Key in `Room.flags`: the number of stored moves, including those that are over."""


class ProgrammedListener(GameListener):
    flags: Mapping[str, ColumnElement[Any]] = MappingProxyType(
        {
            MOVES_FLAG: select(func.count(ProgrammedMoveRow.id))
            .where(ProgrammedMoveRow.game == bindparam("game"))
            .scalar_subquery()
        }
    )

    def answer_follow_ups(self, session: Session, room: Room) -> Sequence[LogEntry]:
        entries, ended = carry_out_due_moves(session, room)
        for id_, end in ended.items():
            values = {"ended": end.why, "done": end.done}
            session.execute(update(ProgrammedMoveRow).where(ProgrammedMoveRow.id == id_).values(values))
        return entries

    def undone(self, session: Session, room: Room, seats: Collection[str], keep: int) -> None:
        """Cancel the moves of the seats that undid, and all moves programmed in undone states."""
        is_undone = or_(ProgrammedMoveRow.seat.in_(seats), ProgrammedMoveRow.number > keep)
        is_active = (ProgrammedMoveRow.game == room.id) & (ProgrammedMoveRow.ended == "")
        session.execute(update(ProgrammedMoveRow).where(is_active, is_undone).values(ended=UNDONE.why, done=False))

    def seat_keys_revoked(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        session.execute(delete(ProgrammedMoveRow).where(ProgrammedMoveRow.game == game, ProgrammedMoveRow.seat == seat))


class VersionedState(NamedTuple):
    """A state of a room: its number of answers, and the version of the last one."""

    number: int
    stamp: int


def carry_out_due_moves(session: Session, room: Room) -> tuple[list[LogEntry], Mapping[int, MoveEnd]]:
    """Let programmed moves answer while one is due; return the new entries, and why moves are over."""
    if not room.flags.get(MOVES_FLAG):
        return [], {}
    entries: list[LogEntry] = []
    ended: dict[int, MoveEnd] = {}
    active: list[ActiveMove] = []
    for row in session.execute(ACTIVE_MOVES, {"game": room.id}):
        move = decoded_move(row.data)
        if move is None:
            ended[row.id] = FAILED
        elif not _is_still_reached(room, VersionedState(row.number, row.stamp)):
            ended[row.id] = UNDONE
        else:
            active.append(_active_move(room, row, move))
    while active:
        due = _find_due_move(room, active)
        ended |= {move.id: end for move, end in due.ended}
        length = len(room.game)
        active = [move._replace(checked=length) for move in active if move.id not in ended]
        if due.action is None or due.by is None:
            break
        entries += room.answer(due.action, due.by.seat, "prepared")
    checked = VersionedState(room.number, room.version_at(room.number))
    room.memory[LAST_CHECKED] = {move.id: checked for move in active}
    return entries, ended


def decoded_move(data: str) -> AnyProgrammedMove | None:
    """A stored move; None if this release has no such move."""
    try:
        move: AnyProgrammedMove = msgspec.json.decode(data, type=AnyProgrammedMove)
    except ValueError:
        return None
    return move


def _active_move(room: Room, row: Any, move: AnyProgrammedMove) -> ActiveMove:
    """The move of a row, which was checked up to the last state that undo has left in place."""
    checked: VersionedState | None = room.memory.get(LAST_CHECKED, {}).get(row.id)
    programmed_at = row.number - room.skipped
    checked_at = programmed_at
    if checked is not None and _is_still_reached(room, checked):
        checked_at = max(programmed_at, checked.number - room.skipped)
    return ActiveMove(row.id, row.seat, move, programmed_at, checked_at)


def _is_still_reached(room: Room, state: VersionedState) -> bool:
    """Whether a state is still in the history of the present one."""
    return room.skipped <= state.number <= room.number and room.version_at(state.number) == state.stamp


def _find_due_move(room: Room, active: list[ActiveMove]) -> DueAnswer:
    """Find the next move that is due. A bug in programmed moves ends them, never the game."""
    try:
        return due_answer(room.game, active)
    except Exception:
        LOG.exception("prepared moves in game %s cannot be carried out", room.id)
        return DueAnswer(None, None, tuple((move, FAILED) for move in active))


MOST_ACTIVE_MOVES: Final = 8  # of a seat
MOST_ENDED_MOVES: Final = 4  # of a seat, still listed


class KindsView(Struct, frozen=True):
    """What a seat can prepare now."""

    seat: str
    kinds: tuple[ProgrammableKind, ...]


class ProgrammedMoves:
    def __init__(self, game_service: GameService) -> None:
        self.game_service = game_service

    def list_for(self, room: Room, who: Access) -> tuple[ProgrammedMoveView, ...]:
        """The moves of the key's seats, active ones first."""
        if not who.seats or not room.flags.get(MOVES_FLAG):
            return ()
        own = select(ProgrammedMoveRow).where(ProgrammedMoveRow.game == room.id, ProgrammedMoveRow.seat.in_(who.seats))
        with self.game_service.database.session() as session:
            views = [_view(room, row) for row in session.scalars(own.order_by(ProgrammedMoveRow.id))]
        return tuple(sorted(filter(None, views), key=lambda view: view.ended != ""))

    def slot(self, room: Room, who: Access) -> Mapping[str, Any]:
        return {"prepared": self.list_for(room, who)}

    def kinds(self, who: Access) -> tuple[KindsView, ...]:
        if who.origin:
            return ()
        game = self.game_service.game_copy(who.game)
        return tuple(KindsView(seat, programmable_kinds(game, seat)) for seat in who.seats)

    def add(self, who: Access, version: int, seat: str, move: AnyProgrammedMove) -> int:
        """Store a move, and carry it out if it is due; return the new version. `version` is what its sender saw."""
        if seat not in who.seats:
            raise NotYours("only whoever plays a seat prepares moves for it" if who.seats else SPECTATORS_WATCH)
        if who.origin:
            raise NotHere("a planning board has all seats at hand; moves are prepared at the table of the game")
        with self.game_service.changing(who.game) as (room, session):
            number = _answers_at_version(room, version)
            if why := programming_fault(room.game, seat, move):
                raise Refused(Refusal("", why))
            data = msgspec.json.encode(move).decode()
            mark_key_used(session, who)
            own = select(ProgrammedMoveRow).where(ProgrammedMoveRow.game == room.id, ProgrammedMoveRow.seat == seat)
            rows = session.scalars(own.order_by(ProgrammedMoveRow.id)).all()
            active = [row for row in rows if not row.ended]
            if any(row.data == data for row in active):
                raise Refused(Refusal("", "you have prepared that already"))
            if len(active) >= MOST_ACTIVE_MOVES:
                raise Refused(Refusal("", f"nobody prepares more than {MOST_ACTIVE_MOVES} moves at once"))
            for row in [row for row in rows if row.ended][:-MOST_ENDED_MOVES]:
                session.delete(row)
            origin = {"game": room.id, "seat": seat, "number": number, "stamp": room.version_at(number)}
            session.add(ProgrammedMoveRow(**origin, data=data, ended="", done=False))
            session.flush()
            room.flags[MOVES_FLAG] = room.flags.get(MOVES_FLAG, 0) + 1
            self.game_service.record_with_follow_ups(session, room, ())
            bus.publish(session, room.id, "state", room.version)  # their other pages show it too
            return room.version

    def remove(self, who: Access, id_: int) -> None:
        """Cancel a move, or remove one that is over from the list."""
        with self.game_service.changing(who.game) as (_, session):
            in_game = (ProgrammedMoveRow.id == id_) & (ProgrammedMoveRow.game == who.game)
            own = delete(ProgrammedMoveRow).where(in_game, ProgrammedMoveRow.seat.in_(who.seats))
            if session.scalar(own.returning(ProgrammedMoveRow.id)) is None:
                raise NotHere("you have prepared no such move")


def _view(room: Room, row: ProgrammedMoveRow) -> ProgrammedMoveView | None:
    """The view of a row; None if this release has no such move."""
    move = decoded_move(row.data)
    if move is None:
        return None
    words = describe_move(room.game, move)
    return ProgrammedMoveView(id=row.id, seat=row.seat, move=move, words=words, ended=row.ended, done=row.done)


def _answers_at_version(room: Room, version: int) -> int:
    """The number of answers at a version; refuse a version from before an undo."""
    last_undo = max((notice.version for notice in room.notices.all if notice.gone), default=0)
    if not last_undo <= version <= room.version:
        raise Stale(f"the game went back since (this was for version {version}, it is at {room.version})")
    return room.skipped + bisect_right(room.given, version, key=lambda given: given.version)


@dataclass(frozen=True, kw_only=True)
class ProgrammedServices(GameServices):
    programmed_moves: ProgrammedMoves


InjectedProgrammed = Injected[ProgrammedServices]


class SentMove(Sent, frozen=True, kw_only=True):
    """A move to prepare."""

    move: AnyProgrammedMove
    """`{"prepare": "pass", "until": "round", "alarms": ["sale"]}`"""
    seat: str = ""
    """The seat that prepares it; not needed if you play only one."""


class ProgrammedApi(KeyRoutes):
    path = "/api/t/{key:str}/prepared"
    tags = ("prepared moves",)

    @get("/", operation_id="listPreparedMoves", summary="List your prepared moves")
    def standing(self, access: InjectedAccess, services: InjectedProgrammed) -> tuple[ProgrammedMoveView, ...]:
        """Moves that you have prepared and that still stand, then those that are over and why."""
        with services.game_service.holding(access.game) as room:
            return services.programmed_moves.list_for(room, access)

    @get("/kinds", operation_id="listPreparableMoves", summary="List what you can prepare now")
    def kinds(self, access: InjectedAccess, services: InjectedProgrammed) -> tuple[KindsView, ...]:
        """What each of your seats can prepare at this moment, with all choices."""
        return services.programmed_moves.kinds(access)

    @post("/", status_code=200, operation_id="prepareMove", summary="Prepare a move", errors=(403,))
    def give(
        self, access: InjectedAccess, services: InjectedProgrammed, data: JSONBody[SentMove], theme: ThemeCookie = ""
    ) -> Update | None:
        """Decide now what you will answer later. If you are to move and it fits, it is carried out at once."""
        seat = data.seat or (access.seats[0] if len(access.seats) == 1 else "")
        services.programmed_moves.add(access, data.version, seat, data.move)
        return after_change(services, access, data.page, theme)

    @delete_route("/{number:int}", status_code=204, operation_id="cancelPreparedMove", summary="Cancel a prepared move")
    def drop(self, access: InjectedAccess, services: InjectedProgrammed, number: PathNumber) -> None:
        """Cancel a move that stands, or remove one that is over from the list."""
        services.programmed_moves.remove(access, number)


class ProgrammedPages(KeyPages):
    path = "/t/{key:str}/prepare"

    @get("/")
    def form(self, access: InjectedAccess, services: InjectedProgrammed) -> Response[str]:
        view, _ = services.seen(access, None)
        return part(services, "prepare.html", view=view, choices=services.programmed_moves.kinds(access))
