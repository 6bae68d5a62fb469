"""Best runs by an integer programme, to hold the optimiser against where brute force takes too long.

For each train there are variables of 0 or 1: for links that it uses, stops that it visits, stops that count for
it, stops that pay it a bonus and stops where it ends, and one that says whether it runs. The solver (HiGHS) knows
nothing of paths: that a route is one piece is not in the rows from the start. Where a solution has rings beside a
route, rows that forbid these rings are added, and it is solved again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from highspy import Highs, HighsModelStatus, HighsVarType, ObjSense

from ostbahn.kernel.routes.network import Network, RunningTrain, TrainKind

Terms = Iterable[tuple[int, int]]
"""Variables and what they are multiplied by."""


def most(network: Network, trains: Sequence[RunningTrain]) -> int:
    """The most that the trains can earn together, subsidies included."""
    return _Programme(network, trains).solved() if trains else 0


class _Programme:
    def __init__(self, network: Network, trains: Sequence[RunningTrain]) -> None:
        self.network = network
        self.near = _reachable(network)
        self.links = [
            number
            for number, link in enumerate(network.links)
            if link.a in self.near and link.b in self.near and link.a != link.b
        ]
        self.solver = Highs()  # type: ignore[no-untyped-call] # highspy leaves this one without types
        for option, value in (("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.5)):
            self.solver.setOptionValue(option, value)
        self.solver.changeObjectiveSense(ObjSense.kMaximize)
        self.ways = [_Way(self, train.kind) for train in trains]
        for side in range(max((network.links[number].sides for number in self.links), default=0).bit_length()):
            users = [number for number in self.links if network.links[number].sides >> side & 1]
            self.row(0, ((way.uses[number], 1) for way in self.ways for number in users), 1)
        self._sort_equals()

    def variable(self, worth: int = 0) -> int:
        """A new variable of 0 or 1."""
        number: int = self.solver.getNumCol()
        self.solver.addVar(0, 1)
        self.solver.changeColIntegrality(number, HighsVarType.kInteger)
        self.solver.changeColCost(number, worth)
        return number

    def row(self, least: float, terms: Terms, most: float) -> None:
        """A new condition: the sum of the terms lies between two values."""
        together = Counter[int]()
        for variable, factor in terms:
            together[variable] += factor
        self.solver.addRow(
            least, most, len(together), np.array(list(together), np.int32), np.array(list(together.values()), float)
        )

    def _sort_equals(self) -> None:
        """Of equal trains the first earns most: it saves the solver from trying every order of them."""
        for first, second in zip(self.ways, self.ways[1:], strict=False):
            if first.kind == second.kind:
                better = list(first.worth.items())
                worse = [(variable, -worth) for variable, worth in second.worth.items()]
                self.row(0, better + worse, np.inf)

    def solved(self) -> int:
        while True:
            self.solver.run()
            status = self.solver.getModelStatus()
            assert status == HighsModelStatus.kOptimal, status
            values = np.asarray(self.solver.getSolution().col_value)
            rings = [ring for way in self.ways for ring in way.rings(values)]
            if not rings:
                return round(self.solver.getObjectiveValue())
            for way in self.ways:
                for ring in rings:
                    way.forbid(ring)


class _Way:
    """The variables and rows of one train."""

    def __init__(self, programme: _Programme, kind: TrainKind) -> None:
        self.programme = programme
        self.kind = kind
        network, near = programme.network, programme.near
        self.worth: dict[int, int] = {}
        """Variables that earn something."""
        mines = {stop for stop in near if network.stops[stop].is_mine}
        self.runs = programme.variable()
        self.uses = {number: programme.variable() for number in programme.links}
        self.visits = {stop: self._paid(network.stops[stop].value if stop in mines else 0) for stop in near}
        self.ends = {stop: programme.variable() for stop in near}
        self.counts = {stop: self._paid(network.stops[stop].value) for stop in near if stop not in mines}
        self.takes = {stop: self._paid(network.stops[stop].bonus) for stop in self.counts if network.stops[stop].bonus}
        self._path()
        self._stops()
        self._cars(mines)
        for a, b in {(network.links[number].a, network.links[number].b) for number in programme.links}:
            self.forbid({a, b})

    def _paid(self, worth: int) -> int:
        variable = self.programme.variable(worth)
        if worth:
            self.worth[variable] = worth
        return variable

    def _path(self) -> None:
        """Two ends; as many links at a stop as a path has there; closed stops only at the ends; an own one."""
        network, row = self.programme.network, self.programme.row
        row(0, [*((end, 1) for end in self.ends.values()), (self.runs, -2)], 0)
        for stop, visit in self.visits.items():
            joined = [number for number in self.uses if stop in (network.links[number].a, network.links[number].b)]
            row(0, [*((self.uses[number], 1) for number in joined), (visit, -2), (self.ends[stop], 1)], 0)
            row(0, [(visit, 1), (self.ends[stop], -1)], 1 if network.stops[stop].passable else 0)
        own = [(visit, 1) for stop, visit in self.visits.items() if network.stops[stop].own]
        row(0, [*own, (self.runs, -1)], np.inf)
        for location in {network.stops[stop].location for stop in self.visits}:
            there = [(visit, 1) for stop, visit in self.visits.items() if network.stops[stop].location == location]
            row(-np.inf, [*there, (self.runs, -1)], 0)

    def _stops(self) -> None:
        """Which stops count, and how many a train can have."""
        kind, stops, row = self.kind, self.programme.network.stops, self.programme.row
        for number, count in self.counts.items():
            may_be_left_out = kind.skips_towns and (stops[number].is_town or kind.cities is None)
            row(0, [(self.visits[number], 1), (count, -1)], 1 if may_be_left_out else 0)
        counts = [(count, 1) for count in self.counts.values()]
        row(-np.inf, [*counts, (self.runs, -kind.stops)], 0)
        row(0, [*counts, (self.runs, -2)], np.inf)
        if kind.cities is not None:
            row(0, ((self.visits[number], 1) for number in self.counts if not stops[number].is_town), kind.cities)
        if kind.towns is not None:
            row(0, ((count, 1) for number, count in self.counts.items() if stops[number].is_town), kind.towns)

    def _cars(self, mines: set[int]) -> None:
        """One mine if the train has access to mines; bonuses only where it stops, and not more than it collects."""
        kind, row = self.kind, self.programme.row
        row(0, ((self.visits[number], 1) for number in mines), int(kind.visits_mine))
        row(0, ((take, 1) for take in self.takes.values()), kind.bonuses)
        for number, take in self.takes.items():
            row(0, [(self.counts[number], 1), (take, -1)], 1)
        if kind.red_to_red:  # which is earned where both ends are red
            reds = [(end, 1) for stop, end in self.ends.items() if self.programme.network.stops[stop].is_red]
            row(0, [*reds, (self._paid(kind.red_to_red), -2)], np.inf)

    def rings(self, values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[set[int]]:
        """Pieces of a solution that have no ends."""
        pieces: list[set[int]] = []
        for number, variable in self.uses.items():
            if values[variable] > 0.5:
                link = self.programme.network.links[number]
                touched = [piece for piece in pieces if piece & {link.a, link.b}]
                pieces = [piece for piece in pieces if piece not in touched]
                pieces.append({link.a, link.b}.union(*touched))
        return [piece for piece in pieces if not any(values[self.ends[stop]] > 0.5 for stop in piece)]

    def forbid(self, ring: set[int]) -> None:
        """Of the links among some stops a path has fewer than it visits of these stops, if it visits one."""
        links = self.programme.network.links
        among = [(self.uses[number], 1) for number in self.uses if {links[number].a, links[number].b} <= ring]
        for one in ring:
            visits = [(self.visits[stop], -1) for stop in ring if stop != one]
            self.programme.row(-np.inf, [*among, *visits], 0)


def _reachable(network: Network) -> list[int]:
    """Stops that hang together with an own station; the solver need not draw rings elsewhere."""
    found = {number for number, stop in enumerate(network.stops) if stop.own}
    size = 0
    while size < len(found):
        size = len(found)
        found |= {end for link in network.links if {link.a, link.b} & found for end in (link.a, link.b)}
    return sorted(found)
