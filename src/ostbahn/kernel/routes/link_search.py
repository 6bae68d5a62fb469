"""Pricing link by link, for trains whose counted stops are known only at the end of a route.

These are E-trains by the rulings of 18xx.games, which may skip cities, and trains with too many arcs to list. Their
completion bounds come from a k-memory relaxation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ostbahn.kernel.routes.budget import Budget
from ostbahn.kernel.routes.network import Arc, TrainKind
from ostbahn.kernel.routes.prepared_graph import PreparedGraph
from ostbahn.kernel.routes.prices import Duals
from ostbahn.kernel.routes.route_search import RouteSearch

OptionalStops = tuple[tuple[int, bool], ...]
"""Stops that may count or be skipped, best first: value, and whether it is a town."""

UNLIMITED_CITIES = 10**6
"""More cities than any route visits."""

NO_STOP = -1
"""Instead of the previous stop, at the first stop of a route."""


class Label(NamedTuple):
    """A partial route: used resources, and resources and profit left."""

    used: int
    """Resources, as bits."""
    cities: int
    """How many more it may visit."""
    room: int
    """How many more stops may count."""
    profit: int
    """The reduced profit without optional stops and cuts."""
    optional: OptionalStops
    needs_station: bool


class LabelSearch(RouteSearch):
    """A depth-first search that extends labels."""

    def __init__(
        self,
        graph: PreparedGraph,
        kind: TrainKind,
        duals: Duals,
        arcs: Sequence[Sequence[Arc]],
        by_links: bool,
        budget: Budget,
        floor: int,
        rising: bool,
    ) -> None:
        """by_links: whether every arc is a single link; otherwise arcs lead over the stops that do not count."""
        super().__init__(graph, kind, duals, budget, floor, rising)
        self.arcs, self.by_links = arcs, by_links
        self.is_free = [stop.is_mine or (by_links and kind.can_skip(stop)) for stop in graph.stops]
        """For each stop whether a route can visit it without room."""
        self.mine_profit = graph.best_mine * duals.unit if by_links else 0
        """What a mine may add to completion bounds, which leave mines out."""

    def start_label(self, start: int) -> Label:
        stop, kind = self.graph.stops[start], self.kind
        cities = (UNLIMITED_CITIES if kind.cities is None else kind.cities) - (not stop.is_town)
        room, profit, optional = self._count(start, stop.value * self.duals.unit, kind.stops, 0, ())
        return Label(self.graph.location[start], cities, room, profit, optional, not stop.own)

    def _count(
        self, stop: int, value: int, room: int, profit: int, optional: OptionalStops
    ) -> tuple[int, int, OptionalStops]:
        """Room, profit and optional stops after a stop of that value."""
        if self.graph.stops[stop].is_mine:
            return room, profit + value, optional
        if self.is_free[stop]:
            return room, profit, tuple(sorted((*optional, (value, self.graph.stops[stop].is_town)), reverse=True))
        return room - 1, profit + value, optional

    def extend(self, label: Label, arc: Arc) -> Label | None:
        """The label after an arc, or None if that is infeasible."""
        used, cities, room, profit, optional, needs_station = label
        head, uncounted = arc.head, not arc.counts
        is_city = not self.graph.stops[head].is_town
        if arc.resources & used or (is_city and not cities) or not (room or self.is_free[head] or uncounted):
            return None
        value = arc.value * self.duals.unit
        if uncounted:
            profit += value
        else:
            room, profit, optional = self._count(head, value, room, profit, optional)
        for link in arc.links if self.duals.links else ():
            profit -= self.duals.links[link]
        return Label(used | arc.resources, cities - is_city, room, profit, optional, needs_station and not arc.own)

    def is_promising(self, end: int, previous: int, label: Label) -> bool:
        """Whether an extension may exceed the floor, however many of the optional stops count."""
        optional, needed = label.optional[: label.room], self.needed_profit(label)
        bounds = self.completion_bounds(end, previous, label, label.needs_station, label.room - len(optional))
        if bounds[-1] > needed:
            return True
        profit = 0
        for count, (value, _) in enumerate(optional, start=2):
            profit += value
            if profit + bounds[-count] > needed:
                return True
        return False

    def completion_bounds(
        self, end: int, previous: int, label: Label, needs_station: bool, least: int
    ) -> Sequence[int]:
        """Upper bounds on the profit of an extension, for every room from `least` to that of the label."""
        raise AssertionError("subclasses have relaxations")

    def needed_profit(self, label: Label) -> int:
        """The profit that an extension must exceed."""
        return self.floor - label.profit - (0 if label.used & self.graph.mine_location else self.mine_profit)

    def add_label(self, label: Label, path: Sequence[int], links: Sequence[int]) -> None:
        """Add the route of a label, with the best of its optional stops."""
        profit, room, counted = label.profit, label.room, self.kind.stops - label.room
        towns = self.kind.stops if self.kind.towns is None else self.kind.towns
        for value, is_town in label.optional:
            if room and (towns or not is_town):
                profit += value
                room -= 1
                counted += 1
                towns -= is_town
        if profit > self.floor:
            self.add(path, links, profit - self.duals.cut_cost(self.sides_of(links)), counted)


BoundTable = dict[tuple[int, int], list[int]]
"""By stop and previous stop: completion bounds for every room."""

Extension = tuple[int, int, int, bool, list[int]]
"""The next stop, its value (negative for a mine), the price of the way, whether it can be skipped, and the completion
bounds from there for every room."""


class KMemoryRelaxation:
    """Completion bounds by routes that do not turn straight back, and visit k chosen locations at most once.

    They need no station of the company, since a route may skip the stop that has it, and leave mines out.
    """

    def __init__(self, graph: PreparedGraph, kind: TrainKind, duals: Duals, memory_size: int) -> None:
        """memory_size: k; the most valuable locations are remembered."""
        self.graph, self.kind, self.duals = graph, kind, duals
        self.values = [stop.value * duals.unit for stop in graph.stops]
        self.neighbours = [list(dict.fromkeys(arc.head for arc in arcs)) for arcs in graph.direct_arcs]
        self.prices: dict[tuple[int, int], int] = {}
        """The lowest price from one stop to the next."""
        for number, arcs in enumerate(graph.direct_arcs):
            for arc in arcs:
                ends, price = (number, arc.head), duals.cost(arc.links, 0)
                self.prices[ends] = min(price, self.prices.get(ends, price))
        self.is_skippable = [stop.is_mine or kind.can_skip(stop) for stop in graph.stops]
        self.remembered = self._best_locations(memory_size)
        self._tables: dict[int, BoundTable] = {}
        """By memory: the remembered locations that were visited, as bits."""

    def _best_locations(self, most: int) -> int:
        stops = [number for number, near in enumerate(self.neighbours) if near and not self.graph.stops[number].is_mine]
        stops.sort(key=lambda number: (-self.values[number], self.graph.stops[number].id))
        locations = 0
        for number in stops:
            if locations.bit_count() < most:
                locations |= self.graph.location[number]
        return locations

    def start_bounds(self) -> list[tuple[int, int]]:
        """For every stop at which routes can start an upper bound on their profit; best first."""
        stops, bounds = self.graph.stops, []
        for number, near in enumerate(self.neighbours):
            stop = stops[number]
            if near and (stop.is_town or self.kind.cities != 0):
                room = self.kind.stops - (not self.kind.can_skip(stop) and not stop.is_mine)
                mine = 0 if stop.is_mine else self.graph.best_mine * self.duals.unit
                completion = self.completion_bounds(number, NO_STOP, self.graph.location[number])[room]
                bounds.append((self.values[number] + completion + mine, number))
        return sorted(bounds, key=lambda row: (-row[0], stops[row[1]].id))

    def completion_bounds(self, end: int, previous: int, used: int) -> list[int]:
        """Completion bounds for every room."""
        memory = used & self.remembered
        table = self._tables.get(memory) or self._compute_table(memory)
        if previous != NO_STOP:
            return table[end, previous]
        extensions = self._extensions(end, memory)
        rooms = range(1, self.kind.stops + 1)
        return [0, *(max([0, *(_profit_of(extension, room) for extension in extensions)]) for room in rooms)]

    def _compute_table(self, memory: int) -> BoundTable:
        """The bounds for a memory, after those for each larger memory, on which they depend."""
        rest = self.remembered & ~memory
        while rest:
            location = rest & -rest
            if memory | location not in self._tables:
                self._compute_table(memory | location)
            rest ^= location
        table = self._tables[memory] = {ends: [0] for ends in self.prices}
        extensions = [self._extensions(stop, memory) for stop in range(len(self.neighbours))]
        for room in range(1, self.kind.stops + 1):
            for row in table.values():
                row.append(row[-1])
            self._fill(room, extensions, table)
        return table

    def _extensions(self, stop: int, memory: int) -> list[Extension]:
        extensions = []
        for head in self.neighbours[stop]:
            location = self.graph.location[head] & self.remembered
            if not location & memory:
                value = -1 if self.graph.stops[head].is_mine else self.values[head]
                bounds = self._tables[memory | location][head, stop]
                extensions.append((head, value, self.prices[stop, head], self.is_skippable[head], bounds))
        return extensions

    def _fill(self, room: int, extensions: Sequence[Sequence[Extension]], table: BoundTable) -> None:
        """Compute the bounds for one room until none rises any more."""
        stops = self.graph.stops
        queue = [stop for stop in range(len(self.neighbours)) if stops[stop].passable]
        queued = set(queue)
        for stop in queue:  # which grows, since skipped stops need no room
            queued.discard(stop)
            first = second = 0
            best = -1
            for extension in extensions[stop]:
                profit = _profit_of(extension, room)
                if profit > first:
                    first, second, best = profit, first, extension[0]
                elif profit > second:
                    second = profit
            for previous in self.neighbours[stop]:
                profit, row = second if previous == best else first, table[stop, previous]
                if profit > row[room]:
                    row[room] = profit
                    if previous not in queued and self.is_skippable[stop] and stops[previous].passable:
                        queued.add(previous)
                        queue.append(previous)


def _profit_of(extension: Extension, room: int) -> int:
    """The bound by way of the next stop, which counts, or is skipped if that is possible and better."""
    _, value, price, is_skippable, bounds = extension
    if value < 0:
        return bounds[room] - price
    counting = value + bounds[room - 1]
    if is_skippable and bounds[room] > counting:
        return bounds[room] - price
    return counting - price


class LinkSearch(LabelSearch):
    """Extends routes from one of their ends, link by link."""

    def __init__(
        self, relaxation: KMemoryRelaxation, arcs: Sequence[Sequence[Arc]], budget: Budget, floor: int, rising: bool
    ) -> None:
        super().__init__(relaxation.graph, relaxation.kind, relaxation.duals, arcs, True, budget, floor, rising)
        self.relaxation = relaxation
        self.path: list[int] = []
        self.links: list[int] = []
        self.finished: set[int] = set()
        """Stops from which all routes have been found, so that no route needs to end there any more."""

    def run(self) -> None:
        for bound, start in self.relaxation.start_bounds():
            if bound <= self.floor:
                break
            self.path = [start]
            self._extend_all(start, NO_STOP, self.start_label(start))
            self.finished.add(start)

    def completion_bounds(
        self, end: int, previous: int, label: Label, needs_station: bool, least: int
    ) -> Sequence[int]:
        return self.relaxation.completion_bounds(end, previous, label.used)[least : label.room + 1]

    def _extend_all(self, end: int, previous: int, label: Label) -> None:
        """Add the route as it is, and extend it to every next stop."""
        self.take_step()
        if not self.is_promising(end, previous, label):
            return
        if previous != NO_STOP:
            if not label.needs_station and end not in self.finished:
                self.add_label(label, self.path, self.links)
            if not self.graph.stops[end].passable:
                return
        for arc in self.arcs[end]:
            extended = self.extend(label, arc)
            if extended is not None:
                self.path.append(arc.head)
                self.links.append(arc.links[0])
                self._extend_all(arc.head, end, extended)
                self.path.pop()
                self.links.pop()
