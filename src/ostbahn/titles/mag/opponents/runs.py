"""What a minor's trains would earn with other trains or on another board, and what supporters save it (18Mag M.5)."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.kernel.routes.budget import StepBudget
from ostbahn.kernel.routes.network import Network, Route, TrainKind
from ostbahn.kernel.routes.pricer import pricer_of
from ostbahn.kernel.state import Train
from ostbahn.titles.mag import running
from ostbahn.titles.mag.actions import (
    BuyByKando,
    BuyTrain,
    Car,
    LayByFeketehazy,
    LayTile,
    PromoteBySina,
)
from ostbahn.titles.mag.costs import train_cost
from ostbahn.titles.mag.modules.supporters_table import KANDO, SupportersTable, supporters_file
from ostbahn.titles.mag.state import MagTable, OperatingRound
from ostbahn.titles.mag.track import lay_tile

SEARCH_STEPS = 20_000
"""Steps of a search for one train; a bot thinks of so many boards that it cannot wait for every proof."""

OWNERS_PART = 0.5
"""Of what a minor earns (III.3.2/5)."""

FleetFaces = tuple[str, ...]
"""Faces of trains, the best first."""


class RunIncome(NamedTuple):
    revenue: int
    subsidy: int

    def worth(self, treasury: float, cash: float = 1.0) -> float:
        """To the owner: his half, and what the rest does in the treasury."""
        return self.revenue * OWNERS_PART * (cash + treasury) + self.subsidy * treasury


NOTHING = RunIncome(0, 0)


def fleet_of(table: MagTable, minor: str) -> FleetFaces:
    return sorted_fleet(train.face for train in table.trains_of(minor))


def sorted_fleet(faces: Iterable[str]) -> FleetFaces:
    return tuple(sorted(faces, reverse=True))


class GreedyRuns:
    """What trains earn on a network. Nothing hangs on the board it was found on: other lays may leave it as it is."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self._alone: dict[TrainKind, Route] = {}
        """The best route of each kind of train that has all track to itself."""
        self._earned: dict[tuple[TrainKind, ...], RunIncome] = {}

    def earned(self, trains: tuple[TrainKind, ...]) -> RunIncome:
        """Each train takes the best route that those before it left; not always the best run, but soon found."""
        if known := self._earned.get(trains):
            return known
        used = revenue = subsidy = 0
        for kind in trains:
            route = self._route(kind, used)
            used |= route.sides
            revenue += route.revenue
            subsidy += route.subsidy
        self._earned[trains] = earned = RunIncome(revenue, subsidy)
        return earned

    def _route(self, kind: TrainKind, used: int) -> Route:
        """The best off the track that is used. Pricers are not kept: they would fill the memory."""
        if kind not in self._alone:
            self._alone[kind] = pricer_of(self.net, kind).best(budget=StepBudget(SEARCH_STEPS))
        alone = self._alone[kind]
        return pricer_of(self.net, kind).best(used, StepBudget(SEARCH_STEPS)) if alone.sides & used else alone


greedy_runs_on: Final = lru_cache(maxsize=1000)(GreedyRuns)
"""The same again for the same network: a lay that was thought of is made, and a line goes where another went."""


def greedy_runs_of(table: MagTable, minor: str) -> GreedyRuns:
    """What a minor's trains can come to, worked out once for a board."""
    key = ("bot lines", minor, table.state.phase)
    found = table.state.board.cached(key)
    if not isinstance(found, GreedyRuns):
        found = table.state.board.cache(key, greedy_runs_on(running.network(table, minor)))
    return found


def income_with_cars(table: MagTable, minor: str, fleet: FleetFaces) -> RunIncome:
    """The best run if the best train had all rail cars; whoever plans looks at that, not at every single car."""
    if not fleet:
        return NOTHING
    cars: tuple[Car, ...] = ("plus",) if table.title.one_rail_car else ("mine", "off_board", "plus")
    return greedy_runs_of(table, minor).earned(
        tuple(
            running.RUNNING.kind(table, Train(f"new {face}", face), () if number else cars)
            for number, face in enumerate(fleet)
        )
    )


def table_copy(table: MagTable) -> MagTable:
    """The same table, to try things out on."""
    return type(table)(table.title, copy.copy(table.state), table.rulings, table.players)


def with_lay(table: MagTable, minor: str, action: LayTile) -> MagTable:
    tried = table_copy(table)
    lay_tile(tried, minor, action)
    return tried


def with_station(table: MagTable, company: str, city: str) -> MagTable:
    tried = table_copy(table)
    tried.state.board = tried.state.board.with_station(city, company)
    return tried


def still_to_act(table: MagTable, minor: str) -> list[str]:
    """Minors of the same owner that act later in the present round: a card helps one of them (M.5/2)."""
    owners = table.state.owners
    turns = next((task for task in table.state.agenda if isinstance(task, OperatingRound)), None)
    return [] if turns is None else [other for other in turns.minors if owners[other] == owners[minor]]


# What is paid


def least_price(table: MagTable, minor: str, face: str) -> int:
    """Of a train for a minor, with Kandó if he can still help it."""
    kando = isinstance(table, SupportersTable) and table.help_refusal(KANDO, minor) is None
    return train_cost(table, BuyByKando(face) if kando else BuyTrain(face))


def saved_elsewhere(table: MagTable, minor: str, action: BuyTrain) -> int:
    """How much more Kandó would save on a dearer train, for a minor that acts later and can pay for it."""
    if not isinstance(action, BuyByKando):
        return 0
    limit, cash = table.title.minor.train_limit, table.state.cash
    others = [other for other in still_to_act(table, minor) if len(table.trains_of(other)) < limit]
    kando = supporters_file().kando
    saved = {face: stack.price - kando[face] for face, stack in table.title.stacks.items()}
    elsewhere = [saved[face] for face in saved if any(kando[face] <= cash[other] for other in others)]
    return max(0, max(elsewhere, default=0) - saved[action.face])


# Ways to lay a tile


def is_free(action: LayTile) -> bool:
    """Whether the minor does not pay for the terrain."""
    return action.token or by_feketehazy(action)


def by_feketehazy(action: LayTile) -> bool:
    return isinstance(action, LayByFeketehazy) or (isinstance(action, PromoteBySina) and action.feketehazy)


def by_sina(action: LayTile) -> bool:
    return isinstance(action, PromoteBySina)


def preference(action: LayTile) -> tuple[bool, bool, bool]:
    """Of ways to lay the same: what comes back with every round is used before what is gone for good.

    So Sina leaves the turn's own lay to be made, Feketeházy a terrain token, and that the money.
    """
    return by_sina(action), by_feketehazy(action), action.token
