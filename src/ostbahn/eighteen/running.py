"""Running trains: what places pay, the best run, whether a run is legal, and the step that runs them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast, get_args

from ostbahn.eighteen.actions import RunTrains, TrainRun
from ostbahn.eighteen.state import CompanyTask
from ostbahn.eighteen.table import PlainTable
from ostbahn.eighteen.title import BaseTitle
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Hex
from ostbahn.kernel.map.tiles import Node
from ostbahn.kernel.native import Lookup, class_attribute, native
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import ClaimBelieved, NotProven, Revenue
from ostbahn.kernel.routes import paths
from ostbahn.kernel.routes.budget import Budget
from ostbahn.kernel.routes.network import (
    NO_RUN,
    BestRun,
    Network,
    RunningTrain,
    Stop,
    TrainKind,
    TrainRoute,
    bonus_of,
    counted_stops,
    merge_runs,
    red_to_red_of,
)
from ostbahn.kernel.routes.optimiser import best_alternative
from ostbahn.kernel.routes.reach import closed_to
from ostbahn.kernel.state import Train
from ostbahn.kernel.steps import Step
from ostbahn.kernel.table import Table

TableT = TypeVar("TableT", bound=Table)
Alternatives = tuple[tuple[RunningTrain, ...], ...]
"""The ways to equip trains that cannot share track: with rail cars for one or another."""

CACHED_STOPS: Final = 8192
"""Stops cached, each as one company sees it."""


class RunRules(NamedTuple):
    faults: Lookup[paths.PathFault, str]
    """The rule for each fault of a path."""
    two_stops: str
    trains: str
    shared_track: str
    most: str
    revenue: str
    """The rule on what a run earns, cited when a claim differs."""


class StopContext(NamedTuple):
    node: Node
    tile: str | None
    """The tile that has the node; None if the map has it."""
    stations: tuple[str, ...]
    company: str
    colour: str


@native(allow_interpreted_subclasses=True)
class Running(ABC, Generic[TableT]):
    def __init__(self, rules: RunRules) -> None:
        self.rules = rules

    @abstractmethod
    def companies(self, table: TableT) -> list[str]:
        """All companies that run trains, even those without one now."""

    @abstractmethod
    def kind(self, table: TableT, train: Train, cars: tuple[str, ...]) -> TrainKind:
        """What a train can do with its rail cars."""

    def length_rule(self, table: TableT, train: RunningTrain) -> str:
        """The rule on how many places a train may visit."""
        return self.rules.trains

    def no_train_rule(self, table: TableT, company: str) -> str:
        """The rule on which trains the company runs."""
        return self.rules.trains

    def fleets(self, table: TableT, company: str) -> list[list[Train]]:
        """The trains that run now; only trains of the same fleet cannot share track."""
        return [list(table.state.trains.get(company, ()))]

    def cars(self, table: TableT, company: str) -> tuple[str, ...]:
        """Rail cars that the company bought for this run."""
        return ()

    def extra_value(self, title: Any, place: StopContext) -> int:
        """What a location pays on top of its printed value."""
        return 0

    def bonus_value(self, title: Any, place: StopContext) -> int:
        """What a location pays on top to a train that collects bonuses."""
        return 0

    # Places and trains

    def stop_at(self, table: TableT, company: str, hex_: Hex, node: int) -> Stop:
        return self.stop_lookup(table, company)(hex_, node)

    def stop_lookup(self, table: TableT, company: str) -> paths.StopAt:
        """A function that returns any revenue location as a company sees it on the present board."""
        title, board = cast(BaseTitle, table.title), table.state.board
        stations, tiles, colour = board.stations, board.tiles, title.highest_colour(table.state.phase)

        def stop_at(hex_: Hex, node: int) -> Stop:
            companies = stations.get(hex_.cities[node], ())
            return _make_stop(self, title, hex_, node, tiles.get(hex_.id), companies, company, colour)

        return stop_at

    def as_train(self, table: TableT, train: Train, cars: tuple[str, ...] = ()) -> RunningTrain:
        return RunningTrain(train.card, self.kind(table, train, cars), train.face, cars)

    # The best that can be run

    def network(self, table: TableT, company: str) -> Network:
        """The network that a company's trains reach, for the optimiser; cached by the board."""
        board = table.state.board
        key = ("network", company, cast(BaseTitle, table.title).highest_colour(table.state.phase))
        network = board.cached(key)
        if not isinstance(network, Network):
            network = paths.build_network(table.title, board, company, self.stop_lookup(table, company))
            board.cache(key, network)
        return network

    def best(self, table: TableT, company: str, budget: Budget | None = None) -> BestRun:
        """The best run of a company's trains, or the best that the budget finds."""
        return self.best_of(table, company, self.fleets(table, company), budget)

    def best_of(
        self, table: TableT, company: str, fleets: Sequence[Sequence[Train]], budget: Budget | None = None
    ) -> BestRun:
        """The best run of any trains, even if the company does not have them."""
        trains = tuple((tuple(self.as_train(table, train) for train in fleet),) for fleet in fleets if fleet)
        return self.search(table, company, trains, budget)

    def search(
        self,
        table: TableT,
        company: str,
        fleets: tuple[Alternatives, ...],
        budget: Budget | None = None,
        enough: int = -1,
    ) -> BestRun:
        """The best run of several fleets worth more than `enough`; without a budget proven, and cached by the board."""
        if not any(fleets):
            return NO_RUN
        board = table.state.board
        key = ("best", company, cast(BaseTitle, table.title).highest_colour(table.state.phase), fleets, enough)
        run = board.cached(key)
        if isinstance(run, BestRun) and (budget is None or run.proven):
            return run
        network = self.network(table, company)
        run = merge_runs([best_alternative(network, fleet, budget, enough)[1] for fleet in fleets])
        if budget is None:
            board.cache(key, run)
        return run

    # Whether a run is legal

    def route_along(self, table: TableT, company: str, train: Train, run: Any) -> TrainRoute | Refusal:
        """The route of a train along the path of `run`, or why there is none."""
        traced = paths.trace_path(table.title, table.state.board, run.path, self.stop_lookup(table, company))
        if isinstance(traced, paths.BrokenPath):
            return table.refuse(self.rules.faults[traced.fault], traced.text)
        equipped, stops = self.as_train(table, train, tuple(getattr(run, "cars", ()))), traced.stops
        places = [stop for stop in stops if not stop.is_mine]
        if refusal := self.length_refusal(table, equipped, places, len(stops) - len(places)):
            return refusal
        kind = equipped.kind
        counted = [stops[number] for number in counted_stops(kind, stops)] if kind.skips_towns else places
        if len(counted) < 2:
            aside = ", mines aside" if len(places) < len(stops) else ""
            return table.refuse(self.rules.two_stops, f"a route joins at least two different revenue locations{aside}")
        revenue = sum([stop.value for stop in counted])
        if kind.red_to_red:
            revenue += red_to_red_of(kind, stops)
        if kind.bonuses:
            revenue += bonus_of(kind, counted)
        subsidy = sum([stop.value for stop in stops if stop.is_mine]) if kind.visits_mine else 0
        return TrainRoute(equipped, tuple(run.path), stops, traced.sides, revenue, subsidy)

    def length_refusal(self, table: TableT, train: RunningTrain, places: Sequence[Stop], mines: int) -> Refusal | None:
        """Why a train cannot visit these places and this many mines."""
        kind, cities = train.kind, sum([not stop.is_town for stop in places])
        has_few_cities = kind.cities is None or cities <= kind.cities
        has_few_stops = kind.skips_towns or len(places) <= kind.stops
        if has_few_cities and has_few_stops:
            return None
        text = f"{len(places)} locations with {cities} cities are too many for a {train.face}-train"
        return table.refuse(self.length_rule(table, train), text)

    def route(self, table: TableT, company: str, run: Any) -> TrainRoute | Refusal:
        """The route of a `TrainRun`, or why there is none."""
        for fleet in self.fleets(table, company):
            for train in fleet:
                if train.card == run.card:
                    return self.route_along(table, company, train, run)
        return table.refuse(self.no_train_rule(table, company), f"there is no train {run.card} that could run")

    def routes(self, table: TableT, company: str, runs: Sequence[Any]) -> list[TrainRoute] | Refusal:
        """The routes of several runs: each train runs once, and trains of a fleet do not share track."""
        trains = {
            train.card: (number, train) for number, fleet in enumerate(self.fleets(table, company)) for train in fleet
        }
        routes: list[TrainRoute] = []
        sides_used: dict[int, int] = {}
        for run in runs:
            if any(run.card == route.train.id for route in routes):
                return table.refuse(self.rules.trains, "a train runs only once in a turn")
            if run.card not in trains:
                rule = self.no_train_rule(table, company)
                return table.refuse(rule, f"{table.name(company)} has no such train that it can run")
            fleet, train = trains[run.card]
            route = self.route_along(table, company, train, run)
            if isinstance(route, Refusal):
                return route
            if sides_used.get(fleet, 0) & route.sides:
                return table.refuse(self.rules.shared_track, f"the routes of {table.name(company)} share track")
            sides_used[fleet] = sides_used.get(fleet, 0) | route.sides
            routes.append(route)
        return routes


@native(allow_interpreted_subclasses=True)
class PlainRunning(Running[PlainTable]):
    """All companies on the chart run, limited only by the stops of their trains; one rule is cited for everything."""

    def __init__(self, rule: str) -> None:
        super().__init__(RunRules(dict.fromkeys(get_args(paths.PathFault), rule), *[rule] * 5))

    def companies(self, table: PlainTable) -> list[str]:
        return chart.companies_by_price(table)

    def kind(self, table: PlainTable, train: Train, cars: tuple[str, ...]) -> TrainKind:
        stops = table.title.trains[train.face].stops
        return TrainKind(stops, stops)


@lru_cache(maxsize=CACHED_STOPS)
def _make_stop(
    running: Running[Any],
    title: BaseTitle,
    hex_: Hex,
    node: int,
    laid: tuple[str, int] | None,
    stations: tuple[str, ...],
    company: str,
    colour: str,
) -> Stop:
    """A stop, cached by all it depends on, since most of the board stays the same from one lay to the next."""
    place = (hex_.face if laid is None else title.tile_set.faces[laid[0]][laid[1]]).nodes[node]
    city = hex_.cities[node]
    value = place.value if isinstance(place.value, int) else place.value.get(colour, 0)
    context = StopContext(place, None if laid is None else laid[0], stations, company, colour)
    return Stop(
        id=city,
        is_town=place.kind in ("town", "mine"),
        value=value + running.extra_value(title, context),
        own=company in stations,
        passable=not closed_to(place, stations, company),
        location=place.location or city,
        bonus=running.bonus_value(title, context),
        is_mine=place.kind == "mine",
        is_red=place.kind == "red",
    )


# The step in a company's turn


def note_revenue(table: Table, company: str, revenue: int, ways: tuple[tuple[str, ...], ...] = ()) -> None:
    """Store and note a company's revenue. ways: the routes, where no answer contains them."""
    table.state.revenue = {**table.state.revenue, company: revenue}
    table.note(Revenue(company, revenue, ways))


def note_unproven_bound(table: Table, company: str, worth: int, bound: int) -> None:
    """Note the bound if the search for the best run stopped early: a better run may exist."""
    if worth < bound:
        table.note(NotProven(company, bound))


@native(allow_interpreted_subclasses=True)
class RunStep(Step[TableT, Any, Any]):
    """Run trains: mandatory, and for the highest revenue."""

    action: type[Any] = RunTrains

    def __init__(self, running: Running[Any]) -> None:
        self.running = running

    # Hooks for titles

    def answer(self, run: BestRun) -> Action:
        answer: Action = class_attribute(self, "action")(tuple(self.train_run(route) for route in run.routes))
        return answer

    def train_run(self, route: TrainRoute) -> Any:
        return TrainRun(route.train.id, route.path)

    def best(self, table: TableT, task: CompanyTask) -> BestRun:
        return self.running.best(table, task.company)

    def offered_run(self, table: TableT, task: CompanyTask) -> BestRun | None:
        """The one run listed as an option; others that earn as much are legal too."""
        return self.best(table, task)

    def routes(self, table: TableT, task: CompanyTask, action: Any) -> list[TrainRoute] | Refusal:
        return self.running.routes(table, task.company, action.runs)

    def claim_in(self, action: Any) -> tuple[int | None, int | None]:
        """Revenue and subsidy that an imported file states."""
        return action.claim, None

    def unused_refusal(self, table: TableT, task: CompanyTask, routes: Sequence[TrainRoute]) -> Refusal | None:
        """Why a run may not leave unused what was bought for it."""
        return None

    def pay_others(self, table: TableT, task: CompanyTask, action: Any, routes: list[TrainRoute] | Refusal) -> None:
        """Pay others who earn when trains run."""

    def earn(self, table: TableT, company: str, revenue: int, subsidy: int) -> None:
        """Pay out or store the income."""

    # The step

    def answers(self, table: TableT, task: CompanyTask) -> Iterator[Option]:
        run = self.offered_run(table, task)
        if run is not None:
            yield Option(self.answer(run))

    def refusal(self, table: TableT, task: CompanyTask, action: Any) -> Refusal | None:
        rules, currency = self.running.rules, table.title.currency
        claim, claimed_subsidy = self.claim_in(action)
        if claim is not None and table.rulings.get("claimed_revenue") == "believed":
            is_negative = claim < 0 or (claimed_subsidy or 0) < 0
            return table.refuse(rules.revenue, f"revenue is never less than 0 {currency}") if is_negative else None
        routes = self.routes(table, task, action)
        if isinstance(routes, Refusal):
            return routes
        revenue, subsidy = earnings(routes)
        if (claim, claimed_subsidy) not in ((None, None), (revenue, None), (revenue, subsidy)):
            mines = f" and {subsidy} {currency} from mines" if subsidy or claimed_subsidy else ""
            return table.refuse(rules.revenue, f"these routes earn {revenue} {currency}{mines}, not what is claimed")
        if refusal := self.unused_refusal(table, task, routes):
            return refusal
        if is_best_run_demanded(table):
            best, worth = self.best(table, task), revenue + subsidy
            if worth < best.worth:
                who, better = table.name(task.company), "; ".join(map(table.route_name, best.paths))
                text = f"{who} can earn {best.worth} {currency}, not only {worth} {currency}: {better}"
                return table.refuse(rules.most, text)
        return None

    def perform(self, table: TableT, task: CompanyTask, action: Any) -> None:
        company, routes = task.company, self.routes(table, task, action)
        earned = None if isinstance(routes, Refusal) else earnings(routes)
        revenue, subsidy = earned or (0, 0)
        self.pay_others(table, task, action, routes)
        claim, claimed_subsidy = self.claim_in(action)
        bound = 0
        if claim is not None and (claim, claimed_subsidy or 0) != earned:
            revenue, subsidy = claim, claimed_subsidy or 0
            table.note(ClaimBelieved(company, revenue))
        elif is_best_run_demanded(table):
            bound = self.best(table, task).bound
        table.pop()
        note_revenue(table, company, revenue)
        note_unproven_bound(table, company, revenue + subsidy, bound)
        self.earn(table, company, revenue, subsidy)


def earnings(routes: Sequence[TrainRoute]) -> tuple[int, int]:
    """Revenue and subsidy."""
    return sum([route.revenue for route in routes]), sum([route.subsidy for route in routes])


def is_best_run_demanded(table: Table) -> bool:
    """Whether the rulings demand the best run; without such a ruling it is always demanded."""
    return table.rulings.get("highest_revenue", "demanded") == "demanded"
