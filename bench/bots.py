"""How long bots take: for an answer, and for a game of three. `python3 -m bench.bots` prints the figures;
`python3 dev.py bench --bots` takes them in with the others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from ostbahn.research.arena import Contest, play

GAMES = 6
SEED = 300
TABLES = {
    "g_18cz": ("18CZ", ("G", "G", "G")),
    "g_18mag": ("18Mag", ("G", "G", "G")),
    "s_18cz": ("18CZ", ("S", "G", "G")),
    "s_18mag": ("18Mag", ("S", "G", "G")),
}
"""Who plays; the answers of the first are timed."""
PARTS = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}


def figures() -> dict[str, float]:
    """Of a few games for each table: milliseconds of an answer, and seconds of the processor for a game."""
    found: dict[str, float] = {}
    for name, (title, bots) in TABLES.items():
        contest = Contest(title=title, bots=bots, games=GAMES, seed=SEED)
        times, games = _timed(contest)
        found |= {f"bot_{name}_{what}_ms": _part(times, part) for what, part in PARTS.items()}
        found |= {f"bot_{name}_game_s": sum(games) / len(games), f"bot_{name}_game_max_s": max(games)}
    return found


def _timed(contest: Contest) -> tuple[list[float], list[float]]:
    """How long each answer of the first bot took, in order, and how long each game."""
    answers: list[float] = []
    games: list[float] = []
    for number in range(contest.games):
        start = time.process_time()
        played = play(contest, number)
        games.append(time.process_time() - start)
        answers += played.times_ms[0]
    return sorted(answers), games


def _part(times: Sequence[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))]


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name}  {value:,.2f}")
