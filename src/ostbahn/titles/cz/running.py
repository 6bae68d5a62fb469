"""Operating trains and what they earn (18CZ VIII.7, VIII.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Hex
from ostbahn.kernel.map.tiles import Node
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import ClaimBelieved, NotProven, Revenue
from ostbahn.kernel.routes import paths
from ostbahn.kernel.routes.network import Network, RunningTrain, Stop, TrainKind, bonus_of, counted_stops
from ostbahn.kernel.routes.optimiser import best_run
from ostbahn.kernel.routes.reach import closed_to
from ostbahn.kernel.routes.search import Patience
from ostbahn.kernel.state import Train
from ostbahn.kernel.steps import Step
from ostbahn.titles.cz.actions import RunTrains, TrainRun
from ostbahn.titles.cz.state import CzTable, OperateTrains, UseIncome
from ostbahn.titles.cz.stock import fall_without_dividend
from ostbahn.titles.cz.title import CzTitle

KEPT = 4096
"""How many revenue locations are remembered as companies saw them."""

TOWNS_ON_SITE = 3
"""How many towns an E-train counts at most where the site's reading is followed."""


class Ride(NamedTuple):
    """A train's way over the board, found legal by itself."""

    stops: tuple[Stop, ...]
    sides: int
    revenue: int


# Trains and the places they visit


def runnable(table: CzTable, company: str) -> list[Train]:
    """The trains of its own size, the only ones that a company may run (IV.2.b/2, IV.2.c/2, IV.2.d/2)."""
    size = table.size(company)
    return [train for train in table.state.trains.get(company, ()) if table.title.train_faces[train.face].size == size]


def fleets(table: CzTable, company: str) -> list[list[Train]]:
    """The trains that run now, by fleets; only trains of the same fleet keep off each other's track."""
    return [runnable(table, company), *guests(table, company)]


def guests(table: CzTable, company: str) -> list[list[Train]]:
    """Trains that run beside a company's own, each a fleet by itself."""
    return [[guest] for guest in table.guests(company)]


def stop_at(table: CzTable, company: str, hex_: Hex, node: int) -> Stop:
    """A revenue location as a company sees it."""
    return stops_seen(table, company)(hex_, node)


def stops_seen(table: CzTable, company: str) -> paths.StopAt:
    """All revenue locations as a company sees them, for as long as the board lies as it does."""
    title, board = table.title, table.state.board
    stations, tiles, colour = board.stations, board.tiles, title.phases[table.state.phase].colour

    def seen(hex_: Hex, node: int) -> Stop:
        companies = stations.get(hex_.cities[node], ())
        return _stop(title, hex_, node, tiles.get(hex_.id), companies, company, colour)

    return seen


@lru_cache(maxsize=KEPT)
def _stop(
    title: CzTitle,
    hex_: Hex,
    node: int,
    laid: tuple[str, int] | None,
    companies: tuple[str, ...],
    company: str,
    colour: str,
) -> Stop:
    """The same by all that it hangs on; it is asked for again and again, whatever changes elsewhere on the board."""
    place = (hex_.face if laid is None else title.tile_set.faces[laid[0]][laid[1]]).nodes[node]
    city = hex_.cities[node]
    return Stop(
        id=city,
        is_town=place.kind == "town",
        value=value_of(title, company, place, title.tiles[laid[0]].company if laid else None, colour),
        own=company in companies,
        passable=not closed_to(place, companies, company),
        location=place.location or city,
        bonus=title.home_bonus if place.kind == "red" and title.bonus_everywhere else 0,
    )


def value_of(title: CzTitle, company: str, place: Node, at_home: str | None, colour: str) -> int:
    """The printed value; a red tile's goes by the phase, with a bonus for the company at home there (VIII.8).

    Where red tiles pay the bonus to everybody it depends on the train, and is not part of the value.
    """
    if isinstance(place.value, int):
        return place.value
    bonus = title.home_bonus if at_home == company and not title.bonus_everywhere else 0
    return place.value.get(colour, 0) + bonus


def kind_of(table: CzTable, train: Train) -> TrainKind:
    """What a train can do, by the ruling on E-trains."""
    return _kind(table.title, train.face, table.ruled("e_train_stops"))


@lru_cache(maxsize=KEPT)
def _kind(title: CzTitle, face: str, ruling: str) -> TrainKind:
    """The same by all that it hangs on; there are few kinds, and every run asks for them."""
    spec = title.train_faces[face]
    if spec.skips_towns and ruling == "the best stops, at most three towns":
        return TrainKind(None, spec.stops, skips_towns=True, towns=TOWNS_ON_SITE, bonuses=spec.bonuses)
    return TrainKind(spec.cities, spec.stops, spec.skips_towns, bonuses=spec.bonuses)


def as_train(table: CzTable, train: Train) -> RunningTrain:
    """A train as the optimiser wants it."""
    return RunningTrain(train.card, kind_of(table, train))


# The best that can be run


def network(table: CzTable, company: str) -> Network:
    """What a company's trains can come to, as the optimiser wants it; worked out once for a board."""
    board = table.state.board
    key = ("network", company, table.title.phases[table.state.phase].colour)
    found = board.remembered(key)
    if not isinstance(found, Network):
        found = paths.network(table.title, board, company, stops_seen(table, company))
        board.remember(key, found)
    return found


class Best(NamedTuple):
    """The most that a company's trains can earn together as far as it was found, and one way to earn it."""

    runs: tuple[TrainRun, ...]
    revenue: int
    bound: int
    """No run earns more."""

    @property
    def proven(self) -> bool:
        return self.bound == self.revenue


NO_RUN: Final = Best((), 0, 0)


def best(table: CzTable, company: str, patience: Patience | None = None) -> Best:
    """The highest revenue (VIII.8/6); if patience ends, the highest that was found."""
    return best_of(table, company, fleets(table, company), patience)


def best_of(table: CzTable, company: str, fleets: Sequence[Sequence[Train]], patience: Patience | None = None) -> Best:
    """The same for any trains, whether or not the company has them.

    With the patience of the game it is worked out once for a board, so that the same run is demanded every time.
    """
    if not any(fleets):
        return NO_RUN
    trains = tuple(tuple(as_train(table, train) for train in fleet) for fleet in fleets)
    colour = table.title.phases[table.state.phase].colour
    key = ("best", company, colour, trains)
    found = table.state.board.remembered(key)
    if isinstance(found, Best) and (patience is None or found.proven):
        return found
    net = network(table, company)
    run = [best_run(net, fleet, patience) for fleet in trains]
    runs = tuple(TrainRun(card, paths.path_of(net, route)) for part in run for card, route in part.routes)
    found = Best(runs, sum(part.revenue for part in run), sum(part.bound for part in run))
    if patience is None:
        table.state.board.remember(key, found)
    return found


# Whether a route is legal


RULES: Final[Mapping[paths.Fault, str]] = {
    "no place": "VIII.7/2",
    "no track": "VIII.7/2",
    "side twice": "VIII.7/15",
    "ends": "VIII.7/2",
    "place twice": "VIII.7/9",
    "location twice": "VIII.7/11",
    "no station": "VIII.7/3",
    "red": "VIII.7/13",
    "closed": "VIII.6/2",
}
"""Which rule a path breaks that is no route."""


def follow(table: CzTable, company: str, train: Train, path: Sequence[str]) -> Ride | Refusal:
    """Trace a train's way hex by hex and say what it earns, or which rule it breaks (VIII.7)."""
    walk = paths.follow(table.title, table.state.board, path, stops_seen(table, company))
    if isinstance(walk, paths.Broken):
        return table.refuse(RULES[walk.fault], walk.text)
    stops, kind = walk.stops, kind_of(table, train)
    if refusal := _too_long(table, train, kind, stops):
        return refusal
    counted = [stops[number] for number in counted_stops(kind, stops)] if kind.skips_towns else list(stops)
    if len(counted) < 2:
        return table.refuse("VIII.7/2", "a route joins at least two different revenue locations")
    revenue = sum(stop.value for stop in counted)
    bonus = bonus_of(kind, counted) if kind.bonuses else 0
    return Ride(stops, walk.sides, revenue + bonus)


def _too_long(table: CzTable, train: Train, limits: TrainKind, stops: Sequence[Stop]) -> Refusal | None:
    cities = sum(not stop.is_town for stop in stops)
    if (limits.cities is not None and cities > limits.cities) or (not limits.skips_towns and len(stops) > limits.stops):
        spec = table.title.train_faces[train.face]
        plain = "VIII.7/4" if spec.cities == spec.stops else "VIII.7/6"
        return table.refuse(
            "VIII.7/7" if spec.skips_towns else plain,
            f"{len(stops)} locations with {cities} cities are too many for a {train.face}-train",
        )
    return None


def rides_of(table: CzTable, company: str, runs: Sequence[TrainRun]) -> list[Ride] | Refusal:
    """All trains together: each once, on track of its own (VIII.7/1, VIII.7/17, VIII.7/18)."""
    trains = {train.card: (number, train) for number, fleet in enumerate(fleets(table, company)) for train in fleet}
    found: list[Ride] = []
    used: dict[int, int] = {}
    seen = set()
    for run in runs:
        if run.card in seen:
            return table.refuse("VIII.7/1", "a train runs only once in a turn")
        seen.add(run.card)
        if run.card not in trains:
            rule = table.title.trains_rules[table.size(company)]
            return table.refuse(rule, f"{company} has no such train that it can run")
        fleet, train = trains[run.card]
        ride = follow(table, company, train, run.path)
        if not isinstance(ride, Ride):
            return ride
        if used.get(fleet, 0) & ride.sides:
            return table.refuse("VIII.7/17", f"the routes of {company} share track")
        used[fleet] = used.get(fleet, 0) | ride.sides
        found.append(ride)
    return found


# The step in a company's turn


def note_doubt(table: CzTable, company: str, revenue: int) -> None:
    """Where the search for the highest revenue was given up, everybody shall know how much more there could be."""
    bound = best(table, company).bound
    if revenue < bound:
        table.note(NotProven(company, bound))


class Run(Step[CzTable, OperateTrains, RunTrains]):
    """Running is mandatory, for the highest revenue that exists (VIII.3/3, VIII.8/6)."""

    action = RunTrains

    def answers(self, table: CzTable, task: OperateTrains) -> Iterator[Option]:
        """One best run stands for all that earn as much."""
        yield Option(RunTrains(best(table, task.company).runs))

    def refusal(self, table: CzTable, task: OperateTrains, action: RunTrains) -> Refusal | None:
        if action.claim is not None and table.ruled("claimed_revenue") == "believed":
            return None if action.claim >= 0 else table.refuse("VIII.8/2", "revenue is never less than 0 K")
        found = rides_of(table, task.company, action.runs)
        if isinstance(found, Refusal):
            return found
        revenue = sum(ride.revenue for ride in found)
        if action.claim not in (None, revenue):
            return table.refuse("VIII.8/2", f"these routes earn {revenue} K, not {action.claim} K")
        if table.ruled("highest_revenue") == "demanded":
            runs, most, _ = best(table, task.company)
            if revenue < most:
                better = "; ".join(table.way(run.path) for run in runs)
                return table.refuse("VIII.8/6", f"{task.company} can earn {most} K, not only {revenue} K: {better}")
        return None

    def perform(self, table: CzTable, task: OperateTrains, action: RunTrains) -> None:
        table.pop()
        company = task.company
        found = rides_of(table, company, action.runs)
        legal = None if isinstance(found, Refusal) else sum(ride.revenue for ride in found)
        revenue = legal or 0
        if action.claim is not None and action.claim != legal:
            revenue = action.claim
            table.note(ClaimBelieved(company, revenue))
        table.state.revenue = {**table.state.revenue, company: revenue}
        table.note(Revenue(company, revenue))
        if revenue == legal and table.ruled("highest_revenue") == "demanded":
            note_doubt(table, company, revenue)
        self.earn(table, company, revenue)

    def earn(self, table: CzTable, company: str, revenue: int) -> None:
        """Without any revenue there is nothing to decide (IX.2/3)."""
        if revenue:
            table.push(UseIncome(company, revenue))
        else:
            fall_without_dividend(table, company)
