"""A house on an empty database, and a server that can be reached over the network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx
import pytest
import uvicorn

from ostbahn.bots.processes import Thinkers
from ostbahn.server.play.house import House
from ostbahn.server.play.opponents import Opponents
from ostbahn.server.store.archive import Archive, url_in
from ostbahn.server.web.services import Services, services
from ostbahn.server.web.serving import listening
from tests.server.network import until
from tests.server.site import unlimited
from tests.server.tables import now


@pytest.fixture
def url(tmp_path: Path) -> str:
    return url_in(tmp_path / "data")


@pytest.fixture
def archive(url: str) -> Iterator[Archive]:
    opened = Archive(url)
    yield opened
    opened.close()


@pytest.fixture
def house(archive: Archive) -> House:
    return House(archive, now)


@pytest.fixture(scope="session")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Services:
    """As the server has them: its bots think in another process."""
    return services(url_in(tmp_path_factory.mktemp("data")), now, Opponents(thinkers=Thinkers(1)))


@pytest.fixture(scope="session")
def address(inside: Services) -> Iterator[str]:
    """A real server on a free port."""
    config = uvicorn.Config(unlimited(inside), log_level="warning", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    with listening("127.0.0.1", 0) as listener:
        thread = Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        until(lambda: server.started)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def net(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=None) as client:
        yield client
