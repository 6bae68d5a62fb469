"""A server as `ostbahn serve` starts it, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import httpx

from ostbahn.server.settings import Settings
from ostbahn.server.web.request_middleware import RequestMiddleware
from ostbahn.server.web.services import Services, create_services
from ostbahn.server.web.serving import Server, listening
from tests.server.network import until
from tests.server.site import unlimited
from tests.server.tables import now


class Served:
    def __init__(self, inside: Services, server: Server, net: httpx.Client) -> None:
        self.inside, self.server, self.net = inside, server, net

    @property
    def address(self) -> str:
        return str(self.net.base_url)


@contextmanager
def served(url: str, settings: Settings) -> Iterator[Served]:
    inside = create_services(url, now, settings=settings)
    server = Server(RequestMiddleware(unlimited(inside), settings, inside.metrics))
    with listening("127.0.0.1", 0) as listener:
        thread = Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        until(lambda: server.started)
        with httpx.Client(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", timeout=None) as net:
            yield Served(inside, server, net)
        server.should_exit = True
        thread.join()
