"""People at tables of a server that is made to suffer: they answer without pause, and keep account of what they hear.

Each plays on a game of their own beside the server's, so they need not ask where it stands unless an answer got lost.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import httpx

from ostbahn.interop.saves import encode_action
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.server.db.database import Database
from ostbahn.server.games import repository
from ostbahn.server.games.tables import EntryRow
from ostbahn.table.room import encode_action_json
from tests.server.network import Seat, open_table, until
from tests.server.tables import NAMES, first_answer, game_service_on

ROOT = Path(__file__).parents[2]


class Server(NamedTuple):
    """The supervisor of a crowd."""

    process: subprocess.Popen[str]
    address: str
    clock: Path

    def workers(self) -> list[int]:
        listing = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in listing.split()]

    def answers(self) -> bool:
        try:
            return httpx.get(f"{self.address}/api/titles", timeout=5).status_code < 500
        except httpx.HTTPError:
            return False


@contextmanager
def serving(url: str, data: Path, workers: int, clock: Path) -> Iterator[Server]:
    clock.write_text("0")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, "-m", "tests.server.crowd", url, str(data), str(workers), str(clock)]
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        server = Server(process, f"http://127.0.0.1:{int(process.stdout.readline())}", clock)
        until(server.answers)
        yield server
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


@contextmanager
def playing(server: Server) -> Iterator[list[Table]]:
    """Two tables at which it goes on without pause; at the end nobody plays or listens any more."""
    tables = [Table(server, seed) for seed in (1, 2)]
    try:
        yield tables
    finally:
        for table in tables:
            table.leave()


class Table:
    """Somebody plays all seats as fast as they can, and somebody looks on."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server = server
        net = httpx.Client(base_url=server.address, timeout=10)
        keys = open_table(net, "here", "here", "here", seed=seed, ask_all=True)
        self.host, self.onlooker = keys["host"], keys["spectator"]
        self.game: Game = new_game("18CZ", NAMES[:3], seed=seed, draw_order=False)
        self.tried: dict[int, str] = {}
        """By the version that an answer would make: what was answered, whatever came of it."""
        self.kept: set[int] = set()
        """Versions of which the server has said that they are kept."""
        self.heard: list[list[int]] = []
        """Versions that the onlooker has heard of, by connection."""
        self._stop, self._deaf = Event(), Event()
        self._line: socket.socket | None = None
        self._threads = [Thread(target=work, daemon=True) for work in (self._play, self._listen)]
        for thread in self._threads:
            thread.start()

    @property
    def version(self) -> int:
        return len(self.game)

    def _play(self) -> None:
        while not self._stop.is_set() and not self.game.over:
            version, action = len(self.game), first_answer(self.game)
            self.tried[version + 1] = encode_action_json(action)
            if self._sent(version, encode_action(action)):
                self.game.apply(action)

    def _sent(self, version: int, action: object) -> bool:
        """Whether the answer stands; where nobody said so, the table is asked."""
        fields = {"version": version, "action": action}
        try:
            status = self.host.net.post(self.host.path("answer"), json=fields).status_code
        except httpx.HTTPError:
            status = 0
        if status == 200:
            self.kept.add(version + 1)
            return True
        while not self._stop.is_set():
            try:
                return self._stands() > version
            except (httpx.HTTPError, AssertionError):
                time.sleep(0.02)
        return False

    def _stands(self) -> int:
        """The version of the game, by the server's own account."""
        view = self.host.get()
        return int(view["version"])

    def _listen(self) -> None:
        while not self._deaf.is_set():
            heard: list[int] = []
            try:
                with (
                    httpx.Client(base_url=self.server.address, timeout=5) as client,
                    client.stream("GET", self.onlooker.path("events"), timeout=httpx.Timeout(5, read=30)) as response,
                ):
                    self.heard.append(heard)
                    self._line = response.extensions["network_stream"].get_extra_info("socket")
                    if not self._deaf.is_set():
                        self._hear(response, heard)
            except (httpx.HTTPError, OSError):
                time.sleep(0.02)

    def _hear(self, response: httpx.Response, heard: list[int]) -> None:
        name = ""
        for line in response.iter_lines():
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "data" and name == "state" and value:  # a sign of life has none
                heard.append(int(value))
            if self._deaf.is_set():
                return

    def stop(self) -> None:
        """No more answers; the onlooker hears what is still told."""
        self._stop.set()
        self._threads[0].join()

    def leave(self) -> None:
        """Nobody plays here any more, and nobody listens."""
        self._stop.set()
        self._deaf.set()
        if self._line is not None:
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)  # whoever reads from it is not kept waiting
        for thread in self._threads:
            thread.join()

    # What must hold

    def check_log(self, database: Database) -> int:
        """All that was said to be kept is, each line was tried, and none is there twice. Returns how many there are."""
        game = self._game(database)
        with database.session() as session:
            rows = session.execute(repository.LOG_ENTRIES.where(EntryRow.game == game)).all()
        lines = {row.version: row.data for row in rows}
        assert sorted(lines) == list(range(1, len(lines) + 1))
        assert len(rows) == len(lines)
        assert self.kept <= set(lines), "an answer that was acknowledged is lost"
        assert {version: self.tried[version] for version in lines} == lines
        return len(lines)

    def _game(self, database: Database) -> str:

        return game_service_on(database).access(self.host.key).game

    def caught_up(self) -> bool:
        """Whether the onlooker has heard of where the table stands."""
        return bool(self.heard) and self.heard[-1][-1:] == [self._stands()]

    def check_heard(self) -> int:
        """On each connection every version was heard, once and in order. Returns how many were."""
        for heard in filter(None, self.heard):  # some are cut before anything is said
            after = [version for version in heard[1:] if version > heard[0]]
            assert after == list(range(heard[0] + 1, heard[0] + 1 + len(after))), heard
        return sum(map(len, self.heard))


def seat(server: Server, *who: str, **more: object) -> Seat:
    net = httpx.Client(base_url=server.address, timeout=10)
    return open_table(net, *who, **more)["host"]
