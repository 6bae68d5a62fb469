"""News of a table, sent to every page that shows it (server-sent events), and bots at work."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

import msgspec
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.response.sse import ServerSentEventMessage

from ostbahn.server.faults import Damaged, NotHere, Stale
from ostbahn.server.play.access import Access
from ostbahn.server.play.house import House, Played
from ostbahn.server.play.presence import Presence

LOG: Final = logging.getLogger(__name__)
PING: Final = 20.0
"""Seconds after which something is sent even if nothing has happened, so that nobody on the way hangs up."""
FIRST_WAIT: Final = 1.0
"""Seconds after which a bot is asked again whose answer could not be had or kept; each time it is twice as long."""
LONGEST_WAIT: Final = 300.0


def channels() -> ChannelsPlugin:
    return ChannelsPlugin(
        MemoryChannelsBackend(),
        arbitrary_channels_allowed=True,
        subscriber_max_backlog=100,
        subscriber_backlog_strategy="dropleft",  # whoever listens slowly must not miss the last news
    )


class Live:
    """Tells pages what is new, and lets bots answer one after the other."""

    def __init__(self, house: House, plugin: ChannelsPlugin, at_once: int = 0) -> None:
        """at_once: how many bots can think at once, where that is more than this machine has cores."""
        self.house = house
        self.plugin = plugin
        self.presence = Presence(lambda game: self.tell(game, "presence"))
        self._calls: dict[str, asyncio.Event] = {}
        """Games with a worker; the call that rouses it says that a bot may be asked."""
        self._at_work: dict[str, asyncio.Task[None]] = {}
        # bots are waited for in threads of their own, so that people need not wait until one is free
        self._threads = ThreadPoolExecutor(max(2, os.cpu_count() or 1, at_once), thread_name_prefix="bot")

    # News

    def tell(self, game: str, what: str, version: int = 0) -> None:
        """`state` with its version, `chat`, `proposal`, `seats` (others play them), `joined` (somebody has sat down or
        is called otherwise; the version has changed as well), or `presence` (others look at the table than before)."""
        self.plugin.publish({"what": what, "version": version, "game": game}, f"game-{game}")

    async def tell_joined(self, game: str) -> None:
        """Somebody has sat down, or is called otherwise."""
        self.tell(game, "state", await asyncio.to_thread(self._version, game))
        self.tell(game, "joined")

    async def news(self, who: Access) -> AsyncIterator[ServerSentEventMessage]:
        """Everything that happens at a table from now on, first of all where it stands; whoever listens is there.

        A planning board also hears, as `origin`, that something has happened in the game that is planned for.
        """
        page = object()
        heard = [f"game-{game}" for game in (who.game, who.origin) if game]
        async with self.plugin.start_subscription(heard) as subscriber:
            yield _message("state", await asyncio.to_thread(self._version, who.game))
            self.presence.come(page, who)
            events = subscriber.iter_events()
            pending: asyncio.Future[bytes] | None = None
            try:
                while True:
                    pending = pending or asyncio.ensure_future(anext(events))
                    done, _ = await asyncio.wait({pending}, timeout=PING)
                    if not done:
                        yield ServerSentEventMessage(comment="still here")
                        continue
                    try:
                        told = msgspec.json.decode(pending.result())
                    except StopAsyncIteration:  # the server closes
                        return
                    finally:
                        pending = None
                    if told["game"] != who.game:
                        yield _message("origin", told["version"])
                        continue
                    yield _message(told["what"], told["version"])
                    if told["what"] == "seats":
                        await self._seat_anew(page, who)
            finally:
                self.presence.go(page, who.game)
                if pending is not None:
                    pending.cancel()

    async def _seat_anew(self, page: object, who: Access) -> None:
        """Seats were given to others: somebody who listens may have other ones now, or none."""
        try:
            self.presence.come(page, await asyncio.to_thread(self.house.access, who.key))
        except NotHere:
            self.presence.go(page, who.game)

    def _version(self, game: str) -> int:
        with self.house.holding(game) as room:
            return room.version

    # Bots

    def wake(self, game: str) -> None:
        """See whether a bot is asked; one worker for a game is enough, and one that is about to stop looks again."""
        self._calls.setdefault(game, asyncio.Event()).set()
        if game not in self._at_work:
            self._at_work[game] = asyncio.create_task(self._let_bots_play(game, self._calls[game]))

    async def wake_all(self) -> None:
        for game in await asyncio.to_thread(self.house.waiting_for_bots):
            self.wake(game)

    async def _let_bots_play(self, game: str, call: asyncio.Event) -> None:
        try:
            while call.is_set():
                call.clear()
                while (played := await self._bot_turn(game, call)) is not None:
                    self.tell(game, "state", played.version)
                    await asyncio.sleep(played.pace / 1000)
        finally:
            del self._at_work[game], self._calls[game]

    async def _bot_turn(self, game: str, call: asyncio.Event) -> Played | None:
        """The answer of a bot. What goes wrong may pass: a database that is locked, a disk that is full."""
        loop = asyncio.get_running_loop()
        wait = FIRST_WAIT
        while True:
            try:
                return await loop.run_in_executor(self._threads, self.house.bot_turn, game)
            except Stale:  # another process was quicker
                continue
            except (NotHere, Damaged) as fault:  # which does not pass
                LOG.error("the bots of game %s have stopped: %s", game, fault)
                return None
            except Exception:
                LOG.exception("the bots of game %s cannot go on; they try again in %g seconds", game, wait)
            with suppress(TimeoutError):  # somebody who acts there meanwhile is reason enough to try at once
                await asyncio.wait_for(call.wait(), wait)
            call.clear()
            wait = min(2 * wait, LONGEST_WAIT)

    async def close(self) -> None:
        tasks = list(self._at_work.values())
        self.presence.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)


def _message(what: str, version: int) -> ServerSentEventMessage:
    return ServerSentEventMessage(event=what, data=str(version))
