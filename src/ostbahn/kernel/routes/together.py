"""The best run of several trains by tolls: the bound that they prove, and a run that reaches it.

If none does, then one that is worth a grain less, and so on: the routes that lose so little against the bound are few,
and if no run can be made of them, there is none. Where they are not few, trains choose by turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from ostbahn.kernel.routes.network import NO_ROUTE, Network, Route, TrainKind
from ostbahn.kernel.routes.packing import ByTurns, Packing, choice
from ostbahn.kernel.routes.search import OutOfPatienceError, Patience, Steps
from ostbahn.kernel.routes.tolls import FINE, Levy, Tolls

FEW = 2
"""By how many grains bound and run may lie apart without knots being looked for."""

PATIENT = 2
"""How often knots may be tied in vain."""

GLANCES = 20
"""How many runs are put together at first of routes that are known."""

MOST_OUTLOOKS = 2000
"""With how many outlooks of walks knots may be tied; they make them many more."""

REMINDED = 5
"""How often walks are told what they forget."""

SETTLING = 0.7
"""The part of the patience that tolls may take."""

COLLECTED = 20_000
"""Steps in which routes that lose little are collected, before trains choose by turns."""

AGAIN = 60
"""How often they do so."""


def grain_of(network: Network, kinds: Sequence[TrainKind]) -> int:
    """What every run is worth a multiple of."""
    amounts = [amount for stop in network.stops for amount in (stop.value, stop.bonus)]
    return gcd(*amounts, *(kind.red_to_red for kind in kinds)) or 1


class Together:
    """A better run than one that is known, and what no run is worth more than, as far as patience lasts."""

    def __init__(
        self, network: Network, order: Sequence[TrainKind], worth: int, bound: int, patience: Patience
    ) -> None:
        self.network = network
        self.order = order
        self.worth = worth
        """What a run must be worth more than."""
        self.bound = bound
        self.best: list[Route] = []
        """A route for each train in order; nothing if no better run was found."""
        self.patience = patience
        self.grain = grain_of(network, order)
        self.tolls = Tolls(network, order, patience)

    def begin(self, kind: TrainKind, route: Route) -> None:
        if route.worth:
            self.tolls.add(kind, route)

    def search(self) -> None:
        """What was found stays if patience ends."""
        try:
            self._find_tolls()
            while self.bound > self.worth and self._is_decided():
                if self.bound > self.worth:
                    self.bound -= self.grain
        except OutOfPatienceError:
            self._lower_to_tolls()
        self.bound = max(self.bound, self.worth)

    def _find_tolls(self) -> None:
        """If that takes too much time, there is some left for a run at the best tolls so far."""
        self.tolls.patience = self.patience.share(SETTLING)
        try:
            self._settle()
            self._remind()
            self._tie()
        except OutOfPatienceError:
            self.tolls.patience = self.patience
            self._lower_to_tolls()
            self._choose_by_turns()
            raise
        self.tolls.patience = self.patience

    def _remind(self) -> None:
        """Where walks go that are no routes, they are told what they forget."""
        for _ in range(REMINDED):
            if self.bound <= self.worth or not self.tolls.remember():
                break
            self._settle()

    def _tie(self) -> None:
        """Knots bring bound and run together; they are tied while they help, where both are far apart."""
        in_vain = 0
        while in_vain < PATIENT and self.bound - self.worth > self.grain * FEW:
            if self.tolls.outlooks > MOST_OUTLOOKS or not self.tolls.tie():
                break
            before = self.bound - self.worth
            self._settle()
            in_vain = 0 if self.bound - self.worth < before else in_vain + 1

    def _settle(self) -> None:
        self.bound -= self.bound % self.grain
        if self.bound > self.worth:
            self.tolls.settle(self.grain * FINE, self.worth * FINE)
        self._lower_to_tolls()
        self._glance()

    def _lower_to_tolls(self) -> None:
        if self.tolls.best is not None:
            bound = self.tolls.best.bound // FINE
            self.bound = min(self.bound, bound - bound % self.grain)

    def _glance(self) -> None:
        """Good runs of routes that are known: one of them, then always the best that is left after tolls."""
        levy = self.tolls.best
        if levy is None:
            return
        known = [
            (levy.kept(route), route, kind) for kind, routes in self.tolls.known.items() for route in routes.values()
        ]
        known.sort(key=lambda row: (-row[0], -row[1].worth, row[1].sides))
        for first in known[:GLANCES]:
            left, used, run = dict(self.tolls.trains), 0, []
            for _, route, kind in (first, *known):
                if left[kind] and not route.sides & used:
                    left[kind] -= 1
                    used |= route.sides
                    run.append((kind, route))
            idle = [(kind, NO_ROUTE) for kind, trains in left.items() for _ in range(trains)]
            self._keep([*run, *idle])

    def _is_decided(self) -> bool:
        """Look for a run that is worth as much as the bound; says whether it was found, or there is none."""
        levy = self.tolls.best
        assert levy is not None, "tolls are settled before"
        if self._is_packed(levy, Steps(COLLECTED, self.patience, 0)):
            return True
        self._choose_by_turns()
        return self.bound <= self.worth or self._is_packed(levy, self.patience)

    def _is_packed(self, levy: Levy, patience: Patience) -> bool:
        """Put such a run together of all routes that lose little enough; says whether these were not too many."""
        may_lose = levy.bound - self.bound * FINE
        choices = []
        for kind, trains in self.tolls.trains.items():
            explorer = self.tolls.explorer(kind, levy.charge)
            found, complete = explorer.better_than(levy.tops[kind] - may_lose - 1, patience)
            if not complete:
                return False
            choices.append(choice(kind, trains, found, levy, self.tolls.limits))
        packing = Packing(choices, levy, may_lose, self.patience)
        if packing.search():
            self._keep(packing.run)
        return True

    def _choose_by_turns(self) -> None:
        """Look for a run that is worth as much as the bound, and keep the best."""
        levy = self.tolls.best
        if levy is None or len(self.order) == 1:
            return
        by_turns = ByTurns(self.network, self.order, self.tolls, levy.charge)
        for _ in range(AGAIN):
            self._keep(list(zip(self.order, by_turns.routes, strict=True)))
            if self.worth >= self.bound:
                break
            by_turns.again()

    def _keep(self, run: Sequence[tuple[TrainKind, Route]]) -> None:
        """A run, if it is better than those before and all trains run that must."""
        worth = sum(route.worth for _, route in run)
        if worth > self.worth and all(route.worth or not kind.must_run for kind, route in run):
            routes = {kind: [route for other, route in run if other == kind] for kind in self.tolls.trains}
            self.best = [routes[kind].pop() for kind in self.order]
            self.worth = worth
