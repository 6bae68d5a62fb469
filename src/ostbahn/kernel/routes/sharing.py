"""A linear programme: trains take routes with shares, and the tolls say what one more of each limit would be worth.

Solved by the simplex method, which keeps the inverse of the matrix of used-up limits for when routes are added.
Nothing is proven here, so floats do: of sums, products and quotients alone they are the same on every machine.
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
    """Shares of routes; each route is a worth and the limits that it takes one of, or more."""

    def __init__(self, limits: Sequence[int]) -> None:
        size = len(limits)
        self.left = [most + LOOSENED * (number + 1) / size for number, most in enumerate(limits)]
        """What is left of each limit; nothing where it is used up."""
        self.tolls = [0.0] * size
        """What one more of each limit would be worth."""
        self.worths: list[int] = []
        self.takes: list[tuple[int, ...]] = []
        self._routes: list[int] = []
        self._share: list[float] = []
        self._scarce: list[int] = []
        """Limits that are used up: as many."""
        self._inverse: list[list[float]] = []
        """Of the matrix that says what these routes take of these limits: rows for routes, columns for limits."""

    def add(self, worth: int, takes: tuple[int, ...]) -> None:
        self.worths.append(worth)
        self.takes.append(takes)

    @property
    def worth(self) -> float:
        """What all shares are worth together."""
        return added(self.worths[route] * share for route, share in self.shares())

    def shares(self) -> Iterator[tuple[int, float]]:
        """Routes that are taken, and how much of each."""
        for route, share in zip(self._routes, self._share, strict=True):
            if share > TINY:
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
            lowest = min(self.tolls)
            if entering is not None:
                exchanging()
                if not self._take(entering):
                    return
            elif lowest < -TINY:
                exchanging()
                if not self._release(self._scarce.index(self.tolls.index(lowest))):
                    return
            else:
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

    def _take(self, route: int) -> bool:
        """Share a route as far as limits allow; says whether anything did not allow more."""
        gain, counted = self._gain(route), dict[int, int]()
        for limit in self.takes[route]:
            counted[limit] = counted.get(limit, 0) + 1
        taken = [(column, counted[limit]) for column, limit in enumerate(self._scarce) if limit in counted]
        falling = [added([row[column] * times for column, times in taken]) for row in self._inverse]
        needed = self._needed(falling, self.takes[route])
        row, limit, amount = self._first(falling, needed)
        if row < 0 and limit < 0:
            return False
        self._move(falling, needed, amount)
        if limit < 0:
            self._replace_route(row, falling, gain)
            self._routes[row], self._share[row] = route, amount
        else:
            self._add_both(limit, falling, needed[limit], gain)
            self._routes.append(route)
            self._share.append(amount)
        return True

    def _release(self, column: int) -> bool:
        """Leave something of a limit that is used up, as far as possible; says whether anything did not allow more."""
        freed = self._scarce[column]
        falling = [row[column] for row in self._inverse]
        needed = self._needed(falling, ())
        row, limit, amount = self._first(falling, needed)
        if row < 0 and limit < 0:
            return False
        self._move(falling, needed, amount)
        self.left[freed] = amount
        if limit < 0:
            self._remove_both(row, column)
        else:
            self._replace_limit(column, limit)
        return True

    def _needed(self, falling: Sequence[float], taken: Sequence[int]) -> list[float]:
        """What is used up of each limit if some are taken, and shares of routes fall so quickly.

        It is less than nothing where something is set free, and nothing where all is used up and stays so.
        """
        needed = [0.0] * len(self.left)
        for limit in taken:
            needed[limit] += 1.0
        for route, speed in zip(self._routes, falling, strict=True):
            if speed:
                for limit in self.takes[route]:
                    needed[limit] -= speed
        for limit in self._scarce:
            needed[limit] = 0.0
        return needed

    def _first(self, falling: Sequence[float], needed: Sequence[float]) -> tuple[int, int, float]:
        row, limit, amount = -1, -1, -1.0
        for number, speed in enumerate(falling):
            if speed > TINY:
                possible = self._share[number] / speed
                if amount < 0 or possible < amount:
                    row, amount = number, possible
        for number, speed in enumerate(needed):
            if speed > TINY:
                possible = self.left[number] / speed
                if amount < 0 or possible < amount:
                    row, limit, amount = -1, number, possible
        return row, limit, amount

    def _move(self, falling: Sequence[float], needed: Sequence[float], amount: float) -> None:
        for number, speed in enumerate(falling):
            if speed:
                self._share[number] = max(self._share[number] - speed * amount, 0.0)
        for number, speed in enumerate(needed):
            if speed:
                self.left[number] = max(self.left[number] - speed * amount, 0.0)

    # What becomes of the inverse

    def _raise_tolls(self, row: Sequence[float], factor: float) -> None:
        for limit, amount in zip(self._scarce, row, strict=True):
            self.tolls[limit] += factor * amount

    def _replace_route(self, row: int, falling: Sequence[float], gain: float) -> None:
        pivot = falling[row]
        new = self._inverse[row] = [number / pivot for number in self._inverse[row]]
        for number, speed in enumerate(falling):
            if speed and number != row:
                self._inverse[number] = _less(self._inverse[number], new, speed)
        self._raise_tolls(new, gain)

    def _add_both(self, limit: int, falling: Sequence[float], pivot: float, gain: float) -> None:
        """A route more, and a limit that is used up now."""
        of_limit = self._taken_of(limit)
        for number, speed in enumerate(falling):
            factor = speed / pivot
            if factor:
                self._inverse[number] = _less(self._inverse[number], of_limit, -factor)
            self._inverse[number].append(-factor)
        self._raise_tolls(of_limit, -gain / pivot)
        self._inverse.append([*(-amount / pivot for amount in of_limit), 1.0 / pivot])
        self._scarce.append(limit)
        self.left[limit], self.tolls[limit] = 0.0, gain / pivot

    def _remove_both(self, row: int, column: int) -> None:
        """A route less, and a limit of which something is left now."""
        gone, limit = self._inverse[row], self._scarce[column]
        pivot = gone[column]
        self._raise_tolls(gone, -self.tolls[limit] / pivot)
        for number, each in enumerate(self._inverse):
            if number != row:
                if each[column]:
                    each = _less(each, gone, each[column] / pivot)
                    self._inverse[number] = each
                del each[column]
        del self._inverse[row], self._routes[row], self._share[row], self._scarce[column]
        self.tolls[limit] = 0.0

    def _replace_limit(self, column: int, limit: int) -> None:
        """One limit is used up instead of another."""
        of_limit, freed = self._taken_of(limit), self._scarce[column]
        pivot = of_limit[column]
        factors = [amount / pivot for amount in of_limit]
        toll = self.tolls[freed]
        for number, each in enumerate(self._inverse):
            old = each[column]
            if old:
                each = _less(each, factors, old)
                each[column] = old / pivot
                self._inverse[number] = each
        self._raise_tolls(factors, -toll)
        self.tolls[freed] = 0.0
        self._scarce[column] = limit
        self.left[limit], self.tolls[limit] = 0.0, toll / pivot

    def _taken_of(self, limit: int) -> list[float]:
        """What would be taken of a limit, for each one that is used up, if that one had more."""
        found = [0.0] * len(self._scarce)
        for route, row in zip(self._routes, self._inverse, strict=True):
            for _ in range(self.takes[route].count(limit)):
                found = _less(found, row, -1.0)
        return found


def _less(row: Sequence[float], other: Sequence[float], factor: float) -> list[float]:
    return [number - factor * amount for number, amount in zip(row, other, strict=True)]
