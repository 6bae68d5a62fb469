"""Jobs on a Ray of our own, with two processors. It is large and not among what tests need: without it they skip."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from ostbahn.bots.arena import Contest, PlayedGame, play_contest
from ostbahn.bots.jobs import MAX_DEATHS, JobReply, JobResult, LostJob, backend_at, run_jobs
from ostbahn.kernel.errors import BadSetup
from tests.bots.jobs import attempts, deadly, faulty, patient, square

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install ray, and the cluster is tested too")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

SQUARES = [JobResult(number, number * number) for number in range(6)]
CONTEST = Contest(title="18CZ", variant="moravia", bots=("G", "R"), games=6, seed=5)


@pytest.fixture(scope="module", autouse=True)
def started() -> Iterator[None]:
    """One Ray for all tests here, as it takes seconds to begin; it is entered and left as any other."""
    from ostbahn.bots.cluster import _connect

    _connect(2, None)
    yield
    ray.shutdown()


def until(true: Callable[[], object]) -> None:
    while not true():
        time.sleep(0.01)


def untimed(played: PlayedGame) -> PlayedGame:
    return msgspec.structs.replace(played, seconds=0.0, times_ms={})


def test_every_job_is_done_once() -> None:
    ended = list(run_jobs(square, [7, 0, 5, 100], backend_at("ray")))
    assert sorted(ended) == [JobResult(0, None), JobResult(5, 25), JobResult(7, 49), JobResult(100, 10_000)]


def test_a_killed_worker_costs_no_job_and_none_is_done_twice(tmp_path: Path) -> None:
    running = run_jobs(partial(patient, tmp_path), range(6), backend_at("ray", 2))
    assert next(running) == SQUARES[0]
    until(lambda: attempts(tmp_path, 1) and attempts(tmp_path, 2))
    os.kill(attempts(tmp_path, 1)[0], signal.SIGKILL)
    (tmp_path / "go").touch()
    assert sorted(running) == SQUARES[1:]
    assert [len(attempts(tmp_path, number)) for number in range(6)] == [1, 2, 1, 1, 1, 1]


def test_a_job_may_cost_workers_but_not_for_ever(tmp_path: Path) -> None:
    ended = list(run_jobs(partial(deadly, tmp_path), range(6), backend_at("ray", 2)))
    assert sorted(each for each in ended if isinstance(each, JobResult)) == [
        each for each in SQUARES if each.number != 2
    ]
    assert [each for each in ended if isinstance(each, LostJob)] == [LostJob(2, "WorkerCrashedError")]
    assert [len(attempts(tmp_path, number)) for number in range(6)] == [1, 1, MAX_DEATHS, 1, 1, 1]


def test_a_fault_within_a_job_is_told_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="job 1 goes wrong") as told:
        list(run_jobs(partial(faulty, tmp_path), range(6), backend_at("ray", 2)))
    assert type(told.value) is ValueError
    assert "in faulty" in told.value.__notes__[0]


def test_a_contest_is_the_same_here_and_there(tmp_path: Path) -> None:
    """The games, and the files, which are all written here."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    expected = {played.number: untimed(played) for played in play_contest(CONTEST, 1, here)}
    found = [untimed(played) for played in play_contest(CONTEST, 2, there, on="ray")]
    assert sorted(played.number for played in found) == list(range(6))
    assert {played.number: played for played in found} == expected
    assert {path.name for path in here.iterdir()} == {path.name for path in there.iterdir()}
    for path in here.glob("?????.json"):
        assert path.read_bytes() == (there / path.name).read_bytes()


def test_a_worker_of_another_version_plays_nothing() -> None:
    from ostbahn.bots.cluster import run_remote_job

    answer: JobReply[int | None] = run_remote_job("0.0.7", square, 3)
    assert isinstance(answer.fault, BadSetup)
    assert "this is Ostbahn 0.0.7, and a worker of the cluster has " in str(answer.fault)


def test_a_cluster_that_is_not_there_is_told() -> None:
    from ostbahn.bots.cluster import _connect

    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(BadSetup, match=f"the cluster {address} cannot be reached"):
        _connect(0, address)


def test_ray_is_left_to_those_who_use_it_already() -> None:
    assert list(run_jobs(square, [2], backend_at("ray"))) == [JobResult(2, 4)]
    assert ray.is_initialized()
