"""Searches that are given up: what was found by then, what may be missed, and that it is the same every time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ostbahn.kernel import exploring, routing
from ostbahn.kernel.routing import ENDLESS, Network, Steps, Train, best_run, forget
from tests.kernel import brute_force
from tests.kernel.networks import electric, network, normal, plus
from tests.kernel.test_routing_at_random import fleets, networks


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Patience is asked for at the first step, and nothing is known from other tests."""
    monkeypatch.setattr(exploring, "GRACE", 0)
    forget()
    yield
    forget()


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


@settings(max_examples=200, deadline=None, derandomize=True)
@given(net=networks(), trains=fleets(), steps=st.integers(0, 80))
def test_what_is_found_hangs_on_no_earlier_search(net: Network, trains: list[Train], steps: int) -> None:
    """Otherwise a run that was allowed in the game would be refused when it is replayed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exploring, "GRACE", 0)
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
    monkeypatch.setattr(routing, "LASTING", 200)
    found = best_run(LADDER, FLEET)
    assert not found.proven
    assert found == best_run(LADDER, FLEET, Steps(200))
    monkeypatch.setattr(routing, "LASTING", 10**6)
    assert best_run(LADDER, FLEET) == found
    forget()
    assert best_run(LADDER, FLEET).proven
