"""Forecasts of what companies earn: by simulating each company alone, or by a rollout of the whole game.

A rollout plays the rest of the game by rules of thumb and records payments. In the last Stock Rounds it predicts share
values and Directors' payments for trains far better than the simulation.
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
"""Cache size: most candidate actions change the prospect of one company only."""


class Prospect(NamedTuple):
    """The forecast for a company, for a holder of 100%."""

    dividends: float
    """Final value of all dividends to come."""
    price: int
    """Final share price."""
    levies: float
    """Final value of what its Director must add for trains."""
    treasury: float
    """Cash left at the end, which nobody gets."""
    next_revenue: float
    due: float
    """What its Director must add in its next turn."""


class ProspectInput(NamedTuple):
    """Everything that a company's prospect depends on, as a cache key."""

    ahead: RoundForecast
    company: str
    cash: float
    space: int
    """Space of its share price on the chart."""
    faces: tuple[str, ...]
    """Faces of its trains."""
    measured: float | None
    """Revenue that these can earn now."""
    quality: float
    """What trains earn on its track, relative to their typical revenue."""
    runs: range
    """Numbers of the Operating Rounds in which it will still run."""
    buys_now: bool
    """Whether it will still buy before its next run."""


@lru_cache(maxsize=PROSPECTS_KEPT)
def prospect_of(outset: ProspectInput) -> Prospect:
    return _ProspectSimulation(outset).prospect()


class _ProspectSimulation:
    """Simulate one company turn by turn."""

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
        withholds = number < last and revenue > 0 and self._must_keep(number, last)
        if revenue > 0 and not withholds:
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
        """Whether it will soon have neither a train nor the money for one."""
        for following in range(number + 1, number + 1 + self.weights.trains.keep_ahead):
            if following <= last and not any(self.ahead.lives(face, following) for face in self.fleet):
                faces = self.ahead.for_sale(following - 1, self.spec.size)
                return bool(faces) and self.cash < min(price for _, price in faces)
        return False

    # Trains

    def _buy(self, number: int, following: int, last: int) -> None:
        """Buy the train that it needs after a run, then those that repay their price."""
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
        lasting = [(face, price) for face, price in faces if price <= self.cash and self.ahead.lives(face, following)]
        if lasting:
            face, price = max(lasting, key=lambda sold: self._typical(sold[0]))
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
            runs_left = sum(self.ahead.lives(face, round_number) for round_number in range(following, last + 1))
            gain = (nominal(self.weights, [*self.fleet, face]) - before) * self.outset.quality * runs_left
            if gain > best_gain and gain >= price * self.weights.trains.payback:
                best_gain, chosen, cost = gain, face, price
        if chosen is None:
            return False
        self.fleet.append(chosen)
        self.cash -= cost
        return True

    # Revenue

    def _revenue(self, number: int) -> float:
        """Blend the measured revenue, which counts for the next runs, into the typical one."""
        if not self.fleet:
            return 0.0
        ahead = number - (self.runs[0] if self.runs else number)
        growth = (1 + self.weights.future.growth) ** ahead
        typical = nominal(self.weights, self.fleet) * self.outset.quality * growth
        measured = self.outset.measured
        measured_parts = self.weights.trains.as_measured
        if ahead >= len(measured_parts) or measured is None or tuple(self.fleet) != self.outset.faces:
            return typical
        part = measured_parts[ahead]
        return measured * growth * part + typical * (1 - part)

    def _typical(self, face: str) -> float:
        return self.weights.trains.typical[face]


def nominal(weights: CzWeights, faces: Sequence[str]) -> float:
    """Return what the trains typically earn together."""
    amounts = sorted((weights.trains.typical[face] for face in faces), reverse=True)
    further = weights.trains.further
    return sum(amount * further[min(place, len(further) - 1)] for place, amount in enumerate(amounts))


Answering = Callable[[Question, Game], Action]


class RoundPayment(NamedTuple):
    """A payment in an Operating Round, counted from the first one that begins in the rollout."""

    round: int
    amount: float


class DirectorLevy(NamedTuple):
    """What a Director adds for a train of their company."""

    player: str
    company: str
    paid: RoundPayment
    soon: bool
    """Whether it is paid before the next Stock Round."""


class GameRollout:
    """Play a game to its end and record what shareholders get and pay."""

    def __init__(self, game: Game, answering: Answering) -> None:
        self.dividends: defaultdict[str, list[RoundPayment]] = defaultdict(list)
        """Dividends for one share of each company."""
        self.taken_over: dict[str, RoundPayment] = {}
        self.levies: list[DirectorLevy] = []
        self._round, self._soon = -1, True
        table = cz_table(game)
        self._units = {company: share_unit(table, company) for company in table.state.floated}
        deciders: set[str] = set()
        game = trial_game(game)
        while (question := game.question) is not None:
            deciders.add(question.decider)
            action = question.options[0].action if question.obvious else answering(question, game)
            self._write_down(question, game.apply(action), cz_table(game).state)
            game.drop_history()
        end = cz_table(game)
        directed = [company for company in self._units if director(table, company) in deciders]  # leaves out Vaclav's
        self.prices = {company: chart.price(end, company) for company in directed if company not in end.state.closed}
        """Final share prices of companies that had floated when the rollout began."""

    def _write_down(self, question: Question, record: Record, after: CzState) -> None:
        task, action = question.task, record.action
        for event in record.events:
            match event:
                case RoundBegan():
                    self._round += event.round.startswith("OR")
                    self._soon &= not event.round.startswith("SR")
                case Paid() if isinstance(task, PurchaseTrains) and event.source in after.players:
                    paid = RoundPayment(self._round, event.amount)
                    self.levies.append(DirectorLevy(event.source, event.target, paid, self._soon))
        if isinstance(task, UseIncome) and isinstance(action, PayOut) and task.company in self._units:
            share = task.revenue * self._units[task.company] / 100
            self.dividends[task.company].append(RoundPayment(self._round, share))
        offer = task.offer if isinstance(task, Consent) else action
        if isinstance(offer, OfferAcquisition) and offer.company in after.closed and offer.company in self._units:
            self.taken_over[offer.company] = RoundPayment(self._round, offer.price)

    # Results

    def knows(self, company: str) -> bool:
        return company in self.prices or company in self.taken_over

    def share(self, company: str, calendar: Calendar) -> float:
        """Return the final value of one share with its dividends."""
        payments = [*self.dividends.get(company, ())]
        if company in self.taken_over:
            payments.append(self.taken_over[company])
        return sum(_final_value(payment, calendar) for payment in payments) + self.prices.get(company, 0)

    def levied(self, player: str, company: str, calendar: Calendar) -> float:
        """Return the final value of what a player adds for trains of a company."""
        mine = (levy for levy in self.levies if (levy.player, levy.company) == (player, company))
        return sum(_final_value(levy.paid, calendar) for levy in mine)

    def due(self, player: str) -> float:
        """Return what a player must add for trains before the next Stock Round."""
        mine = (levy for levy in self.levies if levy.player == player and levy.soon)
        return sum(levy.paid.amount for levy in mine if self.knows(levy.company))


def _final_value(payment: RoundPayment, calendar: Calendar) -> float:
    return payment.amount * calendar.ahead.cash_after(calendar.rounds_before + payment.round)


# One rollout for each Stock Round


class RolloutStart:
    """A cache key: equal if both games have the identical state object."""

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
    """Return the rollout from the beginning of the Stock Round, cached for all of its turns."""
    return _cached_rollout(RolloutStart(game.position(_round_beginning(game)), answering))


@lru_cache(maxsize=4)
def _cached_rollout(start: RolloutStart) -> GameRollout:
    return GameRollout(start.game, start.answering)


def _round_beginning(game: Game) -> int:
    """Return the number of actions after which the current round began."""
    records = game.records
    for number in range(len(records), 0, -1):
        if any(isinstance(event, RoundBegan) for event in records[number - 1].events):
            return number
    return 0
