"""The best run of several trains by tolls: the bound that they prove, and a run that reaches it.

If none does, then one that is worth a grain less, and so on. A run that is worth a certain amount loses only so much
against the bound, and the routes that lose so little are few; if no run can be made of them, there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from ostbahn.kernel.routes.network import NO_ROUTE, Network, Route, TrainKind
from ostbahn.kernel.routes.packing import Packing, choice
from ostbahn.kernel.routes.patience import OutOfPatienceError, Patience
from ostbahn.kernel.routes.tolls import FINE, Tolls, toll_of

FEW = 2
"""By how many grains bound and run may lie apart without knots being looked for."""

PATIENT = 2
"""How often knots may be tied in vain."""

GLANCES = 20
"""How many runs are put together at first of routes that are known."""


def grain_of(network: Network, kinds: Sequence[TrainKind]) -> int:
    """What every run is worth a multiple of."""
    amounts = [amount for stop in network.stops for amount in (stop.value, stop.bonus)]
    return gcd(*amounts, *(kind.red_to_red for kind in kinds)) or 1


class Together:
    """A better run than one that is known, and what no run is worth more than, as far as patience lasts."""

    def __init__(
        self, network: Network, order: Sequence[TrainKind], worth: int, bound: int, patience: Patience
    ) -> None:
        self.order = order
        self.worth = worth
        """What a run must be worth more than."""
        self.bound = bound
        self.best: list[Route] = []
        """A route for each train in order; nothing if no better run was found."""
        self.patience = patience
        self.grain = grain_of(network, order)
        self.tolls = Tolls(network, order, patience)

    def begin(self, routes: Sequence[Route]) -> None:
        """Routes that are known, one for each train in order."""
        for kind, route in zip(self.order, routes, strict=True):
            if route.worth:
                self.tolls.add(kind, route, route.worth * FINE)

    def search(self) -> None:
        """What was found stays if patience ends."""
        try:
            self._settle()
            self._tie()
            while self.bound > self.worth and not self._reached(self.bound):
                self.bound -= self.grain
        except OutOfPatienceError:
            self._lower_to_tolls()
        self.bound = max(self.bound, self.worth)

    def _tie(self) -> None:
        """Knots bring bound and run together; they are tied while they help, where both are far apart."""
        in_vain = 0
        while self.bound - self.worth > self.grain * FEW and in_vain < PATIENT and self.tolls.tie():
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
            (worth - toll_of(route, levy), worth, route, kind)
            for kind, routes in self.tolls.known.items()
            for worth, route in routes.values()
        ]
        known.sort(key=lambda row: (-row[0], -row[1], row[2].sides))
        for first in known[:GLANCES]:
            left, used, run = dict(self.tolls.trains), 0, []
            for _, worth, route, kind in (first, *known):
                if left[kind] and not route.sides & used:
                    left[kind] -= 1
                    used |= route.sides
                    run.append((kind, self.tolls.in_money(route, worth)))
            idle = [(kind, NO_ROUTE) for kind, trains in left.items() for _ in range(trains)]
            if not any(kind.must_run for kind, _ in idle):
                self._keep([*run, *idle])

    def _reached(self, worth: int) -> bool:
        """Look for a run of such a worth."""
        levy = self.tolls.best
        assert levy is not None, "tolls are settled before"
        may_lose = levy.bound - worth * FINE
        choices = []
        for kind, trains in self.tolls.trains.items():
            explorer = self.tolls.explorer(kind, levy)
            routes, complete = explorer.better_than(levy.tops[kind] - may_lose - 1, self.patience)
            if not complete:
                raise OutOfPatienceError
            choices.append(choice(kind, trains, routes, levy, self.tolls.limits))
        packing = Packing(choices, levy, may_lose, self.patience)
        if not packing.search():
            return False
        real = ((kind, self.tolls.in_money(route, route.worth + toll_of(route, levy))) for kind, route in packing.run)
        self._keep(list(real))
        return True

    def _keep(self, run: list[tuple[TrainKind, Route]]) -> None:
        """A run, if it is better than those before."""
        worth = sum(route.worth for _, route in run)
        if worth > self.worth:
            routes = {kind: [route for other, route in run if other == kind] for kind in self.tolls.trains}
            self.best = [routes[kind].pop() for kind in self.order]
            self.worth = worth
