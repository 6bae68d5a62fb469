"""Budgets: what a search has found when its budget ends, with a valid bound, and the same every time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from msgspec import structs

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.budget import UNLIMITED, StepBudget
from ostbahn.kernel.routes.network import Network, RunningTrain
from ostbahn.kernel.routes.optimiser import best_run, clear_caches
from ostbahn.kernel.routes.pricer import pricer_of
from tests.kernel import brute_force
from tests.kernel.networks import electric, line, network, normal, plus
from tests.kernel.router_parameters import router_parameters
from tests.kernel.test_optimiser_at_random import fleets, networks
from tests.lengths import at_random


@pytest.fixture(autouse=True)
def uncached() -> Iterator[None]:
    with router_parameters():
        yield


@pytest.fixture
def without_free_steps() -> Iterator[None]:
    with router_parameters(free_steps=0):
        yield


def test_steps_are_counted() -> None:
    budget = StepBudget(3)
    assert [budget.take_step() for _ in range(5)] == [True, True, True, False, False]


def test_a_portion_is_a_part_of_the_whole() -> None:
    whole = StepBudget(8)
    portion = whole.portion(0.25)
    assert [portion.take_step() for _ in range(3)] == [True, True, False]
    assert whole.left == 6
    assert whole.take(6)
    assert not portion.portion(1.0).take_step()
    assert UNLIMITED.portion(0.25) is UNLIMITED


def test_several_steps_are_taken_together_or_not_at_all() -> None:
    budget = StepBudget(5)
    assert not budget.take(6)
    assert budget.take(5)
    assert not budget.take(1)


LADDER = network(
    "A20* B30 C40 D50 E20 F60 G30 H40 I20 J50*",
    "A-B B-C C-D D-E F-G G-H H-I I-J A-F B-G C-H D-I E-J A-G C-G C-I E-I",
)
FLEET = [electric(5, "x"), electric(5, "y"), normal(4, "z"), plus(2, "v")]


def test_with_more_steps_runs_get_better_and_bounds_tighter(without_free_steps: None) -> None:
    found = [best_run(LADDER, FLEET, StepBudget(steps)) for steps in (0, 200, 1000, 3000, 10**6)]
    assert not found[0].proven
    assert found[-1].proven
    assert [run.revenue for run in found] == sorted(run.revenue for run in found)
    assert [run.bound for run in found] == sorted((run.bound for run in found), reverse=True)
    assert len({run.revenue for run in found}) > 1
    assert all(brute_force.faults(LADDER, FLEET, run) == [] for run in found)


@pytest.mark.slow
@at_random(200)
@given(net=networks(), trains=fleets(), steps=st.integers(0, 80))
def test_results_depend_on_no_earlier_search(net: Network, trains: list[RunningTrain], steps: int) -> None:
    """Otherwise a run that was allowed in the game would be refused when it is replayed."""
    with router_parameters(free_steps=0):
        cold = best_run(net, trains, StepBudget(steps))
        for train in trains:
            best_run(net, [train], UNLIMITED)
        best_run(net, trains, UNLIMITED)
        assert best_run(net, trains, StepBudget(steps)) == cold


def test_the_game_has_a_budget_and_caches_results(monkeypatch: pytest.MonkeyPatch) -> None:
    with router_parameters(free_steps=0, game_steps=200):
        run = best_run(LADDER, FLEET)
        assert not run.proven
        assert run == best_run(LADDER, FLEET, StepBudget(200))
        monkeypatch.setattr(parameters, "active", structs.replace(parameters.active, game_steps=10**6))
        assert best_run(LADDER, FLEET) == run
        clear_caches()
        assert best_run(LADDER, FLEET).proven


# Wherever steps are taken

IN_EACH_OTHERS_WAY = network("M10* A50 B40 C40", "M-A:pq M-B:p M-C:q")
"""The best route of one train leaves none for another, and two that are not so good earn more."""
PAIR = [normal(2, "x"), normal(2, "y")]
LONG = line("A20* B30 C40 D50 E60")


def steps_taken(free_steps: int) -> int:
    """The steps that a search takes from its budget."""
    budget = StepBudget(1000, free_steps=free_steps)
    clear_caches()
    pricer_of(LONG, normal(5).kind).best(budget=budget)
    return 1000 - budget.left


def test_a_search_draws_on_its_budget_after_its_free_steps() -> None:
    all_steps = steps_taken(0)
    assert [steps_taken(free_steps) for free_steps in (1, 3, all_steps)] == [all_steps - 1, all_steps - 3, 0]


def test_free_steps_need_no_budget() -> None:
    run = best_run(LONG, [normal(5)], StepBudget(0))
    assert (run.revenue, run.proven) == (200, True)


def test_without_a_budget_the_trains_run_one_after_another() -> None:
    hasty = best_run(IN_EACH_OTHERS_WAY, PAIR, StepBudget(0))
    assert (hasty.revenue, hasty.bound, hasty.proven) == (60, 120, False)
    patient = best_run(IN_EACH_OTHERS_WAY, PAIR, UNLIMITED)
    assert (patient.revenue, patient.bound, patient.proven) == (100, 100, True)


def test_a_search_stops_at_too_many_routes() -> None:
    for max_routes, expected in ((1, (1, False)), (2, (2, True))):
        with router_parameters(max_routes=max_routes):
            routes, is_complete = pricer_of(line("A20* B30 C40"), normal(3).kind).better_than(0)
        assert (len(routes), is_complete) == expected


def test_where_no_route_can_be_kept_nothing_is_proven() -> None:
    with router_parameters(max_routes=0):
        run = best_run(IN_EACH_OTHERS_WAY, PAIR, UNLIMITED)
    assert run.revenue < 100 <= run.bound


def test_a_train_that_found_nothing_has_a_bound_all_the_same(without_free_steps: None) -> None:
    run = best_run(LONG, [plus(2)], StepBudget(0))
    assert run.revenue == 0
    assert run.bound >= 50


@pytest.mark.slow
@pytest.mark.parametrize(("free_steps", "routes"), [(0, 10**6), (3, 10**6), (2000, 10**6), (2000, 2)])
@at_random(100)
@given(net=networks(), trains=fleets(), steps=st.integers(0, 60))
def test_a_stopped_search_has_a_valid_bound(
    free_steps: int, routes: int, net: Network, trains: list[RunningTrain], steps: int
) -> None:
    with router_parameters(free_steps=free_steps, max_routes=routes):
        run = best_run(net, trains, StepBudget(steps))
    event(f"proven: {run.proven}")
    assert brute_force.faults(net, trains, run) == []
    assert run.revenue <= brute_force.most(net, trains) <= run.bound
