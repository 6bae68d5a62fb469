"""Every run of games of 18xx.games again: nobody ran for more than our best, and another solver finds the same.

The boards are those of the games. Each is solved twice: under the rulings of the game, which are the site's, and
as if they were the rulebook's.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.records import Record, Revenue
from ostbahn.kernel.routes.network import Network, RunningTrain
from ostbahn.kernel.routes.optimiser import best_run
from ostbahn.kits.catalogue import DEFAULT, SITE, rulebook, rulings_of
from ostbahn.titles.cz.actions import RunTrains
from ostbahn.titles.cz.running import as_train, best, network, rides_of, runnable
from ostbahn.titles.cz.state import CzTable, OperateTrains
from tests.interop.reference import games, imported
from tests.kernel import brute_force, integer_programme

pytestmark = pytest.mark.slow

GAMES = games()
PRESETS = (SITE, DEFAULT)
ILLEGAL = {("29247", 345)}
"""Runs that the site let pass: one from Praha to Praha."""
EVERY, HARD = 50, 2
"""One of so many runs of a game is solved again each time, and so many hard ones; all of them are in the long tests."""

in_each_game = pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
under_each_ruling = pytest.mark.parametrize("preset", PRESETS)


class Ran(NamedTuple):
    """A run of a game."""

    name: tuple[str, int]
    """Game and number of the action in its file."""
    company: str
    before: Game
    revenue: int
    """What was paid for it there."""

    def table(self, preset: str) -> CzTable:
        """The table before the run, under other rulings perhaps, with a board that remembers nothing."""
        rulings = rulings_of(rulebook("18CZ", self.before.setup.variant).title.rulings, preset)
        state = self.before.state
        board = Board(state.board.tiles, state.board.stations)
        table = self.before.rulebook.table(
            msgspec.structs.replace(self.before.setup, rulings=rulings), msgspec.structs.replace(state, board=board)
        )
        assert isinstance(table, CzTable)
        return table

    def problem(self, preset: str) -> tuple[Network, tuple[RunningTrain, ...]]:
        table = self.table(preset)
        return network(table, self.company), tuple(as_train(table, train) for train in runnable(table, self.company))


@cache
def runs_of(path: Path) -> list[Ran]:
    game, marks, _ = imported(path)
    found = []
    for number, record in enumerate(game.records):
        if isinstance(record.action, RunTrains):
            before = game.position(number)
            task = before.state.agenda[-1]
            assert isinstance(task, OperateTrains)
            mark = next(mark for mark in marks if mark.actions > number)
            found.append(Ran((path.stem, mark.id), task.company, before, paid(record)))
    return found


def paid(record: Record) -> int:
    (revenue,) = (event.amount for event in record.events if isinstance(event, Revenue))
    return revenue


@cache
def optimum(net: Network, trains: tuple[RunningTrain, ...]) -> int:
    return integer_programme.most(net, trains)


@in_each_game
def test_there_are_runs_to_compare(path: Path) -> None:
    runs = runs_of(path)
    assert len(runs) >= 60
    assert sum(run.revenue > 0 for run in runs) >= 30
    assert any(len(run.problem(SITE)[1]) > 1 for run in runs)


@pytest.mark.timeout(600)
@pytest.mark.rule("18CZ VIII.8/6")
@in_each_game
def test_nobody_ran_for_more_than_the_best(path: Path) -> None:
    more = {run.name for run in runs_of(path) if run.revenue > best_run(*run.problem(SITE)).revenue}
    assert more == {name for name in ILLEGAL if name[0] == path.stem}


def some_of(path: Path) -> list[Ran]:
    """Every 50th run, and some of those with many trains or far-reaching ones."""
    runs = runs_of(path)
    hard = [run for run in runs if len(run.problem(SITE)[1]) > 2 or any(t.kind.stops > 5 for t in e_trains(run))]
    return [*runs[::EVERY], *hard[:: len(hard) // HARD + 1]]


def e_trains(run: Ran) -> list[RunningTrain]:
    return [train for train in run.problem(SITE)[1] if train.kind.skips_towns]


def compare(runs: list[Ran], preset: str) -> None:
    for run in runs:
        net, trains = run.problem(preset)
        ours = best_run(net, trains)
        assert brute_force.faults(net, trains, ours) == [], run.name
        assert ours.revenue == ours.bound == optimum(net, trains), run.name


@pytest.mark.timeout(600)
@pytest.mark.rule("18CZ VIII.8/6")
@under_each_ruling
@in_each_game
def test_the_best_is_what_the_integer_programme_finds(path: Path, preset: str) -> None:
    compare(some_of(path), preset)


@pytest.mark.soak
@under_each_ruling
@in_each_game
def test_the_best_of_every_run_is_what_the_integer_programme_finds(path: Path, preset: str) -> None:
    compare(runs_of(path), preset)


@under_each_ruling
@in_each_game
def test_the_best_run_is_legal_and_earns_what_is_said(path: Path, preset: str) -> None:
    for run in runs_of(path):
        table = run.table(preset)
        told = best(table, run.company)
        rides = rides_of(table, run.company, told.routes)
        assert not isinstance(rides, Refusal), f"{run.name}: {rides}"
        assert sum(ride.revenue for ride in rides) == told.revenue == told.bound, run.name


@pytest.mark.rule("18CZ VIII.7/7")
@in_each_game
def test_the_rulings_matter_only_to_e_trains(path: Path) -> None:
    for run in runs_of(path):
        if run.table(SITE).size(run.company) != "large":
            assert run.problem(SITE) == run.problem(DEFAULT), run.name


def test_the_rulings_do_matter() -> None:
    """By the site's reading some runs earn more, and it is worth to tell them apart."""
    sums = {preset: sum(best_run(*run.problem(preset)).revenue for run in runs_of(GAMES[0])) for preset in PRESETS}
    assert sums[SITE] != sums[DEFAULT]
