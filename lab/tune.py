"""Tuning by self-play: S with changed weights plays against G and against itself, and CMA-ES learns what to change.

    python -m lab.tune TITLE --generations 10 --games 6 --seed 1 --log tuning.jsonl

Every weight that is a single number with a decimal point is varied by a factor, but for those under `[fixed]`, or only
some of them (`--weights`): the fewer, the less games it takes.
What counts is how much richer one S with the weights of a candidate ends than two G, and where the title says so also
how rich three of them get together. At the end what was learnt is compared with today's weights in games that nothing
was learnt from, and only if it is better `--write` puts it into the weights file. The same seed gives the same
candidates and the same games. The log has a line for the settings, one for each generation and one for the comparison;
a run that was interrupted, or that shall go on for longer, takes what its log has and plays the rest.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache, reduce
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Final, NamedTuple

from msgspec import structs

from lab.logs import RunLog
from ostbahn.bots.playing import Bot, play_out
from ostbahn.bots.policies import Factors, TunableWeights, scale_weights
from ostbahn.bots.registry import seed_for
from ostbahn.bots.search import GreedyBot, SearchBot, SearchPolicies, search_policies_with
from ostbahn.extras import require_extra
from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kits.catalogue import kit_named, kits, new_game
from ostbahn.storage import atomic_write

PLAYERS: Final = 3
CANDIDATES: Final = 8
"""In a generation."""
STEP: Final = 0.2
"""How far the first candidates are from today's weights, as a logarithm."""
UNSEEN: Final = 500_000
"""The first of the seeds that are kept for the comparison, counted from the first that is learnt from."""


# Weights as a list of numbers


def names_of(weights: TunableWeights, prefix: str = "") -> Iterator[str]:
    """All weights that are a single number with a decimal point."""
    for field, value in structs.asdict(weights).items():
        if isinstance(value, TunableWeights):
            yield from names_of(value, f"{prefix}{field}.")
        elif isinstance(value, float):
            yield f"{prefix}{field}"


def value_of(weights: Any, name: str) -> float:
    """Of one weight, by its whole name."""
    return float(reduce(getattr, name.split("."), weights))


def rewritten(text: str, factors: Factors) -> str:
    """A weights file with the new numbers in it; everything else stays, comments as well."""
    section, lines = "", []
    for line in text.splitlines():
        if found := re.match(r"\[([\w.]+)\]", line):
            section = found[1] + "."
        if (found := re.match(r"(\w+)( *= *)(-?\d+\.\d+)(.*)", line)) and f"{section}{found[1]}" in factors:
            value = float(found[3]) * factors[f"{section}{found[1]}"]
            line = f"{found[1]}{found[2]}{_number(value)}{found[4]}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    """Three figures, and always a decimal point: whole numbers are not tuned."""
    text = f"{value:.3g}" if abs(value) < 999 else f"{value:.1f}"
    return text if "." in text else f"{text}.0"


# Playing


def merit(title: str, factors: Factors, seed: int) -> float:
    """How good a candidate is: alone among others, and with its like."""
    policy = kit_named(title).policy
    weights = scale_weights(policy.search_weights(), factors)
    alone = mean(_advantage(title, weights, seed, seat) for seat in range(PLAYERS))
    return alone + (_prosperity(title, weights, seed) if policy.rewards_total_wealth else 0.0)


def _advantage(title: str, weights: TunableWeights, seed: int, seat: int) -> float:
    """How much richer a candidate ends than the others on average, as a logarithm."""
    worth = _played(title, weights, seed, {seat})
    others = [each for number, each in enumerate(worth) if number != seat]
    return math.log(worth[seat]) - math.log(sum(others) / len(others))


def _prosperity(title: str, weights: TunableWeights, seed: int) -> float:
    """How rich candidates get among themselves, as a logarithm."""
    return math.log(sum(_played(title, weights, seed, set(range(PLAYERS)))))


def _played(title: str, weights: TunableWeights, seed: int, seats: Collection[int]) -> list[int]:
    """What everybody has at the end, with candidates on some seats and G on the others."""
    game = new_game(title, [f"Player {number}" for number in range(1, PLAYERS + 1)], seed=seed)
    bots: dict[str, Bot] = {}
    for number, player in enumerate(game.state.players):
        own = seed_for(seed, number)
        bots[player] = SearchBot(own, policies=_minds(weights)) if number in seats else GreedyBot(own)
    play_out(game, bots)
    return [max(game.worth()[player], 1) for player in game.state.players]


def _minds(weights: TunableWeights) -> Callable[[str, int], SearchPolicies]:
    """A candidate's, made once for a game."""

    @lru_cache
    def made(title: str, seed: int) -> SearchPolicies:
        return search_policies_with(title, weights, seed)

    return made


# Learning


class Log(RunLog):
    """What has been played so far; a comparison at the end of an earlier run is made anew."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        super().__init__(path, settings, end="check")

    def merits(self, generation: int) -> list[float] | None:
        """Of the candidates of a generation, if they have been played."""
        return self.lines[generation + 1]["merits"] if generation + 1 < len(self.lines) else None

    def keep(self, generation: int, merits: list[float], factors: Factors) -> None:
        if self.merits(generation) is None:
            self.add({"generation": generation, "merits": merits, "mean": factors})


class Tuning(NamedTuple):
    """What is to be learnt, and from how many games."""

    title: str
    names: Sequence[str]
    """The weights that are varied."""
    generations: int
    games: int
    """Seeds for each candidate."""
    seed: int
    pool: Executor

    @property
    def settings(self) -> dict[str, Any]:
        """What its merits hang on; of the weights that are varied, the values that it begins with."""
        begins = {name: value_of(kit_named(self.title).policy.search_weights(), name) for name in self.names}
        search = {"games": self.games, "seed": self.seed, "candidates": CANDIDATES, "step": STEP}
        return {"title": self.title, "weights": begins, **search}

    def learn(self, log: Log) -> dict[str, float]:
        """The factors in the mean of the last generation."""
        with require_extra("research", "tuning needs"), warnings.catch_warnings(action="ignore"):
            import cma  # which warns that it cannot draw
        options = {"seed": self.seed, "verbose": -9, "popsize": CANDIDATES}
        strategy = cma.CMAEvolutionStrategy([0.0] * len(self.names), STEP, options)
        for generation in range(self.generations):
            points = strategy.ask()
            values = log.merits(generation) or self._generation(generation, points)
            strategy.tell(points, [-value for value in values])
            log.keep(generation, values, _factors(self.names, strategy.mean))
        return _factors(self.names, strategy.mean)

    def _generation(self, number: int, points: Sequence[Sequence[float]]) -> list[float]:
        """The merits of its candidates, as exact as the log has them."""
        candidates = [_factors(self.names, point) for point in points]
        found = self._merits(candidates, self._seeds(number * self.games, self.games))
        return [round(mean(row), 4) for row in found]

    def check(self, factors: Factors, games: int, log: Log) -> bool:
        """Whether the factors are better than today's weights in games that nothing was learnt from.

        Both play the same seeds. The difference must be larger than its standard error, or it may be chance.
        """
        old, new = self._merits([{}, factors], self._seeds(UNSEEN, games))
        gains = [after - before for before, after in zip(old, new, strict=True)]
        gain, error = mean(gains), stdev(gains) / math.sqrt(games)
        better = gain > error
        log.add({"check": games, "gain": round(gain, 4), "error": round(error, 4), "better": better})
        return better

    def _seeds(self, first: int, games: int) -> range:
        start = self.seed * 1_000_000 + first
        return range(start, start + games)

    def _merits(self, candidates: Sequence[Factors], seeds: Sequence[int]) -> list[list[float]]:
        """Of each candidate its merit by seed."""
        running = [[self.pool.submit(merit, self.title, factors, each) for each in seeds] for factors in candidates]
        return [[done.result() for done in row] for row in running]


def _factors(names: Sequence[str], point: Sequence[float]) -> dict[str, float]:
    return {name: round(math.exp(value), 4) for name, value in zip(names, point, strict=True)}


def _chosen(title: str, wanted: str | None) -> list[str]:
    """The weights to vary: those that are named, or all."""
    names = list(names_of(kit_named(title).policy.search_weights()))
    chosen = names if wanted is None else wanted.split(",")
    if unknown := [name for name in chosen if name not in names]:
        raise BadSetup(f"{title} has no weights {', '.join(unknown)}; there are {', '.join(names)}")
    return chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("title", choices=list(kits()))
    parser.add_argument("--generations", type=int, default=10)
    parser.add_argument("--games", type=int, default=4, help="seeds for each candidate; each is three or four games")
    parser.add_argument("--check", type=int, default=12, help="further seeds for the comparison at the end, at least 2")
    parser.add_argument("--weights", metavar="NAME,…", help="only these, such as dealing.levy,shares.control")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument(
        "--write", type=Path, metavar="TOML", help="put what was learnt into this file, if it is better"
    )
    options = parser.parse_args()
    try:
        _tune(options)
    except OstbahnError as fault:
        parser.exit(2, f"tune: {fault}\n")


def _tune(options: argparse.Namespace) -> None:
    names = _chosen(options.title, options.weights)
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        tuning = Tuning(
            title=options.title,
            names=names,
            generations=options.generations,
            games=options.games,
            seed=options.seed,
            pool=pool,
        )
        log = Log(options.log, tuning.settings)
        factors = tuning.learn(log)
        better = tuning.check(factors, max(options.check, 2), log)
    if better and options.write is not None:
        text = rewritten(options.write.read_text(encoding="utf-8"), factors)
        with atomic_write(options.write) as file:
            file.write(text.encode())
    print(json.dumps(factors, indent=1))
    print("better than today's weights" if better else "not better than today's weights, which stay")


if __name__ == "__main__":
    main()
