"""Jobs on a Ray cluster, or on a Ray of one's own on this machine.

Ray could repeat tasks whose worker died by itself. It is told not to (`max_retries=0`), so that a job is never begun
again before its last attempt has failed, and deaths are counted in one place for processes and clusters.
"""

from __future__ import annotations

import logging
import os
from socket import create_connection
from typing import Any, Final, Generic, NamedTuple, TypeVar

import ray
from ray import exceptions as gone

from ostbahn import __version__
from ostbahn.bots.workers import PATIENCE, Answer, Crew, Death, Do, Done, answered, result_of
from ostbahn.kernel.errors import BadSetup

R = TypeVar("R")

DEADLY: Final = (
    *(gone.WorkerCrashedError, gone.NodeDiedError, gone.LocalRayletDiedError, gone.OutOfMemoryError),
    gone.ObjectLostError,  # the job was done, and what came of it went down with its machine
)


class Cluster(NamedTuple):
    """The Ray at an address, or without one a Ray of one's own here."""

    jobs: int = 0
    """At the same time; 0: as many as the cluster has processors, also while it grows."""
    address: str | None = None

    def crew(self, do: Do[R]) -> Crew[R]:
        return RayCrew(do, self.jobs, self.address)


def on_worker(version: str, do: Do[R], number: int) -> Answer[R]:
    """One job, if this machine of the cluster would play it as ours does."""
    if version != __version__:
        told = f"this is Ostbahn {version}, and a worker of the cluster has {__version__}: both have to be the same"
        return Answer(fault=BadSetup(told))
    return answered(do, number)


class RayCrew(Generic[R]):
    def __init__(self, do: Do[R], jobs: int, address: str | None) -> None:
        self.jobs = jobs
        self.own = not ray.is_initialized()
        """Whether nobody else in this program uses it, so that it can be left."""
        if self.own:
            _enter(jobs, address)
        self.job = ray.remote(num_cpus=1, max_retries=0)(on_worker)
        self.do = ray.put(do)  # once, and not with every job
        self.busy: dict[Any, int] = {}

    def room(self) -> int:
        most = self.jobs or int(ray.cluster_resources().get("CPU", 0))
        return max(most, 1) - len(self.busy)

    def give(self, number: int) -> None:
        self.busy[self.job.remote(__version__, self.do, number)] = number

    def ended(self) -> list[Done[R] | Death]:
        (task,), _ = ray.wait(list(self.busy))
        return [self._ended(task, self.busy.pop(task))]

    def _ended(self, task: Any, number: int) -> Done[R] | Death:
        try:
            answer: Answer[R] = ray.get(task)
        except DEADLY as fault:
            return Death(number, type(fault).__name__)
        return Done(number, result_of(answer))

    def close(self) -> None:
        for task in self.busy:
            ray.cancel(task, force=True)
        self.busy.clear()
        if self.own:
            ray.shutdown()


def _enter(jobs: int, address: str | None) -> None:
    """Ray reports to its makers how it is used; what we start ourselves does so only if somebody says so."""
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if address is None:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            ray.init(address="local", num_cpus=jobs or None, include_dashboard=False, **quiet)
        else:
            _knock(address)
            ray.init(address=address, **quiet)
    except (OSError, ValueError) as fault:
        raise BadSetup(f"the cluster {address or 'on this machine'} cannot be reached: {fault}") from None


def _knock(address: str) -> None:
    """Ray itself tries an address at which nobody is for minutes."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdigit():
        create_connection((host, int(port)), timeout=PATIENCE).close()
