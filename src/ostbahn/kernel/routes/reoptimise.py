"""The best run after a small change of the network, such as one more tile or station.

A run on the changed network either was possible before, and earns no more than the best run did, or has a route through
something new. So only routes through what is new are searched for, and combined with old ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import merge
from typing import NamedTuple

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.branch_and_bound import RoutePool
from ostbahn.kernel.routes.budget import Budget, BudgetExceededError
from ostbahn.kernel.routes.link_search import KMemoryRelaxation, Label, LabelSearch
from ostbahn.kernel.routes.network import Arc, BestRun, Network, Route, RunningTrain, Stop, TrainKind
from ostbahn.kernel.routes.ng_routes import INFEASIBLE_PROFIT
from ostbahn.kernel.routes.optimiser import best_alternative
from ostbahn.kernel.routes.pricer import Pricer, pricer_of

CLOSED = -1
"""Instead of the stop at the end of an arm that cannot be extended."""

Kinds = tuple[TrainKind, ...]


class NetworkPart(NamedTuple):
    """Some stops and links; links at one of these stops need not be listed."""

    stops: tuple[int, ...]
    links: frozenset[int]


class RunChange(NamedTuple):
    """The best run on a changed network."""

    worth: int
    """Of the best run found."""
    gain: int
    """Compared with the best run found before."""
    proven: bool
    """Whether the gain is exact."""


class NetworkChange(NamedTuple):
    """The difference between two networks."""

    new: NetworkPart
    """Stops and links that are new or changed, by their numbers after the change."""
    lost_stops: frozenset[str]
    lost_links: frozenset[int]
    """What was better before the change; links by their numbers before."""

    @property
    def loses_nothing(self) -> bool:
        return not self.lost_stops and not self.lost_links

    def preserves(self, run: BestRun) -> bool:
        """Whether a run before the change earns at least as much after it."""
        return self.loses_nothing or all(
            self.lost_stops.isdisjoint(stop.id for stop in route.stops) and self.lost_links.isdisjoint(route.links)
            for route in run.routes
        )


def network_change(before: Network, after: Network) -> NetworkChange:
    old_stops, new_stops = ({stop.id: stop for stop in network.stops} for network in (before, after))
    old_links, new_links = _link_keys(before), _link_keys(after)
    changed = tuple(number for number, stop in enumerate(after.stops) if old_stops.get(stop.id) != stop)
    old_keys, new_keys, changed_set = set(old_links), set(new_links), set(changed)
    added = frozenset(
        number
        for number, (key, link) in enumerate(zip(new_links, after.links, strict=True))
        if key not in old_keys and link.a not in changed_set and link.b not in changed_set
    )
    return NetworkChange(
        NetworkPart(changed, added),
        frozenset(stop.id for stop in before.stops if not _is_as_good(stop, new_stops.get(stop.id))),
        frozenset(number for number, key in enumerate(old_links) if key not in new_keys),
    )


def _link_keys(network: Network) -> list[tuple[str, str, int]]:
    """Keys of links that do not depend on how stops are numbered."""
    ends = ((network.stops[link.a].id, network.stops[link.b].id, link.sides) for link in network.links)
    return [(min(a, b), max(a, b), sides) for a, b, sides in ends]


def _is_as_good(old: Stop, new: Stop | None) -> bool:
    """Whether routes by a stop earn at least as much as before."""
    if new is None or old == new:
        return new is not None
    is_comparable = old._replace(value=new.value, own=new.own, passable=new.passable) == new
    return is_comparable and new.value >= old.value and new.own >= old.own and new.passable >= old.passable


class Reoptimiser:
    """The best run of several trains on one network, and what it becomes on similar ones."""

    def __init__(self, network: Network, kinds: Sequence[TrainKind], budget: Budget) -> None:
        self.network = network
        self.kinds: Kinds = tuple(kinds)
        self.budget = budget
        self.base_budget = budget.portion(parameters.active.base_run_share)
        self.run = _best(network, self.kinds, self.base_budget)
        self.pricers = {kind: pricer_of(network, kind) for kind in self.kinds}
        self._bounds: dict[Kinds, int] = {(): 0, self.kinds: self.run.bound}

    def bound(self, kinds: Kinds) -> int:
        """An upper bound for some of the trains before any change."""
        bound = self._bounds.get(kinds)
        if bound is None:
            if len(kinds) == 1:
                pricer = self.pricers[kinds[0]]
                pricer.best(budget=self.base_budget)
                bound = pricer.bound
            else:
                bound = sum(self.bound((kind,)) for kind in kinds)
                if self.run.proven:  # otherwise the budget has ended
                    bound = min(bound, _best(self.network, kinds, self.base_budget).bound)
            self._bounds[kinds] = bound
        return bound

    def changes(self, networks: Sequence[Network]) -> list[RunChange]:
        """The best run on each of these networks."""
        changes: dict[int, RunChange] = {}
        trials: dict[int, _ChangedNetwork] = {}
        for number, network in enumerate(networks):
            change = network_change(self.network, network)
            fair_shares = parameters.active.max_fair_shares / (len(networks) - number)
            budget = self.budget.portion(min(1.0, fair_shares))
            if not change.preserves(self.run):
                changes[number] = self._solve_anew(network, -1, budget)
                continue
            trial = _ChangedNetwork(self, network, change.new, budget)
            if trial.bound_with_new <= self.run.worth:
                changes[number] = RunChange(self.run.worth, 0, True)
            elif change.loses_nothing:
                trials[number] = trial
            else:
                changes[number] = self._solve_anew(network, self.run.worth, budget)
        pools = self._old_pools(list(trials.values()))
        changes |= {number: trial.run_change(pools) for number, trial in trials.items()}
        return [changes[number] for number in range(len(networks))]

    def _solve_anew(self, network: Network, enough: int, budget: Budget) -> RunChange:
        """Search from nothing where old routes are lost. enough: what a run earns in any case."""
        run = _best(network, self.kinds, budget, enough)
        worth = max(run.worth, enough)
        return RunChange(worth, worth - self.run.worth, self.run.proven and run.bound <= worth)

    def _old_pools(self, trials: Sequence[_ChangedNetwork]) -> dict[TrainKind, tuple[RoutePool, bool]]:
        """The old routes that a better run may have beside new ones, and whether these are all of them."""
        pools = {}
        for kind, pricer in self.pricers.items() if trials and len(self.kinds) > 1 else ():
            floor = min(trial.floors[kind] for trial in trials)
            budget = self.budget.portion(parameters.active.old_routes_share)
            routes, is_complete = pricer.better_than(floor, budget)
            pools[kind] = RoutePool(priced.route for priced in routes), is_complete
        return pools


class _ChangedNetwork:
    """The routes through what is new on a changed network, and the best run with them."""

    def __init__(self, base: Reoptimiser, network: Network, new: NetworkPart, budget: Budget) -> None:
        self.base, self.kinds = base, base.kinds
        self.new, self.budget = new, budget
        self.worth = base.run.worth
        self.pricers = {kind: pricer_of(network, kind) for kind in self.kinds}
        self.routes: dict[TrainKind, list[Route]] = {}
        """For each kind of train its new routes that earn more than its floor, best first."""
        self.route_bounds: dict[TrainKind, int] = {}
        """For each kind of train an upper bound for its new routes."""
        self.is_complete = True
        self.floors = {kind: max(self.worth - base.bound(_without(self.kinds, kind)), 0) for kind in self.pricers}
        """What a train of each kind must exceed in a better run."""
        for kind, floor in self.floors.items():
            self._search(kind, floor)
        self._bounds: dict[Kinds, int] = {(): 0}
        self.bound_with_new = max(
            bound + self.bound(_without(self.kinds, kind)) for kind, bound in self.route_bounds.items()
        )
        """An upper bound for runs with a new route."""
        if self.bound_with_new > self.worth:
            self._lower_floors()

    def _search(self, kind: TrainKind, floor: int) -> None:
        pricer = self.pricers[kind]
        routes, is_complete = routes_through(pricer, self.new, floor, self.budget)
        self.routes[kind] = sorted(routes, key=lambda route: -route.worth)
        best = max([floor, *(route.worth for route in routes)])
        self.route_bounds[kind] = best if is_complete else max(floor, pricer.bound)
        self.is_complete = self.is_complete and is_complete

    def bound(self, kinds: Kinds) -> int:
        """An upper bound for some of the trains, with new routes or without."""
        bound = self._bounds.get(kinds)
        if bound is None:
            with_new = (self.route_bounds[kind] + self.bound(_without(kinds, kind)) for kind in set(kinds))
            bound = self._bounds[kinds] = max(self.base.bound(kinds), *with_new)
        return bound

    def _lower_floors(self) -> None:
        """Beside a new route of another train, worse routes may be part of a better run."""
        for kind, floor in self.floors.items():
            lower = max(self.worth - self.bound(_without(self.kinds, kind)), 0)
            if lower < floor:
                self.floors[kind] = lower
                self._search(kind, lower)

    def run_change(self, old_pools: Mapping[TrainKind, tuple[RoutePool, bool]]) -> RunChange:
        before = self.worth
        is_complete = self.is_complete and all(has_all_routes for _, has_all_routes in old_pools.values())
        self.pools = {kind: (old, RoutePool(self.routes[kind])) for kind, (old, _) in old_pools.items()}
        try:
            for kind in self.routes:
                self._combine_new(kind)
        except BudgetExceededError:
            is_complete = False
        return RunChange(self.worth, self.worth - before, is_complete and self.base.run.proven)

    def _combine_new(self, kind: TrainKind) -> None:
        """Find the best run in which a train of this kind takes a new route."""
        rest = _without(self.kinds, kind)
        bound = self.bound(rest)
        for route in self.routes[kind]:
            if route.worth + bound <= self.worth:
                break
            if not self.budget.take_step():
                raise BudgetExceededError
            self.worth = max(self.worth, route.worth + self._best_beside(rest, route.sides, self.worth - route.worth))

    def _best_beside(self, kinds: Kinds, used: int, enough: int) -> int:
        """What some trains can earn off these hex sides; exact if it is more than `enough`."""
        if not kinds:
            return 0
        rest, pools = kinds[1:], self.pools[kinds[0]]
        if not rest:
            return max(pool.best(pool.avoiding(used, pool.all)).worth for pool in pools)
        bound, best = self.bound(rest), enough
        for route in merge(*(pool.free_routes(used) for pool in pools), key=lambda route: -route.worth):
            if route.worth + bound <= best:
                break
            if not self.budget.take_step():
                raise BudgetExceededError
            best = max(best, route.worth + self._best_beside(rest, used | route.sides, best - route.worth))
        return max(best, self._best_beside(rest, used, best)) if bound > best else best


def _without(kinds: Kinds, kind: TrainKind) -> Kinds:
    position = kinds.index(kind)
    return kinds[:position] + kinds[position + 1 :]


def _best(network: Network, kinds: Kinds, budget: Budget, enough: int = -1) -> BestRun:
    trains = [RunningTrain(str(number), kind) for number, kind in enumerate(kinds)]
    return best_alternative(network, (trains,), budget, enough)[1]


# Routes through what is new


def routes_through(pricer: Pricer, part: NetworkPart, floor: int, budget: Budget) -> tuple[list[Route], bool]:
    """The routes through a part that earn more than the floor, and whether these are all of them."""
    search = _RoutesThroughPart(pricer, part, floor, budget)
    try:
        search.run()
    except BudgetExceededError:
        search.is_stopped = True
    return [priced.route for priced in search.routes], not search.is_stopped


class _RoutesThroughPart(LabelSearch):
    """Extends routes from a part of the network outwards: first one arm, then the other.

    A branch ends when the completion bounds of both ends together do not exceed the floor. Once all routes through a
    stop or link are found, it is taken out.
    """

    def __init__(self, pricer: Pricer, part: NetworkPart, floor: int, budget: Budget) -> None:
        graph, kind, by_links = pricer.graph, pricer.kind, pricer.by_links
        super().__init__(graph, kind, pricer.duals, pricer.arcs, by_links, budget, floor, rising=False)
        self.ng_relaxation = None if by_links else pricer.ng_relaxation
        self.k_memory_relaxation = KMemoryRelaxation(graph, kind, pricer.duals, 0) if by_links else None
        self.part = part
        self.first_arm: list[int] = []
        self.second_arm: list[int] = []
        """The stops of both arms, from the part outwards."""
        self.first_links: list[int] = []
        self.second_links: list[int] = []

    def run(self) -> None:
        for stop in self.part.stops:
            arcs = self.arcs[stop]
            for number, arc in enumerate(arcs):
                self._search_from(stop, arc, arcs[number + 1 :])
            self._search_with([(tail, arc) for tail, arc in self._one_direction() if self._skips(arc, stop)])
            self.arcs = [
                [] if tail == stop else [arc for arc in row if stop not in arc.stops]
                for tail, row in enumerate(self.arcs)
            ]
        for link in sorted(self.part.links):
            self._search_with([(tail, arc) for tail, arc in self._one_direction() if link in arc.links])
            self.arcs = [[arc for arc in row if link not in arc.links] for row in self.arcs]

    def _one_direction(self) -> list[tuple[int, Arc]]:
        """All arcs with their tails, each in one direction. None leads back from where routes can only end."""
        is_only_end = [stop.is_mine and not self.by_links for stop in self.graph.stops]
        return [
            (tail, arc)
            for tail, row in enumerate(self.arcs)
            for arc in row
            if self._is_only_last(arc) or (tail < arc.head and not is_only_end[tail])
        ]

    def _skips(self, arc: Arc, stop: int) -> bool:
        """Whether an arc visits a stop that does not count then."""
        return stop in arc.stops and (arc.head != stop or self._is_only_last(arc))

    def _search_with(self, arcs: Sequence[tuple[int, Arc]]) -> None:
        for tail, arc in arcs:
            self._search_from(tail, arc, self.arcs[tail])

    def _search_from(self, start: int, arc: Arc, others: Sequence[Arc]) -> None:
        """All routes that leave a stop by one arc, and by one or none of some others."""
        start_label = self.start_label(start)
        label = self.extend(start_label, arc) if start_label.cities >= 0 else None
        if label is not None:
            self.first_arm, self.first_links = list(arc.stops), list(arc.links)
            self.second_arm, self.second_links = [start], []
            self._extend_first(arc, start, others if self._is_passable(start) else (), label)

    def _is_passable(self, number: int) -> bool:
        stop = self.graph.stops[number]
        return stop.passable and (self.by_links or not stop.is_mine)

    def _arcs_after(self, arc: Arc) -> Sequence[Arc]:
        return self.arcs[arc.head] if self._is_passable(arc.head) and not self._is_only_last(arc) else ()

    def _is_only_last(self, arc: Arc) -> bool:
        """Whether a route must end with an arc, since its head does not count; others lead beyond."""
        return not arc.counts and not self.by_links

    def _extend_first(self, last: Arc, previous: int, others: Sequence[Arc], label: Label) -> None:
        """Extend the second arm beside the first one as it is, and then the first arm."""
        if not self.budget.take_step():
            raise BudgetExceededError
        following = self._arcs_after(last)
        if not self._are_both_promising(last.head if following else CLOSED, previous, bool(others), label):
            return
        self._extend_second(self.second_arm[0], self.first_arm[0], others, label)
        for arc in following:
            extended = self.extend(label, arc)
            if extended is not None:
                self.first_arm += arc.stops
                self.first_links += arc.links
                self._extend_first(arc, last.head, others, extended)
                del self.first_arm[-len(arc.stops) :], self.first_links[-len(arc.links) :]

    def _extend_second(self, end: int, previous: int, arcs: Sequence[Arc], label: Label) -> None:
        if not self.budget.take_step():
            raise BudgetExceededError
        if not self.is_promising(end, previous, label):
            return
        if not label.needs_station:
            path, links = self.second_arm[::-1] + self.first_arm, self.second_links[::-1] + self.first_links
            self.add_label(label, path, links)
        for arc in arcs:
            extended = self.extend(label, arc)
            if extended is not None:
                self.second_arm += arc.stops
                self.second_links += arc.links
                self._extend_second(arc.head, end, self._arcs_after(arc), extended)
                del self.second_arm[-len(arc.stops) :], self.second_links[-len(arc.links) :]

    def completion_bounds(
        self, end: int, previous: int, label: Label, needs_station: bool, least: int
    ) -> Sequence[int]:
        room = label.room
        if end == CLOSED:
            return [INFEASIBLE_PROFIT if needs_station else 0] * (room - least + 1)
        if self.k_memory_relaxation is not None:
            return self.k_memory_relaxation.completion_bounds(end, previous, label.used)[least : room + 1]
        relaxation = self.ng_relaxation
        assert relaxation is not None, "there is one relaxation or the other"
        levels = [
            relaxation.levels.number(min(stops, relaxation.stops), label.cities, needs_station)
            for stops in range(least, room + 1)
        ]
        return [relaxation.completion_bound(level + end, label.used) for level in levels]

    def _are_both_promising(self, first: int, previous: int, has_second: bool, label: Label) -> bool:
        """Whether both arms together may exceed the floor, however they share the room that is left."""
        needed = self.needed_profit(label)
        inner, outer = self.second_arm[0] if has_second else CLOSED, self.first_arm[0]
        optional = [0]
        for value, _ in label.optional[: label.room]:
            optional.append(optional[-1] + value)
        of_first = self.completion_bounds(first, previous, label, False, 0)
        of_second = self.completion_bounds(inner, outer, label, False, 0)
        if optional[-1] + of_first[-1] + of_second[-1] <= needed:
            return False
        if not label.needs_station:
            return _best_division(optional, of_first, of_second) > needed
        first_with_station = self.completion_bounds(first, previous, label, True, 0)
        if _best_division(optional, first_with_station, of_second) > needed:
            return True
        if not has_second:
            return False
        return _best_division(optional, of_first, self.completion_bounds(inner, outer, label, True, 0)) > needed


def _best_division(optional: Sequence[int], of_first: Sequence[int], of_second: Sequence[int]) -> int:
    """The highest sum if optional stops and both arms share the room."""
    room = len(of_first) - 1
    return max(
        profit + of_first[used] + of_second[room - count - used]
        for count, profit in enumerate(optional)
        for used in range(room - count + 1)
    )
