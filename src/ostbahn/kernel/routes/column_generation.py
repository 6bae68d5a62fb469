"""Column generation: dual prices of track, and the bound on all runs that follows from them.

The master problem is a set packing problem over routes: each train takes at most one, and no two share a hex side. Its
linear relaxation is solved over the columns known so far (`RestrictedMaster`). Pricing adds the best ng-routes at the
dual prices until none has a positive reduced profit. An ng-route with cycles becomes a column, too.

For any dual prices, no run earns more than the sum of all prices and of each train's best reduced profit (a Lagrangean
bound). Prices are rounded to integers before pricing, so the bound is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.branch_and_bound import bits
from ostbahn.kernel.routes.budget import Budget, BudgetExceededError, StepBudget
from ostbahn.kernel.routes.network import NO_ROUTE, Arc, Network, Route, SubsetRowCut, TrainKind
from ostbahn.kernel.routes.prepared_graph import PreparedGraph, prepared_graph_of
from ostbahn.kernel.routes.pricer import Pricer, listed_arcs_of
from ostbahn.kernel.routes.prices import Duals, Neighbourhoods
from ostbahn.kernel.routes.restricted_master import RestrictedMaster, ordered_sum
from ostbahn.kernel.routes.route_search import PricedRoute, RouteSearch

MIN_ELEMENTARY_STEPS = 20

CyclicRoute = tuple[int, int, list[Arc]]
"""An ng-route that is not elementary: reduced profit, first stop and arcs."""

PricingResult = tuple[int, list[PricedRoute], list[CyclicRoute]]
"""A bound on the reduced profit, new routes, and ng-routes with cycles."""


class DualSolution(NamedTuple):
    """Dual prices in units, what trains earn at them at most, and the bound that follows."""

    prices: tuple[int, ...]
    """Of all packing constraints, and then of the cuts that have a price."""
    duals: Duals
    """The same prices by links and cuts."""
    best_profits: Mapping[TrainKind, int]
    """For each kind of train an upper bound on the reduced profit of its routes."""
    bound: int
    """No run is worth more, in units."""

    def reduced_profit(self, route: Route) -> int:
        return route.worth * self.duals.unit - self.duals.cost(route.links, route.sides)


class Column(NamedTuple):
    """A route, or an ng-route with cycles."""

    kind: TrainKind
    profit: int
    """In units."""
    links: tuple[int, ...]
    sides: int
    start: int = 0
    arcs: tuple[Arc, ...] = ()
    """Only of ng-routes with cycles."""


class PackingConstraints(NamedTuple):
    """The links over each hex side, of which a run can use one. Subsets of other constraints are left out."""

    links: tuple[frozenset[int], ...]
    sides: tuple[int, ...]
    """For each constraint its hex side, or one of several with the same links, as a bit."""
    of_link: tuple[tuple[int, ...], ...]
    """For each link its constraints."""

    def of_links(self, links: Sequence[int]) -> int:
        """The constraints that some links take part in, as bits."""
        constraints = 0
        for link in links:
            for constraint in self.of_link[link]:
                constraints |= 1 << constraint
        return constraints


def packing_constraints_of(network: Network) -> PackingConstraints:
    users: dict[int, set[int]] = {}
    for number, link in enumerate(network.links):
        for side in bits(link.sides):
            users.setdefault(side, set()).add(number)
    side_of = {frozenset(links): side for side, links in users.items()}
    maximal: list[frozenset[int]] = []
    for links in sorted(side_of, key=lambda links: (-len(links), sorted(links))):
        if not any(links <= larger for larger in maximal):
            maximal.append(links)
    of_link: list[list[int]] = [[] for _ in network.links]
    for number, links in enumerate(maximal):
        for member in links:
            of_link[member].append(number)
    return PackingConstraints(tuple(maximal), tuple(side_of[links] for links in maximal), tuple(map(tuple, of_link)))


class ColumnGeneration:
    def __init__(self, network: Network, trains: Sequence[TrainKind], budget: Budget) -> None:
        self.trains = Counter(trains)
        self.graphs = {
            kind: prepared_graph_of(network, kind.bonuses > 0, kind.visits_mine, kind.red_to_red)
            for kind in self.trains
        }
        self.budget, self.parameters = budget, parameters.active
        self.unit = self.parameters.price_unit
        self.constraints = packing_constraints_of(network)
        self.best: DualSolution | None = None
        """The solution with the lowest bound so far."""
        self.routes: dict[TrainKind, dict[int, Route]] = {kind: {} for kind in self.trains}
        """For each kind of train the best known route over each set of hex sides."""
        self._cuts: list[int] = []
        """Three hex sides each, as bits."""
        self._neighbourhoods: dict[TrainKind, Neighbourhoods] = {}
        self.bounds_computed = 0
        """Completion bounds computed for the last kind of train in the last round."""
        self._elementary_steps = dict.fromkeys(self.trains, self.parameters.elementary_steps)
        self._columns: list[Column] = []
        self._master = self._new_master()

    def add(self, kind: TrainKind, route: Route) -> bool:
        """Add a route as a column; says whether it is new."""
        known = self.routes[kind]
        if route.sides in known and known[route.sides].worth >= route.worth:
            return False
        known[route.sides] = route
        self._add_column(Column(kind, route.worth * self.unit, route.links, route.sides))
        return True

    def _new_master(self) -> RestrictedMaster:
        return RestrictedMaster([*self.trains.values(), *([1] * (len(self.constraints.links) + len(self._cuts)))])

    def _add_column(self, column: Column) -> None:
        kind, profit, links, sides, _, _ = column
        first, first_cut = len(self.trains), len(self.trains) + len(self.constraints.links)
        packing = [first + constraint for link in links for constraint in self.constraints.of_link[link]]
        cuts = [first_cut + number for number, cut in enumerate(self._cuts) if (cut & sides).bit_count() > 1]
        self._columns.append(column)
        self._master.add(profit, (list(self.trains).index(kind), *sorted(packing), *cuts))

    def pricer(self, kind: TrainKind, duals: Duals) -> Pricer:
        graph = self.graphs[kind]
        if kind not in self._neighbourhoods and listed_arcs_of(graph, kind) is not None:
            self._neighbourhoods[kind] = Neighbourhoods(graph, kind.skips_towns)
        return Pricer(graph, kind, duals, self._neighbourhoods.get(kind))

    def solve(self, granularity: int, enough: int) -> None:
        """Price columns until the bound cannot fall by the granularity, or is low enough; both are in units."""
        for _ in range(self.parameters.max_rounds):
            self._master.solve(lambda: self._take(self.parameters.pivot_steps))
            solution, has_new_columns = self._price()
            if self.best is None or solution.bound < self.best.bound:
                self.best = solution
            lowest = int(self._master.objective + self.parameters.objective_tolerance * self.unit)
            if not has_new_columns or self.best.bound // granularity <= max(lowest, enough) // granularity:
                break

    def best_route(self, kind: TrainKind, duals: Duals) -> Route:
        """The route with the highest reduced profit that a short search finds."""
        pricer = self.pricer(kind, duals)
        bound = self._relaxation_bound(pricer)
        if pricer.by_links:
            routes: list[PricedRoute] = []
        else:
            routes, _ = self._ng_routes(pricer, 0)
            routes.sort(key=lambda priced: priced.reduced_profit)
        best = routes[-1].reduced_profit if routes else 0
        if best < bound:
            budget = StepBudget(self.parameters.elementary_steps, self.budget, 0)
            routes += pricer.better_than(best, budget, rising=True)[0]
        return routes[-1].route if routes else NO_ROUTE

    def _take(self, steps: int) -> None:
        if not (self.budget.take_step() and self.budget.take(steps)):
            raise BudgetExceededError

    def _price(self) -> tuple[DualSolution, bool]:
        """The master's dual prices in integers with their bound, and whether pricing has added columns."""
        prices = [max(round(dual), 0) for dual in self._master.duals[len(self.trains) :]]
        packing, rest = prices[: len(self.constraints.links)], prices[len(self.constraints.links) :]
        cuts = tuple(SubsetRowCut(sides, price) for sides, price in zip(self._cuts, rest, strict=True) if price)
        links = tuple(sum([packing[constraint] for constraint in used]) for used in self.constraints.of_link)
        duals = Duals(self.unit, links, cuts)
        solution = DualSolution((*packing, *(cut.price for cut in cuts)), duals, {}, 0)
        best_profits, has_new_columns = {}, False
        for kind in self.trains:
            known = max([0, *(solution.reduced_profit(route) for route in self.routes[kind].values())])
            best_profits[kind], is_new = self._price_kind(kind, duals, known)
            has_new_columns = has_new_columns or is_new
        bound = sum(solution.prices) + sum(best_profits[kind] * count for kind, count in self.trains.items())
        return solution._replace(best_profits=best_profits, bound=bound), has_new_columns

    def _price_kind(self, kind: TrainKind, duals: Duals, known: int) -> tuple[int, bool]:
        """A bound on the reduced profit, and whether columns were added. known: the profit of the best column."""
        pricer = self.pricer(kind, duals)
        bound = self._relaxation_bound(pricer)
        if bound <= known:
            return known, False
        bound, routes, cyclic_routes = self._new_columns(pricer, known, bound)
        are_new = [self.add(kind, priced.route) for priced in routes]
        are_new += [self._add_cyclic_route(kind, duals, *cyclic) for cyclic in cyclic_routes]
        return bound, any(are_new)

    def _relaxation_bound(self, pricer: Pricer) -> int:
        bound = pricer.relaxation_bound()
        if not pricer.by_links:
            self.bounds_computed = len(pricer.ng_relaxation.bounds)
            self._take(self.bounds_computed * self.parameters.bound_steps)
        return bound

    def _routes_by_links(self, pricer: Pricer, known: int) -> PricingResult:
        """The best route, and some that are nearly as good."""
        routes, is_complete = pricer.better_than(known, self.budget, rising=True)
        if not is_complete:
            raise BudgetExceededError
        if not routes:
            return known, [], []
        best = routes[-1]
        budget = StepBudget(0, free_steps=self.parameters.similar_route_steps)
        similar, _ = pricer.better_than((known + best.reduced_profit) // 2, budget)
        return best.reduced_profit, [best, *similar[: self.parameters.max_similar_routes]], []

    def _new_columns(self, pricer: Pricer, known: int, bound: int) -> PricingResult:
        """The best ng-routes from all stops. If the very best has cycles, a short search looks for the best route; if
        that is not found, ng-routes with cycles become columns."""
        if pricer.by_links:
            return self._routes_by_links(pricer, known)
        routes, cyclic_routes = self._ng_routes(pricer, known)
        best = max([known, *(priced.reduced_profit for priced in routes)])
        if best == bound:
            return bound, routes, []
        steps = self._elementary_steps[pricer.kind]
        elementary, is_complete = pricer.better_than(best, StepBudget(steps, self.budget, 0), rising=True)
        routes += elementary[-1:]
        if is_complete:
            self._elementary_steps[pricer.kind] = self.parameters.elementary_steps
            return max([best, *(priced.reduced_profit for priced in elementary)]), routes, []
        self._elementary_steps[pricer.kind] = max(steps // 2, MIN_ELEMENTARY_STEPS)
        return bound, routes, cyclic_routes[: self.parameters.max_cyclic_columns]

    def _ng_routes(self, pricer: Pricer, floor: int) -> tuple[list[PricedRoute], list[CyclicRoute]]:
        """The best ng-routes from all stops that exceed the floor: those that are routes, and those with cycles."""
        graph, relaxation = pricer.graph, pricer.ng_relaxation
        elementary = RouteSearch(graph, pricer.kind, pricer.duals, self.budget, floor, rising=False)
        cyclic_routes = []
        for profit, start in pricer.start_bounds():
            if profit <= floor:
                break
            arcs, used = relaxation.trace(start), graph.location[start]
            for arc in arcs:
                if arc.resources & used:
                    cyclic_routes.append((profit, start, arcs))
                    break
                used |= arc.resources
            else:
                elementary.add_arcs(start, arcs, profit)
        return elementary.routes, cyclic_routes

    def _add_cyclic_route(
        self, kind: TrainKind, duals: Duals, reduced_profit: int, start: int, arcs: Sequence[Arc]
    ) -> bool:
        """Add an ng-route with cycles as a column; says whether it is new."""
        links = tuple(link for arc in arcs for link in arc.links)
        sides = reduce(or_, (arc.sides for arc in arcs))
        new = Column(kind, reduced_profit + duals.cost(links, sides), links, sides, start, tuple(arcs))
        if any(
            column.arcs == new.arcs and column.start == new.start and column.kind == kind for column in self._columns
        ):
            return False
        self._add_column(new)
        return True

    def augment(self) -> bool:
        """Augment ng-neighbourhoods by the cycles of columns in the solution; says whether there were any."""
        is_augmented = False
        for kind, neighbourhoods in self._neighbourhoods.items():
            sets = list(neighbourhoods.sets)
            for number, _ in self._master.solution():
                column = self._columns[number]
                if column.kind == kind and column.arcs:
                    self._forbid_cycles(sets, self.graphs[kind], column)
            if sets != neighbourhoods.sets:
                self._neighbourhoods[kind] = Neighbourhoods(neighbourhoods.graph, neighbourhoods.skips_towns, sets)
                is_augmented = True
        if is_augmented:
            self._restart_master([column for column in self._columns if not column.arcs])
        return is_augmented

    def _forbid_cycles(self, sets: list[int], graph: PreparedGraph, column: Column) -> None:
        """Let every stop within a cycle remember the resources that close it."""
        used = [graph.location[column.start], *(arc.resources for arc in column.arcs)]
        stops = [column.start, *(arc.head for arc in column.arcs)]
        for first, last in combinations(range(len(used)), 2):
            repeated = used[last] & used[first]
            for stop in stops[first:last] if repeated else ():
                added = sets[stop] & ~graph.neighbourhood(stop) | repeated
                if added.bit_count() <= self.parameters.max_augmentation:
                    sets[stop] |= repeated

    def _restart_master(self, columns: Sequence[Column]) -> None:
        self._master, self._columns = self._new_master(), []
        for column in columns:
            self._add_column(column)

    def separate(self) -> bool:
        """Add the most violated subset-row cuts; says whether there were any.

        Each has three packing constraints: only one route of a run can take part in two of them, but three routes with
        values of one half may each take part in another two.
        """
        columns = [
            (self.constraints.of_links(self._columns[number].links), value) for number, value in self._master.solution()
        ]
        known = set(self._cuts)
        users = {
            constraint: sum(1 << number for number, (used, _) in enumerate(columns) if used >> constraint & 1)
            for constraint in range(len(self.constraints.links))
        }
        violated = []
        for (a, of_a), (b, of_b), (c, of_c) in combinations([row for row in users.items() if row[1]], 3):
            affected = of_a & of_b | of_b & of_c | of_a & of_c
            if affected & (affected - 1):
                values = [value for number, (_, value) in enumerate(columns) if affected >> number & 1]
                violation = ordered_sum(values) - 1
                sides = self.constraints.sides[a] | self.constraints.sides[b] | self.constraints.sides[c]
                if violation > self.parameters.min_cut_violation and sides not in known:
                    violated.append((-violation, sides))
        violated.sort()
        self._cuts += [sides for _, sides in violated[: self.parameters.cuts_per_round]]
        if violated:
            self._restart_master(self._columns)
        return bool(violated)
