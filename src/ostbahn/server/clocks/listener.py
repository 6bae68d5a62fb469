"""Clocks of tables: begun, stopped and set with what happens there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, delete, func, select, update
from sqlalchemy.orm import Session

from ostbahn.server.accounts.people import AccountListener, AccountRow, Visitor, account_owner, owner_of
from ostbahn.server.clocks import timekeeper
from ostbahn.server.clocks.tables import ClockRow, HolidayRow, SeenRow, VoteRow
from ostbahn.server.games.listeners import GameListener
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.service import Clock
from ostbahn.server.games.turns import Asked
from ostbahn.table.room import Entry, Room

CLOCK: Final = "clock"
"""Under this `Room.flags` has whether something was ever decided about the clock."""
VOTE: Final = "vote"
"""Under this it has whether something is voted on."""
_LINES: Final = select(func.max(ClockRow.id)).where(ClockRow.game == bindparam("game"))
_VOTES: Final = select(func.max(VoteRow.number)).where(VoteRow.game == bindparam("game"), VoteRow.data != "")


def is_timed(room: Room) -> bool:
    """Whether there is anything to know about the time at a table."""
    return bool(room.flags.get(CLOCK) or room.flags.get(VOTE))


class ClockListener(GameListener):
    flags: Mapping[str, ColumnElement[Any]] = MappingProxyType(
        {CLOCK: _LINES.scalar_subquery(), VOTE: _VOTES.scalar_subquery()}
    )

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def begun(self, session: Session, room: Room, wanted: NewTable, asked: Asked | None) -> None:
        timekeeper.set_up(session, room, wanted.clock, self.clock())
        room.flags[CLOCK] = wanted.clock is not None
        self.kept(session, room, (), asked)

    def kept(self, session: Session, room: Room, entries: Sequence[Entry], asked: Asked | None) -> None:
        if asked is not None and asked.seat is not None and asked.turn and is_timed(room):
            timekeeper.set_alarms(session, room.id, self.clock())

    def complete(self, session: Session, room: Room) -> None:
        timekeeper.everybody_is_there(session, room.id, self.clock())

    def seat_taken_away(self, session: Session, game: str, seat: str, keys: Sequence[str]) -> None:
        session.execute(delete(SeenRow).where(SeenRow.game == game, SeenRow.seat == seat))


class HolidayOwners(AccountListener):
    def joined(self, session: Session, visitor: Visitor, account: AccountRow) -> None:
        if visitor.account is None:
            mine = HolidayRow.owner == owner_of(visitor)
            session.execute(update(HolidayRow).where(mine).values(owner=account_owner(account.id)))
