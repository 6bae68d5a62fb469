"""Game listeners, by which features react to changes of games; and the record of turns."""

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
from ostbahn.table.room import Handover, LogEntry, Room

TURNS: Final = "asked"  # the key in `Room.memory`


class TurnChange(NamedTuple):
    """From this version on a seat is to move (None: the game is over), until the next change."""

    version: int
    seat: str | None
    turn: int
    at: datetime


class LastTurn(NamedTuple):
    """A player's last turn. Unless they answered in it, it is still the same turn when they are next to move."""

    number: int
    answered: bool


class TurnMemory(NamedTuple):
    """Cached in a room: the last change of turn, and each person's last turn. Valid for one version of the room."""

    version: int
    last_change: TurnChange | None
    turns: dict[str, LastTurn]


def remember_first_turns(room: Room) -> None:
    room.memory[TURNS] = TurnMemory(room.version, None, {seat: LastTurn(0, True) for seat in room.persons})


def record_turn_change(session: Session, room: Room, entries: Sequence[LogEntry], now: datetime) -> TurnChange | None:
    """Store and return the change of turn after new log entries; None if it is still the same turn."""
    if isinstance(room, PlanRoom) or not room.persons:
        return None
    memory: TurnMemory | None = room.memory.get(TURNS)
    if memory is None or memory.version != room.version - len(entries):
        memory = TurnMemory(0, None, {})
    turns = dict(memory.turns)
    for entry in entries:
        if entry.kind == "answer" and entry.how != "obvious" and entry.by in turns:
            turns[entry.by] = LastTurn(turns[entry.by].number, True)
    last = memory.last_change or last_turn_change(session, room.id)
    # `turn` is 0 for bots: a seat that a person took over from a bot, or a bot from a person, has a new turn
    is_same_turn = last is not None and last.seat == room.turn and (last.seat in room.persons) == (last.turn > 0)
    if is_same_turn:
        room.memory[TURNS] = TurnMemory(room.version, last, turns)
        return None
    turn = 0
    if room.turn in room.persons:
        previous = turns.get(room.turn) or _last_turn(session, room.id, room.turn)
        turn = previous.number + previous.answered
        turns[room.turn] = LastTurn(turn, False)
    change = TurnChange(room.version, room.turn, turn, now if last is None else max(now, last.at))
    session.add(TurnChangeRow(game=room.id, **change._asdict()))
    room.memory[TURNS] = TurnMemory(room.version, change, turns)
    return change


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
    changes = select(TurnChangeRow.version, TurnChangeRow.seat, TurnChangeRow.turn, TurnChangeRow.at)
    row = session.execute(changes.where(TurnChangeRow.game == game).order_by(TurnChangeRow.version.desc())).first()
    return None if row is None else TurnChange(*row)


class Notification(Struct, frozen=True):
    """An event of a game about which a seat is notified."""

    event: str
    game: str
    seat: str
    mark: str  # distinguishes events of one kind, such as turns or votes
    detail: str = ""  # for the text
    owners: tuple[str, ...] = ()  # the recipients; empty: the owners of the seat at the time of sending
    past: bool = False  # whether it stays true when the turn is over

    @property
    def name(self) -> str:
        """A unique name: each recipient gets only one notification of a name."""
        return f"tell/{self.event}/{self.game}/{self.seat}/{self.mark}"


class GameListener:
    """The hooks of a feature, which the game service calls in the transaction of a change; by default they do nothing.

    For planning boards only `answer_follow_ups`, `undone` and `board_deleted` are called.
    """

    flags: Mapping[str, ColumnElement[Any]] = MappingProxyType({})
    """Columns read into `Room.flags` whenever a room is brought up to date; `bindparam("game")` is the game."""

    def game_created(self, session: Session, room: Room, wanted: NewTable, new_turn: TurnChange | None) -> None:
        """A table was set up. new_turn: the first turn; None if only bots play."""

    def entries_recorded(
        self, session: Session, room: Room, entries: Sequence[LogEntry], new_turn: TurnChange | None
    ) -> None:
        """Entries were appended to the log. new_turn: the turn, if it has changed."""

    def seats_filled(self, session: Session, room: Room) -> None:
        """The last free seat was taken."""

    def game_over(self, session: Session, room: Room) -> None:
        """Entries were appended to a game that is over."""

    def answer_follow_ups(self, session: Session, room: Room) -> Sequence[LogEntry]:
        """Make further answers after one, such as programmed moves; returns their entries, to be recorded with it."""
        return ()

    def undone(self, session: Session, room: Room, seats: Collection[str], keep: int) -> None:
        """A room was undone to its first `keep` answers, on behalf of these seats."""

    def seat_reassigned(self, session: Session, room: Room, given: Handover, by: str) -> None:
        """A seat is about to be given to another player or bot."""

    def seat_keys_revoked(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        """The keys of a seat have become void. keys: their hashes."""

    def notify(self, session: Session, notifications: Sequence[Notification]) -> None:
        """Queue notifications, all for one table."""

    def board_deleted(self, session: Session, board: str) -> None:
        """A planning board is about to be deleted."""
