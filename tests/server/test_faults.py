"""Faults that nobody is asked about: workers are killed, the database goes away, the disk is full, the clock jumps.

Nothing that was acknowledged is lost and nothing happens twice; who listens hears all; bots go on by themselves.
`python3 dev.py soak tests/server/test_faults.py` takes each to its full length; OSTBAHN_SOAK_KILLS says how many
workers are killed.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.games.service import GameService
from tests.server.loops import run
from tests.server.network import Seat, until
from tests.server.postgres import Cluster, cluster
from tests.server.sufferers import Server, Table, playing, seat, serving
from tests.server.tables import another, wanted
from tests.server.test_bot_turns import at_work, jobs_left, turn
from tests.server.test_bot_turns import until as until_then

FEW, MANY = 2, int(os.environ.get("OSTBAHN_SOAK_KILLS", "200"))
TIMES = [FEW, pytest.param(MANY, marks=[pytest.mark.soak, pytest.mark.timeout(3600)])]


@pytest.fixture
def careful(postgres: Cluster) -> Iterator[Cluster]:
    """A server that writes to the disk before it says that something is kept."""
    with cluster("") as made:
        yield made


def until_more(tables: list[Table]) -> None:
    """Wait until each has been told once more that an answer is kept."""
    before = [len(table.kept) for table in tables]
    until(lambda: all(len(table.kept) > was for table, was in zip(tables, before, strict=True)))


def until_version(somebody: Seat, version: int) -> None:
    until(lambda: int(somebody.get()["version"]) >= version)


def killed(server: Server, tables: list[Table], times: int) -> None:
    """Kill one worker after the other in the midst of answers, each time when all are at work again."""
    number = len(server.workers())
    for turn_ in range(times):
        until_more(tables)
        until(lambda: len(server.workers()) == number)
        os.kill(server.workers()[0 if turn_ % 2 else -1], signal.SIGKILL)


@pytest.mark.parametrize("times", TIMES)
def test_a_server_of_one_process_that_is_killed_again_and_again_loses_nothing(tmp_path: Path, times: int) -> None:
    url = sqlite_url_in(tmp_path / "data")
    with serving(url, tmp_path / "data", 1, tmp_path / "clock") as server, playing(server) as tables:
        started = time.monotonic()
        killed(server, tables, times)
        until(server.answers)
        tell(tables, times, time.monotonic() - started, url, None)


@pytest.mark.parametrize("times", TIMES)
def test_workers_that_are_killed_again_and_again_lose_nothing_and_others_hear_all(
    tmp_path: Path, careful: Cluster, times: int
) -> None:
    name = careful.empty()
    url, data = careful.url(name), careful.data(name)
    with serving(url, data, 2, tmp_path / "clock") as server, playing(server) as tables:
        with_bots = seat(server, "R", "R", "R")
        started = time.monotonic()
        killed(server, tables, times)
        tell(tables, times, time.monotonic() - started, url, data)
        before = int(with_bots.get()["version"])
        until(lambda: int(with_bots.get()["version"]) > before or with_bots.get()["question"] is None)


def tell(tables: list[Table], times: int, seconds: float, url: str, data: Path | None) -> None:
    """Look whether all is as it should be, and say how much there was of it."""
    time.sleep(0.5)
    for table in tables:
        table.stop()
    database = Database(url, data)
    lines = sum(table.check_log(database) for table in tables)
    heard = sum(table.check_heard() for table in tables)
    database.close()
    acknowledged = sum(len(table.kept) for table in tables)
    print(f"{times} faults in {seconds:.0f} s: {acknowledged} answers acknowledged, {lines} kept, {heard} heard")


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("times", [1, 20])
def test_a_database_that_is_restarted_under_load_loses_nothing(tmp_path: Path, careful: Cluster, times: int) -> None:
    name = careful.empty()
    url, data = careful.url(name), careful.data(name)
    with serving(url, data, 2, tmp_path / "clock") as server, playing(server) as tables:
        with_bots = seat(server, "R", "R", "here")
        started = time.monotonic()
        for _ in range(times):
            until_more(tables)
            careful.restart()
        until_more(tables)
        for table in tables:
            table.stop()
        until(lambda: all(table.caught_up() for table in tables))
        until(lambda: with_bots.get()["question"]["decider"]["seat"] == "p3")
        database = Database(url, data)
        lines = sum(table.check_log(database) for table in tables)
        database.close()
        print(f"{times} restarts in {time.monotonic() - started:.0f} s: {lines} answers kept")


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("times", [2, 50])
def test_a_clock_that_jumps_stops_nobody(tmp_path: Path, times: int) -> None:
    with serving(sqlite_url_in(tmp_path / "data"), tmp_path / "data", 1, tmp_path / "clock") as server:
        clock_jumps(server, times)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_clock_that_jumps_stops_no_worker(tmp_path: Path, careful: Cluster) -> None:
    name = careful.empty()
    with serving(careful.url(name), careful.data(name), 2, tmp_path / "clock") as server:
        clock_jumps(server, 50)


def clock_jumps(server: Server, times: int) -> None:
    """By days, there and back, while bots play at some pace."""
    with_bots = seat(server, "R", "R", "R", pace=100)
    for number in range(times):
        server.clock.write_text(str((-1) ** number * 86_400 * (number + 1)))
        until_version(with_bots, int(with_bots.get()["version"]) + 2)


# The database refuses to be written


def bots_wait(game_service: GameService, refused: Any) -> None:
    """Bots are asked while nothing can be written, and go on by themselves when it can."""
    host = game_service.create_game(wanted("R", "R", "here"))

    async def scene() -> None:
        with refused():
            async with at_work(game_service):
                pass
        async with at_work(game_service):
            with refused():
                await asyncio.sleep(0.3)
                assert await asyncio.to_thread(turn, game_service, host) != ("p3", 2)
            await until_then(lambda: not jobs_left(game_service))

    run(scene())
    assert turn(game_service, host) == ("p3", 2)


@pytest.mark.parametrize("seconds", [0.5, pytest.param(10, marks=pytest.mark.soak)])
def test_bots_go_on_after_somebody_else_has_held_the_lock_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    url = sqlite_url_in(tmp_path)

    @contextmanager
    def locked() -> Iterator[None]:
        other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
            time.sleep(seconds)
        finally:
            other.execute("ROLLBACK")
            other.close()

    with another(url) as game_service:
        if seconds < 1:
            event.listen(
                game_service.database.engine, "checkout", lambda line, *_: line.execute("PRAGMA busy_timeout = 50")
            )
        bots_wait(game_service, locked)


@pytest.mark.soak
@pytest.mark.parametrize("seconds", [0.5, 10])
def test_bots_go_on_after_somebody_else_has_held_the_lock_of_a_table(postgres: Cluster, seconds: float) -> None:
    name = postgres.new()

    @contextmanager
    def locked() -> Iterator[None]:
        with game_service.database.engine.begin() as connection:
            connection.execute(text("LOCK TABLE entries, games IN EXCLUSIVE MODE"))
            yield
            time.sleep(seconds)

    with another(postgres.url(name)) as game_service:
        bots_wait(game_service, locked)


@pytest.mark.soak
def test_bots_go_on_after_the_disk_was_full_and_people_are_told(tmp_path: Path) -> None:
    @contextmanager
    def full() -> Iterator[None]:
        (worker,) = server.workers()
        usual = resource.prlimit(worker, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        yield
        resource.prlimit(worker, resource.RLIMIT_FSIZE, usual)

    with serving(sqlite_url_in(tmp_path / "data"), tmp_path / "data", 1, tmp_path / "clock") as server:
        all_wait(server, full)


FULL = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON entries EXECUTE FUNCTION full_disk();
CREATE TRIGGER full_disk BEFORE INSERT ON messages EXECUTE FUNCTION full_disk();
"""
"""PostgreSQL's answer to a full disk, where that matters here; a real one would stop the tests too."""


@pytest.mark.soak
def test_bots_go_on_after_the_disk_of_the_database_was_full(tmp_path: Path, careful: Cluster) -> None:
    @contextmanager
    def full() -> Iterator[None]:
        database = Database(url, data)
        with database.engine.begin() as connection:
            connection.execute(text(FULL))
        yield
        with database.engine.begin() as connection:
            connection.execute(text("DROP FUNCTION full_disk CASCADE"))
        database.close()

    name = careful.empty()
    url, data = careful.url(name), careful.data(name)
    with serving(url, data, 2, tmp_path / "clock") as server:
        all_wait(server, full)


def all_wait(server: Server, full: Callable[[], AbstractContextManager[None]]) -> None:
    """Bots play; then nothing can be kept, which people are told; and then all goes on by itself."""
    with_bots = seat(server, "R", "R", "R")
    before = int(with_bots.get()["version"])
    until(lambda: int(with_bots.get()["version"]) > before)
    with full():
        until(lambda: with_bots.net.post(with_bots.path("chat"), json={"text": "Hello"}).status_code == 503)
        before = int(with_bots.get()["version"])
        time.sleep(1)
        assert int(with_bots.get()["version"]) == before
    until(lambda: int(with_bots.get()["version"]) > before)
    with_bots.post("chat", text="Hello again")
