"""Every run of games of 18Mag again: nobody ran for more than our best with the rail cars that were bought, and another
solver finds the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.records import Paid, Record, Revenue
from ostbahn.kernel.routes.network import BestRun, Network, RunningTrain
from ostbahn.kernel.routes.optimiser import best_alternative
from ostbahn.kits.catalogue import DEFAULT, rulebook, rulings_of
from ostbahn.titles.mag.actions import BuyCar, Car, RunTrains
from ostbahn.titles.mag.running import assignments, best, checked_routes, network, running_train
from ostbahn.titles.mag.state import MagTable, OperateWithCars
from tests.interop.reference import claims_one_car_twice, games, imported, whole
from tests.kernel import brute_force, integer_programme
from tests.lengths import length, longer_in_soak

pytestmark = pytest.mark.slow

GAMES = whole(games("18Mag"))
EVERY, HARD = 40, 1
"""One of so many runs of a game is solved again each time, and so many hard ones; all of them are in the long tests."""
CARS = length(24, 6)
"""And of so many runs one with all cars that could be bought."""

in_each_game = pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)


class Ran(NamedTuple):
    """A run of a game."""

    name: tuple[str, int]
    """Game and number of the action in its file."""
    minor: str
    cars: tuple[Car, ...]
    before: Game
    revenue: int
    """What was paid for it there."""
    subsidy: int
    """What a mine paid there."""

    def table(self) -> MagTable:
        """The table before the run, with a board that remembers nothing."""
        state = self.before.state
        board = Board(state.board.tiles, state.board.stations)
        table = self.before.rulebook.table(self.before.setup, msgspec.structs.replace(state, board=board))
        assert isinstance(table, MagTable)
        return table

    def problem(self) -> tuple[Network, list[tuple[RunningTrain, ...]]]:
        """The network, and the trains with the cars that were bought, given to them in every way."""
        table = self.table()
        trains = table.trains_of(self.minor)
        alternatives = [
            tuple(running_train(table, train, way[train.card]) for train in trains)
            for way in assignments(trains, self.cars)
        ]
        return network(table, self.minor), alternatives


@cache
def runs_of(path: Path) -> list[Ran]:
    game, marks, _ = imported(path)
    found = []
    for number, record in enumerate(game.records):
        if isinstance(record.action, RunTrains):
            before = game.position(number)
            task = before.state.agenda[-1]
            assert isinstance(task, OperateWithCars)
            mark = next(mark for mark in marks if mark.actions > number)
            if not claims_one_car_twice(game, number):
                found.append(Ran((path.stem, mark.id), task.company, task.cars, before, *paid(record)))
    return found


def paid(record: Record) -> tuple[int, int]:
    (revenue,) = (event.amount for event in record.events if isinstance(event, Revenue))
    mines = (event.amount for event in record.events if isinstance(event, Paid) and event.why == "mine")
    return revenue, sum(mines)


@cache
def bests_of(path: Path) -> list[BestRun]:
    return [best(run.table(), run.minor, run.cars) for run in runs_of(path)]


@in_each_game
def test_there_are_runs_to_compare(path: Path) -> None:
    runs = runs_of(path)
    assert len(runs) >= 60
    assert sum(run.revenue > 0 for run in runs) >= 30
    assert any(run.cars for run in runs)
    assert any(len(run.problem()[1]) > 1 for run in runs), "cars that could go to one train or to the other"


def test_every_kind_of_car_was_bought_and_mines_paid() -> None:
    runs = [run for path in GAMES for run in runs_of(path)]
    assert {car for run in runs for car in run.cars} == {"off_board", "plus", "mine"}
    assert max(len(run.cars) for run in runs) >= 2
    assert any(run.subsidy for run in runs)


@pytest.mark.rule("18Mag VI.3.7/4")
@in_each_game
def test_nobody_ran_for_more_than_the_best(path: Path) -> None:
    for run, told in zip(runs_of(path), bests_of(path), strict=True):
        assert told.worth >= run.revenue + run.subsidy, run.name


@pytest.mark.rule("18Mag VI.3.7/16", "18Mag VI.4.3/10")
@in_each_game
def test_all_that_was_earned_and_all_that_majors_have_comes_in_tens(path: Path) -> None:
    assert all(run.revenue % 10 == run.subsidy % 10 == 0 for run in runs_of(path))
    game = imported(path).game
    for number in range(len(game) + 1):
        table = game.position(number).table
        assert isinstance(table, MagTable)
        assert all(table.state.cash[major] % 10 == 0 for major in table.title.companies)


@in_each_game
def test_the_best_run_is_legal_and_earns_what_is_said(path: Path) -> None:
    for run, told in zip(runs_of(path), bests_of(path), strict=True):
        rides = checked_routes(run.table(), run.minor, told.routes, run.cars)
        assert not isinstance(rides, Refusal), f"{run.name}: {rides}"
        earned = sum(ride.revenue for ride in rides), sum(ride.subsidy for ride in rides)
        assert earned == (told.revenue, told.subsidy), run.name
        assert told.worth == told.bound, run.name


def some_of(path: Path) -> list[int]:
    """Every 40th run, and some of those with cars that could go to either of two trains."""
    hard = [number for number, run in enumerate(runs_of(path)) if len(run.problem()[1]) > 1]
    return sorted({*range(0, len(runs_of(path)), EVERY), *hard[:: len(hard) // HARD + 1]})


def compare(path: Path, numbers: list[int]) -> None:
    for number in numbers:
        run, told = runs_of(path)[number], bests_of(path)[number]
        net, alternatives = run.problem()
        way, ours = best_alternative(net, alternatives)
        assert not alternatives or brute_force.faults(net, alternatives[way], ours) == [], run.name
        assert ours.worth == told.worth, run.name
        assert told.worth == max((integer_programme.most(net, trains) for trains in alternatives), default=0), run.name


@pytest.mark.rule("18Mag VI.3.7/4")
@in_each_game
def test_the_best_is_what_the_integer_programme_finds(path: Path) -> None:
    compare(path, some_of(path))


@pytest.mark.soak
@in_each_game
def test_the_best_of_every_run_is_what_the_integer_programme_finds(path: Path) -> None:
    compare(path, list(range(len(runs_of(path)))))


# What the rulebook makes of the same boards: every car must be of use, and the highest revenue is demanded


def by_the_rulebook(run: Ran) -> Game:
    """The same position under the rulings of the rulebook, with plenty of money and no car bought yet."""
    before = run.before
    rulings = rulings_of(rulebook("18Mag", before.setup.variant).title.rulings, DEFAULT)
    table = run.table()
    table.state.cash = {**table.state.cash, run.minor: 200}
    table.state.agenda = (*table.state.agenda[:-1], OperateWithCars(run.minor))
    return Game.from_state(before.rulebook, msgspec.structs.replace(before.setup, rulings=rulings), table.state)


def stuck(game: Game, cars: tuple[Car, ...] = ()) -> Iterator[tuple[Car, ...]]:
    """All cars that can be bought in some order so that the run which is proposed then is refused."""
    question = game.question
    assert question is not None
    if any(option.action not in question for option in question.only(RunTrains)):
        yield cars
    for option in question.only(BuyCar):
        assert isinstance(option.action, BuyCar)
        twin = game.copy()
        twin.apply(option.action)
        yield from stuck(twin, (*cars, option.action.car))


@pytest.mark.rule("18Mag VI.3.7/4", "18Mag VI.3.7/5")
@longer_in_soak
@in_each_game
def test_whatever_cars_can_be_bought_the_best_run_with_them_is_legal(path: Path) -> None:
    found = {run.name: cars for run in runs_of(path)[CARS - 6 :: CARS] if (cars := list(stuck(by_the_rulebook(run))))}
    assert found == {}
