"""What trains keep of hops after tolls, and what walks promise: never less than a route keeps, and soon known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from ostbahn.kernel.routes.ground import RESERVED, Ground
from ostbahn.kernel.routes.network import Hop, Knot, Network, RunningTrain, TrainKind
from ostbahn.kernel.routes.optimiser import best_run
from ostbahn.kernel.routes.passing import Strolls
from ostbahn.kernel.routes.pricing import FREE, Charge, Course, Courses, Memory, PricedHops
from ostbahn.kernel.routes.walks import NEVER, Walks
from tests.kernel import brute_force
from tests.kernel.networks import electric, line, network, normal, on_the_site, plus
from tests.kernel.test_optimiser_at_random import KINDS
from tests.kernel.test_rail_cars import mining, with_cars
from tests.lengths import at_random

UNIT = 16
"""So many units of tolls make one of money."""
SIDES = 16
"""As many hex sides as networks have here."""


def number_of(ground: Ground, name: str) -> int:
    return next(number for number, stop in enumerate(ground.stops) if stop.id == name)


def bundle(hops: PricedHops, start: str, there: str) -> Courses:
    """The hops from one stop to another, which are all of one sort."""
    end = number_of(hops.ground, there)
    (found,) = [each for each in hops.leaving(number_of(hops.ground, start)) if each[3] == end]
    return found


def walked(courses: Courses) -> list[tuple[int, tuple[int, ...]]]:
    """What walks have of a bundle: what each hop keeps, and its links."""
    kept, _, _, _, _, several, first = courses
    return [(each[0], each[3].links) for each in several] or [(kept, first.links)]


# Hops and tolls


def test_a_hop_pays_for_all_its_links() -> None:
    ground = Ground(line("A20* b10 c10 D40 E50"), paid=False, mines=False)
    listing = ground.listing(skips_towns=True)
    kept = listing.kept(UNIT, (1, 20, 300, 4000))
    first, second, _, last, beyond, end = listing.first
    told = [(hop.links, left) for hop, left in zip(listing.hops, kept, strict=True)]
    assert sorted(told[first:second]) == [((0,), 160 - 1), ((0, 1), 160 - 21), ((0, 1, 2), 640 - 321)]
    assert sorted(told[last:beyond]) == [((2,), 160 - 300), ((2, 1), 160 - 320), ((2, 1, 0), 320 - 321), ((3,), -3200)]
    assert told[beyond:end] == [((3,), 640 - 4000)]


def test_a_mine_on_the_way_pays_and_a_station_alone_does_not() -> None:
    ground = Ground(line("A20* m30% B40 c10*"), paid=False, mines=True)
    listing = ground.listing(skips_towns=True)
    kept = listing.kept(UNIT, (1, 20, 300))
    told = [(hop.links, hop.counts, left) for hop, left in zip(listing.hops, kept, strict=True)]
    from_a, from_b = (told[slice(*listing.first[number : number + 2])] for number in (0, 2))
    assert ((0,), False, 480 - 1) in from_a
    assert ((0, 1), True, 1120 - 21) in from_a
    assert ((2,), True, 160 - 300) in from_b
    assert ((2,), False, -300) in from_b


TWO_WAYS = network("A20* B30", "A-B:p A-B:q")


@pytest.mark.parametrize("tolls", [(50, 10), (10, 50)])
def test_of_hops_that_walks_cannot_tell_apart_the_one_that_keeps_most_stands_for_all(tolls: tuple[int, int]) -> None:
    ground = Ground(TWO_WAYS, paid=False, mines=False)
    hops = PricedHops(ground, False, Charge(UNIT, tolls, ()), Memory(ground, False))
    cheap, dear = tolls.index(10), tolls.index(50)
    ways = bundle(hops, "A", "B")
    assert walked(ways) == [(470, (cheap,))]
    assert ways[4] == [], "nobody has drawn a route yet"
    filled = hops.fill(0, 1, ways[2], ways[4])
    assert [(course[0], course[3].links) for course in filled] == [(470, (cheap,)), (430, (dear,))]
    assert bundle(hops, "A", "B")[4] is filled, "it is filled once"


MORE_ON_TRACK = network("A20* B30 C40", "A-B:p A-B:q B-C:p")
"""Whoever comes from A by p cannot go on to C."""


@pytest.mark.parametrize(
    ("tolls", "remembered", "walked_by"),
    [
        ((10, 50, 0), True, [(470, (0,)), (430, (1,))]),
        ((10, 50, 0), False, [(470, (0,))]),
        ((50, 10, 0), True, [(470, (1,))]),
        ((50, 10, 0), False, [(470, (1,))]),
    ],
)
def test_what_is_remembered_decides_which_hops_walks_need(
    tolls: tuple[int, ...], remembered: bool, walked_by: list[tuple[int, tuple[int, ...]]]
) -> None:
    """Who takes track that matters further on is needed only if it keeps more."""
    ground = Ground(MORE_ON_TRACK, paid=False, mines=False)
    memory = Memory(ground, False, () if remembered else ground.place)
    hops = PricedHops(ground, False, Charge(UNIT, tolls, ()), memory)
    ways = bundle(hops, "A", "B")
    assert walked(ways) == walked_by
    assert len(hops.fill(0, 1, ways[2], ways[4])) == 2


def test_with_knots_hops_say_which_of_them_they_tie() -> None:
    """A knot of p, q and r: who has two of them pays, and walks must know who has one."""
    net = network("A20* B30 C40", "A-B:p A-B:s B-C:q B-C:rt")
    knot = Knot(0b111, 80)
    ground = Ground(net, paid=False, mines=False)
    hops = PricedHops(ground, False, Charge(UNIT, (0, 100, 0, 100), (knot,)), Memory(ground, False))
    assert walked(bundle(hops, "A", "B")) == [(480, (0,)), (380, (1,))]
    walks = Walks(hops, 3, 3)
    assert dict((start, hope) for hope, start in walks.hopes())[0] == 90 * UNIT - 80
    assert [hop.links for hop in walks.trace(0)] == [(0,), (2,)], "cheaper than to go round"
    dear = Charge(UNIT, (0, 100, 0, 100), (knot._replace(toll=101),))
    walks = Walks(PricedHops(ground, False, dear, Memory(ground, False)), 3, 3)
    assert dict((start, hope) for hope, start in walks.hopes())[0] == 90 * UNIT - 100
    assert [hop.links for hop in walks.trace(0)] in ([(1,), (2,)], [(0,), (3,)]), "to go round is cheaper"


# Hops at random


class Tolled(NamedTuple):
    """A network, and what its track costs."""

    net: Network
    charge: Charge

    def kept(self, links: Sequence[int], worth: int) -> int:
        """What is left of so much money to whoever uses links."""
        return worth * UNIT - self.charge.paid(links, brute_force.sides_of(self.net, links))


@st.composite
def tolled(draw: st.DrawFn, knots: int = 3) -> Tolled:
    """A network with mines and towns; every hex side has a toll, as limits have, and there are knots."""
    net, _ = draw(with_cars())
    prices = draw(st.lists(st.integers(0, 250), min_size=SIDES, max_size=SIDES))
    links = tuple(sum(price for side, price in enumerate(prices) if link.sides >> side & 1) for link in net.links)
    three = st.sets(st.integers(0, SIDES - 1), min_size=3, max_size=3).map(
        lambda found: sum(1 << side for side in found)
    )
    tied = draw(
        st.lists(st.builds(Knot, three, st.integers(1, 400)), max_size=knots, unique_by=lambda each: each.sides)
    )
    return Tolled(net, Charge(UNIT, links, tuple(tied)))


def grounds(net: Network) -> list[tuple[Ground, bool]]:
    """As all sorts of trains see a network, which leave towns out or not."""
    return [(Ground(net, False, mines), skips_towns) for mines in (False, True) for skips_towns in (False, True)]


@at_random(150)
@given(tolled(knots=0))
def test_every_hop_keeps_its_value_without_the_tolls_of_its_links(case: Tolled) -> None:
    for ground, skips_towns in grounds(case.net):
        listing, hops = ground.listing(skips_towns), ground.hops(skips_towns)
        assert hops is not None
        assert [listing.hops[first:end] for first, end in pairwise(listing.first)] == hops
        kept = listing.kept(UNIT, case.charge.links)
        assert kept == [case.kept(hop.links, hop.value) for hop in listing.hops]
        event(f"hops over {max([0, *(len(hop.links) for hop in listing.hops)])} links")


@at_random(150)
@given(tolled(), st.sampled_from(["nothing special", "what lies near", "little"]))
def test_walks_miss_no_hop_and_whoever_draws_routes_gets_all_best_first(case: Tolled, remembered: str) -> None:
    for ground, skips_towns in grounds(case.net):
        near = ground.place if remembered == "little" else ()
        memory = None if remembered == "nothing special" else Memory(ground, skips_towns, near)
        hops, listed = PricedHops(ground, skips_towns, case.charge, memory), ground.hops(skips_towns)
        assert listed is not None
        for start, expected in enumerate(listed):
            filled = list[Hop]()
            bundles = hops.leaving(start)
            assert [each[0] for each in bundles] == sorted((each[0] for each in bundles), reverse=True)
            for ways in bundles:
                filled += check_bundle(hops, start, ways)
            assert sorted(hop.links for hop in filled) == sorted(hop.links for hop in expected)


def check_bundle(hops: PricedHops, start: int, ways: Courses) -> list[Hop]:
    """All hops of a bundle, after a look at what they keep and which of them walks have."""
    kept, taken, sort, there, courses, several, first = ways
    filled = hops.fill(start, there, sort, courses)
    for left, _, _, hop in filled:
        assert (hop.there, hops.ground.sort_of(hop)) == (there, sort)
        assert left == hop.value * UNIT - sum(hops.charge.links[link] for link in hop.links)
    assert [course[0] for course in filled] == sorted((course[0] for course in filled), reverse=True)
    assert (kept, taken, first) == (filled[0][0], filled[0][1], filled[0][3])
    near = hops.near(start) | hops.near(there)
    for_walks: list[Course] = several or [(kept, taken, (), first)]
    for left, crossed, _, _ in filled:
        assert any(each[0] >= left and not each[1] & near & ~crossed for each in for_walks), "walks would miss it"
    if len(several) > 1:
        event("hops told apart")
    return [course[3] for course in filled]


# Walks


FULL, NEAR, LITTLE = "everything", "what lies near", "little"


def walks_on(net: Network, kind: TrainKind, charge: Charge = FREE, remembered: str = NEAR) -> Walks:
    """Those of a kind of train; what is remembered is told only where there are tolls."""
    ground = Ground(net, False, kind.visits_mine)
    near = {
        FULL: [(1 << ground.bits) - (1 << RESERVED)] * len(ground.stops),
        NEAR: (),
        LITTLE: ground.place,
    }[remembered]
    memory = None if charge is FREE else Memory(ground, kind.skips_towns, near)
    assert kind.cities is not None, "otherwise there are no walks"
    return Walks(PricedHops(ground, kind.skips_towns, charge, memory), kind.stops, kind.cities)


def best_from(case: Tolled, kind: TrainKind, counted: bool = True) -> dict[int, int]:
    """By brute force: what the best route keeps, for each stop at which one may begin, mines included.

    counted: the first stop has to count, as no walk begins elsewhere. Walks do not care how few stops count.
    """
    found: dict[int, int] = {}
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
            found[start] = max(found.get(start, NEVER), case.kept(path[1], worth))
    return found


TRIANGLE = network("A20* B30 C40 D50", "A-B B-C C-A C-D")


def test_the_best_walk_does_not_come_to_a_stop_near_by_again() -> None:
    walks = walks_on(TRIANGLE, normal(4).kind)
    assert list(walks.hopes()) == [(140, 0), (140, 1), (140, 3), (90, 2)]
    assert [TRIANGLE.stops[hop.there].id for hop in walks.trace(0)] == ["B", "C", "D"]


def test_a_walk_comes_again_to_what_it_has_forgotten() -> None:
    names = "ABCDEFGHIJ"
    ring = network(
        " ".join(f"{name}{90 if name == 'A' else 10}*" for name in names),
        " ".join(f"{a}-{b}" for a, b in pairwise(names + "A")),
    )
    charge = Charge(1, [0] * len(ring.links), ())
    hopes = {known: next(walks_on(ring, normal(10).kind, charge, known).hopes()) for known in (FULL, NEAR, LITTLE)}
    assert hopes == {FULL: (9 * 10 + 90, 0), NEAR: (9 * 10 + 90, 0), LITTLE: (5 * 10 + 5 * 90, 0)}


def test_from_where_no_route_begins_there_is_nothing_to_trace() -> None:
    walks = walks_on(line("A20* B30! C40"), normal(2).kind)
    assert [start for hope, start in walks.hopes() if hope > 0] == [0, 1]
    assert walks.trace(2) == []


def test_a_mine_or_a_station_may_follow_the_last_stop_that_counts() -> None:
    walks = walks_on(line("A20* B30 m50%"), mining(normal(2)).kind)
    assert list(walks.hopes()) == [(100, 0), (100, 2), (50, 1)]
    assert [hop.counts for hop in walks.trace(0)] == [True, False]
    walks = walks_on(line("A20 B30 c10*"), electric(2).kind)
    assert list(walks.hopes()) == [(50, 0), (40, 1), (40, 2)]
    assert [hop.counts for hop in walks.trace(0)] == [True, False]


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
    walks = walks_on(net, kind)
    assert next(walks.hopes())[0] == most == brute_force.most(net, [RunningTrain("x", kind)])
    assert max(walks.after) < 1 << RESERVED, "numbers leave room for what is remembered"


@pytest.mark.parametrize("skips_towns", [False, True])
def test_a_train_may_be_for_towns_alone(skips_towns: bool) -> None:
    kind = TrainKind(0, 2, skips_towns=skips_towns)
    assert best_run(line("A20* b30"), [RunningTrain("x", kind)]).revenue == 0
    assert best_run(line("a20* b30"), [RunningTrain("x", kind)]).revenue == 50


LONG = [*(train(99) for train in (normal, plus, electric)), RunningTrain("2 of 99", TrainKind(2, 99))]
FEW_CITIES = [
    RunningTrain("few cities", TrainKind(cities, 4, skips_towns=skips)) for cities in (0, 1) for skips in (False, True)
]
BY_HOPS = [*(train for train in KINDS if train.kind.cities is not None), *LONG, *FEW_CITIES]
HOP_KINDS = [train.kind for plain in BY_HOPS for train in (plain, mining(plain))]


@pytest.mark.slow
@at_random(250)
@given(tolled(), st.sampled_from(HOP_KINDS), st.sampled_from([NEAR, LITTLE]))
def test_no_route_keeps_more_than_walks_promise(case: Tolled, kind: TrainKind, remembered: str) -> None:
    walks = walks_on(case.net, kind, case.charge, remembered)
    hopes = list(walks.hopes())
    assert [hope for hope, _ in hopes] == sorted((hope for hope, _ in hopes), reverse=True)
    promised = {start: hope for hope, start in hopes}
    assert len(promised) == len(hopes)
    best = best_from(case, kind)
    assert [start for start, kept in best.items() if promised[start] < kept] == []
    assert list(walks.hopes()) == hopes, "told again"
    event(f"a promise too high: {any(promised[start] > kept for start, kept in best.items())}")


@pytest.mark.slow
@at_random(250)
@given(tolled(), st.sampled_from(HOP_KINDS))
def test_walks_that_remember_everything_are_routes(case: Tolled, kind: TrainKind) -> None:
    hopes = walks_on(case.net, kind, case.charge, FULL).hopes()
    assert {start: hope for hope, start in hopes if hope > NEVER // 2} == best_from(case, kind)


@pytest.mark.slow
@at_random(250)
@given(tolled(), st.sampled_from(HOP_KINDS), st.sampled_from([NEAR, LITTLE, FULL]))
def test_the_walk_that_earns_what_was_promised_can_be_traced(case: Tolled, kind: TrainKind, remembered: str) -> None:
    walks = walks_on(case.net, kind, case.charge, remembered)
    best = best_from(case, kind)
    for hope, start in walks.hopes():
        hops, first = walks.trace(start), case.net.stops[start]
        if hope <= NEVER // 2:
            assert hops == []
            continue
        links = [link for hop in hops for link in hop.links]
        assert hope == case.kept(links, first.value + sum(hop.value for hop in hops))
        check_walk(case.net, kind, start, hops)
        is_route = not brute_force.breaches(case.net, kind, ((start, *passed(hops)), tuple(links)))
        assert not is_route or hope == best[start], "a best walk that is a route is the best route"
        event(f"a route: {is_route}")


def passed(hops: Sequence[Hop]) -> list[int]:
    """The stops that hops come to."""
    return [stop for hop in hops for stop in hop.stops]


def check_walk(net: Network, kind: TrainKind, start: int, hops: Sequence[Hop]) -> None:
    """It hangs together, is not too long, and comes to a station."""
    way, links = [start, *passed(hops)], [link for hop in hops for link in hop.links]
    assert [{net.links[link].a, net.links[link].b} for link in links] == [set(step) for step in pairwise(way)]
    assert any(net.stops[stop].own for stop in way)
    assert all(net.stops[stop].passable for stop in way[1:-1])
    counted = [
        net.stops[stop] for stop in (start, *(hop.there for hop in hops if hop.counts)) if not net.stops[stop].is_mine
    ]
    assert len(counted) <= kind.stops
    assert kind.cities is None or sum(not stop.is_town for stop in counted) <= kind.cities


def test_a_stroll_past_a_mine_pays_for_both_links_once() -> None:
    ground = Ground(line("A60* m0% B90"), paid=False, mines=True)
    strolls = Strolls(ground, mining(on_the_site(2)).kind, Charge(UNIT, (300, 40), ()), 2)
    assert strolls.hopes() == [(150 * UNIT - 340, 0), (150 * UNIT - 340, 2), (90 * UNIT - 40, 1)]


PASSING = [on_the_site(size, towns=towns) for size in (2, 3, 5, 99) for towns in (1, 3)]
STROLLING = [train.kind for plain in (*PASSING, *BY_HOPS) for train in (plain, mining(plain))]


@pytest.mark.slow
@at_random(250)
@given(tolled(), st.sampled_from(STROLLING), st.integers(0, 2))
def test_no_route_keeps_more_than_strolls_promise(case: Tolled, kind: TrainKind, remembered: int) -> None:
    """Where stops are passed link by link: all trains do so where there are too many hops."""
    strolls = Strolls(Ground(case.net, False, kind.visits_mine), kind, case.charge, remembered)
    promised = {start: hope for hope, start in strolls.hopes()}
    best = best_from(case, kind, counted=False)
    assert [start for start, kept in best.items() if promised[start] < kept] == []
