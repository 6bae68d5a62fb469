"""All that the time at tables consists of, put together once."""

from __future__ import annotations

from collections.abc import Sequence

from ostbahn.server.clocks.heartbeat import Chore, Pulse
from ostbahn.server.clocks.holidays import Holidays
from ostbahn.server.clocks.listener import is_timed
from ostbahn.server.clocks.seen import LastSeen
from ostbahn.server.clocks.timekeeper import CLOCK, Timekeeper
from ostbahn.server.clocks.views import clocks_view, no_clocks_view
from ostbahn.server.clocks.votes import Votes
from ostbahn.server.games.service import House
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.table.access import Access
from ostbahn.table.room import Room
from ostbahn.table.slots import ClocksView


class Clocks:
    def __init__(self, house: House, chores: Sequence[Chore] = ()) -> None:
        """chores: done once a day."""
        archive, clock = house.archive, house.clock
        self.house = house
        self.votes = Votes(house)
        self.holidays = Holidays(archive, clock)
        self.seen = LastSeen(archive, clock)
        self.pulse = Pulse(archive, clock, chores)
        self._timekeeper = Timekeeper(house)

    def register(self, runner: JobRunner) -> None:
        runner.register(CLOCK, self._timekeeper.go_off, at_once=2)

    async def start(self) -> None:
        await self.pulse.start()

    async def close(self) -> None:
        await self.pulse.close()

    def view(self, room: Room, who: Access) -> ClocksView | None:
        """The clocks of a table; a planning board has none."""
        if who.origin:
            return None
        now, seen = self.house.clock(), self.seen.at(room.id)
        if not is_timed(room):
            return no_clocks_view(now, seen)
        with self.house.archive.session() as session:
            return clocks_view(session, room, who, self.votes, now, seen)
