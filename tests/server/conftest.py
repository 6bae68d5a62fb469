"""A game service on an empty database, and a server that can be reached over the network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx
import pytest
import uvicorn
from argon2 import PasswordHasher

from ostbahn.bots.worker_pool import BotWorkerPool
from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.games.bot_pool import SeatedBots
from ostbahn.server.games.service import GameService
from ostbahn.server.web.services import Services, create_services
from ostbahn.server.web.serving import listening
from tests.server.contract import served
from tests.server.network import until
from tests.server.postgres import MISSING, Cluster, binaries, cluster, data_of
from tests.server.site import unlimited
from tests.server.tables import game_service_on, now

BOTH = {
    "test_both_databases",
    "test_bot_turns",
    "test_jobs",
    "test_lookalikes",
    "test_notifications",
    "test_old_databases",
    "test_notification_delivery",
}
"""Tests that are made on SQLite and on PostgreSQL: of what each of them does in its own way."""
BOTH_AT_LENGTH = {
    "test_clocks",
    "test_lobby",
    "test_results",
    "test_house",
    "test_rooms",
    "test_personal_data",
    "test_names_at_the_table",
    "test_people",
    "test_plans",
    "test_prepared",
    "test_proposals",
    "test_seats",
    "test_chat",
    "test_tournaments",
}
"""Those that are made on PostgreSQL in a soak only: what they use of it the others try too."""

FROM_NOTHING = {"test_archive", "test_old_databases", "test_private_files", "test_released_databases", "test_seals"}
"""Tests of how a database is made, and of those that are there already; others find one with its tables made."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    module = metafunc.module.__name__.rpartition(".")[2]
    if "database_kind" in metafunc.fixturenames and module in BOTH | BOTH_AT_LENGTH:
        marks = [pytest.mark.soak] if module in BOTH_AT_LENGTH else []
        metafunc.parametrize("database_kind", ["sqlite", pytest.param("postgres", marks=marks)])


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A server of PostgreSQL; without its binaries what needs it is left out, and where all must be tried, fails."""
    if binaries() is None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    with cluster() as made:
        yield made


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Hashes that take less time than they should; tests/server/test_people.py tries those that do not."""
    cheap = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ostbahn.server.accounts.people.PasswordHasher", lambda: cheap)
        yield


@pytest.fixture(scope="session")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an empty database: making its tables takes longer than most tests."""
    folder = tmp_path_factory.mktemp("new")
    Database(sqlite_url_in(folder)).close()
    return folder


@pytest.fixture
def url(tmp_path: Path, database_kind: str, request: pytest.FixtureRequest) -> Iterator[str]:
    if database_kind == "sqlite":
        if request.module.__name__.rpartition(".")[2] not in FROM_NOTHING:
            shutil.copytree(request.getfixturevalue("new_file"), tmp_path / "data")
        yield sqlite_url_in(tmp_path / "data")
        return
    server: Cluster = request.getfixturevalue("postgres")
    name = server.new()
    yield server.url(name)
    server.ask(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = Database(url, data_of(url))
    yield opened
    opened.close()


@pytest.fixture
def game_service(database: Database) -> GameService:
    return game_service_on(database)


@pytest.fixture(scope="session")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Services:
    """As the server has them: its bots think in another process."""
    return create_services(sqlite_url_in(tmp_path_factory.mktemp("data")), now, SeatedBots(thinkers=BotWorkerPool(1)))


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
    """A program that holds every answer of the interface against what the server says of itself."""
    with httpx.Client(base_url=address, timeout=None) as client:
        client.event_hooks["response"] = [served(client).check]
        yield client
