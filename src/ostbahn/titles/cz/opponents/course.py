"""A company's turns until the end, as they would go if it always did the obvious."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.titles.cz.opponents.ahead import Ahead
from ostbahn.titles.cz.opponents.weights import CzWeights
from ostbahn.titles.cz.prices import ROW

KEPT: Final = 4096
"""How many prospects are kept: most answers that are tried out change those of one company only."""


class Prospect(NamedTuple):
    """The future of a company, for whoever holds all of it."""

    dividends: float
    """All that it will pay, each dividend with what it becomes until the end."""
    price: int
    """Of a share at the end."""
    levies: float
    """What its Director will have to add for trains, reckoned in the same way."""
    treasury: float
    """What will be left and nobody gets."""
    next_revenue: float
    due: float
    """What its Director will have to add in its next turn."""


class Outset(NamedTuple):
    """Where a company's future begins: all that it hangs on."""

    ahead: Ahead
    company: str
    cash: float
    space: int
    """Of its share price on the chart."""
    faces: tuple[str, ...]
    """Of its trains."""
    measured: float | None
    """What these can run for now."""
    quality: float
    """How good its track is: what trains earn on it, compared to what they typically do."""
    runs: range
    """The numbers of the Operating Rounds in which it will still run."""
    buys_now: bool
    """Whether it will still buy before its next run."""


@lru_cache(maxsize=KEPT)
def prospect_from(outset: Outset) -> Prospect:
    return _Course(outset).prospect()


class _Course:
    """The future as it takes its course, turn by turn."""

    def __init__(self, outset: Outset) -> None:
        self.outset = outset
        self.ahead, self.weights = outset.ahead, outset.ahead.weights
        self.runs = outset.runs
        self.spec = self.ahead.title.companies[outset.company]
        self.cash, self.space = outset.cash, outset.space
        self.fleet = list(outset.faces)
        self.dividends = self.levies = self.due = 0.0
        self.next_revenue: float | None = None

    def prospect(self) -> Prospect:
        last = self.runs[-1] if self.runs else -1
        if self.outset.buys_now and self.runs:
            self._buy(self.runs[0] - 1, self.runs[0], last)
        for number in self.runs:
            self._turn(number, last)
        return Prospect(
            dividends=self.dividends,
            price=self.ahead.title.prices[self.space],
            levies=self.levies,
            treasury=self.cash,
            next_revenue=self.next_revenue or 0,
            due=self.due,
        )

    # One turn

    def _turn(self, number: int, last: int) -> None:
        self.fleet = [face for face in self.fleet if self.ahead.lives(face, number)]
        self._within_limit(number)
        revenue = self._revenue(number)
        if self.next_revenue is None:
            self.next_revenue = revenue
        keeps = number < last and revenue > 0 and self._must_keep(number, last)
        if revenue > 0 and not keeps:
            self.dividends += revenue * self.ahead.cash_after(number)
            self._move(ROW * self.spec.spec.price_steps)
        else:
            self.cash += revenue
            self._move(-ROW)
        if number < last:
            self._buy(number, number + 1, last)

    def _move(self, spaces: int) -> None:
        top = len(self.ahead.title.prices) - 1
        while spaces > 0 and self.space + ROW <= top:
            self.space += ROW
            spaces -= ROW
        if spaces < 0 and self.space >= ROW:
            self.space -= ROW

    def _within_limit(self, number: int) -> None:
        limit = self.ahead.limit_at(number, self.spec.size)
        if limit and len(self.fleet) > limit:
            self.fleet = sorted(self.fleet, key=self._typical)[-limit:]

    def _must_keep(self, number: int, last: int) -> bool:
        """Whether it will soon have no train, and not the money for one."""
        for following in range(number + 1, number + 1 + self.weights.trains.keep_ahead):
            if following <= last and not any(self.ahead.lives(face, following) for face in self.fleet):
                face, price = self._cheapest(following - 1)
                return face is not None and self.cash < price
        return False

    # Trains

    def _buy(self, number: int, following: int, last: int) -> None:
        """What it will buy after a run: what it must, and what is worth the money that it has."""
        self.fleet = [face for face in self.fleet if self.ahead.lives(face, following)]
        if not self.fleet:
            self._replace(number, following)
        for _ in range(self.weights.fixed.trains.more_in_a_turn):
            limit = self.ahead.limit_at(number, self.spec.size)
            if len(self.fleet) >= limit or not self._buy_more(number, following, last):
                return

    def _replace(self, number: int, following: int) -> None:
        faces = self.ahead.for_sale(number, self.spec.size)
        good = [(face, price) for face, price in faces if price <= self.cash and self.ahead.lives(face, following)]
        if good:
            face, price = max(good, key=lambda each: self._typical(each[0]))
        else:
            cheapest, price = self._cheapest(number)
            if cheapest is None:
                return
            face = cheapest
        if price > self.cash:
            if following <= self.runs[0] + 1:
                self.due += price - self.cash
            self.levies += (price - self.cash) * self.ahead.cash_after(number) * self.weights.dealing.levy
            self.cash = price
        self.cash -= price
        self.fleet.append(face)

    def _buy_more(self, number: int, following: int, last: int) -> bool:
        best_gain, chosen, cost = 0.0, None, 0
        before = nominal(self.weights, self.fleet)
        for face, price in self.ahead.for_sale(number, self.spec.size):
            if price > self.cash:
                continue
            lives = sum(self.ahead.lives(face, each) for each in range(following, last + 1))
            gain = (nominal(self.weights, [*self.fleet, face]) - before) * self.outset.quality * lives
            if gain > best_gain and gain >= price * self.weights.trains.payback:
                best_gain, chosen, cost = gain, face, price
        if chosen is None:
            return False
        self.fleet.append(chosen)
        self.cash -= cost
        return True

    def _cheapest(self, number: int) -> tuple[str | None, int]:
        faces = self.ahead.for_sale(number, self.spec.size)
        return min(faces, key=lambda each: each[1]) if faces else (None, 0)

    # Revenue

    def _revenue(self, number: int) -> float:
        """Soon what the trains can run for now; later what such trains earn on track as good as this."""
        if not self.fleet:
            return 0.0
        ahead = number - (self.runs[0] if self.runs else number)
        grown = (1 + self.weights.future.growth) ** ahead
        later = nominal(self.weights, self.fleet) * self.outset.quality * grown
        measured = self.outset.measured
        parts = self.weights.trains.as_measured
        if ahead >= len(parts) or measured is None or tuple(self.fleet) != self.outset.faces:
            return later
        part = parts[ahead]
        return measured * grown * part + later * (1 - part)

    def _typical(self, face: str) -> float:
        return self.weights.trains.typical[face]


def nominal(weights: CzWeights, faces: Sequence[str]) -> float:
    """What trains together typically earn."""
    amounts = sorted((weights.trains.typical[face] for face in faces), reverse=True)
    further = weights.trains.further
    return sum(amount * further[min(place, len(further) - 1)] for place, amount in enumerate(amounts))
