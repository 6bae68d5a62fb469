"""Trains: buying, scrapping to make room, and what to make of offers."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal, best_first, or_pass
from ostbahn.kernel.actions import Accept, Decline
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.actions import BuyTrain, ScrapTrain
from ostbahn.titles.mag.opponents.cards import least_price, saved_elsewhere, train_price
from ostbahn.titles.mag.opponents.horizon import cash_value_later, rounds_after, treasury_value
from ostbahn.titles.mag.opponents.majors import gift
from ostbahn.titles.mag.opponents.runs import Fleet, equipped, fleet_of, sorted_fleet
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import Consent, MagTable, PurchaseTrains, ScrapTrains
from ostbahn.titles.mag.trains import owner_of, trains_of


class Works:
    """What trains are worth to a minor's owner from now on."""

    def __init__(self, table: MagTable, minor: str, weights: MagWeights) -> None:
        self.table = table
        self.minor = minor
        self.weights = weights
        self.player = table.state.owners[minor]
        self.rounds = rounds_after(table, weights)
        self.treasury = treasury_value(self.rounds, weights)
        self.cash = cash_value_later(table, weights)

    def a_round(self, fleet: Fleet) -> float:
        return equipped(self.table, self.minor, fleet).worth(self.treasury, self.cash)

    def to_the_end(self, fleet: Fleet) -> float:
        """All runs after the present Operating Round."""
        return self.a_round(fleet) * self.rounds * self.weights.trains.growth

    def least(self, face: str) -> int:
        """What the minor has to pay for a new train."""
        return least_price(self.table, self.minor, face)

    def price(self, face: str, paid: int) -> float:
        """What a new train costs the owner, less what comes back by the seller's dividends."""
        stack = self.table.title.stacks[face]
        part = stack.price * stack.part[0] // stack.part[1]
        return paid * self.treasury - gift(self.table, self.player, stack.seller, part, self.weights)

    def gain(self, fleet: Fleet, face: str, paid: int) -> float:
        """Of adding a new train to some."""
        return self.to_the_end(sorted_fleet((*fleet, face))) - self.to_the_end(fleet) - self.price(face, paid)


def purchases(question: Question, table: MagTable, task: PurchaseTrains, weights: MagWeights) -> list[Proposal]:
    works = Works(table, task.company, weights)
    fleet = fleet_of(table, task.company)
    found = []
    for option in question:
        action = option.action
        if isinstance(action, BuyTrain):
            gain = works.gain(fleet, action.face, train_price(table, action)) - weights.trains.margin
            gain -= saved_elsewhere(table, task.company, action) * works.treasury
            reasons = (f"gains about {gain:.0f} Ft in the rounds that are left",) if gain >= 1 else ()
            found.append(Proposal(action, gain, reasons))
    return best_first(or_pass(found, "no train is expected to earn its price"))


def worth_buying(table: MagTable, minor: str, weights: MagWeights) -> list[int]:
    """The prices of trains that would earn them, whether or not they can be paid."""
    if len(trains_of(table, minor)) >= table.title.minor.train_limit:
        return []
    works, fleet = Works(table, minor, weights), fleet_of(table, minor)
    prices = {face: works.least(face) for face in table.title.stacks}
    return [price for face, price in prices.items() if works.gain(fleet, face, price) > weights.trains.margin]


def scrapping(question: Question, table: MagTable, task: ScrapTrains, weights: MagWeights) -> list[Proposal]:
    """Room for a better train costs the run of the old one; only if the new one can then be paid."""
    found: list[Proposal] = []
    trains = trains_of(table, task.company)
    if len(trains) < table.title.minor.train_limit:
        return or_pass(found, "there is room for another train")
    works = Works(table, task.company, weights)
    fleet = fleet_of(table, task.company)
    for option in question:
        if isinstance(option.action, ScrapTrain):
            face = next(train.face for train in trains if train.card == option.action.card)
            rest = without(fleet, face)
            gain = _swap(works, fleet, rest) - 2 * weights.trains.margin
            reasons = (f"a better train in its place gains about {gain:.0f} Ft",) if gain >= 1 else ()
            found.append(Proposal(option.action, gain, reasons))
    return best_first(or_pass(found, "no better train is expected to earn what it costs"))


def without(fleet: Fleet, face: str) -> Fleet:
    left = list(fleet)
    left.remove(face)
    return tuple(left)


def _swap(works: Works, fleet: Fleet, rest: Fleet) -> float:
    """The best that can be made of scrapping a train now and buying another one after the run."""
    run = equipped(works.table, works.minor, rest)
    cars = works.weights.fixed.trains.cars_kept * works.table.phase.rail_cars[0]
    cash = works.table.state.cash[works.minor] + run.revenue // 2 + run.subsidy - cars
    lost = works.a_round(fleet) - works.a_round(rest) + works.to_the_end(fleet) - works.to_the_end(rest)
    prices = {face: works.least(face) for face in works.table.title.stacks}
    gains = [works.gain(rest, face, price) for face, price in prices.items() if price <= cash]
    return max(gains, default=-lost) - lost


def consent(question: Question, table: MagTable, task: Consent, weights: MagWeights) -> list[Proposal]:
    """A train is sold for more than its runs are worth."""
    seller = owner_of(table, task.offer.card)
    assert seller is not None
    works = Works(table, seller, weights)
    fleet = fleet_of(table, seller)
    face = next(train.face for train in trains_of(table, seller) if train.card == task.offer.card)
    lost = works.to_the_end(fleet) - works.to_the_end(without(fleet, face))
    replacing = works.price(face, works.least(face))
    lost = min(max(lost, 0.0), max(replacing, 0.0) + works.a_round(fleet))
    gain = task.offer.price * works.treasury - lost * weights.trains.consent_margin - weights.trains.margin
    price = task.offer.price
    dear = (f"the train is worth about {lost:.0f} Ft to you, and {price} Ft are offered",) if lost > price else ()
    cheap = (f"{price} Ft for a train that is worth about {lost:.0f} Ft to you",) if lost < price else ()
    return best_first([Proposal(Decline(), 0.0, dear), Proposal(Accept(), gain, cheap)])
