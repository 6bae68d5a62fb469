"""Listeners: features that take part in what happens at tables. The game service calls them in the transaction in which
it is kept, so what they write is kept with it, or not at all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.turns import Asked
from ostbahn.table.room import Entry, Handover, Room


class Telling(Struct, frozen=True):
    """Something that happened at a table, for whoever has a seat there."""

    event: str
    game: str
    seat: str
    mark: str
    """Tells it from others of its kind: of which turn, of which vote."""
    detail: str = ""
    """What the words need beside the game."""
    owners: tuple[str, ...] = ()
    """Whom it is for, where that is not whoever has the seat when it is sent: they may have lost it."""
    past: bool = False
    """Whether it stays true when the turn is over."""

    @property
    def name(self) -> str:
        """Under which each person is notified once and never again."""
        return f"tell/{self.event}/{self.game}/{self.seat}/{self.mark}"


class GameListener:
    """One that does nothing; features override what they need.

    Of planning boards only `follow_up`, `undone` and `board_deleted` are called.
    """

    flags: Mapping[str, ColumnElement[Any]] = MappingProxyType({})
    """What is read with a room at every touch, into `Room.flags`: columns in which `bindparam("game")` is the game."""

    def begun(self, session: Session, room: Room, wanted: NewTable, asked: Asked | None) -> None:
        """A table was set up; asked: who is to move, where a person plays at all."""

    def kept(self, session: Session, room: Room, entries: Sequence[Entry], asked: Asked | None) -> None:
        """Lines were added to the log of a room, which has taken them already; asked: who is to move now, if that was
        somebody else before."""

    def complete(self, session: Session, room: Room) -> None:
        """No seat of a table is free: a new game begins, or one that somebody new has sat down at continues."""

    def over(self, session: Session, room: Room) -> None:
        """Lines were added to a game that is over."""

    def follow_up(self, session: Session, room: Room) -> Sequence[Entry]:
        """Let the room take what follows at once after an answer; returns the lines, which are kept with it."""
        return ()

    def undone(self, session: Session, room: Room, seats: Collection[str], keep: int) -> None:
        """A room went back to its first answers, as these seats wanted."""

    def handed_over(self, session: Session, room: Room, given: Handover, by: str) -> None:
        """A seat is about to be taken from whoever has it."""

    def seat_taken_away(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        """The keys of a seat, given by their hashes, open nothing from now on."""

    def notify(self, session: Session, tellings: Sequence[Telling]) -> None:
        """People at a table are to be notified, all at the same one."""

    def board_deleted(self, session: Session, board: str) -> None:
        """A planning board is about to be deleted, and with it what hangs on it."""
