"""Which weights go with wealth: `S` plays itself, with other weights on every seat, and a regression tells the rest.

    python -m lab.effects TITLE --variant bohemia --players 2 --games 250 --seed 720000 --log FILE

What counts is how rich somebody became beside the others of the same table. An effect is what a weight adds to the
logarithm of one's wealth if it is e times as large. A run that was interrupted goes on from its log, and `--games` may
say more than before.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from math import exp, log
from pathlib import Path
from random import Random
from typing import NamedTuple

from lab.logs import RunLog
from lab.tune import names_of
from ostbahn.bots.jobs import HERE, backend_at, job_results
from ostbahn.bots.playing import play_out
from ostbahn.bots.policies import scale_weights
from ostbahn.bots.search import SearchBot, search_policies_with
from ostbahn.extras import require_extra
from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.kits.catalogue import entry_of, kit_named, new_game

with require_extra("learnt", "a regression needs"):
    import numpy as np


class Variation(NamedTuple):
    """What is played, and what is varied."""

    title: str
    variant: str
    players: int
    weights: tuple[str, ...]
    breadth: float
    """The standard deviation of the logarithms that weights are multiplied by."""


class Compared(NamedTuple):
    """A game, and what was had on each seat."""

    seed: int
    wealth: tuple[int, ...]


class Effect(NamedTuple):
    weight: str
    size: float
    error: float
    """The standard error."""


def drawn(variation: Variation, seed: int, place: int) -> Mapping[str, float]:
    """The logarithms that a seat's weights are multiplied by."""
    lots = Random(f"effects/{seed}/{place}")
    return {weight: lots.gauss(0.0, variation.breadth) for weight in variation.weights}


def played(variation: Variation, seed: int) -> Compared:
    names = [f"Seat {place + 1}" for place in range(variation.players)]
    game = new_game(variation.title, names, variant=variation.variant, seed=seed)
    play_out(game, {seat: _bot(variation, seed, place) for place, seat in enumerate(game.state.players)})
    wealth = game.worth()
    return Compared(seed, tuple(wealth[seat] for seat in game.state.players))


def _bot(variation: Variation, seed: int, place: int) -> SearchBot:
    factors = {weight: exp(amount) for weight, amount in drawn(variation, seed, place).items()}
    policies = search_policies_with(
        variation.title, scale_weights(kit_named(variation.title).policy.search_weights(), factors)
    )
    return SearchBot(policies=lambda *_: policies)


def effects(variation: Variation, games: Sequence[Compared]) -> list[Effect]:
    """By least squares, each table by itself; the surest effect first."""
    rows, values = [], []
    for game in games:
        weights = np.array([list(drawn(variation, game.seed, place).values()) for place in range(variation.players)])
        wealth = np.array([log(max(1, amount)) for amount in game.wealth])
        rows.append(weights - weights.mean(axis=0))
        values.append(wealth - wealth.mean())
    known, told = len(games) * (variation.players - 1), len(variation.weights)
    if known <= told:
        raise BadSetup(
            f"{len(games)} games tell nothing of {told} weights; play at least {told // (variation.players - 1) + 1}"
        )
    table, wanted = np.concatenate(rows), np.concatenate(values)
    inverse = np.linalg.inv(table.T @ table)
    sizes = inverse @ table.T @ wanted
    variance = float(np.sum((wanted - table @ sizes) ** 2)) / (known - told)
    errors = np.sqrt(np.diag(inverse) * variance)
    found = [Effect(*each) for each in zip(variation.weights, sizes.tolist(), errors.tolist(), strict=True)]
    return sorted(found, key=lambda effect: -abs(effect.size) / effect.error)


def checked(variation: Variation) -> Variation:
    title, variant, players = variation.title, variation.variant, variation.players
    if players not in entry_of(title, variant).players or players < 2:
        raise BadSetup(f"{title} ({variant}) is not for {players} players, of whom one could be the richest")
    if unknown := set(variation.weights) - set(names_of(kit_named(title).policy.search_weights())):
        raise BadSetup(f"{title} has no weight {min(unknown)}")
    return variation


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.effects", description="Which weights of S go with wealth.")
    parser.add_argument("title")
    parser.add_argument("--variant", default="base")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument(
        "--weights", default="", metavar="NAMES", help="those to vary, such as dealing.levy; all without it"
    )
    parser.add_argument("--breadth", type=float, default=0.3, help="how far they are varied")
    parser.add_argument("--games", type=int, default=250)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=0, help="games at the same time; 0: as many as there is room for")
    parser.add_argument("--on", default=HERE, help="here, ray or ray:ADDRESS")
    given = parser.parse_args(arguments)
    try:
        _run(given)
    except OstbahnError as fault:
        parser.error(str(fault))


def _run(given: argparse.Namespace) -> None:
    named = given.weights.split(",") if given.weights else names_of(kit_named(given.title).policy.search_weights())
    variation = checked(Variation(given.title, given.variant, given.players, tuple(named), given.breadth))
    log_ = RunLog(given.log, {**variation._asdict(), "weights": list(variation.weights), "seed": given.seed}, "effects")
    done = [Compared(line["played"], tuple(line["wealth"])) for line in log_.lines[1:]]
    seen = {game.seed for game in done}
    missing = [seed for seed in range(given.seed, given.seed + given.games) if seed not in seen]
    with closing(job_results(partial(played, variation), missing, backend_at(given.on, given.jobs))) as games:
        for number, game in enumerate(games, start=1):
            log_.add({"played": game.seed, "wealth": list(game.wealth)})
            done.append(game)
            print(f"{number} of {len(missing)} games", end="\r" if number < len(missing) else "\n", flush=True)
    found = effects(variation, sorted(done))
    log_.add({"effects": {each.weight: [round(each.size, 4), round(each.error, 4)] for each in found}})
    for each in found:
        print(f"{each.weight:32} {each.size:+.3f} ± {each.error:.3f}")


if __name__ == "__main__":
    main()
