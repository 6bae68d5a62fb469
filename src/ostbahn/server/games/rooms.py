"""Rooms: games in memory, brought up to date whenever they are used.

Whoever looks at a game holds its room, in this process. Whoever changes it takes it among all workers for one
transaction; if anything fails, nothing has happened, and the room is read again next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Lock, RLock
from types import MappingProxyType
from typing import Any, Final
from weakref import WeakValueDictionary

from sqlalchemy import ColumnElement, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from ostbahn.server.db.database import Database
from ostbahn.server.faults import Damaged
from ostbahn.server.games import repository
from ostbahn.server.games.tables import GameRow
from ostbahn.table.access import NotHere, Stale
from ostbahn.table.room import Room

ROOMS: Final = 1000  # in memory at most; one that was put away comes back in milliseconds
MOST_MEMORY: Final = 300_000  # kilobytes for all of them, roughly


class Rooms:
    """Every method may be called from any thread."""

    def __init__(
        self,
        database: Database,
        left: Callable[[str], None] = lambda game: None,
        flags: Mapping[str, ColumnElement[Any]] = MappingProxyType({}),
    ) -> None:
        """left: called with each room that is put away; flags: what features want to know of a game at every touch."""
        self.database = database
        self.damaged: dict[str, str] = {}  # games known to be damaged, with what is wrong
        self._left = left
        self._newest = repository.room_status_statement(flags)
        self._rooms: dict[str, Room] = {}
        self._weights: dict[str, int] = {}  # when they were used last
        # one lock for each game in use; whoever holds it or waits for it keeps it alive
        self._locks: WeakValueDictionary[str, RLock] = WeakValueDictionary()
        self._held: dict[str, Room] = {}  # rooms in use, which are up to date
        self._changed: set[str] = set()  # games that are being changed
        self._lock = Lock()

    def look_over(self) -> None:
        with self.database.reading() as session:
            self.damaged = dict(repository.damaged_games(session))

    # One at a time

    @contextmanager
    def holding(self, game: str) -> Iterator[Room]:
        """A game to look at, as it is now; no other thread has it meanwhile."""
        with self._own(game):
            if game in self._held:
                yield self._held[game]
                return
            with self.database.reading() as session:
                self._held[game], read = self._fresh(session, game)
            try:
                room = self._held[game]
                if read and repository.lacks_snapshots(room):
                    with suppress(SQLAlchemyError), self.database.session() as session:  # else the next time will do
                        self._take(session, game)
                        if repository.room_status(session, game, self._newest).version == room.version:
                            repository.store_missing_snapshots(session, room)
                yield room
            finally:
                del self._held[game]

    @contextmanager
    def changing(self, game: str) -> Iterator[tuple[Room, Session]]:
        """A game that no other thread or worker has meanwhile, and the transaction in which it is changed."""
        with self._own(game):
            if game in self._changed:  # by whoever asks: all others wait
                raise RuntimeError(f"game {game} is being changed already; use that transaction")
            before, room, version = self._held.get(game), None, 0
            try:
                with self.database.session() as session:
                    self._take(session, game)
                    room, read = self._fresh(session, game)
                    version = room.version
                    if read and repository.lacks_snapshots(room):
                        repository.store_missing_snapshots(session, room)
                    self._held[game] = room
                    self._changed.add(game)
                    yield room, session
            except BaseException as fault:
                if room is not None and room.version != version:  # it took what was not kept, as far as anybody knows
                    self.forget(game)
                if isinstance(fault, IntegrityError):
                    raise Stale("somebody else was quicker; the table is up to date now") from None
                raise
            finally:
                self._changed.discard(game)
                self._held.pop(game, None)
                if before is not None:
                    self._held[game] = before

    @contextmanager
    def _own(self, game: str) -> Iterator[None]:
        with self._lock:
            lock = self._locks.get(game) or RLock()
            self._locks[game] = lock
        with lock:
            yield

    def _take(self, session: Session, game: str) -> None:
        """Lock a game against other workers, who may read it. On SQLite the log refuses a second line in one place."""
        if self.database.is_single_process:
            return
        found = session.scalar(select(GameRow.id).where(GameRow.id == game).with_for_update(key_share=True))
        if found is None:
            raise NotHere("there is no such game")

    # In memory

    def _fresh(self, session: Session, game: str) -> tuple[Room, bool]:
        """The room, with what another worker may have written since; and whether it had to be read again."""
        newest = repository.room_status(session, game, self._newest)
        room = self._rooms.get(game)
        lost = room is not None and room.legs is not None and room.legs.lost
        read = room is None or lost or not repository.catch_up(session, room, newest.version)
        if room is None or read:
            room = self._read(session, game, replayed=lost)
        if read or room.version != newest.version:
            # seats no older than the log: else one is taken that just was
            newest = repository.room_status(session, game, self._newest)
        room.bots, room.free, room.flags = newest.bots, newest.free, newest.flags
        self.remember(room)
        return room, read

    def _read(self, session: Session, game: str, *, replayed: bool) -> Room:
        known = self.damaged.pop(game, None)
        try:
            room = repository.load_room(session, game, replayed=replayed or known is not None)
        except Damaged as fault:
            self.damaged[game] = fault.what
            raise
        if room.damage:
            self.damaged[game] = room.damage
        return room

    def remember(self, room: Room) -> None:
        with self._lock:
            self._rooms.pop(room.id, None)
            self._rooms[room.id] = room  # as the one that was used last
            self._weights[room.id] = room.weight
            while len(self._rooms) > ROOMS or (len(self._rooms) > 1 and sum(self._weights.values()) > MOST_MEMORY):
                oldest = next(iter(self._rooms))
                del self._rooms[oldest], self._weights[oldest]
                self._left(oldest)

    def forget(self, game: str) -> None:
        with self._lock:
            self._rooms.pop(game, None)
            self._weights.pop(game, None)
