"""News of a table, sent to every page that shows it (server-sent events), and bots at work."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.response.sse import ServerSentEventMessage

from ostbahn.server.faults import Stale
from ostbahn.server.house import House, Played

LOG: Final = logging.getLogger(__name__)
PING: Final = 20.0
"""Seconds after which something is sent even if nothing has happened, so that nobody on the way hangs up."""


def channels() -> ChannelsPlugin:
    return ChannelsPlugin(
        MemoryChannelsBackend(),
        arbitrary_channels_allowed=True,
        subscriber_max_backlog=100,
        subscriber_backlog_strategy="dropleft",  # whoever listens slowly must not miss the last news
    )


class Live:
    """Tells pages what is new, and lets bots answer one after the other."""

    def __init__(self, house: House, plugin: ChannelsPlugin) -> None:
        self.house = house
        self.plugin = plugin
        self._wanted: set[str] = set()
        """Games in which a bot may be asked."""
        self._at_work: dict[str, asyncio.Task[None]] = {}
        # bots think in threads of their own, so that people need not wait until one is free
        self._threads = ThreadPoolExecutor(max(2, os.cpu_count() or 1), thread_name_prefix="bot")

    # News

    def tell(self, game: str, what: str, version: int = 0) -> None:
        """`state` with its version, `chat`, `proposal` or `seats`."""
        self.plugin.publish({"what": what, "version": version}, f"game-{game}")

    async def news(self, game: str) -> AsyncIterator[ServerSentEventMessage]:
        """Everything that happens at a table from now on; first of all where it stands."""
        async with self.plugin.start_subscription(f"game-{game}") as subscriber:
            yield _message("state", await asyncio.to_thread(self._version, game))
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
                    yield _message(told["what"], told["version"])
            finally:
                if pending is not None:
                    pending.cancel()

    def _version(self, game: str) -> int:
        with self.house.holding(game) as room:
            return room.version

    # Bots

    def wake(self, game: str) -> None:
        """See whether a bot is asked; one worker for a game is enough, and one that is about to stop looks again."""
        self._wanted.add(game)
        if game not in self._at_work:
            self._at_work[game] = asyncio.create_task(self._let_bots_play(game))

    async def wake_all(self) -> None:
        for game in await asyncio.to_thread(self.house.waiting_for_bots):
            self.wake(game)

    async def _let_bots_play(self, game: str) -> None:
        try:
            while game in self._wanted:
                self._wanted.discard(game)
                while (played := await self._bot_turn(game)) is not None:
                    self.tell(game, "state", played.version)
                    await asyncio.sleep(played.pace / 1000)
        finally:
            self._at_work.pop(game, None)

    async def _bot_turn(self, game: str) -> Played | None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                return await loop.run_in_executor(self._threads, self.house.bot_turn, game)
            except Stale:  # another process was quicker
                continue
            except Exception:
                LOG.exception("the bots of game %s have stopped; they go on when somebody acts there", game)
                return None

    async def close(self) -> None:
        tasks = list(self._at_work.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)


def _message(what: str, version: int) -> ServerSentEventMessage:
    return ServerSentEventMessage(event=what, data=str(version))
