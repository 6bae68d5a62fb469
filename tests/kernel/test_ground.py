"""What searches share: the ground they are made on, and what earlier ones found out there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ostbahn.kernel.routes import bounds
from ostbahn.kernel.routes.ground import FAR, Ground, ground_of
from ostbahn.kernel.routes.network import Network, RunningTrain
from ostbahn.kernel.routes.optimiser import best_run
from ostbahn.kernel.routes.patience import Steps
from ostbahn.kernel.routes.single_train import Explorer
from tests.kernel import brute_force
from tests.kernel.networks import line, network, normal, plus
from tests.kernel.test_optimiser_at_random import KINDS, networks


def around(ground: Ground, name: str) -> str:
    """The stops at the end of the ways that leave a stop."""
    number = next(number for number, stop in enumerate(ground.stops) if stop.id == name)
    return "".join(ground.stops[there].id for there in ground.around[number])


def away(ground: Ground, *, skips_towns: bool) -> dict[str, int]:
    found = ground.surroundings(skips_towns).away
    return {stop.id: found[number] for number, stop in enumerate(ground.stops)}


def test_nothing_is_left_of_what_lies_out_of_reach() -> None:
    ground = Ground(network("A20* B30 C40! D50 E60 F70", "A-B B-C C-D E-F"), paid=False, mines=False)
    assert [around(ground, name) for name in "ABCDEF"] == ["B", "CA", "B", "", "", ""]


def test_mines_are_there_only_for_trains_that_may_visit_them() -> None:
    net = network("A20* m30% C40", "A-m m-C")
    assert [around(Ground(net, paid=False, mines=False), name) for name in "AmC"] == ["", "", ""]
    assert [around(Ground(net, paid=False, mines=True), name) for name in "AmC"] == ["m", "CA", "m"]


def test_good_stops_come_first_and_a_bonus_is_part_of_the_value_where_it_is_paid() -> None:
    net = network("A20* B30 C10+40 D30", "A-B A-C A-D")
    assert around(Ground(net, paid=False, mines=False), "A") == "BDC"
    assert around(Ground(net, paid=True, mines=False), "A") == "CBD"


def test_how_far_the_next_station_is_by_stops_that_count() -> None:
    ground = Ground(line("A20* b10 c10 D20 E30"), paid=False, mines=False)
    assert away(ground, skips_towns=False) == {"A": 0, "b": 1, "c": 2, "D": 3, "E": 4}
    assert away(ground, skips_towns=True) == {"A": 0, "b": 1, "c": 1, "D": 1, "E": 2}


def test_a_mine_on_the_way_does_not_count() -> None:
    ground = Ground(network("A20* m10% B20 C20 D90", "A-m m-B m-C"), paid=False, mines=True)
    found = away(ground, skips_towns=False)
    assert (found["B"], found["C"], found["m"]) == (1, 1, 1)
    assert found["D"] >= FAR


def test_an_equal_network_has_the_same_ground() -> None:
    stops, links = "A20* B30 C40", "A-B B-C"
    assert ground_of(network(stops, links), False, False) is ground_of(network(stops, links), False, False)
    assert ground_of(network(stops, links), False, False) is not ground_of(network("A20* B31 C40", links), False, False)


def test_a_route_that_was_found_with_little_patience_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ostbahn.kernel.routes.single_train.GRACE", 0)
    net = line("A20* B30 C40 D51")
    hasty = Explorer(net, normal(4).kind)
    assert hasty.best(patience=Steps(0)).worth < 141 <= hasty.bound
    assert Explorer(net, normal(4).kind).best().worth == 141


def test_trains_keep_their_names_where_the_answer_is_known() -> None:
    net = network("A20* B30 C40", "A-B:x A-C:y")
    assert [name for name, _ in best_run(net, [normal(2, "x"), normal(2, "y")]).routes] == ["x", "y"]
    assert [name for name, _ in best_run(net, [normal(2, "v"), normal(2, "u")]).routes] == ["u", "v"]


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True)
@given(net=networks(most_links=12, sides=16), trains=st.lists(st.sampled_from(KINDS), min_size=3, max_size=6))
def test_one_search_after_another_on_the_same_ground_agrees_with_brute_force(
    net: Network, trains: list[RunningTrain]
) -> None:
    for train in trains:
        assert best_run(net, [train]).revenue == brute_force.most(net, [train])


@pytest.mark.parametrize(("shared", "known"), [(0, 1), (1, 10**6), (3, 4), (10, 20)])
def test_how_much_is_kept_makes_no_difference(shared: int, known: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_SHARED", shared)
    monkeypatch.setattr(bounds, "MOST_KNOWN", known)
    net = network("A20* B30 C40 D50 e10 f10", "A-B B-C C-D D-A e-A C-f e-f B-D")
    ground_of.cache_clear()
    for train in (normal(2), plus(3), normal(4), normal(3)):
        explorer = Explorer(net, train.kind)
        assert explorer.best().worth == brute_force.most(net, [train])
        assert len(explorer.ground.surroundings(skips_towns=False).known) <= shared
