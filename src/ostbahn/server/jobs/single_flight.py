"""What is worked out of a game for those who look at it: once for all of them, and never while the game waits."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Any, Final, TypeVar, cast

KEPT: Final = 256
"""How much of it is kept."""

T = TypeVar("T")


class Lookout:
    """Whoever asks first works it out, in their own thread; whoever asks for the same meanwhile waits for it."""

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self._found: dict[Hashable, Future[Any]] = {}
        self._lock = Lock()

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """What the work comes to. The key names all that it hangs on, so that it never grows old."""
        with self._lock:
            found = self._found.pop(key, None)
            first = found is None
            found = self._found[key] = found or Future()  # as the one that was asked for last
            while len(self._found) > self.kept:
                del self._found[next(iter(self._found))]
        if first:
            self._work(key, found, work)
        return cast(T, found.result())

    def _work(self, key: Hashable, found: Future[Any], work: Callable[[], Any]) -> None:
        try:
            found.set_result(work())
        except BaseException as fault:
            with self._lock:
                self._found.pop(key, None)  # perhaps it works next time
            found.set_exception(fault)
