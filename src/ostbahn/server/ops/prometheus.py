"""Metrics for Prometheus: workers write theirs into a shared folder, and each of them exposes the sum."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from ostbahn import __version__
from ostbahn.server.metrics import SHARED, HandledRequest, Metrics
from ostbahn.server.ops.health import ServerStats

REFUSED: Final = {
    400: "unreadable",
    403: "not allowed",
    404: "not there",
    409: "against the rules, or too late",
    413: "too large",
    421: "unknown host",
    429: "too often",
    503: "too busy",
}
ANSWER: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10)
THOUGHT: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 60)


class Prometheus(Metrics):
    """server_stats: counts from the database, called at each scrape."""

    def __init__(self, server_stats: Callable[[], ServerStats]) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        own = self._own = CollectorRegistry()
        self._server_stats = server_stats
        self._answers = Counter("ostbahn_answers", "Requests answered", ("method", "route", "status"), registry=own)
        self._seconds = Histogram(
            "ostbahn_answer_seconds", "Until an answer was sent", ("method", "route"), buckets=ANSWER, registry=own
        )
        self._refused = Counter("ostbahn_refused_requests", "Requests refused", ("why",), registry=own)
        self._listening = Gauge(
            "ostbahn_pages_listening", "Pages that hear news", multiprocess_mode="livesum", registry=own
        )
        self._connected = Gauge(
            "ostbahn_database_connections",
            "Connections to the database in use",
            multiprocess_mode="livesum",
            registry=own,
        )
        self._thought = Histogram(
            "ostbahn_bot_thinking_seconds", "Until a bot answered", ("bot",), buckets=THOUGHT, registry=own
        )
        self._notified = Counter(
            "ostbahn_notifications", "Attempts to notify people", ("channel", "outcome"), registry=own
        )

    def request_handled(self, request: HandledRequest) -> None:
        method, route, status, seconds = request
        self._answers.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)
        if status in REFUSED:
            self._refused.labels(REFUSED[status]).inc()

    def stream_opened(self, change: int) -> None:
        self._listening.inc(change)

    def connection_used(self, change: int) -> None:
        self._connected.inc(change)

    def bot_answered(self, code: str, seconds: float) -> None:
        self._thought.labels(code).observe(seconds)

    def notified(self, channel: str, outcome: str) -> None:
        self._notified.labels(channel, outcome).inc()

    def exposition(self) -> tuple[str, bytes]:
        registry = CollectorRegistry()
        folder = os.environ.get(SHARED)
        if folder:
            MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
        else:
            registry.register(self._own)
            ProcessCollector(registry=registry)
        registry.register(_DatabaseCollector(self._server_stats))
        return CONTENT_TYPE_LATEST, generate_latest(registry)


class _DatabaseCollector(Collector):
    def __init__(self, server_stats: Callable[[], ServerStats]) -> None:
        self._server_stats = server_stats

    def collect(self) -> Iterator[Metric]:
        server_stats = self._server_stats()
        games = GaugeMetricFamily("ostbahn_games", "Games that are not over", labels=("which",))
        games.add_metric(("open",), server_stats.open)
        games.add_metric(("active",), server_stats.active)
        yield games
        jobs = GaugeMetricFamily("ostbahn_jobs_waiting", "Jobs that are due", labels=("kind",))
        for kind, number in server_stats.jobs.items():
            jobs.add_metric((kind,), number)
        yield jobs
        yield GaugeMetricFamily(
            "ostbahn_jobs_failing", "Jobs that failed and are tried again", value=server_stats.failing
        )
        info = GaugeMetricFamily("ostbahn_version", "What runs here", labels=("version",))
        info.add_metric((__version__,), 1)
        yield info
