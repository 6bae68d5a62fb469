"""A cache of rooms: games in memory, brought up to date at each use.

Reading a game locks its room in this process. Changing it also locks its row against other workers, for one
transaction; if that fails, nothing is stored, and the room is loaded again at its next use.
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

ROOMS: Final = 1000  # in memory at most; an evicted one is loaded again in milliseconds
MOST_MEMORY: Final = 300_000  # kilobytes for all rooms, roughly


class Rooms:
    """Every method may be called from any thread."""

    def __init__(
        self,
        database: Database,
        on_evicted: Callable[[str], None] = lambda game: None,
        flags: Mapping[str, ColumnElement[Any]] = MappingProxyType({}),
    ) -> None:
        """on_evicted: called with each game that is evicted; flags: those of all listeners."""
        self.database = database
        self.damaged: dict[str, str] = {}  # the damage, by game
        self._on_evicted = on_evicted
        self._status_statement = repository.room_status_statement(flags)
        self._rooms: dict[str, Room] = {}
        self._weights: dict[str, int] = {}  # kilobytes
        # one lock for each game in use; threads that hold it or wait for it keep it alive
        self._locks: WeakValueDictionary[str, RLock] = WeakValueDictionary()
        self._current: dict[str, Room] = {}  # rooms in use, up to date
        self._changing: set[str] = set()
        self._lock = Lock()

    def find_damaged_games(self) -> None:
        with self.database.reading() as session:
            self.damaged = dict(repository.damaged_games(session))

    @contextmanager
    def holding(self, game: str) -> Iterator[Room]:
        """The up-to-date room of a game to read, locked against other threads."""
        with self._thread_lock(game):
            if game in self._current:
                yield self._current[game]
                return
            with self.database.reading() as session:
                self._current[game], reloaded = self._up_to_date(session, game)
            try:
                room = self._current[game]
                if reloaded and repository.lacks_snapshots(room):
                    with suppress(SQLAlchemyError), self.database.session() as session:  # the next use tries again
                        self._lock_row(session, game)
                        if repository.room_status(session, game, self._status_statement).version == room.version:
                            repository.store_missing_snapshots(session, room)
                yield room
            finally:
                del self._current[game]

    @contextmanager
    def changing(self, game: str) -> Iterator[tuple[Room, Session]]:
        """The room of a game, locked against all threads and workers, and the transaction that changes it."""
        with self._thread_lock(game):
            if game in self._changing:  # by this very thread, since others wait for the lock
                raise RuntimeError(f"game {game} is being changed already; use that transaction")
            before, room, version = self._current.get(game), None, 0
            try:
                with self.database.session() as session:
                    self._lock_row(session, game)
                    room, reloaded = self._up_to_date(session, game)
                    version = room.version
                    if reloaded and repository.lacks_snapshots(room):
                        repository.store_missing_snapshots(session, room)
                    self._current[game] = room
                    self._changing.add(game)
                    yield room, session
            except BaseException as fault:
                if room is not None and room.version != version:  # it has entries that may not be stored
                    self.evict(game)
                if isinstance(fault, IntegrityError):
                    raise Stale("somebody else was quicker; the table is up to date now") from None
                raise
            finally:
                self._changing.discard(game)
                self._current.pop(game, None)
                if before is not None:
                    self._current[game] = before

    @contextmanager
    def _thread_lock(self, game: str) -> Iterator[None]:
        with self._lock:
            lock = self._locks.get(game) or RLock()
            self._locks[game] = lock
        with lock:
            yield

    def _lock_row(self, session: Session, game: str) -> None:
        """Lock a game against other workers. On SQLite the log's primary key refuses a duplicate version."""
        if self.database.is_single_process:
            return
        if session.scalar(select(GameRow.id).where(GameRow.id == game).with_for_update(key_share=True)) is None:
            raise NotHere("there is no such game")

    # In memory

    def _up_to_date(self, session: Session, game: str) -> tuple[Room, bool]:
        """The room with the entries of other workers, and whether it had to be loaded again."""
        status = repository.room_status(session, game, self._status_statement)
        room = self._rooms.get(game)
        has_lost_history = room is not None and room.stored_history is not None and room.stored_history.lost
        reloaded = room is None or has_lost_history or not repository.catch_up(session, room, status.version)
        if room is None or reloaded:
            room = self._load(session, game, replayed=has_lost_history)
        if reloaded or room.version != status.version:
            # read after the log, so that a seat that was just taken does not look free
            status = repository.room_status(session, game, self._status_statement)
        room.bots, room.free, room.flags = status.bots, status.free, status.flags
        self.cache(room)
        return room, reloaded

    def _load(self, session: Session, game: str, *, replayed: bool) -> Room:
        was_damaged = self.damaged.pop(game, None) is not None
        try:
            room = repository.load_room(session, game, replayed=replayed or was_damaged)
        except Damaged as fault:
            self.damaged[game] = fault.what
            raise
        if room.damage:
            self.damaged[game] = room.damage
        return room

    def cache(self, room: Room) -> None:
        with self._lock:
            self._rooms.pop(room.id, None)
            self._rooms[room.id] = room  # at the end, as the most recently used
            self._weights[room.id] = room.weight
            while len(self._rooms) > ROOMS or (len(self._rooms) > 1 and sum(self._weights.values()) > MOST_MEMORY):
                oldest = next(iter(self._rooms))
                del self._rooms[oldest], self._weights[oldest]
                self._on_evicted(oldest)

    def evict(self, game: str) -> None:
        with self._lock:
            self._rooms.pop(game, None)
            self._weights.pop(game, None)
