"""The routing problem and its solution as data: stops, links, kinds of trains, routes and runs, without a board."""

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
    """Whether a route may continue from here; if not, it can only end here."""
    location: str
    """A route visits a location once. Usually the id; several cities may share one."""
    bonus: int = 0
    """What it pays on top to a train that collects bonuses."""
    is_mine: bool = False
    """Only trains with access to mines may come here; it takes none of their stops, and pays a subsidy."""
    is_red: bool = False
    """A red tile, where routes can only end."""

    def _replace(self, **changes: Any) -> Stop:
        """A changed copy, as of a named tuple. Structs are used because they are created faster."""
        return structs.replace(self, **changes)


class Link(NamedTuple):
    """An edge of the network: track between two stops without another stop on it."""

    a: int
    b: int
    sides: int
    """The hex sides that it crosses, as bits."""
    hexes: tuple[str, ...]
    """Hexes of plain track on the way from a to b."""


class Network(NamedTuple):
    stops: tuple[Stop, ...]
    links: tuple[Link, ...]


class Arc(Struct, frozen=True, gc=False):
    """One link, or several in a row over stops that do not count."""

    head: int
    """The stop at its end."""
    value: int
    """Its profit: the value of its head, and of a mine on the way."""
    resources: int
    """What a route can use only once, as bits: locations visited, and hex sides that other links cross, too."""
    sides: int
    """All hex sides crossed, as bits of the board."""
    own: bool
    """Whether it visits a station of the company."""
    stops: tuple[int, ...]
    """Stops visited, its head last."""
    links: tuple[int, ...]
    counts: bool = True
    """Whether its head counts."""


class SubsetRowCut(NamedTuple):
    """Three hex sides: of all routes in a run, only one can use two of them or more."""

    sides: int
    """As bits."""
    price: int
    """Its dual price, which such a route pays once."""

    def applies_to(self, sides: int) -> bool:
        """Whether a route over these hex sides pays the price."""
        return (sides & self.sides).bit_count() > 1


class TrainKind(NamedTuple):
    """What a train can do: a 3 has (3, 3), a 3+3 has (3, 6), a 3E has (3, 3) and skips towns."""

    cities: int | None
    """How many cities a route may visit; None if it may skip cities, too."""
    stops: int
    skips_towns: bool = False
    towns: int | None = None
    """How many towns can count, if that is limited."""
    bonuses: int = 0
    """For how many of its stops the bonus is paid."""
    visits_mine: bool = False
    """Whether it may visit one mine."""
    least_stops: int = 2
    red_to_red: int = 0
    """Extra revenue of a route that joins two red tiles."""
    needs_bonus: bool = False
    needs_mine: bool = False

    @property
    def must_run(self) -> bool:
        """Whether it may not stay idle, since a rule demands something of its route."""
        return self.least_stops > 2 or self.needs_bonus or self.needs_mine

    def can_skip(self, stop: Stop) -> bool:
        """Whether a route may pass the stop without counting it."""
        return self.skips_towns and (stop.is_town or self.cities is None) and not stop.is_mine


class RunningTrain(NamedTuple):
    """A train card with its kind. Trains of the same kind are interchangeable."""

    id: str
    kind: TrainKind
    face: str = ""
    """Its name, such as `3+3`."""
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
        """What the router maximises."""
        return self.revenue + self.subsidy


NO_ROUTE = Route((), (), 0, 0)


def counted_stops(kind: TrainKind, stops: Sequence[Stop]) -> tuple[int, ...]:
    """Numbers of the stops that count: those that cannot be skipped, and the best others. Mines never count."""
    must = [number for number, stop in enumerate(stops) if not kind.can_skip(stop) and not stop.is_mine]
    may = sorted(
        (number for number, stop in enumerate(stops) if kind.can_skip(stop)),
        key=lambda n: -stops[n].value - (stops[n].bonus if kind.bonuses else 0),
    )
    if kind.towns is not None:
        towns = [number for number in may if stops[number].is_town][: kind.towns]
        may = [number for number in may if not stops[number].is_town or number in towns]
    return tuple(sorted(must + may[: max(kind.stops - len(must), 0)]))


def bonus_of(kind: TrainKind, counted: Sequence[Stop]) -> int:
    """The sum of the best bonuses, as many as the train collects."""
    return sum(sorted((stop.bonus for stop in counted), reverse=True)[: kind.bonuses])


def red_to_red_of(kind: TrainKind, stops: Sequence[Stop]) -> int:
    """Extra revenue of a route whose ends are red tiles; no route passes one."""
    return kind.red_to_red if sum(stop.is_red for stop in stops) == 2 else 0


class TrainRoute(NamedTuple):
    """A train with its route on the board."""

    train: RunningTrain
    path: tuple[str, ...]
    """Revenue locations (`E11.1`), and the hexes of plain track between them."""
    stops: tuple[Stop, ...]
    sides: int
    revenue: int
    subsidy: int = 0
    links: tuple[int, ...] = ()
    """Its links in the network of the search; empty for routes that players drew."""

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
        """The part of the revenue that is paid for joining two red tiles."""
        return red_to_red_of(self.train.kind, self.stops)

    @property
    def bonuses(self) -> tuple[tuple[str, int], ...]:
        """The parts of the revenue that no stop pays: reason and amount."""
        return (("red to red", self.red_to_red),) if self.red_to_red else ()

    def paid_stops(self) -> list[tuple[Stop, int, bool]]:
        """Each stop with its payment, bonus included, and whether it counts."""
        kind, stops = self.train.kind, self.stops
        counted = counted_stops(kind, stops)
        by_bonus = sorted((number for number in counted if stops[number].bonus), key=lambda n: -stops[n].bonus)
        paid = by_bonus[: kind.bonuses]
        return [
            (stop, stop.value + (stop.bonus if number in paid else 0), number in counted or stop.is_mine)
            for number, stop in enumerate(stops)
        ]


class BestRun(NamedTuple):
    """The best run found for several trains, and a bound on what any run earns."""

    routes: tuple[TrainRoute, ...]
    """Routes of the trains that are not idle."""
    revenue: int
    bound: int
    """Upper bound for revenue and subsidy together."""
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


def run_of_routes(network: Network, routes: Sequence[tuple[RunningTrain, Route]], bound: int = 0) -> BestRun:
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


def merge_runs(runs: Sequence[BestRun]) -> BestRun:
    """The run of several fleets, which may use the same track."""
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
    for start, end, number in zip(route.stops, route.stops[1:], route.links, strict=False):
        link = net.links[number]
        path += link.hexes if link.a == start else reversed(link.hexes)
        path.append(net.stops[end].id)
    return tuple(path)
