"""How much there is to do, as the database knows it: the same for all workers, so it is counted when somebody asks."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from ostbahn.server.db.columns import Moment
from ostbahn.server.games.tables import GameRow, PlanRow, SeatRow
from ostbahn.server.jobs.tables import JobRow

LATELY: Final = timedelta(hours=1)
"""A game is active if somebody acted in it since."""


DUE: Final = select(JobRow.kind, func.count()).where(JobRow.due <= bindparam("now", type_=Moment)).group_by(JobRow.kind)
AT_TURN: Final = (SeatRow.game == GameRow.id) & (SeatRow.seat == GameRow.turn)


class HouseTally(NamedTuple):
    """Games, planning boards left out."""

    open: int
    """Games that are not over."""
    active: int
    """Those of them in which somebody acted lately."""
    jobs: dict[str, int]
    """By their kind, how many are due."""
    failing: int
    """Those of all jobs that have failed at least once."""


def tally(session: Session, now: datetime) -> HouseTally:
    played = GameRow.turn.is_not(None) & GameRow.id.not_in(select(PlanRow.game))
    count = select(func.count()).select_from(GameRow)
    return HouseTally(
        open=session.scalar(count.where(played)) or 0,
        active=session.scalar(count.where(played, GameRow.touched > now - LATELY)) or 0,
        jobs={kind: number for kind, number in session.execute(DUE, {"now": now})},
        failing=session.scalar(select(func.count()).select_from(JobRow).where(JobRow.tries > 0)) or 0,
    )


def oldest_waiting(session: Session, leaving_out: Collection[str]) -> tuple[datetime, datetime] | None:
    """Since when bots have been asked, in the game that waits longest and in the one that waits shortest."""
    since = (
        select(func.min(GameRow.touched), func.max(GameRow.touched))
        .join(SeatRow, AT_TURN)
        .where(SeatRow.bot.is_not(None), GameRow.id.not_in(list(leaving_out)))
    )
    row: Any = session.execute(since).one()  # nothing where nobody waits
    return None if row[0] is None else (row[0], row[1])
