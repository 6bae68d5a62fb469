"""Running trains with rail cars, and the income (18Mag VI.2, VI.3.6, VI.3.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Final

from msgspec.structs import replace

from ostbahn.eighteen.running import CACHED_STOPS, Running, RunRules, RunStep, StopContext
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.native import native
from ostbahn.kernel.routes.budget import Budget
from ostbahn.kernel.routes.network import BestRun, Network, RunningTrain, Stop, TrainKind, TrainRoute
from ostbahn.kernel.state import Train
from ostbahn.titles.mag.actions import Car, RunTrains, TrainRun
from ostbahn.titles.mag.state import MagTable, OperateWithCars
from ostbahn.titles.mag.title import MagTitle

CAR_NAMES: Final[Mapping[str, str]] = {"off_board": "off-board car", "plus": "plus car", "mine": "mine car"}
MINE: Final = "mine"
"""Reason of a mine's payments."""

CarsByTrain = Mapping[str, tuple[Car, ...]]
"""Rail cars by train."""

RULES: Final = RunRules(
    faults={
        "no place": "VI.2/2",
        "no track": "VI.2/2",
        "side twice": "VI.2/4",
        "ends": "VI.2/2",
        "place twice": "VI.3.6/3",
        "location twice": "VI.3.6/3",
        "no station": "VI.2/3",
        "red": "VI.2/8",
        "closed": "VI.2/9",
    },
    two_stops="VI.3.7/14",
    trains="VI.3.6/1",
    shared_track="VI.3.6/5",
    most="VI.3.7/4",
    revenue="VI.3.7/1",
)


class MagRunning(Running[MagTable]):
    """Runs of minors with the rail cars bought for them."""

    def companies(self, table: MagTable) -> list[str]:
        return [minor for minor in table.title.minors if table.state.owners.get(minor) in table.state.players]

    def cars(self, table: MagTable, company: str) -> tuple[Car, ...]:
        task = table.state.agenda[-1] if table.state.agenda else None
        return task.cars if isinstance(task, OperateWithCars) and task.company == company else ()

    def kind(self, table: MagTable, train: Train, cars: tuple[str, ...], using_all: bool = False) -> TrainKind:
        """Abilities of a train with its rail cars (VI.3.7/7, VI.3.7/9, VI.3.7/12).

        using_all: restrict it to routes that use every car (A30).
        """
        return _train_kind(table.title, train.face, table.extra_towns(train.card), cars, using_all, table.state.phase)

    def extra_value(self, title: MagTitle, place: StopContext) -> int:
        """Bonus of the majors' markers in a city (VI.4.2/8)."""
        return title.major.marker_bonus * sum([company in title.companies for company in place.stations])

    def bonus_value(self, title: MagTitle, place: StopContext) -> int:
        """Bonus of the off-board car at a stop (VI.3.7/7)."""
        return title.phases[place.colour].off_board_bonus if place.node.kind == "red" else 0

    def length_rule(self, table: MagTable, train: RunningTrain) -> str:
        return "VI.3.7/10" if "plus" in train.cars else "VI.3.6/2"

    def length_refusal(
        self, table: MagTable, train: RunningTrain, places: Sequence[Stop], mines: int
    ) -> Refusal | None:
        """Refusal of too many stops, or of more than the one mine of a mine car (VI.3.7/12, VI.3.7/15)."""
        allowed = train.kind.visits_mine
        if mines > allowed:
            limit = "only one mine" if allowed else "no mine without the car of SNW"
            return table.refuse("VI.3.7/15" if allowed else "VI.3.7/12", f"a {train.face}-train may visit {limit}")
        return super().length_refusal(table, train, places, mines)

    def best(self, table: MagTable, company: str, budget: Budget | None = None) -> BestRun:
        """Best run with the rail cars bought so far."""
        return best(table, company, self.cars(table, company), budget)


RUNNING: Final = MagRunning(RULES)
network, route_along = RUNNING.network, RUNNING.route_along


# Trains with rail cars


@lru_cache(maxsize=CACHED_STOPS)
def _train_kind(
    title: MagTitle, face: str, extra_towns: int, cars: tuple[str, ...], using_all: bool, phase: str
) -> TrainKind:
    """Kind of a train, cached: there are few, and every search needs them."""
    train_spec = title.train_faces[face]
    running_spec = title.train_faces[title.stacks[face].plus] if "plus" in cars else train_spec
    return TrainKind(
        running_spec.cities,
        running_spec.stops + extra_towns,
        bonuses=int("off_board" in cars),
        visits_mine="mine" in cars,
        least_stops=train_spec.stops + extra_towns + 1 if using_all and "plus" in cars else 2,
        red_to_red=title.phases[phase].red_to_red,
        needs_bonus=using_all and "off_board" in cars,
        needs_mine=using_all and "mine" in cars,
    )


def own_stops(table: MagTable, train: Train) -> int:
    """Number of places that a train can visit without a rail car."""
    return table.title.train_faces[train.face].stops + table.extra_towns(train.card)


def running_train(table: MagTable, train: Train, cars: Sequence[Car], using_all: bool = False) -> RunningTrain:
    return RunningTrain(train.card, RUNNING.kind(table, train, tuple(cars), using_all), train.face, tuple(cars))


def assignments(trains: Sequence[Train], cars: Sequence[Car]) -> Iterator[CarsByTrain]:
    """Every assignment of rail cars to trains; a train may get several (A27)."""
    for choice in product(trains, repeat=len(cars)) if trains else ():
        yield {
            train.card: tuple(car for car, chosen in zip(cars, choice, strict=True) if chosen == train)
            for train in trains
        }


def best(
    table: MagTable,
    minor: str,
    cars: Sequence[Car] = (),
    budget: Budget | None = None,
    using_all: bool = False,
    enough: int = -1,
) -> BestRun:
    """The run with the highest sum of revenue and mine money (VI.3.7/4), or the best found within the step budget.

    using_all: search only runs that use every car. enough: search only runs worth more than this.
    """
    trains = table.trains_of(minor)
    assigned = assignments(trains, tuple(sorted(cars)))
    fleet = tuple(
        tuple(running_train(table, train, cars_of[train.card], using_all) for train in trains) for cars_of in assigned
    )
    return RUNNING.search(table, minor, (fleet,), budget, enough)


def best_run_using_all(table: MagTable, minor: str, cars: Sequence[Car]) -> BestRun | None:
    """A best run with these cars that uses every one of them (VI.3.7/4, A30); None if there is none.

    Usually the first best run does, or the network shows that none can. Otherwise a second search decides.
    """
    trains = table.trains_of(minor)
    if not all(trains and _has_use(table, network(table, minor), trains, car) for car in cars):
        return None
    best_run = best(table, minor, cars)
    if not unused_cars(table, best_run.routes, cars):
        return best_run
    run = best(table, minor, cars, using_all=True, enough=best_run.worth - 1)
    return run if run.routes else None


def _has_use(table: MagTable, graph: Network, trains: Sequence[Train], car: Car) -> bool:
    """Whether the network has a stop for which a train could use a rail car."""
    if car == "mine":
        return any(stop.is_mine for stop in graph.stops)
    if car == "off_board":
        return any(stop.bonus for stop in graph.stops)
    places = sum(not stop.is_mine for stop in graph.stops)
    return any(places > own_stops(table, train) for train in trains)


# Whether a run is legal


def checked_routes(
    table: MagTable, minor: str, runs: Sequence[TrainRun | TrainRoute], cars: Sequence[Car]
) -> list[TrainRoute] | Refusal:
    """The routes of a run, or why it is illegal: trains, cars and track work once each (VI.3.6)."""
    used = [car for run in runs for car in run.cars]
    if any(used.count(car) > 1 or car not in cars for car in used):
        return table.refuse("S.3.1/2", "a rail car must have been bought, and works for one train")
    return RUNNING.routes(table, minor, runs)


def unused_cars(table: MagTable, routes: Sequence[TrainRoute], cars: Sequence[Car]) -> list[str]:
    """Rail cars that no route uses (A30)."""
    unused: list[str] = list(cars)
    for route in routes:
        places = [stop for stop in route.stops if not stop.is_mine]
        for car in route.cars:
            is_used = {
                "off_board": any(stop.bonus for stop in places),
                "mine": len(places) < len(route.stops),
                "plus": len(places) > own_stops(table, Train(route.card, route.face)),
            }[car]
            if is_used:
                unused.remove(car)
    return unused


@native(allow_interpreted_subclasses=True)
class RunTrainsStep(RunStep[MagTable]):
    """Run for the highest possible sum; running is mandatory (VI.3.1/2, VI.3.7/4)."""

    action = RunTrains

    def __init__(self) -> None:
        super().__init__(RUNNING)

    def train_run(self, route: TrainRoute) -> TrainRun:
        return TrainRun(route.train.id, route.path, route.train.cars)  # type: ignore[arg-type]  # all of ours are cars

    def best(self, table: MagTable, task: Any) -> BestRun:
        return best(table, task.company, task.cars)

    def offered_run(self, table: MagTable, task: Any) -> BestRun | None:
        """None while a car is useful only with another one that is not bought yet."""
        if table.ruled("unused_rail_car") == "allowed":
            return self.best(table, task)
        return best_run_using_all(table, task.company, task.cars)

    def routes(self, table: MagTable, task: Any, action: Any) -> list[TrainRoute] | Refusal:
        return checked_routes(table, task.company, action.runs, task.cars)

    def claim_in(self, action: Any) -> tuple[int | None, int | None]:
        return action.claim, action.claimed_subsidy

    def unused_refusal(self, table: MagTable, task: Any, routes: Sequence[TrainRoute]) -> Refusal | None:
        """Refuse unused rail cars if the ruling unused_rail_car says so (A30)."""
        if table.ruled("unused_rail_car") != "refused":
            return None
        names = ", ".join(CAR_NAMES[car] for car in unused_cars(table, routes, task.cars))
        return table.refuse("VI.3.7/5", f"a rail car that was bought must be used: {names}") if names else None

    def pay_others(self, table: MagTable, task: Any, action: Any, routes: list[TrainRoute] | Refusal) -> None:
        if isinstance(routes, Refusal):  # an imported run, paid as claimed: take every train alone with all cars
            trains = {train.card: train for train in table.trains_of(task.company)}
            runs = [replace(run, cars=tuple(task.cars)) for run in action.runs if run.card in trains]
            followed = [route_along(table, task.company, trains[run.card], run) for run in runs]
            routes = [route for route in followed if isinstance(route, TrainRoute)]
        self.pay_third_parties(table, routes)

    def pay_third_parties(self, table: MagTable, routes: Sequence[TrainRoute]) -> None:
        """Pay others than the minor and its owner for a run; a hook for modules."""

    def earn(self, table: MagTable, company: str, revenue: int, subsidy: int) -> None:
        split_income(table, company, revenue, subsidy)


def split_income(table: MagTable, minor: str, revenue: int, subsidy: int) -> None:
    """Pay half to the owner and half to the treasury; a mine pays the treasury alone (III.3.2/5, VI.3.7/13)."""
    half = owner_income(table, revenue)
    pay(table, BANK, table.state.owners[minor], half, f"half of the income of minor {minor}", "runs")
    pay(table, BANK, minor, revenue - half, "half of the income", "runs")
    pay(table, BANK, minor, subsidy, MINE, "runs")


def owner_income(table: MagTable, revenue: int) -> int:
    numerator, denominator = table.title.minor.owner_part
    return revenue * numerator // denominator
