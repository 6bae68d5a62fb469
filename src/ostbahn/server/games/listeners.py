"""Somebody who sees what happens at tables, in the transaction in which it is kept: what they note is kept with it, or
not at all."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct
from sqlalchemy.orm import Session

from ostbahn.kernel.game import Setup
from ostbahn.server.games.access import Access
from ostbahn.server.games.new_table import NewTable
from ostbahn.table.notices import Handover
from ostbahn.table.room import Entry, Room


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


class Witness:
    """One who notes nothing."""

    def begun(self, session: Session, room: Room, wanted: NewTable) -> None:
        """A table was set up."""

    def kept(self, session: Session, room: Room, entries: Sequence[Entry]) -> None:
        """Lines were added to the log of a room, which has taken them already."""

    def complete(self, session: Session, room: Room) -> None:
        """No seat of a table is free: a new game begins, or one that somebody new has sat down at continues."""

    def handed_over(self, session: Session, room: Room, given: Handover, by: str) -> None:
        """A seat is about to be taken from whoever has it."""

    def said(self, session: Session, who: Access, setup: Setup, speaker: str, text: str) -> None:
        """Somebody has said something at a table."""

    def proposed(self, session: Session, room: Room, by: Collection[str], keep: int) -> None:
        """Somebody would like to go back."""
