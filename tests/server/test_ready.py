"""Before the first request everything is loaded: types that two threads load at once end the process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from ostbahn.kits.catalogue import CATALOGUE
from ostbahn.server.db.database import sqlite_url_in
from ostbahn.server.games.new_table import NewSeat, NewTable
from ostbahn.server.games.service import GameService
from ostbahn.server.web.services import create_services
from tests.programs import started
from tests.server.tables import now

SCRIPT = """
import gc, json, sys
from importlib import import_module
from pkgutil import walk_packages
from msgspec import Struct
import ostbahn
from ostbahn.server.web.app import create_app
from ostbahn.server.web.services import create_services
from tests.server.tables import now

def kinds(of):
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)

def is_read(kind):  # msgspec keeps in a type how it is read, where the garbage collector can see it
    return any(type(part).__name__ == "StructInfo" for part in gc.get_referents(kind))

def unread():
    return [f"{kind.__module__}.{kind.__qualname__}" for kind in set(kinds(Struct)) if not is_read(kind)]

create_app(create_services(sys.argv[1], now))
before = set(sys.modules)
for module in walk_packages(ostbahn.__path__, "ostbahn."):
    if not module.name.startswith(("ostbahn.cli", "ostbahn.bots.cluster", "ostbahn.server.db.migrations")):
        import_module(module.name)
late = [name for name in set(sys.modules) - before if name.startswith("ostbahn.")]
# what draws charts is loaded by another process; but it must bring no types
found = {"modules": [name for name in late if not name.startswith("ostbahn.review.reports")], "types": unread()}

class Late(Struct):
    number: int

print(json.dumps({**found, "types with Late": unread()}))
"""
"""What is left to be loaded in a process that has done nothing but make the application; and that this would show."""


@pytest.mark.slow
def test_nothing_is_left_to_be_loaded_by_a_request(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, sqlite_url_in(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert json.loads(done.stdout) == {"modules": [], "types": [], "types with Late": ["__main__.Late"]}


@pytest.mark.soak
def test_servers_stand_clients_at_their_start(tmp_path: Path) -> None:
    """All at once ask for tables of all variants, as when a server comes back to pages that are open."""
    inside = create_services(sqlite_url_in(tmp_path), now)
    keys = [_opened(inside.game_service, entry.title, entry.variant, entry.players) for entry in CATALOGUE]
    inside.database.close()
    paths = [path for key in keys for path in (f"/t/{key}", f"/api/t/{key}", "/new", f"/t/{key}")]
    for _ in range(75):
        assert _asked_at_once(tmp_path, paths) == 0


def _opened(game_service: GameService, title: str, variant: str, players: tuple[int, ...]) -> str:
    seats = tuple(NewSeat(f"Player {number}") for number in range(players[0]))
    return game_service.create_game(NewTable(title=title, variant=variant, seats=seats)).key


def _asked_at_once(data: Path, paths: list[str]) -> int:
    """The exit status of a server that was asked for pages as soon as it could be, and then stopped."""
    command = [sys.executable, "-m", "ostbahn.cli.main", "serve", "--port", "0", "--no-browser", "--data", str(data)]
    with started(command) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        with httpx.Client(base_url=address, timeout=60) as client, ThreadPoolExecutor(len(paths)) as people:
            try:
                assert {answer.status_code for answer in people.map(client.get, paths)} == {200}
            finally:
                server.send_signal(signal.SIGINT)
        server.communicate(timeout=30)
        return server.returncode
