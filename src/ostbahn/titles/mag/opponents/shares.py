"""The draft, Share Rounds and payouts: what to take, to buy, to sell, and what a major pays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import floor
from typing import Final

from ostbahn.bots.policies import Proposal, best_first, with_pass
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.money import count_certificates, director, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import actions
from ostbahn.titles.mag.opponents.worth import MagBotView, shares, shares_there_are
from ostbahn.titles.mag.state import Draft, PayOut, SoloDraft, StockRound


def draft_proposed(question: Question, view: MagBotView, task: Draft | SoloDraft) -> list[Proposal]:
    title, spec = view.title, view.weights.draft
    found = []
    for option in question:
        match option.action:
            case actions.DraftMinor(minor=minor):
                home = title.minors[minor].home.hex
                score = spec.minors.get(minor, spec.unknown_minor)
                reason = f"home in {title.map[home].printed.name or home}"
            case actions.DraftShare(major=major):
                worth = view.outlook(major).worth
                score, reason = worth * spec.share_pull, f"brings about {worth:.0f} Ft until the end"
            case actions.DraftSupporter(supporter=card):
                score, reason = spec.supporters[card], title.supporters[card].about
            case _:
                continue
        found.append(Proposal(option.action, score, (reason,)))
    return best_first(found)


def shares_proposed(question: Question, view: MagBotView, task: StockRound) -> list[Proposal]:
    market = Market(view, task.player)
    found = []
    for option in question:
        action = option.action
        if isinstance(action, actions.BuyShare | actions.BuyDirectorShare):
            found.append(market.purchase(action))
        elif isinstance(action, actions.SellShares):
            found.append(market.sale(action))
    if question.only(Pass):
        passing, *_ = with_pass(found, "no share on offer is expected to bring more than it costs")
        found.append(passing)
    return best_first(found)


class Market:
    """Shares as a player sees them."""

    def __init__(self, view: MagBotView, player: str) -> None:
        self.table = table = view.table
        self.player, self.weights = player, view.weights
        self.worth = {major: view.outlook(major).worth for major in table.title.companies}
        self.price = {major: chart.price(table, major) for major in table.title.companies}
        room = table.certificate_limit - count_certificates(table, player)
        self.scarce_money = table.state.cash[player] < room * self.weights.fixed.usual_price

    def purchase(self, action: actions.BuyShare | actions.BuyDirectorShare) -> Proposal:
        """One more share; a director share for which another one is given in is one more as well (M.4/7)."""
        major = action.major
        worth, price = self.worth[major], self.price[major]
        score = worth - price + self._directorship(major)
        if self.scarce_money:
            score = score * self.weights.fixed.usual_price / price
        return Proposal(
            action, score, (f"brings about {worth:.0f} Ft until the end, for {price} Ft",) if worth > price else ()
        )

    def _directorship(self, major: str) -> float:
        """Who decides what is paid gets the best of it."""
        boss = director(self.table, major)
        if boss == self.player:
            return 0.0
        threshold = 2 if boss is None else shares(self.table, boss, major) + 1
        return self.weights.shares.director if shares(self.table, self.player, major) + 1 == threshold else 0.0

    def sale(self, action: actions.SellShares) -> Proposal:
        """Selling brings a better share within reach, where certificates or money are short."""
        number = action.percent // share_unit(self.table, action.major)
        lost = self.worth[action.major] - self.price[action.major] + self.weights.fixed.sale
        gain = -number * lost - self.weights.shares.swap_margin
        return Proposal(action, gain, ("money and room for better shares",))


def payouts_proposed(question: Question, view: MagBotView, task: PayOut) -> list[Proposal]:
    """Amounts that just move the marker, and everything; each followed by the best that can be done later."""
    kind = next((PAYOUT_PLANS[module] for module in view.title.modules if module in PAYOUT_PLANS), PayoutPlan)
    plan = kind(view, task.company, question.decider)
    cash = view.state.cash[task.company]
    space = chart.position(view.table, task.company) or 0
    return best_first(
        Proposal(actions.PayDividend(amount), plan.now(amount, spaces, cash, space), plan.reasons(amount, spaces, cash))
        for amount, spaces in plan.choices(cash)
    )


class PayoutPlan:
    """The payouts of a major until the end, for one of its shareholders."""

    def __init__(self, view: MagBotView, major: str, player: str) -> None:
        title, weights = view.title, view.weights.payout
        self.held = shares(view.table, player, major)
        self.all = shares_there_are(view.table, major)
        self.prices = title.prices
        self.step = title.major.payout_step
        starts = [0, *((row.up_to or 0) + self.step for row in title.payouts[:-1])]
        self.moves = [(amount, row.spaces) for amount, row in zip(starts, title.payouts, strict=True)]
        """The least amount for each move of the marker."""
        self.rounds = min(floor(view.rounds + 0.5), weights.horizon)
        self.discount = weights.discount
        self.cash = view.cash
        self.income = int(view.income(major, view.state.phase)) // self.step * self.step
        self.later = cache(self._later)

    def choices(self, cash: int) -> list[tuple[int, int]]:
        """Nothing, the least for each move of the marker, and everything; each with the spaces that it moves."""
        everything = cash // self.step * self.step
        found = [move for move in self.moves if move[0] <= everything]
        if found[-1][0] < everything:
            found.append((everything, found[-1][1]))
        return found

    def now(self, amount: int, spaces: int, cash: int, space: int) -> float:
        later = self.later(cash - amount, self.moved(space, spaces), self.rounds)
        return self.cash * self.held * amount / self.all + later

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


class AllOrNothing(PayoutPlan):
    """With the module `standard_divs` a major pays everything or nothing, now and later (M.2/1)."""

    def choices(self, cash: int) -> list[tuple[int, int]]:
        nothing, *moves = super().choices(cash)
        return [nothing, *moves[-1:]]


PAYOUT_PLANS: Final[Mapping[str, type[PayoutPlan]]] = {"standard_divs": AllOrNothing}
"""By modules that say what can be paid out."""
