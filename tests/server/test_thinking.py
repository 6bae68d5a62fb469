"""Bots and hints of the server think in processes of their own, and nobody else waits for them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import cast

import httpx
import pytest
from sqlalchemy import update

from ostbahn.bots.hints import Hint, hint
from ostbahn.bots.limits import BotTimeout
from ostbahn.bots.playing import BotUnavailable
from ostbahn.bots.worker_pool import BotWorkerPool, WorkerDied, WorkFailed
from ostbahn.interop.saves import encode_action
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.server.bots import service
from ostbahn.server.bots.service import HintService, play_bot_turn
from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.faults import Busy
from ostbahn.server.games.bot_pool import SeatedBots
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import SeatRow
from ostbahn.server.jobs.concurrency import SingleFlightCache
from ostbahn.server.ops.logs import fault_text
from ostbahn.server.web.services import Services
from ostbahn.table.access import Access
from tests.bots.strange_bots import strange
from tests.programs import started
from tests.server.loops import run
from tests.server.network import open_table, until
from tests.server.tables import another, game_service_on, standing, wanted

GAME = new_game("18CZ", ["Anna", "Boris", "Clara"], seed=3)


@pytest.fixture
def seated_bots() -> Iterator[SeatedBots]:
    made = SeatedBots(1.0, strange, BotWorkerPool(1))
    yield made
    made.close()


def table_with(game_service: GameService, code: str) -> Access:
    """A table at which Anna is a bot that no form lets in, Boris draws lots, and a person has the third seat."""
    host = game_service.create_game(wanted("R", "R", "here"))
    with game_service.database.session() as session:
        first = (SeatRow.game == host.game) & (SeatRow.seat == "p1")
        session.execute(update(SeatRow).where(first).values(bot=code))
    return host


# Bots


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("counts", "it had 1 seconds and did not answer"),
        ("dies", "its process ended before it answered"),
        ("raises", "ZeroDivisionError: by zero"),
        ("GONE:2000", "there is no bot 'GONE:2000'"),
    ],
)
def test_a_bot_that_fails_stops_no_game(database: Database, seated_bots: SeatedBots, code: str, words: str) -> None:
    game_service = game_service_on(database, seated_bots)
    bad, good = table_with(game_service, code), game_service.create_game(wanted("R", "R", "here"))
    for host in (bad, good):
        for _ in range(2):
            assert play_bot_turn(game_service, host.game)
        assert not play_bot_turn(game_service, host.game)
    with game_service.holding(bad.game) as room:
        assert [words in given.note for given in room.given] == [True, False]
    with game_service.holding(good.game) as room:
        assert [given.note for given in room.given] == ["", ""]


def test_bots_answer_as_they_would_in_the_server(
    game_service: GameService, database: Database, seated_bots: SeatedBots
) -> None:
    outside = game_service_on(database, seated_bots)
    here, there = (each.create_game(wanted("S", "G", "R", title="18Mag")) for each in (game_service, outside))
    for _ in range(40):
        assert play_bot_turn(game_service, here.game)
        assert play_bot_turn(outside, there.game)
    assert standing(game_service, here) == standing(outside, there)


def test_a_server_that_closes_takes_no_answer_for_a_bot(database: Database, seated_bots: SeatedBots, url: str) -> None:
    game_service = game_service_on(database, seated_bots)
    host = game_service.create_game(wanted("R", "R", "here"))
    seated_bots.close()
    with pytest.raises(BotUnavailable):
        play_bot_turn(game_service, host.game)
    with another(url) as later:
        assert standing(later, host)[1] == 0


# HintService


def test_a_hint_is_what_it_would_be_in_the_server(net: httpx.Client, inside: Services) -> None:
    host = open_table(net)["host"]
    host.answer()
    with inside.game_service.holding(inside.game_service.access(host.key).game) as room:
        found = hint(room.game)
    given = host.post("hint")
    assert (given["action"], given["reasons"]) == (encode_action(found.action), list(found.reasons))


class Adviser:
    """Gives hints when the test says so."""

    max_parallel = 2

    def __init__(self, fault: OstbahnError | None = None) -> None:
        self.fault = fault
        self.asked: list[str] = []
        self.go = Event()

    def hint(self, table: str, game: Game) -> Hint:
        self.asked.append(table)
        self.go.wait()
        if self.fault is not None:
            raise self.fault
        return Hint(game.question.options[0].action, ()) if game.question else Hint(None, ())  # type: ignore[arg-type]


def advised(adviser: Adviser) -> HintService:
    return HintService(cast(SeatedBots, adviser), SingleFlightCache())


def test_those_who_wait_for_hints_hold_up_no_request() -> None:
    async def scene() -> None:
        adviser = Adviser()
        found = advised(adviser)
        waiting = [asyncio.create_task(found.hint_at(str(number), 1, GAME)) for number in range(service.MOST_WAITING)]
        while len(adviser.asked) < adviser.max_parallel:
            await asyncio.sleep(0.005)
        assert await asyncio.gather(*(asyncio.to_thread(os.getpid) for _ in range(40)))
        with pytest.raises(Busy, match="many people ask for hints"):
            await found.hint_at("one more", 1, GAME)
        adviser.go.set()
        assert len(await asyncio.gather(*waiting)) == service.MOST_WAITING
        found.close()

    run(scene())


def test_a_hint_is_thought_of_once_for_a_position() -> None:
    async def scene() -> None:
        adviser = Adviser()
        found = advised(adviser)
        adviser.go.set()
        for version in (1, 1, 2, 1):
            await found.hint_at("table", version, GAME)
        await found.hint_at("another", 1, GAME)
        assert adviser.asked == ["table", "table", "another"]
        found.close()

    run(scene())


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (BotTimeout("20 seconds"), Busy),
        (WorkerDied("status -9"), Busy),
        (BotUnavailable("closed"), Busy),
        (WorkFailed("KeyError: 7", 'Traceback:\n  File "a.py", line 7\nKeyError: 7'), RuntimeError),
    ],
)
def test_a_hint_that_is_not_found_is_told_and_asked_for_again(fault: OstbahnError, told: type[Exception]) -> None:
    async def scene() -> None:
        adviser = Adviser(fault)
        found = advised(adviser)
        adviser.go.set()
        with pytest.raises(told) as caught:
            await found.hint_at("table", 1, GAME)
        assert isinstance(caught.value, Busy) or "line 7" in fault_text(caught.value), (
            "the log of the server says where"
        )
        adviser.fault = None
        await found.hint_at("table", 1, GAME)
        found.close()

    run(scene())


# Servers that end


def children(parent: int) -> list[int]:
    """The processes that one has started, as Linux tells them: number, name in brackets, state, parent."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            rest = file.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # gone meanwhile
            continue
        if int(rest[1]) == parent:
            found.append(int(file.parent.name))
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_behind_however_a_server_ends(tmp_path: Path, how: signal.Signals) -> None:
    """While bots think, and with Ctrl-C to all processes at once, as a terminal sends it."""
    database = Database(sqlite_url_in(tmp_path))
    host = game_service_on(database).create_game(wanted("S", "S", "S", title="18Mag"))
    database.close()
    serve = ("serve", "--port", "0", "--data", str(tmp_path), "--no-browser")
    with started([sys.executable, "-m", "ostbahn.cli.main", *serve], apart=True) as server:
        assert server.stdout is not None
        told = [server.stdout.readline() for _ in range(3)]
        with httpx.Client(base_url=told[0].split()[-1], timeout=None) as net:
            until(lambda: net.get(f"/api/t/{host.key}").json()["version"] > 3)
        assert len(children(server.pid)) >= 2  # one of them only sees to it that nothing is left behind
        if how is signal.SIGINT:
            os.killpg(server.pid, how)
        else:
            server.send_signal(how)
        rest, complaints = server.communicate()  # until the last who could say something has ended
    assert (rest, complaints) == ("", "")
    assert server.returncode == (-how if how is signal.SIGKILL else 0)
    with another(sqlite_url_in(tmp_path)) as later, later.holding(host.game) as room:
        assert not any(given.note for given in room.given), "no answer was taken for whoever was thinking"
