"""The server's log, as text or JSON, without keys, passwords or names.

Paths, values and messages of exceptions may quote them, so only the type and place of an exception are logged.
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
"""The last line of a traceback: the type of the exception, and its message of one or more lines."""
LONGEST_CHAIN: Final = 10
REST: Final = 60.0  # seconds until the same message of asyncio is logged again
MOST_MESSAGES: Final = 100  # remembered by `RepetitionFilter`


def set_up_logs(settings: LogSettings) -> None:
    """Write all logs in one format, those of libraries included."""
    handler = logging.StreamHandler()
    handler.setFormatter(_formatter(settings))
    handler.addFilter(RedactingFilter())
    logging.basicConfig(handlers=[handler], level=logging.getLevelName(settings.level.upper()), force=True)
    logging.getLogger("uvicorn.error").addFilter(is_news)
    logging.getLogger("asyncio").addFilter(RepetitionFilter())
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
    """Whether a record is more than the note that the server's end cut off a request (a logging filter)."""
    cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not cut_off and "timeout graceful shutdown exceeded" not in record.getMessage()


class RepetitionFilter(logging.Filter):
    """Passes the same message once in `REST` seconds: asyncio logs each connection that it cannot accept."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._passed: dict[str, tuple[float, int]] = {}  # by message: when it passed last, and how many were dropped

    def filter(self, record: logging.LogRecord) -> bool:
        message, now = str(record.msg).partition("\n")[0], self._clock()
        passed_at, dropped = self._passed.get(message, (float("-inf"), 0))
        if now - passed_at < REST:
            self._passed[message] = (passed_at, dropped + 1)
            return False
        if len(self._passed) >= MOST_MESSAGES:
            self._passed.clear()
        self._passed[message] = (now, 0)
        if dropped:
            record.msg, record.args = f"{message} ({dropped} more such messages were left out)", None
        return True


class RedactingFilter(logging.Filter):
    """Removes secrets and names. Messages of libraries are cut to one line, since the next ones may quote data."""

    def filter(self, record: logging.LogRecord) -> bool:
        args = record.args if isinstance(record.args, tuple) else ()
        record.args = tuple(_redacted_arg(arg) for arg in args) if args else record.args
        text = record.getMessage()
        if not record.name.startswith(OURS):
            text = text.partition("\n")[0]
        record.msg, record.args = KEY.sub("/t/…", text), None
        if record.exc_info:
            fault = record.exc_info[1]
            record.exc_text, record.exc_info = "" if fault is None else fault_text(fault), None
        record.stack_info = None
        return True


def fault_text(fault: BaseException, seen: frozenset[int] = frozenset()) -> str:
    """The redacted traceback of an exception and its causes, without those `seen`: Litestar makes cycles of them."""
    parts: list[str] = []
    cause: BaseException | None = fault
    while cause is not None and len(parts) < LONGEST_CHAIN and id(cause) not in seen:
        seen |= {id(cause)}
        stack = "".join(format_list(TracebackException.from_exception(cause, lookup_lines=True).stack))
        parts.append(f"{stack}{type(cause).__qualname__}{_safe_message(cause, seen)}")
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\n\nwhich came of:\n\n".join(reversed(parts))


def _redacted_arg(arg: object) -> object:
    return f"{type(arg).__qualname__}{_safe_message(arg)}" if isinstance(arg, BaseException) else arg


def _safe_message(fault: BaseException, seen: frozenset[int] = frozenset()) -> str:
    """The message of an exception, if it is our own or the system's and so quotes no data; otherwise empty."""
    if isinstance(fault, DBAPIError):  # the driver's message may quote a row
        code = getattr(fault.orig, "sqlite_errorname", None) or getattr(fault.orig, "sqlstate", None)
        return "" if fault.orig is None else f": {type(fault.orig).__name__} {code or ''}".rstrip()
    if isinstance(fault, OSError) and fault.strerror:
        return f": {fault.strerror}"
    if isinstance(fault, BotTimeout | WorkerDied):
        return f": {fault}"
    if trace := getattr(fault, "trace", ""):  # raised in another process
        return f" in another process:\n{trace_text(str(trace))}"
    if isinstance(fault, BaseExceptionGroup):
        others = [part for part in fault.exceptions[:LONGEST_CHAIN] if id(part) not in seen]
        return "".join(f"\n\nwith:\n\n{fault_text(part, seen)}" for part in others)
    return ""


def trace_text(text: str) -> str:
    """A traceback of another process, without the messages of exceptions."""
    return WORDS.sub(lambda match: match[1], text).rstrip()
