"""What a minor's trains would earn: with other trains, or on another board."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import NamedTuple

from ostbahn.kernel import routing
from ostbahn.kernel.exploring import Explorer
from ostbahn.kernel.trains import Train
from ostbahn.titles.mag import running
from ostbahn.titles.mag.actions import Car, LayTile
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.track import lay
from ostbahn.titles.mag.trains import trains_of

Fleet = tuple[str, ...]
"""Faces of trains, the best first."""


class Earned(NamedTuple):
    revenue: int
    subsidy: int

    def worth(self, treasury: float, cash: float = 1.0) -> float:
        """To the owner: his half, and what the rest does in the treasury."""
        return self.revenue * 0.5 * (cash + treasury) + self.subsidy * treasury


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


def network(table: MagTable, minor: str) -> routing.Network:
    """The board as a minor's trains see it, worked out once for a board."""
    key = ("bot network", minor, table.state.phase)
    found = table.state.board.remembered(key)
    if not isinstance(found, routing.Network):
        found = table.state.board.remember(key, running.network(table, minor))
    return found


def equipped(table: MagTable, minor: str, fleet: Fleet) -> Earned:
    """The best run if the best train had all rail cars; whoever plans looks at that, not at every single car."""
    if not fleet:
        return NOTHING
    key = ("bot equipped", minor, table.state.phase, fleet)
    found = table.state.board.remembered(key)
    if not isinstance(found, Earned):
        found = table.state.board.remember(key, _one_after_another(table, minor, fleet))
    return found


def _one_after_another(table: MagTable, minor: str, fleet: Fleet) -> Earned:
    """Each train takes the best route that those before it left; not always the best run, but soon found."""
    net = network(table, minor)
    used = revenue = subsidy = 0
    for number, face in enumerate(fleet):
        cars = cars_on_sale(table) if not number else ()
        train = running.as_train(table, Train(f"{face}-{number}", face), cars)
        route = Explorer(net, train).best(used)
        used |= route.sides
        revenue += route.revenue
        subsidy += route.subsidy
    return Earned(revenue, subsidy)


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
