"""Running trains, with rail cars, and what they earn (18Mag VI.2, VI.3.6, VI.3.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from msgspec.structs import replace

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Hex
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.native import native
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import ClaimBelieved, NotProven, Revenue
from ostbahn.kernel.routes import paths
from ostbahn.kernel.routes.network import Network, RunningTrain, Stop, TrainKind, bonus_of, red_to_red_of
from ostbahn.kernel.routes.optimiser import best_alternative
from ostbahn.kernel.routes.reach import closed_to
from ostbahn.kernel.routes.search import Patience
from ostbahn.kernel.state import Train
from ostbahn.kernel.steps import Step
from ostbahn.titles.mag.actions import Car, RunTrains, TrainRun
from ostbahn.titles.mag.state import MagTable, OperateTrains
from ostbahn.titles.mag.title import MagTitle

KEPT = 4096
"""How many revenue locations and kinds of trains are remembered."""

CAR_NAMES: Final[Mapping[str, str]] = {"off_board": "off-board car", "plus": "plus car", "mine": "mine car"}
MINE: Final = "mine"
"""For what a mine pays."""

Cars = Mapping[str, tuple[Car, ...]]
"""For each train the rail cars that go with it."""


# Trains and the places they visit


def stop_at(table: MagTable, minor: str, hex_: Hex, node: int) -> Stop:
    """A revenue location as a minor sees it (VI.3.7/2, VI.4.2/8)."""
    return stops_seen(table, minor)(hex_, node)


def stops_seen(table: MagTable, minor: str) -> paths.StopAt:
    """All revenue locations as a minor sees them, for as long as the board lies as it does."""
    title, board, phase = table.title, table.state.board, table.state.phase
    stations, tiles = board.stations, board.tiles

    def seen(hex_: Hex, node: int) -> Stop:
        companies = stations.get(hex_.cities[node], ())
        return _stop(title, hex_, node, tiles.get(hex_.id), companies, minor, phase)

    return seen


@lru_cache(maxsize=KEPT)
def _stop(
    title: MagTitle,
    hex_: Hex,
    node: int,
    laid: tuple[str, int] | None,
    companies: tuple[str, ...],
    minor: str,
    phase: str,
) -> Stop:
    """The same by all that it hangs on; it is asked for again and again, whatever changes elsewhere on the board."""
    place = (hex_.face if laid is None else title.tile_set.faces[laid[0]][laid[1]]).nodes[node]
    city = hex_.cities[node]
    value = place.value if isinstance(place.value, int) else place.value.get(phase, 0)
    markers = sum(company in title.companies for company in companies)
    return Stop(
        id=city,
        is_town=place.kind in ("town", "mine"),
        value=value + markers * title.major.marker_bonus,
        own=minor in companies,
        passable=not closed_to(place, companies, minor),
        location=city,
        bonus=title.phases[phase].off_board_bonus if place.kind == "red" else 0,
        is_mine=place.kind == "mine",
        is_red=place.kind == "red",
    )


def kind_of(table: MagTable, train: Train, cars: Sequence[Car], using_all: bool = False) -> TrainKind:
    """What a train can do with its rail cars (VI.3.7/7, VI.3.7/9, VI.3.7/12).

    using_all: only routes on which every car shows (A30).
    """
    return _kind(table.title, train.face, table.extra_towns(train.card), tuple(cars), using_all, table.state.phase)


@lru_cache(maxsize=KEPT)
def _kind(
    title: MagTitle, face: str, extra_towns: int, cars: tuple[Car, ...], using_all: bool, phase: str
) -> TrainKind:
    """The same by all that it hangs on; there are few kinds, and every run asks for them."""
    own = title.train_faces[face]
    spec = title.train_faces[title.stacks[face].plus] if "plus" in cars else own
    return TrainKind(
        spec.cities,
        spec.stops + extra_towns,
        bonuses=int("off_board" in cars),
        visits_mine="mine" in cars,
        least_stops=own.stops + extra_towns + 1 if using_all and "plus" in cars else 2,
        red_to_red=title.phases[phase].red_to_red,
        needs_bonus=using_all and "off_board" in cars,
        needs_mine=using_all and "mine" in cars,
    )


def own_stops(table: MagTable, train: Train) -> int:
    """How many places a train can visit without a rail car."""
    return table.title.train_faces[train.face].stops + table.extra_towns(train.card)


def as_train(table: MagTable, train: Train, cars: Sequence[Car], using_all: bool = False) -> RunningTrain:
    """A train with its rail cars as the optimiser wants it."""
    return RunningTrain(train.card, kind_of(table, train, cars, using_all))


def assignments(trains: Sequence[Train], cars: Sequence[Car]) -> Iterator[Cars]:
    """Every way to give the rail cars to the trains; several may go to one (A27)."""
    for choice in product(trains, repeat=len(cars)) if trains else ():
        yield {
            train.card: tuple(car for car, chosen in zip(cars, choice, strict=True) if chosen == train)
            for train in trains
        }


def network(table: MagTable, minor: str) -> Network:
    """What a minor's trains can come to, as the optimiser wants it; worked out once for a board."""
    board = table.state.board
    key = ("network", minor, table.state.phase)
    found = board.remembered(key)
    if not isinstance(found, Network):
        found = paths.network(table.title, board, minor, stops_seen(table, minor))
        board.remember(key, found)
    return found


class Best(NamedTuple):
    """The most that a minor's trains can earn together as far as it was found, and one way to earn it."""

    runs: tuple[TrainRun, ...]
    revenue: int
    subsidy: int
    bound: int
    """No run brings more, revenue and subsidy together."""
    idle: tuple[Car, ...] = ()
    """Rail cars that do not show on this way to earn it."""
    possible: bool = True
    """Whether there is such a run at all; there may be none on which every car shows."""

    @property
    def worth(self) -> int:
        return self.revenue + self.subsidy

    @property
    def proven(self) -> bool:
        return self.bound == self.worth


NO_RUN: Final = Best((), 0, 0, 0)


def best(
    table: MagTable,
    minor: str,
    cars: Sequence[Car] = (),
    patience: Patience | None = None,
    using_all: bool = False,
    enough: int = -1,
) -> Best:
    """The highest sum of revenue and mine money with the given cars (VI.3.7/4); if patience ends, the highest found.

    With the patience of the game it is worked out once for a board, so that the same run is demanded every time.
    using_all: of the runs on which every car shows. enough: only a run that is worth more is wanted.
    """
    trains = table.trains_of(minor)
    if not trains:
        return Best((), 0, 0, 0, tuple(cars), possible=False) if cars else NO_RUN
    towns = tuple(table.extra_towns(train.card) for train in trains)
    key = ("best", minor, table.state.phase, trains, towns, tuple(sorted(cars)), using_all, enough)
    found = table.state.board.remembered(key)
    if isinstance(found, Best) and (patience is None or found.proven):
        return found
    ways = list(assignments(trains, tuple(sorted(cars))))
    net = network(table, minor)
    number, run = best_alternative(net, alternatives(table, trains, ways, using_all), patience, enough)
    runs = tuple(TrainRun(card, paths.path_of(net, route), ways[number][card]) for card, route in run.routes)
    visited = [[net.stops[stop] for stop in route.stops] for _, route in run.routes]
    idle = tuple(idle_cars(table, runs, visited, cars))
    found = Best(
        runs=runs,
        revenue=run.revenue,
        subsidy=run.subsidy,
        bound=run.bound,
        idle=idle,
        possible=number >= 0 or not cars,
    )
    if patience is None:
        table.state.board.remember(key, found)
    return found


def alternatives(
    table: MagTable, trains: Sequence[Train], ways: Sequence[Cars], using_all: bool = False
) -> list[list[RunningTrain]]:
    """The trains as the optimiser wants them, for every way to give them rail cars."""
    return [[as_train(table, train, way[train.card], using_all) for train in trains] for way in ways]


def showing_all(table: MagTable, minor: str, cars: Sequence[Car]) -> Best | None:
    """A run on which every car shows and that earns as much as any with these cars (VI.3.7/4, A30), if there is one.

    Mostly the run that is found first is one, or the network says that there is no such thing; else it is searched for.
    """
    trains = table.trains_of(minor)
    if not all(trains and _to_be_had(table, network(table, minor), trains, car) for car in cars):
        return None
    most = best(table, minor, cars)
    if not most.idle:
        return most
    found = best(table, minor, cars, using_all=True, enough=most.worth - 1)
    return found if found.possible else None


def _to_be_had(table: MagTable, net: Network, trains: Sequence[Train], car: Car) -> bool:
    """Whether there is anything on the network that a rail car could be for."""
    if car == "mine":
        return any(stop.is_mine for stop in net.stops)
    if car == "off_board":
        return any(stop.bonus for stop in net.stops)
    places = sum(not stop.is_mine for stop in net.stops)
    return any(places > own_stops(table, train) for train in trains)


# Whether a run is legal

RULES: Final[Mapping[paths.Fault, str]] = {
    "no place": "VI.2/2",
    "no track": "VI.2/2",
    "side twice": "VI.2/4",
    "ends": "VI.2/2",
    "place twice": "VI.3.6/3",
    "location twice": "VI.3.6/3",
    "no station": "VI.2/3",
    "red": "VI.2/8",
    "closed": "VI.2/9",
}
"""Which rule a path breaks that is no route."""


class Ride(NamedTuple):
    """A train's way over the board, found legal by itself."""

    stops: tuple[Stop, ...]
    sides: int
    revenue: int
    subsidy: int
    red_to_red: int = 0
    """What of the revenue it earns for having joined two red areas."""


def follow(table: MagTable, minor: str, train: Train, run: TrainRun) -> Ride | Refusal:
    """Trace a train's way hex by hex and say what it earns, or which rule it breaks."""
    walk = paths.follow(table.title, table.state.board, run.path, stops_seen(table, minor))
    if isinstance(walk, paths.Broken):
        return table.refuse(RULES[walk.fault], walk.text)
    limits = kind_of(table, train, run.cars)
    places = [stop for stop in walk.stops if not stop.is_mine]
    mines = [stop for stop in walk.stops if stop.is_mine]
    if len(mines) > limits.visits_mine:
        why = "only one mine" if limits.visits_mine else "no mine without the car of SNW"
        return table.refuse("VI.3.7/15" if limits.visits_mine else "VI.3.7/12", f"a {train.face}-train may visit {why}")
    if len(places) < 2:
        return table.refuse("VI.3.7/14", "a route joins at least two revenue locations, mines aside")
    cities = sum(not stop.is_town for stop in places)
    if len(places) > limits.stops or (limits.cities is not None and cities > limits.cities):
        rule = "VI.3.7/10" if "plus" in run.cars else "VI.3.6/2"
        return table.refuse(rule, f"{len(places)} locations with {cities} cities are too many for a {train.face}-train")
    joined = red_to_red_of(limits, places) if limits.red_to_red else 0
    revenue = sum(stop.value for stop in places) + (bonus_of(limits, places) if limits.bonuses else 0) + joined
    return Ride(walk.stops, walk.sides, revenue, sum(stop.value for stop in mines), joined)


def rides_of(table: MagTable, minor: str, runs: Sequence[TrainRun], cars: Sequence[Car]) -> list[Ride] | Refusal:
    """All trains together: each once, on track of its own, each car with one train (VI.3.6/1, VI.3.6/5)."""
    trains = {train.card: train for train in table.trains_of(minor)}
    given = [car for run in runs for car in run.cars]
    if any(given.count(car) > 1 or car not in cars for car in given):
        return table.refuse("S.3.1/2", "a rail car must have been bought, and works for one train")
    found: list[Ride] = []
    used = 0
    for run in runs:
        train = trains.pop(run.card, None)
        if train is None:
            return table.refuse("VI.3.6/1", f"minor {minor} has no other train that could run")
        ride = follow(table, minor, train, run)
        if not isinstance(ride, Ride):
            return ride
        if used & ride.sides:
            return table.refuse("VI.3.6/5", f"the routes of minor {minor} share track")
        used |= ride.sides
        found.append(ride)
    return found


def believed_rides(table: MagTable, minor: str, runs: Sequence[TrainRun], cars: Sequence[Car]) -> list[Ride]:
    """The routes of a run that is paid as claimed: each by itself, as if it had every rail car that was bought."""
    trains = {train.card: train for train in table.trains_of(minor)}
    rides = [
        follow(table, minor, trains[run.card], replace(run, cars=tuple(cars))) for run in runs if run.card in trains
    ]
    return [ride for ride in rides if isinstance(ride, Ride)]


def idle_cars(
    table: MagTable, runs: Sequence[TrainRun], visited: Sequence[Sequence[Stop]], cars: Sequence[Car]
) -> list[Car]:
    """Rail cars that were bought and change no route (A30)."""
    idle = list(cars)
    for run, stops in zip(runs, visited, strict=True):
        places = [stop for stop in stops if not stop.is_mine]
        plain = own_stops(table, Train(run.card, run.card.partition("-")[0]))
        for car in run.cars:
            used = {
                "off_board": any(stop.bonus for stop in places),
                "mine": len(places) < len(stops),
                "plus": len(places) > plain,
            }[car]
            if used:
                idle.remove(car)
    return idle


# The step in a minor's turn


@native(allow_interpreted_subclasses=True)
class Run(Step[MagTable, OperateTrains, RunTrains]):
    """Running is mandatory, for the highest sum that exists (VI.3.1/2, VI.3.7/4)."""

    action = RunTrains

    def answers(self, table: MagTable, task: OperateTrains) -> Iterator[Option]:
        """One best run stands for all that earn as much; none while a car needs another one to be of use."""
        allowed = table.ruled("unused_rail_car") == "allowed"
        minor, cars = task.company, task.cars
        found = best(table, minor, cars) if allowed else showing_all(table, minor, cars)
        if found is not None:
            yield Option(RunTrains(found.runs))

    def refusal(self, table: MagTable, task: OperateTrains, action: RunTrains) -> Refusal | None:
        if action.claim is not None and table.ruled("claimed_revenue") == "believed":
            wrong = action.claim < 0 or (action.claimed_subsidy or 0) < 0
            return table.refuse("VI.3.7/1", "revenue is never less than 0 Ft") if wrong else None
        found = rides_of(table, task.company, action.runs, task.cars)
        if isinstance(found, Refusal):
            return found
        revenue, subsidy = sum(ride.revenue for ride in found), sum(ride.subsidy for ride in found)
        if (action.claim, action.claimed_subsidy) not in ((None, None), (revenue, None), (revenue, subsidy)):
            return table.refuse("VI.3.7/1", f"these routes earn {revenue} Ft and {subsidy} Ft from mines")
        if table.ruled("unused_rail_car") == "refused":
            idle = idle_cars(table, action.runs, [ride.stops for ride in found], task.cars)
            if idle:
                return table.refuse(
                    "VI.3.7/5", f"a rail car that was bought must be used: {', '.join(CAR_NAMES[car] for car in idle)}"
                )
        if table.ruled("highest_revenue") == "demanded":
            most = best(table, task.company, task.cars)
            if revenue + subsidy < most.worth:
                better = "; ".join(table.way(run.path) for run in most.runs)
                return table.refuse(
                    "VI.3.7/4", f"{most.worth} Ft can be earned, not only {revenue + subsidy} Ft: {better}"
                )
        return None

    def perform(self, table: MagTable, task: OperateTrains, action: RunTrains) -> None:
        self.earn(table, task, action)
        table.pop()

    def earn(self, table: MagTable, task: OperateTrains, action: RunTrains) -> None:
        minor = task.company
        found = rides_of(table, minor, action.runs, task.cars)
        revenue = subsidy = 0
        if isinstance(found, Refusal):
            self.pay_besides(table, believed_rides(table, minor, action.runs, task.cars))
        else:
            revenue, subsidy = sum(ride.revenue for ride in found), sum(ride.subsidy for ride in found)
            self.pay_besides(table, found)
        if action.claim is not None and (action.claim, action.claimed_subsidy or 0) != (revenue, subsidy):
            revenue, subsidy = action.claim, action.claimed_subsidy or 0
            table.note(ClaimBelieved(minor, revenue))
            split(table, minor, revenue, subsidy)
            return
        if table.ruled("highest_revenue") == "demanded":
            note_doubt(table, minor, revenue + subsidy, task.cars)
        split(table, minor, revenue, subsidy)

    def pay_besides(self, table: MagTable, rides: Sequence[Ride]) -> None:
        """What others get when trains run, beside the minor and its owner: nobody in the base game."""


def note_doubt(table: MagTable, minor: str, worth: int, cars: Sequence[Car]) -> None:
    """Where the search for the highest sum was given up, everybody shall know how much more there could be."""
    bound = best(table, minor, cars).bound
    if worth < bound:
        table.note(NotProven(minor, bound))


def split(table: MagTable, minor: str, revenue: int, subsidy: int, ways: tuple[tuple[str, ...], ...] = ()) -> None:
    """Half to the owner, half into the treasury; a mine pays the treasury alone (III.3.2/5, VI.3.7/13).

    ways: how the trains went, where no answer tells it.
    """
    state = table.state
    state.revenue = {**state.revenue, minor: revenue}
    table.note(Revenue(minor, revenue, ways))
    numerator, denominator = table.title.minor.owner_part
    owners_part = revenue * numerator // denominator
    pay(table, BANK, state.owners[minor], owners_part, f"half of the income of minor {minor}", "runs")
    pay(table, BANK, minor, revenue - owners_part, "half of the income", "runs")
    pay(table, BANK, minor, subsidy, MINE, "runs")
