"""Runs by tolls: with the hasty search left out, everything that several trains can do is decided by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from types import ModuleType

import numpy as np
import pytest
from highspy import Highs, ObjSense
from hypothesis import event, given, settings
from hypothesis import strategies as st

from ostbahn.kernel.routes import ground, optimiser, search, together
from ostbahn.kernel.routes import tolls as tolls_module
from ostbahn.kernel.routes.network import BestRun, Network, RunningTrain
from ostbahn.kernel.routes.optimiser import best_alternative, best_run, forget
from ostbahn.kernel.routes.search import ENDLESS, Steps
from ostbahn.kernel.routes.sharing import LOOSENED, Sharing
from ostbahn.kernel.routes.together import Together
from ostbahn.kernel.routes.tolls import FINE, Tolls, limits_of
from tests.kernel import brute_force, integer_programme
from tests.kernel.networks import checked, earned, electric, line, network, normal, plus
from tests.kernel.test_optimiser_at_random import KINDS, fleets, networks, town_and_country
from tests.kernel.test_rail_cars import demanding, with_cars
from tests.lengths import at_random


@pytest.fixture(scope="module", autouse=True)
def by_tolls_alone() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimiser, "HASTY", 0)
        forget()
        yield
    forget()


# What track is worth


def test_links_on_the_same_hex_side_exclude_each_other() -> None:
    net = network("A20* B20 C20 D20", "A-B:pq B-C:pr C-D:r D-A:s")
    assert set(limits_of(net).links) == {frozenset({0, 1}), frozenset({1, 2}), frozenset({3})}
    assert all(link in limits_of(net).links[limit] for link in range(4) for limit in limits_of(net).of_link[link])


def test_a_limit_within_another_is_left_out() -> None:
    net = network("A20* B20 C20", "A-B:p B-C:pq C-A:pq")
    assert limits_of(net).links == (frozenset({0, 1, 2}),)


IN_EACH_OTHERS_WAY = network("M10* A50 B40 C40", "M-A:pq M-B:p M-C:q")
"""The best route of one train leaves none for another, and two that are not so good earn more."""


def test_tolls_keep_trains_out_of_each_others_way() -> None:
    pair = [normal(2).kind] * 2
    tolls = Tolls(IN_EACH_OTHERS_WAY, pair, ENDLESS)
    tolls.settle(10 * FINE, 0)
    levy = tolls.best
    assert levy is not None
    assert levy.bound == 100 * FINE, "without tolls each train could earn 60"
    assert earned(IN_EACH_OTHERS_WAY, normal(2, "x"), normal(2, "y")) == 100


def test_a_train_without_a_place_stands_still() -> None:
    net = network("A20* B30 C10", "A-B B-C")
    run = checked(net, [normal(2, "x"), normal(2, "y"), normal(2, "z")])
    assert (run.revenue, len(run.routes)) == (50, 1)


@st.composite
def packings(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, tuple[int, ...]]]]:
    """Limits, and routes that take one of some of them."""
    limits = draw(st.lists(st.integers(1, 3), min_size=2, max_size=8))
    some = st.sets(st.integers(0, len(limits) - 1), min_size=1).map(lambda found: tuple(sorted(found)))
    return limits, draw(st.lists(st.tuples(st.integers(1, 500), some), min_size=1, max_size=25))


@at_random(150)
@given(packings())
def test_shares_are_worth_what_a_solver_finds(case: tuple[list[int], list[tuple[int, tuple[int, ...]]]]) -> None:
    limits, routes = case
    sharing = Sharing(limits)
    for worth, takes in routes:
        sharing.add(worth, takes)
        sharing.solve(lambda: None)  # a route at a time, as they are found
    most = solved(limits, routes)
    assert most - 1e-6 <= sharing.worth <= most + LOOSENED * sum(worth for worth, _ in routes) * len(limits)
    assert min(sharing.tolls) > -1e-6
    assert all(worth <= sum(sharing.tolls[limit] for limit in takes) + 1e-6 for worth, takes in routes)


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
    number, run = best_alternative(net, (fleet,), ENDLESS)
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
def test_what_may_have_been_missed_is_told(net: Network, trains: list[RunningTrain], steps: int) -> None:
    run = best_run(net, trains, Steps(steps, grace=0))
    assert brute_force.faults(net, trains, run) == []
    assert run.revenue <= brute_force.most(net, trains) <= run.bound


def test_with_more_steps_runs_get_better_and_bounds_tighter() -> None:
    net = network(
        "A20* B30 C40 D50 E20 F60 G30 H40 I20 J50*",
        "A-B B-C C-D D-E F-G G-H H-I I-J A-F B-G C-H D-I E-J A-G C-G C-I E-I",
    )
    fleet = [electric(5, "x"), electric(5, "y"), normal(4, "z"), plus(2, "v")]
    found: list[BestRun] = [
        best_run(net, fleet, Steps(steps, grace=0)) for steps in (0, 200, 1000, 3000, 20_000, 10**6)
    ]
    assert [run.worth for run in found] == sorted(run.worth for run in found)
    assert [run.bound for run in found] == sorted((run.bound for run in found), reverse=True)
    assert not found[0].proven
    assert found[-1].proven


# With everything left to tolls


Limits = tuple[tuple[ModuleType, str, int], ...]
"""What is set to something else: where, its name, and the number."""

ALL: Limits = ((optimiser, "ALONE", 0), (optimiser, "HASTY", 0), (search, "GRACE", 0))
"""No search ends before tolls are looked for, not even that for the best route of a single train."""

HARD: Limits = (
    *ALL,
    (tolls_module, "DRAWN", 0),
    (together, "COLLECTED", 0),
    (together, "FEW", 0),
    (ground, "MEMORY", 1),
)
"""Walks forget nearly everything and no route is drawn instead; trains choose by turns, and knots are always tied."""


@contextmanager
def limited(limits: Limits) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module, name, number in limits:
            patch.setattr(module, name, number)
        forget()
        yield
    forget()


def check_with(limits: Limits, net: Network, trains: Sequence[RunningTrain]) -> None:
    """The best run with endless patience is what brute force finds, and proven."""
    most = brute_force.most(net, trains)
    with limited(limits):
        number, run = best_alternative(net, (trains,), ENDLESS)
    if most < 0:
        assert number == -1, "a train cannot do what it must"
    else:
        assert brute_force.faults(net, trains, run) == []
        assert (run.worth, run.proven) == (most, True)


@pytest.mark.parametrize(("limits", "asked"), [((), 0), (ALL, 1), (HARD, 1)])
def test_a_single_train_comes_to_tolls_only_if_it_is_forced_to(
    limits: Limits, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    class Seen(Together):
        def search(self) -> None:
            seen.append(self.order)
            super().search()

    monkeypatch.setattr(optimiser, "Together", Seen)
    check_with(limits, line("A20* B30 C40 D50"), [normal(3)])
    assert len(seen) == asked


@pytest.mark.slow
@at_random(200)
@given(net=networks(), trains=fleets())
def test_small_networks_agree_with_brute_force_if_all_is_left_to_tolls(
    net: Network, trains: list[RunningTrain]
) -> None:
    check_with(ALL, net, trains)


@pytest.mark.slow
@at_random(150)
@given(net=networks(most_links=12, sides=16), trains=fleets(4))
def test_small_networks_agree_with_brute_force_if_walks_forget_and_lists_are_left_out(
    net: Network, trains: list[RunningTrain]
) -> None:
    check_with(HARD, net, trains)


@pytest.mark.slow
@pytest.mark.parametrize("limits", [ALL, HARD], ids=["all", "hard"])
@at_random(100)
@given(case=with_cars(), demands=st.lists(st.integers(0, 4), min_size=2, max_size=2))
def test_cars_and_demands_agree_with_brute_force_if_all_is_left_to_tolls(
    limits: Limits, case: tuple[Network, list[RunningTrain]], demands: list[int]
) -> None:
    net, trains = case
    check_with(limits, net, [demanding(train, demand) for train, demand in zip(trains, demands, strict=False)])


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
@pytest.mark.parametrize("limits", [ALL, HARD], ids=["all", "hard"])
@settings(max_examples=20_000, deadline=None)
@given(net=networks(), trains=fleets())
def test_thousands_of_small_networks_agree_with_brute_force_if_all_is_left_to_tolls(
    limits: Limits, net: Network, trains: list[RunningTrain]
) -> None:
    check_with(limits, net, trains)


@pytest.mark.soak
@pytest.mark.parametrize("limits", [ALL, HARD], ids=["all", "hard"])
@settings(max_examples=10_000, deadline=None)
@given(case=with_cars(), demands=st.lists(st.integers(0, 4), min_size=2, max_size=2))
def test_thousands_of_cars_and_demands_agree_with_brute_force_if_all_is_left_to_tolls(
    limits: Limits, case: tuple[Network, list[RunningTrain]], demands: list[int]
) -> None:
    net, trains = case
    check_with(limits, net, [demanding(train, demand) for train, demand in zip(trains, demands, strict=False)])
