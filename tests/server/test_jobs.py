"""Jobs: wanted with a change or not at all, done by one, and tried again until they succeed."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from datetime import timedelta
from threading import Event, Lock

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from ostbahn.server.db.database import Database
from ostbahn.server.jobs.queue import AlreadyDone, Job, Jobs, enqueue, finish
from ostbahn.server.jobs.runner import JobRunner
from tests.server.loops import run
from tests.server.tables import now

MINUTE = timedelta(minutes=1)


def wanted(database: Database, *names: str, kind: str = "errand", **more: object) -> None:
    with database.session() as session:
        for name in names:
            enqueue(session, kind, name, **more)  # type: ignore[arg-type]


def names(jobs: Jobs) -> list[str]:
    """All that are due, each finished in its turn."""
    found: list[str] = []
    while True:
        with jobs.claim(["errand"], now()) as job:
            if job is None:
                return found
            found.append(job.name)
            with jobs.database.session() as session:
                finish(session, job)


def test_the_same_job_is_wanted_once(database: Database) -> None:
    jobs = Jobs(database)
    wanted(database, "a", "b", "a")
    wanted(database, "b")
    assert names(jobs) == ["a", "b"]
    wanted(database, "a")
    assert names(jobs) == ["a"], "what was done may be wanted again"


def test_what_is_not_kept_was_never_wanted(database: Database) -> None:
    def changed() -> None:
        with database.session() as session:
            enqueue(session, "errand", "a")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        changed()
    assert names(Jobs(database)) == []


def test_a_job_is_claimed_by_one_and_free_again_if_it_was_not_done(database: Database) -> None:
    jobs = Jobs(database)
    wanted(database, "a", "b")
    with jobs.claim(["errand"], now()) as first, jobs.claim(["errand"], now()) as second:
        assert first is not None
        assert second is not None
        assert {first.name, second.name} == {"a", "b"}
        with jobs.claim(["errand"], now()) as third:
            assert third is None
    assert sorted(names(jobs)) == ["a", "b"]


def test_only_kinds_that_were_asked_for_and_only_when_they_are_due(database: Database) -> None:
    jobs = Jobs(database)
    wanted(database, "other", kind="other")
    wanted(database, "later", due=now() + MINUTE)
    with jobs.claim(["errand"], now()) as job:
        assert job is None
    with jobs.claim(["errand"], now() + 2 * MINUTE) as job:
        assert job is not None
        assert job.name == "later"


def test_a_job_that_fails_waits_longer_each_time_and_a_clock_put_back_does_not_stop_it(database: Database) -> None:
    jobs = Jobs(database)
    wanted(database, "a")
    at, waits = now(), []
    for _ in range(11):
        with jobs.claim(["errand"], at) as job:
            assert job is not None
            waits.append(jobs.retry_later(job, "it rains", at))
        with jobs.claim(["errand"], at) as job:
            assert job is None
        at += timedelta(seconds=waits[-1])
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    with jobs.claim(["errand"], at - timedelta(days=2)) as job:
        assert job is not None, "the clock was put back by two days"


def test_a_job_is_free_again_if_the_database_was_away_while_it_was_claimed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = Jobs(database)
    wanted(database, "a")
    usual, asked = database.session, 0

    def session() -> AbstractContextManager[Session]:
        nonlocal asked
        asked += 1
        if asked == 2:  # it is known which job is due, and it is claimed, but cannot be read
            raise OperationalError("SELECT", None, Exception("the server closed the connection"))
        return usual()

    monkeypatch.setattr(database, "session", session)
    with pytest.raises(OperationalError), jobs.claim(["errand"], now()):
        pass
    monkeypatch.undo()
    assert names(jobs) == ["a"]


def test_what_somebody_else_has_done_is_not_done_again(database: Database) -> None:
    jobs = Jobs(database)
    wanted(database, "a", "b")
    with jobs.claim(["errand"], now()) as job:
        assert job is not None
        with database.session() as session:
            finish(session, job)
        with pytest.raises(AlreadyDone):
            _try_again(database, job)
    assert names(jobs) == ["b"], "all of the second try is undone"


def _try_again(database: Database, job: Job) -> None:
    with database.session() as session:
        enqueue(session, "errand", "never")
        finish(session, job)


def test_the_runner_does_all_even_after_faults_and_several_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ostbahn.server.jobs.queue.FIRST_WAIT", 0.01)
    done: list[str] = []
    lock, together, all_done = Lock(), Event(), Event()

    def delivery(job: Job) -> None:
        if job.name == "broken" and not job.tries:
            raise ZeroDivisionError
        if job.name == "first":
            assert together.wait(20), "another one is done meanwhile"
        if job.name == "second":
            together.set()
        with lock:
            done.append(job.name)
            if len(done) == 4:
                all_done.set()

    async def scene() -> None:
        runner = JobRunner(Jobs(database), now, poll_interval=0.02)
        runner.register("errand", delivery, max_parallel=2)
        wanted(database, "left by another")
        await runner.start()
        wanted(database, "first", "broken", "second")
        assert await asyncio.to_thread(all_done.wait, 20)
        await runner.close()

    run(scene())
    assert sorted(done) == ["broken", "first", "left by another", "second"]


def test_the_runner_looks_again_after_the_database_was_away(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    done = Event()

    async def scene() -> None:
        jobs = Jobs(database)
        runner = JobRunner(jobs, now, poll_interval=0.02)
        runner.register("errand", lambda job: done.set())
        wanted(database, "a")
        with monkeypatch.context() as away:
            away.setattr(jobs, "due", lambda *_: (_ for _ in ()).throw(OSError("away")))
            await runner.start()
            while "away" not in caplog.text:
                await asyncio.sleep(0.01)
        assert await asyncio.to_thread(done.wait, 20)
        await runner.close()

    run(scene())
