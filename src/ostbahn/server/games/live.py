"""Live updates of tables by server-sent events, and presence: who has a table open.

Each worker forwards the events of `events/bus.py` to its pages; if it may have missed some, all pages refresh.
Presence follows from open event streams. Its changes are published after a delay, since a page that reloads is gone
for a moment. Workers send each other the presence of their pages; reports expire unless repeated.
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
from ostbahn.server.events.bus import ChangeEvent, event_bus_of
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import EntryRow
from ostbahn.table.access import Access, NotHere
from ostbahn.table.slots import NOBODY, Attendance

REST: Final = 1.0  # seconds until a change of presence is published
REPEAT: Final = 20.0  # seconds after which a worker repeats its presence report
FORGET: Final = 50.0  # seconds after which a report expires


class RemotePresence(NamedTuple):
    """The presence that another worker reported of a table, and when the report expires."""

    present: Attendance
    until: float


class Presence:
    """Who has a table open, by game. Only the event loop changes it; any thread may call `at`.

    on_change: called with a game when its presence has changed.
    share: called with this worker's presence at tables where it has changed.
    """

    def __init__(
        self,
        on_change: Callable[[str], None],
        rest: float = REST,
        share: Callable[[Mapping[str, Attendance]], None] = lambda tables: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_change = on_change
        self._share = share
        self._rest = rest
        self._clock = clock
        self._pages: dict[str, dict[object, Access]] = {}  # by game and page: the key that opened it
        self._elsewhere: dict[str, dict[str, RemotePresence]] = {}  # by game and worker
        self._published: dict[str, Attendance] = {}
        self._shared: dict[str, Attendance] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}  # by game: until a change is published

    def at(self, game: str) -> Attendance:
        """The presence at a table, as published last."""
        return self._published.get(game, NOBODY)

    def come(self, page: object, who: Access) -> None:
        """Add a page that has opened its event stream, or update the seats of its key."""
        self._pages.setdefault(who.game, {})[page] = who
        self._schedule_update(who.game)

    def go(self, page: object, game: str) -> None:
        pages = self._pages.get(game, {})
        pages.pop(page, None)
        if not pages:
            self._pages.pop(game, None)
        self._schedule_update(game)

    # Other workers

    def here(self) -> dict[str, Attendance]:
        """The presence of this worker's pages, by game."""
        return {game: self._local_presence(game) for game in self._pages}

    def heard(self, worker: str, tables: Mapping[str, Attendance]) -> None:
        """Take over a presence report of another worker."""
        until = self._clock() + FORGET
        for game, present in tables.items():
            if present == NOBODY:
                self._elsewhere.get(game, {}).pop(worker, None)
            else:
                self._elsewhere.setdefault(game, {})[worker] = RemotePresence(present, until)
        self._update(tables)

    def gone(self, worker: str) -> None:
        """Drop all reports of a worker that has stopped."""
        tables = [game for game, reports in self._elsewhere.items() if reports.pop(worker, None) is not None]
        self._update(tables)

    def forget(self) -> None:
        """Drop expired reports of other workers."""
        now = self._clock()
        for game, reports in list(self._elsewhere.items()):
            expired = [worker for worker, report in reports.items() if report.until < now]
            for worker in expired:
                del reports[worker]
            if expired:
                self._update([game])

    # Changes

    def _schedule_update(self, game: str) -> None:
        if game not in self._timers:
            self._timers[game] = asyncio.get_running_loop().call_later(self._rest, self._share_and_update, game)

    def _share_and_update(self, game: str) -> None:
        del self._timers[game]
        here = self._local_presence(game)
        if here != self._shared.get(game, NOBODY):
            _set_presence(self._shared, game, here)
            self._share({game: here})
        self._update([game])

    def _update(self, games: Iterable[str]) -> None:
        for game in games:
            if not self._elsewhere.get(game, True):
                del self._elsewhere[game]
            remote = [report.present for report in self._elsewhere.get(game, {}).values()]
            workers = [self._local_presence(game), *remote]
            seats = frozenset(seat for present in workers for seat in present.seats)
            now, before = Attendance(seats, sum(present.watching for present in workers)), self.at(game)
            _set_presence(self._published, game, now)
            if now != before:
                self._on_change(game)

    def _local_presence(self, game: str) -> Attendance:
        keys = self._pages.get(game, {}).values()
        seats = frozenset(seat for who in keys for seat in who.seats)
        return Attendance(seats, sum(not who.seats for who in keys))

    def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()


def _set_presence(by_game: dict[str, Attendance], game: str, present: Attendance) -> None:
    if present == NOBODY:
        by_game.pop(game, None)
    else:
        by_game[game] = present


LOG: Final = logging.getLogger(__name__)
PING: Final = 20.0  # seconds after which a silent stream gets a comment, so that no proxy closes it
TABLES: Final = 50  # in one notification

# messages between workers
PRESENT: Final = "present"  # the presence of this worker's pages
WHO: Final = "who"  # asks all workers for their presence
MISSED: Final = "missed"  # events may have been missed, reassigned seats among them
GONE: Final = "gone"  # this worker stops


class PresenceMessage(msgspec.Struct, frozen=True, array_like=True):
    """The presence of one worker's pages, by game."""

    worker: str
    tables: dict[str, Attendance] = {}


def channels() -> ChannelsPlugin:
    return ChannelsPlugin(
        MemoryChannelsBackend(),
        arbitrary_channels_allowed=True,
        subscriber_max_backlog=100,
        subscriber_backlog_strategy="dropleft",  # a slow page must not miss the latest event
    )


class LiveUpdates:
    """Forwards events to pages. seen: called in another thread when a player opens or leaves a table."""

    def __init__(
        self, game_service: GameService, plugin: ChannelsPlugin, seen: Callable[[Access], None] = lambda who: None
    ) -> None:
        self.game_service = game_service
        self.plugin = plugin
        self.worker = secrets.token_urlsafe(6)  # its name among the workers
        self.presence = Presence(lambda game: self.publish(game, "presence"), share=self._share)
        self._seen = seen
        self._tasks: set[asyncio.Task[None]] = set()
        self._outbox: asyncio.Queue[tuple[str, Mapping[str, Attendance]]] = asyncio.Queue()

    # Events

    def publish(self, game: str, what: str, version: int = 0) -> None:
        """Publish an `api.TableEvent` to the pages of this worker."""
        self.plugin.publish({"what": what, "version": version, "game": game}, f"game-{game}")

    async def start(self) -> None:
        """Listen to all workers, this one included."""
        self._spawn(event_bus_of(self.game_service.database).listen(self._forward, self._refresh_all))
        if not self.game_service.database.is_single_process:
            self._spawn(self._send_outbox())
            self._spawn(self._repeat_reports())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forward(self, event: ChangeEvent) -> None:
        if event.game:
            self.publish(event.game, event.what, event.version)
        elif event.what == WHO:
            self._share_all()
        else:
            message = msgspec.json.decode(event.data, type=PresenceMessage)
            if message.worker == self.worker:
                return
            if event.what == GONE:
                self.presence.gone(message.worker)
            else:
                self.presence.heard(message.worker, message.tables)

    def _refresh_all(self) -> None:
        self._spawn(self._publish_versions())
        self._outbox.put_nowait((WHO, {}))

    async def _publish_versions(self) -> None:
        games = list(self.presence.here())
        try:
            versions = await asyncio.to_thread(self._versions, games)
        except Exception as fault:
            LOG.warning("pages cannot be told where their tables stand: %s", fault)
            return
        for game in games:
            self.publish(game, "state", versions.get(game, 0))
            for what in ("chat", MISSED, "joined"):
                self.publish(game, what)

    def _versions(self, games: list[str]) -> dict[str, int]:
        versions = select(EntryRow.game, func.max(EntryRow.version)).where(EntryRow.game.in_(games))
        with self.game_service.database.session() as session:
            return {game: version for game, version in session.execute(versions.group_by(EntryRow.game))}

    async def events(self, who: Access) -> AsyncIterator[ServerSentEventMessage]:
        """The event stream of a table, beginning with its version. On planning boards `origin` is their game."""

        def version() -> int:
            with self.game_service.holding(who.game) as room:
                return room.version

        page = object()
        channels = [f"game-{game}" for game in (who.game, who.origin) if game]
        async with self.plugin.start_subscription(channels) as subscriber:
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
                        event = msgspec.json.decode(pending.result())
                    except StopAsyncIteration:  # the server closes
                        return
                    finally:
                        pending = None
                    if event["game"] != who.game:
                        yield _message("origin", event["version"])
                        continue
                    if event["what"] == MISSED:  # the page reloads only if its own key opens other seats now
                        if await self._refresh_seats(page, who):
                            yield _message("seats", 0)
                        continue
                    yield _message(event["what"], event["version"])
                    if event["what"] == "seats":
                        await self._refresh_seats(page, who)
            finally:
                self.presence.go(page, who.game)
                self._note_seen(who)
                if pending is not None:
                    pending.cancel()

    def _note_seen(self, who: Access) -> None:
        if who.seats and not who.origin:
            with suppress(RuntimeError):  # the server closes
                asyncio.get_running_loop().run_in_executor(None, self._seen, who)

    async def _refresh_seats(self, page: object, who: Access) -> bool:
        """Update the presence of a page; returns whether its key has other seats now, or is void."""
        try:
            now = await asyncio.to_thread(self.game_service.access, who.key)
        except NotHere:
            self.presence.go(page, who.game)
            return True
        self.presence.come(page, now)
        return now.seats != who.seats

    # Among workers

    def _share(self, tables: Mapping[str, Attendance]) -> None:
        if not self.game_service.database.is_single_process:
            self._outbox.put_nowait((PRESENT, tables))

    def _share_all(self) -> None:
        tables = list(self.presence.here().items())
        for start in range(0, len(tables), TABLES):
            self._share(dict(tables[start : start + TABLES]))

    async def _repeat_reports(self) -> None:
        while True:
            await asyncio.sleep(REPEAT)
            self._share_all()
            self.presence.forget()

    async def _send_outbox(self) -> None:
        while True:
            what, tables = await self._outbox.get()
            try:
                await asyncio.to_thread(self._send, what, tables)
            except Exception as fault:  # it is repeated soon
                LOG.warning("other workers cannot be told who is here: %s", fault)

    def _send(self, what: str, tables: Mapping[str, Attendance]) -> None:
        with self.game_service.database.session() as session:
            message = msgspec.json.encode(PresenceMessage(self.worker, dict(tables)))
            bus.publish(session, "", what, data=message.decode())

    async def close(self) -> None:
        self.presence.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if not self.game_service.database.is_single_process:
            try:
                await asyncio.to_thread(self._send, GONE, {})
            except Exception as fault:
                LOG.info("other workers do not know that this one stops: %s", fault)


def _message(what: str, version: int) -> ServerSentEventMessage:
    return ServerSentEventMessage(event=what, data=str(version))
