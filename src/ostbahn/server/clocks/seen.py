"""When somebody last looked at a table from their seat."""

from __future__ import annotations

import logging
from datetime import datetime
from time import monotonic
from typing import Final

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from ostbahn.server.clocks.tables import SeenRow
from ostbahn.server.db.database import Archive
from ostbahn.server.games.service import Clock
from ostbahn.table.access import Access

FRESH: Final = 30.0
MOST_KNOWN: Final = 1000
LOG: Final = logging.getLogger(__name__)


class LastSeen:
    def __init__(self, archive: Archive, clock: Clock) -> None:
        self.archive = archive
        self.clock = clock
        self._known: dict[str, tuple[float, dict[str, datetime]]] = {}
        """What was read lately, and when: pages are shown far more often than people come and go."""

    def note(self, who: Access) -> None:
        try:
            with self.archive.session() as session:
                for seat in who.seats:
                    session.merge(SeenRow(game=who.game, seat=seat, at=self.clock()))
        except (
            SQLAlchemyError
        ) as fault:  # two pages of the same seat at once, or a database that is away: it is no loss
            LOG.info("when somebody was seen could not be written down (%s)", type(fault).__name__)
        self._known.pop(who.game, None)

    def at(self, game: str) -> dict[str, datetime]:
        """By seat, as of half a minute ago or less."""
        known = self._known.get(game)
        if known is not None and monotonic() - known[0] < FRESH:
            return known[1]
        wanted = select(SeenRow.seat, SeenRow.at).where(SeenRow.game == game)
        with self.archive.session() as session:
            found = {seat: at for seat, at in session.execute(wanted)}
        while len(self._known) >= MOST_KNOWN:
            self._known.pop(next(iter(self._known)), None)
        self._known[game] = monotonic(), found
        return found
