"""Figures of a server's work, as far as anybody counts them: `prometheus.py` does, where its library is installed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from sqlalchemy import Engine, event
from sqlalchemy.pool import ConnectionPoolEntry


class Answered(NamedTuple):
    """A request, and what became of it. It is told by the template of its route, since in its path is a key."""

    method: str
    route: str
    status: int
    seconds: float


class Figures(Protocol):
    def answered(self, answered: Answered) -> None: ...

    def listening(self, more: int) -> None:
        """A page listens to news from now on (1), or does so no more (-1)."""

    def connected(self, more: int) -> None:
        """A connection to the database is in use from now on (1), or is so no more (-1)."""

    def thought(self, code: str, seconds: float) -> None:
        """A bot has answered."""

    def notified(self, channel: str, outcome: str) -> None:
        """A notification was `sent` by a channel, has `failed`, or is `given_up` after it failed."""

    def shown(self) -> tuple[str, bytes] | None:
        """All figures, with what form they have; None where nobody counts."""


class NoFigures:
    def answered(self, answered: Answered) -> None:
        pass

    def listening(self, more: int) -> None:
        pass

    def connected(self, more: int) -> None:
        pass

    def thought(self, code: str, seconds: float) -> None:
        pass

    def notified(self, channel: str, outcome: str) -> None:
        pass

    def shown(self) -> None:
        return None


@contextmanager
def thinking(figures: Figures, code: str) -> Iterator[None]:
    """While a bot thinks."""
    begun = time.perf_counter()
    try:
        yield
    finally:
        figures.thought(code, time.perf_counter() - begun)


def watch_connections(figures: Figures, engine: Engine) -> None:
    """Count connections in use. The pool also checks in what was never checked out: where the database is away, every
    attempt ends that way."""
    in_use: set[ConnectionPoolEntry] = set()

    def out(_line: object, record: ConnectionPoolEntry, _fairy: object) -> None:
        in_use.add(record)
        figures.connected(1)

    def back(_line: object, record: ConnectionPoolEntry) -> None:
        if record in in_use:
            in_use.remove(record)
            figures.connected(-1)

    event.listen(engine, "checkout", out)
    event.listen(engine, "checkin", back)
