"""Set packing at dual prices: a run whose loss against the bound is small enough, or the proof that there is none.

A run's loss is what its routes' reduced profits lack of the best ones, plus the prices of the constraints that no route
takes part in. A set of routes is an integer with a bit for each, those with the smallest loss first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.branch_and_bound import bits, lowest_bit, members_by_bit
from ostbahn.kernel.routes.budget import Budget, BudgetExceededError
from ostbahn.kernel.routes.column_generation import DualSolution, PackingConstraints
from ostbahn.kernel.routes.network import NO_ROUTE, Route, TrainKind
from ostbahn.kernel.routes.route_search import PricedRoute

PROHIBITIVE_LOSS = 10**9
"""The loss of an idle train that must run."""


class RouteOptions(NamedTuple):
    """All trains of one kind, and the routes that they may take."""

    kind: TrainKind
    trains: int
    routes: Sequence[Route]
    losses: Sequence[int]
    """For each route its reduced profit below the best one."""
    idle_loss: int
    """The loss of a train without a route."""
    constraints: Sequence[int]
    """For each route the constraints that it takes part in, as bits."""
    by_side: Mapping[int, int]
    """For each hex side the routes that cross it."""
    by_constraint: Mapping[int, int]
    """For each constraint the routes that take part in it."""


def route_options(
    kind: TrainKind,
    trains: int,
    priced_routes: Sequence[PricedRoute],
    solution: DualSolution,
    constraints: PackingConstraints,
) -> RouteOptions:
    """Of routes over the same hex sides only the best is kept."""
    best_by_sides: dict[int, PricedRoute] = {}
    for priced in priced_routes:
        sides = priced.route.sides
        if sides not in best_by_sides or best_by_sides[sides].reduced_profit < priced.reduced_profit:
            best_by_sides[sides] = priced
    ordered = sorted(
        best_by_sides.values(),
        key=lambda priced: (-priced.reduced_profit, priced.route.sides.bit_count(), priced.route.sides),
    )
    routes = [priced.route for priced in ordered]
    best = solution.best_profits[kind]
    of_routes = [_constraints_of(route, solution, constraints) for route in routes]
    return RouteOptions(
        kind,
        trains,
        routes,
        [best - priced.reduced_profit for priced in ordered],
        PROHIBITIVE_LOSS if kind.must_run else best,
        of_routes,
        members_by_bit([route.sides for route in routes]),
        {bit.bit_length() - 1: members for bit, members in members_by_bit(of_routes).items()},
    )


def _constraints_of(route: Route, solution: DualSolution, constraints: PackingConstraints) -> int:
    """The packing constraints that a route takes part in, and after them the cuts, as bits."""
    used = constraints.of_links(route.links)
    for number, cut in enumerate(solution.duals.cuts):
        if cut.applies_to(route.sides):
            used |= 1 << len(constraints.links) + number
    return used


class SetPacking:
    """Looks for one run whose loss is at most a limit."""

    def __init__(self, options: Sequence[RouteOptions], solution: DualSolution, max_loss: int, budget: Budget) -> None:
        self.options = options
        self.prices = solution.prices
        priced = [number for number, price in enumerate(self.prices) if price]
        self.dearest = sorted(priced, key=lambda number: -self.prices[number])
        """The constraints with prices, highest first."""
        self.max_loss = max_loss
        self.budget = budget
        self.node_steps = parameters.active.packing_node_steps
        self.run: list[tuple[TrainKind, Route]] = []
        self._compatible: dict[tuple[int, int, int], int] = {}

    def search(self) -> bool:
        trains = [option.trains for option in self.options]
        free = [(1 << len(option.routes)) - 1 for option in self.options]
        return self._branch(trains, free, 0, 0)

    def _branch(self, trains: list[int], free: list[int], loss: int, used: int) -> bool:
        """Choose routes for all trains left, among the free ones. used: constraints of the routes chosen so far."""
        if not (self.budget.take_step() and self.budget.take(self.node_steps)):
            raise BudgetExceededError
        spare = self.max_loss - loss - self._least_loss(trains, free)
        if spare < 0:
            return False
        critical, fewest = -1, PROHIBITIVE_LOSS
        for constraint in self.dearest:
            if not used >> constraint & 1:
                takers = self._count_takers(constraint, trains, free)
                if not takers:
                    spare -= self.prices[constraint]
                    if spare < 0:
                        return False
                elif takers < fewest and self.prices[constraint] > spare:
                    critical, fewest = constraint, takers
        if not any(trains):
            return True
        if critical >= 0:
            return self._branch_on_constraint(critical, trains, free, loss, used)
        return self._branch_on_train(trains, free, loss, used)

    def _least_loss(self, trains: Sequence[int], free: Sequence[int]) -> int:
        """A lower bound for the trains left, which take different routes."""
        least = 0
        for option, left, among in zip(self.options, trains, free, strict=True):
            while left and among:
                loss = option.losses[lowest_bit(among)]
                if loss >= option.idle_loss:
                    break
                least += loss
                among &= among - 1
                left -= 1
            least += left * option.idle_loss
        return least

    def _count_takers(self, constraint: int, trains: Sequence[int], free: Sequence[int]) -> int:
        count = 0
        for option, left, among in zip(self.options, trains, free, strict=True):
            if left:
                count += (option.by_constraint.get(constraint, 0) & among).bit_count()
        return count

    def _branch_on_constraint(self, constraint: int, trains: list[int], free: list[int], loss: int, used: int) -> bool:
        """Some train must take part in a constraint whose price is more than may still be lost."""
        free = list(free)
        for number, option in enumerate(self.options):
            if trains[number]:
                takers = option.by_constraint.get(constraint, 0) & free[number]
                if self._try_routes(number, takers, 1, trains, free, loss, used):
                    return True
                free[number] &= ~takers
        return False

    def _branch_on_train(self, trains: list[int], free: list[int], loss: int, used: int) -> bool:
        """The next train takes a route, or all that are left of its kind stay idle."""
        number = next(number for number, left in enumerate(trains) if left)
        left, free = trains[number], list(free)
        if self._try_routes(number, free[number], left, trains, free, loss, used):
            return True
        loss += left * self.options[number].idle_loss
        if loss > self.max_loss:
            return False
        kind = self.options[number].kind
        self.run += [(kind, NO_ROUTE)] * left
        trains, free[number] = [0 if other == number else count for other, count in enumerate(trains)], 0
        if self._branch(trains, free, loss, used):
            return True
        del self.run[-left:]
        return False

    def _try_routes(
        self, number: int, among: int, alike: int, trains: list[int], free: list[int], loss: int, used: int
    ) -> bool:
        """Let a train take each of some routes. alike: trains of which none has a smaller loss, unless it is idle."""
        option = self.options[number]
        left = [count - (other == number) for other, count in enumerate(trains)]
        while among:
            route = lowest_bit(among)
            route_loss = option.losses[route]
            if loss + route_loss + min(route_loss, option.idle_loss) * (alike - 1) > self.max_loss:
                return False
            among &= among - 1
            free[number] &= ~(1 << route)
            following = [
                rest & self._compatible_routes(number, route, other) if left[other] else 0
                for other, rest in enumerate(free)
            ]
            self.run.append((option.kind, option.routes[route]))
            if self._branch(left, following, loss + route_loss, used | option.constraints[route]):
                return True
            self.run.pop()
        return False

    def _compatible_routes(self, number: int, route: int, other: int) -> int:
        """The options of a kind of train that share no track with a route, as bits; all higher bits are set, too."""
        key = (number, route, other)
        compatible = self._compatible.get(key)
        if compatible is None:
            by_side, conflicting = self.options[other].by_side, 0
            for side in bits(self.options[number].routes[route].sides):
                conflicting |= by_side.get(side, 0)
            compatible = self._compatible[key] = ~conflicting
        return compatible
