"""Price-and-cut: without branch and bound, it decides every run of several trains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import pytest
from highspy import Highs, ObjSense
from hypothesis import event, given, settings
from hypothesis import strategies as st

from ostbahn.kernel.routes import optimiser
from ostbahn.kernel.routes.budget import UNLIMITED, StepBudget
from ostbahn.kernel.routes.column_generation import ColumnGeneration, packing_constraints_of
from ostbahn.kernel.routes.network import BestRun, Network, RunningTrain
from ostbahn.kernel.routes.optimiser import best_alternative, best_run
from ostbahn.kernel.routes.parameters import DEFAULTS
from ostbahn.kernel.routes.price_and_cut import PriceAndCut
from ostbahn.kernel.routes.restricted_master import RestrictedMaster
from tests.kernel import brute_force, integer_programme
from tests.kernel.networks import checked, earned, electric, line, network, normal, plus
from tests.kernel.router_parameters import router_parameters
from tests.kernel.test_optimiser_at_random import KINDS, fleets, networks, town_and_country
from tests.kernel.test_rail_cars import demanding, with_cars
from tests.lengths import at_random


@pytest.fixture(scope="module", autouse=True)
def without_branch_and_bound() -> Iterator[None]:
    with router_parameters(branch_and_bound_steps=0):
        yield


# Packing constraints and the master problem


def test_links_over_the_same_hex_side_exclude_each_other() -> None:
    net = network("A20* B20 C20 D20", "A-B:pq B-C:pr C-D:r D-A:s")
    constraints = packing_constraints_of(net)
    assert set(constraints.links) == {frozenset({0, 1}), frozenset({1, 2}), frozenset({3})}
    assert all(link in constraints.links[number] for link in range(4) for number in constraints.of_link[link])


def test_a_constraint_within_another_is_left_out() -> None:
    net = network("A20* B20 C20", "A-B:p B-C:pq C-A:pq")
    assert packing_constraints_of(net).links == (frozenset({0, 1, 2}),)


IN_EACH_OTHERS_WAY = network("M10* A50 B40 C40", "M-A:pq M-B:p M-C:q")
"""The best route of one train leaves none for another, and two that are not so good earn more."""


def test_dual_prices_keep_trains_out_of_each_others_way() -> None:
    pair = [normal(2).kind] * 2
    generation = ColumnGeneration(IN_EACH_OTHERS_WAY, pair, UNLIMITED)
    generation.solve(10 * DEFAULTS.price_unit, 0)
    assert generation.best is not None
    assert generation.best.bound == 100 * DEFAULTS.price_unit, "without dual prices each train could earn 60"
    assert earned(IN_EACH_OTHERS_WAY, normal(2, "x"), normal(2, "y")) == 100


def test_a_train_without_a_place_stands_still() -> None:
    net = network("A20* B30 C10", "A-B B-C")
    run = checked(net, [normal(2, "x"), normal(2, "y"), normal(2, "z")])
    assert (run.revenue, len(run.routes)) == (50, 1)


@st.composite
def packings(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, tuple[int, ...]]]]:
    """Capacities, and columns with their profits."""
    limits = draw(st.lists(st.integers(1, 3), min_size=2, max_size=8))
    some = st.sets(st.integers(0, len(limits) - 1), min_size=1).map(lambda found: tuple(sorted(found)))
    return limits, draw(st.lists(st.tuples(st.integers(1, 500), some), min_size=1, max_size=25))


@at_random(150)
@given(packings())
def test_the_master_finds_what_a_solver_finds(case: tuple[list[int], list[tuple[int, tuple[int, ...]]]]) -> None:
    capacities, columns = case
    master = RestrictedMaster(capacities)
    for profit, column in columns:
        master.add(profit, column)
        master.solve(lambda: None)  # a column at a time, as in column generation
    most = solved(capacities, columns)
    error = DEFAULTS.perturbation * sum(profit for profit, _ in columns) * len(capacities)
    assert most - 1e-6 <= master.objective <= most + error
    assert min(master.duals) > -1e-6
    assert all(profit <= sum(master.duals[row] for row in column) + 1e-6 for profit, column in columns)


def solved(limits: list[int], routes: list[tuple[int, tuple[int, ...]]]) -> float:
    solver = Highs()  # type: ignore[no-untyped-call] # highspy leaves this one without types
    solver.setOptionValue("output_flag", False)
    for worth, _ in routes:
        solver.addVar(0, np.inf)
        solver.changeColCost(solver.getNumCol() - 1, worth)
    solver.changeObjectiveSense(ObjSense.kMaximize)
    for number, limit in enumerate(limits):
        users = [route for route, (_, takes) in enumerate(routes) if number in takes]
        solver.addRow(-np.inf, limit, len(users), np.array(users, np.int32), np.ones(len(users)))
    solver.run()
    return float(solver.getObjectiveValue())


# Against other solvers


@pytest.mark.slow
@at_random(400)
@given(net=networks(), trains=fleets())
def test_small_networks_agree_with_brute_force(net: Network, trains: list[RunningTrain]) -> None:
    run = checked(net, trains)
    event(f"{len(run.routes)} of {len(trains)} trains run")
    assert run.revenue == brute_force.most(net, trains)


@pytest.mark.slow
@at_random(200)
@given(net=networks(most_stops=5, most_links=10, sides=16), trains=fleets(4))
def test_networks_with_more_room_agree_with_brute_force(net: Network, trains: list[RunningTrain]) -> None:
    open_net = net._replace(stops=tuple(stop._replace(passable=True, location=stop.id) for stop in net.stops))
    assert checked(open_net, trains).revenue == brute_force.most(open_net, trains)


@pytest.mark.slow
@at_random(200)
@given(with_cars(), st.lists(st.integers(0, 4), min_size=2, max_size=2))
def test_cars_bonuses_mines_and_demands_agree_with_brute_force(
    case: tuple[Network, list[RunningTrain]], demands: list[int]
) -> None:
    net, trains = case
    fleet = [demanding(train, demand) for train, demand in zip(trains, demands, strict=False)] or trains
    most = brute_force.most(net, fleet)
    number, run = best_alternative(net, (fleet,), UNLIMITED)
    if most < 0:
        assert number == -1, "a train cannot do what it must"
    else:
        assert brute_force.faults(net, fleet, run) == []
        assert (run.worth, run.proven) == (most, True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(15))
def test_larger_networks_agree_with_the_integer_programme(seed: int) -> None:
    assert larger(seed, 15, 24)


@pytest.mark.slow
@at_random(150)
@given(net=networks(), trains=fleets(), steps=st.integers(0, 400))
def test_bounds_are_valid_whatever_the_budget(net: Network, trains: list[RunningTrain], steps: int) -> None:
    run = best_run(net, trains, StepBudget(steps, free_steps=0))
    faults = brute_force.faults(net, trains, run)
    if not run.proven:  # a search cut short may count fewer towns than a route passes
        faults = [fault for fault in faults if "does not earn" not in fault]
    assert faults == []
    assert run.revenue <= brute_force.most(net, trains) <= run.bound


def test_with_more_steps_runs_get_better_and_bounds_tighter() -> None:
    net = network(
        "A20* B30 C40 D50 E20 F60 G30 H40 I20 J50*",
        "A-B B-C C-D D-E F-G G-H H-I I-J A-F B-G C-H D-I E-J A-G C-G C-I E-I",
    )
    fleet = [electric(5, "x"), electric(5, "y"), normal(4, "z"), plus(2, "v")]
    found: list[BestRun] = [
        best_run(net, fleet, StepBudget(steps, free_steps=0)) for steps in (0, 200, 1000, 3000, 20_000, 10**6)
    ]
    assert [run.worth for run in found] == sorted(run.worth for run in found)
    assert [run.bound for run in found] == sorted((run.bound for run in found), reverse=True)
    assert not found[0].proven
    assert found[-1].proven


# With everything left to price-and-cut


Changes = dict[str, int]

ALL: Changes = {"single_route_steps": 0, "branch_and_bound_steps": 0, "free_steps": 0}
"""No earlier search is complete, not even that for the best route of a single train."""

HARD: Changes = {
    **ALL,
    "elementary_steps": 0,
    "enumeration_steps": 0,
    "min_cut_gap": 0,
    "neighbourhood_size": 1,
}
"""Tiny ng-neighbourhoods and no search for elementary routes; local search first, and always cuts."""


def check_with(changes: Changes, net: Network, trains: Sequence[RunningTrain]) -> None:
    """The best run with an unlimited budget is what brute force finds, and proven."""
    most = brute_force.most(net, trains)
    with router_parameters(**changes):
        number, run = best_alternative(net, (trains,), UNLIMITED)
    if most < 0:
        assert number == -1, "a train cannot do what it must"
    else:
        assert brute_force.faults(net, trains, run) == []
        assert (run.worth, run.proven) == (most, True)


@pytest.mark.parametrize(("changes", "searches"), [({}, 0), (ALL, 1), (HARD, 1)])
def test_a_single_train_needs_no_column_generation_unless_forced(
    changes: Changes, searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = []

    class Counted(PriceAndCut):
        def search(self) -> None:
            orders.append(self.order)
            super().search()

    monkeypatch.setattr(optimiser, "PriceAndCut", Counted)
    check_with(changes, line("A20* B30 C40 D50"), [normal(3)])
    assert len(orders) == searches


@pytest.mark.slow
@at_random(200)
@given(net=networks(), trains=fleets())
def test_small_networks_agree_with_brute_force_if_all_is_left_to_price_and_cut(
    net: Network, trains: list[RunningTrain]
) -> None:
    check_with(ALL, net, trains)


@pytest.mark.slow
@at_random(150)
@given(net=networks(most_links=12, sides=16), trains=fleets(4))
def test_small_networks_agree_with_brute_force_with_tiny_neighbourhoods_and_no_lists(
    net: Network, trains: list[RunningTrain]
) -> None:
    check_with(HARD, net, trains)


@pytest.mark.slow
@pytest.mark.parametrize("changes", [ALL, HARD], ids=["all", "hard"])
@at_random(100)
@given(case=with_cars(), demands=st.lists(st.integers(0, 4), min_size=2, max_size=2))
def test_cars_and_demands_agree_with_brute_force_if_all_is_left_to_price_and_cut(
    changes: Changes, case: tuple[Network, list[RunningTrain]], demands: list[int]
) -> None:
    net, trains = case
    check_with(changes, net, [demanding(train, demand) for train, demand in zip(trains, demands, strict=False)])


# For a long time


def larger(seed: int, stops: int, links: int) -> bool:
    chance = Random(seed)
    net = town_and_country(chance, stops, links)
    trains = [chance.choice(KINDS)._replace(id=f"t{number}") for number in range(chance.randint(2, 4))]
    return checked(net, trains).revenue == integer_programme.most(net, trains)


@pytest.mark.soak
@settings(max_examples=20_000, deadline=None)
@given(net=networks(), trains=fleets())
def test_thousands_of_small_networks_agree_with_brute_force(net: Network, trains: list[RunningTrain]) -> None:
    assert checked(net, trains).revenue == brute_force.most(net, trains)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 300))
def test_still_larger_networks_agree_with_the_integer_programme(seed: int) -> None:
    assert larger(seed, 20, 32)


@pytest.mark.soak
@pytest.mark.parametrize("changes", [ALL, HARD], ids=["all", "hard"])
@settings(max_examples=20_000, deadline=None)
@given(net=networks(), trains=fleets())
def test_thousands_of_small_networks_agree_with_brute_force_if_all_is_left_to_price_and_cut(
    changes: Changes, net: Network, trains: list[RunningTrain]
) -> None:
    check_with(changes, net, trains)


@pytest.mark.soak
@pytest.mark.parametrize("changes", [ALL, HARD], ids=["all", "hard"])
@settings(max_examples=10_000, deadline=None)
@given(case=with_cars(), demands=st.lists(st.integers(0, 4), min_size=2, max_size=2))
def test_thousands_of_cars_and_demands_agree_with_brute_force_if_all_is_left_to_price_and_cut(
    changes: Changes, case: tuple[Network, list[RunningTrain]], demands: list[int]
) -> None:
    net, trains = case
    check_with(changes, net, [demanding(train, demand) for train, demand in zip(trains, demands, strict=False)])
