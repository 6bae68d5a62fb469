"""Bots at work: none sleeps while it is asked, and none is started twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from threading import Event
from typing import Any, cast

import pytest
from sqlalchemy.exc import OperationalError

from ostbahn.kernel.actions import Action
from ostbahn.server.faults import NotHere, Stale
from ostbahn.server.play.house import House, Played
from ostbahn.server.play.live import Live
from ostbahn.server.play.opponents import Opponents
from ostbahn.server.store import shelf
from ostbahn.server.store.archive import Archive
from tests.server.loops import run
from tests.server.tables import now, wanted

DAYS = 10 * 24 * 3_600_000
"""A pace, in milliseconds, at which nobody here waits for the next bot."""


class Told:
    """Keeps what would be sent to the pages."""

    def __init__(self) -> None:
        self.news: list[dict[str, Any]] = []

    def publish(self, news: dict[str, Any], _: str) -> None:
        self.news.append(news)


class FakeHouse:
    """A house in which the turns of bots are as the test says."""

    def __init__(self, *turns: Callable[[], Played | None]) -> None:
        self.turns = list(turns)

    def bot_turn(self, _: str) -> Played | None:
        return self.turns.pop(0)() if self.turns else None


def at_work(live: Live) -> bool:
    return bool(live._at_work)


async def until_idle(live: Live) -> None:
    while at_work(live):
        await asyncio.sleep(0.005)


def made(house: FakeHouse | House) -> tuple[Live, Told]:
    told = Told()
    return Live(cast(House, house), cast(Any, told)), told


def test_bots_play_until_somebody_else_is_asked_and_leave_nothing_behind() -> None:
    async def scene() -> None:
        house = FakeHouse(lambda: Played(1, 0), lambda: Played(2, 1), lambda: None)
        live, told = made(house)
        live.wake("game")
        live.wake("game")
        assert len(live._at_work) == 1
        await until_idle(live)
        assert [news["version"] for news in told.news] == [1, 2]
        assert (live._at_work, live._calls) == ({}, {})
        await live.close()

    run(scene())


def test_a_bot_that_is_asked_while_the_last_one_stops_is_not_forgotten() -> None:
    """A person answers just when the worker has found that it is a person's turn."""

    async def scene() -> None:
        loop = asyncio.get_running_loop()

        def person_first() -> None:
            async def woken() -> None:
                live.wake("game")

            asyncio.run_coroutine_threadsafe(woken(), loop).result()

        house = FakeHouse(person_first, lambda: Played(7, 0))
        live, told = made(house)
        live.wake("game")
        await until_idle(live)
        assert [news["version"] for news in told.news] == [7]
        await live.close()

    run(scene())


def test_a_bot_that_came_too_late_looks_again() -> None:
    def late() -> None:
        raise Stale("somebody else was quicker")

    async def scene() -> None:
        live, told = made(FakeHouse(late, lambda: Played(3, 0)))
        live.wake("game")
        await until_idle(live)
        assert [news["version"] for news in told.news] == [3]
        await live.close()

    run(scene())


@pytest.mark.parametrize("fault", [OperationalError("INSERT", {}, OSError("database is locked")), ZeroDivisionError()])
def test_bots_go_on_by_themselves_after_what_went_wrong_and_the_log_says_so(
    fault: Exception, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ostbahn.server.play.live.FIRST_WAIT", 0.01)

    def broken() -> None:
        raise fault

    async def scene() -> None:
        live, told = made(FakeHouse(broken, broken, broken, lambda: Played(3, 0)))
        with caplog.at_level(logging.ERROR):
            live.wake("game")
            await until_idle(live)
        assert [news["version"] for news in told.news] == [3]
        await live.close()

    run(scene())
    assert [record.getMessage() for record in caplog.records] == [
        f"the bots of game game cannot go on; they try again in {seconds:g} seconds" for seconds in (0.01, 0.02, 0.04)
    ]


def test_bots_that_wait_are_asked_at_once_when_somebody_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ostbahn.server.play.live.FIRST_WAIT", 60.0)
    failed = Event()

    def broken() -> None:
        failed.set()
        raise ZeroDivisionError

    async def scene() -> None:
        live, told = made(FakeHouse(broken, lambda: Played(3, 0)))
        live.wake("game")
        await asyncio.to_thread(failed.wait, 5)
        await asyncio.sleep(0.02)
        assert at_work(live)
        assert told.news == []
        live.wake("game")
        await until_idle(live)
        assert [news["version"] for news in told.news] == [3]
        await live.close()

    run(scene())


def test_bots_of_a_game_that_is_gone_are_not_waited_for() -> None:
    def gone() -> None:
        raise NotHere("there is no such game")

    async def scene() -> None:
        live, told = made(FakeHouse(gone))
        live.wake("game")
        await until_idle(live)
        assert told.news == []
        await live.close()

    run(scene())


def test_a_database_that_fails_once_does_not_stop_the_bots_of_a_table(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ostbahn.server.play.live.FIRST_WAIT", 0.01)
    host = house.open(wanted("R", "R", "here"))
    faults = [OperationalError("INSERT", {}, OSError("database is locked")) for _ in range(2)]
    summary = shelf._summary

    def failing(*given: Any) -> None:
        if faults:
            raise faults.pop()
        summary(*given)

    monkeypatch.setattr(shelf, "_summary", failing)

    async def scene() -> None:
        live, _ = made(house)
        live.wake(host.game)
        await until_idle(live)
        await live.close()

    run(scene())
    with house.holding(host.game) as room:
        assert (room.turn, room.number) == ("p3", 2)


class Loops:
    def choose(self, question: object, game: object) -> Action:
        while True:
            pass


def test_bots_that_never_answer_do_not_stop_a_table_and_its_log_says_so(archive: Archive) -> None:
    house = House(archive, now, Opponents(0.05, make=lambda code, seed: Loops()))
    host = house.open(wanted("R", "R", "here"))

    async def scene() -> None:
        live, told = made(house)
        live.wake(host.game)
        await until_idle(live)
        assert len(told.news) == 2
        await live.close()

    run(scene())
    with house.holding(host.game) as room:
        assert room.turn == "p3"
        assert ["did not answer" in given.note for given in room.given] == [True, True]


def test_closing_does_not_wait_for_the_pace_of_bots() -> None:
    async def scene() -> None:
        live, told = made(FakeHouse(lambda: Played(1, DAYS)))
        live.wake("game")
        while not told.news:
            await asyncio.sleep(0.005)
        await live.close()
        assert not at_work(live)

    run(scene())
