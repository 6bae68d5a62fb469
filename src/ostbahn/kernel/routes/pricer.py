"""The pricing problem of one kind of train: its best routes at given dual prices.

Routes are extended from one of their ends, arc by arc, depth first. A branch ends when its completion bound does not
exceed the floor. Starts with the highest bounds come first, so that a good route is soon found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.budget import UNLIMITED, Budget, BudgetExceededError, free_steps_of
from ostbahn.kernel.routes.link_search import KMemoryRelaxation, LinkSearch
from ostbahn.kernel.routes.network import NO_ROUTE, Arc, Network, Route, TrainKind
from ostbahn.kernel.routes.ng_routes import INFEASIBLE, NEEDS_STATION, STOP_MASK, NgRelaxation
from ostbahn.kernel.routes.prepared_graph import PreparedGraph, prepared_graph_of
from ostbahn.kernel.routes.prices import NO_DUALS, Duals, Neighbourhoods, PricedArcs, cut_prices_due
from ostbahn.kernel.routes.route_search import PricedRoute, RouteSearch


class Pricer:
    """Finds routes of one kind of train on one graph."""

    def __init__(
        self,
        graph: PreparedGraph,
        kind: TrainKind,
        duals: Duals = NO_DUALS,
        neighbourhoods: Neighbourhoods | None = None,
    ) -> None:
        self.graph, self.kind, self.duals, self.neighbourhoods = graph, kind, duals, neighbourhoods
        arcs = listed_arcs_of(graph, kind)
        self.by_links = arcs is None
        """Whether routes are extended link by link; otherwise every arc leads to a stop that counts, or ends."""
        self.arcs = graph.direct_arcs if arcs is None else arcs
        self._ng_relaxation: NgRelaxation | None = None
        self._k_memory_relaxation: KMemoryRelaxation | None = None
        self._best_alone: Route | None = None
        """The best route found while no hex side was forbidden."""
        self._is_proven = False
        """Whether that is optimal."""

    @property
    def ng_relaxation(self) -> NgRelaxation:
        """Bounds for extensions arc by arc."""
        if self._ng_relaxation is None:
            if self.duals is NO_DUALS:
                self._ng_relaxation = _shared_ng_relaxation(self.graph, self.kind.skips_towns, *_length(self.kind))
            else:
                arcs = PricedArcs(self.graph, self.kind.skips_towns, self.duals, self.neighbourhoods)
                self._ng_relaxation = NgRelaxation(arcs, *_length(self.kind))
        return self._ng_relaxation

    @property
    def k_memory_relaxation(self) -> KMemoryRelaxation:
        """Bounds for extensions link by link."""
        if self._k_memory_relaxation is None:
            if self.duals is NO_DUALS:
                self._k_memory_relaxation = _shared_k_memory_relaxation(self.graph, self.kind)
            else:
                size = parameters.active.link_memory
                self._k_memory_relaxation = KMemoryRelaxation(self.graph, self.kind, self.duals, size)
        return self._k_memory_relaxation

    def best(self, forbidden: int = 0, budget: Budget = UNLIMITED) -> Route:
        """The best route off the forbidden hex sides that the budget finds; of equals the first one found."""
        if self._best_alone is None:
            self._best_alone = self._find_best_alone(budget)
        if not self._best_alone.sides & forbidden:
            return self._best_alone
        return _last_route(self._search(budget, 0, rising=True, forbidden=forbidden))

    def _find_best_alone(self, budget: Budget) -> Route:
        """A cached result costs the steps of its search, so that results never depend on caches."""
        cached = self.graph.best_alone.get(self.kind)
        if cached is not None and budget.take(max(cached[1] - free_steps_of(budget), 0)):
            self._is_proven = True
            return cached[0]
        search = self._search(budget, 0, rising=True)
        best = _last_route(search)
        self._is_proven = not search.is_stopped
        if self._is_proven:
            self.graph.best_alone[self.kind] = best, search.steps
        return best

    @property
    def bound(self) -> int:
        """Upper bound on the reduced profit of a route."""
        if self._best_alone is not None and self._is_proven:
            return self._best_alone.worth
        return self.relaxation_bound()

    def relaxation_bound(self) -> int:
        """The same, by the relaxation alone."""
        return max(next(self.start_bounds(), (0, 0))[0], 0)

    def start_bounds(self) -> Iterator[tuple[int, int]]:
        """For every stop a bound on the routes that start there; best first."""
        return iter(self.k_memory_relaxation.start_bounds()) if self.by_links else self.ng_relaxation.start_bounds()

    def better_than(
        self, floor: int, budget: Budget = UNLIMITED, rising: bool = False
    ) -> tuple[list[PricedRoute], bool]:
        """Routes whose reduced profit exceeds the floor, and whether the search was complete.

        rising: only routes better than those before; the last one is the best.
        """
        search = self._search(budget, floor, rising)
        return search.routes, not search.is_stopped

    def _search(self, budget: Budget, floor: int, rising: bool, forbidden: int = 0) -> RouteSearch:
        if self.by_links:
            arcs = [[arc for arc in row if not arc.sides & forbidden] for row in self.arcs]
            search: RouteSearch = LinkSearch(self.k_memory_relaxation, arcs, budget, floor, rising)
        else:
            search = ArcSearch(self.ng_relaxation, self.kind, budget, floor, rising, forbidden)
        if self._can_meet_demands():
            try:
                search.run()
            except BudgetExceededError:
                search.is_stopped = True
        relaxation = self._ng_relaxation if self.duals is NO_DUALS else None
        if relaxation is not None and len(relaxation.bounds) > parameters.active.max_shared_bounds:
            relaxation.bounds = {}
        return search

    def _can_meet_demands(self) -> bool:
        if not (self.kind.needs_mine or self.kind.needs_bonus):
            return True
        reached = [stop for stop, arcs in zip(self.graph.stops, self.graph.direct_arcs, strict=True) if arcs]
        if self.kind.needs_mine and not any(stop.is_mine for stop in reached):
            return False
        return not self.kind.needs_bonus or any(stop.bonus for stop in reached)


def listed_arcs_of(graph: PreparedGraph, kind: TrainKind) -> list[list[Arc]] | None:
    """The arcs of a kind of train; None if its routes are extended link by link."""
    return None if kind.cities is None or kind.towns is not None else graph.arcs(kind.skips_towns)


def pricer_of(network: Network, kind: TrainKind) -> Pricer:
    """A pricer without dual prices."""
    return Pricer(prepared_graph_of(network, kind.bonuses > 0, kind.visits_mine, kind.red_to_red), kind)


def _length(kind: TrainKind) -> tuple[int, int]:
    """How many stops and cities may count."""
    return kind.stops, kind.stops if kind.cities is None else kind.cities


@lru_cache(maxsize=parameters.DEFAULTS.cached_relaxations)
def _shared_ng_relaxation(graph: PreparedGraph, skips_towns: bool, stops: int, cities: int) -> NgRelaxation:
    return NgRelaxation(_shared_arcs(graph, skips_towns), stops, cities)


@lru_cache(maxsize=parameters.DEFAULTS.cached_relaxations)
def _shared_arcs(graph: PreparedGraph, skips_towns: bool) -> PricedArcs:
    return PricedArcs(graph, skips_towns)


@lru_cache(maxsize=parameters.DEFAULTS.cached_relaxations)
def _shared_k_memory_relaxation(graph: PreparedGraph, kind: TrainKind) -> KMemoryRelaxation:
    return KMemoryRelaxation(graph, kind, NO_DUALS, parameters.active.link_memory)


def clear_relaxation_caches() -> None:
    _shared_k_memory_relaxation.cache_clear()
    _shared_ng_relaxation.cache_clear()
    _shared_arcs.cache_clear()


def _last_route(search: RouteSearch) -> Route:
    return search.routes[-1].route if search.routes else NO_ROUTE


class ArcSearch(RouteSearch):
    """Extends routes from one of their ends, arc by arc. Instead of labels, numbers are passed along."""

    def __init__(
        self, relaxation: NgRelaxation, kind: TrainKind, budget: Budget, floor: int, rising: bool, forbidden: int
    ) -> None:
        """forbidden: hex sides that routes may not cross."""
        super().__init__(relaxation.graph, kind, relaxation.arcs.duals, budget, floor, rising)
        self.forbidden = forbidden
        self.relaxation = relaxation
        self.path: list[Arc] = []
        self.start = 0
        self.finished: set[int] = set()
        """Stops from which all routes have been found, so that no route needs to end there any more."""

    def run(self) -> None:
        relaxation, graph = self.relaxation, self.graph
        for bound, start in relaxation.start_bounds():
            if bound <= self.floor:
                break
            self.start = start
            value = graph.stops[start].value * self.duals.unit
            self._extend_all(relaxation.start_state(start), graph.location[start], value)
            self.finished.add(start)

    def _extend_all(self, state: int, used: int, profit: int) -> None:
        """Extend the route by every arc whose quick bound exceeds the floor."""
        self.take_step()
        stop = state & STOP_MASK
        after = self.relaxation.after[state - stop]
        for best, _, arc_class, head, arcs, _, _ in self.relaxation.arcs.leaving(stop):
            following = after[arc_class]
            if following == INFEASIBLE:
                continue
            quick = 0
            if following >= 0:
                following += head
                quick = self.relaxation.quick_bound(following)
            if profit + best + quick <= self.floor:
                continue
            for gain, resources, terms, arc in arcs or self.relaxation.arcs.fill(stop, head, arc_class, arcs):
                if profit + gain + quick <= self.floor:
                    break
                if not resources & used and not arc.sides & self.forbidden:
                    extended = profit + gain - cut_prices_due(terms, used, resources) if terms else profit + gain
                    self._extend(state, arc, extended, used | resources, following)

    def _extend(self, state: int, arc: Arc, profit: int, used: int, following: int) -> None:
        """Extend the route by an arc if its completion bound exceeds the floor."""
        if following < 0:
            if profit > self.floor:
                self._add_with(arc, profit, state)
            return
        memory = used & self.relaxation.arcs.ng_set(arc.head)
        bound = self.relaxation.bounds.get(memory | following)
        if bound is None:
            bound = self.relaxation.compute_bound(following, memory)
        if profit + bound > self.floor:
            if not following & NEEDS_STATION and profit > self.floor:
                self._add_with(arc, profit, state)
            self.path.append(arc)
            self._extend_all(following, used, profit)
            self.path.pop()

    def _add_with(self, arc: Arc, profit: int, state: int) -> None:
        """Add the route with one arc more, unless it was found from its other end.

        An uncounted last stop is of use only as a mine or as the missing station.
        """
        if arc.head not in self.finished if arc.counts else arc.value or state & NEEDS_STATION:
            self.add_arcs(self.start, [*self.path, arc], profit)
