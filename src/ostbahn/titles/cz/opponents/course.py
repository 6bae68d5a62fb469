"""What companies will bring: by a formula, turn by turn as if each always did the obvious, or by a rehearsal.

A rehearsal is the rest of the game as it may go: everybody plays on by rules of thumb, and what that brings is noted.
In the last Stock Rounds it tells far better than the formula what a share will bring and who must pay for trains.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.bots.playing import trial_game
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Paid, Record, RoundBegan
from ostbahn.titles.cz.actions import OfferAcquisition, PayOut
from ostbahn.titles.cz.opponents.calendar import Calendar, RoundForecast
from ostbahn.titles.cz.opponents.weights import CzWeights
from ostbahn.titles.cz.state import Consent, CzState, PurchaseTrains, UseIncome
from ostbahn.titles.cz.stock import ROW
from ostbahn.titles.cz.words.text_renderer import cz_table

PROSPECTS_KEPT: Final = 4096
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


class ProspectInput(NamedTuple):
    """Where a company's future begins: all that it hangs on."""

    ahead: RoundForecast
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


@lru_cache(maxsize=PROSPECTS_KEPT)
def prospect_of(outset: ProspectInput) -> Prospect:
    return _ProspectSimulation(outset).prospect()


class _ProspectSimulation:
    """The future as it takes its course, turn by turn."""

    def __init__(self, outset: ProspectInput) -> None:
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
                faces = self.ahead.for_sale(following - 1, self.spec.size)
                return bool(faces) and self.cash < min(price for _, price in faces)
        return False

    # Trains

    def _buy(self, number: int, following: int, last: int) -> None:
        """What it will buy after a run: what it must, and what is worth the money that it has."""
        self.fleet = [face for face in self.fleet if self.ahead.lives(face, following)]
        if not self.fleet:
            self._replace(number, following)
        for _ in range(self.weights.fixed.more_in_a_turn):
            limit = self.ahead.limit_at(number, self.spec.size)
            if len(self.fleet) >= limit or not self._buy_more(number, following, last):
                return

    def _replace(self, number: int, following: int) -> None:
        faces = self.ahead.for_sale(number, self.spec.size)
        if not faces:
            return
        good = [(face, price) for face, price in faces if price <= self.cash and self.ahead.lives(face, following)]
        if good:
            face, price = max(good, key=lambda sold: self._typical(sold[0]))
        else:
            face, price = min(faces, key=lambda sold: sold[1])
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


Answering = Callable[[Question, Game], Action]


class RoundPayment(NamedTuple):
    """Money that changes hands in an Operating Round, counted from the one after the rehearsal begins."""

    round: int
    amount: float


class DirectorLevy(NamedTuple):
    """What a Director adds for a train of his company."""

    player: str
    company: str
    paid: RoundPayment
    soon: bool
    """Before the next Stock Round."""


class GameRollout:
    """A game played on to its end, with everything that matters to shareholders."""

    def __init__(self, game: Game, answering: Answering) -> None:
        self.dividends: defaultdict[str, list[RoundPayment]] = defaultdict(list)
        """For one share of each company."""
        self.taken_over: dict[str, RoundPayment] = {}
        self.levies: list[DirectorLevy] = []
        self._round, self._soon = -1, True
        table = cz_table(game)
        self._units = {company: share_unit(table, company) for company in table.state.floated}
        asked: set[str] = set()
        game = trial_game(game)
        while (question := game.question) is not None:
            asked.add(question.decider)
            action = question.options[0].action if question.obvious else answering(question, game)
            self._write_down(question, game.apply(action), cz_table(game).state)
            game.drop_history()
        end = cz_table(game)
        directed = [company for company in self._units if director(table, company) in asked]  # not those of Vaclav
        self.prices = {company: chart.price(end, company) for company in directed if company not in end.state.closed}
        """Of shares at the end, of companies that ran when the rehearsal began."""

    def _write_down(self, question: Question, record: Record, then: CzState) -> None:
        task, action = question.task, record.action
        for event in record.events:
            match event:
                case RoundBegan():
                    self._round += event.round.startswith("OR")
                    self._soon &= not event.round.startswith("SR")
                case Paid() if isinstance(task, PurchaseTrains) and event.source in then.players:
                    paid = RoundPayment(self._round, event.amount)
                    self.levies.append(DirectorLevy(event.source, event.target, paid, self._soon))
        if isinstance(task, UseIncome) and isinstance(action, PayOut) and task.company in self._units:
            share = task.revenue * self._units[task.company] / 100
            self.dividends[task.company].append(RoundPayment(self._round, share))
        offer = task.offer if isinstance(task, Consent) else action
        if isinstance(offer, OfferAcquisition) and offer.company in then.closed and offer.company in self._units:
            self.taken_over[offer.company] = RoundPayment(self._round, offer.price)

    # What it tells

    def knows(self, company: str) -> bool:
        return company in self.prices or company in self.taken_over

    def share(self, company: str, calendar: Calendar) -> float:
        """What one share brings, with what its dividends become until the end."""
        payments = [*self.dividends.get(company, ())]
        if company in self.taken_over:
            payments.append(self.taken_over[company])
        return sum(_final_value(payment, calendar) for payment in payments) + self.prices.get(company, 0)

    def levied(self, player: str, company: str, calendar: Calendar) -> float:
        """What a player adds for trains of a company, reckoned in the same way."""
        mine = (levy for levy in self.levies if (levy.player, levy.company) == (player, company))
        return sum(_final_value(levy.paid, calendar) for levy in mine)

    def due(self, player: str) -> float:
        """What a player will be asked to add for trains before the next Stock Round."""
        mine = (levy for levy in self.levies if levy.player == player and levy.soon)
        return sum(levy.paid.amount for levy in mine if self.knows(levy.company))


def _final_value(payment: RoundPayment, calendar: Calendar) -> float:
    return payment.amount * calendar.ahead.cash_after(calendar.rounds_before + payment.round)


# Once for each Stock Round


class RolloutStart:
    """A game as it stands; two are the same if they have the very same state."""

    def __init__(self, game: Game, answering: Answering) -> None:
        self.game, self.answering = game, answering

    def __hash__(self) -> int:
        return id(self.game.state)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RolloutStart)
            and other.game.state is self.game.state
            and other.answering is self.answering
        )


def stock_round_rollout(game: Game, answering: Answering) -> GameRollout:
    """The rehearsal of a Stock Round from its beginning; it is not repeated after every purchase."""
    return _cached_rollout(RolloutStart(game.position(_round_beginning(game)), answering))


@lru_cache(maxsize=4)
def _cached_rollout(moment: RolloutStart) -> GameRollout:
    return GameRollout(moment.game, moment.answering)


def _round_beginning(game: Game) -> int:
    """After how many answers the present round began."""
    records = game.records
    for number in range(len(records), 0, -1):
        if any(isinstance(event, RoundBegan) for event in records[number - 1].events):
            return number
    return 0
