"""Running the server, with one or more workers on one socket.

The supervisor loads all modules before it forks, so that workers start fast and share memory. It has no thread and no
database connection, since neither survives a fork. It replaces workers that die, and they end with it.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from threading import Thread
from typing import Final, NoReturn

import uvicorn

from ostbahn.bots.worker_pool import BotWorkerPool
from ostbahn.bots.worker_process import GC_THRESHOLDS
from ostbahn.kernel.errors import BadSetup
from ostbahn.server.db.database import Database
from ostbahn.server.db.files import FILES, check_workers, only_server
from ostbahn.server.events.streams import QUEUE, ServerConfig, close_late, most_connections, raise_descriptor_limit
from ostbahn.server.games.bot_pool import SeatedBots
from ostbahn.server.games.rooms import Rooms
from ostbahn.server.limits import is_loopback
from ostbahn.server.metrics import shared_metrics, worker_is_gone
from ostbahn.server.notifications.channels import notification_config_of
from ostbahn.server.ops.logs import set_up_logs
from ostbahn.server.settings import Settings
from ostbahn.server.web.app import create_app, preload
from ostbahn.server.web.request_middleware import RequestMiddleware
from ostbahn.server.web.services import create_services

FIRST_PAUSE: Final = 0.1  # seconds until a worker that died early is replaced; doubles each time
LONGEST_PAUSE: Final = 30.0
SOON: Final = 10.0  # seconds; a worker that served for longer is replaced without a pause
WORKER_PATIENCE: Final = 15.0  # seconds for workers to end
TICK: Final = 0.2


class Supervisor:
    """Runs `number` workers until a signal. tell: called with a message if one dies; gone: with its process id."""

    def __init__(
        self,
        number: int,
        work: Callable[[], None],
        tell: Callable[[str], None] = lambda words: None,
        gone: Callable[[int], None] = lambda worker: None,
    ) -> None:
        self.number, self.work, self.tell, self.gone = number, work, tell, gone
        self._workers: dict[int, float] = {}  # by process id: when it was started
        self._due: list[float] = []  # when missing workers are to be started
        self._pause = FIRST_PAUSE
        self._ending: int | None = None
        self._alive = os.pipe()  # workers read its end of file when the supervisor has died

    def run(self) -> None:
        handlers = {number: signal.signal(number, self._end) for number in (signal.SIGTERM, signal.SIGINT)}
        self._due = [0.0] * self.number
        try:
            while self._ending is None:
                self._replace()
                self._reap()
                if self._ending is None:
                    time.sleep(TICK)  # a signal interrupts it
        finally:
            self._end_all()
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def _end(self, number: int, _: object) -> None:
        self._ending = number

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
            code = os.waitstatus_to_exitcode(status)
            ended = f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"
            self.tell(f"worker {worker} {ended}; another one starts in {pause:g} seconds")

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
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
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
        end = time.monotonic() + WORKER_PATIENCE
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

    def _signal(self, number: int) -> None:
        for worker in self._workers:
            os.kill(worker, number)


def _end_with(supervisor: int) -> None:
    os.read(supervisor, 1)  # returns when the supervisor has died
    os.kill(os.getpid(), signal.SIGTERM)


LOG: Final = logging.getLogger(__name__)
PATIENCE: Final = 5  # seconds for requests in progress when the server ends
SWEEP: Final = 10  # ticks of the server, ten a second, after which it closes late clients


def serve(settings: Settings, open_browser: bool) -> None:
    check_workers(settings.database or FILES, settings.workers)
    with exits_on_sigterm(), listening(settings.host, settings.port) as listener, only_server(settings.database_url):
        raise_descriptor_limit()
        damaged = check_games(settings)
        set_up_logs(settings.log)
        address = address_of(settings.host, listener)
        tell(address, settings.kept_in)
        if not settings.public_url:
            warn(settings.host)
        tell_damage(damaged)
        if open_browser and has_display():
            webbrowser.open(address)  # the socket listens already, so it waits until the server is ready
        work = partial(serve_on, listener, settings, damaged)
        if settings.workers == 1:
            work()
            return
        preload()  # workers share what is loaded before the fork
        gc.freeze()
        with shared_metrics():
            Supervisor(settings.workers, work, LOG.warning, worker_is_gone).run()


def check_games(settings: Settings) -> Mapping[str, str]:
    """Migrate the database; returns its damaged games."""
    with closing(Database(settings.database_url, settings.data, settings.key_secret)) as database:
        rooms = Rooms(database)
        rooms.find_damaged_games()
        return rooms.damaged


def serve_on(listener: socket.socket, settings: Settings, damaged: Mapping[str, str]) -> None:
    seated_bots = SeatedBots(
        settings.limit,
        thinkers=None if settings.thinkers == 0 else BotWorkerPool(settings.thinkers, settings.thinkers_back),
    )
    # a local server without a public address uses its local one for links
    notification_config = notification_config_of(
        settings, address_of(settings.host, listener) if is_loopback(settings.host) else ""
    )
    services = create_services(
        settings.database_url,
        lambda: datetime.now(UTC),
        seated_bots,
        settings.data,
        settings,
        damaged,
        notification_config,
    )
    app = create_app(services)
    gc.freeze()  # everything loaded so far is permanent, and scanning it would take 0.1 s each time
    gc.set_threshold(*GC_THRESHOLDS)
    try:
        with suppress(KeyboardInterrupt), exits_on_sigterm():
            Server(RequestMiddleware(app, settings, services.metrics)).run(sockets=[listener])
    finally:
        seated_bots.close()  # so that a second Ctrl-C does not wait for a bot


class Server(uvicorn.Server):
    """Shuts down in order: accepts no connections, ends event streams, and answers requests in progress."""

    def __init__(self, request_middleware: RequestMiddleware) -> None:
        self.request_middleware = request_middleware
        super().__init__(
            ServerConfig(
                request_middleware,
                most_connections(),
                log_config=None,
                access_log=False,  # paths contain keys
                server_header=False,
                proxy_headers=False,  # handled by the middleware
                timeout_graceful_shutdown=PATIENCE,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(QUEUE)  # asyncio has shortened the queue to `AT_ONCE`

    async def on_tick(self, counter: int) -> bool:
        if counter % SWEEP == 0:
            close_late(self.server_state.connections)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.request_middleware.end_streams()
        await super().shutdown(sockets)


@contextmanager
def exits_on_sigterm() -> Iterator[None]:
    """End with status 0 on SIGTERM."""

    def end(*_: object) -> None:
        sys.exit(0)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def listening(host: str, port: int) -> socket.socket:
    """Open the server's socket; done first, since the port may be taken."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as fault:
        raise BadSetup(f"{host} is no address of this machine: {fault.strerror}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(QUEUE)
    except OSError as fault:
        listener.close()
        raise BadSetup(
            f"port {port} of {host} cannot be used: {fault.strerror}; another one is taken with --port N, any with 0"
        ) from None
    return listener


def address_of(host: str, listener: socket.socket) -> str:
    """The address to type into a browser on this machine."""
    port = listener.getsockname()[1]
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
    name = everywhere.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def tell(address: str, where: str) -> None:
    print(f"Ostbahn is at {address}", f"The games are kept in {where}.", "Ctrl-C stops it.", sep="\n", flush=True)


def warn(host: str) -> None:
    """Warn on standard error if other machines can connect."""
    if not is_loopback(host):
        print(
            "Others can reach it too: whoever has the address of this machine may set up games here. Passwords and"
            " links travel unprotected unless a proxy with HTTPS stands before it.",
            file=sys.stderr,
            flush=True,
        )


def tell_damage(damaged: Mapping[str, str]) -> None:
    for game, what in damaged.items():
        print(f"Game {game} is damaged: {what}. A copy of the database may have it whole.", file=sys.stderr, flush=True)


def has_display() -> bool:
    """Whether a graphical browser can open; a text browser would take over the terminal."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
