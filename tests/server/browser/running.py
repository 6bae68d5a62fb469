"""A server for browsers: in a thread, so that tests can lay games on the table, or as the command that people type."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from signal import SIGINT
from threading import Thread

from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import new_game
from ostbahn.server.db.database import sqlite_url_in
from ostbahn.server.web.request_middleware import RequestMiddleware
from ostbahn.server.web.services import create_services
from ostbahn.server.web.serving import Server, address_of, listening
from ostbahn.table.access import Access
from ostbahn.testing import play_random
from tests.programs import started
from tests.server.sample_games import busy
from tests.server.site import unlimited
from tests.server.tables import NAMES, now

LOCAL = "127.0.0.1"


class Running:
    """The application at an address of its own."""

    def __init__(self, data: Path, port: int = 0) -> None:
        self.services = create_services(sqlite_url_in(data), now)
        listener = listening(LOCAL, port)
        self.port: int = listener.getsockname()[1]
        self.address = address_of(LOCAL, listener)
        self.server = Server(RequestMiddleware(unlimited(self.services), self.services.settings, self.services.metrics))
        self.thread = Thread(target=self.server.run, kwargs={"sockets": [listener]}, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()

    def table(self, game: Game) -> str:
        """Where a game that has been played so far can be gone on with, with the host on all seats."""
        return self.link(self.host(game))

    def host(self, game: Game) -> Access:
        return self.services.game_service.import_game(game)

    def link(self, who: Access) -> str:
        return f"{self.address}t/{who.key}"

    def digest(self, page_address: str) -> str:
        """Of the state in which a table is."""
        game_service = self.services.game_service
        who = game_service.access(page_address.split("/t/")[1].split("?")[0])
        with game_service.holding(who.game) as room:
            return room.game.state.digest


@contextmanager
def served(data: Path) -> Iterator[str]:
    """`ostbahn serve`, as people start it, and end it."""
    command = [sys.executable, "-c", "from ostbahn.cli.main import run; run()"]
    with started([*command, "serve", "--port", "0", "--data", str(data), "--no-browser"]) as process:
        told = process.stdout.readline() if process.stdout else ""
        found = re.search(r"http://127\.0\.0\.1:\d+/", told)
        assert found, f"it does not say where it is: {told!r}"
        yield found[0]
        process.send_signal(SIGINT)
        assert process.wait() == 0


Wanted = Callable[[Game, Question], bool]


@cache
def _played(title: str, seed: int, to_the_end: bool) -> Game:
    game = new_game(title, NAMES[:3], seed=seed)
    return play_random(game, Random(seed), None if to_the_end else 900, busy)


def moment(title: str, kind: str, wanted: Wanted = lambda game, question: True) -> Game:
    """A game at the first question of a kind that fits, in games played at random."""
    for seed in range(1, 30):
        played = _played(title, seed, False)
        for number in range(len(played)):
            game = played.position(number)
            question = game.question
            if question is not None and question.kind == kind and wanted(game, question):
                return game
    raise AssertionError(f"no game has such a question of {kind}")


def finished(title: str) -> Game:
    return _played(title, 1, True)
