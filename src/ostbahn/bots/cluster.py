"""Jobs on a Ray cluster, or on a local Ray.

Ray's own retries are off (`max_retries=0`): `jobs.py` counts deaths and repeats jobs for processes and clusters alike.
"""

from __future__ import annotations

import logging
import os
from socket import create_connection
from typing import Any, Final, Generic, NamedTuple, TypeVar

import ray
from ray import exceptions as gone

from ostbahn import __version__
from ostbahn.bots.jobs import (
    GRACE_SECONDS,
    JobExecutor,
    JobFunction,
    JobReply,
    JobResult,
    WorkerDeath,
    result_or_raise,
    run_job,
)
from ostbahn.kernel.errors import BadSetup

R = TypeVar("R")

DEADLY: Final = (
    *(gone.WorkerCrashedError, gone.NodeDiedError, gone.LocalRayletDiedError, gone.OutOfMemoryError),
    gone.ObjectLostError,  # the result was lost with its machine
)


class RayBackend(NamedTuple):
    """The Ray cluster at an address; without one, a new local Ray."""

    jobs: int = 0
    """Jobs at the same time; 0 for the present number of processors of the cluster."""
    address: str | None = None

    def executor(self, do: JobFunction[R]) -> JobExecutor[R]:
        return RayExecutor(do, self.jobs, self.address)


def run_remote_job(version: str, do: JobFunction[R], number: int) -> JobReply[R]:
    """Run one job, or refuse if this worker has another version of Ostbahn."""
    if version != __version__:
        words = f"this is Ostbahn {version}, and a worker of the cluster has {__version__}: both have to be the same"
        return JobReply(fault=BadSetup(words))
    return run_job(do, number)


class RayExecutor(Generic[R]):
    def __init__(self, do: JobFunction[R], jobs: int, address: str | None) -> None:
        self.jobs = jobs
        self.own = not ray.is_initialized()
        """Whether we started Ray and so shut it down."""
        if self.own:
            _connect(jobs, address)
        self.job = ray.remote(num_cpus=1, max_retries=0)(run_remote_job)
        self.do = ray.put(do)  # once instead of with every job
        self.busy: dict[Any, int] = {}

    def free_slots(self) -> int:
        slots = self.jobs or int(ray.cluster_resources().get("CPU", 0))
        return max(slots, 1) - len(self.busy)

    def submit(self, number: int) -> None:
        self.busy[self.job.remote(__version__, self.do, number)] = number

    def wait(self) -> list[JobResult[R] | WorkerDeath]:
        (task,), _ = ray.wait(list(self.busy))
        return [self._receive(task, self.busy.pop(task))]

    def _receive(self, task: Any, number: int) -> JobResult[R] | WorkerDeath:
        try:
            reply: JobReply[R] = ray.get(task)
        except DEADLY as fault:
            return WorkerDeath(number, type(fault).__name__)
        return JobResult(number, result_or_raise(reply))

    def close(self) -> None:
        for task in self.busy:
            ray.cancel(task, force=True)
        self.busy.clear()
        if self.own:
            ray.shutdown()


def _connect(jobs: int, address: str | None) -> None:
    """Connect to a cluster or start a local Ray, without its usage reports unless the environment enables them."""
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if address is None:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            ray.init(address="local", num_cpus=jobs or None, include_dashboard=False, **quiet)
        else:
            _check_reachable(address)
            ray.init(address=address, **quiet)
    except (OSError, ValueError) as fault:
        raise BadSetup(f"the cluster {address or 'on this machine'} cannot be reached: {fault}") from None


def _check_reachable(address: str) -> None:
    """Fail fast if nothing listens at an address; Ray itself would try for minutes."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdigit():
        create_connection((host, int(port)), timeout=GRACE_SECONDS).close()
