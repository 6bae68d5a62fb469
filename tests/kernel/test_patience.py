"""Searches that are given up: what was found by then, what may be missed, and that it is the same every time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from ostbahn.kernel.routes import optimiser, search
from ostbahn.kernel.routes.network import Network, RunningTrain
from ostbahn.kernel.routes.optimiser import best_run, forget
from ostbahn.kernel.routes.search import ENDLESS, Steps
from ostbahn.kernel.routes.single_train import explorer_of
from tests.kernel import brute_force
from tests.kernel.networks import electric, line, network, normal, plus
from tests.kernel.test_optimiser_at_random import fleets, networks
from tests.lengths import at_random


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What was found out under other limits is of no use to anybody else."""
    forget()
    yield
    forget()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience is asked for at the first step."""
    monkeypatch.setattr(search, "GRACE", 0)


def test_steps_are_counted() -> None:
    patience = Steps(3)
    assert [patience() for _ in range(5)] == [True, True, True, False, False]


def test_a_share_is_a_part_of_the_whole() -> None:
    whole = Steps(8)
    share = whole.share(0.25)
    assert [share() for _ in range(3)] == [True, True, False]
    assert whole.left == 6
    assert whole.covers(6)
    assert not share.share(1.0)()
    assert ENDLESS.share(0.25) is ENDLESS


def test_what_an_earlier_search_took_counts_again() -> None:
    patience = Steps(5)
    assert not patience.covers(6)
    assert patience.covers(5)
    assert not patience.covers(1)


LADDER = network(
    "A20* B30 C40 D50 E20 F60 G30 H40 I20 J50*",
    "A-B B-C C-D D-E F-G G-H H-I I-J A-F B-G C-H D-I E-J A-G C-G C-I E-I",
)
FLEET = [electric(5, "x"), electric(5, "y"), normal(4, "z"), plus(2, "v")]


def test_with_more_steps_runs_get_better_and_bounds_tighter(impatient: None) -> None:
    found = [best_run(LADDER, FLEET, Steps(steps)) for steps in (0, 200, 1000, 3000, 10**6)]
    assert not found[0].proven
    assert found[-1].proven
    assert [run.revenue for run in found] == sorted(run.revenue for run in found)
    assert [run.bound for run in found] == sorted((run.bound for run in found), reverse=True)
    assert len({run.revenue for run in found}) > 1
    assert all(brute_force.faults(LADDER, FLEET, run) == [] for run in found)


@pytest.mark.slow
@at_random(200)
@given(net=networks(), trains=fleets(), steps=st.integers(0, 80))
def test_what_is_found_hangs_on_no_earlier_search(net: Network, trains: list[RunningTrain], steps: int) -> None:
    """Otherwise a run that was allowed in the game would be refused when it is replayed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "GRACE", 0)
        forget()
        cold = best_run(net, trains, Steps(steps))
        for train in trains:
            best_run(net, [train], ENDLESS)
        best_run(net, trains, ENDLESS)
        assert best_run(net, trains, Steps(steps)) == cold
        forget()


def test_the_game_itself_waits_so_long_and_remembers_what_it_found(
    impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(optimiser, "LASTING", 200)
    found = best_run(LADDER, FLEET)
    assert not found.proven
    assert found == best_run(LADDER, FLEET, Steps(200))
    monkeypatch.setattr(optimiser, "LASTING", 10**6)
    assert best_run(LADDER, FLEET) == found
    forget()
    assert best_run(LADDER, FLEET).proven


# At every place that asks

IN_EACH_OTHERS_WAY = network("M10* A50 B40 C40", "M-A:pq M-B:p M-C:q")
"""The best route of one train leaves none for another, and two that are not so good earn more."""
PAIR = [normal(2, "x"), normal(2, "y")]
LONG = line("A20* B30 C40 D50 E60")


def asked(grace: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often a search asks whether it may go on."""
    monkeypatch.setattr(search, "GRACE", grace)
    patience = Steps(1000)
    forget()
    explorer_of(LONG, normal(5).kind).best(patience=patience)
    return 1000 - patience.left


def test_a_search_asks_at_every_step_after_its_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    all_steps = asked(0, monkeypatch)
    assert [asked(grace, monkeypatch) for grace in (1, 3, all_steps)] == [all_steps - 1, all_steps - 3, 0]


def test_within_its_grace_a_search_is_not_given_up() -> None:
    run = best_run(LONG, [normal(5)], Steps(0))
    assert (run.revenue, run.proven) == (200, True)


def test_without_patience_the_trains_run_one_after_another() -> None:
    hasty = best_run(IN_EACH_OTHERS_WAY, PAIR, Steps(0))
    assert (hasty.revenue, hasty.bound, hasty.proven) == (60, 120, False)
    patient = best_run(IN_EACH_OTHERS_WAY, PAIR, ENDLESS)
    assert (patient.revenue, patient.bound, patient.proven) == (100, 100, True)


def test_a_search_that_would_keep_too_many_routes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, kept, all_ in ((1, 1, False), (2, 2, True)):
        monkeypatch.setattr(search, "MOST_ROUTES", most)
        routes, complete = explorer_of(line("A20* B30 C40"), normal(3).kind).better_than(0)
        assert (len(routes), complete) == (kept, all_)


def test_where_no_route_can_be_kept_nothing_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_ROUTES", 0)
    run = best_run(IN_EACH_OTHERS_WAY, PAIR, ENDLESS)
    assert run.revenue < 100 <= run.bound


def test_a_train_that_found_nothing_has_a_bound_all_the_same(impatient: None) -> None:
    run = best_run(LONG, [plus(2)], Steps(0))
    assert run.revenue == 0
    assert run.bound >= 50


@pytest.mark.slow
@pytest.mark.parametrize(("grace", "routes"), [(0, 10**6), (3, 10**6), (2000, 10**6), (2000, 2)])
@at_random(100)
@given(net=networks(), trains=fleets(), patience=st.integers(0, 60))
def test_a_search_given_up_tells_how_much_it_may_have_missed(
    grace: int, routes: int, net: Network, trains: list[RunningTrain], patience: int
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(search, "GRACE", grace)
        patched.setattr(search, "MOST_ROUTES", routes)
        run = best_run(net, trains, Steps(patience))
    event(f"proven: {run.proven}")
    assert brute_force.faults(net, trains, run) == []
    assert run.revenue <= brute_force.most(net, trains) <= run.bound
