"""The import sandbox: uploaded files are opened in a worker process with limits on time and memory.

A process can be killed, unlike a thread that hangs.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final, TypeVar

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after, to_process

from ostbahn.interop.files import decode_game
from ostbahn.kernel.errors import BadFile, OstbahnError
from ostbahn.kernel.game import Game, History
from ostbahn.kits.catalogue import rulebook_for
from ostbahn.server.faults import Busy
from ostbahn.server.games.new_table import NewSeat, NewTable, check_seats, game_for
from ostbahn.server.lookalikes import check_seat_name
from ostbahn.table.access import Access, Unreadable
from ostbahn.table.rendering import Renderer
from ostbahn.table.room import Room, seats_of
from ostbahn.table.table_view import table_view

LOG: Final = logging.getLogger(__name__)
SECONDS: Final = 10.0  # for a file; the longest real games take a quarter of a second
START: Final = 60.0  # seconds until a new process must be ready
MEMORY: Final = 600_000_000  # bytes; an idle process takes a sixth of that
WAITING: Final = 10  # files in the queue

T = TypeVar("T")


class ImportSandbox:
    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        # leaves one core for requests of players
        self._limiter = CapacityLimiter(max(1, (os.cpu_count() or 1) - 1))

    async def game_for(self, wanted: NewTable) -> Game:
        """A new game; in the sandbox if it has an uploaded board or deck."""
        plain = wanted.board is None and wanted.deck is None
        game = await (asyncio.to_thread(game_for, wanted) if plain else self._run_sandboxed(_new_game, wanted))
        names = game.setup.players  # already checked to be few and short
        for number, name in enumerate(names):
            check_seat_name(name, names[:number])
        return game

    async def decode_game(self, data: bytes) -> Game:
        return await self._run_sandboxed(_load_game, data)

    async def _run_sandboxed(self, work: Callable[[float, T], History], source: T) -> Game:
        if self._limiter.statistics().tasks_waiting >= WAITING:
            raise Busy("many files are being opened at the moment; try again in a minute")
        async with self._limiter:
            await self._await_process()
            history = await self._within_limits(work, source)
        return await asyncio.to_thread(lambda: Game.from_history(rulebook_for(history.setup), history))

    async def _await_process(self) -> None:
        """Wait for a process that is ready, so that its start does not count against the file."""
        try:
            with fail_after(START):
                await to_process.run_sync(_warm_up, cancellable=True)
        except (TimeoutError, BrokenWorkerProcess):
            raise Busy("files cannot be opened at the moment; try again later") from None

    async def _within_limits(self, work: Callable[[float, T], History], source: T) -> History:
        try:
            with fail_after(self.seconds):
                return await to_process.run_sync(work, self.seconds, source, cancellable=True)
        except TimeoutError:
            raise Unreadable(f"this takes longer than {self.seconds:g} seconds to open, and no game does") from None
        except BrokenWorkerProcess:
            raise Unreadable("this cannot be opened; it takes more time or memory than any game") from None
        except SandboxError as fault:
            LOG.error("a file could not be opened:\n%s", fault)
            raise Unreadable("this cannot be opened: something in it is not as in any game") from None


# What happens in the other process


class SandboxError(Exception):
    """A bug in our code that a file has triggered; its text is the traceback."""

    @property
    def trace(self) -> str:
        return str(self)


@cache
def _renderer() -> Renderer:
    return Renderer()


def _warm_up() -> None:
    _renderer()


def _new_game(seconds: float, wanted: NewTable) -> History:
    return _checked_history(seconds, lambda: game_for(wanted))


def _load_game(seconds: float, data: bytes) -> History:
    def load() -> Game:
        game = decode_game(data)
        check_seats(tuple(NewSeat(name) for name in game.setup.players))  # pages repeat names in every line
        return game

    return _checked_history(seconds, load)


def _checked_history(seconds: float, load: Callable[[], Game]) -> History:
    """Load a game under limits, and draw it once, so that its page will not fail; returns its history."""
    _apply_limits(seconds)
    try:
        game = load()
        _draw_table(game)
        return game.history
    except OstbahnError:
        raise
    except MemoryError:
        raise BadFile("this takes more memory than any game") from None
    except RecursionError:
        raise BadFile("this is nested too deeply to be read") from None
    except Exception:
        raise SandboxError(traceback.format_exc(limit=-5)) from None
    finally:
        _apply_limits(0)


def _apply_limits(seconds: float) -> None:
    """Limit memory, and time by a timer in case the server is gone; 0 stops the timer."""
    if sys.platform != "win32":
        import resource

        with suppress(ValueError, OSError):  # the hard limit is lower
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        signal.setitimer(signal.ITIMER_REAL, 2 * seconds)


def _draw_table(game: Game) -> None:
    """Draw the table as its host will see it."""
    room = Room(id_="", name="", setup=game.setup, bots={}, pace=0, ask_all=False)
    room.begin(game)
    host = Access(key="", hash="", game=room.id, role="host", seats=seats_of(game.setup))
    view = table_view(room, host)
    _renderer().table(view, room.game, "light", None, links=(), bots={}, note="", invite=None)
