"""The server's log, for people or for programs, without anything that opens a seat or names somebody.

Addresses, values and words of exceptions may quote keys, passwords or names: so of a fault, kind and place are logged.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable
from traceback import TracebackException, format_list
from typing import Final

from sqlalchemy.exc import DBAPIError

from ostbahn.bots.limits import BotTimeout
from ostbahn.bots.worker_pool import WorkerDied
from ostbahn.extras import require_extra
from ostbahn.server.settings import LogSettings

REQUESTS: Final = "ostbahn.requests"  # the logger with a line for every request
OURS: Final = "ostbahn"
KEY: Final = re.compile(r"/t/[^/\s\"'?{]+")
WORDS: Final = re.compile(r"(?m)^([A-Za-z_][\w.]*)(: .*)?$(\n(?!  |Traceback|The above|During).+)*")
"""The last line of a traceback: what kind of fault it was, and its own words, which may take several lines."""
LONGEST_CHAIN: Final = 10
REST: Final = 60.0  # seconds until the same message of asyncio is written again
MOST_MESSAGES: Final = 100  # of which it is known when they were written


def set_up_logs(settings: LogSettings) -> None:
    """Write all logs in one way, those of libraries included."""
    handler = logging.StreamHandler()
    handler.setFormatter(_formatter(settings))
    handler.addFilter(Discreet())
    logging.basicConfig(handlers=[handler], level=logging.getLevelName(settings.level.upper()), force=True)
    logging.getLogger("uvicorn.error").addFilter(is_news)
    logging.getLogger("asyncio").addFilter(Seldom())
    for chatty in ("alembic", "asyncio", "httpcore", "httpx", "sqlalchemy", "uvicorn.error"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _formatter(settings: LogSettings) -> logging.Formatter:
    if settings.form == "text":
        return logging.Formatter("%(asctime)s %(message)s")
    with require_extra("service", "a log as JSON needs"):
        from pythonjsonlogger.json import JsonFormatter

    names = {"levelname": "level", "name": "logger", "exc_info": "fault"}
    return JsonFormatter("%(levelname)s %(name)s %(message)s", rename_fields=names, timestamp="time")


def is_news(record: logging.LogRecord) -> bool:
    """Leave out that the end of the server cuts somebody off."""
    cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not cut_off and "timeout graceful shutdown exceeded" not in record.getMessage()


class Seldom(logging.Filter):
    """Lets the same message pass once in a while: where no connection can be accepted, asyncio says so each time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._since: dict[str, tuple[float, int]] = {}  # when a message passed last; how often it was left out since

    def filter(self, record: logging.LogRecord) -> bool:
        said, now = str(record.msg).partition("\n")[0], self._clock()
        since, left_out = self._since.get(said, (float("-inf"), 0))
        if now - since < REST:
            self._since[said] = (since, left_out + 1)
            return False
        if len(self._since) >= MOST_MESSAGES:
            self._since.clear()
        self._since[said] = (now, 0)
        if left_out:
            record.msg, record.args = f"{said} ({left_out} more such messages were left out)", None
        return True


class Discreet(logging.Filter):
    """Leaves out what nobody should read. Libraries quote what they stumbled over from the second line on."""

    def filter(self, record: logging.LogRecord) -> bool:
        given = record.args if isinstance(record.args, tuple) else ()
        record.args = tuple(_in_short(each) for each in given) if given else record.args
        text = record.getMessage()
        if not record.name.startswith(OURS):
            text = text.partition("\n")[0]
        record.msg, record.args = KEY.sub("/t/…", text), None
        if record.exc_info:
            fault = record.exc_info[1]
            record.exc_text, record.exc_info = "" if fault is None else told_fault(fault), None
        record.stack_info = None
        return True


def told_fault(fault: BaseException, seen: frozenset[int] = frozenset()) -> str:
    """A fault with those that led to it, but for those `seen`: Litestar makes one lead to itself."""
    told: list[str] = []
    found: BaseException | None = fault
    while found is not None and len(told) < LONGEST_CHAIN and id(found) not in seen:
        seen |= {id(found)}
        stack = "".join(format_list(TracebackException.from_exception(found, lookup_lines=True).stack))
        told.append(f"{stack}{type(found).__qualname__}{_harmless(found, seen)}")
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return "\n\nwhich came of:\n\n".join(reversed(told))


def _in_short(given: object) -> object:
    return f"{type(given).__qualname__}{_harmless(given)}" if isinstance(given, BaseException) else given


def _harmless(fault: BaseException, seen: frozenset[int] = frozenset()) -> str:
    """The words of a fault, where they are our own or the system's and quote nobody."""
    if isinstance(fault, DBAPIError):  # the driver's words may quote a row
        code = getattr(fault.orig, "sqlite_errorname", None) or getattr(fault.orig, "sqlstate", None)
        return "" if fault.orig is None else f": {type(fault.orig).__name__} {code or ''}".rstrip()
    if isinstance(fault, OSError) and fault.strerror:
        return f": {fault.strerror}"
    if isinstance(fault, BotTimeout | WorkerDied):
        return f": {fault}"
    if trace := getattr(fault, "trace", ""):  # it happened in another process
        return f" in another process:\n{told_trace(str(trace))}"
    if isinstance(fault, BaseExceptionGroup):
        others = [part for part in fault.exceptions[:LONGEST_CHAIN] if id(part) not in seen]
        return "".join(f"\n\nwith:\n\n{told_fault(part, seen)}" for part in others)
    return ""


def told_trace(text: str) -> str:
    """A traceback of another process, without the words of faults."""
    return WORDS.sub(lambda found: found[1], text).rstrip()
