"""Who looks at a table now: known by the pages that listen to its news, here and with the other workers.

Whoever loads their page again is gone for a moment. So what is told has rested for a while, and a change that was
none is not told at all. Each worker tells the others who is with it, when that changes and again every now and then:
one that is not heard of any more is forgotten with all its pages.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from ostbahn.table.access import Access
from ostbahn.table.slots import NOBODY, Present

REST: Final = 1.0
"""Seconds until it is told that somebody has come or gone."""
REPEAT: Final = 20.0
"""Seconds after which a worker says again who is with it."""
FORGET: Final = 50.0
"""Seconds after which nobody believes any more what a worker said."""


class Elsewhere(NamedTuple):
    """What another worker has said of a table."""

    present: Present
    until: float
    """When it is forgotten."""


class Presence:
    """All who listen, table by table. It is changed by the event loop alone; anybody may ask who is there."""

    def __init__(
        self,
        tell: Callable[[str], None],
        rest: float = REST,
        share: Callable[[Mapping[str, Present]], None] = lambda tables: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell = tell
        """Called with the game when others are there than before."""
        self._share = share
        """Called with tables at which others are with this worker than before."""
        self._rest = rest
        self._clock = clock
        self._pages: dict[str, dict[object, Access]] = {}
        """Pages that listen here, by game; each with the key that opened it."""
        self._elsewhere: dict[str, dict[str, Elsewhere]] = {}
        """Those with other workers, by game and worker."""
        self._told: dict[str, Present] = {}
        self._shared: dict[str, Present] = {}
        self._resting: dict[str, asyncio.TimerHandle] = {}

    def at(self, game: str) -> Present:
        """Who was there when it was told last."""
        return self._told.get(game, NOBODY)

    def tables(self) -> list[str]:
        """Those at which somebody listens here."""
        return list(self._pages)

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

    # Other workers

    def here(self) -> dict[str, Present]:
        """All who are with this worker."""
        return {game: self._with_us(game) for game in self._pages}

    def heard(self, worker: str, tables: Mapping[str, Present]) -> None:
        """Another worker says who is with it."""
        until = self._clock() + FORGET
        for game, present in tables.items():
            if present == NOBODY:
                self._elsewhere.get(game, {}).pop(worker, None)
            else:
                self._elsewhere.setdefault(game, {})[worker] = Elsewhere(present, until)
        self._look(tables)

    def gone(self, worker: str) -> None:
        """Another worker has stopped."""
        tables = [game for game, said in self._elsewhere.items() if said.pop(worker, None) is not None]
        self._look(tables)

    def forget(self) -> None:
        """What was said too long ago."""
        now = self._clock()
        for game, said in list(self._elsewhere.items()):
            late = [worker for worker, each in said.items() if each.until < now]
            for worker in late:
                del said[worker]
            if late:
                self._look([game])

    # What is told

    def _wait(self, game: str) -> None:
        if game not in self._resting:
            self._resting[game] = asyncio.get_running_loop().call_later(self._rest, self._settle, game)

    def _settle(self, game: str) -> None:
        del self._resting[game]
        ours = self._with_us(game)
        if ours != self._shared.get(game, NOBODY):
            _note(self._shared, game, ours)
            self._share({game: ours})
        self._look([game])

    def _look(self, games: Iterable[str]) -> None:
        for game in games:
            if not self._elsewhere.get(game, True):
                del self._elsewhere[game]
            found, before = self._found(game), self.at(game)
            _note(self._told, game, found)
            if found != before:
                self._tell(game)

    def _found(self, game: str) -> Present:
        said = [each.present for each in self._elsewhere.get(game, {}).values()]
        everybody = [self._with_us(game), *said]
        seats = frozenset(seat for each in everybody for seat in each.seats)
        return Present(seats, sum(each.watching for each in everybody))

    def _with_us(self, game: str) -> Present:
        keys = self._pages.get(game, {}).values()
        seats = frozenset(seat for who in keys for seat in who.seats)
        return Present(seats, sum(not who.seats for who in keys))

    def close(self) -> None:
        for timer in self._resting.values():
            timer.cancel()
        self._resting.clear()


def _note(known: dict[str, Present], game: str, present: Present) -> None:
    if present == NOBODY:
        known.pop(game, None)
    else:
        known[game] = present
