"""Events ("news"), published to all workers when the transaction that made them is committed.

On PostgreSQL they are notifications of that transaction. SQLite serves one process, which keeps them in memory; other
processes, such as command line tools, leave theirs in the database, where the server looks for them.
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
TOLD: Final = (
    "news"  # the name of the hook, of the event_bus of an archive, and of the fact with news left for a server
)
MOST_AT_ONCE: Final = 50  # in one notification, which has 8,000 bytes at most
PING: Final = 15.0  # seconds after which a listener who hears nothing asks whether the line is still there
FIRST_WAIT: Final = 0.1  # seconds until a listener whose line was lost tries again; each time it is twice as long
LONGEST_WAIT: Final = 5.0
LOOK: Final = 2.0  # seconds after which the server of a file looks for news of other processes


class ChangeEvent(Struct, frozen=True, array_like=True):
    """Something new at a table, or, where no table is named, among the workers."""

    game: str
    what: str
    version: int = 0
    data: str = ""


Hear = Callable[[ChangeEvent], None]  # called in the event loop
LookAgain = Callable[[], None]  # called in the event loop when something may have been missed

SEVERAL: Final = msgspec.json.Decoder(list[ChangeEvent])


def publish(session: Session, game: str, what: str, version: int = 0, data: str = "") -> None:
    """Say that something is new once this transaction is committed."""
    outgoing = commit_hook(session, TOLD, lambda database: Outgoing(event_bus_of(database)))
    news = ChangeEvent(game, what, version, data)
    if news not in outgoing.news:
        outgoing.news.append(news)


class Outgoing:
    """The news of one transaction: a hook of its commit."""

    def __init__(self, event_bus: EventBus) -> None:
        self._event_bus = event_bus
        self.news: list[ChangeEvent] = []

    def before_commit(self, session: Session) -> None:
        self._event_bus.send(session, self.news)

    def after_commit(self) -> None:
        self._event_bus.sent(self.news)


def event_bus_of(database: Database) -> EventBus:
    """The one event_bus of a database in this process."""
    event_bus: EventBus | None = database.shared.get(TOLD)
    if event_bus is None:
        made = MemoryEventBus(database.engine) if database.is_single_process else PostgresEventBus(database.engine)
        event_bus = database.shared.setdefault(TOLD, made)  # where two threads make one, both use the first
    return event_bus


class LeftEvents(Struct, frozen=True, array_like=True):
    """News that a tool of the command line has left for the server."""

    number: int = 0  # how many there were so far
    last: tuple[ChangeEvent, ...] = ()


class MemoryEventBus:
    """For one process that serves. What tools of the command line have to tell it they leave in the database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._listeners: list[tuple[asyncio.AbstractEventLoop, Hear]] = []

    def send(self, session: Session, news: Sequence[ChangeEvent]) -> None:
        """Nobody in this process hears it before it is kept."""
        if not self._listeners:
            left = _left_events(session)
            last = (*left.last, *news)[-MOST_AT_ONCE:]
            set_server_flag(session, TOLD, msgspec.json.encode(LeftEvents(left.number + len(news), last)).decode())

    def sent(self, news: Sequence[ChangeEvent]) -> None:
        for loop, hear in self._listeners:
            for each in news:
                loop.call_soon_threadsafe(hear, each)

    async def listen(self, hear: Hear, look_again: LookAgain) -> None:
        listener = (asyncio.get_running_loop(), hear)
        self._listeners.append(listener)
        try:
            known = await asyncio.to_thread(self._left)
            while True:
                await asyncio.sleep(LOOK)
                left = await asyncio.to_thread(self._left)
                if left is None:
                    continue
                missed = left.number - (known.number if known else 0)
                if missed > len(left.last):
                    look_again()
                for each in left.last[-missed:] if missed > 0 else ():
                    hear(each)
                known = left
        finally:
            self._listeners.remove(listener)

    def _left(self) -> LeftEvents | None:
        """None while the database cannot be read."""
        with suppress(SQLAlchemyError), Session(self._engine) as session:
            return _left_events(session)
        return None


def _left_events(session: Session) -> LeftEvents:
    text = server_flag(session, TOLD)
    return msgspec.json.decode(text, type=LeftEvents) if text else LeftEvents()


class PostgresEventBus:
    """Notifications of PostgreSQL."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def send(self, session: Session, news: Sequence[ChangeEvent]) -> None:
        for place in range(0, len(news), MOST_AT_ONCE):
            payload = msgspec.json.encode(news[place : place + MOST_AT_ONCE]).decode()
            session.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload})

    def sent(self, news: Sequence[ChangeEvent]) -> None:
        """The database has told them."""

    async def listen(self, hear: Hear, look_again: LookAgain) -> None:
        wait = FIRST_WAIT
        while True:
            try:
                async with await self._line() as line:
                    look_again()  # what was told while nobody listened was missed
                    wait = FIRST_WAIT
                    while True:
                        async for notice in line.notifies(timeout=PING):
                            for news in SEVERAL.decode(notice.payload):
                                hear(news)
                        await line.execute("SELECT 1")  # a line that was cut without a word is noticed here
            except Exception as fault:
                told = str(fault).partition("\n")[0]
                LOG.warning("the database tells no news (%s); the line is tried again in %g seconds", told, wait)
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    async def _line(self) -> Any:
        from psycopg import AsyncConnection  # only who has PostgreSQL has it

        place, named = self._engine.dialect.create_connect_args(self._engine.url)
        line: Any = await AsyncConnection.connect(*place, **named, autocommit=True)
        await line.execute(f"LISTEN {CHANNEL}")
        return line


EventBus = MemoryEventBus | PostgresEventBus
"""How news get from one worker to all, itself included: sent in a transaction, heard until it is cancelled."""
