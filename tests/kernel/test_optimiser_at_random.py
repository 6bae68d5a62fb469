"""The optimiser of runs: always the same answer, and at random against two other solvers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from ostbahn.kernel.routes.network import Link, Network, RunningTrain, Stop, TrainKind
from tests.kernel import brute_force, integer_programme
from tests.kernel.networks import checked, electric, network, normal, on_the_site, plus
from tests.lengths import at_random

pytestmark = pytest.mark.slow

# Always the same


SQUARE = network("A20* B20 C20 D20 e10 f10", "A-B:s A-B:t B-C:u B-C:v C-D:w D-A:x e-A:y C-f:z e-f:s B-D:t")
"""Much here is worth the same."""


@pytest.mark.parametrize(
    "trains",
    [
        [normal(2)],
        [normal(3)],
        [plus(2)],
        [electric(3)],
        [on_the_site(3)],
        [normal(2, "x"), normal(2, "y")],
        [normal(3, "x"), normal(2, "y")],
        [electric(3, "x"), plus(2, "y"), normal(2, "z")],
        [electric(2, "x"), electric(2, "y"), electric(2, "z")],
    ],
)
def test_the_order_of_links_and_stops_does_not_matter(trains: list[RunningTrain]) -> None:
    chance = Random(1)
    first = told(SQUARE, trains)
    for _ in range(25):
        assert told(SQUARE, trains) == first, "the same again"
        assert told(shuffled_links(SQUARE, chance), trains) == first
        turned = shuffled_stops(shuffled_links(SQUARE, chance), chance)
        assert checked(turned, trains).revenue == checked(SQUARE, trains).revenue


def test_the_order_of_trains_does_not_matter() -> None:
    trains = [electric(3, "x"), plus(2, "y"), normal(2, "z"), normal(2, "w")]
    assert len({tuple(sorted(told(SQUARE, order))) for order in permutations(trains)}) == 1


def told(net: Network, trains: Sequence[RunningTrain]) -> list[tuple[str, frozenset[tuple[str, ...]]]]:
    """A run in words that do not depend on how links are numbered, nor on where a route begins."""
    found = []
    for route in checked(net, trains).routes:
        way = tuple(stop.id for stop in route.stops)
        track = tuple(hex_ for number in route.links for hex_ in net.links[number].hexes)
        found.append((route.card, frozenset({way + track, way[::-1] + track[::-1]})))
    return found


def shuffled_links(net: Network, chance: Random) -> Network:
    """The same links in another order, some of them told from their other end."""
    links = [
        link if chance.random() < 0.5 else Link(link.b, link.a, link.sides, link.hexes[::-1])
        for link in chance.sample(net.links, len(net.links))
    ]
    return net._replace(links=tuple(links))


def shuffled_stops(net: Network, chance: Random) -> Network:
    order = chance.sample(range(len(net.stops)), len(net.stops))
    links = [link._replace(a=order.index(link.a), b=order.index(link.b)) for link in net.links]
    return Network(tuple(net.stops[number] for number in order), tuple(links))


# At random


KINDS = [
    *(normal(size) for size in (2, 3, 4, 5)),
    *(plus(size) for size in (2, 3, 4)),
    *(electric(size) for size in (2, 3, 4, 5, 8)),
    *(on_the_site(size) for size in (2, 3, 4, 5, 8)),
    on_the_site(4, towns=1),
    on_the_site(4, towns=2),
    RunningTrain("2 of 4E", TrainKind(2, 4, skips_towns=True)),
]
VALUES = (0, 10, 20, 30, 40, 50, 60, 90)


@st.composite
def networks(
    draw: st.DrawFn, most_stops: int = 6, most_links: int = 9, sides: int = 10, values: Sequence[int] = VALUES
) -> Network:
    """Any stops, joined by any links, many of which cross the same hex sides."""
    count = draw(st.integers(2, most_stops))
    places = [
        Stop(
            id=f"s{number}",
            is_town=draw(st.booleans()),
            value=draw(st.sampled_from(values)),
            own=draw(st.integers(0, 2)) == 0 or number == 0,
            passable=draw(st.integers(0, 4)) > 0,
            location="Praha" if draw(st.integers(0, 5)) == 5 else f"s{number}",
        )
        for number in range(count)
    ]
    links = []
    for number in range(draw(st.integers(1, most_links))):
        a, b = draw(st.integers(0, count - 1)), draw(st.integers(0, count - 1))
        crossed = draw(st.sets(st.integers(0, sides - 1), min_size=1, max_size=3))
        links.append(Link(a, b, sum(1 << side for side in crossed), (f"h{number}",)))
    return Network(tuple(places), tuple(links))


def fleets(most_trains: int = 3) -> st.SearchStrategy[list[RunningTrain]]:
    """Trains of any kind, often several of one."""
    kinds = st.lists(st.sampled_from(KINDS), min_size=1, max_size=most_trains)
    return kinds.map(lambda fleet: [train._replace(id=f"t{number}") for number, train in enumerate(fleet)])


@at_random(500)
@given(net=networks(), trains=fleets())
def test_small_networks_agree_with_brute_force(net: Network, trains: list[RunningTrain]) -> None:
    run = checked(net, trains)
    event(f"{len(run.routes)} of {len(trains)} trains run")
    assert run.revenue == brute_force.most(net, trains)


@at_random(300)
@given(net=networks(most_stops=5, most_links=10, sides=16), trains=fleets())
def test_networks_with_more_room_agree_with_brute_force(net: Network, trains: list[RunningTrain]) -> None:
    """With more hex sides than links need, several trains find routes side by side."""
    open_net = net._replace(stops=tuple(stop._replace(passable=True, location=stop.id) for stop in net.stops))
    run = checked(open_net, trains)
    event(f"{len(run.routes)} of {len(trains)} trains run")
    assert run.revenue == brute_force.most(open_net, trains)


@at_random(250)
@given(
    net=networks(most_stops=5, most_links=6, sides=20, values=(10, 20)),
    trains=fleets(2),
    chance=st.randoms(use_true_random=False),
)
def test_the_order_in_which_a_network_is_told_does_not_matter(
    net: Network, trains: list[RunningTrain], chance: Random
) -> None:
    """With few different values there are many best runs to choose from."""
    assert told(shuffled_links(net, chance), trains) == told(net, trains)
    turned = shuffled_stops(shuffled_links(net, chance), chance)
    assert checked(turned, trains).revenue == checked(net, trains).revenue


@at_random(80)
@given(net=networks(), trains=fleets())
def test_the_integer_programme_agrees_with_brute_force(net: Network, trains: list[RunningTrain]) -> None:
    assert integer_programme.most(net, trains) == brute_force.most(net, trains)


def town_and_country(chance: Random, stops: int, links: int) -> Network:
    """A larger network: stops in rows, joined mostly to those nearby, over sides that links nearby share."""
    width = 5
    places = [
        Stop(
            f"s{n}",
            chance.random() < 0.5,
            chance.choice(VALUES),
            chance.random() < 0.15,
            chance.random() < 0.9,
            f"s{n}",
        )
        for n in range(stops)
    ]
    joined = []
    for number in range(links):
        a = chance.randrange(stops)
        b = min(max(a + chance.choice((1, 1, width, width, width + 1, 2)), 0), stops - 1)
        crossed = {4 * a + chance.randrange(4), 4 * b + chance.randrange(4)}
        joined.append(Link(a, b, sum(1 << side for side in crossed), (f"h{number}",)))
    return Network(tuple(places), tuple(joined))


def compare_larger(seed: int, stops: int, links: int) -> None:
    chance = Random(seed)
    net = town_and_country(chance, stops, links)
    trains = [chance.choice(KINDS)._replace(id=f"t{number}") for number in range(chance.randint(1, 3))]
    assert checked(net, trains).revenue == integer_programme.most(net, trains)


@pytest.mark.parametrize("seed", range(25))
def test_larger_networks_agree_with_the_integer_programme(seed: int) -> None:
    compare_larger(seed, 15, 24)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 300))
def test_still_larger_networks_agree_with_the_integer_programme(seed: int) -> None:
    compare_larger(seed, 20, 32)


@pytest.mark.soak
@settings(max_examples=20_000, deadline=None)
@given(net=networks(), trains=fleets())
def test_thousands_of_small_networks_agree_with_brute_force(net: Network, trains: list[RunningTrain]) -> None:
    assert checked(net, trains).revenue == brute_force.most(net, trains)
