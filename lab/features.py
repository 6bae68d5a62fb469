"""Features: games of self-play become positions that a net can learn from, each with what came of it.

    python -m lab.features FOLDER --into positions.npz

Of every game some positions are kept: the beginning of each round, and others as the game's seed draws them. What was
learnt at the end goes with each: what everybody was worth, what each company still paid, and what its share cost.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from lab.outcomes import PAYOUTS, prices
from ostbahn.bots.jobs import HERE, JobResult, backend_at, run_jobs
from ostbahn.bots.nets import FEATURE_ARRAYS, stack_features
from ostbahn.bots.policies import LearntPolicy, TableFeatures
from ostbahn.extras import require_extra
from ostbahn.interop import files
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Revenue, RoundBegan
from ostbahn.kits.catalogue import kit_named
from ostbahn.storage import atomic_write

with require_extra("train", "learning needs"):
    import numpy as np
    from numpy.typing import NDArray

Columns = dict[str, NDArray[Any]]
"""Arrays by their names, a row for each position."""

PART: Final = 0.06
"""How often a position within a round is kept."""
SEATS: Final = 6
"""Tables are filled up with empty seats to so many."""
UNKNOWN: Final = -1.0
"""What a net is not asked for."""


class Position(NamedTuple):
    """A table, and when it was."""

    sight: TableFeatures
    answers: int
    rounds: int
    """Operating Rounds that had begun."""
    stock_rounds: int


class Course(NamedTuple):
    """What happened in a game, in the order of its answers."""

    positions: list[Position]
    paid: list[tuple[int, str, float, float]]
    """After how many answers which company paid how much, and what that became."""
    runs: list[tuple[int, str, int]]
    """After how many answers which company ran for how much."""
    rounds: int
    stock_rounds: int
    end: Any
    """The last table."""


def course_of(game: Game, learnt: LearntPolicy) -> Course:
    """A game played through once more, with looks at it."""
    lots = Random(f"features/{game.setup.seed}")
    again = game.position(0)
    found, payouts = Course([], [], [], 0, 0, None), PAYOUTS[game.setup.title]
    rounds = stock_rounds = 0
    for number, record in enumerate(game.records):
        question = again.question
        assert question is not None
        new = again.apply(record.action)
        table = again.table
        began = [event.round for event in new.events if isinstance(event, RoundBegan)]
        rounds += sum(name.startswith("OR") for name in began)
        stock_rounds += sum(name.startswith("SR") for name in began)
        found.paid.extend((number, *payout) for payout in payouts(question, new, table))
        found.runs.extend((number, each.company, each.amount) for each in new.events if isinstance(each, Revenue))
        if not again.over and (began or lots.random() < PART):
            found.positions.append(Position(learnt.features_of(table), number, rounds, stock_rounds))
        again.drop_history()
    return found._replace(rounds=rounds, stock_rounds=stock_rounds, end=again.table)


def columns_of(paths: Sequence[Path], number: int) -> Columns:
    """All positions of one of the games as arrays."""
    game = files.open_game(paths[number])
    learnt = kit_named(game.setup.title).policy.learnt
    assert learnt is not None, "nothing is known of how a net sees this title"
    course = course_of(game, learnt)
    wealth, last_prices = game.worth(), prices(course.end)
    rows: dict[str, list[Any]] = {name: [] for name in ("wealth", "grown", "price", "next_run", "meta")}
    for position in course.positions:
        sight = position.sight
        rows["wealth"].append(_padded([float(wealth[seat]) for seat in sight.seats], SEATS, UNKNOWN))
        later = [paid for paid in course.paid if paid[0] > position.answers]
        totals: dict[str, float] = {}
        for _, company, _, grown in later:
            totals[company] = totals.get(company, 0.0) + grown
        next_runs: dict[str, int] = {}
        for number, company, amount in course.runs:
            if number > position.answers:
                next_runs.setdefault(company, amount)
        rows["grown"].append([totals.get(company, 0.0) for company in sight.companies])
        rows["price"].append([float(last_prices.get(company, 0)) for company in sight.companies])
        rows["next_run"].append([float(next_runs.get(company, 0)) for company in sight.companies])
        rows["meta"].append(
            [game.setup.seed, course.rounds - position.rounds, course.stock_rounds - position.stock_rounds]
        )
    return {**stack_features([each.sight for each in course.positions], SEATS), **_by_company(rows)}


def _by_company(rows: dict[str, list[Any]]) -> Columns:
    most = max((len(row) for row in rows["grown"]), default=0)
    found = {name: np.array([_padded(row, most, 0.0) for row in rows[name]]) for name in ("grown", "price", "next_run")}
    return {
        **{name: value.astype(np.float32) for name, value in found.items()},
        "wealth": np.array(rows["wealth"], dtype=np.float32),
        "meta": np.array(rows["meta"], dtype=np.int64),
    }


def joined(parts: Sequence[Columns]) -> Columns:
    """The positions of many games; tables with fewer companies are filled up."""
    most = max(part["company"].shape[1] for part in parts)
    found = {}
    for name in parts[0]:
        axis = {"company": 1, "held": 2, "directed": 2, "grown": 1, "price": 1, "next_run": 1}.get(name)
        values = [part[name] for part in parts]
        if axis is not None:
            values = [_widened(value, axis, most) for value in values]
        found[name] = np.concatenate(values)
    return found


def _widened(value: NDArray[Any], axis: int, most: int) -> NDArray[Any]:
    widths = [(0, 0)] * value.ndim
    widths[axis] = (0, most - value.shape[axis])
    return np.pad(value, widths)


def _padded(row: Sequence[float], most: int, filler: float) -> list[float]:
    return [*row, *[filler] * (most - len(row))]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=0, help="at the same time; 0: as many as there is room for")
    given = parser.parse_args(arguments)
    paths = sorted(path for folder in given.folder for path in folder.glob("*.json"))
    with closing(run_jobs(partial(columns_of, paths), range(len(paths)), backend_at(HERE, given.jobs))) as done:
        parts = {ended.number: ended.result for ended in done if isinstance(ended, JobResult)}
    found = joined([parts[number] for number in sorted(parts) if len(parts[number]["meta"])])
    columns: dict[str, Any] = {name: _short(name, value) for name, value in found.items()}
    with atomic_write(given.into) as file:
        np.savez_compressed(file, **columns)
    print(f"{len(found['meta'])} positions of {len(parts)} games")


def _short(name: str, value: NDArray[Any]) -> NDArray[Any]:
    """What a net sees needs no more figures than these."""
    return value.astype(np.float16) if name in FEATURE_ARRAYS else value


if __name__ == "__main__":
    main()
