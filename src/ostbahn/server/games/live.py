"""Live updates of a table to every page that shows it (server-sent events), and who is looking.

Every worker hears the events of `events/bus.py` and passes them on to its pages; where some may have been missed, all
pages look again. Who is there is known by the pages that listen. A change is published after a rest, since a page that
is loaded again is gone for a moment. Workers tell each other who is with them; those not heard of are forgotten.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

import msgspec
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.response.sse import ServerSentEventMessage
from sqlalchemy import func, select

from ostbahn.server.events import bus
from ostbahn.server.events.bus import ChangeEvent
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import EntryRow
from ostbahn.table.access import Access, NotHere
from ostbahn.table.slots import NOBODY, Present

REST: Final = 1.0  # seconds until it is published that somebody has come or gone
REPEAT: Final = 20.0  # seconds after which a worker says again who is with it
FORGET: Final = 50.0  # seconds after which what a worker said is forgotten


class RemotePresence(NamedTuple):
    """What another worker has said of a table, and when that is forgotten."""

    present: Present
    until: float


class Presence:
    """All who listen, table by table. Changed by the event loop alone; any thread may ask who is there.

    tell: called with the game when others are there than before.
    share: called with tables at which others are with this worker than before.
    """

    def __init__(
        self,
        tell: Callable[[str], None],
        rest: float = REST,
        share: Callable[[Mapping[str, Present]], None] = lambda tables: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell = tell
        self._share = share
        self._rest = rest
        self._clock = clock
        self._pages: dict[str, dict[object, Access]] = {}  # by game and page: the key that opened it
        self._elsewhere: dict[str, dict[str, RemotePresence]] = {}  # by game and worker
        self._told: dict[str, Present] = {}
        self._shared: dict[str, Present] = {}
        self._resting: dict[str, asyncio.TimerHandle] = {}

    def at(self, game: str) -> Present:
        """Who was there when it was published last."""
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

    # Other workers

    def here(self) -> dict[str, Present]:
        return {game: self._with_us(game) for game in self._pages}

    def heard(self, worker: str, tables: Mapping[str, Present]) -> None:
        until = self._clock() + FORGET
        for game, present in tables.items():
            if present == NOBODY:
                self._elsewhere.get(game, {}).pop(worker, None)
            else:
                self._elsewhere.setdefault(game, {})[worker] = RemotePresence(present, until)
        self._look(tables)

    def gone(self, worker: str) -> None:
        tables = [game for game, said in self._elsewhere.items() if said.pop(worker, None) is not None]
        self._look(tables)

    def forget(self) -> None:
        """Forget what workers said too long ago."""
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
        here = self._with_us(game)
        if here != self._shared.get(game, NOBODY):
            _note(self._shared, game, here)
            self._share({game: here})
        self._look([game])

    def _look(self, games: Iterable[str]) -> None:
        for game in games:
            if not self._elsewhere.get(game, True):
                del self._elsewhere[game]
            everybody = [self._with_us(game), *(said.present for said in self._elsewhere.get(game, {}).values())]
            seats = frozenset(seat for each in everybody for seat in each.seats)
            now, before = Present(seats, sum(each.watching for each in everybody)), self.at(game)
            _note(self._told, game, now)
            if now != before:
                self._tell(game)

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


LOG: Final = logging.getLogger(__name__)
PING: Final = 20.0
"""Seconds after which something is sent even if nothing has happened, so that nobody on the way hangs up."""
TABLES: Final = 50  # in one notification

# what workers tell each other
PRESENT: Final = "present"  # who is with me
WHO: Final = "who"  # who is with you?
MISSED: Final = "missed"  # events may have been missed, also that seats were given to others
GONE: Final = "gone"  # I stop


class PresenceMessage(msgspec.Struct, frozen=True, array_like=True):
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


class LiveUpdates:
    """Publishes to pages what is new. seen: called in another thread when somebody has come to a table or left."""

    def __init__(
        self, game_service: GameService, plugin: ChannelsPlugin, seen: Callable[[Access], None] = lambda who: None
    ) -> None:
        self.game_service = game_service
        self.plugin = plugin
        self.worker = secrets.token_urlsafe(6)  # its name among the workers
        self.presence = Presence(lambda game: self.tell(game, "presence"), share=self._share)
        self._seen = seen
        self._tasks: set[asyncio.Task[None]] = set()
        self._told: asyncio.Queue[tuple[str, Mapping[str, Present]]] = asyncio.Queue()

    # News

    def tell(self, game: str, what: str, version: int = 0) -> None:
        """Publish to the pages of this worker an event of `api.TableEvent`."""
        self.plugin.publish({"what": what, "version": version, "game": game}, f"game-{game}")

    async def start(self) -> None:
        """Listen to all workers, this one included."""
        self._spawn(bus.event_bus_of(self.game_service.database).listen(self._hear, self._look_again))
        if not self.game_service.database.is_single_process:
            self._spawn(self._talk())
            self._spawn(self._repeat())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _hear(self, heard: ChangeEvent) -> None:
        if heard.game:
            self.tell(heard.game, heard.what, heard.version)
        elif heard.what == WHO:
            self._say_all()
        else:
            said = msgspec.json.decode(heard.data, type=PresenceMessage)
            if said.worker == self.worker:
                return
            if heard.what == GONE:
                self.presence.gone(said.worker)
            else:
                self.presence.heard(said.worker, said.tables)

    def _look_again(self) -> None:
        self._spawn(self._tell_all())
        self._told.put_nowait((WHO, {}))

    async def _tell_all(self) -> None:
        games = list(self.presence.here())
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
        versions = select(EntryRow.game, func.max(EntryRow.version)).where(EntryRow.game.in_(games))
        with self.game_service.database.session() as session:
            return {game: version for game, version in session.execute(versions.group_by(EntryRow.game))}

    async def events(self, who: Access) -> AsyncIterator[ServerSentEventMessage]:
        """The events of a table, beginning with its version; a planning board also hears, as `origin`, of its game."""

        def version() -> int:
            with self.game_service.holding(who.game) as room:
                return room.version

        page = object()
        heard = [f"game-{game}" for game in (who.game, who.origin) if game]
        async with self.plugin.start_subscription(heard) as subscriber:
            yield _message("state", await asyncio.to_thread(version))
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
        """Whether the key of somebody who listens has other seats now, or none."""
        try:
            now = await asyncio.to_thread(self.game_service.access, who.key)
        except NotHere:
            self.presence.go(page, who.game)
            return True
        self.presence.come(page, now)
        return now.seats != who.seats

    # Among workers

    def _share(self, tables: Mapping[str, Present]) -> None:
        if not self.game_service.database.is_single_process:
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
        while True:
            what, tables = await self._told.get()
            try:
                await asyncio.to_thread(self._say, what, tables)
            except Exception as fault:  # it is said again soon
                LOG.warning("other workers cannot be told who is here: %s", fault)

    def _say(self, what: str, tables: Mapping[str, Present]) -> None:
        with self.game_service.database.session() as session:
            bus.publish(
                session, "", what, data=msgspec.json.encode(PresenceMessage(self.worker, dict(tables))).decode()
            )

    async def close(self) -> None:
        self.presence.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if not self.game_service.database.is_single_process:
            try:
                await asyncio.to_thread(self._say, GONE, {})
            except Exception as fault:
                LOG.info("other workers do not know that this one stops: %s", fault)


def _message(what: str, version: int) -> ServerSentEventMessage:
    return ServerSentEventMessage(event=what, data=str(version))
