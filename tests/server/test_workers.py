"""Several workers: who may have them, who keeps them at work, and that pages of one hear what happens with another."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.chat.service import Chat
from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.db.files import check_workers, only_server
from ostbahn.server.games.live import FORGET, LiveUpdates, Presence, channels
from ostbahn.server.games.service import GameService
from ostbahn.server.ops.moderation import Moderation
from ostbahn.table.slots import NOBODY, Attendance
from tests.server.loops import run
from tests.server.postgres import Cluster, data_of
from tests.server.tables import game_service_on, people_on, step, wanted
from tests.server.test_presence import key

SUPERVISOR = """
import os, sys, time
from ostbahn.server.web import serving as supervisor
supervisor.FIRST_PAUSE = supervisor.TICK = 0.01

def work():
    os.write(1, f"{os.getpid()}\\n".encode())  # in one piece: two workers write at once
    time.sleep(60)

supervisor.Supervisor(2, work, lambda words: print(words, flush=True)).run()
print("over", flush=True)
"""


def test_a_file_is_served_by_one_process(tmp_path: Path) -> None:
    url = sqlite_url_in(tmp_path)
    check_workers(url, 1)
    with pytest.raises(BadSetup, match=r"served by one process, not by 2.*PostgreSQL"):
        check_workers(url, 2)
    check_workers("postgresql://somebody@somewhere/games", 2)


def test_a_second_server_of_a_file_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    url = sqlite_url_in(tmp_path)
    script = (
        "import sys; from ostbahn.server.db.files import only_server\n"
        "with only_server(sys.argv[1]): print('in', flush=True); input()"
    )
    first = subprocess.Popen([sys.executable, "-c", script, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert first.stdout is not None
    assert first.stdout.readline() == b"in\n"
    with pytest.raises(BadSetup, match=r"another server serves .*ostbahn.sqlite already"), only_server(url):
        pass
    Database(url).close()  # tools of the command line are no servers
    first.kill()
    first.wait()
    with only_server(url):
        pass


def test_workers_are_replaced_and_end_with_their_supervisor() -> None:
    process = subprocess.Popen([sys.executable, "-c", SUPERVISOR], stdout=subprocess.PIPE, text=True)
    told = process.stdout
    assert told is not None
    first, second = int(told.readline()), int(told.readline())
    os.kill(first, signal.SIGKILL)
    assert f"worker {first} was killed by signal 9" in told.readline()
    third = int(told.readline())
    process.send_signal(signal.SIGTERM)
    assert told.readline() == "over\n"
    assert process.wait() == 0
    for worker in (second, third):
        assert not Path(f"/proc/{worker}").exists()


def test_workers_end_when_their_supervisor_is_killed() -> None:
    process = subprocess.Popen([sys.executable, "-c", SUPERVISOR], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    workers = [int(process.stdout.readline()) for _ in range(2)]
    process.kill()
    process.wait()
    while any(Path(f"/proc/{worker}").exists() and not _is_dead(worker) for worker in workers):
        time.sleep(0.01)


def _is_dead(worker: int) -> bool:
    try:
        return Path(f"/proc/{worker}/stat").read_text().split()[2] == "Z"
    except OSError:
        return True


# News


class Told:
    """Keeps what would be sent to pages."""

    def __init__(self) -> None:
        self.news: list[tuple[str, int]] = []

    def publish(self, news: dict[str, object], _: str) -> None:
        self.news.append((str(news["what"]), int(str(news["version"]))))


async def until(reached: object) -> None:
    while not reached():  # type: ignore[operator]
        await asyncio.sleep(0.01)


def listener(url: str) -> tuple[GameService, LiveUpdates, Told]:
    game_service, told = game_service_on(Database(url, data_of(url))), Told()
    live_updates = LiveUpdates(game_service, channels())
    live_updates.plugin = told  # type: ignore[assignment]
    return game_service, live_updates, told


def test_what_happens_with_one_worker_is_heard_by_all_in_order_and_after_the_line_was_cut(postgres: Cluster) -> None:
    name = postgres.new()
    (one, here, told_here), (two, there, told_there) = (listener(postgres.url(name)) for _ in range(2))
    host = one.create_game(wanted())

    async def scene() -> None:
        await here.start()
        await there.start()
        there.presence.come(object(), key("p1", game=host.game))
        await until(lambda: ("presence", 0) in told_here.news)
        for version in range(1, 9):
            assert await asyncio.to_thread(step, (one, two)[version % 2], host) == version
        for told in (told_here, told_there):
            await until(lambda told=told: ("state", 8) in told.news)
            assert [version for what, version in told.news if what == "state" and version] == list(range(1, 9))
        assert here.presence.at(host.game).seats == {"p1"}
        told_there.news.clear()
        postgres.ask(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND query LIKE 'LISTEN%'"
        )
        await until(lambda: ("state", 8) in told_there.news)
        await asyncio.to_thread(step, one, host)
        await until(lambda: ("state", 9) in told_there.news)
        await there.close()
        await until(lambda: here.presence.at(host.game) == NOBODY)
        await here.close()

    run(scene())
    for game_service in (one, two):
        game_service.database.close()


@pytest.mark.parametrize("database_kind", ["sqlite", "postgres"])
def test_pages_hear_that_another_process_has_removed_a_line_of_chat(url: str) -> None:
    game_service, live, told = listener(url)
    host = game_service.create_game(wanted())
    Chat(game_service).post_message(host, game_service.game_copy(host.game).setup, "rude words")
    other = game_service_on(Database(url, data_of(url)))

    async def scene() -> None:
        await live.start()
        moderation = Moderation(other, people_on(other.database))
        while ("chat", 0) not in told.news:  # what happens before somebody listens is heard by nobody
            await asyncio.to_thread(moderation.remove_message, 1)
            await asyncio.sleep(0.05)
        await live.close()

    run(scene())
    for each in (game_service, other):
        each.database.close()


def test_those_with_other_workers_are_there_until_these_are_not_heard_of_any_more() -> None:
    told: list[str] = []
    time_ = [0.0]
    presence = Presence(told.append, clock=lambda: time_[0])
    presence.heard("other", {"g": Attendance(frozenset({"p1"}), 2)})
    presence.heard("third", {"g": Attendance(frozenset({"p2"}), 1), "h": Attendance(frozenset(), 1)})
    assert presence.at("g") == Attendance(frozenset({"p1", "p2"}), 3)
    presence.heard("third", {"g": NOBODY})
    assert presence.at("g") == Attendance(frozenset({"p1"}), 2)
    time_[0] = FORGET / 2
    presence.heard("other", {"g": Attendance(frozenset({"p1"}), 2)})
    time_[0] = FORGET * 1.2
    presence.forget()
    assert presence.at("h") == NOBODY
    assert presence.at("g") == Attendance(frozenset({"p1"}), 2)
    presence.gone("other")
    assert presence.at("g") == NOBODY
    assert told == ["g", "g", "h", "g", "h", "g"]
