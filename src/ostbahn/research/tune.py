"""Tuning by self-play: S with changed weights plays against G and against itself, and CMA-ES learns what to change.

    python -m ostbahn.research.tune 18CZ --generations 10 --games 6 --seed 1 --log 18cz.jsonl

Every weight with a decimal point is varied by a factor. Candidates do not look ahead, which would take too long. What
counts is how much richer one of them ends than two G, and how rich three of them get together. The same seed gives the
same candidates and the same games; the log has a line for each generation, and the last one says what to put into the
weights file (`--write` does it).
"""

from __future__ import annotations

import argparse
import json
import math
import re
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, TextIO

from msgspec import structs

from ostbahn.bots.playing import play_out
from ostbahn.bots.policies import CHARACTER, POLICIES, Player
from ostbahn.bots.registry import seed_for
from ostbahn.bots.weights import Numbers, varied
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.telling.faces import face_of
from ostbahn.titles.catalogue import new_game

PLAYERS: Final = 3
STEP: Final = 0.2
"""How far the first candidates are from today's weights, as a logarithm."""

Factors = Mapping[str, float]
"""By the name of a weight (`dealing.levy`), what it is multiplied with."""


class Candidate:
    """Plays by rules of thumb with weights of its own."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def choose(self, question: Question, game: Game) -> Action:
        return self.player.proposals(question, game)[0].action


# Weights as a list of numbers


def names_of(weights: Numbers, prefix: str = "") -> Iterator[str]:
    """All weights that are a single number with a decimal point."""
    for field, value in structs.asdict(weights).items():
        if isinstance(value, Numbers):
            yield from names_of(value, f"{prefix}{field}.")
        elif isinstance(value, float):
            yield f"{prefix}{field}"


def multiplied(weights: Any, factors: Factors, prefix: str = "") -> Any:
    """The weights with some of them multiplied."""
    changed: dict[str, Any] = {}
    for field, value in structs.asdict(weights).items():
        if isinstance(value, Numbers):
            changed[field] = multiplied(value, factors, f"{prefix}{field}.")
        elif isinstance(value, float):
            changed[field] = value * factors.get(f"{prefix}{field}", 1.0)
    return structs.replace(weights, **changed)


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
    weights = multiplied(POLICIES[title].search_weights(), factors)
    alone = [_advantage(title, weights, seed, seat) for seat in range(PLAYERS)]
    return sum(alone) / PLAYERS + _prosperity(title, weights, seed)


def _advantage(title: str, weights: Numbers, seed: int, seat: int) -> float:
    """How much richer a candidate ends than the others on average, as a logarithm."""
    worth = _played(title, weights, seed, {seat})
    others = [each for number, each in enumerate(worth) if number != seat]
    return math.log(worth[seat]) - math.log(sum(others) / len(others))


def _prosperity(title: str, weights: Numbers, seed: int) -> float:
    """How rich candidates get among themselves, as a logarithm."""
    return math.log(sum(_played(title, weights, seed, set(range(PLAYERS)))))


def _played(title: str, weights: Numbers, seed: int, seats: Collection[int]) -> list[int]:
    """What everybody has at the end, with candidates on some seats and G on the others."""
    game = new_game(title, [f"Player {number}" for number in range(1, PLAYERS + 1)], seed=seed)
    bots = {}
    for number, player in enumerate(game.state.players):
        mine = number in seats
        own = varied(weights if mine else POLICIES[title].weights(), seed_for(seed, number), CHARACTER)
        bots[player] = Candidate(Player(title, own, searching=mine))
    play_out(game, bots)
    return [max(face_of(game).standings()[player], 1) for player in game.state.players]


# Learning


def tune(title: str, generations: int, games: int, seed: int, jobs: int, log: TextIO) -> dict[str, float]:
    """The factors that did best in the mean of the last generation."""
    with warnings.catch_warnings(action="ignore"):  # it would rather draw as well
        import cma
    names = list(names_of(POLICIES[title].search_weights()))
    options = {"seed": seed, "verbose": -9, "popsize": 8}
    strategy = cma.CMAEvolutionStrategy([0.0] * len(names), STEP, options)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for generation in range(generations):
            points = strategy.ask()
            candidates = [_factors(names, point) for point in points]
            seeds = [seed * 1_000_000 + generation * games + number for number in range(games)]
            running = [[pool.submit(merit, title, factors, each) for each in seeds] for factors in candidates]
            values = [sum(done.result() for done in row) / games for row in running]
            strategy.tell(points, [-value for value in values])
            found = _factors(names, strategy.mean)
            line = {"generation": generation, "merits": [round(value, 4) for value in values], "mean": found}
            log.write(json.dumps(line) + "\n")
            log.flush()
    return _factors(names, strategy.mean)


def _factors(names: Sequence[str], point: Sequence[float]) -> dict[str, float]:
    return {name: round(math.exp(value), 4) for name, value in zip(names, point, strict=True)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("title", choices=list(POLICIES))
    parser.add_argument("--generations", type=int, default=10)
    parser.add_argument("--games", type=int, default=4, help="seeds for each candidate; each is four games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--write", type=Path, metavar="TOML", help="put what was learnt into this weights file")
    options = parser.parse_args()
    with options.log.open("w", encoding="utf-8") as log:
        factors = tune(options.title, options.generations, options.games, options.seed, options.jobs, log)
    if options.write is not None:
        options.write.write_text(rewritten(options.write.read_text(encoding="utf-8"), factors), encoding="utf-8")
    print(json.dumps(factors, indent=1))


if __name__ == "__main__":
    main()
