"""That some worker is at work is written down now and then. When all were silent, nobody could have answered, and no
clock runs: as far as is known from this, to within a minute."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from ostbahn.server.clocks.ledger import GAP
from ostbahn.server.clocks.tables import PulseRow
from ostbahn.server.db.database import Archive
from ostbahn.server.games.service import Clock

LOG: Final = logging.getLogger(__name__)
EVERY: Final = 15.0
"""Seconds between two beats: several fit into the shortest silence that counts."""
Chore = Callable[[Session, datetime], None]
"""Tidies up, with the first beat of a day."""


def beat(session: Session, now: datetime, chores: Sequence[Chore] = ()) -> None:
    """Go on with the last stretch, or begin a new one after a silence; the first beat of a day does the chores."""
    last = session.scalar(select(PulseRow).order_by(PulseRow.ends.desc()).limit(1).with_for_update())
    if last is None or now - last.ends > GAP:
        session.add(PulseRow(begins=now, ends=now))
        _do(chores, session, now)
    elif now > last.ends:
        if now.date() != last.ends.date():
            _do(chores, session, now)
        last.ends = now


def _do(chores: Sequence[Chore], session: Session, now: datetime) -> None:
    for chore in chores:
        chore(session, now)


class Pulse:
    def __init__(self, archive: Archive, clock: Clock, chores: Sequence[Chore] = ()) -> None:
        self.archive = archive
        self.clock = clock
        self.chores = chores
        self._task: asyncio.Task[None] | None = None

    def beat(self) -> None:
        with self.archive.session() as session:
            beat(session, self.clock(), self.chores)

    async def start(self) -> None:
        """The first beat is there before anybody asks for a clock."""
        await asyncio.to_thread(self.beat)
        self._task = asyncio.create_task(self._go_on())

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await asyncio.to_thread(self.beat)
            except Exception as fault:  # a database that is away for a while: no clock runs then
                LOG.warning("that this worker runs could not be written down (%s)", type(fault).__name__)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
