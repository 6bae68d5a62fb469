"""What all searches for routes of one kind of train share: the budget, and the checks and sums of a complete route."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.budget import Budget, BudgetExceededError, free_steps_of
from ostbahn.kernel.routes.network import Arc, Route, TrainKind, red_to_red_of
from ostbahn.kernel.routes.prepared_graph import PreparedGraph
from ostbahn.kernel.routes.prices import Duals


class PricedRoute(NamedTuple):
    reduced_profit: int
    """In units of the dual prices."""
    route: Route


class RouteSearch:
    """A search for routes whose reduced profit exceeds a floor."""

    def __init__(
        self, graph: PreparedGraph, kind: TrainKind, duals: Duals, budget: Budget, floor: int, rising: bool
    ) -> None:
        """rising: whether each route found raises the floor, so that the last one is the best."""
        self.graph, self.kind, self.duals = graph, kind, duals
        self.budget = budget
        self.is_stopped = False
        """Whether the budget ended the search."""
        self.floor = floor
        self.rising = rising
        self.routes: list[PricedRoute] = []
        self.steps = 0
        self.free_steps = free_steps_of(budget)
        self.max_routes = parameters.active.max_routes

    def run(self) -> None:
        raise AssertionError("subclasses search")

    def take_step(self) -> None:
        self.steps += 1
        if self.steps > self.free_steps and not self.budget.take_step():
            raise BudgetExceededError

    def add_arcs(self, start: int, arcs: Sequence[Arc], reduced_profit: int) -> None:
        """Add the route of these arcs."""
        path, links = [start], list[int]()
        counted = int(not self.graph.stops[start].is_mine)
        for arc in arcs:
            path += arc.stops
            links += arc.links
            counted += arc.counts
        self.add(path, links, reduced_profit, counted)

    def add(self, path: Sequence[int], links: Sequence[int], reduced_profit: int, counted: int) -> None:
        """Add a route if its demands are met, and its profit without uncollected bonuses exceeds the floor.

        counted: how many of its stops count.
        """
        kind, stops, unit = self.kind, self.graph.stops, self.duals.unit
        if kind.bonuses:
            reduced_profit -= self._uncollected_bonuses(path) * unit
        if kind.red_to_red:
            reduced_profit -= self._unpaid_red_halves(path) * unit
        if reduced_profit <= self.floor or counted < kind.least_stops or not self._meets_demands(path):
            return
        if len(self.routes) == self.max_routes:
            raise BudgetExceededError
        sides = self.sides_of(links)
        subsidy = sum([stops[number].value for number in path if stops[number].is_mine])
        worth = (reduced_profit + self.duals.cost(links, sides)) // unit
        route = Route(tuple(path), tuple(links), worth - subsidy, sides, subsidy)
        self.routes.append(PricedRoute(reduced_profit, route))
        if self.rising:
            self.floor = reduced_profit

    def sides_of(self, links: Sequence[int]) -> int:
        sides = 0
        for link in links:
            sides |= self.graph.links[link].sides
        return sides

    def _meets_demands(self, path: Sequence[int]) -> bool:
        kind, stops = self.kind, self.graph.stops
        if kind.needs_mine and not any(stops[number].is_mine for number in path):
            return False
        return not kind.needs_bonus or any(stops[number].bonus for number in path)

    def _uncollected_bonuses(self, path: Sequence[int]) -> int:
        """Stops with a bonus cannot be skipped, so the path has all of them."""
        bonuses = sorted((self.graph.stops[number].bonus for number in path), reverse=True)
        return sum(bonuses[self.kind.bonuses :])

    def _unpaid_red_halves(self, path: Sequence[int]) -> int:
        """The values of red tiles beyond the extra revenue that is paid."""
        reds = [self.graph.stops[number] for number in path if self.graph.stops[number].is_red]
        return len(reds) * self.graph.half - red_to_red_of(self.kind, reds)
