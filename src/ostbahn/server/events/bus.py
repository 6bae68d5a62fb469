"""The event bus delivers change events to all workers once the transaction that published them is committed.

PostgreSQL sends them as notifications of that transaction. With SQLite there is one serving process, which has its
listeners in memory; command line tools leave events in the database, which the server polls.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from ostbahn.server.db.database import Database, commit_hook
from ostbahn.server.db.tables import server_flag, set_server_flag

LOG: Final = logging.getLogger(__name__)
CHANNEL: Final = "ostbahn"
NAME: Final = "news"  # of the commit hook, of a database's bus, and of the server flag with left events
BATCH: Final = 50  # events in one notification, which has 8,000 bytes at most
PING: Final = 15.0  # seconds without an event after which a listener checks its connection
FIRST_WAIT: Final = 0.1  # seconds until a listener reconnects; doubles each time
LONGEST_WAIT: Final = 5.0
POLL_INTERVAL: Final = 2.0  # seconds between two looks for events of other processes, with SQLite


class ChangeEvent(Struct, frozen=True, array_like=True):
    """A change at a table, or, with an empty `game`, a message between workers."""

    game: str
    what: str
    version: int = 0
    data: str = ""


OnEvent = Callable[[ChangeEvent], None]  # called in the event loop
OnMissed = Callable[[], None]  # called in the event loop when events may have been missed

EVENTS_DECODER: Final = msgspec.json.Decoder(list[ChangeEvent])


def publish(session: Session, game: str, what: str, version: int = 0, data: str = "") -> None:
    """Publish an event once this transaction is committed."""
    outgoing = commit_hook(session, NAME, lambda database: OutgoingEvents(event_bus_of(database)))
    event = ChangeEvent(game, what, version, data)
    if event not in outgoing.events:
        outgoing.events.append(event)


class OutgoingEvents:
    """A commit hook: the events that one transaction publishes."""

    def __init__(self, event_bus: EventBus) -> None:
        self._event_bus = event_bus
        self.events: list[ChangeEvent] = []

    def before_commit(self, session: Session) -> None:
        self._event_bus.send(session, self.events)

    def after_commit(self) -> None:
        self._event_bus.deliver(self.events)


def event_bus_of(database: Database) -> EventBus:
    """The one event bus of a database in this process."""
    event_bus: EventBus | None = database.shared.get(NAME)
    if event_bus is None:
        engine = database.engine
        new_bus = MemoryEventBus(engine) if database.is_single_process else PostgresEventBus(engine)
        event_bus = database.shared.setdefault(NAME, new_bus)  # if two threads create one, both use the first
    return event_bus


class LeftEvents(Struct, frozen=True, array_like=True):
    """Events that command line tools have left for the server."""

    number: int = 0  # of all events left so far
    last: tuple[ChangeEvent, ...] = ()  # the latest of them


class MemoryEventBus:
    """The event bus of a single serving process; command line tools leave events for it in the database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._listeners: list[tuple[asyncio.AbstractEventLoop, OnEvent]] = []

    def send(self, session: Session, events: Sequence[ChangeEvent]) -> None:
        """Leave events in the database, unless this is the serving process."""
        if not self._listeners:
            left = _left_events(session)
            last = (*left.last, *events)[-BATCH:]
            set_server_flag(session, NAME, msgspec.json.encode(LeftEvents(left.number + len(events), last)).decode())

    def deliver(self, events: Sequence[ChangeEvent]) -> None:
        for loop, on_event in self._listeners:
            for event in events:
                loop.call_soon_threadsafe(on_event, event)

    async def listen(self, on_event: OnEvent, on_missed: OnMissed) -> None:
        listener = (asyncio.get_running_loop(), on_event)
        self._listeners.append(listener)
        try:
            seen = await asyncio.to_thread(self._read_left_events)
            while True:
                await asyncio.sleep(POLL_INTERVAL)
                left = await asyncio.to_thread(self._read_left_events)
                if left is None:
                    continue
                unseen = left.number - (seen.number if seen else 0)
                if unseen > len(left.last):
                    on_missed()
                for event in left.last[-unseen:] if unseen > 0 else ():
                    on_event(event)
                seen = left
        finally:
            self._listeners.remove(listener)

    def _read_left_events(self) -> LeftEvents | None:
        """The events left in the database; None while it cannot be read."""
        with suppress(SQLAlchemyError), Session(self._engine) as session:
            return _left_events(session)
        return None


def _left_events(session: Session) -> LeftEvents:
    text = server_flag(session, NAME)
    return msgspec.json.decode(text, type=LeftEvents) if text else LeftEvents()


class PostgresEventBus:
    """Notifications of PostgreSQL (`LISTEN` and `NOTIFY`)."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def send(self, session: Session, events: Sequence[ChangeEvent]) -> None:
        for start in range(0, len(events), BATCH):
            payload = msgspec.json.encode(events[start : start + BATCH]).decode()
            session.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload})

    def deliver(self, events: Sequence[ChangeEvent]) -> None:
        """Does nothing: the database delivers them."""

    async def listen(self, on_event: OnEvent, on_missed: OnMissed) -> None:
        wait = FIRST_WAIT
        while True:
            try:
                async with await self._connect() as connection:
                    on_missed()  # events of the time without a connection
                    wait = FIRST_WAIT
                    while True:
                        async for notification in connection.notifies(timeout=PING):
                            for event in EVENTS_DECODER.decode(notification.payload):
                                on_event(event)
                        await connection.execute("SELECT 1")  # a broken connection fails here
            except Exception as fault:
                reason = str(fault).partition("\n")[0]
                LOG.warning("the database sends no events (%s); reconnecting in %g seconds", reason, wait)
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    async def _connect(self) -> Any:
        from psycopg import AsyncConnection  # only installed with PostgreSQL support

        positional, named = self._engine.dialect.create_connect_args(self._engine.url)
        connection: Any = await AsyncConnection.connect(*positional, **named, autocommit=True)
        await connection.execute(f"LISTEN {CHANNEL}")
        return connection


EventBus = MemoryEventBus | PostgresEventBus
"""`send` is called in a transaction, `deliver` after its commit; `listen` runs until it is cancelled."""
