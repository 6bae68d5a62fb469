"""How long people wait for what comes of their answer while `S` thinks at ten other tables, and while nobody does.
`python3 -m bench.thinking` prints the figures.

Both are measured in turn within one run. A machine with one core shows less.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from bench.serving import served
from bench.updates import Shown
from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from ostbahn.server.db.database import sqlite_url_in
from ostbahn.server.web.services import create_services
from ostbahn.table.room import seats_of

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden"
GAMES = ("18CZ-base-3", "18Mag-base-3", "18CZ-base-4", "18Mag-base-4", "18Mag-base-5") * 2
"""Each goes on from its middle with `S` in all seats."""
OWN = "18CZ-base-5"
SECONDS = 12.0
"""For which the bots of a server are watched."""
PAUSE = 0.05
"""Seconds between two requests."""
WAYS: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "alone": (0, ()),
    "outside": (len(GAMES), ()),
}
"""At how many tables bots think, and how the server is started."""
ROUNDS = 3


class Watched(NamedTuple):
    """What a server did."""

    waited: list[float]
    """Milliseconds for each request."""
    answers: float
    """Of bots, in a second."""


def figures() -> dict[str, float]:
    """Milliseconds for an answer with the update of the page that gave it, and answers of bots in a second."""
    watched: dict[str, list[Watched]] = {name: [] for name in WAYS}
    for _ in range(ROUNDS):
        for name, (tables, flags) in WAYS.items():
            watched[name].append(_watched(GAMES[:tables], flags))
    found: dict[str, float] = {}
    for name, rounds in watched.items():
        times = sorted(each for one in rounds for each in one.waited)
        found |= {
            f"thinking_{name}_p50_ms": statistics.median(times),
            f"thinking_{name}_p95_ms": times[int(len(times) * 0.95)],
            f"thinking_{name}_max_ms": times[-1],
            f"thinking_{name}_answers_per_s": statistics.mean(one.answers for one in rounds),
        }
    return found


def _watched(names: Sequence[str], flags: Sequence[str]) -> Watched:
    with tempfile.TemporaryDirectory() as folder:
        made = create_services(sqlite_url_in(Path(folder)), lambda: datetime.now(UTC))
        own = made.game_service.import_game(_game(OWN, 3 / 4)).key
        others = []
        for name in names:
            game = _game(name, 1 / 2)
            host = made.game_service.import_game(game)
            for seat in seats_of(game.setup):
                made.game_service.assign_seat(host, seat, "S")
            others.append(host.key)
        made.database.close()
        with served(folder, *flags) as (address, _), httpx.Client(base_url=f"{address}api/t/", timeout=60) as net:
            return _asked(net, own, others)


def _game(name: str, part: float) -> Game:
    game = saves.read(GOLDEN / f"{name}.json")
    return game.position(int(len(game) * part))


def _asked(net: httpx.Client, own: str, others: Sequence[str]) -> Watched:
    """Answer at one's own table again and again, from when all bots are at work; after each answer it is taken back,
    so that all of them cost the same."""
    shown = Shown({}, -1).after(_sent(net, own, "update", {}))
    time.sleep(2.0)
    before, start = _versions(net, others), time.perf_counter()
    waited = []
    while time.perf_counter() - start < SECONDS:
        view = net.get(own).json()
        action = view["question"]["answers"][0]["action"]
        begun = time.perf_counter()
        fields = {"version": view["version"], "action": action, "page": shown._asdict()}
        shown = shown.after(_sent(net, own, "answer", fields))
        waited.append((time.perf_counter() - begun) * 1e3)
        shown = shown.after(
            _sent(net, own, "undo", {"version": net.get(own).json()["version"], "page": shown._asdict()})
        )
        time.sleep(PAUSE)
    return Watched(waited, (_versions(net, others) - before) / (time.perf_counter() - start))


def _sent(net: httpx.Client, key: str, path: str, fields: dict[str, Any]) -> dict[str, Any]:
    answer = net.post(f"{key}/{path}", json=fields)
    answer.raise_for_status()
    told: dict[str, Any] = answer.json()
    return told


def _versions(net: httpx.Client, keys: Sequence[str]) -> int:
    return sum(net.get(key).json()["version"] for key in keys)


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name}  {value:,.1f}")
