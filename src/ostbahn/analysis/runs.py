"""Best runs, stop by stop, and what one more tile or station would add to them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ostbahn.kernel.errors import BadSetup, Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of, moved_stations
from ostbahn.kernel.map.tiles import heirs
from ostbahn.kernel.routes.network import BestRun, Network, RunningTrain, TrainKind, TrainRoute
from ostbahn.kernel.routes.search import Patience
from ostbahn.kernel.state import Train
from ostbahn.kernel.table import Table
from ostbahn.kits.catalogue import kit_named, kit_of


class Seconds(Patience):
    """Patience by the clock, for whoever wants an answer by then; what is found hangs on the machine."""

    def __init__(self, seconds: float) -> None:
        self.end = time.perf_counter() + seconds

    def __call__(self) -> bool:
        return time.perf_counter() < self.end

    def share(self, part: float) -> Seconds:
        return Seconds((self.end - time.perf_counter()) * part)


class TrainRun(Protocol):
    """A train and its way, as an answer names them."""

    @property
    def card(self) -> str: ...
    @property
    def path(self) -> tuple[str, ...]: ...


class Running(Protocol):
    """What a title knows of its trains."""

    def companies(self, table: Any, /) -> list[str]:
        """All that run trains, whether or not they have any now."""

    def fleets(self, table: Any, company: str, /) -> Sequence[Sequence[Train]]:
        """The trains that a company can run now; only those of the same fleet keep off each other's track."""

    def cars(self, table: Any, company: str, /) -> tuple[str, ...]:
        """What was bought for the run that it is about to make."""

    def as_train(self, table: Any, train: Train, /) -> RunningTrain:
        """A train and what it can do."""

    def network(self, table: Any, company: str, /) -> Network:
        """What its trains can come to."""

    def route(self, table: Any, company: str, run: Any, /) -> TrainRoute | Refusal:
        """Goes the way of a train: an answer of the title names both."""

    def best(self, table: Any, company: str, patience: Patience | None, /) -> BestRun: ...


class Fleet:
    """The trains that a company can run now, and what they can do."""

    def __init__(self, table: Table, company: str) -> None:
        self.table, self.company = table, company
        self.running = kit_named(table.title.name).running
        fleets = self.running.fleets(table, company)
        self.faces: Mapping[str, str] = {train.card: train.face for fleet in fleets for train in fleet}
        """Card to face, in the order of the charter."""
        self.cars = self.running.cars(table, company)
        """What was bought for this run."""

    @property
    def kinds(self) -> list[tuple[TrainKind, ...]]:
        """What its trains can do by themselves, by fleets."""
        fleets = self.running.fleets(self.table, self.company)
        return [tuple(self.running.as_train(self.table, train).kind for train in fleet) for fleet in fleets]

    def network(self) -> Network:
        return self.running.network(self.table, self.company)

    def route(self, run: TrainRun) -> TrainRoute | Refusal:
        return self.running.route(self.table, self.company, run)

    def best(self, patience: Patience | None = None) -> BestRun:
        return self.running.best(self.table, self.company, patience)


def companies_of(game: Game) -> list[str]:
    """All companies that run trains in a game, whether or not they have any now."""
    return kit_of(game).running.companies(game.table)


def best_run(game: Game, company: str, patience: Patience | None = None) -> BestRun:
    """The best that a company's trains can do as the board lies; if patience ends, the best found, with a bound.

    Without a word on patience it is what the game itself finds, and demands.

    What was bought for a run counts, if the company is about to make it.
    """
    return Fleet(_table(game, company), company).best(patience)


def run_with_tile(game: Game, company: str, hex_id: str, tile: str, rotation: int) -> BestRun:
    """The best run if that tile lay there; whether it may be laid is not asked."""
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
    return Fleet(table, company).best()


def run_with_station(game: Game, company: str, city: str) -> BestRun:
    """The best run if the company had a station in that city; whether it may have one is not asked."""
    table = _table(game, company)
    board, hex_ = table.state.board, table.title.map.hexes.get(hex_of(city))
    places = hex_.cities[: len(board.face(table.title.tile_set, hex_).nodes)] if hex_ is not None else ()
    if city not in places:
        raise BadSetup(f"there is no city {city}; {hex_of(city)} has {', '.join(places) or 'none'}")
    table.state.board = board.with_station(city, company)
    return Fleet(table, company).best()


def _table(game: Game, company: str) -> Table:
    known = companies_of(game)
    if company not in known:
        raise BadSetup(f"{company} is not a company that operates here; those that do: {', '.join(known) or 'none'}")
    return game.table
