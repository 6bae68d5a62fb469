"""What became of notifications: counted for the metrics; failures also stand in the log, with a line now and then.

The log names a channel and a cause, and never an address, a name or what another server said.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from ostbahn.server.games.service import Clock
from ostbahn.server.metrics import Figures
from ostbahn.server.notifications.safe_http import NotSent

LOG: Final = logging.getLogger(__name__)
QUIET: Final = timedelta(minutes=10)
"""In which the same failure gets one line."""


class Outcomes:
    """May be called from any thread."""

    def __init__(self, figures: Figures, clock: Clock) -> None:
        self._figures, self._clock = figures, clock
        self._lock = Lock()
        self._logged: dict[tuple[str, str], datetime] = {}
        """When a channel's failure was last logged, by its cause."""
        self._unlogged: dict[tuple[str, str], int] = {}
        """How many have followed since."""

    @contextmanager
    def attempt(self, channel: str) -> Iterator[None]:
        """While a message is being sent."""
        try:
            yield
        except NotSent as fault:
            self._figures.notified(channel, "failed")
            self._log(channel, fault.cause)
            raise
        self._figures.notified(channel, "sent")

    def given_up(self, channel: str) -> None:
        """A message that failed is not tried again."""
        self._figures.notified(channel, "given_up")

    def _log(self, channel: str, cause: str) -> None:
        kind, now = (channel, cause), self._clock()
        with self._lock:
            last = self._logged.get(kind)
            if last is not None and now - last < QUIET:
                self._unlogged[kind] = self._unlogged.get(kind, 0) + 1
                return
            self._logged[kind] = now
            more = self._unlogged.pop(kind, 0)
        LOG.warning(
            "a notification by %s could not be sent (%s)%s",
            channel,
            cause,
            f"; {more} more failed like this since the last such line" if more else "",
        )
