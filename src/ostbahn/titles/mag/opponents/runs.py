"""Estimated income of a minor with other trains or on another board, and savings by supporters (18Mag M.5)."""

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
from ostbahn.titles.mag.actions import BuyByKando, BuyTrain, Car, LayByFeketehazy, LayTile, PromoteBySina
from ostbahn.titles.mag.costs import train_cost
from ostbahn.titles.mag.modules.supporters_table import KANDO, SupportersTable, supporters_file
from ostbahn.titles.mag.state import MagTable, OperatingRound
from ostbahn.titles.mag.track import lay_tile

SEARCH_STEPS = 20_000
"""Step limit of one train's search: a bot rates too many boards to prove every route the best."""

OWNERS_PART = 0.5
"""The owner's part of a minor's revenue (III.3.2/5)."""

FleetFaces = tuple[str, ...]
"""Faces of trains, the best first."""


class RunIncome(NamedTuple):
    revenue: int
    subsidy: int

    def worth(self, treasury: float, cash: float = 1.0) -> float:
        """Value to the owner, given the value of 1 Ft in the minor's treasury and in the owner's hand."""
        return self.revenue * OWNERS_PART * (cash + treasury) + self.subsidy * treasury


NOTHING = RunIncome(0, 0)


def fleet_of(table: MagTable, minor: str) -> FleetFaces:
    return sorted_fleet(train.face for train in table.trains_of(minor))


def sorted_fleet(faces: Iterable[str]) -> FleetFaces:
    return tuple(sorted(faces, reverse=True))


class GreedyRuns:
    """Estimated income of trains on a network, independent of the board: several boards may share a network."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self._solo_routes: dict[TrainKind, Route] = {}
        """Best route of each kind of train when it runs alone."""
        self._incomes: dict[tuple[TrainKind, ...], RunIncome] = {}

    def income(self, trains: tuple[TrainKind, ...]) -> RunIncome:
        """Income if each train in turn takes the best remaining route: fast, but not always the best run."""
        if known := self._incomes.get(trains):
            return known
        used = revenue = subsidy = 0
        for kind in trains:
            route = self._route(kind, used)
            used |= route.sides
            revenue += route.revenue
            subsidy += route.subsidy
        return self._incomes.setdefault(trains, RunIncome(revenue, subsidy))

    def _route(self, kind: TrainKind, used: int) -> Route:
        """Best route off the used track. Pricers are not cached: they would fill the memory."""
        if kind not in self._solo_routes:
            self._solo_routes[kind] = pricer_of(self.net, kind).best(budget=StepBudget(SEARCH_STEPS))
        solo_route = self._solo_routes[kind]
        return pricer_of(self.net, kind).best(used, StepBudget(SEARCH_STEPS)) if solo_route.sides & used else solo_route


greedy_runs_on: Final = lru_cache(maxsize=1000)(GreedyRuns)
"""Reuses estimates for equal networks: a lay that was tried is often made, and other lays lead to the same network."""


def greedy_runs_of(table: MagTable, minor: str) -> GreedyRuns:
    """Estimates for a minor, cached on the board."""
    key = ("bot lines", minor, table.state.phase)
    runs = table.state.board.cached(key)
    if not isinstance(runs, GreedyRuns):
        runs = table.state.board.cache(key, greedy_runs_on(running.network(table, minor)))
    return runs


def income_with_cars(table: MagTable, minor: str, fleet: FleetFaces) -> RunIncome:
    """Estimated income if the best train has all rail cars; plans do not weigh single cars."""
    if not fleet:
        return NOTHING
    cars: tuple[Car, ...] = ("plus",) if table.title.one_rail_car else ("mine", "off_board", "plus")
    return greedy_runs_of(table, minor).income(
        tuple(
            running.RUNNING.kind(table, Train(f"new {face}", face), () if number else cars)
            for number, face in enumerate(fleet)
        )
    )


def table_copy(table: MagTable) -> MagTable:
    """Copy of the table for trying out moves."""
    return type(table)(table.title, copy.copy(table.state), table.rulings, table.players)


def with_lay(table: MagTable, minor: str, action: LayTile) -> MagTable:
    copied = table_copy(table)
    lay_tile(copied, minor, action)
    return copied


def with_station(table: MagTable, company: str, city: str) -> MagTable:
    copied = table_copy(table)
    copied.state.board = copied.state.board.with_station(city, company)
    return copied


def still_to_act(table: MagTable, minor: str) -> list[str]:
    """Minors of the same owner that act later in the present round: a card helps one of them (M.5/2)."""
    owners = table.state.owners
    turns = next((task for task in table.state.agenda if isinstance(task, OperatingRound)), None)
    return [] if turns is None else [other for other in turns.minors if owners[other] == owners[minor]]


# Prices


def least_price(table: MagTable, minor: str, face: str) -> int:
    """Least price of a new train for a minor, with Kandó if available."""
    kando = isinstance(table, SupportersTable) and table.help_refusal(KANDO, minor) is None
    return train_cost(table, BuyByKando(face) if kando else BuyTrain(face))


def saved_elsewhere(table: MagTable, minor: str, action: BuyTrain) -> int:
    """Additional savings if Kandó helped a minor that acts later instead."""
    if not isinstance(action, BuyByKando):
        return 0
    limit, cash = table.title.minor.train_limit, table.state.cash
    later_minors = [other for other in still_to_act(table, minor) if len(table.trains_of(other)) < limit]
    kando = supporters_file().kando
    savings = {face: stack.price - kando[face] for face, stack in table.title.stacks.items()}
    later_savings = [savings[face] for face in savings if any(kando[face] <= cash[other] for other in later_minors)]
    return max(0, max(later_savings, default=0) - savings[action.face])


# Ways to lay a tile


def is_free(action: LayTile) -> bool:
    """Whether the minor does not pay for the terrain."""
    return action.token or by_feketehazy(action)


def by_feketehazy(action: LayTile) -> bool:
    return isinstance(action, LayByFeketehazy) or (isinstance(action, PromoteBySina) and action.feketehazy)


def by_sina(action: LayTile) -> bool:
    return isinstance(action, PromoteBySina)


def preference(action: LayTile) -> tuple[bool, bool, bool]:
    """Sort key of equal lays, the best last: Sina leaves the turn's own lay, Feketeházy a token, a token the money."""
    return by_sina(action), by_feketehazy(action), action.token
