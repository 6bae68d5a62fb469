from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from ostbahn.bots.jobs import (
    MAX_DEATHS,
    JobResult,
    JobsLost,
    LostJob,
    ProcessBackend,
    ProcessExecutor,
    WorkerDeath,
    backend_at,
    job_results,
    run_jobs,
)
from ostbahn.extras import MissingExtra
from ostbahn.kernel.errors import BadSetup
from tests.bots.jobs import attempts, deadly, faulty, patient, square, unsendable
from tests.programs import started

SQUARES = [JobResult(number, number * number) for number in range(6)]


def until(true: Callable[[], object]) -> None:
    while not true():
        time.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def begun_by(folder: Path) -> list[int]:
    return [pid for number in range(6) for pid in attempts(folder, number)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_job_is_done_once(jobs: int) -> None:
    """Also one of which comes nothing (None), and whatever numbers they have."""
    ended = list(run_jobs(square, [7, 0, 5, 100], ProcessBackend(jobs)))
    assert sorted(ended) == [JobResult(0, None), JobResult(5, 25), JobResult(7, 49), JobResult(100, 10_000)]


def test_there_may_be_nothing_to_do() -> None:
    assert list(run_jobs(square, [], ProcessBackend(2))) == []


def test_a_killed_worker_costs_no_job_and_none_is_done_twice(tmp_path: Path) -> None:
    """Killed from outside, in the midst of a job; the other worker has begun a job too, and keeps it."""
    running = run_jobs(partial(patient, tmp_path), range(6), ProcessBackend(2))
    assert next(running) == SQUARES[0]
    until(lambda: attempts(tmp_path, 1) and attempts(tmp_path, 2))
    os.kill(attempts(tmp_path, 1)[0], signal.SIGKILL)
    (tmp_path / "go").touch()
    assert sorted(running) == SQUARES[1:]
    assert [len(attempts(tmp_path, number)) for number in range(6)] == [1, 2, 1, 1, 1, 1]


def test_a_job_may_cost_workers_but_not_for_ever(tmp_path: Path) -> None:
    ended = list(run_jobs(partial(deadly, tmp_path), range(6), ProcessBackend(2)))
    assert sorted(each for each in ended if isinstance(each, JobResult)) == [
        each for each in SQUARES if each.number != 2
    ]
    assert [each for each in ended if isinstance(each, LostJob)] == [LostJob(2, "SIGKILL")]
    assert [len(attempts(tmp_path, number)) for number in range(6)] == [1, 1, MAX_DEATHS, 1, 1, 1]


def test_a_job_that_costs_fewer_workers_is_done(tmp_path: Path) -> None:
    ended = list(run_jobs(partial(deadly, tmp_path, often=MAX_DEATHS - 1), range(6), ProcessBackend(2)))
    assert sorted(ended) == SQUARES
    assert len(attempts(tmp_path, 2)) == MAX_DEATHS


def test_what_was_given_up_is_told_when_all_else_is_done(tmp_path: Path) -> None:
    found: list[int] = []
    with pytest.raises(JobsLost, match=r"given up: job 2 \(its worker died 3 times, the last time by SIGKILL\)"):
        found.extend(job_results(partial(deadly, tmp_path), range(6), ProcessBackend(2)))
    assert sorted(found) == [0, 1, 9, 16, 25]


def test_a_worker_that_dies_between_two_jobs_is_replaced() -> None:
    executor = ProcessExecutor(square, 1)
    try:
        executor.submit(3)
        assert executor.wait() == [JobResult(3, 9)]
        (worker,) = executor.idle
        worker.process.kill()
        worker.process.join()
        executor.submit(4)
        assert executor.wait() == [JobResult(4, 16)]
    finally:
        executor.close()


def test_a_death_is_put_down_to_the_job_of_the_dead(tmp_path: Path) -> None:
    executor = ProcessExecutor(partial(patient, tmp_path), 2)
    try:
        executor.submit(1)
        executor.submit(2)
        until(lambda: attempts(tmp_path, 2))
        os.kill(attempts(tmp_path, 2)[0], signal.SIGKILL)
        assert executor.wait() == [WorkerDeath(2, "SIGKILL")]
        assert executor.free_slots() == 1
    finally:
        executor.close()


def test_a_fault_within_a_job_is_told_and_ends_the_others(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="job 1 goes wrong") as told:
        list(run_jobs(partial(faulty, tmp_path), range(6), ProcessBackend(2)))
    assert "in faulty" in told.value.__notes__[0], "where it went wrong"
    assert begun_by(tmp_path)
    assert not [pid for pid in begun_by(tmp_path) if alive(pid)]


def test_what_cannot_be_sent_is_a_fault() -> None:
    with pytest.raises(TypeError, match="what came of a job cannot be sent"):
        list(run_jobs(unsendable, [1], ProcessBackend(2)))


def test_whoever_wants_no_more_results_leaves_nobody_at_work(tmp_path: Path) -> None:
    running = run_jobs(partial(patient, tmp_path), range(6), ProcessBackend(2))
    assert next(running) == SQUARES[0]
    until(lambda: attempts(tmp_path, 1) and attempts(tmp_path, 2))
    running.close()
    assert not [pid for pid in begun_by(tmp_path) if alive(pid)]
    assert [len(attempts(tmp_path, number)) for number in range(6)] == [1, 1, 1, 0, 0, 0]


PROGRAM = """
import os, sys
os.chdir(sys.argv[1])
sys.path[:0] = sys.argv[2:]
os.environ["PYTHONPATH"] = os.pathsep.join(sys.argv[2:])
from functools import partial
from pathlib import Path
from ostbahn.bots.jobs import ProcessBackend, run_jobs
from tests.bots.jobs import patient

if __name__ == "__main__":
    list(run_jobs(partial(patient, Path.cwd()), range(1, 6), ProcessBackend(2)))
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_program_leaves_nobody_at_work(tmp_path: Path, sent: signal.Signals) -> None:
    """Ctrl-C reaches all processes; whoever is killed reaches nobody, but workers notice when their job is done."""
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    paths = [
        str(Path(__file__).resolve().parents[2]),
        *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)),
    ]
    with started([sys.executable, str(file), str(tmp_path), *paths], apart=True) as program:
        until(lambda: len(begun_by(tmp_path)) == 2)
        if sent == signal.SIGINT:
            os.killpg(program.pid, sent)
        else:
            program.kill()
            (tmp_path / "go").touch()
        assert program.stderr is not None
        told = program.stderr.read()  # ends when all who could write have gone
    until(lambda: not [pid for pid in begun_by(tmp_path) if alive(pid)])
    assert len(begun_by(tmp_path)) == 2, "no further job was begun"
    assert told.count("Traceback") == (sent == signal.SIGINT), "only whoever gave out the jobs tells"


@pytest.mark.parametrize("on", ["mars", "ray:", "rays", "here:2", ""])
def test_other_places_are_refused(on: str) -> None:
    with pytest.raises(BadSetup, match="games are played on here, ray or ray:ADDRESS, and not on "):
        backend_at(on)


def test_there_are_as_many_workers_as_somebody_says() -> None:
    assert backend_at("here", 3) == ProcessBackend(3)
    assert backend_at() == ProcessBackend(os.cpu_count() or 1)


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed here, so it is not missing")
def test_a_cluster_needs_an_extra() -> None:
    with pytest.raises(MissingExtra, match=r"playing on a cluster needs the cluster extra: "):
        backend_at("ray")
