"""Best runs by brute force, to hold the optimiser against: every path, every choice of stops, every combination.

Nothing is cut short and nothing of the optimiser is used but the types in which a network is written down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise

from ostbahn.kernel.routes.network import BestRun, Network, RunningTrain, Stop, TrainKind

Path = tuple[tuple[int, ...], tuple[int, ...]]
"""Stops, and the links between them."""


def paths(network: Network) -> Iterator[Path]:
    """Every way over two or more stops, none of them twice; each also backwards."""
    for start in range(len(network.stops)):
        yield from _longer(network, (start,), ())


def _longer(network: Network, stops: tuple[int, ...], links: tuple[int, ...]) -> Iterator[Path]:
    for number, link in enumerate(network.links):
        for here, there in ((link.a, link.b), (link.b, link.a)):
            if here == stops[-1] and there not in stops:
                yield (*stops, there), (*links, number)
                yield from _longer(network, (*stops, there), (*links, number))


# One route


def breaches(network: Network, kind: TrainKind, path: Path) -> list[str]:
    """What forbids a train to take a path."""
    stops = [network.stops[number] for number in path[0]]
    locations = [stop.location for stop in stops]
    found = []
    if any(
        {network.links[number].a, network.links[number].b} != set(step)
        for step, number in zip(pairwise(path[0]), path[1], strict=True)
    ):
        found.append("a link does not join its stops")
    if len(set(locations)) < len(locations):
        found.append("a location twice")
    if any(one & other for one, other in combinations([network.links[number].sides for number in path[1]], 2)):
        found.append("a hex side twice")
    if not all(stop.passable for stop in stops[1:-1]):
        found.append("past a closed stop")
    if not any(stop.own for stop in stops):
        found.append("no own station")
    if worth(kind, stops) is None:
        found.append("too long or too short for the train")
    return found


def worth(kind: TrainKind, stops: Sequence[Stop]) -> int | None:
    """The most that a train can earn at the stops of a route, over all choices of those that count."""
    mines = [stop for stop in stops if stop.is_mine]
    if len(mines) > kind.visits_mine or (kind.needs_mine and not mines):
        return None
    stops = [stop for stop in stops if not stop.is_mine]
    if kind.cities is not None and sum(not stop.is_town for stop in stops) > kind.cities:
        return None
    sums = [earnings(kind, counted) for counted in choices(kind, stops) if fits(kind, counted)]
    joined = kind.red_to_red if stops and stops[0].is_red and stops[-1].is_red and len(stops) > 1 else 0
    return max(sums) + joined + sum(stop.value for stop in mines) if sums else None


def earnings(kind: TrainKind, counted: Sequence[Stop]) -> int:
    """Values, and the best choice of bonuses."""
    number = min(kind.bonuses, len(counted))
    bonuses = max(sum(stop.bonus for stop in chosen) for chosen in combinations(counted, number))
    return sum(stop.value for stop in counted) + bonuses


def choices(kind: TrainKind, stops: Sequence[Stop]) -> Iterator[list[Stop]]:
    """All ways to leave out what the train may leave out: towns, or by the site's reading any stop."""
    droppable = [
        number for number, stop in enumerate(stops) if kind.skips_towns and (stop.is_town or kind.cities is None)
    ]
    for size in range(len(droppable) + 1):
        for dropped in combinations(droppable, size):
            yield [stop for number, stop in enumerate(stops) if number not in dropped]


def fits(kind: TrainKind, counted: Sequence[Stop]) -> bool:
    towns = sum(stop.is_town for stop in counted)
    if kind.needs_bonus and not any(stop.bonus for stop in counted):
        return False
    return kind.least_stops <= len(counted) <= kind.stops and (kind.towns is None or towns <= kind.towns)


def routes(network: Network, kind: TrainKind) -> dict[int, int]:
    """For each set of hex sides on which the train has a route the most that it earns there, subsidies included."""
    found: dict[int, int] = {}
    for path in paths(network):
        if not breaches(network, kind, path):
            sides = sides_of(network, path[1])
            revenue = worth(kind, [network.stops[number] for number in path[0]])
            assert revenue is not None
            found[sides] = max(revenue, found.get(sides, 0))
    return found


def sides_of(network: Network, links: Sequence[int]) -> int:
    together = 0
    for number in links:
        together |= network.links[number].sides
    return together


# All trains


def most(network: Network, trains: Sequence[RunningTrain]) -> int:
    """The highest revenue: each train on each of its routes or on none, all on separate hex sides.

    Far below zero if a train that must run cannot.
    """
    offers = [routes(network, train.kind) for train in trains]

    @cache
    def with_those_from(index: int, used: int) -> int:
        if index == len(offers):
            return 0
        idle = -(10**6) if trains[index].kind.must_run else with_those_from(index + 1, used)
        running = (
            revenue + with_those_from(index + 1, used | sides)
            for sides, revenue in offers[index].items()
            if not sides & used
        )
        return max([idle, *running])

    return with_those_from(0, 0)


def faults(network: Network, trains: Sequence[RunningTrain], run: BestRun) -> list[str]:
    """What is wrong with a run, apart from that there may be a better one."""
    kinds = {train.id: train.kind for train in trains}
    found = []
    used = 0
    for route in run.routes:
        name = route.card
        kind = kinds.pop(name, None)
        if kind is None:
            found.append(f"{name} runs twice, or is no train")
            continue
        found += [
            f"{name}: {breach}"
            for breach in breaches(network, kind, (tuple(map(network.stops.index, route.stops)), route.links))
        ]
        stops = route.stops
        if route.worth != worth(kind, stops):
            found.append(f"{name} does not earn {route.worth}")
        if route.subsidy != sum(stop.value for stop in stops if stop.is_mine):
            found.append(f"no mine pays {name} {route.subsidy}")
        if route.sides != sides_of(network, route.links):
            found.append(f"{name} says other hex sides than it uses")
        if used & route.sides:
            found.append(f"{name} shares track")
        used |= route.sides
    if run.revenue != sum(route.revenue for route in run.routes):
        found.append(f"the routes do not earn {run.revenue} together")
    if run.subsidy != sum(route.subsidy for route in run.routes):
        found.append(f"the routes do not bring a subsidy of {run.subsidy} together")
    if run.bound < run.worth:
        found.append(f"{run.worth} is more than the bound {run.bound}")
    return found
