"""Best runs, stop by stop, and what one more tile or station would add to them."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ostbahn.kernel.errors import BadSetup, Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Hex, hex_of, moved_stations
from ostbahn.kernel.map.tiles import heirs
from ostbahn.kernel.routes.network import Network, Stop, TrainKind, counted_stops
from ostbahn.kernel.routes.search import Patience
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
    """What was bought to go with the train for this run."""
    bonuses: tuple[tuple[str, int], ...] = ()
    """What of the revenue no stop pays: why, and how much."""


class BestRun(NamedTuple):
    company: str
    routes: tuple[TrainRoute, ...]
    revenue: int
    bound: int
    """Of revenue and subsidy together."""
    subsidy: int = 0
    """What is paid beside the revenue, and is none."""

    @property
    def proven(self) -> bool:
        return self.bound == self.revenue + self.subsidy


class TrainRun(Protocol):
    """A train and its way, as an answer names them."""

    @property
    def card(self) -> str: ...
    @property
    def path(self) -> tuple[str, ...]: ...


class Way(NamedTuple):
    """A train's way, found legal by itself."""

    train: TrainKind
    stops: tuple[Stop, ...]
    revenue: int
    subsidy: int = 0
    cars: tuple[str, ...] = ()
    bonuses: tuple[tuple[str, int], ...] = ()
    """What of the revenue no stop pays: why, and how much."""


class Earned(NamedTuple):
    """The best run that was found."""

    runs: Sequence[TrainRun]
    revenue: int
    bound: int
    subsidy: int = 0


class Fleet(NamedTuple):
    """The trains that a company can run now, and what they can do."""

    faces: Mapping[str, str]
    """Card to face, in the order of the charter."""
    follow: Callable[[Any], Way | Refusal]
    """Goes the way of a train: an answer of the title names both."""
    best: Callable[[Patience | None], Earned]
    cars: tuple[str, ...] = ()
    """What was bought for this run."""
    network: Callable[[], Network] | None = None
    """What its trains can come to, if the title tells."""
    kinds: tuple[tuple[TrainKind, ...], ...] = ()
    """What its trains can do; only those that are named together keep off each other's track."""


class Running(ABC):
    """What a title knows of its trains."""

    @abstractmethod
    def companies(self, table: Any) -> list[str]:
        """All that run trains, whether or not they have any now."""

    @abstractmethod
    def fleet(self, table: Any, company: str) -> Fleet: ...


def companies_of(game: Game) -> list[str]:
    """All companies that run trains in a game, whether or not they have any now."""
    return kit_of(game).running.companies(game.table)


def fleet_of(table: Table, company: str) -> Fleet:
    return kit_named(table.title.name).running.fleet(table, company)


def best_run(game: Game, company: str, patience: Patience | None = None) -> BestRun:
    """The best that a company's trains can do as the board lies; if patience ends, the best found, with a bound.

    Without a word on patience it is what the game itself finds, and demands.

    What was bought for a run counts, if the company is about to make it.
    """
    return _best_run(_table(game, company), company, patience)


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
    return _best_run(table, company)


def run_with_station(game: Game, company: str, city: str) -> BestRun:
    """The best run if the company had a station in that city; whether it may have one is not asked."""
    table = _table(game, company)
    board = table.state.board
    places = _places(table, hex_of(city))
    if city not in places:
        raise BadSetup(f"there is no city {city}; {hex_of(city)} has {', '.join(places) or 'none'}")
    table.state.board = board.with_stations({**board.stations, city: (*board.stations.get(city, ()), company)})
    return _best_run(table, company)


def _places(table: Table, hex_id: str) -> tuple[str, ...]:
    """The revenue locations in a hex as it lies."""
    if hex_id not in table.title.map:
        return ()
    hex_ = table.title.map[hex_id]
    return hex_.cities[: len(table.state.board.face(table.title.tile_set, hex_).nodes)]


def _table(game: Game, company: str) -> Table:
    known = companies_of(game)
    if company not in known:
        raise BadSetup(f"{company} is not a company that operates here; those that do: {', '.join(known) or 'none'}")
    return game.table


def _best_run(table: Table, company: str, patience: Patience | None = None) -> BestRun:
    fleet = fleet_of(table, company)
    found = fleet.best(patience)
    routes = []
    for run in found.runs:
        way = fleet.follow(run)
        if isinstance(way, Refusal):
            raise AssertionError(f"the best run of {company} is refused: {way}")
        calls = _calls(table.title.map, way.train, way.stops)
        face = fleet.faces[run.card]
        routes.append(TrainRoute(run.card, face, run.path, calls, way.revenue, way.subsidy, way.cars, way.bonuses))
    return BestRun(company, tuple(routes), found.revenue, found.bound, found.subsidy)


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
