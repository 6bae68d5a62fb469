"""Best runs, stop by stop, and what one more tile or station would add to them."""

from __future__ import annotations

from typing import NamedTuple

from ostbahn.kernel.board import hex_of
from ostbahn.kernel.errors import BadSetup, Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.routing import Patience, counted_stops, endless
from ostbahn.titles.cz.running import as_train, best, fleets, follow
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.track import carried_over


class Call(NamedTuple):
    """A revenue location on a train's way."""

    place: str
    name: str
    value: int
    counted: bool
    """Towns that an E-train leaves out are not."""


class TrainRoute(NamedTuple):
    card: str
    train: str
    path: tuple[str, ...]
    calls: tuple[Call, ...]
    revenue: int


class BestRun(NamedTuple):
    company: str
    routes: tuple[TrainRoute, ...]
    revenue: int
    bound: int

    @property
    def proven(self) -> bool:
        return self.bound == self.revenue


def best_run(game: Game, company: str, patience: Patience = endless) -> BestRun:
    """The best that a company's trains can do as the board lies; if patience ends, the best found, with a bound."""
    return _best_run(_table(game, company), company, patience)


def run_with_tile(game: Game, company: str, hex_id: str, tile: str, rotation: int) -> BestRun:
    """The best run if that tile lay there; whether it may be laid is not asked."""
    table = _table(game, company)
    board, hex_ = table.state.board, table.title.map[hex_id]
    stations = carried_over(board, hex_, table, table.title.tile_set.faces[tile][rotation])
    table.state.board = board.with_tile(hex_id, tile, rotation, stations)
    return _best_run(table, company)


def run_with_station(game: Game, company: str, city: str) -> BestRun:
    """The best run if the company had a station in that city; whether it may have one is not asked."""
    table = _table(game, company)
    board = table.state.board
    table.state.board = board.with_stations({**board.stations, city: (*board.stations.get(city, ()), company)})
    return _best_run(table, company)


def _table(game: Game, company: str) -> CzTable:
    table = game.table
    if not isinstance(table, CzTable):
        raise BadSetup(f"runs of {game.setup.title} cannot be studied yet")
    if company not in table.state.floated:
        running = ", ".join(table.state.floated) or "none"
        raise BadSetup(f"{company} is not a company that operates here; those that do: {running}")
    return table


def _best_run(table: CzTable, company: str, patience: Patience = endless) -> BestRun:
    found = best(table, company, patience)
    trains = {train.card: train for fleet in fleets(table, company) for train in fleet}
    routes = []
    for run in found.runs:
        ride = follow(table, company, trains[run.card], run.path)
        if isinstance(ride, Refusal):
            raise AssertionError(f"the best run of {company} is refused: {ride}")
        train = as_train(table, trains[run.card])
        counted = counted_stops(train, ride.stops)
        calls = tuple(
            Call(
                stop.id,
                table.title.map[hex_of(stop.id)].printed.name or "",
                stop.value + (stop.bonus if train.bonuses else 0),
                number in counted,
            )
            for number, stop in enumerate(ride.stops)
        )
        routes.append(TrainRoute(run.card, trains[run.card].face, run.path, calls, ride.revenue))
    return BestRun(company, tuple(routes), found.revenue, found.bound)
