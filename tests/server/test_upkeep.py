"""Keeping a server up: whether it can write, how many connections it uses, and what killed servers leave behind."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from sqlalchemy.exc import SQLAlchemyError

from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.metrics import PREFIX, SHARED, Metrics, shared_metrics, watch_connections
from tests.server.network import until
from tests.server.postgres import Cluster, cluster
from tests.server.sufferers import Server, serving

# Writes


def is_ready(server: Server) -> bool:
    return httpx.get(f"{server.address}/health/ready", timeout=None).status_code == 200


def faults(server: Server) -> list[str]:
    told: list[str] = httpx.get(f"{server.address}/health/ready", timeout=None).json()["faults"]
    return told


def test_a_server_whose_disk_is_full_is_not_ready_until_there_is_room(tmp_path: Path) -> None:
    with serving(sqlite_url_in(tmp_path / "data"), tmp_path / "data", 1, tmp_path / "clock") as server:
        (worker,) = server.workers()
        assert is_ready(server)
        usual = resource.prlimit(worker, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        until(lambda: not is_ready(server))
        assert faults(server) == ["the database takes no writes (OperationalError)"]
        resource.prlimit(worker, resource.RLIMIT_FSIZE, usual)
        until(lambda: is_ready(server))


def test_a_server_whose_database_is_read_only_is_not_ready(tmp_path: Path, postgres: Cluster) -> None:
    name = postgres.new()
    with serving(postgres.url(name), postgres.data(name), 1, tmp_path / "clock") as server:
        assert is_ready(server)
        postgres.ask(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        postgres.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        until(lambda: faults(server) == ["the database takes no writes (ReadOnlySqlTransaction)"])
        postgres.ask(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        postgres.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        until(lambda: is_ready(server))


# Connections


class InUse(Metrics):
    """Counts connections."""

    def __init__(self) -> None:
        self.number, self.lowest = 0, 0

    def connection_used(self, more: int) -> None:
        self.number += more
        self.lowest = min(self.lowest, self.number)


def test_connections_in_use_are_counted_while_the_database_goes_and_comes_back() -> None:
    with cluster() as postgres:
        name = postgres.new()
        database, counted = Database(postgres.url(name), postgres.data(name)), InUse()
        watch_connections(counted, database.engine)

        def ask() -> None:
            with suppress(SQLAlchemyError), database.engine.connect() as line:
                line.exec_driver_sql("SELECT 1")

        with database.engine.connect(), database.engine.connect():
            assert counted.number == 2
        ask()
        with suppress(SQLAlchemyError), database.engine.connect() as line:
            assert counted.number == 1
            postgres.stop("immediate")
            line.exec_driver_sql("SELECT 1")
        for _ in range(5):
            ask()
        assert (counted.number, counted.lowest) == (0, 0)
        postgres.start()
        with database.engine.connect() as line:
            line.exec_driver_sql("SELECT 1")
            assert counted.number == 1
        assert (counted.number, counted.lowest) == (0, 0)
        database.close()


# Figures

KILLED = """
import os, time
from ostbahn.server.metrics import SHARED, shared_metrics
with shared_metrics():
    if os.fork() == 0:
        time.sleep(60)  # a worker that does not notice at once
        os._exit(0)
    print(os.environ[SHARED], flush=True)
    time.sleep(60)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_figures_of_a_killed_server_are_removed_by_the_next_and_those_of_a_running_one_stay(temporary: Path) -> None:
    (temporary / f"{PREFIX}of-an-earlier-version").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    theirs = Path(process.stdout.readline().strip())
    with shared_metrics():
        ours = Path(os.environ[SHARED])
        assert {*temporary.glob(f"{PREFIX}*")} == {theirs, ours}
    process.kill()
    process.wait()
    with shared_metrics():
        assert theirs.exists(), "a worker still writes there"
    os.killpg(process.pid, signal.SIGKILL)

    def is_removed() -> bool:
        with shared_metrics():
            return not theirs.exists()

    until(is_removed)
    assert [*temporary.glob(f"{PREFIX}*")] == []
