"""A linear programme: how routes would share track if each could be taken in part, and what track is then worth.

Every train takes routes with shares that add up to one at most, and the shares of all routes on a hex side add up to
one at most. Whoever solves it learns for every hex side what one more would be worth; that is the toll at which trains
keep out of each other's way. Nothing is proven here: tolls are rounded, and whoever uses them reckons in integers. So
floats do, and as only sums, products and quotients are taken, they are the same on every machine.

It is solved by the simplex method, with the inverse of the basis as rows of numbers. Routes come in one after another,
and what was found for the ones before is gone on from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

TINY = 1e-7
"""Less than this is nothing."""

LOOSENED = 1e-3
"""By how much limits are loosened, each a little more than the one before: so that no two give out at the same time,
which could lead in circles."""

MOST_EXCHANGES = 3000
"""Many times what it takes until no route brings more."""

CANDIDATES = 24
"""How many routes are looked at again and again before all of them are."""


def added(amounts: Iterable[float]) -> float:
    """Their sum, one after another: newer Pythons add floats up in another way than older ones do."""
    total = 0.0
    for amount in amounts:
        total += amount
    return total


class Sharing:
    """Shares of routes; each route is a worth and the limits that it takes one of."""

    def __init__(self, limits: Sequence[int]) -> None:
        size = len(limits)
        self.left = [most + LOOSENED * (number + 1) / size for number, most in enumerate(limits)]
        """How much of what is in the basis; at first that is what is left of each limit."""
        self.basis: list[int] = [-1 - number for number in range(size)]
        """Which routes are in the basis; what is left of limit n stands there as -1 - n."""
        self.inverse = [[1.0 if row == column else 0.0 for column in range(size)] for row in range(size)]
        self.tolls = [0.0] * size
        """What one more of each limit would be worth."""
        self.worths: list[int] = []
        self.takes: list[tuple[int, ...]] = []

    def add(self, worth: int, takes: tuple[int, ...]) -> None:
        self.worths.append(worth)
        self.takes.append(takes)

    @property
    def worth(self) -> float:
        """What all shares are worth together."""
        return added(self.worths[route] * share for route, share in self.shares())

    def shares(self) -> Iterator[tuple[int, float]]:
        """Routes that are taken, and how much of each."""
        for route, share in zip(self.basis, self.left, strict=True):
            if route >= 0 and share > TINY:
                yield route, share

    def solve(self, exchanging: Callable[[], None]) -> None:
        """Go on until no route would bring more. Who is told of every exchange may stop it by an exception.

        Rounding could lead in circles or nowhere; tolls that are not quite right do no harm.
        """
        candidates: list[int] = []
        for _ in range(MOST_EXCHANGES):
            entering = self._best_of(candidates)
            if entering is None:
                candidates = self._promising()
                entering = self._best_of(candidates)
            if entering is None and min(self.tolls) < -TINY:
                entering = -1 - self.tolls.index(min(self.tolls))
            if entering is None:
                return
            exchanging()
            if not self._exchange(entering):
                return

    def _gain(self, route: int) -> float:
        tolls = self.tolls
        gain = float(self.worths[route])
        for number in self.takes[route]:
            gain -= tolls[number]
        return gain

    def _best_of(self, candidates: Sequence[int]) -> int | None:
        best, found = TINY, None
        for route in candidates:
            gain = self._gain(route)
            if gain > best:
                best, found = gain, route
        return found

    def _promising(self) -> list[int]:
        gains = [(self._gain(route), -route) for route in range(len(self.worths))]
        return [-number for _, number in sorted((row for row in gains if row[0] > TINY), reverse=True)[:CANDIDATES]]

    def _exchange(self, entering: int) -> bool:
        """Take a route into the basis, as far as limits allow, for what is used up first; says if there is such."""
        takes = self.takes[entering] if entering >= 0 else (-1 - entering,)
        gain = self._gain(entering) if entering >= 0 else -self.tolls[-1 - entering]
        if len(takes) == 1:
            column = [row[takes[0]] for row in self.inverse]
        else:
            column = [added([row[number] for number in takes]) for row in self.inverse]
        leaving, share = -1, 0.0
        for number, amount in enumerate(column):
            if amount > TINY:
                possible = self.left[number] / amount
                if leaving < 0 or possible < share:
                    leaving, share = number, possible
        if leaving < 0:
            return False
        pivot = column[leaving]
        row = self.inverse[leaving] = [number / pivot for number in self.inverse[leaving]]
        self.left[leaving] = share
        for number, amount in enumerate(column):
            if amount and number != leaving:
                self.inverse[number] = [old - amount * new for old, new in zip(self.inverse[number], row, strict=True)]
                self.left[number] = max(self.left[number] - amount * share, 0.0)
        self.tolls = [old + gain * new for old, new in zip(self.tolls, row, strict=True)]
        self.basis[leaving] = entering
        return True
