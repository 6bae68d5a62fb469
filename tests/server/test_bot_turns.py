"""Bots at work: each turn is a job, so none sleeps while it is asked, none is played twice, and all survive faults."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import delete, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from ostbahn.kernel.actions import Action
from ostbahn.server.bots import service as bot_turns
from ostbahn.server.bots.service import enqueue_missing_bot_turns
from ostbahn.server.db.database import Database
from ostbahn.server.games import repository
from ostbahn.server.games.bot_pool import SeatedBots
from ostbahn.server.games.new_table import SLOWEST
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import EntryRow
from ostbahn.server.jobs.concurrency import PriorityGate
from ostbahn.server.jobs.queue import AlreadyDone, JobRow, Jobs
from ostbahn.server.jobs.runner import JobRunner
from ostbahn.table.access import Access
from ostbahn.table.room import Room
from tests.server.loops import run
from tests.server.tables import another, game_service_on, now, step, wanted


@asynccontextmanager
async def at_work(game_service: GameService, look: float = 0.02) -> AsyncIterator[JobRunner]:
    runner = JobRunner(Jobs(game_service.database), now, look)
    runner.register(bot_turns.BOT_JOB, partial(bot_turns.run_bot_job, game_service), max_parallel=2)
    await runner.start()
    try:
        yield runner
    finally:
        await runner.close()


async def until(reached: Callable[[], bool]) -> None:
    """Wait for what happens in another thread; if it never does, the test's time is up."""
    while not await asyncio.to_thread(reached):
        await asyncio.sleep(0.01)


def jobs_left(game_service: GameService) -> list[str]:
    with game_service.database.session() as session:
        return list(session.scalars(select(JobRow.name).where(JobRow.kind == bot_turns.BOT_JOB)))


def turn(game_service: GameService, host: Access) -> tuple[str | None, int]:
    with game_service.holding(host.game) as room:
        return room.turn, room.number


def test_bots_play_until_somebody_else_is_asked_and_leave_nothing_behind(game_service: GameService) -> None:
    host = game_service.create_game(wanted("R", "R", "here"))

    async def scene() -> None:
        async with at_work(game_service):
            await until(lambda: not jobs_left(game_service))

    run(scene())
    assert turn(game_service, host) == ("p3", 2)


def test_of_several_workers_each_turn_is_played_by_one(url: str) -> None:
    """Both look for jobs all the time, and no answer is given twice."""
    with another(url) as one, another(url) as two:
        hosts = [one.create_game(wanted("R", "R", "here", seed=seed)) for seed in range(4)]

        async def scene() -> None:
            async with at_work(one, 0.001), at_work(two, 0.001):
                await until(lambda: not jobs_left(one))

        run(scene())
        assert [turn(two, host) for host in hosts] == [("p3", 2)] * 4
        with one.database.session() as session:
            versions = session.execute(select(EntryRow.game, EntryRow.version)).all()
        assert len(versions) == 8


def test_a_turn_that_somebody_else_has_played_meanwhile_is_not_kept(game_service: GameService) -> None:
    host = game_service.create_game(wanted("R", "R", "here"))
    jobs = Jobs(game_service.database)
    with jobs.claim([bot_turns.BOT_JOB], now()) as job:
        assert job is not None
        with game_service.database.session() as session:
            session.execute(delete(JobRow))
        with pytest.raises(AlreadyDone):
            bot_turns.run_bot_job(game_service, job)
    assert turn(game_service, host) == ("p1", 0)


def test_bots_that_were_asked_by_a_version_without_jobs_go_on(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "R", "here"))
    step(game_service, host)
    with game_service.database.session() as session:
        session.execute(delete(JobRow))
    enqueue_missing_bot_turns(game_service.database)
    enqueue_missing_bot_turns(game_service.database)
    assert jobs_left(game_service) == [f"bot {host.game} 1"]


@pytest.mark.parametrize("fault", [OperationalError("INSERT", {}, OSError("database is locked")), ZeroDivisionError()])
def test_bots_go_on_by_themselves_after_what_went_wrong_and_the_log_says_so(
    fault: Exception, game_service: GameService, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ostbahn.server.jobs.queue.FIRST_WAIT", 0.01)
    host = game_service.create_game(wanted("R", "R", "here"))
    faults = [fault, fault, fault]
    summary = repository._update_summary

    def failing(session: Session, room: Room, now: datetime) -> None:
        if faults and room.id == host.game:  # not at the tables of other tests, whose bots may still play
            raise faults.pop()
        summary(session, room, now)

    monkeypatch.setattr(repository, "_update_summary", failing)

    async def scene() -> None:
        async with at_work(game_service):
            await until(lambda: not jobs_left(game_service))

    with caplog.at_level(logging.WARNING):
        run(scene())
    assert turn(game_service, host) == ("p3", 2)
    said = [record.getMessage() for record in caplog.records if host.game in record.getMessage()]
    assert said == [
        f"job bot {host.game} 0 failed and is tried again in {seconds:g} seconds" for seconds in (0.01, 0.02, 0.04)
    ]


def test_bots_that_wait_are_asked_at_once_when_somebody_acts(
    game_service: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot is put off for a minute; then its host plays the seat themselves, and gives it back."""
    monkeypatch.setattr("ostbahn.server.jobs.queue.FIRST_WAIT", 60.0)
    host = game_service.create_game(wanted("R", "here", "here"))
    failed = Event()
    summary = repository._update_summary

    def failing(*given: Any) -> None:
        failed.set()
        raise ZeroDivisionError

    monkeypatch.setattr(repository, "_update_summary", failing)

    async def scene() -> None:
        async with at_work(game_service):
            await asyncio.to_thread(failed.wait, 20)
            monkeypatch.setattr(repository, "_update_summary", summary)
            await asyncio.to_thread(game_service.assign_seat, host, "p1", "here")
            await asyncio.to_thread(game_service.assign_seat, host, "p1", "R")
            await until(lambda: turn(game_service, host)[1] == 1)

    run(scene())


def test_bots_of_a_game_that_is_gone_are_not_waited_for(game_service: GameService) -> None:
    host = game_service.create_game(wanted("R", "here", "here"))
    with game_service.database.session() as session:
        session.execute(JobRow.__table__.update().values(game="gone"))  # type: ignore[attr-defined]

    async def scene() -> None:
        async with at_work(game_service):
            await until(lambda: not jobs_left(game_service))

    run(scene())
    assert turn(game_service, host) == ("p1", 0)


class Loops:
    def choose(self, question: object, game: object) -> Action:
        while True:
            pass


def test_bots_that_never_answer_do_not_stop_a_table_and_its_log_says_so(database: Database) -> None:
    game_service = game_service_on(database, SeatedBots(0.05, make=lambda code, seed: Loops()))
    host = game_service.create_game(wanted("R", "R", "here"))

    async def scene() -> None:
        async with at_work(game_service):
            await until(lambda: not jobs_left(game_service))

    run(scene())
    with game_service.holding(host.game) as room:
        assert room.turn == "p3"
        assert ["did not answer" in given.note for given in room.given] == [True, True]


def test_bots_keep_their_pace_and_closing_does_not_wait_for_it(game_service: GameService) -> None:
    host = game_service.create_game(wanted("R", "R", "here", pace=SLOWEST))

    async def scene() -> None:
        async with at_work(game_service):
            await until(lambda: turn(game_service, host)[1] == 1)
            await asyncio.sleep(0.1)

    run(scene())
    assert turn(game_service, host) == ("p2", 1)
    assert jobs_left(game_service) == [f"bot {host.game} 1"]


def test_bots_let_people_go_first_but_not_for_ever() -> None:
    courtesy = PriorityGate()
    assert courtesy.wait_for_people(0), "nobody waits"
    with courtesy.serving_person():
        with courtesy.serving_person():
            assert not courtesy.wait_for_people(0)
        assert not courtesy.wait_for_people(0.01), "somebody still waits, but a bot has its turn all the same"
        seen: list[bool] = []
        bot = Thread(target=lambda: seen.append(courtesy.wait_for_people(60)))
        bot.start()
    bot.join(30)
    assert seen == [True], "it goes on as soon as nobody waits"
