"""Several workers on one machine: processes that serve on the same socket, and somebody who sees to it that they do.

The supervisor loads what all need, and forks; so a worker is there at once, and shares the memory of what was loaded.
It keeps no connection to the database and no thread, since neither survives that. A worker that dies is replaced; one
that dies again and again, after a pause that grows. Whoever ends the supervisor ends its workers: they are asked to,
and those that do not want to are killed. If the supervisor itself is killed, they notice and end.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from threading import Thread
from typing import Final, NoReturn

LOG: Final = logging.getLogger(__name__)
FIRST_PAUSE: Final = 0.1
"""Seconds until a worker that died soon is replaced; each time it is twice as long."""
LONGEST_PAUSE: Final = 30.0
SOON: Final = 10.0
"""Seconds; a worker that served for longer is replaced without a pause."""
PATIENCE: Final = 15.0
"""Seconds for workers to end."""
TICK: Final = 0.2

Work = Callable[[], None]


class Supervisor:
    """Keeps so many workers at work until it is told to end."""

    def __init__(
        self,
        number: int,
        work: Work,
        tell: Callable[[str], None] = lambda words: None,
        gone: Callable[[int], None] = lambda worker: None,
    ) -> None:
        self.number = number
        self.work = work
        self.tell = tell
        """Told what went wrong, in words."""
        self.gone = gone
        """Told which worker is there no more."""
        self._workers: dict[int, float] = {}
        """When each was started."""
        self._due: list[float] = []
        """When those are started that are missing."""
        self._pause = FIRST_PAUSE
        self._ending: int | None = None
        self._alive = os.pipe()
        """Its other end is closed when the supervisor is gone, however it went."""

    def run(self) -> None:
        before = {each: signal.signal(each, self._end) for each in (signal.SIGTERM, signal.SIGINT)}
        self._due = [0.0] * self.number
        try:
            while self._ending is None:
                self._replace()
                self._reap()
                if self._ending is None:
                    time.sleep(TICK)  # the end of a worker wakes nobody, a signal does
        finally:
            self._end_all()
            for each, handler in before.items():
                signal.signal(each, handler)

    def _end(self, which: int, _: object) -> None:
        self._ending = which

    def _replace(self) -> None:
        now = time.monotonic()
        for due in [due for due in self._due if due <= now]:
            self._due.remove(due)
            self._workers[self._fork()] = now

    def _reap(self) -> None:
        now = time.monotonic()
        for worker, since in list(self._workers.items()):
            gone, status = os.waitpid(worker, os.WNOHANG)
            if not gone:
                continue
            del self._workers[worker]
            self.gone(worker)
            if now - since > SOON:
                self._pause = FIRST_PAUSE
                pause = 0.0
            else:
                pause, self._pause = self._pause, min(2 * self._pause, LONGEST_PAUSE)
            self._due.append(now + pause)
            self.tell(f"worker {worker} {_ended(status)}; another one starts in {pause:g} seconds")

    def _fork(self) -> int:
        sys.stdout.flush()
        sys.stderr.flush()
        worker = os.fork()
        if worker == 0:
            self._be_worker()
        return worker

    def _be_worker(self) -> NoReturn:
        status = 1
        try:
            os.setpgid(0, 0)  # Ctrl-C is for the supervisor, which passes it on
            for each in (signal.SIGTERM, signal.SIGINT):
                signal.signal(each, signal.SIG_DFL)
            os.close(self._alive[1])
            Thread(target=_end_with, args=(self._alive[0],), daemon=True).start()
            self.work()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        except BaseException:
            LOG.exception("a worker stumbled")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _end_all(self) -> None:
        self._signal(signal.SIGTERM)
        end = time.monotonic() + PATIENCE
        while self._workers and time.monotonic() < end:
            for worker in list(self._workers):
                if os.waitpid(worker, os.WNOHANG)[0]:
                    del self._workers[worker]
            time.sleep(0.02)
        self._signal(signal.SIGKILL)
        for worker in self._workers:
            os.waitpid(worker, 0)
        self._workers.clear()
        for end_of_pipe in self._alive:
            os.close(end_of_pipe)

    def _signal(self, which: int) -> None:
        for worker in self._workers:
            os.kill(worker, which)


def _end_with(supervisor: int) -> None:
    """Wait until the supervisor is gone, and end too."""
    os.read(supervisor, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _ended(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"
