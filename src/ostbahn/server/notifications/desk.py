"""All that being told and time consist of, put together once."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from ostbahn.server.chat.talk import Talk
from ostbahn.server.clocks.heartbeat import Pulse
from ostbahn.server.clocks.holidays import Holidays
from ostbahn.server.clocks.seen import LastSeen
from ostbahn.server.clocks.timekeeper import CLOCK, Timekeeper
from ostbahn.server.clocks.views import clocks_view, no_clocks_view
from ostbahn.server.clocks.votes import Votes
from ostbahn.server.games.live import Live
from ostbahn.server.games.service import House
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.server.notifications.config import Outlets
from ostbahn.server.notifications.delivery import WIRES, Messenger
from ostbahn.server.notifications.digest import Digests
from ostbahn.server.notifications.listener import Teller
from ostbahn.server.notifications.outcomes import Outcomes
from ostbahn.server.notifications.owners import DIGEST
from ostbahn.server.notifications.queue import TELL
from ostbahn.server.notifications.safe_http import Outside
from ostbahn.server.notifications.subscriptions import Wishes
from ostbahn.table.access import Access
from ostbahn.table.room import Room
from ostbahn.table.slots import ClocksView

LINES_AT_ONCE = 4
"""Messages of a kind that are on their way side by side."""


class Desk:
    """Where messages leave and clocks hang."""

    def __init__(self, house: House, live: Live, talk: Talk, outlets: Outlets, outside: Outside | None = None) -> None:
        archive, clock = house.archive, house.clock
        self.house, self.live, self.outlets = house, live, outlets
        self.wishes = Wishes(archive, clock)
        outside = outside or Outside(outlets.let_in)
        outcomes = Outcomes(house.figures, clock)
        self.messenger = Messenger(archive, clock, outlets, self.wishes, self._present, outside, outcomes)
        self.digests = Digests(self.messenger)
        self.votes = Votes(house)
        self.holidays = Holidays(archive, clock)
        self.seen = LastSeen(archive, clock)
        self._pulse = Pulse(archive, clock)
        self._timekeeper = Timekeeper(house)
        house.witness = talk.witness = Teller(clock)
        live.seen = self.seen.note

    def register(self, runner: JobRunner) -> None:
        runner.register(TELL, self.messenger.spread)
        for kind in WIRES:
            runner.register(kind, self.messenger.deliver, at_once=LINES_AT_ONCE)
        runner.register(DIGEST, self.digests.send)
        runner.register(CLOCK, self._timekeeper.go_off, at_once=2)

    async def start(self) -> None:
        await self._pulse.start()
        await asyncio.to_thread(self.digests.arrange_all)

    async def close(self) -> None:
        await self._pulse.close()

    def clocks(self, room: Room, who: Access) -> ClocksView | None:
        """The clocks of a table; a planning board has none."""
        if who.origin:
            return None
        now, seen = self.house.clock(), self.seen.at(room.id)
        if not room.timed:
            return no_clocks_view(now, seen)
        with self.house.archive.session() as session:
            return clocks_view(session, room, who, self.votes, now, seen)

    def _present(self, game: str) -> Collection[str]:
        """Seats whose players look at a table now, whichever worker their pages are with."""
        return self.live.presence.at(game).seats
