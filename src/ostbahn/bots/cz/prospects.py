"""What a company will earn and what its shares will be worth: its future, foreseen turn by turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import NamedTuple

from ostbahn.bots.cz.calendar import Calendar
from ostbahn.bots.cz.rehearsal import Rehearsal
from ostbahn.bots.cz.weights import CzWeights
from ostbahn.kernel import chart
from ostbahn.kernel.certificates import director, holding, share_unit
from ostbahn.kernel.trains import Train
from ostbahn.titles.cz.prices import ROW
from ostbahn.titles.cz.running import best, runnable
from ostbahn.titles.cz.state import CzTable


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


NOTHING = Prospect(0, 0, 0, 0, 0, 0)


class View:
    """A table as a bot sees it: with the calendar, and the prospects of all companies, each worked out once."""

    def __init__(
        self, table: CzTable, weights: CzWeights, done: str | None = None, rehearsal: Rehearsal | None = None
    ) -> None:
        self.table = table
        self.weights = weights
        self.done = done
        """A company of which is supposed that it buys nothing more in its turn."""
        self.rehearsal = rehearsal
        """If the rest of the game has been rehearsed, that is believed more than what is foreseen."""
        self.calendar = Calendar(table, weights)
        self._prospects: dict[str, Prospect] = {}

    def prospect(self, company: str) -> Prospect:
        if company not in self._prospects:
            self._prospects[company] = self._foreseen(company)
        return self._prospects[company]

    def share(self, company: str, player: str) -> float:
        """What one share will have been worth at the end to a player, with the dividends until then."""
        if self.rehearsal is not None and self.rehearsal.knows(company):
            return self.rehearsal.share(company, self.calendar)
        prospect = self.prospect(company)
        trust = 1.0 if director(self.table, company) == player else self.weights.shares.others_company
        return (prospect.dividends * share_unit(self.table, company) / 100 + prospect.price) * trust

    def levies(self, company: str, player: str) -> float:
        """What a player will have to add for trains of a company, with what the money would become until the end."""
        if self.rehearsal is not None and self.rehearsal.knows(company):
            return self.rehearsal.levied(player, company, self.calendar) * self.weights.dealing.levy
        return self.prospect(company).levies if director(self.table, company) == player else 0.0

    def burden(self, company: str, player: str, percent: int) -> float:
        """What a player who holds so much may have to add for trains: others can leave him the company."""
        if percent < self.table.title.companies[company].certificates[0]:
            return 0.0
        own, head = self.levies(company, player), director(self.table, company)
        if head is None or head == player:
            return own
        return max(own, self.levies(company, head) * self.weights.dealing.left_alone)

    def due(self, player: str) -> float:
        """What will be asked of a player for trains before the next Stock Round."""
        told = self.rehearsal
        own = [company for company in self.table.state.floated if director(self.table, company) == player]
        foreseen = [company for company in own if told is None or not told.knows(company)]
        return sum(self.prospect(company).due for company in foreseen) + (0 if told is None else told.due(player))

    def _foreseen(self, company: str) -> Prospect:
        state = self.table.state
        space = chart.position(self.table, company)
        if space is None:
            return NOTHING
        if company in state.floated:
            return Foresight(self, company).prospect()
        future = Foresight(self, company, cash=capital(self.table, company)).prospect()
        if can_float(self.table, company):
            return future
        part = self.weights.shares.unfloated
        price = self.table.title.prices[space]
        return future._replace(dividends=future.dividends * part, price=round(min(price, future.price)))


def capital(table: CzTable, company: str) -> int:
    return table.title.companies[company].spec.capital * table.state.start_prices[company]


def can_float(table: CzTable, company: str) -> bool:
    """Whether the Director can pay for what is missing, himself."""
    player = director(table, company)
    if player is None:
        return False
    held = sum(holding(table, each, company) for each in table.state.players)
    missing = -(-(50 - held) // share_unit(table, company))
    return table.state.cash.get(player, 0) >= missing * chart.price(table, company)


class Foresight:
    """One company's turns until the end, as they would go if it always did the obvious."""

    def __init__(
        self,
        view: View,
        company: str,
        *,
        cash: int | None = None,
        space: int | None = None,
        trains: Sequence[Train] | None = None,
    ) -> None:
        table = view.table
        self.view, self.table, self.company = view, table, company
        self.calendar, self.weights = view.calendar, view.weights
        self.spec = table.title.companies[company]
        self.cash: float = table.state.cash[company] if cash is None else cash
        found = chart.position(table, company) if space is None else space
        self.space = found or 0
        own = runnable(table, company) if trains is None else trains
        self.fleet = [train.face for train in own]
        self.cash += table.state.local_price * sum(owner == company for owner in table.state.locals.values())
        self.faces = list(self.fleet)
        self.measured = self._measure()
        self.quality = self._quality()
        self.runs = self.calendar.runs(company)
        self.buys_now = (
            company != view.done and company in self.calendar.still_to_buy and company not in self.calendar.still_to_run
        )
        self.dividends = self.levies = self.due = 0.0
        self.next_revenue: float | None = None

    def prospect(self) -> Prospect:
        last = self.runs[-1] if self.runs else -1
        if self.buys_now and self.runs:
            self._buy(self.runs[0] - 1, self.runs[0], last)
        for number in self.runs:
            self._turn(number, last)
        price = self.table.title.prices[self.space]
        return Prospect(self.dividends, price, self.levies, self.cash, self.next_revenue or 0, self.due)

    # One turn

    def _turn(self, number: int, last: int) -> None:
        self.fleet = [face for face in self.fleet if self.calendar.lives(face, number)]
        self._within_limit(number)
        revenue = self._revenue(number)
        if self.next_revenue is None:
            self.next_revenue = revenue
        keeps = number < last and revenue > 0 and self._must_keep(number, last)
        if revenue > 0 and not keeps:
            self.dividends += revenue * self.calendar.cash_after(number)
            self._move(ROW * self.spec.spec.price_steps)
        else:
            self.cash += revenue
            self._move(-ROW)
        if number < last:
            self._buy(number, number + 1, last)

    def _move(self, spaces: int) -> None:
        top = len(self.table.title.prices) - 1
        while spaces > 0 and self.space + ROW <= top:
            self.space += ROW
            spaces -= ROW
        if spaces < 0 and self.space >= ROW:
            self.space -= ROW

    def _within_limit(self, number: int) -> None:
        limit = self.calendar.limit_at(number, self.spec.size)
        if limit and len(self.fleet) > limit:
            self.fleet = sorted(self.fleet, key=self._typical)[-limit:]

    def _must_keep(self, number: int, last: int) -> bool:
        """Whether it will soon have no train, and not the money for one."""
        for following in range(number + 1, number + 1 + self.weights.trains.keep_ahead):
            if following <= last and not any(self.calendar.lives(face, following) for face in self.fleet):
                face, price = self._cheapest(following - 1)
                return face is not None and self.cash < price
        return False

    # Trains

    def _buy(self, number: int, following: int, last: int) -> None:
        """What it will buy after a run: what it must, and what is worth the money that it has."""
        self.fleet = [face for face in self.fleet if self.calendar.lives(face, following)]
        if not self.fleet:
            self._replace(number, following)
        for _ in range(2):
            limit = self.calendar.limit_at(number, self.spec.size)
            if len(self.fleet) >= limit or not self._buy_more(number, following, last):
                return

    def _replace(self, number: int, following: int) -> None:
        faces = self._faces(number)
        good = [(face, price) for face, price in faces if price <= self.cash and self.calendar.lives(face, following)]
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
            self.levies += (price - self.cash) * self.calendar.cash_after(number) * self.weights.dealing.levy
            self.cash = price
        self.cash -= price
        self.fleet.append(face)

    def _buy_more(self, number: int, following: int, last: int) -> bool:
        best_gain, chosen, cost = 0.0, None, 0
        before = nominal(self.weights, self.fleet)
        for face, price in self._faces(number):
            if price > self.cash:
                continue
            lives = sum(self.calendar.lives(face, each) for each in range(following, last + 1))
            gain = (nominal(self.weights, [*self.fleet, face]) - before) * self.quality * lives
            if gain > best_gain and gain >= price * self.weights.trains.payback:
                best_gain, chosen, cost = gain, face, price
        if chosen is None:
            return False
        self.fleet.append(chosen)
        self.cash -= cost
        return True

    def pays(self, face: str) -> bool:
        """Whether one more train of a face would earn enough of its price, from the next run on."""
        price = dict(self._faces(self.calendar.rounds_before - 1)).get(face)
        lives = sum(self.calendar.lives(face, number) for number in self.runs)
        more = nominal(self.weights, [*self.fleet, face]) - nominal(self.weights, self.fleet)
        return price is not None and more * self.quality * lives >= price

    def earned_by(self, face: str) -> float:
        """What one of its trains will still earn for it."""
        if face not in self.fleet:
            return 0.0
        others = list(self.fleet)
        others.remove(face)
        less = nominal(self.weights, self.fleet) - nominal(self.weights, others)
        return less * self.quality * sum(self.calendar.lives(face, number) for number in self.runs)

    def _faces(self, number: int) -> list[tuple[str, int]]:
        """Faces of its own size that the bank will sell then, with their prices."""
        title = self.table.title
        faces = title.stack.spec[self.calendar.letter_at(number)].faces
        return [
            (face, price)
            for face, price in faces.items()
            if title.train_faces[face].size == self.spec.size and face not in self.table.state.scrapped
        ]

    def _cheapest(self, number: int) -> tuple[str | None, int]:
        faces = self._faces(number)
        return min(faces, key=lambda each: each[1]) if faces else (None, 0)

    # Revenue

    def _revenue(self, number: int) -> float:
        """Soon what the trains can run for now; later what such trains earn on track as good as this."""
        if not self.fleet:
            return 0.0
        ahead = number - (self.runs[0] if self.runs else number)
        grown = (1 + self.weights.future.growth) ** ahead
        later = nominal(self.weights, self.fleet) * self.quality * grown
        if ahead > 1 or self.measured is None or self.fleet != self.faces:
            return later
        part = self.weights.trains.as_measured[ahead]
        return self.measured * grown * part + later * (1 - part)

    def _typical(self, face: str) -> float:
        return self.weights.trains.typical[face]

    def _measure(self) -> float | None:
        """The present best run; of companies that are not at issue in an Operating Round, the last one."""
        table, company = self.table, self.company
        if company not in table.state.operated or not self.faces:
            return None
        if self.calendar.stock_round or company == self.calendar.in_turn or not table.state.revenue.get(company):
            return best_with(table, company, self.faces)
        return table.state.revenue[company]

    def _quality(self) -> float:
        """How good its track is, by what its best train can run for now; or the one that it could buy next."""
        table = self.table
        if self.company not in table.state.operated:
            return 1.0
        low, high = self.weights.trains.quality
        part = self.weights.trains.measured
        if self.measured is not None and (len(self.faces) == 1 or self.company != self.calendar.in_turn):
            measured = self.measured / nominal(self.weights, self.faces)
        else:
            faces = self.faces or [face for face, _ in self._faces(self.calendar.rounds_before)]
            if not faces:
                return 1.0
            face = max(faces, key=self._typical)
            measured = best_with(table, self.company, [face]) / self._typical(face)
        return max(low, min(high, measured * part + 1 - part))


def nominal(weights: CzWeights, faces: Sequence[str]) -> float:
    """What trains together typically earn."""
    amounts = sorted((weights.trains.typical[face] for face in faces), reverse=True)
    further = weights.trains.further
    return sum(amount * further[min(place, len(further) - 1)] for place, amount in enumerate(amounts))


def best_with(table: CzTable, company: str, faces: Sequence[str]) -> int:
    """The best run of a company if it had these trains."""
    trains = tuple(Train(f"z{number}", face) for number, face in enumerate(sorted(faces)))
    return best(with_trains(table, {company: trains}), company).revenue


def with_trains(table: CzTable, trains: Mapping[str, tuple[Train, ...]]) -> CzTable:
    """The table as if some companies had other trains."""
    other = copy(table)
    other.state = copy(table.state)
    other.state.trains = {**table.state.trains, **trains}
    return other
