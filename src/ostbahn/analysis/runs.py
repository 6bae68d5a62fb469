"""Best runs of companies, also with one more tile or station."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ostbahn.kernel.errors import BadSetup, Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of, moved_stations
from ostbahn.kernel.map.tiles import heirs
from ostbahn.kernel.routes.budget import Budget
from ostbahn.kernel.routes.network import BestRun, Network, RunningTrain, TrainKind, TrainRoute
from ostbahn.kernel.state import Train
from ostbahn.kernel.table import Table
from ostbahn.kits.catalogue import kit_named, kit_of


class TimeBudget(Budget):
    """A time limit. What is found by then depends on the machine, so the rules never use one."""

    def __init__(self, seconds: float) -> None:
        self.end = time.perf_counter() + seconds

    def take_step(self) -> bool:
        return time.perf_counter() < self.end

    def portion(self, share: float) -> TimeBudget:
        return TimeBudget((self.end - time.perf_counter()) * share)


class TrainPath(Protocol):
    """A train card with its path, as actions name them."""

    @property
    def card(self) -> str: ...
    @property
    def path(self) -> tuple[str, ...]: ...


class RunningRules(Protocol):
    """The kit part `running`: what a title knows of its trains."""

    def companies(self, table: Any, /) -> list[str]:
        """All companies that run trains, whether or not they have any now."""

    def fleets(self, table: Any, company: str, /) -> Sequence[Sequence[Train]]:
        """The trains that a company can run now. Only those of the same fleet cannot share track."""

    def cars(self, table: Any, company: str, /) -> tuple[str, ...]:
        """The rail cars bought for its next run."""

    def as_train(self, table: Any, train: Train, /) -> RunningTrain:
        """The train with its kind."""

    def network(self, table: Any, company: str, /) -> Network:
        """What its trains can reach."""

    def route(self, table: Any, company: str, run: Any, /) -> TrainRoute | Refusal:
        """The route of a train and path, or why there is none. run: a `TrainPath` of the title."""

    def best(self, table: Any, company: str, budget: Budget | None, /) -> BestRun: ...


class CompanyTrains:
    """The trains that a company can run now."""

    def __init__(self, table: Table, company: str) -> None:
        self.table, self.company = table, company
        self.running = kit_named(table.title.name).running
        fleets = self.running.fleets(table, company)
        self.faces: Mapping[str, str] = {train.card: train.face for fleet in fleets for train in fleet}
        """Card to face, in the order of the charter."""
        self.cars = self.running.cars(table, company)
        """The rail cars bought for this run."""

    @property
    def kinds(self) -> list[tuple[TrainKind, ...]]:
        """The kinds of its trains without rail cars, by fleets."""
        fleets = self.running.fleets(self.table, self.company)
        return [tuple(self.running.as_train(self.table, train).kind for train in fleet) for fleet in fleets]

    def network(self) -> Network:
        return self.running.network(self.table, self.company)

    def route(self, run: TrainPath) -> TrainRoute | Refusal:
        return self.running.route(self.table, self.company, run)

    def best(self, budget: Budget | None = None) -> BestRun:
        return self.running.best(self.table, self.company, budget)


def companies_of(game: Game) -> list[str]:
    """All companies that run trains, whether or not they have any now."""
    return kit_of(game).running.companies(game.table)


def best_run(game: Game, company: str, budget: Budget | None = None) -> BestRun:
    """The best run that the budget finds on the present board; by default the run that the rules demand.

    Rail cars count if the company has bought them for its next run.
    """
    return CompanyTrains(_table(game, company), company).best(budget)


def run_with_tile(game: Game, company: str, hex_id: str, tile: str, rotation: int) -> BestRun:
    """The best run with that tile, whether or not it may be laid."""
    table = _table(game, company)
    faces = table.title.tile_set.faces
    if hex_id not in table.title.map:
        raise BadSetup(f"there is no hex {hex_id} on this board; there are {', '.join(table.title.map.hexes)}")
    if tile not in faces:
        raise BadSetup(f"there is no tile {tile}; there are {', '.join(faces)}")
    if rotation not in range(6):
        raise BadSetup(f"a tile has the rotations 0 to 5, not {rotation}")
    board, hex_ = table.state.board, table.title.map[hex_id]
    old, new = board.face(table.title.tile_set, hex_), faces[tile][rotation]
    stations = moved_stations(board, hex_, heirs(old, new) or ())
    table.state.board = board.with_tile(hex_id, tile, rotation, stations)
    return CompanyTrains(table, company).best()


def run_with_station(game: Game, company: str, city: str) -> BestRun:
    """The best run with a station in that city, whether or not it may be placed."""
    table = _table(game, company)
    board, hex_ = table.state.board, table.title.map.hexes.get(hex_of(city))
    places = hex_.cities[: len(board.face(table.title.tile_set, hex_).nodes)] if hex_ is not None else ()
    if city not in places:
        raise BadSetup(f"there is no city {city}; {hex_of(city)} has {', '.join(places) or 'none'}")
    table.state.board = board.with_station(city, company)
    return CompanyTrains(table, company).best()


def _table(game: Game, company: str) -> Table:
    known = companies_of(game)
    if company not in known:
        raise BadSetup(f"{company} is not a company that operates here; those that do: {', '.join(known) or 'none'}")
    return game.table
