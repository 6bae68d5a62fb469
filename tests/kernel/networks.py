"""Networks and trains for tests of the optimiser.

Networks are written down like this: `network("A20* b10 C40!", "A-b b-C A-C:xy")`. A capital is a city (or a red
tile, which counts as one), a small letter a town, the number its value; `+30` is a bonus, `*` marks a station of
the company, `!` a stop that is closed, `%` a mine, `@P` a location that is shared with others. A link may name the
hex sides that it crosses, a letter each; if it does not, it has one of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ostbahn.kernel.routes.network import BestRun, Link, Network, RunningTrain, Stop, TrainKind, counted_stops
from ostbahn.kernel.routes.optimiser import best_run
from tests.kernel import brute_force


def network(stops: str, links: str) -> Network:
    places = [_stop(word) for word in stops.split()]
    numbers = {place.id: number for number, place in enumerate(places)}
    named = "".join(sorted(set("".join(re.findall(r":(\w+)", links)))))
    found = []
    for number, word in enumerate(links.split()):
        ends, _, sides = word.partition(":")
        a, b = ends.split("-")
        mask = sum(1 << named.index(side) for side in sides) if sides else 1 << len(named) + number
        found.append(Link(numbers[a], numbers[b], mask, (f"h{number}",)))
    return Network(tuple(places), tuple(found))


def _stop(word: str) -> Stop:
    match = re.fullmatch(r"([A-Za-z])(\d+)(?:\+(\d+))?(\*?)(!?)(%?)(?:@(\w+))?", word)
    assert match, word
    name, value, bonus, own, closed, mine, location = match.groups()
    return Stop(
        id=name,
        is_town=name.islower(),
        value=int(value),
        own=bool(own),
        passable=not closed,
        location=location or name,
        bonus=int(bonus or 0),
        is_mine=bool(mine),
    )


def line(stops: str) -> Network:
    """One stop after the other."""
    names = [word[0] for word in stops.split()]
    return network(stops, " ".join(f"{a}-{b}" for a, b in pairwise(names)))


def normal(stops: int, name: str = "") -> RunningTrain:
    return RunningTrain(name or f"{stops}", TrainKind(stops, stops))


def plus(cities: int, name: str = "") -> RunningTrain:
    return RunningTrain(name or f"{cities}+{cities}", TrainKind(cities, 2 * cities))


def electric(stops: int, name: str = "") -> RunningTrain:
    return RunningTrain(name or f"{stops}E", TrainKind(stops, stops, skips_towns=True))


def on_the_site(stops: int, name: str = "", towns: int = 3) -> RunningTrain:
    """An E-train as the site has it: the best stops count, whatever they are, but only some towns."""
    return RunningTrain(name or f"{stops}S", TrainKind(None, stops, skips_towns=True, towns=towns))


def checked(net: Network, trains: Sequence[RunningTrain]) -> BestRun:
    """The best run, proven, and nothing of it against a rule."""
    run = best_run(net, trains)
    assert brute_force.faults(net, trains, run) == []
    assert run.proven
    assert run.bound == run.worth
    return run


def earned(net: Network, *trains: RunningTrain) -> int:
    """What the best run earns, subsidies included."""
    return checked(net, trains).worth


def ways(net: Network, *trains: RunningTrain) -> dict[str, str]:
    """For each train that runs its stops, from the end that is first in the alphabet."""
    told = {}
    for route in checked(net, trains).routes:
        way = "".join(stop.id for stop in route.stops)
        told[route.card] = min(way, way[::-1])
    return told


def counted(train: RunningTrain, stops: str) -> str:
    """Which of the stops of a route pay."""
    places = [_stop(word) for word in stops.split()]
    return "".join(places[number].id for number in counted_stops(train.kind, places))
