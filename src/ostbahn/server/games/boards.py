"""Planning boards on the shelf: which there are, who may open them, and throwing them away."""

from __future__ import annotations

from typing import Final

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from ostbahn.server.db.base import Base
from ostbahn.server.games.tables import EntryRow, GameRow, PlanRow, ProposalRow, SeatRow, SnapshotRow
from ostbahn.table.access import BOARD, Access, NotHere
from ostbahn.table.plans import Kept

PARTS: Final[tuple[type[Base], ...]] = (PlanRow, EntryRow, SnapshotRow, ProposalRow, SeatRow)
"""All that hangs on a game which nobody plays with others."""


def opened(session: Session, who: Access, board: str) -> Access:
    """A planning board, with the key that made it: all seats there are theirs. For all other keys there is none."""
    row = session.get(PlanRow, board)
    if row is None or row.owner != who.hash:
        raise NotHere("there is no such plan; perhaps it was thrown away")
    seats = session.scalars(select(SeatRow.seat).where(SeatRow.game == board).order_by(SeatRow.seat)).all()
    # as one that has been used, since nothing that is done on a board is noted of the key
    return Access(f"{who.key}{BOARD}{board}", who.hash, board, "seat", tuple(seats), used=True, origin=who.game)


def put(session: Session, board: str, who: Access) -> None:
    session.add(PlanRow(game=board, origin=who.game, owner=who.hash))


def of(session: Session, owner: str) -> list[Kept]:
    """Plans that were made with a key, the latest first."""
    wanted = (
        select(GameRow.id, GameRow.name, GameRow.number, GameRow.round, GameRow.touched)
        .join(PlanRow, PlanRow.game == GameRow.id)
        .where(PlanRow.owner == owner)
        .order_by(GameRow.touched.desc(), GameRow.created.desc())
    )
    return [Kept(*row) for row in session.execute(wanted)]


def rename(session: Session, board: str, name: str) -> None:
    session.execute(update(GameRow).where(GameRow.id == board).values(name=name))


def drop(session: Session, board: str) -> None:
    """Nothing of it is left; `House.delete_board` lets listeners delete what is theirs first."""
    for part in PARTS:
        column = part.__table__.c.game
        session.execute(delete(part).where(column == board))
    session.execute(delete(GameRow).where(GameRow.id == board))
