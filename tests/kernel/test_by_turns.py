"""Trains that choose by turns: always a run, never a worse one, and often the best where no list of routes ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from ostbahn.kernel.routes import optimiser, search, together
from ostbahn.kernel.routes.network import BestRun, Network, RunningTrain, as_run
from ostbahn.kernel.routes.optimiser import best_run, forget
from ostbahn.kernel.routes.packing import ByTurns
from ostbahn.kernel.routes.pricing import Charge
from ostbahn.kernel.routes.search import ENDLESS
from ostbahn.kernel.routes.together import Together
from ostbahn.kernel.routes.tolls import FINE, Tolls
from tests.kernel import brute_force
from tests.kernel.networks import checked, electric, network, normal, plus
from tests.kernel.test_optimiser_at_random import fleets, networks
from tests.lengths import at_random

LADDER = network(
    "A20* B30 C40 D50 E20 F60 G30 H40 I20 J50*",
    "A-B B-C C-D D-E F-G G-H H-I I-J A-F B-G C-H D-I E-J A-G C-G C-I E-I",
)
FLEET = [electric(5, "x"), electric(5, "y"), normal(4, "z"), plus(2, "v")]
IN_EACH_OTHERS_WAY = network("M10* A50 B40 C40", "M-A:pq M-B:p M-C:q")
"""The best route of one train leaves none for another, and two that are not so good earn more."""
PAIR = [normal(2, "x"), normal(2, "y")]


@contextmanager
def nothing_listed(glances: int, routes: int) -> Iterator[None]:
    """As where every hex is built: no list of routes ends; what is left is to choose by turns.

    glances: how many runs are put together of routes that tolls told of. routes: how many fit on a list.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimiser, "ALONE", 0)
        patch.setattr(optimiser, "HASTY", 0)
        patch.setattr(search, "GRACE", 0)
        patch.setattr(search, "MOST_ROUTES", routes)
        patch.setattr(together, "COLLECTED", 0)
        patch.setattr(together, "GLANCES", glances)
        forget()
        yield
    forget()


def settled(net: Network, trains: Sequence[RunningTrain]) -> tuple[Tolls, Charge]:
    """The right tolls."""
    tolls = Tolls(net, [train.kind for train in trains], ENDLESS)
    tolls.settle(FINE, 0)
    assert tolls.best is not None
    return tolls, tolls.best.charge


def chosen(net: Network, trains: Sequence[RunningTrain], tolls: Tolls, charge: Charge) -> ByTurns:
    return ByTurns(net, [train.kind for train in trains], tolls, charge)


def without_tolls(net: Network) -> Charge:
    return Charge(FINE, (0,) * len(net.links), ())


def several() -> st.SearchStrategy[list[RunningTrain]]:
    """Two trains at least."""
    return fleets(4).map(lambda fleet: fleet if len(fleet) > 1 else [*fleet, fleet[0]._replace(id="another")])


# A run


def test_each_train_keeps_off_the_track_of_those_before_it() -> None:
    net = network("A20* B30 C40 D50", "A-B:p A-C:p A-D:q")
    trains = [normal(2, name) for name in "xyz"]
    tolls, _ = settled(net, trains)
    routes = chosen(net, trains, tolls, without_tolls(net)).routes
    assert [route.links for route in routes] == [(2,), (1,), ()], "nothing is left for the third"


def test_all_but_the_last_one_care_for_tolls() -> None:
    tolls, _ = settled(IN_EACH_OTHERS_WAY, PAIR)
    dear = Charge(FINE, (25 * FINE, 0, 0), ())
    routes = chosen(IN_EACH_OTHERS_WAY, PAIR, tolls, dear).routes
    assert sorted(route.links for route in routes) == [(1,), (2,)]
    net = IN_EACH_OTHERS_WAY._replace(links=IN_EACH_OTHERS_WAY.links[:1])
    tolls, _ = settled(net, PAIR)
    routes = chosen(net, PAIR, tolls, Charge(FINE, (1000 * FINE,), ())).routes
    assert [route.worth for route in routes] == [0, 60], "the first does not pay so much, the last pays nothing"


def test_a_train_that_chose_badly_chooses_again() -> None:
    """Without tolls the first train takes what both others need, and goes on to do so; tolls make it leave that."""
    tolls, charge = settled(IN_EACH_OTHERS_WAY, PAIR)
    greedy = chosen(IN_EACH_OTHERS_WAY, PAIR, tolls, without_tolls(IN_EACH_OTHERS_WAY))
    greedy.again()
    assert [route.worth for route in greedy.routes] == [60, 0]
    greedy.charge = Charge(FINE, (25 * FINE, 0, 0), ())
    greedy.again()
    assert [route.worth for route in greedy.routes] == [50, 50]
    greedy.charge = without_tolls(IN_EACH_OTHERS_WAY)
    greedy.again()
    assert [route.worth for route in greedy.routes] == [50, 50], "60 and nothing would be worse"
    assert charge.links[0] > 0


def test_every_two_trains_come_to_choose_again_in_either_order() -> None:
    tolls, charge = settled(LADDER, FLEET)
    by_turns = chosen(LADDER, FLEET, tolls, charge)
    assert len(set(by_turns.pairs)) == 12
    assert all(first != last for first, last in by_turns.pairs)


@pytest.mark.slow
@at_random(150)
@given(net=networks(most_links=12, sides=16), trains=several(), right=st.booleans())
def test_it_is_always_a_run_and_never_gets_worse(net: Network, trains: list[RunningTrain], right: bool) -> None:
    tolls, charge = settled(net, trains)
    if not right:
        charge = without_tolls(net)
    by_turns, again = chosen(net, trains, tolls, charge), chosen(net, trains, tolls, charge)
    most, before = brute_force.most(net, trains), 0
    for _ in range(6):
        run = as_run(net, list(zip(trains, by_turns.routes, strict=True)))
        assert brute_force.faults(net, trains, run) == []
        assert before <= run.worth <= most
        assert again.routes == by_turns.routes, "it hangs on nothing but tolls"
        before = run.worth
        by_turns.again()
        again.again()
    event(f"the best: {before == most}")


def test_it_is_the_same_after_everything_is_forgotten() -> None:
    found = []
    for _ in range(2):
        forget()
        tolls, charge = settled(LADDER, FLEET)
        by_turns = chosen(LADDER, FLEET, tolls, charge)
        for _ in range(12):
            by_turns.again()
        found.append(by_turns.routes)
    assert found[0] == found[1]


# Where nothing can be listed


def found_by_turns(net: Network, trains: Sequence[RunningTrain], glances: int = 0, routes: int = 10) -> BestRun:
    """routes: with fewer than there are stops not even the best from each stop fit on a list."""
    with nothing_listed(glances, routes):
        return best_run(net, trains, ENDLESS)


def test_by_turns_a_best_run_is_found_where_nothing_can_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    most = checked(LADDER, FLEET).worth
    run = found_by_turns(LADDER, FLEET)
    assert brute_force.faults(LADDER, FLEET, run) == []
    assert run.worth == most <= run.bound
    monkeypatch.setattr(Together, "_choose_by_turns", lambda _: None)
    assert found_by_turns(LADDER, FLEET).worth < most, "nothing else has found it"


def test_by_turns_trains_get_out_of_each_others_way() -> None:
    run = found_by_turns(IN_EACH_OTHERS_WAY, PAIR)
    assert (run.worth, run.proven) == (100, True)


@pytest.mark.slow
@pytest.mark.parametrize(("glances", "routes"), [(0, 6), (0, 2), (together.GLANCES, 2)])
@at_random(150)
@given(net=networks(most_links=14, sides=20), trains=several())
def test_where_nothing_can_be_listed_it_is_told_what_no_run_exceeds(
    glances: int, routes: int, net: Network, trains: list[RunningTrain]
) -> None:
    run = found_by_turns(net, trains, glances, routes)
    most = brute_force.most(net, trains)
    event(f"the best: {run.worth == most}, proven: {run.proven}")
    assert brute_force.faults(net, trains, run) == []
    assert run.worth <= most <= run.bound
