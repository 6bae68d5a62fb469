"""A run for which trains choose by turns, where there are so many routes that no list of them ends.

Each train takes the route that keeps most after tolls, off the track of those before it; the last one need not care for
tolls. Then two of them choose again beside what the others have, at tolls that are a little different each time. With
the right tolls such a run is soon as good as any.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from ostbahn.kernel.routes.network import Network, Route, TrainKind
from ostbahn.kernel.routes.pricing import Charge
from ostbahn.kernel.routes.tolls import Tolls

TOO_DEAR = 10**7
"""A toll that nobody pays."""

PARTS, SWAY = 32, 7
"""Tolls differ by up to so many parts of 32."""


class ByTurns:
    """A run of several trains at some tolls."""

    def __init__(self, network: Network, order: Sequence[TrainKind], tolls: Tolls, charge: Charge) -> None:
        self.network, self.order, self.tolls, self.charge = network, order, tolls, charge
        self.pairs = list(permutations(range(len(order)), 2))
        """Trains that choose again: one that cares for tolls, and the last one."""
        self.turn = 0
        self.routes: list[Route] = []
        """For each train in order."""
        *first, last = order
        for kind in first:
            self.routes.append(self._best(kind, self.routes, charge.links))
        self.routes.append(self._best(last, self.routes, ()))

    def again(self) -> None:
        """Two trains choose again; it stays as it was if that is worse."""
        first, last = self.pairs[self.turn % len(self.pairs)]
        self.turn += 1
        routes = list(self.routes)
        others = [route for number, route in enumerate(routes) if number not in (first, last)]
        routes[first] = self._best(self.order[first], others, self._changed())
        routes[last] = self._best(self.order[last], [*others, routes[first]], ())
        if sum(route.worth for route in routes) >= sum(route.worth for route in self.routes):
            self.routes = routes

    def _changed(self) -> list[int]:
        """The tolls of links, some a little higher, some a little lower."""
        found = []
        for number, toll in enumerate(self.charge.links):
            sway = (number * self.turn + self.turn) % (2 * SWAY + 1) - SWAY
            found.append(toll + toll * sway // PARTS)
        return found

    def _best(self, kind: TrainKind, others: Sequence[Route], tolls: Sequence[int]) -> Route:
        """The best route off the track of others, where links have tolls, or none of them."""
        used = 0
        for route in others:
            used |= route.sides
        links = tuple(
            TOO_DEAR if link.sides & used else tolls[number] if tolls else 0
            for number, link in enumerate(self.network.links)
        )
        return self.tolls.best_route(kind, Charge(self.charge.unit, links, ()))
