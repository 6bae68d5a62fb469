"""The server in a process of its own, which says with every answer what it took: processor time, memory, and what it
wrote.

    python -m tests.server.strangers.watched FOLDER DATABASE

It is the application as it is served, with all its limits. Whoever asks is known by `X-Forwarded-For`, so that one
program can be as many strangers as it likes. What the processes take that open files of strangers is counted too, once
they have started; those in which bots think are not, since a bot has its own limit.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Thread
from typing import Any, Final

import uvicorn
from anyio import to_process
from litestar import Litestar
from litestar.routes import HTTPRoute
from sqlalchemy import event

from ostbahn.bots.worker_pool import BotWorkerPool
from ostbahn.server.games.bot_pool import SeatedBots
from ostbahn.server.web.app import create_app
from ostbahn.server.web.services import create_services
from ostbahn.server.web.serving import listening
from tests.server.postgres import data_of
from tests.server.tables import now

TOOK: Final = "x-took"
"""The header with the figures, as JSON."""
WRITES: Final = ("INSERT", "UPDATE", "DELETE", "REPLACE")
LOG: Final = "log"
"""The file in the folder with all that the server says."""
TICK: Final = os.sysconf("SC_CLK_TCK")
STREAM: Final = b"text/event-stream"
OPENS_FILES: Final = b"anyio.to_process"
"""What stands in the command line of a process in which files are opened."""


class Deed:
    """What a request did to the database."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.over = False


CURRENT: Final[ContextVar[Deed | None]] = ContextVar("deed", default=None)


class Watched:
    """An application, watched."""

    def __init__(self, app: Litestar) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        deed, sent, streaming = Deed(), [], False
        CURRENT.set(deed)
        processes = openers()
        before, used = {each: memory(each) for each in processes}, processor(processes)

        async def kept(message: Any) -> None:
            nonlocal streaming
            sent.append(message)
            streaming = streaming or any(value.startswith(STREAM) for _, value in message.get("headers", ()))

        async def heard() -> Any:
            return {"type": "http.disconnect"} if streaming else await receive()

        await self.app(scope, heard, kept)
        deed.over = True
        figures = {
            "seconds": processor(processes) - used,
            "kilobytes": max(highest(each) - before[each] for each in processes),
            "ended": len(set(processes) - set(openers())),
            "written": sorted(set(deed.written)),
        }
        head, *rest = sent
        head["headers"] = [*head["headers"], (TOOK.encode(), json.dumps(figures).encode())]
        for message in (head, *rest):
            await send(message)
        if streaming and not any("body" in message and not message.get("more_body") for message in rest):
            await send({"type": "http.response.body", "body": b""})


def watch_writes(engine: Any) -> None:
    """Note what is written for good, with the request for which it was."""

    def executed(connection: Any, _: Any, statement: str, *__: Any) -> None:
        word, *rest = statement.split(None, 3)
        if word.upper() in WRITES:
            connection.info.setdefault("writes", []).append(rest[0 if word.upper() == "UPDATE" else 1])

    def committed(connection: Any) -> None:
        written, deed = connection.info.pop("writes", []), CURRENT.get()
        if deed is not None and not deed.over:
            deed.written += written

    def rolled_back(connection: Any) -> None:
        connection.info.pop("writes", None)

    event.listen(engine, "after_cursor_execute", executed)
    event.listen(engine, "commit", committed)
    event.listen(engine, "rollback", rolled_back)


# What processes take


def openers() -> list[int]:
    """This process, and those in which it opens files."""
    found = [os.getpid()]
    for thread in Path("/proc/self/task").iterdir():
        try:
            children = (thread / "children").read_text().split()
            found += [int(child) for child in children if OPENS_FILES in Path(f"/proc/{child}/cmdline").read_bytes()]
        except OSError:
            continue  # gone
    return found


def memory(process: int) -> int:
    """Kilobytes in use; from now on its peak is counted anew."""
    with suppress(OSError):  # it has ended
        Path(f"/proc/{process}/clear_refs").write_text("5")
    return _status(process, "VmRSS:")


def highest(process: int) -> int:
    """Kilobytes at the peak."""
    return _status(process, "VmHWM:")


def processor(processes: list[int]) -> float:
    """Seconds of processor time so far."""
    return time.process_time() + sum(map(_processor_of, processes[1:]))


def _processor_of(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / TICK


def _status(process: int, name: str) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


# The process


def routes(app: Litestar) -> list[dict[str, Any]]:
    """All that can be asked for; a part of an address that is a name stands in braces."""
    found = []
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            parts = [part if isinstance(part, str) else f"{{{part.name}}}" for part in route.path_components]
            methods = sorted(set(route.methods) - {"OPTIONS"})
            found += [{"method": method, "path": "/" + "/".join(parts)} for method in methods]
    return found


def end_with_the_tests() -> None:
    """They hold the other end of the line."""
    sys.stdin.read()
    os._exit(0)


def main(folder: Path, url: str) -> None:
    Thread(target=end_with_the_tests, daemon=True).start()
    log = os.open(folder / LOG, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    os.dup2(log, sys.stderr.fileno())
    logging.basicConfig(format="%(asctime)s %(message)s")
    inside = create_services(url, now, SeatedBots(thinkers=BotWorkerPool(1)), data_of(url))
    watch_writes(inside.database.engine)
    to_process.WORKER_MAX_IDLE_TIME = 10**9  # so that one that ends was ended
    app = create_app(inside)
    config = uvicorn.Config(
        Watched(app),
        log_level="warning",
        proxy_headers=True,
        forwarded_allow_ips="127.0.0.1",
        timeout_graceful_shutdown=1,
        timeout_keep_alive=3600,  # strangers think for long on a busy machine
    )
    with listening("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        print(json.dumps({"address": f"http://127.0.0.1:{port}", "routes": routes(app)}), flush=True)
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
