"""Hints for people: each is thought of once, however often it is asked for."""

from __future__ import annotations

import logging
from typing import Final

from ostbahn.bots.hints import Hint
from ostbahn.bots.limits import TooSlow
from ostbahn.bots.playing import NotAsked
from ostbahn.bots.processes import Died, Failed
from ostbahn.kernel.game import Game
from ostbahn.server.faults import Busy
from ostbahn.server.games.bot_pool import Opponents
from ostbahn.server.jobs.concurrency import Lookout, WaitingLine

LOG: Final = logging.getLogger(__name__)
WAITING: Final = 20
"""How many may wait for a hint."""


class Hints:
    def __init__(self, opponents: Opponents, lookout: Lookout) -> None:
        self.opponents = opponents
        self.lookout = lookout
        busy = "many people ask for hints at the moment; try again in a minute"
        self._line = WaitingLine("hint", opponents.at_once, WAITING, busy)

    async def at(self, table: str, version: int, position: Game) -> Hint:
        """What to answer at a table as it stands."""
        return await self._line.served(lambda: self._once(table, version, position))

    def _once(self, table: str, version: int, position: Game) -> Hint:
        return self.lookout.once(("hint", table, version), lambda: self._found(table, position))

    def _found(self, table: str, position: Game) -> Hint:
        try:
            return self.opponents.hint(table, position)
        except (TooSlow, Died, NotAsked) as fault:
            LOG.warning("there was no hint for game %s: %s", table, fault)
            raise Busy("the bot found no answer this time; ask it again later") from None
        except Failed as fault:
            raise RuntimeError(f"no hint for game {table}") from fault

    def close(self) -> None:
        self._line.close()
