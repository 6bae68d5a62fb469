"""Whose turn it is at a table, as listeners hear of it, and what else they may do when a game changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec import Struct
from sqlalchemy import ColumnElement, exists, select
from sqlalchemy.orm import Session

from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.tables import EntryRow, TurnChangeRow
from ostbahn.table.plans import PlanRoom
from ostbahn.table.room import Entry, Handover, Room

ASKED: Final = "asked"  # in the memory of a room


class TurnChange(NamedTuple):
    """From this moment on a seat was asked, until the next such line."""

    version: int
    seat: str | None
    turn: int
    at: datetime


class LastTurn(NamedTuple):
    """Somebody's last turn; the next one is new only if they have answered in this one, not taken back."""

    number: int
    answered: bool


class TurnMemory(NamedTuple):
    """What a room remembers: the last line, and each person's last turn. Another version of the room knows better."""

    version: int
    last: TurnChange | None
    turns: dict[str, LastTurn]


def begin(room: Room) -> None:
    room.memory[ASKED] = TurnMemory(room.version, None, {seat: LastTurn(0, True) for seat in room.persons})


def record_turn_change(session: Session, room: Room, entries: Sequence[Entry], now: datetime) -> TurnChange | None:
    """Write down that somebody else is asked from now on; returns the line, if there is one."""
    if isinstance(room, PlanRoom) or not room.persons:
        return None
    known: TurnMemory | None = room.memory.get(ASKED)
    if known is None or known.version != room.version - len(entries):
        known = TurnMemory(0, None, {})
    turns = dict(known.turns)
    for entry in entries:
        if entry.kind == "answer" and entry.how != "obvious" and entry.by in turns:
            turns[entry.by] = LastTurn(turns[entry.by].number, True)
    last = known.last or last_turn_change(session, room.id)
    if last is not None and last.seat == room.turn and (last.seat in room.persons) == (last.turn > 0):
        room.memory[ASKED] = TurnMemory(room.version, last, turns)
        return None
    turn = 0
    if room.turn in room.persons:
        before = turns.get(room.turn) or _last_turn(session, room.id, room.turn)
        turn = before.number + before.answered
        turns[room.turn] = LastTurn(turn, False)
    line = TurnChange(room.version, room.turn, turn, now if last is None else max(now, last.at))
    session.add(TurnChangeRow(game=room.id, **line._asdict()))
    room.memory[ASKED] = TurnMemory(room.version, line, turns)
    return line


def _last_turn(session: Session, game: str, seat: str) -> LastTurn:
    earlier = select(TurnChangeRow).where(
        TurnChangeRow.game == game, TurnChangeRow.seat == seat, TurnChangeRow.turn > 0
    )
    last = session.scalar(earlier.order_by(TurnChangeRow.version.desc()).limit(1))
    if last is None:
        return LastTurn(0, True)
    answered = exists().where(
        EntryRow.game == game,
        EntryRow.version > last.version,
        EntryRow.by == seat,
        EntryRow.kind == "answer",
        EntryRow.how != "obvious",
    )
    return LastTurn(last.turn, bool(session.scalar(select(answered))))


def last_turn_change(session: Session, game: str) -> TurnChange | None:
    lines = select(TurnChangeRow.version, TurnChangeRow.seat, TurnChangeRow.turn, TurnChangeRow.at).where(
        TurnChangeRow.game == game
    )
    row = session.execute(lines.order_by(TurnChangeRow.version.desc())).first()
    return None if row is None else TurnChange(*row)


class Notification(Struct, frozen=True):
    """Something that happened at a table, for whoever has a seat there."""

    event: str
    game: str
    seat: str
    mark: str  # tells it from others of its kind: of which turn, of which vote
    detail: str = ""  # what the words need beside the game
    owners: tuple[str, ...] = ()
    """Whom it is for, if not the owner of the seat when it is sent: they may have lost it."""
    past: bool = False  # whether it stays true when the turn is over

    @property
    def name(self) -> str:
        """Unique: each person is notified once under it."""
        return f"tell/{self.event}/{self.game}/{self.seat}/{self.mark}"


class GameListener:
    """Does nothing; features override methods. Planning boards call only `follow_up`, `undone`, `board_deleted`."""

    flags: Mapping[str, ColumnElement[Any]] = MappingProxyType({})
    """What is read with a room at every touch, into `Room.flags`: columns in which `bindparam("game")` is the game."""

    def game_created(self, session: Session, room: Room, wanted: NewTable, asked: TurnChange | None) -> None:
        """A table was set up; asked: who is to move, where a person plays at all."""

    def entries_recorded(
        self, session: Session, room: Room, entries: Sequence[Entry], asked: TurnChange | None
    ) -> None:
        """Lines were added to the log, which the room has taken; asked: who is to move now, if that has changed."""

    def seats_filled(self, session: Session, room: Room) -> None:
        """No seat of a table is free: a new game begins, or one that somebody new has sat down at continues."""

    def game_over(self, session: Session, room: Room) -> None:
        """Lines were added to a game that is over."""

    def follow_up(self, session: Session, room: Room) -> Sequence[Entry]:
        """Let the room take what follows at once after an answer; returns the lines, which are kept with it."""
        return ()

    def undone(self, session: Session, room: Room, seats: Collection[str], keep: int) -> None:
        """A room went back to its first answers, as these seats wanted."""

    def seat_reassigned(self, session: Session, room: Room, given: Handover, by: str) -> None:
        """A seat is about to be taken from whoever has it."""

    def seat_keys_revoked(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        """The keys of a seat, given by their hashes, open nothing from now on."""

    def notify(self, session: Session, notifications: Sequence[Notification]) -> None:
        """People at a table are to be notified, all at the same one."""

    def board_deleted(self, session: Session, board: str) -> None:
        """A planning board is about to be deleted, and with it what hangs on it."""
