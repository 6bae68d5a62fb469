"""Best runs, stop by stop, and what one more tile or station would add to them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple

from ostbahn.kernel.errors import BadSetup, Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Hex, hex_of, moved_stations
from ostbahn.kernel.map.tiles import heirs
from ostbahn.kernel.routes.network import Stop, TrainKind, counted_stops
from ostbahn.kernel.routes.patience import Patience
from ostbahn.kernel.table import Table
from ostbahn.titles.cz import running as cz
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.mag import running as mag
from ostbahn.titles.mag.state import MagTable, OperateTrains
from ostbahn.titles.mag.trains import trains_of


class Seconds(Patience):
    """Patience by the clock, for whoever wants an answer by then; what is found hangs on the machine."""

    def __init__(self, seconds: float) -> None:
        self.end = time.perf_counter() + seconds

    def __call__(self) -> bool:
        return time.perf_counter() < self.end

    def share(self, part: float) -> Seconds:
        return Seconds((self.end - time.perf_counter()) * part)


class Call(NamedTuple):
    """A revenue location on a train's way."""

    place: str
    name: str
    value: int
    """What it pays here, bonus included."""
    counted: bool
    """Towns that an E-train leaves out are not."""


class TrainRoute(NamedTuple):
    card: str
    train: str
    path: tuple[str, ...]
    calls: tuple[Call, ...]
    revenue: int
    subsidy: int = 0
    cars: tuple[str, ...] = ()
    """Rail cars that go with the train (18Mag)."""


class BestRun(NamedTuple):
    company: str
    routes: tuple[TrainRoute, ...]
    revenue: int
    bound: int
    """Of revenue and subsidy together."""
    subsidy: int = 0
    """What mines pay beside the revenue (18Mag)."""

    @property
    def proven(self) -> bool:
        return self.bound == self.revenue + self.subsidy


def companies_of(game: Game) -> list[str]:
    """All companies that run trains in a game, whether or not they have any now."""
    table = game.table
    if isinstance(table, MagTable):
        return [minor for minor in table.title.minors if table.state.owners.get(minor) in table.state.players]
    return list(table.state.floated) if isinstance(table, CzTable) else []


def best_run(game: Game, company: str, patience: Patience | None = None) -> BestRun:
    """The best that a company's trains can do as the board lies; if patience ends, the best found, with a bound.

    Without a word on patience it is what the game itself finds, and demands.

    In 18Mag with the rail cars that the minor has bought, if it is about to run.
    """
    return _best_run(_table(game, company), company, patience)


def run_with_tile(game: Game, company: str, hex_id: str, tile: str, rotation: int) -> BestRun:
    """The best run if that tile lay there; whether it may be laid is not asked."""
    table = _table(game, company)
    board, hex_ = table.state.board, table.title.map[hex_id]
    old, new = board.face(table.title.tile_set, hex_), table.title.tile_set.faces[tile][rotation]
    stations = moved_stations(board, hex_, heirs(old, new) or ())
    table.state.board = board.with_tile(hex_id, tile, rotation, stations)
    return _best_run(table, company)


def run_with_station(game: Game, company: str, city: str) -> BestRun:
    """The best run if the company had a station in that city; whether it may have one is not asked."""
    table = _table(game, company)
    board = table.state.board
    table.state.board = board.with_stations({**board.stations, city: (*board.stations.get(city, ()), company)})
    return _best_run(table, company)


def _table(game: Game, company: str) -> Table:
    known = companies_of(game)
    if company not in known:
        raise BadSetup(f"{company} is not a company that operates here; those that do: {', '.join(known) or 'none'}")
    return game.table


def _best_run(table: Table, company: str, patience: Patience | None = None) -> BestRun:
    if isinstance(table, MagTable):
        return _of_minor(table, company, patience)
    assert isinstance(table, CzTable)
    return _of_company(table, company, patience)


def _of_company(table: CzTable, company: str, patience: Patience | None) -> BestRun:
    found = cz.best(table, company, patience)
    trains = {train.card: train for fleet in cz.fleets(table, company) for train in fleet}
    routes = []
    for run in found.runs:
        ride = cz.follow(table, company, trains[run.card], run.path)
        if isinstance(ride, Refusal):
            raise AssertionError(f"the best run of {company} is refused: {ride}")
        calls = _calls(table.title.map, cz.kind_of(table, trains[run.card]), ride.stops)
        routes.append(TrainRoute(run.card, trains[run.card].face, run.path, calls, ride.revenue))
    return BestRun(company, tuple(routes), found.revenue, found.bound)


def _of_minor(table: MagTable, minor: str, patience: Patience | None) -> BestRun:
    task = table.state.agenda[-1] if table.state.agenda else None
    cars = task.cars if isinstance(task, OperateTrains) and task.company == minor else ()
    found = mag.best(table, minor, cars, patience)
    trains = {train.card: train for train in trains_of(table, minor)}
    routes = []
    for run in found.runs:
        ride = mag.follow(table, minor, trains[run.card], run)
        if isinstance(ride, Refusal):
            raise AssertionError(f"the best run of minor {minor} is refused: {ride}")
        calls = _calls(table.title.map, mag.kind_of(table, trains[run.card], run.cars), ride.stops)
        face = trains[run.card].face
        routes.append(TrainRoute(run.card, face, run.path, calls, ride.revenue, ride.subsidy, run.cars))
    return BestRun(minor, tuple(routes), found.revenue, found.bound, found.subsidy)


def _calls(map_: Iterable[Hex], train: TrainKind, stops: tuple[Stop, ...]) -> tuple[Call, ...]:
    names = {hex_.id: hex_.printed.name or "" for hex_ in map_}
    return tuple(
        Call(stop.id, names[hex_of(stop.id)], value, counted) for stop, value, counted in paid_stops(train, stops)
    )


def paid_stops(train: TrainKind, stops: tuple[Stop, ...]) -> list[tuple[Stop, int, bool]]:
    """Each stop of a route with what it pays, bonus included, and whether it counts."""
    counted = counted_stops(train, stops)
    by_bonus = sorted((number for number in counted if stops[number].bonus), key=lambda n: -stops[n].bonus)
    paid = by_bonus[: train.bonuses]
    return [
        (stop, stop.value + (stop.bonus if number in paid else 0), number in counted or stop.is_mine)
        for number, stop in enumerate(stops)
    ]
