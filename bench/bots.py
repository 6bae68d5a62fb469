"""How long bots take: for an answer, and for a game of three. `python3 -m bench.bots` prints the figures;
`python3 dev.py bench --bots` takes them in with the others.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

from ostbahn.bots.arena import Contest, play_game
from ostbahn.bots.nets import net_of_package, stack_features
from ostbahn.bots.policies import TableFeatures
from ostbahn.bots.search import GreedyBot
from ostbahn.kits.catalogue import kit_named, new_game

GAMES = 6
SEED = 300
TABLES = {
    "g_18cz": ("18CZ", ("G", "G", "G")),
    "g_18mag": ("18Mag", ("G", "G", "G")),
    "s_18cz": ("18CZ", ("S", "G", "G")),
    "s_18mag": ("18Mag", ("S", "G", "G")),
    "n_18cz": ("18CZ", ("N", "G", "G")),
    "n_18mag": ("18Mag", ("N", "G", "G")),
}
"""Who plays; the answers of the first are timed."""
POSITIONS, TIMES = 32, 200
"""Tables that a net judges at once, and how often."""
PARTS = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}


def figures() -> dict[str, float]:
    """Of a few games for each table: milliseconds of an answer, and seconds of the processor for a game."""
    found: dict[str, float] = {}
    for name, (title, bots) in TABLES.items():
        contest = Contest(title=title, bots=bots, games=GAMES, seed=SEED)
        times, games = _timed(contest)
        found |= {f"bot_{name}_{what}_ms": _part(times, part) for what, part in PARTS.items()}
        found |= {f"bot_{name}_game_s": sum(games) / len(games), f"bot_{name}_game_max_s": max(games)}
    return found | {f"net_{title.lower()}_ms": judging(title) for title in ("18CZ", "18Mag")}


def judging(title: str) -> float:
    """Milliseconds in which a title's net judges many tables, all at once and already seen; the median."""
    learnt = kit_named(title).policy.learnt
    assert learnt is not None
    net = net_of_package(learnt.package)
    assert net is not None
    game, bot = new_game(title, ["Anna", "Boris", "Clara"], seed=SEED), GreedyBot()
    sights: list[TableFeatures] = []
    while game.question is not None and len(sights) < POSITIONS:
        game.apply(bot.choose(game.question, game))
        if len(game) % 10 == 0 and not game.over:
            sights.append(learnt.features_of(game.table))
    seen, times = stack_features(sights), []
    for _ in range(TIMES):
        start = time.perf_counter()
        net.outputs(seen)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def _timed(contest: Contest) -> tuple[list[float], list[float]]:
    """How long each answer of the first bot took, in order, and how long each game."""
    answers: list[float] = []
    games: list[float] = []
    for number in range(contest.games):
        start = time.process_time()
        played = play_game(contest, number)
        games.append(time.process_time() - start)
        answers += played.times_ms[0]
    return sorted(answers), games


def _part(times: Sequence[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))]


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name}  {value:,.2f}")
