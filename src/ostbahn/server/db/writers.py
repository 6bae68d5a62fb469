"""Writers of one process, one after the other: SQLite has one writer, and lets the others ask again and again, so that
one of many may ask in vain until its patience ends. Here each waits for its turn."""

from __future__ import annotations

from threading import Lock
from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.pool import ConnectionPoolEntry

TURN: Final = "writing"
"""Under this a connection knows that it is its turn to write."""


def write_in_turn(engine: Engine, patience: float) -> None:
    """Let one connection of an engine write at a time.

    patience: seconds after which somebody writes without a turn; the database then says whether that can be.
    """
    turn = Lock()

    def begin(
        connection: Connection, _cursor: object, _statement: str, _given: object, context: Any, _many: bool
    ) -> None:
        writes = context is not None and (context.isinsert or context.isupdate or context.isdelete)
        if writes and TURN not in connection.info:
            connection.info[TURN] = turn.acquire(timeout=patience)

    def end(_line: object, record: ConnectionPoolEntry) -> None:  # whatever it wrote is on the disk, or taken back
        if record.info.pop(TURN, False):
            turn.release()

    event.listen(engine, "before_cursor_execute", begin)
    event.listen(engine, "checkin", end)
