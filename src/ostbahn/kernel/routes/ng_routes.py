"""The ng-route relaxation: completion bounds for routes, and the best ng-route from each stop.

An ng-route is extended arc by arc like a route, but remembers a used resource only while that is in the
ng-neighbourhood of the stop where it stands (Baldacci, Mingozzi, Roberti 2011). So it may contain cycles. All ng-routes
with the same stop, level and memory have the same best completion, which dynamic programming finds and keeps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heapreplace
from itertools import product

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.network import Arc
from ostbahn.kernel.routes.prices import PricedArc, PricedArcs, cut_prices_due

INFEASIBLE_PROFIT = -(10**9)
"""The profit of an ng-route that cannot become feasible."""

NEEDS_STATION = 1 << 12
"""The bit of a level which says that a station of the company is still missing. The bits below number the stops."""

STOP_MASK = NEEDS_STATION - 1
"""The bits of a state that number its stop."""

INFEASIBLE, FINAL = -1, -2
"""Instead of a level: an arc cannot be taken, or the route ends with it."""


StartBound = tuple[int, bool, str, int]
"""To be sorted: the negative bound, whether it is exact, name and number of the stop at which routes start."""


class Levels:
    """The resources that are counted: stops left, cities left, and whether a station of the company is missing.

    A level is a multiple of `NEEDS_STATION`, so that level and stop add up to the number of a state.
    """

    def __init__(self, stops: int, cities: int, has_uncounted_ends: bool) -> None:
        """has_uncounted_ends: whether an arc can follow the last stop that counts."""
        self.limited = cities < stops
        """Whether cities are limited beyond stops."""
        self.width = cities + 1 if self.limited else 1
        self.has_uncounted_ends = has_uncounted_ends
        flags = list(product((False, True), repeat=4))
        self.after = {
            self.number(*level): tuple(self._after(*level, *arc) for arc in flags)
            for level in product(range(stops + 1), range(self.width), (False, True))
        }
        """For each level, and each class of arcs, the next level."""
        self.starts = {
            (is_mine, is_town, own): self._start(stops, cities, is_mine, is_town, own)
            for is_mine, is_town, own in product((False, True), repeat=3)
        }
        """The level at the start of a route."""

    def number(self, stops: int, cities: int, needs_station: bool) -> int:
        limited = min(cities, stops) if self.limited else 0
        return ((stops * self.width + limited) * 2 + needs_station) * NEEDS_STATION

    def _start(self, stops: int, cities: int, is_mine: bool, is_town: bool, own: bool) -> int:
        if not is_mine:
            stops, cities = stops - 1, cities - (not is_town)
        return self.number(stops, cities, not own) if cities >= 0 else INFEASIBLE

    def _after(
        self, stops: int, cities: int, needs_station: bool, uncounted: bool, is_final: bool, is_city: bool, own: bool
    ) -> int:
        needs_station = needs_station and not own
        if not uncounted:
            stops -= 1
            cities -= is_city and self.limited
            if stops < 0 or cities < 0:
                return INFEASIBLE
            is_final = is_final or not (stops or self.has_uncounted_ends)
        if is_final:
            return INFEASIBLE if needs_station else FINAL
        return self.number(stops, cities, needs_station)


@lru_cache(maxsize=parameters.DEFAULTS.cached_relaxations)
def levels_of(stops: int, cities: int, has_uncounted_ends: bool) -> Levels:
    return Levels(stops, cities, has_uncounted_ends)


class NgRelaxation:
    """The best ng-routes of trains of one length at given dual prices.

    A state is a number: level, stop, and above them the memory (the used resources in the ng-neighbourhood).
    """

    def __init__(self, arcs: PricedArcs, stops: int, cities: int) -> None:
        """stops, cities: how many may count at most."""
        self.arcs, self.graph = arcs, arcs.graph
        self.stops = min(stops, len(self.graph.stops))
        self.cities = min(cities, self.stops)
        self.levels = levels_of(self.stops, self.cities, self.graph.has_uncounted_ends(arcs.skips_towns))
        self.after = self.levels.after
        self._starts = self.levels.starts
        self.quick_bounds: dict[int, int] = {}
        """By level and stop: completion bounds of routes without memory that need no station."""
        self.bounds: dict[int, int] = {}
        """By state: completion bounds computed so far."""
        self.max_bounds = parameters.active.max_bounds
        self._quick_start_bounds: list[StartBound] | None = None
        self._exact_start_bounds: dict[int, StartBound] = {}

    # Completion bounds

    def start_state(self, stop: int) -> int:
        """Level and stop of a route that starts there; negative if none can."""
        start = self.graph.stops[stop]
        level = self._starts[start.is_mine, start.is_town, start.own]
        return level + stop if level >= 0 else INFEASIBLE_PROFIT

    def start_bounds(self) -> Iterator[tuple[int, int]]:
        """For every stop the reduced profit of the best ng-route that starts there; best first.

        Each is computed only when the quick bounds do not rule it out as the next one.
        """
        if self._quick_start_bounds is None:
            self._quick_start_bounds = self._find_quick_start_bounds()
        exact = self._exact_start_bounds
        heap = [exact.get(row[3], row) for row in self._quick_start_bounds] if exact else list(self._quick_start_bounds)
        heapify(heap)
        while heap:
            negative, is_exact, name, start = heap[0]
            if is_exact:
                heappop(heap)
                yield -negative, start
            else:
                value = self.graph.stops[start].value * self.arcs.duals.unit
                location = self.graph.location[start]
                bound = value + self._best_extension(self.start_state(start), location, INFEASIBLE_PROFIT)
                exact[start] = (-bound, True, name, start)
                heapreplace(heap, exact[start])

    def _find_quick_start_bounds(self) -> list[StartBound]:
        graph, unit, bounds = self.graph, self.arcs.duals.unit, list[StartBound]()
        for start, arcs in enumerate(graph.direct_arcs):
            state = self.start_state(start) if arcs else INFEASIBLE_PROFIT
            if state >= 0:
                stop = graph.stops[start]
                bounds.append((-stop.value * unit - self.quick_bound(state), False, stop.id, start))
        return bounds

    def completion_bound(self, state: int, used: int) -> int:
        """The highest reduced profit of an extension; hugely negative if none is feasible. state: without memory."""
        memory = used & self.arcs.ng_set(state & STOP_MASK)
        bound = self.bounds.get(memory | state)
        return self.compute_bound(state, memory) if bound is None else bound

    def quick_bound(self, state: int) -> int:
        """A weaker completion bound, without memory and as if no station were missing."""
        state &= ~NEEDS_STATION
        bound = self.quick_bounds.get(state, -1)
        return self._compute_quick_bound(state) if bound < 0 else bound

    def _compute_quick_bound(self, state: int) -> int:
        best, stop, bounds = 0, state & STOP_MASK, self.quick_bounds
        after = self.after[state - stop]
        for profit, _, arc_class, head, _, _, _ in self.arcs.leaving(stop):
            following = after[arc_class]
            if following >= 0:
                following += head
                bound = bounds.get(following, -1)
                profit += self._compute_quick_bound(following) if bound < 0 else bound
            elif following == INFEASIBLE:
                continue
            if profit > best:
                best = profit
        bounds[state] = best
        return best

    def compute_bound(self, state: int, memory: int) -> int:
        """Compute and keep a completion bound."""
        best = self._best_extension(state, memory, INFEASIBLE_PROFIT if state & NEEDS_STATION else 0)
        if len(self.bounds) >= self.max_bounds:
            self.bounds.clear()
        self.bounds[memory | state] = best
        return best

    def _best_extension(self, state: int, memory: int, best: int) -> int:
        """The highest reduced profit of an extension by one arc or more, or `best` if that is higher."""
        stop = state & STOP_MASK
        after, bounds, quick_bounds, ng_sets = (
            self.after[state - stop],
            self.bounds,
            self.quick_bounds,
            self.arcs.ng_sets,
        )
        for profit, resources, arc_class, head, _, undominated, _ in self.arcs.leaving(stop):
            following = after[arc_class]
            if following >= 0:
                following += head
                quick = quick_bounds.get(following & ~NEEDS_STATION, -1)
                if quick < 0:
                    quick = self._compute_quick_bound(following & ~NEEDS_STATION)
                if profit + quick <= best:
                    continue
                if undominated:
                    best = self._best_of_parallel(undominated, following, quick, memory, best)
                elif not resources & memory:
                    remembered = (memory | resources) & (ng_sets[head] or self.arcs.ng_set(head))
                    bound = bounds.get(remembered | following)
                    profit += self.compute_bound(following, remembered) if bound is None else bound
                    if profit > best:
                        best = profit
            elif profit > best and following == FINAL:
                if undominated:
                    best = self._best_of_parallel(undominated, following, 0, memory, best)
                elif not resources & memory:
                    best = profit
        return best

    def _best_of_parallel(self, arcs: Sequence[PricedArc], following: int, quick: int, memory: int, best: int) -> int:
        ng_set = self.arcs.ng_set(following & STOP_MASK) if following >= 0 else 0
        for profit, resources, terms, _ in arcs:
            if profit + quick <= best:
                break
            if not resources & memory:
                if following >= 0:
                    remembered = (memory | resources) & ng_set
                    bound = self.bounds.get(remembered | following)
                    profit += self.compute_bound(following, remembered) if bound is None else bound
                if terms:
                    profit -= cut_prices_due(terms, memory, resources)
                if profit > best:
                    best = profit
        return best

    # ng-routes

    def trace(self, start: int) -> list[Arc]:
        """The arcs of a best ng-route from a stop; empty if none is feasible."""
        state, memory = self.start_state(start), self.graph.location[start]
        profit, arcs = self._best_extension(state, memory, INFEASIBLE_PROFIT), list[Arc]()
        while profit > 0 or (profit > INFEASIBLE_PROFIT // 2 and (state & NEEDS_STATION or not arcs)):
            state, memory, profit, arc = self._next_arc(state, memory, profit)
            arcs.append(arc)
            if state < 0:
                break
        return arcs

    def _next_arc(self, state: int, memory: int, profit: int) -> tuple[int, int, int, Arc]:
        """The arc by which a known profit is reached, with state, memory and profit after it."""
        stop = state & STOP_MASK
        after = self.after[state - stop]
        for best, best_resources, arc_class, head, _, undominated, best_arc in self.arcs.leaving(stop):
            following = after[arc_class]
            if following == INFEASIBLE:
                continue
            for gain, resources, terms, arc in undominated or ((best, best_resources, (), best_arc),):
                if resources & memory:
                    continue
                gain -= cut_prices_due(terms, memory, resources)
                if following < 0:
                    if gain == profit:
                        return FINAL, 0, 0, arc
                elif gain + self.quick_bound(following + head) >= profit:
                    remembered = (memory | resources) & self.arcs.ng_set(head)
                    rest = self.completion_bound(following + head, remembered)
                    if gain + rest == profit:
                        return following + head, remembered, rest, arc
        raise AssertionError("no arc has the profit that was computed")
