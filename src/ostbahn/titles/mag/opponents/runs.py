"""What a minor's trains would earn: with other trains, or on another board."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ostbahn.kernel.routes.network import Network, Route, TrainKind
from ostbahn.kernel.routes.search import Steps
from ostbahn.kernel.routes.single_train import explorer_of
from ostbahn.kernel.state import Train
from ostbahn.titles.mag import running
from ostbahn.titles.mag.actions import Car, LayTile
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.track import lay
from ostbahn.titles.mag.trains import trains_of

LASTING = 20_000
"""Steps of a search for one train; a bot thinks of so many boards that it cannot wait for every proof."""

OWNERS_PART = 0.5
"""Of what a minor earns (III.3.2/5)."""

Fleet = tuple[str, ...]
"""Faces of trains, the best first."""


class Earned(NamedTuple):
    revenue: int
    subsidy: int

    def worth(self, treasury: float, cash: float = 1.0) -> float:
        """To the owner: his half, and what the rest does in the treasury."""
        return self.revenue * OWNERS_PART * (cash + treasury) + self.subsidy * treasury


NOTHING = Earned(0, 0)


def fleet_of(table: MagTable, minor: str) -> Fleet:
    return sorted_fleet(train.face for train in trains_of(table, minor))


def sorted_fleet(faces: Iterable[str]) -> Fleet:
    return tuple(sorted(faces, reverse=True))


def cars_on_sale(table: MagTable) -> tuple[Car, ...]:
    """The rail cars that a minor could have together."""
    if table.title.rail_cars.one_of_them:
        return ("plus",)
    return ("mine", "off_board", "plus")


class Lines:
    """What trains earn on a network. Nothing hangs on the board it was found on: other lays may leave it as it is."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self._alone: dict[TrainKind, Route] = {}
        """The best route of each kind of train that has all track to itself."""
        self._earned: dict[tuple[TrainKind, ...], Earned] = {}

    def earned(self, trains: tuple[TrainKind, ...]) -> Earned:
        if trains not in self._earned:
            self._earned[trains] = self._one_after_another(trains)
        return self._earned[trains]

    def _one_after_another(self, trains: tuple[TrainKind, ...]) -> Earned:
        """Each train takes the best route that those before it left; not always the best run, but soon found."""
        used = revenue = subsidy = 0
        for kind in trains:
            route = self._route(kind, used)
            used |= route.sides
            revenue += route.revenue
            subsidy += route.subsidy
        return Earned(revenue, subsidy)

    def _route(self, kind: TrainKind, used: int) -> Route:
        """The best off the track that is used. Explorers are not kept: they would fill the memory."""
        if kind not in self._alone:
            self._alone[kind] = explorer_of(self.net, kind).best(patience=Steps(LASTING))
        alone = self._alone[kind]
        return explorer_of(self.net, kind).best(used, Steps(LASTING)) if alone.sides & used else alone


@lru_cache(maxsize=1000)
def lines_on(net: Network) -> Lines:
    """The same again for the same network: a lay that was thought of is made, and a line goes where another went."""
    return Lines(net)


def lines(table: MagTable, minor: str) -> Lines:
    """What a minor's trains can come to, worked out once for a board."""
    key = ("bot lines", minor, table.state.phase)
    found = table.state.board.remembered(key)
    if not isinstance(found, Lines):
        found = table.state.board.remember(key, lines_on(running.network(table, minor)))
    return found


def equipped(table: MagTable, minor: str, fleet: Fleet) -> Earned:
    """The best run if the best train had all rail cars; whoever plans looks at that, not at every single car."""
    if not fleet:
        return NOTHING
    cars = cars_on_sale(table)
    return lines(table, minor).earned(
        tuple(
            running.kind_of(table, Train(f"new {face}", face), () if number else cars)
            for number, face in enumerate(fleet)
        )
    )


def another(table: MagTable) -> MagTable:
    """The same table, to try things out on."""
    return type(table)(table.title, copy.copy(table.state), table.rulings, table.players)


def with_lay(table: MagTable, minor: str, action: LayTile) -> MagTable:
    tried = another(table)
    lay(tried, minor, action)
    return tried


def with_station(table: MagTable, company: str, city: str) -> MagTable:
    tried = another(table)
    board = tried.state.board
    tried.state.board = board.with_stations({**board.stations, city: (*board.stations.get(city, ()), company)})
    return tried
