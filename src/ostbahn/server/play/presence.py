"""Who looks at a table now: known by the pages that listen to its news.

Whoever loads their page again is gone for a moment. So what is told has rested for a while, and a change that was none
is not told at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple

from ostbahn.server.play.access import Access

REST: Final = 1.0
"""Seconds until it is told that somebody has come or gone."""


class Present(NamedTuple):
    """Those at a table."""

    seats: frozenset[str] = frozenset()
    """Seats whose players look at it."""
    watching: int = 0
    """How many others do."""


NOBODY: Final = Present()


class Presence:
    """All who listen, table by table. It is changed by the event loop alone; anybody may ask who is there."""

    def __init__(self, tell: Callable[[str], None], rest: float = REST) -> None:
        self._tell = tell
        """Called with the game when others are there than before."""
        self._rest = rest
        self._pages: dict[str, dict[object, Access]] = {}
        """Pages that listen, by game; each with the key that opened it."""
        self._told: dict[str, Present] = {}
        self._resting: dict[str, asyncio.TimerHandle] = {}

    def at(self, game: str) -> Present:
        """Who was there when it was told last."""
        return self._told.get(game, NOBODY)

    def come(self, page: object, who: Access) -> None:
        """A page listens, or is told that its key opens something else by now."""
        self._pages.setdefault(who.game, {})[page] = who
        self._wait(who.game)

    def go(self, page: object, game: str) -> None:
        pages = self._pages.get(game, {})
        pages.pop(page, None)
        if not pages:
            self._pages.pop(game, None)
        self._wait(game)

    def _wait(self, game: str) -> None:
        if game not in self._resting:
            self._resting[game] = asyncio.get_running_loop().call_later(self._rest, self._settle, game)

    def _settle(self, game: str) -> None:
        del self._resting[game]
        found, before = self._found(game), self.at(game)
        if found == NOBODY:
            self._told.pop(game, None)
        else:
            self._told[game] = found
        if found != before:
            self._tell(game)

    def _found(self, game: str) -> Present:
        keys = self._pages.get(game, {}).values()
        seats = frozenset(seat for who in keys for seat in who.seats)
        return Present(seats, sum(not who.seats for who in keys))

    def close(self) -> None:
        for timer in self._resting.values():
            timer.cancel()
        self._resting.clear()
