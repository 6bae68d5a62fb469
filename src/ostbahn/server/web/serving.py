"""Running the server on one's own machine, and saying where it is."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path

import uvicorn
from litestar import Litestar
from sqlalchemy import make_url

from ostbahn.bots.processes import Thinkers
from ostbahn.bots.thinking import SELDOM
from ostbahn.kernel.errors import BadSetup
from ostbahn.server.play.opponents import LIMIT, Opponents
from ostbahn.server.store.archive import url_in
from ostbahn.server.web.addresses import is_loopback
from ostbahn.server.web.app import create_app
from ostbahn.server.web.services import services


def is_news(record: logging.LogRecord) -> bool:
    """Pages listen to events as long as they are open; that the end of the server cuts them off is no fault."""
    cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not cut_off and "timeout graceful shutdown exceeded" not in record.getMessage()


def default_data() -> Path:
    """Where a person's games are kept if nothing is said."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "ostbahn"


def serve(
    host: str,
    port: int,
    data: Path,
    database: str | None,
    open_browser: bool,
    limit: float = LIMIT,
    proxies: Sequence[str] = (),
    thinkers: int | None = None,
) -> None:
    """Serve until somebody stops it; bots have `limit` seconds for an answer, and only these proxies are believed.

    thinkers: how many processes bots think in; with 0 they think in this one.
    """
    opponents = Opponents(limit, thinkers=None if thinkers == 0 else Thinkers(thinkers))
    trusted = checked_proxies(proxies)
    with listening(host, port) as listener:
        made = services(database or url_in(data), lambda: datetime.now(UTC), opponents, data)
        app = create_app(made)
        address = address_of(host, listener)
        tell(host, address, str(data) if database is None else _without_password(database))
        tell_damage(made.house.damaged)
        if open_browser and has_display():
            webbrowser.open(address)  # the listener lets it wait until the server is ready
        logging.basicConfig(format="%(asctime)s %(message)s")  # what goes wrong is told with its time
        logging.getLogger("uvicorn.error").addFilter(is_news)
        gc.freeze()  # what is loaded by now stays; to look for garbage in it takes a tenth of a second each time
        gc.set_threshold(*SELDOM)
        try:
            with suppress(KeyboardInterrupt):
                uvicorn.Server(settings(app, trusted)).run(sockets=[listener])
        finally:
            opponents.close()  # who is in a hurry and presses Ctrl-C twice need not wait for a bot


def settings(app: Litestar, proxies: list[str]) -> uvicorn.Config:
    """How the server runs; of what proxies say about those who ask it believes only these."""
    return uvicorn.Config(
        app,
        log_level="warning",
        timeout_graceful_shutdown=1,
        proxy_headers=bool(proxies),  # if nothing was said, it would believe every program of this machine
        forwarded_allow_ips=proxies,
    )


def checked_proxies(proxies: Sequence[str]) -> list[str]:
    """Addresses or networks; what is neither would never be recognised, and `*` would believe everybody."""
    for proxy in proxies:
        try:
            ip_network(proxy)
        except ValueError as fault:
            raise BadSetup(
                f"--trust-proxy takes an address or a network, as 127.0.0.1 or 10.0.0.0/8: {fault}"
            ) from None
    return list(proxies)


def listening(host: str, port: int) -> socket.socket:
    """A socket for the server; before anything else, since a port may be taken."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as fault:
        raise BadSetup(f"{host} is no address of this machine: {fault.strerror}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as fault:
        listener.close()
        raise BadSetup(
            f"port {port} of {host} cannot be used: {fault.strerror}; another one is taken with --port N, any with 0"
        ) from None
    return listener


def address_of(host: str, listener: socket.socket) -> str:
    """What to type into a browser on this machine."""
    port = listener.getsockname()[1]
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
    name = everywhere.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def tell(host: str, address: str, where: str) -> None:
    print(f"Ostbahn is at {address}", f"The games are kept in {where}.", "Ctrl-C stops it.", sep="\n", flush=True)
    if not is_loopback(host):
        print(
            "Others can reach it too: whoever has the address of this machine may set up games here. Passwords and"
            " links travel unprotected unless a proxy with HTTPS stands before it.",
            file=sys.stderr,
            flush=True,
        )


def tell_damage(damaged: Mapping[str, str]) -> None:
    """Games that cannot be played on; all others can."""
    for game, what in damaged.items():
        print(f"Game {game} is damaged: {what}. A copy of the database may have it whole.", file=sys.stderr, flush=True)


def has_display() -> bool:
    """Whether a browser could show itself; one that runs in the terminal would take it from the server."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _without_password(database: str) -> str:
    return make_url(database).render_as_string(hide_password=True)
