"""The draft, Share Rounds and payouts: what to take, to buy, to sell, and what a major pays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import floor
from typing import Final

from ostbahn.bots.policies import Proposal, best_first, or_pass
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.money import count_certificates, director, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.actions import (
    BuyDirectorShare,
    BuyShare,
    DraftMinor,
    DraftShare,
    DraftSupporter,
    PayDividend,
    SellShares,
)
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.opponents.worth import cash_value, income, outlook, rounds_after, shares, shares_there_are
from ostbahn.titles.mag.state import Draft, MagTable, PayOut, SoloDraft, StockRound


def draft_proposed(question: Question, table: MagTable, task: Draft | SoloDraft, weights: MagWeights) -> list[Proposal]:
    spec = weights.draft
    found = []
    for option in question:
        action = option.action
        if isinstance(action, DraftMinor):
            home = table.title.minors[action.minor].home.hex
            worth = spec.minors.get(action.minor, spec.unknown_minor)
            found.append(Proposal(action, worth, (f"home in {table.title.map[home].printed.name or home}",)))
        elif isinstance(action, DraftShare):
            worth = outlook(table, action.major, weights).worth
            found.append(Proposal(action, worth * spec.share_pull, (f"brings about {worth:.0f} Ft until the end",)))
        elif isinstance(action, DraftSupporter):
            supporter = table.title.supporters[action.supporter]
            found.append(Proposal(action, spec.supporters[action.supporter], (supporter.about,)))
    return best_first(found)


def shares_proposed(question: Question, table: MagTable, task: StockRound, weights: MagWeights) -> list[Proposal]:
    market = Market(table, task.player, weights)
    found = []
    for option in question:
        action = option.action
        if isinstance(action, BuyShare | BuyDirectorShare):
            found.append(market.purchase(action))
        elif isinstance(action, SellShares):
            found.append(market.sale(action))
    if question.only(Pass):
        passing, *_ = or_pass(found, "no share on offer is expected to bring more than it costs")
        found.append(passing)
    return best_first(found)


class Market:
    """Shares as a player sees them."""

    def __init__(self, table: MagTable, player: str, weights: MagWeights) -> None:
        self.table = table
        self.player = player
        self.weights = weights
        self.rounds = rounds_after(table, weights)
        self.room = table.certificate_limit - count_certificates(table, player)
        self.cash = table.state.cash[player]
        self.worth = {major: outlook(table, major, weights).worth for major in table.title.companies}
        self.price = {major: chart.price(table, major) for major in table.title.companies}

    def gain(self, major: str) -> float:
        """What a share brings beyond its price, until the end."""
        return self.worth[major] - self.price[major]

    def purchase(self, action: BuyShare | BuyDirectorShare) -> Proposal:
        """One more share; a director share for which another one is given in is one more as well (M.4/7)."""
        major = action.major
        gain = self.gain(major) + self._directorship(major)
        worth, price = self.worth[major], self.price[major]
        reasons = (f"brings about {worth:.0f} Ft until the end, for {price} Ft",) if worth > price else ()
        usual = self.weights.fixed.usual_price
        scarce_money = self.cash < self.room * usual
        score = gain if not scarce_money else gain * usual / self.price[major]
        return Proposal(action, score, reasons)

    def _directorship(self, major: str) -> float:
        """Who decides what is paid gets the best of it."""
        boss = director(self.table, major)
        mine = shares(self.table, self.player, major) + 1
        if boss == self.player:
            return 0.0
        threshold = 2 if boss is None else shares(self.table, boss, major) + 1
        return self.weights.shares.director if mine == threshold else 0.0

    def sale(self, action: SellShares) -> Proposal:
        """Selling brings a better share within reach, where certificates or money are short."""
        number = action.percent // share_unit(self.table, action.major)
        lost = self.gain(action.major) + self.weights.fixed.sale
        gain = -number * lost - self.weights.shares.swap_margin
        return Proposal(action, gain, ("money and room for better shares",))


def payouts_proposed(question: Question, table: MagTable, task: PayOut, weights: MagWeights) -> list[Proposal]:
    """Amounts that just move the marker, and everything; each followed by the best that can be done later."""
    plan = _plan_for(table)(table, task.company, question.decider, weights)
    cash = table.state.cash[task.company]
    space = chart.position(table, task.company) or 0
    found = []
    for amount, spaces in plan.choices(cash):
        score = plan.now(amount, spaces, cash, space)
        found.append(Proposal(PayDividend(amount), score, plan.reasons(amount, spaces, cash)))
    return best_first(found)


class Plan:
    """The payouts of a major until the end, for one of its shareholders."""

    def __init__(self, table: MagTable, major: str, player: str, weights: MagWeights) -> None:
        self.held = shares(table, player, major)
        self.all = shares_there_are(table, major)
        self.prices = table.title.prices
        self.step = table.title.major.payout_step
        rows = table.title.payouts
        starts = [0, *((row.up_to or 0) + self.step for row in rows[:-1])]
        self.moves = [(amount, row.spaces) for amount, row in zip(starts, rows, strict=True)]
        """The least amount for each move of the marker."""
        rounds = floor(rounds_after(table, weights) + 0.5)
        self.rounds = min(rounds, weights.payout.horizon)
        self.discount = weights.payout.discount
        self.cash = cash_value(table, weights)
        self.income = int(income(table, major, weights, table.state.phase)) // self.step * self.step
        self.later = cache(self._later)

    def choices(self, cash: int) -> list[tuple[int, int]]:
        """Nothing, the least for each move of the marker, and everything; each with the spaces that it moves."""
        everything = cash // self.step * self.step
        found = [move for move in self.moves if move[0] <= everything]
        if found[-1][0] < everything:
            found.append((everything, found[-1][1]))
        return found

    def now(self, amount: int, spaces: int, cash: int, space: int) -> float:
        return self.cash * self.held * amount / self.all + self.later(
            cash - amount, self.moved(space, spaces), self.rounds
        )

    def reasons(self, amount: int, spaces: int, cash: int) -> tuple[str, ...]:
        """What speaks for an amount: one's own part, a better price, and what is left for later."""
        found = []
        if own := self.held * amount // self.all:
            found.append(f"{own} Ft of it for you")
        if spaces > 0:
            found.append(f"the share price rises by {spaces} space{'s' if spaces > 1 else ''}")
        if left := cash - amount:
            found.append(f"{left} Ft stay for later payouts")
        return tuple(found)

    def moved(self, space: int, spaces: int) -> int:
        return min(max(space + spaces, 0), len(self.prices) - 1)

    def _later(self, cash: int, space: int, rounds: int) -> float:
        """The best from the next round on, with what the major is expected to get."""
        if not rounds:
            return float(self.held * self.prices[space])
        cash += self.income
        paid = self.discount ** (self.rounds - rounds + 1) * self.cash * self.held / self.all
        return max(
            paid * amount + self.later(cash - amount, self.moved(space, spaces), rounds - 1)
            for amount, spaces in self.choices(cash)
        )


class AllOrNothing(Plan):
    """With the module `standard_divs` a major pays everything or nothing, now and later (M.2/1)."""

    def choices(self, cash: int) -> list[tuple[int, int]]:
        nothing, *moves = super().choices(cash)
        return [nothing, *moves[-1:]]


PLANS: Final[Mapping[str, type[Plan]]] = {"standard_divs": AllOrNothing}
"""By modules that say what can be paid out."""


def _plan_for(table: MagTable) -> type[Plan]:
    return next((PLANS[module] for module in table.title.modules if module in PLANS), Plan)
