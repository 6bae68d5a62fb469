"""Local search: always a run, never a worse one, and often the best where no list of routes ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from ostbahn.kernel.routes.budget import UNLIMITED
from ostbahn.kernel.routes.column_generation import ColumnGeneration
from ostbahn.kernel.routes.local_search import LocalSearch
from ostbahn.kernel.routes.network import BestRun, Network, RunningTrain, run_of_routes
from ostbahn.kernel.routes.optimiser import best_run, clear_caches
from ostbahn.kernel.routes.parameters import DEFAULTS
from ostbahn.kernel.routes.price_and_cut import PriceAndCut
from ostbahn.kernel.routes.prices import Duals
from tests.kernel import brute_force
from tests.kernel.networks import checked, electric, network, normal, plus
from tests.kernel.router_parameters import router_parameters
from tests.kernel.test_optimiser_at_random import fleets, networks
from tests.lengths import at_random

UNIT = DEFAULTS.price_unit
LADDER = network(
    "A20* B30 C40 D50 E20 F60 G30 H40 I20 J50*",
    "A-B B-C C-D D-E F-G G-H H-I I-J A-F B-G C-H D-I E-J A-G C-G C-I E-I",
)
FLEET = [electric(5, "x"), electric(5, "y"), normal(4, "z"), plus(2, "v")]
IN_EACH_OTHERS_WAY = network("M10* A50 B40 C40", "M-A:pq M-B:p M-C:q")
"""The best route of one train leaves none for another, and two that are not so good earn more."""
PAIR = [normal(2, "x"), normal(2, "y")]


@contextmanager
def without_enumeration(greedy_runs: int, routes: int) -> Iterator[None]:
    """As where every hex is built: no list of routes is complete, so local search has to find the run.

    greedy_runs: how many runs are built of known routes. routes: how many fit on a list.
    """
    with router_parameters(
        single_route_steps=0,
        branch_and_bound_steps=0,
        free_steps=0,
        max_routes=routes,
        enumeration_steps=0,
        greedy_runs=greedy_runs,
    ):
        yield


def solved(net: Network, trains: Sequence[RunningTrain]) -> tuple[ColumnGeneration, Duals]:
    """Optimal dual prices."""
    generation = ColumnGeneration(net, [train.kind for train in trains], UNLIMITED)
    generation.solve(UNIT, 0)
    assert generation.best is not None
    return generation, generation.best.duals


def local_search(
    net: Network, trains: Sequence[RunningTrain], generation: ColumnGeneration, duals: Duals
) -> LocalSearch:
    return LocalSearch(net, [train.kind for train in trains], generation, duals)


def zero_duals(net: Network) -> Duals:
    return Duals(UNIT, (0,) * len(net.links), ())


def several() -> st.SearchStrategy[list[RunningTrain]]:
    """Two trains at least."""
    return fleets(4).map(lambda fleet: fleet if len(fleet) > 1 else [*fleet, fleet[0]._replace(id="another")])


# A run


def test_each_train_keeps_off_the_track_of_those_before_it() -> None:
    net = network("A20* B30 C40 D50", "A-B:p A-C:p A-D:q")
    trains = [normal(2, name) for name in "xyz"]
    generation, _ = solved(net, trains)
    routes = local_search(net, trains, generation, zero_duals(net)).routes
    assert [route.links for route in routes] == [(2,), (1,), ()], "nothing is left for the third"


def test_all_but_the_last_one_pay_dual_prices() -> None:
    generation, _ = solved(IN_EACH_OTHERS_WAY, PAIR)
    dear = Duals(UNIT, (25 * UNIT, 0, 0), ())
    routes = local_search(IN_EACH_OTHERS_WAY, PAIR, generation, dear).routes
    assert sorted(route.links for route in routes) == [(1,), (2,)]
    net = IN_EACH_OTHERS_WAY._replace(links=IN_EACH_OTHERS_WAY.links[:1])
    generation, _ = solved(net, PAIR)
    routes = local_search(net, PAIR, generation, Duals(UNIT, (1000 * UNIT,), ())).routes
    assert [route.worth for route in routes] == [0, 60], "the first does not pay so much, the last pays nothing"


def test_a_train_that_chose_badly_chooses_again() -> None:
    """Without dual prices the first train always takes what both others need; prices make it leave that."""
    generation, duals = solved(IN_EACH_OTHERS_WAY, PAIR)
    greedy = local_search(IN_EACH_OTHERS_WAY, PAIR, generation, zero_duals(IN_EACH_OTHERS_WAY))
    greedy.exchange()
    assert [route.worth for route in greedy.routes] == [60, 0]
    greedy.duals = Duals(UNIT, (25 * UNIT, 0, 0), ())
    greedy.exchange()
    assert [route.worth for route in greedy.routes] == [50, 50]
    greedy.duals = zero_duals(IN_EACH_OTHERS_WAY)
    greedy.exchange()
    assert [route.worth for route in greedy.routes] == [50, 50], "60 and nothing would be worse"
    assert duals.links[0] > 0


def test_every_two_trains_exchange_routes_in_either_order() -> None:
    generation, duals = solved(LADDER, FLEET)
    search = local_search(LADDER, FLEET, generation, duals)
    assert len(set(search.pairs)) == 12
    assert all(first != last for first, last in search.pairs)


@pytest.mark.slow
@at_random(150)
@given(net=networks(most_links=12, sides=16), trains=several(), right=st.booleans())
def test_it_is_always_a_run_and_never_gets_worse(net: Network, trains: list[RunningTrain], right: bool) -> None:
    generation, duals = solved(net, trains)
    if not right:
        duals = zero_duals(net)
    search, again = local_search(net, trains, generation, duals), local_search(net, trains, generation, duals)
    most, before = brute_force.most(net, trains), 0
    for _ in range(6):
        run = run_of_routes(net, list(zip(trains, search.routes, strict=True)))
        assert brute_force.faults(net, trains, run) == []
        assert before <= run.worth <= most
        assert again.routes == search.routes, "it depends on nothing but dual prices"
        before = run.worth
        search.exchange()
        again.exchange()
    event(f"the best: {before == most}")


def test_it_is_the_same_without_caches() -> None:
    found = []
    for _ in range(2):
        clear_caches()
        generation, duals = solved(LADDER, FLEET)
        search = local_search(LADDER, FLEET, generation, duals)
        for _ in range(12):
            search.exchange()
        found.append(search.routes)
    assert found[0] == found[1]


# Where nothing can be listed


def best_by_local_search(
    net: Network, trains: Sequence[RunningTrain], greedy_runs: int = 0, routes: int = 10
) -> BestRun:
    """routes: with fewer than there are stops not even the best from each stop fit on a list."""
    with without_enumeration(greedy_runs, routes):
        return best_run(net, trains, UNLIMITED)


def test_local_search_finds_a_best_run_where_nothing_can_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    most = checked(LADDER, FLEET).worth
    run = best_by_local_search(LADDER, FLEET)
    assert brute_force.faults(LADDER, FLEET, run) == []
    assert run.worth == most <= run.bound
    monkeypatch.setattr(PriceAndCut, "_search_locally", lambda _: None)
    assert best_by_local_search(LADDER, FLEET).worth < most, "nothing else has found it"


def test_local_search_gets_trains_out_of_each_others_way() -> None:
    run = best_by_local_search(IN_EACH_OTHERS_WAY, PAIR)
    assert (run.worth, run.proven) == (100, True)


@pytest.mark.slow
@pytest.mark.parametrize(("greedy_runs", "routes"), [(0, 6), (0, 2), (DEFAULTS.greedy_runs, 2)])
@at_random(150)
@given(net=networks(most_links=14, sides=20), trains=several())
def test_where_nothing_can_be_listed_the_bound_is_valid(
    greedy_runs: int, routes: int, net: Network, trains: list[RunningTrain]
) -> None:
    run = best_by_local_search(net, trains, greedy_runs, routes)
    most = brute_force.most(net, trains)
    event(f"the best: {run.worth == most}, proven: {run.proven}")
    assert brute_force.faults(net, trains, run) == []
    assert run.worth <= most <= run.bound
