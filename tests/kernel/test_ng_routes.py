"""Reduced profits of arcs, and the relaxations: no route has a higher profit than their bounds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from ostbahn.kernel.routes.link_search import KMemoryRelaxation
from ostbahn.kernel.routes.network import Arc, Network, RunningTrain, SubsetRowCut, TrainKind
from ostbahn.kernel.routes.ng_routes import INFEASIBLE_PROFIT, NgRelaxation
from ostbahn.kernel.routes.optimiser import best_run
from ostbahn.kernel.routes.prepared_graph import RESERVED_BITS, PreparedGraph
from ostbahn.kernel.routes.prices import NO_DUALS, Duals, Neighbourhoods, PricedArc, PricedArcs, PricedBundle
from tests.kernel import brute_force
from tests.kernel.networks import electric, line, network, normal, on_the_site, plus
from tests.kernel.test_optimiser_at_random import KINDS
from tests.kernel.test_rail_cars import mining, with_cars
from tests.lengths import at_random

UNIT = 16
"""Units of dual prices per unit of money."""
SIDES = 16
"""Hex sides of networks in these tests."""


def number_of(graph: PreparedGraph, name: str) -> int:
    return next(number for number, stop in enumerate(graph.stops) if stop.id == name)


def bundle(arcs: PricedArcs, start: str, head: str) -> PricedBundle:
    """The arcs from one stop to another, which are all of one class."""
    end = number_of(arcs.graph, head)
    (parallel,) = [bundle for bundle in arcs.leaving(number_of(arcs.graph, start)) if bundle[3] == end]
    return parallel


def undominated_of(priced: PricedBundle) -> list[tuple[int, tuple[int, ...]]]:
    """The arcs of a bundle that ng-routes need: reduced profits and links."""
    profit, _, _, _, _, undominated, first = priced
    return [(arc[0], arc[3].links) for arc in undominated] or [(profit, first.links)]


# Arcs and dual prices


def test_an_arc_pays_for_all_its_links() -> None:
    graph = PreparedGraph(line("A20* b10 c10 D40 E50"), paid=False, mines=False)
    arc_list = graph.arc_list(skips_towns=True)
    profits = arc_list.reduced_profits(UNIT, (1, 20, 300, 4000))
    first, second, _, last, beyond, end = arc_list.first
    priced = [(arc.links, left) for arc, left in zip(arc_list.arcs, profits, strict=True)]
    assert sorted(priced[first:second]) == [((0,), 160 - 1), ((0, 1), 160 - 21), ((0, 1, 2), 640 - 321)]
    assert sorted(priced[last:beyond]) == [
        ((2,), 160 - 300),
        ((2, 1), 160 - 320),
        ((2, 1, 0), 320 - 321),
        ((3,), -3200),
    ]
    assert priced[beyond:end] == [((3,), 640 - 4000)]


def test_a_mine_on_the_way_pays_and_a_station_alone_does_not() -> None:
    graph = PreparedGraph(line("A20* m30% B40 c10*"), paid=False, mines=True)
    arc_list = graph.arc_list(skips_towns=True)
    profits = arc_list.reduced_profits(UNIT, (1, 20, 300))
    priced = [(arc.links, arc.counts, left) for arc, left in zip(arc_list.arcs, profits, strict=True)]
    from_a, from_b = (priced[slice(*arc_list.first[number : number + 2])] for number in (0, 2))
    assert ((0,), False, 480 - 1) in from_a
    assert ((0, 1), True, 1120 - 21) in from_a
    assert ((2,), True, 160 - 300) in from_b
    assert ((2,), False, -300) in from_b


TWO_WAYS = network("A20* B30", "A-B:p A-B:q")


@pytest.mark.parametrize("prices", [(50, 10), (10, 50)])
def test_the_most_profitable_arc_represents_all_equivalent_ones(prices: tuple[int, int]) -> None:
    graph = PreparedGraph(TWO_WAYS, paid=False, mines=False)
    arcs = PricedArcs(graph, False, Duals(UNIT, prices, ()), Neighbourhoods(graph, False))
    cheap, dear = prices.index(10), prices.index(50)
    parallel = bundle(arcs, "A", "B")
    assert undominated_of(parallel) == [(470, (cheap,))]
    assert parallel[4] == [], "no elementary route was searched for yet"
    filled = arcs.fill(0, 1, parallel[2], parallel[4])
    assert [(arc[0], arc[3].links) for arc in filled] == [(470, (cheap,)), (430, (dear,))]
    assert bundle(arcs, "A", "B")[4] is filled, "it is filled once"


MORE_ON_TRACK = network("A20* B30 C40", "A-B:p A-B:q B-C:p")
"""A route from A by p cannot continue to C."""


@pytest.mark.parametrize(
    ("prices", "remembered", "expected"),
    [
        ((10, 50, 0), True, [(470, (0,)), (430, (1,))]),
        ((10, 50, 0), False, [(470, (0,))]),
        ((50, 10, 0), True, [(470, (1,))]),
        ((50, 10, 0), False, [(470, (1,))]),
    ],
)
def test_neighbourhoods_decide_which_arcs_are_undominated(
    prices: tuple[int, ...], remembered: bool, expected: list[tuple[int, tuple[int, ...]]]
) -> None:
    """An arc over track that matters later is needed only if its profit is higher."""
    graph = PreparedGraph(MORE_ON_TRACK, paid=False, mines=False)
    neighbourhoods = Neighbourhoods(graph, False, () if remembered else graph.location)
    arcs = PricedArcs(graph, False, Duals(UNIT, prices, ()), neighbourhoods)
    parallel = bundle(arcs, "A", "B")
    assert undominated_of(parallel) == expected
    assert len(arcs.fill(0, 1, parallel[2], parallel[4])) == 2


def test_arcs_list_the_cuts_that_they_take_part_in() -> None:
    """A cut of p, q and r: a route over two of them pays, so ng-routes must remember each."""
    net = network("A20* B30 C40", "A-B:p A-B:s B-C:q B-C:rt")
    cut = SubsetRowCut(0b111, 80)
    graph = PreparedGraph(net, paid=False, mines=False)
    arcs = PricedArcs(graph, False, Duals(UNIT, (0, 100, 0, 100), (cut,)), Neighbourhoods(graph, False))
    assert undominated_of(bundle(arcs, "A", "B")) == [(480, (0,)), (380, (1,))]
    relaxation = NgRelaxation(arcs, 3, 3)
    assert dict((start, bound) for bound, start in relaxation.start_bounds())[0] == 90 * UNIT - 80
    assert [arc.links for arc in relaxation.trace(0)] == [(0,), (2,)], "cheaper than the detour"
    dear = Duals(UNIT, (0, 100, 0, 100), (cut._replace(price=101),))
    relaxation = NgRelaxation(PricedArcs(graph, False, dear, Neighbourhoods(graph, False)), 3, 3)
    assert dict((start, bound) for bound, start in relaxation.start_bounds())[0] == 90 * UNIT - 100
    assert [arc.links for arc in relaxation.trace(0)] in ([(1,), (2,)], [(0,), (3,)]), "the detour is cheaper"


# Random networks


class PricedNetwork(NamedTuple):
    """A network with dual prices."""

    net: Network
    duals: Duals

    def reduced_profit(self, links: Sequence[int], worth: int) -> int:
        return worth * UNIT - self.duals.cost(links, brute_force.sides_of(self.net, links))


@st.composite
def priced_networks(draw: st.DrawFn, cuts: int = 3) -> PricedNetwork:
    """A network with mines and towns, a price for every hex side, and cuts."""
    net, _ = draw(with_cars())
    prices = draw(st.lists(st.integers(0, 250), min_size=SIDES, max_size=SIDES))
    links = tuple(sum(price for side, price in enumerate(prices) if link.sides >> side & 1) for link in net.links)
    three = st.sets(st.integers(0, SIDES - 1), min_size=3, max_size=3).map(
        lambda sides: sum(1 << side for side in sides)
    )
    subset_row_cuts = draw(
        st.lists(st.builds(SubsetRowCut, three, st.integers(1, 400)), max_size=cuts, unique_by=lambda cut: cut.sides)
    )
    return PricedNetwork(net, Duals(UNIT, links, tuple(subset_row_cuts)))


def graphs(net: Network) -> list[tuple[PreparedGraph, bool]]:
    """The graphs of a network for trains with and without mines, that skip towns or not."""
    return [(PreparedGraph(net, False, mines), skips_towns) for mines in (False, True) for skips_towns in (False, True)]


@at_random(150)
@given(priced_networks(cuts=0))
def test_reduced_profits_are_values_less_prices(case: PricedNetwork) -> None:
    for graph, skips_towns in graphs(case.net):
        arc_list, arcs = graph.arc_list(skips_towns), graph.arcs(skips_towns)
        assert arcs is not None
        assert [arc_list.arcs[first:end] for first, end in pairwise(arc_list.first)] == arcs
        profits = arc_list.reduced_profits(UNIT, case.duals.links)
        assert profits == [case.reduced_profit(arc.links, arc.value) for arc in arc_list.arcs]
        event(f"arcs over {max([0, *(len(arc.links) for arc in arc_list.arcs)])} links")


@at_random(150)
@given(priced_networks(), st.sampled_from(["none", "near", "little"]))
def test_undominated_arcs_suffice_and_filled_bundles_are_complete(case: PricedNetwork, remembered: str) -> None:
    for graph, skips_towns in graphs(case.net):
        near = graph.location if remembered == "little" else ()
        neighbourhoods = None if remembered == "none" else Neighbourhoods(graph, skips_towns, near)
        arcs, listed = PricedArcs(graph, skips_towns, case.duals, neighbourhoods), graph.arcs(skips_towns)
        assert listed is not None
        for start, expected in enumerate(listed):
            filled = list[Arc]()
            bundles = arcs.leaving(start)
            assert [bundle[0] for bundle in bundles] == sorted((bundle[0] for bundle in bundles), reverse=True)
            for parallel in bundles:
                filled += check_bundle(arcs, start, parallel)
            assert sorted(arc.links for arc in filled) == sorted(arc.links for arc in expected)


def check_bundle(arcs: PricedArcs, start: int, parallel: PricedBundle) -> list[Arc]:
    """All arcs of a bundle, after checks of their profits and of those that ng-routes use."""
    profit, resources, arc_class, head, priced, undominated, first = parallel
    filled = arcs.fill(start, head, arc_class, priced)
    for left, _, _, arc in filled:
        assert (arc.head, arcs.graph.class_of(arc)) == (head, arc_class)
        assert left == arc.value * UNIT - sum(arcs.duals.links[link] for link in arc.links)
    assert [arc[0] for arc in filled] == sorted((arc[0] for arc in filled), reverse=True)
    assert (profit, resources, first) == (filled[0][0], filled[0][1], filled[0][3])
    near = arcs.ng_set(start) | arcs.ng_set(head)
    needed: list[PricedArc] = undominated or [(profit, resources, (), first)]
    for left, used, _, _ in filled:
        assert any(arc[0] >= left and not arc[1] & near & ~used for arc in needed), "ng-routes would miss it"
    if len(undominated) > 1:
        event("several undominated arcs")
    return [arc[3] for arc in filled]


# ng-routes


FULL, NEAR, LITTLE = "everything", "near", "little"


def relaxation_of(net: Network, kind: TrainKind, duals: Duals = NO_DUALS, remembered: str = NEAR) -> NgRelaxation:
    """remembered: the size of ng-neighbourhoods; it matters only if there are dual prices."""
    graph = PreparedGraph(net, False, kind.visits_mine)
    near = {
        FULL: [(1 << graph.bits) - (1 << RESERVED_BITS)] * len(graph.stops),
        NEAR: (),
        LITTLE: graph.location,
    }[remembered]
    neighbourhoods = None if duals is NO_DUALS else Neighbourhoods(graph, kind.skips_towns, near)
    assert kind.cities is not None, "otherwise there are no ng-routes"
    return NgRelaxation(PricedArcs(graph, kind.skips_towns, duals, neighbourhoods), kind.stops, kind.cities)


def best_from(case: PricedNetwork, kind: TrainKind, counted: bool = True) -> dict[int, int]:
    """By brute force: for each first stop the highest reduced profit of a route, mines included.

    counted: the first stop must count, as that of ng-routes does. How few stops count does not matter.
    """
    best: dict[int, int] = {}
    free = kind._replace(least_stops=0)
    for path in brute_force.paths(case.net):
        stops = [case.net.stops[number] for number in path[0]]
        if brute_force.breaches(case.net, free, path):
            continue
        worth = brute_force.worth(free, stops)
        if counted and kind.skips_towns and stops[0].is_town and not stops[0].is_mine:
            rest = brute_force.worth(free._replace(stops=kind.stops - 1), stops[1:])
            worth = None if rest is None else rest + stops[0].value
        if worth is not None:
            start = path[0][0]
            best[start] = max(best.get(start, INFEASIBLE_PROFIT), case.reduced_profit(path[1], worth))
    return best


TRIANGLE = network("A20* B30 C40 D50", "A-B B-C C-A C-D")


def test_ng_routes_visit_a_near_stop_once() -> None:
    relaxation = relaxation_of(TRIANGLE, normal(4).kind)
    assert list(relaxation.start_bounds()) == [(140, 0), (140, 1), (140, 3), (90, 2)]
    assert [TRIANGLE.stops[arc.head].id for arc in relaxation.trace(0)] == ["B", "C", "D"]


def test_ng_routes_return_to_what_is_not_remembered() -> None:
    names = "ABCDEFGHIJ"
    ring = network(
        " ".join(f"{name}{90 if name == 'A' else 10}*" for name in names),
        " ".join(f"{a}-{b}" for a, b in pairwise(names + "A")),
    )
    duals = Duals(1, [0] * len(ring.links), ())
    start_bounds = {
        size: next(relaxation_of(ring, normal(10).kind, duals, size).start_bounds()) for size in (FULL, NEAR, LITTLE)
    }
    assert start_bounds == {FULL: (9 * 10 + 90, 0), NEAR: (9 * 10 + 90, 0), LITTLE: (5 * 10 + 5 * 90, 0)}


def test_from_where_no_route_begins_there_is_nothing_to_trace() -> None:
    relaxation = relaxation_of(line("A20* B30! C40"), normal(2).kind)
    assert [start for bound, start in relaxation.start_bounds() if bound > 0] == [0, 1]
    assert relaxation.trace(2) == []


def test_a_mine_or_a_station_may_follow_the_last_stop_that_counts() -> None:
    relaxation = relaxation_of(line("A20* B30 m50%"), mining(normal(2)).kind)
    assert list(relaxation.start_bounds()) == [(100, 0), (100, 2), (50, 1)]
    assert [arc.counts for arc in relaxation.trace(0)] == [True, False]
    relaxation = relaxation_of(line("A20 B30 c10*"), electric(2).kind)
    assert list(relaxation.start_bounds()) == [(50, 0), (40, 1), (40, 2)]
    assert [arc.counts for arc in relaxation.trace(0)] == [True, False]


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        (normal(99).kind, 160),
        (plus(99).kind, 160),
        (electric(99).kind, 160),
        (TrainKind(2, 99), 100),
        (TrainKind(2, 99, skips_towns=True), 100),
        (TrainKind(1, 99), 40),
    ],
)
def test_a_train_may_be_longer_than_the_network(kind: TrainKind, most: int) -> None:
    net = line("A20* b10 c10 D60 E60")
    relaxation = relaxation_of(net, kind)
    assert next(relaxation.start_bounds())[0] == most == brute_force.most(net, [RunningTrain("x", kind)])
    assert max(relaxation.after) < 1 << RESERVED_BITS, "numbers leave room for the memory"


@pytest.mark.parametrize("skips_towns", [False, True])
def test_a_train_may_be_for_towns_alone(skips_towns: bool) -> None:
    kind = TrainKind(0, 2, skips_towns=skips_towns)
    assert best_run(line("A20* b30"), [RunningTrain("x", kind)]).revenue == 0
    assert best_run(line("a20* b30"), [RunningTrain("x", kind)]).revenue == 50


LONG = [*(train(99) for train in (normal, plus, electric)), RunningTrain("2 of 99", TrainKind(2, 99))]
FEW_CITIES = [
    RunningTrain("few cities", TrainKind(cities, 4, skips_towns=skips)) for cities in (0, 1) for skips in (False, True)
]
BY_ARCS = [*(train for train in KINDS if train.kind.cities is not None), *LONG, *FEW_CITIES]
ARC_KINDS = [train.kind for plain in BY_ARCS for train in (plain, mining(plain))]


@pytest.mark.slow
@at_random(250)
@given(priced_networks(), st.sampled_from(ARC_KINDS), st.sampled_from([NEAR, LITTLE]))
def test_ng_bounds_are_valid(case: PricedNetwork, kind: TrainKind, remembered: str) -> None:
    relaxation = relaxation_of(case.net, kind, case.duals, remembered)
    start_bounds = list(relaxation.start_bounds())
    assert [bound for bound, _ in start_bounds] == sorted((bound for bound, _ in start_bounds), reverse=True)
    bounds = {start: bound for bound, start in start_bounds}
    assert len(bounds) == len(start_bounds)
    best = best_from(case, kind)
    assert [start for start, profit in best.items() if bounds[start] < profit] == []
    assert list(relaxation.start_bounds()) == start_bounds, "the same again"
    event(f"a bound too high: {any(bounds[start] > profit for start, profit in best.items())}")


@pytest.mark.slow
@at_random(250)
@given(priced_networks(), st.sampled_from(ARC_KINDS))
def test_with_full_memory_ng_routes_are_routes(case: PricedNetwork, kind: TrainKind) -> None:
    start_bounds = relaxation_of(case.net, kind, case.duals, FULL).start_bounds()
    assert {start: bound for bound, start in start_bounds if bound > INFEASIBLE_PROFIT // 2} == best_from(case, kind)


@pytest.mark.slow
@at_random(250)
@given(priced_networks(), st.sampled_from(ARC_KINDS), st.sampled_from([NEAR, LITTLE, FULL]))
def test_traced_ng_routes_have_the_profit_of_their_bounds(
    case: PricedNetwork, kind: TrainKind, remembered: str
) -> None:
    relaxation = relaxation_of(case.net, kind, case.duals, remembered)
    best = best_from(case, kind)
    for bound, start in relaxation.start_bounds():
        arcs, first = relaxation.trace(start), case.net.stops[start]
        if bound <= INFEASIBLE_PROFIT // 2:
            assert arcs == []
            continue
        links = [link for arc in arcs for link in arc.links]
        assert bound == case.reduced_profit(links, first.value + sum(arc.value for arc in arcs))
        check_ng_route(case.net, kind, start, arcs)
        is_route = not brute_force.breaches(case.net, kind, ((start, *visited_stops(arcs)), tuple(links)))
        assert not is_route or bound == best[start], "a best ng-route that is a route is the best route"
        event(f"a route: {is_route}")


def visited_stops(arcs: Sequence[Arc]) -> list[int]:
    return [stop for arc in arcs for stop in arc.stops]


def check_ng_route(net: Network, kind: TrainKind, start: int, arcs: Sequence[Arc]) -> None:
    """It is connected, not too long, and visits a station."""
    path, links = [start, *visited_stops(arcs)], [link for arc in arcs for link in arc.links]
    assert [{net.links[link].a, net.links[link].b} for link in links] == [set(step) for step in pairwise(path)]
    assert any(net.stops[stop].own for stop in path)
    assert all(net.stops[stop].passable for stop in path[1:-1])
    counted = [
        net.stops[stop] for stop in (start, *(arc.head for arc in arcs if arc.counts)) if not net.stops[stop].is_mine
    ]
    assert len(counted) <= kind.stops
    assert kind.cities is None or sum(not stop.is_town for stop in counted) <= kind.cities


def test_k_memory_bounds_pay_for_both_links_at_a_mine() -> None:
    graph = PreparedGraph(line("A60* m0% B90"), paid=False, mines=True)
    k_memory = KMemoryRelaxation(graph, mining(on_the_site(2)).kind, Duals(UNIT, (300, 40), ()), 2)
    assert k_memory.start_bounds() == [(150 * UNIT - 340, 0), (150 * UNIT - 340, 2), (90 * UNIT - 40, 1)]


SKIPPING_CITIES = [on_the_site(size, towns=towns) for size in (2, 3, 5, 99) for towns in (1, 3)]
K_MEMORY_KINDS = [train.kind for plain in (*SKIPPING_CITIES, *BY_ARCS) for train in (plain, mining(plain))]


@pytest.mark.slow
@at_random(250)
@given(priced_networks(), st.sampled_from(K_MEMORY_KINDS), st.integers(0, 2))
def test_k_memory_bounds_are_valid(case: PricedNetwork, kind: TrainKind, remembered: int) -> None:
    k_memory = KMemoryRelaxation(PreparedGraph(case.net, False, kind.visits_mine), kind, case.duals, remembered)
    bounds = {start: bound for bound, start in k_memory.start_bounds()}
    best = best_from(case, kind, counted=False)
    assert [start for start, profit in best.items() if bounds[start] < profit] == []
