"""Best runs with every card and every car: the same as by the integer programme (18Mag M.4, M.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

import msgspec
import pytest

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.titles.mag.actions import AddTown, Car, RunTrains
from ostbahn.titles.mag.modules.supporters_table import MAV, SupportersState
from ostbahn.titles.mag.running import assignments, best, checked_routes, network, running_train
from ostbahn.titles.mag.state import MagTable, OperateWithCars
from tests.golden.games import GOLDEN, golden_game
from tests.kernel import integer_programme

pytestmark = pytest.mark.slow

GAMES = [golden.name for golden in GOLDEN if {"new_major", "supporters"} <= set(golden.modules)]
CARS: tuple[Car, ...] = ("mine", "off_board", "plus")
EVERY = list(chain.from_iterable(combinations(CARS, number) for number in range(4)))


def before_runs(name: str) -> Iterator[Game]:
    """The table before every run that earned something, whoever has the card of Magyar Államvasutak."""
    game = golden_game(name)
    for number, record in enumerate(game.records):
        if isinstance(record.action, RunTrains) and record.action.runs:
            yield game.position(number)


def with_towns(game: Game) -> Iterator[MagTable]:
    """The table as it is, and with one more town for each train of the minor."""
    table = game.table
    assert isinstance(table, MagTable)
    yield table
    minor = game.question.company if game.question else None
    assert minor is not None
    for train in table.trains_of(minor):
        state = game.state
        assert isinstance(state, SupportersState)
        supporters = {**state.supporters, MAV: state.owners[minor]}
        agenda = (*state.agenda[:-1], OperateWithCars(minor))
        changed = msgspec.structs.replace(state, supporters=supporters, used={}, agenda=agenda)
        helped = Game.from_state(game.rulebook, game.setup, changed)
        helped.apply(AddTown(train.card))
        longer = helped.table
        assert isinstance(longer, MagTable)
        assert longer.extra_towns(train.card) == 1
        yield longer


def compare(game: Game, choices: Sequence[Sequence[Car]] = EVERY) -> int:
    """Choices of cars, with every choice of the longer train; says how many routes ran from red to red."""
    minor = game.question.company if game.question else None
    assert minor is not None
    joined = 0
    for table in with_towns(game):
        trains = table.trains_of(minor)
        for cars in choices:
            told = best(table, minor, cars)
            net = network(table, minor)
            fleets = [
                [running_train(table, train, way[train.card]) for train in trains] for way in assignments(trains, cars)
            ]
            assert told.worth == max(integer_programme.most(net, fleet) for fleet in fleets)
            rides = checked_routes(table, minor, told.routes, cars)
            assert not isinstance(rides, Refusal), rides
            assert told.worth == sum(ride.revenue + ride.subsidy for ride in rides)
            joined += sum(ride.red_to_red > 0 for ride in rides)
    return joined


@pytest.mark.rule("18Mag M.4/8", "18Mag M.4/10", "18Mag M.5/9")
@pytest.mark.parametrize("name", GAMES)
def test_some_runs_of_games_with_modules_are_the_best(name: str) -> None:
    games = list(before_runs(name))
    assert len(games) > 50
    for game in games[: len(games) // 2 : len(games) // 6]:
        compare(game, ((), ("plus",), CARS))


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_every_run_of_games_with_modules_is_the_best(name: str) -> None:
    assert sum(compare(game) for game in before_runs(name)) > 0
