"""Best runs where there are many ways: crowded boards against the integer programme, and one on which all is built."""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest

from bench.crowded import BOARDS, COMPANY, cases
from bench.dense import dense_board
from ostbahn.kernel.routes.budget import StepBudget
from ostbahn.kernel.routes.network import Network, RunningTrain
from ostbahn.kernel.routes.optimiser import best_run, clear_caches
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.running import as_train, network
from ostbahn.titles.cz.title import cz_title
from tests.kernel import brute_force, integer_programme
from tests.titles.cz.scenes import scene, table_of

QUICK = (6, 104)
"""Boards that the integer programme can do in a moment: three 6E-trains, three 5+5-trains."""

# Crowded boards


@cache
def boards(number: int) -> list[tuple[Network, list[RunningTrain]]]:
    """The first so many crowded boards, with the trains that run there."""
    return [
        (network(table, COMPANY), [as_train(table, Train(f"t{each}", face)) for each, face in enumerate(fleet)])
        for table, fleet in islice(cases(), number)
    ]


def compare(net: Network, trains: list[RunningTrain]) -> None:
    run = best_run(net, trains)
    assert brute_force.faults(net, trains, run) == []
    assert (run.worth, run.proven) == (integer_programme.most(net, trains), True)


@pytest.mark.slow
@pytest.mark.parametrize("number", QUICK)
def test_the_best_run_on_a_crowded_board_is_what_the_integer_programme_finds(number: int) -> None:
    compare(*boards(max(QUICK) + 1)[number])


@pytest.mark.soak
@pytest.mark.parametrize("number", [number for number in range(BOARDS) if number not in QUICK])
def test_the_best_runs_on_all_crowded_boards_are_what_the_integer_programme_finds(number: int) -> None:
    compare(*boards(BOARDS)[number])


# Every hex built


@cache
def dense(trains: int) -> tuple[Network, list[RunningTrain]]:
    """8E-trains on a board on which there is a brown or grey tile on every hex."""
    board = dense_board(cz_title(), 0)
    table = table_of(scene(phase="j", tiles=board.tiles, stations=board.stations))
    return network(table, "kk"), [as_train(table, Train(f"j{number}", "8E")) for number in range(trains)]


@pytest.mark.slow
@pytest.mark.parametrize(("number", "most"), [(1, 550), (3, 1550)])
def test_where_every_hex_is_built_the_patience_of_the_game_lasts_for_the_proof(number: int, most: int) -> None:
    net, trains = dense(number)
    clear_caches()
    run = best_run(net, trains)
    assert brute_force.faults(net, trains, run) == []
    assert (run.worth, run.bound, len(run.routes)) == (most, most, number)


@pytest.mark.slow
@pytest.mark.parametrize("steps", [0, 2_000, 20_000])
def test_where_every_hex_is_built_little_patience_brings_a_run_and_tells_what_it_may_have_missed(steps: int) -> None:
    net, trains = dense(3)
    clear_caches()
    run = best_run(net, trains, StepBudget(steps))
    assert brute_force.faults(net, trains, run) == []
    assert 1300 < run.worth <= 1550 <= run.bound < 2000
