"""What searches share: the ground they are made on, and what earlier ones found out there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostbahn.kernel.routes import ground as ground_module
from ostbahn.kernel.routes import single_train, walks
from ostbahn.kernel.routes.ground import Ground, ground_of
from ostbahn.kernel.routes.network import Hop, Network, RunningTrain
from ostbahn.kernel.routes.optimiser import best_run, forget
from ostbahn.kernel.routes.search import Steps
from ostbahn.kernel.routes.single_train import explorer_of
from tests.kernel import brute_force
from tests.kernel.networks import electric, line, network, normal, plus
from tests.kernel.test_optimiser_at_random import KINDS, networks
from tests.kernel.test_rail_cars import able
from tests.lengths import at_random


def around(ground: Ground, name: str) -> str:
    """The stops at the end of the ways that leave a stop."""
    number = next(number for number, stop in enumerate(ground.stops) if stop.id == name)
    return "".join(ground.stops[hop.there].id for hop in ground.ways[number])


def told(ground: Ground, hop: Hop) -> str:
    """The stops of a hop; those that do not count in brackets."""
    *passed, last = (ground.stops[stop].id for stop in hop.stops)
    return "".join(f"({name})" for name in passed) + (last if hop.counts else f"({last})")


def hops(net: Network, train: RunningTrain, name: str) -> list[str]:
    """The hops from a stop, in alphabetical order."""
    ground = Ground(net, paid=False, mines=train.kind.visits_mine)
    number = next(number for number, stop in enumerate(ground.stops) if stop.id == name)
    listed = ground.hops(train.kind.skips_towns)
    assert listed is not None
    return sorted(told(ground, hop) for hop in listed[number])


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


# Hops


def test_a_hop_leads_beyond_towns_that_an_electric_train_leaves_out() -> None:
    net = line("A20* b10 c10 D20 E30")
    assert hops(net, normal(3), "A") == ["b"]
    assert hops(net, electric(3), "A") == ["(b)(c)D", "(b)c", "b"]
    assert hops(net, electric(3), "D") == ["(c)(b)A", "(c)b", "E", "c"]


def test_nobody_passes_a_town_that_is_closed_or_comes_to_a_place_twice() -> None:
    assert hops(network("A20* b10! C20", "A-b b-C"), electric(3), "A") == ["b"]
    assert hops(line("A20* b10@P c10@P D20"), electric(3), "A") == ["b"]


def test_a_way_round_is_left_out_that_uses_all_track_of_another() -> None:
    net = network("A20* b10 C20", "A-C:x A-b:xy b-C:z")
    assert hops(net, electric(3), "A") == ["C", "b"], "who goes by b needs x as well"
    net = network("A20* b10 C20", "A-C:x A-b:y b-C:z")
    assert hops(net, electric(3), "A") == ["(b)C", "C", "b"], "another train may want x"


def test_a_hop_may_pass_a_mine_or_end_there() -> None:
    net = network("A20* m30% B20", "A-m m-B A-B")
    assert hops(net, able(normal(3), visits_mine=True), "A") == ["(m)", "(m)B", "B"]


def test_a_route_may_end_in_a_town_that_does_not_count_for_the_sake_of_its_station() -> None:
    assert hops(line("A20 b10* C20"), electric(2), "A") == ["(b)", "(b)C", "b"]
    assert hops(line("A20 b10*! C20"), electric(2), "A") == ["(b)", "b"]


def test_where_there_are_too_many_hops_links_must_do(monkeypatch: pytest.MonkeyPatch) -> None:
    net = network("A20* B30 C40 D50 e10 f10", "A-B B-C C-D D-A e-A C-f e-f B-D A-f")
    fleet = [electric(3, "x"), electric(2, "y")]
    for most, is_passing in ((100, False), (3, True)):
        monkeypatch.setattr(ground_module, "MOST_HOPS", most)
        forget()
        assert explorer_of(net, fleet[0].kind).is_passing == is_passing
        assert best_run(net, fleet).revenue == brute_force.most(net, fleet)
    forget()


# What is kept


def test_an_equal_network_has_the_same_ground() -> None:
    stops, links = "A20* B30 C40", "A-B B-C"
    assert ground_of(network(stops, links), False, False) is ground_of(network(stops, links), False, False)
    assert ground_of(network(stops, links), False, False) is not ground_of(network("A20* B31 C40", links), False, False)


def test_a_route_that_was_found_with_little_patience_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ostbahn.kernel.routes.search.GRACE", 0)
    net = line("A20* B30 C40 D51")
    hasty = explorer_of(net, normal(4).kind)
    assert hasty.best(patience=Steps(0)).worth < 141 <= hasty.bound
    assert explorer_of(net, normal(4).kind).best().worth == 141


def test_trains_keep_their_names_where_the_answer_is_known() -> None:
    net = network("A20* B30 C40", "A-B:x A-C:y")
    assert [route.card for route in best_run(net, [normal(2, "x"), normal(2, "y")]).routes] == ["x", "y"]
    assert [route.card for route in best_run(net, [normal(2, "v"), normal(2, "u")]).routes] == ["u", "v"]


@pytest.mark.slow
@at_random(150)
@given(net=networks(most_links=12, sides=16), trains=st.lists(st.sampled_from(KINDS), min_size=3, max_size=6))
def test_one_search_after_another_on_the_same_ground_agrees_with_brute_force(
    net: Network, trains: list[RunningTrain]
) -> None:
    for train in trains:
        assert best_run(net, [train]).revenue == brute_force.most(net, [train])


@pytest.mark.parametrize(("shared", "known"), [(0, 1), (1, 10**6), (3, 4), (10, 20)])
def test_how_much_is_kept_makes_no_difference(shared: int, known: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_train, "MOST_SHARED", shared)
    monkeypatch.setattr(walks, "MOST_KNOWN", known)
    net = network("A20* B30 C40 D50 e10 f10", "A-B B-C C-D D-A e-A C-f e-f B-D")
    forget()
    for train in (normal(2), plus(3), normal(4), normal(3)):
        explorer = explorer_of(net, train.kind)
        assert explorer.best().worth == brute_force.most(net, [train])
        assert len(explorer.walks.known) <= shared
