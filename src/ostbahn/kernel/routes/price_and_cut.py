"""The best run of several trains by price-and-cut: column generation, subset-row cuts and enumeration.

The bound of the relaxation, rounded down to the granularity, is the first target. Only routes whose reduced profit is
below the best by no more than the gap between bound and target can be part of a run that reaches it. They are listed,
and set packing finds such a run or proves that there is none; then the target falls by the granularity. Where the
routes are too many to list, local search looks for a run that reaches the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.budget import Budget, BudgetExceededError, StepBudget
from ostbahn.kernel.routes.column_generation import ColumnGeneration, DualSolution
from ostbahn.kernel.routes.local_search import LocalSearch
from ostbahn.kernel.routes.network import NO_ROUTE, Network, Route, TrainKind
from ostbahn.kernel.routes.set_packing import SetPacking, route_options


def granularity_of(network: Network, kinds: Sequence[TrainKind]) -> int:
    """The greatest common divisor of the worths of all runs."""
    amounts = [amount for stop in network.stops for amount in (stop.value, stop.bonus)]
    return gcd(*amounts, *(kind.red_to_red for kind in kinds)) or 1


class PriceAndCut:
    """Improves a known run and its bound as far as the budget allows."""

    def __init__(self, network: Network, order: Sequence[TrainKind], worth: int, bound: int, budget: Budget) -> None:
        """worth: that of the known run."""
        self.network = network
        self.order = order
        self.worth = worth
        self.bound = bound
        """No run is worth more."""
        self.best: list[Route] = []
        """A route for each train in order; empty if no better run was found."""
        self.budget, self.parameters = budget, parameters.active
        self.granularity = granularity_of(network, order)
        self.generation = ColumnGeneration(network, order, budget)

    def add(self, kind: TrainKind, route: Route) -> None:
        """Add a first column."""
        if route.worth:
            self.generation.add(kind, route)

    def search(self) -> None:
        """What was found stays if the budget ends."""
        try:
            self._solve_relaxation()
            while self.bound > self.worth and self._decide_bound():
                if self.bound > self.worth:
                    self.bound -= self.granularity
        except BudgetExceededError:
            self._lower_bound()
        self.bound = max(self.bound, self.worth)

    def _solve_relaxation(self) -> None:
        """If its share of the budget ends, the rest is for a run at the best dual prices so far."""
        self.generation.budget = self.budget.portion(self.parameters.column_generation_share)
        try:
            self._solve_master()
            self._augment_neighbourhoods()
            self._add_cuts()
        except BudgetExceededError:
            self.generation.budget = self.budget
            self._lower_bound()
            self._search_locally()
            raise
        self.generation.budget = self.budget

    def _augment_neighbourhoods(self) -> None:
        for _ in range(self.parameters.augmentation_rounds):
            if self.bound <= self.worth or not self.generation.augment():
                break
            self._solve_master()

    def _add_cuts(self) -> None:
        """Add cuts while the gap is wide, and falls by them."""
        vain_rounds = 0
        while (
            vain_rounds < self.parameters.max_vain_cut_rounds
            and self.bound - self.worth > self.granularity * self.parameters.min_cut_gap
        ):
            too_many_states = self.generation.bounds_computed > self.parameters.max_bounds_for_cuts
            if too_many_states or not self.generation.separate():
                break
            gap = self.bound - self.worth
            self._solve_master()
            vain_rounds = 0 if self.bound - self.worth < gap else vain_rounds + 1

    def _solve_master(self) -> None:
        self.bound -= self.bound % self.granularity
        if self.bound > self.worth:
            unit = self.generation.unit
            self.generation.solve(self.granularity * unit, self.worth * unit)
        self._lower_bound()
        self._build_greedily()

    def _lower_bound(self) -> None:
        """Take over the bound of the dual solution."""
        if self.generation.best is not None:
            bound = self.generation.best.bound // self.generation.unit
            self.bound = min(self.bound, bound - bound % self.granularity)

    def _build_greedily(self) -> None:
        """Runs of known routes: each of the best ones, completed by the highest reduced profits that fit."""
        solution = self.generation.best
        if solution is None:
            return
        known = [
            (solution.reduced_profit(route), route, kind)
            for kind, routes in self.generation.routes.items()
            for route in routes.values()
        ]
        known.sort(key=lambda row: (-row[0], -row[1].worth, row[1].sides))
        for first in known[: self.parameters.greedy_runs]:
            left, used, run = dict(self.generation.trains), 0, []
            for _, route, kind in (first, *known):
                if left[kind] and not route.sides & used:
                    left[kind] -= 1
                    used |= route.sides
                    run.append((kind, route))
            idle = [(kind, NO_ROUTE) for kind, trains in left.items() for _ in range(trains)]
            self._keep([*run, *idle])

    def _decide_bound(self) -> bool:
        """Look for a run that is worth as much as the bound; says whether it was found or ruled out."""
        solution = self.generation.best
        assert solution is not None, "the master is solved first"
        if self._pack(solution, StepBudget(self.parameters.enumeration_steps, self.budget, 0)):
            return True
        self._search_locally()
        return self.bound <= self.worth or self._pack(solution, self.budget)

    def _pack(self, solution: DualSolution, budget: Budget) -> bool:
        """Look for such a run among all routes within the gap; false if these are too many to list."""
        max_loss = solution.bound - self.bound * self.generation.unit
        options = []
        for kind, trains in self.generation.trains.items():
            pricer = self.generation.pricer(kind, solution.duals)
            routes, is_complete = pricer.better_than(solution.best_profits[kind] - max_loss - 1, budget)
            if not is_complete:
                return False
            options.append(route_options(kind, trains, routes, solution, self.generation.constraints))
        packing = SetPacking(options, solution, max_loss, self.budget)
        if packing.search():
            self._keep(packing.run)
        return True

    def _search_locally(self) -> None:
        solution = self.generation.best
        if solution is None or len(self.order) == 1:
            return
        local_search = LocalSearch(self.network, self.order, self.generation, solution.duals)
        for _ in range(self.parameters.local_search_rounds):
            self._keep(list(zip(self.order, local_search.routes, strict=True)))
            if self.worth >= self.bound:
                break
            local_search.exchange()

    def _keep(self, run: Sequence[tuple[TrainKind, Route]]) -> None:
        """Keep a run if it is the best so far, and no train is idle that must run."""
        worth = sum(route.worth for _, route in run)
        if worth > self.worth and all(route.worth or not kind.must_run for kind, route in run):
            routes = {kind: [route for other, route in run if other == kind] for kind in self.generation.trains}
            self.best = [routes[kind].pop() for kind in self.order]
            self.worth = worth
