"""All that notifying people consists of, put together once."""

from __future__ import annotations

import asyncio
from typing import Final

from ostbahn.server.games.service import House
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.server.notifications.config import Outlets
from ostbahn.server.notifications.delivery import WIRES, Messenger, WhoIsThere
from ostbahn.server.notifications.digest import Digests
from ostbahn.server.notifications.outcomes import Outcomes
from ostbahn.server.notifications.owners import DIGEST
from ostbahn.server.notifications.queue import TELL
from ostbahn.server.notifications.safe_http import Outside
from ostbahn.server.notifications.subscriptions import Wishes

AT_ONCE: Final = 4
"""Messages of a kind that are on their way side by side."""


class Notifications:
    def __init__(self, house: House, outlets: Outlets, present: WhoIsThere) -> None:
        """present: seats whose players look at a table now."""
        archive, clock = house.archive, house.clock
        self.outlets = outlets
        self.wishes = Wishes(archive, clock)
        outside, outcomes = Outside(outlets.let_in), Outcomes(house.figures, clock)
        self.messenger = Messenger(archive, clock, outlets, self.wishes, present, outside, outcomes)
        self.digests = Digests(self.messenger)

    def register(self, runner: JobRunner) -> None:
        runner.register(TELL, self.messenger.spread)
        for kind in WIRES:
            runner.register(kind, self.messenger.deliver, at_once=AT_ONCE)
        runner.register(DIGEST, self.digests.send)

    async def start(self) -> None:
        await asyncio.to_thread(self.digests.arrange_all)
