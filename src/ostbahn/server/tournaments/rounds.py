"""Rounds of tournaments, as jobs: the next one is wanted in the transaction that ends the last table of one."""

from __future__ import annotations

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from ostbahn.server.games.listeners import GameListener
from ostbahn.server.jobs.queue import want
from ostbahn.server.tournaments.tables import TournamentTableRow
from ostbahn.table.room import Room

KIND: Final = "round"


class TournamentListener(GameListener):
    def over(self, session: Session, room: Room) -> None:
        want_next(session, room.id)


def want_next(session: Session, game: str) -> None:
    """A game is over: where it belongs to a tournament, somebody sees whether its round is too."""
    table = session.scalar(select(TournamentTableRow).where(TournamentTableRow.game == game))
    if table is not None:
        want(session, KIND, f"{KIND} {table.tournament} {table.round} {table.number}", data=game)
