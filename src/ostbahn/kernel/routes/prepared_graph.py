"""The graph that pricing searches: the part of a network that trains can reach, with its arcs.

A graph depends on what trains may do (skip towns, visit mines, collect bonuses), not on their length. Preparing one
often takes longer than the search, and bots ask about the same networks again, so the last graphs are cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.network import Arc, Link, Network, Route, Stop, TrainKind

RESERVED_BITS = 30
"""Bits below those of resources, free for the numbers of states (`ng_routes.py`)."""

UNCOUNTED, FINAL, CITY, OWN = 8, 4, 2, 1
"""Flags of an arc's class: its head does not count, routes end at its head, its head is a city, it visits a station of
the company."""

ARC_CLASSES = 16

MINE = "a mine"
"""The location that all mines share, since a route visits only one."""


LinksByEnds = dict[tuple[int, int], list[int]]

ArcBundle = tuple[int, int, list[Arc]]
"""Parallel arcs of the same class: their head, the class, and the arcs."""


class ArcList(NamedTuple):
    """All arcs of a graph, numbered."""

    arcs: list[Arc]
    first: list[int]
    """For each stop the number of the first arc that leaves it, and at the end the number of arcs."""
    prefixes: list[tuple[int, int]]
    """For each arc the number of the arc that it extends, counted from 1 (0 if it is a single link), and the link
    added to that."""

    def reduced_profits(self, unit: int, prices: Sequence[int]) -> list[int]:
        """For each arc its value in units less the prices of its links."""
        costs = [0]
        for prefix, link in self.prefixes:
            costs.append(costs[prefix] + prices[link])
        return [arc.value * unit - cost for arc, cost in zip(self.arcs, costs[1:], strict=True)]


class PreparedGraph:
    """The stops and arcs that trains can use from the company's stations."""

    def __init__(self, network: Network, paid: bool, mines: bool, red_to_red: int = 0) -> None:
        """paid: whether bonuses are part of the values of stops. mines: whether mines are part of the graph."""
        stops = _with_bonuses(network.stops) if paid else network.stops
        self.links = network.links
        self.half = -(-red_to_red // 2)
        """Half of the extra revenue from red to red, which is part of the value of each red tile."""
        self.stops = _with_red_halves(stops, self.half) if red_to_red else stops
        numbers: dict[str, int] = {}
        locations = (MINE if stop.is_mine else stop.location for stop in self.stops)
        self.location = [1 << RESERVED_BITS + numbers.setdefault(name, len(numbers)) for name in locations]
        """For each stop its location, as a bit."""
        self.mine_location = 1 << RESERVED_BITS + numbers[MINE] if MINE in numbers else 0
        reachable = self._reachable(self._links_by_ends(mines))
        shared, self.bits = _shared_sides(network.links, reachable.values(), RESERVED_BITS + len(numbers))
        self.direct_arcs = self._direct_arcs(reachable, shared)
        """For each stop the arcs of a single link that leave it, to the most valuable stops first."""
        self._neighbourhoods = [0] * len(self.stops)
        mine_values = [
            stop.value for stop, arcs in zip(self.stops, self.direct_arcs, strict=True) if stop.is_mine and arcs
        ]
        self.best_mine = max(mine_values, default=0)
        self.best_alone: dict[TrainKind, tuple[Route, int]] = {}
        """For kinds of trains the best route without other trains, and the steps that its search took."""
        self._arcs: dict[bool, list[list[Arc]] | None] = {}
        self._bundles: dict[bool, list[list[ArcBundle] | None]] = {}
        self._arc_lists: dict[bool, ArcList] = {}

    def arcs(self, skips_towns: bool) -> list[list[Arc]] | None:
        """For each stop the arcs that leave it, for trains that cannot skip cities; None if there are too many."""
        if skips_towns not in self._arcs:
            skippable = [
                bool(arcs) and (stop.is_mine or (skips_towns and stop.is_town))
                for stop, arcs in zip(self.stops, self.direct_arcs, strict=True)
            ]
            self._arcs[skips_towns] = self._list_arcs(skippable) if any(skippable) else self.direct_arcs
        return self._arcs[skips_towns]

    def has_uncounted_ends(self, skips_towns: bool) -> bool:
        """Whether an arc can follow the last stop that counts: to a mine, or to a station in a skipped town."""
        return any(
            arcs and (stop.is_mine or (skips_towns and stop.own and stop.is_town))
            for stop, arcs in zip(self.stops, self.direct_arcs, strict=True)
        )

    def bundles(self, skips_towns: bool, stop: int) -> list[ArcBundle]:
        """The arcs that leave a stop, by head and class."""
        by_stop = self._bundles.setdefault(skips_towns, [None] * len(self.stops))
        bundles = by_stop[stop]
        if bundles is None:
            arcs = self.arcs(skips_towns)
            assert arcs is not None, "bundles are only used where arcs are listed"
            bundles = by_stop[stop] = self._bundle(arcs[stop])
        return bundles

    def arc_list(self, skips_towns: bool) -> ArcList:
        if skips_towns not in self._arc_lists:
            arcs = self.arcs(skips_towns)
            assert arcs is not None, "a list is only used where arcs are listed"
            listed = ArcList([], [0], [])
            for row in arcs:
                numbers: dict[tuple[int, ...], int] = {}
                for arc in row:
                    listed.arcs.append(arc)
                    listed.prefixes.append((numbers.get(arc.links[:-1], 0), arc.links[-1]))
                    numbers[arc.links] = len(listed.arcs)
                listed.first.append(len(listed.arcs))
            self._arc_lists[skips_towns] = listed
        return self._arc_lists[skips_towns]

    def class_of(self, arc: Arc) -> int:
        head = self.stops[arc.head]
        arc_class = OWN if arc.own else 0
        if not head.is_town:
            arc_class += CITY
        if not arc.counts:
            arc_class += UNCOUNTED + FINAL
        elif not head.passable:
            arc_class += FINAL
        return arc_class

    def _bundle(self, arcs: Sequence[Arc]) -> list[ArcBundle]:
        bundles: dict[int, list[Arc]] = {}
        for arc in arcs:
            key = arc.head * ARC_CLASSES + self.class_of(arc)
            if key in bundles:
                bundles[key].append(arc)
            else:
                bundles[key] = [arc]
        return [(key // ARC_CLASSES, key % ARC_CLASSES, members) for key, members in bundles.items()]

    def neighbourhood(self, stop: int) -> int:
        """The ng-neighbourhood of a stop, as bits of resources."""
        return self._neighbourhoods[stop] or self._find_neighbourhood(stop)

    def _links_by_ends(self, mines: bool) -> LinksByEnds:
        stops, location = self.stops, self.location
        links: LinksByEnds = {}
        for number, link in enumerate(self.links):
            a, b = link.a, link.b
            if location[a] != location[b] and (mines or not (stops[a].is_mine or stops[b].is_mine)):
                links.setdefault((a, b) if a < b else (b, a), []).append(number)
        return links

    def _reachable(self, links: LinksByEnds) -> LinksByEnds:
        """The links that a route from a station of the company can use."""
        neighbours: list[list[int]] = [[] for _ in self.stops]
        for a, b in links:
            neighbours[a].append(b)
            neighbours[b].append(a)
        queue = [number for number, stop in enumerate(self.stops) if stop.own]
        reached = set(queue)
        for stop in queue:  # which grows
            for neighbour in neighbours[stop]:
                if neighbour not in reached:
                    reached.add(neighbour)
                    if self.stops[neighbour].passable:
                        queue.append(neighbour)
        if len(reached) == len(self.stops):
            return links
        return {(a, b): numbers for (a, b), numbers in links.items() if a in reached and b in reached}

    def _direct_arcs(self, links_by_ends: LinksByEnds, shared: Mapping[int, int]) -> list[list[Arc]]:
        stops, location, links = self.stops, self.location, self.links
        leaving: list[list[Arc]] = [[] for _ in stops]
        for (a, b), numbers in links_by_ends.items():
            for number in _undominated_links(links, numbers) if len(numbers) > 1 else numbers:
                used, sides = (number,), links[number].sides
                for tail, head in ((a, b), (b, a)):
                    stop, resources = stops[head], shared.get(number, 0) | location[head]
                    leaving[tail].append(
                        Arc(head, stop.value, resources, sides, stop.own, (head,), used, not stop.is_mine)
                    )
        order = [(-stop.value, stop.id) for stop in stops]
        for row in leaving:
            if len(row) > 1:
                row.sort(key=lambda arc: (order[arc.head], arc.sides))
        return leaving

    def _find_neighbourhood(self, stop: int) -> int:
        """The nearest locations, and hex sides that several of the stop's links cross."""
        once = twice = 0
        for arc in self.direct_arcs[stop]:
            twice |= once & arc.resources
            once |= arc.resources
        neighbourhood, size = twice | self.location[stop] | self.mine_location, parameters.active.neighbourhood_size
        queue = [stop]
        for tail in queue:  # which grows
            for arc in self.direct_arcs[tail]:
                if arc.head not in queue:
                    if len(queue) > size:
                        self._neighbourhoods[stop] = neighbourhood
                        return neighbourhood
                    queue.append(arc.head)
                    neighbourhood |= self.location[arc.head]
        self._neighbourhoods[stop] = neighbourhood
        return neighbourhood

    def _list_arcs(self, skippable: Sequence[bool]) -> list[list[Arc]] | None:
        listed: list[list[Arc]] = []
        left = parameters.active.max_arcs
        for start in range(len(self.stops)):
            listed.append(self._arcs_from(start, skippable, left))
            left -= len(listed[-1])
            if left < 0:
                return None
        return listed

    def _arcs_from(self, start: int, skippable: Sequence[bool], most: int) -> list[Arc]:
        """The undominated arcs from a stop, short ones first; a few more than most are enough to give up."""
        stops, start_location, arcs = self.stops, self.location[start], list[Arc]()
        by_head: dict[int, list[Arc]] = {}
        queue = [Arc(start, 0, 0, 0, False, (), ())]
        for arc in queue:  # which grows
            used = arc.resources | start_location
            for direct in self.direct_arcs[arc.head]:
                if direct.resources & used:
                    continue
                longer = self._concatenate(arc, direct) if arc.links else direct
                rivals = by_head.setdefault(direct.head, [])
                if rivals and any(_dominates(rival, longer) for rival in rivals):
                    continue
                rivals.append(longer)
                arcs.append(longer)
                if skippable[direct.head]:
                    if stops[direct.head].passable:
                        queue.append(longer)
                    if direct.own and direct.counts:  # a route may end there only to have a station
                        arcs.append(replace(longer, value=longer.value - direct.value, counts=False))
            if len(arcs) > most:
                break
        return arcs

    def _concatenate(self, arc: Arc, direct: Arc) -> Arc:
        """An arc one link longer; the old head no longer counts."""
        mine = 0
        if arc.resources & self.mine_location:
            mine = sum(self.stops[stop].value for stop in arc.stops if self.stops[stop].is_mine)
        return Arc(
            direct.head,
            direct.value + mine,
            arc.resources | direct.resources,
            arc.sides | direct.sides,
            arc.own or direct.own,
            arc.stops + direct.stops,
            arc.links + direct.links,
            direct.counts,
        )


def _dominates(arc: Arc, other: Arc) -> bool:
    """Whether an arc with the same ends uses no more, and earns no less."""
    return (
        not arc.sides & ~other.sides
        and not arc.resources & ~other.resources
        and arc.value >= other.value
        and arc.own >= other.own
    )


@lru_cache(maxsize=parameters.DEFAULTS.cached_graphs)
def prepared_graph_of(network: Network, paid: bool, mines: bool, red_to_red: int = 0) -> PreparedGraph:
    return PreparedGraph(network, paid, mines, red_to_red)


def _with_bonuses(stops: tuple[Stop, ...]) -> tuple[Stop, ...]:
    """Values as if every bonus were paid. A search deducts those that its train does not collect."""
    return tuple(stop._replace(value=stop.value + stop.bonus) if stop.bonus else stop for stop in stops)


def _with_red_halves(stops: tuple[Stop, ...], half: int) -> tuple[Stop, ...]:
    """Values as if every red tile were one of two. A search deducts the half of a route with only one."""
    return tuple(stop._replace(value=stop.value + half) if stop.is_red else stop for stop in stops)


def _shared_sides(links: Sequence[Link], used: Iterable[Sequence[int]], first: int) -> tuple[dict[int, int], int]:
    """For links in use the hex sides that they share with others, as bits from `first` on; and the next free bit."""
    once = twice = 0
    numbers = [number for several in used for number in several]
    for number in numbers:
        sides = links[number].sides
        twice |= once & sides
        once |= sides
    bits: dict[int, int] = {}
    shared_of = {}
    for number in numbers if twice else ():
        resources, shared = 0, links[number].sides & twice
        while shared:
            side = shared & -shared
            resources |= bits.setdefault(side, 1 << first + len(bits))
            shared ^= side
        shared_of[number] = resources
    return shared_of, first + len(bits)


def _undominated_links(links: Sequence[Link], numbers: Sequence[int]) -> list[int]:
    """Of parallel links those whose hex sides include no other link's."""
    undominated: list[int] = []
    for number in sorted(numbers, key=lambda number: _link_order(links[number])):
        if not any(links[rival].sides & ~links[number].sides == 0 for rival in undominated):
            undominated.append(number)
    return undominated


def _link_order(link: Link) -> tuple[int, int, tuple[str, ...]]:
    return (link.sides.bit_count(), link.sides, min(link.hexes, link.hexes[::-1]))
