"""The prepared graph, and what searches share of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostbahn.kernel.routes.budget import StepBudget
from ostbahn.kernel.routes.network import Arc, Network, RunningTrain
from ostbahn.kernel.routes.optimiser import best_run
from ostbahn.kernel.routes.prepared_graph import PreparedGraph, prepared_graph_of
from ostbahn.kernel.routes.pricer import pricer_of
from tests.kernel import brute_force
from tests.kernel.networks import electric, line, network, normal, plus
from tests.kernel.router_parameters import router_parameters
from tests.kernel.test_optimiser_at_random import KINDS, networks
from tests.kernel.test_rail_cars import able
from tests.lengths import at_random


def heads(graph: PreparedGraph, name: str) -> str:
    """The heads of the direct arcs that leave a stop."""
    number = next(number for number, stop in enumerate(graph.stops) if stop.id == name)
    return "".join(graph.stops[arc.head].id for arc in graph.direct_arcs[number])


def described(graph: PreparedGraph, arc: Arc) -> str:
    """The stops of an arc; those that do not count in brackets."""
    *passed, last = (graph.stops[stop].id for stop in arc.stops)
    return "".join(f"({name})" for name in passed) + (last if arc.counts else f"({last})")


def arcs(net: Network, train: RunningTrain, name: str) -> list[str]:
    """The arcs from a stop, in alphabetical order."""
    graph = PreparedGraph(net, paid=False, mines=train.kind.visits_mine)
    number = next(number for number, stop in enumerate(graph.stops) if stop.id == name)
    listed = graph.arcs(train.kind.skips_towns)
    assert listed is not None
    return sorted(described(graph, arc) for arc in listed[number])


def test_nothing_is_left_of_what_lies_out_of_reach() -> None:
    graph = PreparedGraph(network("A20* B30 C40! D50 E60 F70", "A-B B-C C-D E-F"), paid=False, mines=False)
    assert [heads(graph, name) for name in "ABCDEF"] == ["B", "CA", "B", "", "", ""]


def test_mines_are_there_only_for_trains_that_may_visit_them() -> None:
    net = network("A20* m30% C40", "A-m m-C")
    assert [heads(PreparedGraph(net, paid=False, mines=False), name) for name in "AmC"] == ["", "", ""]
    assert [heads(PreparedGraph(net, paid=False, mines=True), name) for name in "AmC"] == ["m", "CA", "m"]


def test_good_stops_come_first_and_a_bonus_is_part_of_the_value_where_it_is_paid() -> None:
    net = network("A20* B30 C10+40 D30", "A-B A-C A-D")
    assert heads(PreparedGraph(net, paid=False, mines=False), "A") == "BDC"
    assert heads(PreparedGraph(net, paid=True, mines=False), "A") == "CBD"


# Arcs


def test_an_arc_leads_beyond_towns_that_an_electric_train_leaves_out() -> None:
    net = line("A20* b10 c10 D20 E30")
    assert arcs(net, normal(3), "A") == ["b"]
    assert arcs(net, electric(3), "A") == ["(b)(c)D", "(b)c", "b"]
    assert arcs(net, electric(3), "D") == ["(c)(b)A", "(c)b", "E", "c"]


def test_no_arc_passes_a_town_that_is_closed_or_comes_to_a_place_twice() -> None:
    assert arcs(network("A20* b10! C20", "A-b b-C"), electric(3), "A") == ["b"]
    assert arcs(line("A20* b10@P c10@P D20"), electric(3), "A") == ["b"]


def test_a_way_round_is_left_out_that_uses_all_track_of_another() -> None:
    net = network("A20* b10 C20", "A-C:x A-b:xy b-C:z")
    assert arcs(net, electric(3), "A") == ["C", "b"], "who goes by b needs x as well"
    net = network("A20* b10 C20", "A-C:x A-b:y b-C:z")
    assert arcs(net, electric(3), "A") == ["(b)C", "C", "b"], "another train may want x"


def test_an_arc_may_pass_a_mine_or_end_there() -> None:
    net = network("A20* m30% B20", "A-m m-B A-B")
    assert arcs(net, able(normal(3), visits_mine=True), "A") == ["(m)", "(m)B", "B"]


def test_a_route_may_end_in_a_town_that_does_not_count_for_the_sake_of_its_station() -> None:
    assert arcs(line("A20 b10* C20"), electric(2), "A") == ["(b)", "(b)C", "b"]
    assert arcs(line("A20 b10*! C20"), electric(2), "A") == ["(b)", "b"]


def test_with_too_many_arcs_routes_are_extended_link_by_link() -> None:
    net = network("A20* B30 C40 D50 e10 f10", "A-B B-C C-D D-A e-A C-f e-f B-D A-f")
    fleet = [electric(3, "x"), electric(2, "y")]
    for max_arcs, by_links in ((100, False), (3, True)):
        with router_parameters(max_arcs=max_arcs):
            assert pricer_of(net, fleet[0].kind).by_links == by_links
            assert best_run(net, fleet).revenue == brute_force.most(net, fleet)


# Caches


def test_an_equal_network_has_the_same_graph() -> None:
    stops, links = "A20* B30 C40", "A-B B-C"
    assert prepared_graph_of(network(stops, links), False, False) is prepared_graph_of(
        network(stops, links), False, False
    )
    assert prepared_graph_of(network(stops, links), False, False) is not prepared_graph_of(
        network("A20* B31 C40", links), False, False
    )


def test_a_route_that_was_found_with_a_small_budget_is_not_cached() -> None:
    net = line("A20* B30 C40 D51")
    hasty = pricer_of(net, normal(4).kind)
    assert hasty.best(budget=StepBudget(0, free_steps=0)).worth < 141 <= hasty.bound
    assert pricer_of(net, normal(4).kind).best().worth == 141


def test_trains_keep_their_names_where_the_answer_is_known() -> None:
    net = network("A20* B30 C40", "A-B:x A-C:y")
    assert [route.card for route in best_run(net, [normal(2, "x"), normal(2, "y")]).routes] == ["x", "y"]
    assert [route.card for route in best_run(net, [normal(2, "v"), normal(2, "u")]).routes] == ["u", "v"]


@pytest.mark.slow
@at_random(150)
@given(net=networks(most_links=12, sides=16), trains=st.lists(st.sampled_from(KINDS), min_size=3, max_size=6))
def test_one_search_after_another_on_the_same_graph_agrees_with_brute_force(
    net: Network, trains: list[RunningTrain]
) -> None:
    for train in trains:
        assert best_run(net, [train]).revenue == brute_force.most(net, [train])


@pytest.mark.parametrize(("shared", "known"), [(0, 1), (1, 10**6), (3, 4), (10, 20)])
def test_how_much_is_cached_makes_no_difference(shared: int, known: int) -> None:
    net = network("A20* B30 C40 D50 e10 f10", "A-B B-C C-D D-A e-A C-f e-f B-D")
    with router_parameters(max_shared_bounds=shared, max_bounds=known):
        for train in (normal(2), plus(3), normal(4), normal(3)):
            pricer = pricer_of(net, train.kind)
            assert pricer.best().worth == brute_force.most(net, [train])
            assert len(pricer.ng_relaxation.bounds) <= shared
