"""News of a table, sent to every page that shows it (server-sent events), and who listens to them.

What is new is told in the transaction that made it (`events/bus.py`), and heard by every worker; each passes it on to
the pages that are with it. Where something may have been missed, since the database was away, all its pages look
again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.response.sse import ServerSentEventMessage
from sqlalchemy import func, select

from ostbahn.server.events import bus as news
from ostbahn.server.events.bus import News
from ostbahn.server.games.presence import REPEAT, Presence
from ostbahn.server.games.service import House
from ostbahn.server.games.tables import EntryRow
from ostbahn.table.access import Access, NotHere
from ostbahn.table.slots import Present

LOG: Final = logging.getLogger(__name__)
PING: Final = 20.0
"""Seconds after which something is sent even if nothing has happened, so that nobody on the way hangs up."""
TABLES: Final = 50
"""Of which a worker says in one notification who is there."""

PRESENT: Final = "present"
"""A worker says who is with it."""
WHO: Final = "who"
"""A worker asks the others."""
MISSED: Final = "missed"
"""Something may have been missed, also that seats were given to others."""
GONE: Final = "gone"
"""A worker stops."""


class Said(msgspec.Struct, frozen=True, array_like=True):
    """By a worker, of tables."""

    worker: str
    tables: dict[str, Present] = {}


def channels() -> ChannelsPlugin:
    return ChannelsPlugin(
        MemoryChannelsBackend(),
        arbitrary_channels_allowed=True,
        subscriber_max_backlog=100,
        subscriber_backlog_strategy="dropleft",  # whoever listens slowly must not miss the last news
    )


class Live:
    """Tells pages what is new."""

    def __init__(self, house: House, plugin: ChannelsPlugin, seen: Callable[[Access], None] = lambda who: None) -> None:
        """seen: called in another thread when somebody has come to a table or left it."""
        self.house = house
        self.plugin = plugin
        self.worker = secrets.token_urlsafe(6)
        """What the others know this one by."""
        self.presence = Presence(lambda game: self.tell(game, "presence"), share=self._share)
        self._seen = seen
        self._tasks: set[asyncio.Task[None]] = set()
        self._told: asyncio.Queue[tuple[str, Mapping[str, Present]]] = asyncio.Queue()

    # News

    def tell(self, game: str, what: str, version: int = 0) -> None:
        """To the pages of this worker.

        `state` with its version, `chat`, `proposal`, `seats` (others play them), `joined` (somebody has sat down or is
        called otherwise; the version has changed as well), or `presence` (others look at the table than before).
        """
        self.plugin.publish({"what": what, "version": version, "game": game}, f"game-{game}")

    async def start(self) -> None:
        """Listen to all workers, this one included."""
        self._spawn(news.relay_of(self.house.archive).listen(self._hear, self._look_again))
        if not self.house.archive.alone:
            self._spawn(self._talk())
            self._spawn(self._repeat())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _hear(self, heard: News) -> None:
        if heard.game:
            self.tell(heard.game, heard.what, heard.version)
        elif heard.what == WHO:
            self._say_all()
        else:
            said = msgspec.json.decode(heard.data, type=Said)
            if said.worker == self.worker:
                return
            if heard.what == GONE:
                self.presence.gone(said.worker)
            else:
                self.presence.heard(said.worker, said.tables)

    def _look_again(self) -> None:
        """News may have been missed: pages are told where their tables stand, and others are asked who is with them."""
        self._spawn(self._tell_all())
        self._told.put_nowait((WHO, {}))

    async def _tell_all(self) -> None:
        games = self.presence.tables()
        try:
            versions = await asyncio.to_thread(self._versions, games)
        except Exception as fault:
            LOG.warning("pages cannot be told where their tables stand: %s", fault)
            return
        for game in games:
            self.tell(game, "state", versions.get(game, 0))
            for what in ("chat", MISSED, "joined"):
                self.tell(game, what)

    def _versions(self, games: list[str]) -> dict[str, int]:
        found = (
            select(EntryRow.game, func.max(EntryRow.version)).where(EntryRow.game.in_(games)).group_by(EntryRow.game)
        )
        with self.house.archive.session() as session:
            return {game: version for game, version in session.execute(found)}

    async def news(self, who: Access) -> AsyncIterator[ServerSentEventMessage]:
        """Everything that happens at a table from now on, first of all where it stands; whoever listens is there.

        A planning board also hears, as `origin`, that something has happened in the game that is planned for.
        """
        page = object()
        heard = [f"game-{game}" for game in (who.game, who.origin) if game]
        async with self.plugin.start_subscription(heard) as subscriber:
            yield _message("state", await asyncio.to_thread(self._version, who.game))
            self.presence.come(page, who)
            self._note_seen(who)
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
                    if told["what"] == MISSED:  # a page need not be loaded anew unless its own key opens something else
                        if await self._seat_anew(page, who):
                            yield _message("seats", 0)
                        continue
                    yield _message(told["what"], told["version"])
                    if told["what"] == "seats":
                        await self._seat_anew(page, who)
            finally:
                self.presence.go(page, who.game)
                self._note_seen(who)
                if pending is not None:
                    pending.cancel()

    def _note_seen(self, who: Access) -> None:
        if who.seats and not who.origin:
            with suppress(RuntimeError):  # the server closes
                asyncio.get_running_loop().run_in_executor(None, self._seen, who)

    async def _seat_anew(self, page: object, who: Access) -> bool:
        """Seats were given to others: whether somebody who listens has other ones now, or none."""
        try:
            now = await asyncio.to_thread(self.house.access, who.key)
        except NotHere:
            self.presence.go(page, who.game)
            return True
        self.presence.come(page, now)
        return now.seats != who.seats

    def _version(self, game: str) -> int:
        with self.house.holding(game) as room:
            return room.version

    # Among workers

    def _share(self, tables: Mapping[str, Present]) -> None:
        if not self.house.archive.alone:
            self._told.put_nowait((PRESENT, tables))

    def _say_all(self) -> None:
        here = list(self.presence.here().items())
        for place in range(0, len(here), TABLES):
            self._share(dict(here[place : place + TABLES]))

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(REPEAT)
            self._say_all()
            self.presence.forget()

    async def _talk(self) -> None:
        """Tell the other workers, one thing after the other."""
        while True:
            what, tables = await self._told.get()
            try:
                await asyncio.to_thread(self._say, what, tables)
            except Exception as fault:  # it is said again soon
                LOG.warning("other workers cannot be told who is here: %s", fault)

    def _say(self, what: str, tables: Mapping[str, Present]) -> None:
        with self.house.archive.session() as session:
            news.tell(session, "", what, data=msgspec.json.encode(Said(self.worker, dict(tables))).decode())

    async def close(self) -> None:
        self.presence.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if not self.house.archive.alone:
            try:
                await asyncio.to_thread(self._say, GONE, {})
            except Exception as fault:
                LOG.info("other workers do not know that this one stops: %s", fault)


def _message(what: str, version: int) -> ServerSentEventMessage:
    return ServerSentEventMessage(event=what, data=str(version))
