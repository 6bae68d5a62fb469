"""Local search for a run at given dual prices, where the routes within the gap are too many to list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import permutations
from operator import or_

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.column_generation import ColumnGeneration
from ostbahn.kernel.routes.network import Network, Route, TrainKind
from ostbahn.kernel.routes.prices import Duals

PROHIBITIVE_PRICE = 10**7
"""More than any route earns: the price of track that other trains use."""

NOISE_UNITS = 32


class LocalSearch:
    """A run of several trains that never gets worse: again and again two trains choose new routes."""

    def __init__(
        self, network: Network, order: Sequence[TrainKind], generation: ColumnGeneration, duals: Duals
    ) -> None:
        self.network, self.order, self.generation, self.duals = network, order, generation, duals
        self.pairs = list(permutations(range(len(order)), 2))
        """Trains that choose in turn: the first one at dual prices, the second one without."""
        self.round = 0
        self.routes: list[Route] = []
        *first, last = order
        for kind in first:
            self.routes.append(self._best(kind, self.routes, duals.links))
        self.routes.append(self._best(last, self.routes, ()))

    def exchange(self) -> None:
        """Let the next two trains choose new routes, if the run does not get worse."""
        first, last = self.pairs[self.round % len(self.pairs)]
        self.round += 1
        routes = list(self.routes)
        others = [route for number, route in enumerate(routes) if number not in (first, last)]
        routes[first] = self._best(self.order[first], others, self._noisy_prices())
        routes[last] = self._best(self.order[last], [*others, routes[first]], ())
        if sum(route.worth for route in routes) >= sum(route.worth for route in self.routes):
            self.routes = routes

    def _noisy_prices(self) -> list[int]:
        """The prices of links, some a little higher, some a little lower; others in every round."""
        noise, prices = parameters.active.price_noise, []
        for number, price in enumerate(self.duals.links):
            change = (number * self.round + self.round) % (2 * noise + 1) - noise
            prices.append(price + price * change // NOISE_UNITS)
        return prices

    def _best(self, kind: TrainKind, others: Sequence[Route], prices: Sequence[int]) -> Route:
        """The best route off the track of others. prices: of links; empty for none."""
        used = reduce(or_, (route.sides for route in others), 0)
        links = tuple(
            PROHIBITIVE_PRICE if link.sides & used else prices[number] if prices else 0
            for number, link in enumerate(self.network.links)
        )
        return self.generation.best_route(kind, Duals(self.duals.unit, links, ()))
