"""How long it takes to say what comes next, at every position of the golden games.

`python3 -m bench.outlook` prints the figures alone; `python3 dev.py bench` takes them in with the others.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from bench.moments import forgotten
from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from ostbahn.kernel.routes.optimiser import clear_caches
from ostbahn.views.outlook import outlook_view
from ostbahn.views.title_views import views_of

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden"


def games() -> list[Game]:
    paths = sorted(path for path in GOLDEN.glob("*.json") if not path.name.endswith(".18xx.json"))
    return [saves.read(path) for path in paths]


def figures() -> dict[str, float]:
    """Milliseconds of the processor. In play a board remembers what was run on it, and a router what it has found; from
    nothing neither does, as when a server has just started."""
    moments = [game.position(number) for game in games() for number in range(len(game))]
    shares = [moment for moment in moments if views_of(moment).scene(moment.question) == "shares"]
    gc.freeze()  # otherwise the games kept here would be searched for garbage meanwhile
    return {
        **_told("outlook", sorted(_timed(moment, outlook_view) for moment in moments)),
        **_told("outlook_shares", sorted(_timed(moment, outlook_view) for moment in shares)),
        **_told("outlook_shares_cold", sorted(_cold(moment) for moment in shares)),
    }


def _told(name: str, times: list[float]) -> dict[str, float]:
    return {
        f"{name}_positions": float(len(times)),
        f"{name}_p50_ms": statistics.median(times),
        f"{name}_p99_ms": times[int(len(times) * 0.99)],
        f"{name}_max_ms": times[-1],
    }


def _cold(moment: Game) -> float:
    bare = forgotten(moment)
    clear_caches()
    return _timed(bare, outlook_view)


def _timed(moment: Game, work: Callable[[Game], object]) -> float:
    start = time.thread_time()
    work(moment)
    return (time.thread_time() - start) * 1e3


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:<30}{value:,.2f}")
