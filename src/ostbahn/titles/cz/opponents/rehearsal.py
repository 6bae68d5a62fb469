"""The rest of the game as it may go: everybody plays on by rules of thumb, and what that brings is written down.

In the last Stock Rounds this tells far better than a formula what a share will bring and who must pay for trains.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ostbahn.bots.trials import trial
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Paid, Record, RoundBegan
from ostbahn.titles.cz.actions import OfferAcquisition, PayOut
from ostbahn.titles.cz.opponents.calendar import Calendar
from ostbahn.titles.cz.state import Consent, CzState, CzTable, PurchaseTrains, UseIncome

Answering = Callable[[Question, Game], Action]


class Payment(NamedTuple):
    """Money that changes hands in an Operating Round, counted from the one after the rehearsal begins."""

    round: int
    amount: float


class Levy(NamedTuple):
    """What a Director adds for a train of his company."""

    player: str
    company: str
    paid: Payment
    soon: bool
    """Before the next Stock Round."""


class Rehearsal:
    """A game played on to its end, with everything that matters to shareholders."""

    def __init__(self, game: Game, answering: Answering) -> None:
        self.dividends: defaultdict[str, list[Payment]] = defaultdict(list)
        """For one share of each company."""
        self.taken_over: dict[str, Payment] = {}
        self.levies: list[Levy] = []
        self._round, self._soon = -1, True
        table = _table(game)
        self._units = {company: share_unit(table, company) for company in table.state.floated}
        asked: set[str] = set()
        game = trial(game)
        while (question := game.question) is not None:
            asked.add(question.decider)
            action = question.options[0].action if question.obvious else answering(question, game)
            self._write_down(question, game.apply(action), _table(game).state)
            game.forget()
        end = _table(game)
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
                    paid = Payment(self._round, event.amount)
                    self.levies.append(Levy(event.source, event.target, paid, self._soon))
        if isinstance(task, UseIncome) and isinstance(action, PayOut) and task.company in self._units:
            share = task.revenue * self._units[task.company] / 100
            self.dividends[task.company].append(Payment(self._round, share))
        offer = task.offer if isinstance(task, Consent) else action
        if isinstance(offer, OfferAcquisition) and offer.company in then.closed and offer.company in self._units:
            self.taken_over[offer.company] = Payment(self._round, offer.price)

    # What it tells

    def knows(self, company: str) -> bool:
        return company in self.prices or company in self.taken_over

    def share(self, company: str, calendar: Calendar) -> float:
        """What one share brings, with what its dividends become until the end."""
        payments = list(self.dividends.get(company, ()))
        if company in self.taken_over:
            payments.append(self.taken_over[company])
        return sum(_becomes(each, calendar) for each in payments) + self.prices.get(company, 0)

    def levied(self, player: str, company: str, calendar: Calendar) -> float:
        """What a player adds for trains of a company, reckoned in the same way."""
        mine = (levy for levy in self.levies if (levy.player, levy.company) == (player, company))
        return sum(_becomes(levy.paid, calendar) for levy in mine)

    def due(self, player: str) -> float:
        """What a player will be asked to add for trains before the next Stock Round."""
        mine = (levy for levy in self.levies if levy.player == player and levy.soon)
        return sum(levy.paid.amount for levy in mine if self.knows(levy.company))


def _becomes(payment: Payment, calendar: Calendar) -> float:
    return payment.amount * calendar.cash_after(calendar.rounds_before + payment.round)


def _table(game: Game) -> CzTable:
    table = game.table
    assert isinstance(table, CzTable)
    return table


# Once for each Stock Round


class Moment:
    """A game as it stands; two are the same if they have the very same state."""

    def __init__(self, game: Game, answering: Answering) -> None:
        self.game, self.answering = game, answering

    def __hash__(self) -> int:
        return id(self.game.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moment) and other.game.state is self.game.state and other.answering is self.answering


def rehearsed(game: Game, answering: Answering) -> Rehearsal:
    """The rehearsal of a Stock Round from its beginning; it is not repeated after every purchase."""
    return _rehearsed(Moment(game.at(_beginning(game)), answering))


@lru_cache(maxsize=4)
def _rehearsed(moment: Moment) -> Rehearsal:
    return Rehearsal(moment.game, moment.answering)


def _beginning(game: Game) -> int:
    """After how many answers the present round began."""
    records = game.records
    for number in range(len(records), 0, -1):
        if any(isinstance(event, RoundBegan) for event in records[number - 1].events):
            return number
    return 0
