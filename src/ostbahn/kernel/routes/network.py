"""What a best run is made of: stops, what joins them, what a train may visit, and routes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct, structs


class Stop(Struct, frozen=True, gc=False):
    id: str
    is_town: bool
    """Otherwise a city or a red tile, which both count as cities. A mine is none of these, and no city either."""
    value: int
    own: bool
    passable: bool
    """Whether a route may go on from here; if not, it can only end here."""
    location: str
    """A route visits a location once. Usually the id; several cities may share one."""
    bonus: int = 0
    """What it pays on top to a train that collects bonuses."""
    is_mine: bool = False
    """Only trains with access to mines may come here; it takes none of their stops, and pays a subsidy."""
    is_red: bool = False
    """A red tile, where routes can only end."""

    def _replace(self, **changes: Any) -> Stop:
        """Another one, as a named tuple has it. (Thousands of stops are made in a game, and this kind more quickly.)"""
        return structs.replace(self, **changes)


class Link(NamedTuple):
    """Track between two stops without another stop on it."""

    a: int
    b: int
    sides: int
    """The hex sides that it crosses, as bits."""
    hexes: tuple[str, ...]
    """Hexes of plain track on the way from a to b."""


class Network(NamedTuple):
    stops: tuple[Stop, ...]
    links: tuple[Link, ...]


class Hop(Struct, frozen=True, gc=False):
    """A link, or several with stops between them that do not count."""

    there: int
    value: int
    """What it earns: the stop at its end, and a mine on the way."""
    taken: int
    """What no route can have twice, as bits: locations that it comes to, and hex sides that other links cross too."""
    sides: int
    """All hex sides that it crosses, as bits of the board."""
    own: bool
    stops: tuple[int, ...]
    """Those it comes to, the one at its end last."""
    links: tuple[int, ...]
    counts: bool = True
    """Whether the stop at its end does."""


class Knot(NamedTuple):
    """Three hex sides; a route that has two of them or all pays a toll, once."""

    sides: int
    """As bits."""
    toll: int

    def ties(self, sides: int) -> bool:
        """Whether who uses some hex sides has to pay."""
        return (sides & self.sides).bit_count() > 1


class TrainKind(NamedTuple):
    """What a train can do: a 3 has (3, 3), a 3+3 has (3, 6), a 3E has (3, 3) and skips towns."""

    cities: int | None
    """How many cities a route may visit; None if it may leave cities out, too."""
    stops: int
    skips_towns: bool = False
    towns: int | None = None
    """How many towns count at most, if there is such a limit."""
    bonuses: int = 0
    """For how many of its stops it gets the bonus."""
    visits_mine: bool = False
    """Whether it may visit one mine on its way."""
    least_stops: int = 2
    red_to_red: int = 0
    """What it earns on top if its route joins two red tiles."""
    needs_bonus: bool = False
    needs_mine: bool = False

    @property
    def must_run(self) -> bool:
        """A train of which something is demanded cannot stand still."""
        return self.least_stops > 2 or self.needs_bonus or self.needs_mine

    def optional(self, stop: Stop) -> bool:
        """Whether a route may pass the stop without counting it."""
        return self.skips_towns and (stop.is_town or self.cities is None) and not stop.is_mine


class RunningTrain(NamedTuple):
    """A train that is to run. Which of several trains of a kind takes a route matters only to whoever reads of it."""

    id: str
    kind: TrainKind
    face: str = ""
    """What people call it: `3+3`."""
    cars: tuple[str, ...] = ()


class Route(NamedTuple):
    stops: tuple[int, ...]
    links: tuple[int, ...]
    revenue: int
    sides: int
    subsidy: int = 0
    """What a mine pays, which is not revenue."""

    @property
    def worth(self) -> int:
        """What the best run has most of."""
        return self.revenue + self.subsidy


NO_ROUTE = Route((), (), 0, 0)


def counted_stops(kind: TrainKind, stops: Sequence[Stop]) -> tuple[int, ...]:
    """Which stops of a route count: those that must, and the best of those that may. Mines never do."""
    must = [number for number, stop in enumerate(stops) if not kind.optional(stop) and not stop.is_mine]
    may = sorted(
        (number for number, stop in enumerate(stops) if kind.optional(stop)),
        key=lambda n: -stops[n].value - (stops[n].bonus if kind.bonuses else 0),
    )
    if kind.towns is not None:
        towns = [number for number in may if stops[number].is_town][: kind.towns]
        may = [number for number in may if not stops[number].is_town or number in towns]
    return tuple(sorted(must + may[: max(kind.stops - len(must), 0)]))


def bonus_of(kind: TrainKind, counted: Sequence[Stop]) -> int:
    """What the stops that count pay on top: the best bonuses, as many as the train collects."""
    return sum(sorted((stop.bonus for stop in counted), reverse=True)[: kind.bonuses])


def red_to_red_of(kind: TrainKind, stops: Sequence[Stop]) -> int:
    """What a route earns on top that begins and ends on red tiles; no route has one on its way."""
    return kind.red_to_red if sum(stop.is_red for stop in stops) == 2 else 0


class TrainRoute(NamedTuple):
    """A train's way over the board that is legal by itself: of a best run, or as somebody named it."""

    train: RunningTrain
    path: tuple[str, ...]
    """Revenue locations (`E11.1`), and the hexes of plain track between them."""
    stops: tuple[Stop, ...]
    sides: int
    revenue: int
    subsidy: int = 0
    links: tuple[int, ...] = ()
    """Those of the network on which it was searched for."""

    @property
    def card(self) -> str:
        return self.train.id

    @property
    def face(self) -> str:
        return self.train.face

    @property
    def cars(self) -> tuple[str, ...]:
        return self.train.cars

    @property
    def worth(self) -> int:
        return self.revenue + self.subsidy

    @property
    def red_to_red(self) -> int:
        """What of the revenue no stop pays: it joins two red tiles."""
        return red_to_red_of(self.train.kind, self.stops)

    @property
    def bonuses(self) -> tuple[tuple[str, int], ...]:
        """What of the revenue no stop pays: why, and how much."""
        return (("red to red", self.red_to_red),) if self.red_to_red else ()

    def paid_stops(self) -> list[tuple[Stop, int, bool]]:
        """Each stop with what it pays, bonus included, and whether it counts."""
        kind, stops = self.train.kind, self.stops
        counted = counted_stops(kind, stops)
        by_bonus = sorted((number for number in counted if stops[number].bonus), key=lambda n: -stops[n].bonus)
        paid = by_bonus[: kind.bonuses]
        return [
            (stop, stop.value + (stop.bonus if number in paid else 0), number in counted or stop.is_mine)
            for number, stop in enumerate(stops)
        ]


class BestRun(NamedTuple):
    """The most that trains can earn together as far as it was found, and one way to earn it."""

    routes: tuple[TrainRoute, ...]
    """Of the trains that run."""
    revenue: int
    bound: int
    """No run earns more, revenue and subsidy together."""
    subsidy: int = 0

    @property
    def worth(self) -> int:
        return self.revenue + self.subsidy

    @property
    def proven(self) -> bool:
        return self.bound == self.worth

    @property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        return tuple(route.path for route in self.routes)


NO_RUN = BestRun((), 0, 0)


def as_run(network: Network, routes: Sequence[tuple[RunningTrain, Route]], bound: int = 0) -> BestRun:
    """Routes over a network as a run of trains."""
    running = tuple(
        TrainRoute(
            train,
            path_of(network, route),
            tuple(network.stops[stop] for stop in route.stops),
            *(route.sides, route.revenue, route.subsidy, route.links),
        )
        for train, route in routes
        if route.worth
    )
    revenue, subsidy = sum(route.revenue for route in running), sum(route.subsidy for route in running)
    return BestRun(running, revenue, max(bound, revenue + subsidy), subsidy)


def together(runs: Sequence[BestRun]) -> BestRun:
    if len(runs) == 1:
        return runs[0]
    return BestRun(
        tuple(route for run in runs for route in run.routes),
        sum(run.revenue for run in runs),
        sum(run.bound for run in runs),
        sum(run.subsidy for run in runs),
    )


def path_of(net: Network, route: Route) -> tuple[str, ...]:
    path = [net.stops[route.stops[0]].id]
    for here, there, number in zip(route.stops, route.stops[1:], route.links, strict=False):
        link = net.links[number]
        path += link.hexes if link.a == here else reversed(link.hexes)
        path.append(net.stops[there].id)
    return tuple(path)
