"""Proposals in the draft and Share Rounds, and for payouts of majors."""

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
from ostbahn.titles.mag.opponents.worth import MagBotView, number_of_shares, shares
from ostbahn.titles.mag.state import Draft, PayOut, SoloDraft, StockRound


def draft_proposed(question: Question, view: MagBotView, task: Draft | SoloDraft) -> list[Proposal]:
    """Score minors and supporters by their weights, and shares by their worth."""
    title, weights = view.title, view.weights.draft
    proposals = []
    for option in question:
        match option.action:
            case actions.DraftMinor(minor=minor):
                home = title.minors[minor].home.hex
                score = weights.minors.get(minor, weights.unknown_minor)
                reason = f"home in {title.map[home].printed.name or home}"
            case actions.DraftShare(major=major):
                worth = view.outlook(major).worth
                score, reason = worth * weights.share_pull, f"brings about {worth:.0f} Ft until the end"
            case actions.DraftSupporter(supporter=card):
                score, reason = weights.supporters[card], title.supporters[card].about
            case _:
                continue
        proposals.append(Proposal(option.action, score, (reason,)))
    return best_first(proposals)


def shares_proposed(question: Question, view: MagBotView, task: StockRound) -> list[Proposal]:
    market = Market(view, task.player)
    proposals = []
    for option in question:
        action = option.action
        if isinstance(action, actions.BuyShare | actions.BuyDirectorShare):
            proposals.append(market.purchase(action))
        elif isinstance(action, actions.SellShares):
            proposals.append(market.sale(action))
    if question.only(Pass):
        pass_proposal, *_ = with_pass(proposals, "no share on offer is expected to bring more than it costs")
        proposals.append(pass_proposal)
    return best_first(proposals)


class Market:
    """Values of shares to a player, and proposals to trade them."""

    def __init__(self, view: MagBotView, player: str) -> None:
        self.table = table = view.table
        self.player, self.weights = player, view.weights
        self.worth = {major: view.outlook(major).worth for major in table.title.companies}
        self.price = {major: chart.price(table, major) for major in table.title.companies}
        room = table.certificate_limit - count_certificates(table, player)
        self.scarce_money = table.state.cash[player] < room * self.weights.fixed.usual_price

    def purchase(self, action: actions.BuyShare | actions.BuyDirectorShare) -> Proposal:
        """Propose to buy a share; exchanging one for a director share gains one share as well (M.4/7)."""
        major = action.major
        worth, price = self.worth[major], self.price[major]
        score = worth - price + self._directorship_bonus(major)
        if self.scarce_money:
            score = score * self.weights.fixed.usual_price / price
        reasons = (f"brings about {worth:.0f} Ft until the end, for {price} Ft",) if worth > price else ()
        return Proposal(action, score, reasons)

    def _directorship_bonus(self, major: str) -> float:
        """Bonus for a share that makes the player director, who decides the payouts."""
        current = director(self.table, major)
        if current == self.player:
            return 0.0
        shares_needed = 2 if current is None else shares(self.table, current, major) + 1
        return self.weights.shares.director if shares(self.table, self.player, major) + 1 == shares_needed else 0.0

    def sale(self, action: actions.SellShares) -> Proposal:
        """Propose to sell: it frees certificates and money for better shares."""
        count = action.percent // share_unit(self.table, action.major)
        loss_per_share = self.worth[action.major] - self.price[action.major] + self.weights.fixed.sale
        gain = -count * loss_per_share - self.weights.shares.swap_margin
        return Proposal(action, gain, ("money and room for better shares",))


def payouts_proposed(question: Question, view: MagBotView, task: PayOut) -> list[Proposal]:
    """Score the least payout of each price move, and the full one, with the best payouts afterwards."""
    plan_type = next((PAYOUT_PLANS[module] for module in view.title.modules if module in PAYOUT_PLANS), PayoutPlan)
    plan = plan_type(view, task.company, question.decider)
    cash = view.state.cash[task.company]
    space = chart.position(view.table, task.company) or 0
    return best_first(
        Proposal(
            actions.PayDividend(amount), plan.score(amount, spaces, cash, space), plan.reasons(amount, spaces, cash)
        )
        for amount, spaces in plan.choices(cash)
    )


class PayoutPlan:
    """The payouts of a major until the end, for one of its shareholders."""

    def __init__(self, view: MagBotView, major: str, player: str) -> None:
        title, weights = view.title, view.weights.payout
        self.held = shares(view.table, player, major)
        self.all_shares = number_of_shares(view.table, major)
        self.prices = title.prices
        self.step = title.major.payout_step
        least_amounts = [0, *((row.up_to or 0) + self.step for row in title.payouts[:-1])]
        self.moves = [(amount, row.spaces) for amount, row in zip(least_amounts, title.payouts, strict=True)]
        """The least amount for each price move."""
        self.rounds = min(floor(view.rounds + 0.5), weights.horizon)
        self.discount = weights.discount
        self.cash = view.cash
        self.income = int(view.income(major, view.state.phase)) // self.step * self.step
        self.best_future = cache(self._best_future)

    def choices(self, cash: int) -> list[tuple[int, int]]:
        """Amounts with the spaces that they move the price: the least for each price move, and everything."""
        everything = cash // self.step * self.step
        choices = [move for move in self.moves if move[0] <= everything]
        if choices[-1][0] < everything:
            choices.append((everything, choices[-1][1]))
        return choices

    def score(self, amount: int, spaces: int, cash: int, space: int) -> float:
        future = self.best_future(cash - amount, self.moved(space, spaces), self.rounds)
        return self.cash * self.held * amount / self.all_shares + future

    def reasons(self, amount: int, spaces: int, cash: int) -> tuple[str, ...]:
        """Reasons for an amount: the player's own part, a higher price, and money for later payouts."""
        reasons = []
        if own := self.held * amount // self.all_shares:
            reasons.append(f"{own} Ft of it for you")
        if spaces > 0:
            reasons.append(f"the share price rises by {spaces} space{'s' if spaces > 1 else ''}")
        if left := cash - amount:
            reasons.append(f"{left} Ft stay for later payouts")
        return tuple(reasons)

    def moved(self, space: int, spaces: int) -> int:
        return min(max(space + spaces, 0), len(self.prices) - 1)

    def _best_future(self, cash: int, space: int, rounds: int) -> float:
        """Highest value of the payouts in the remaining rounds, with the expected income of the major."""
        if not rounds:
            return float(self.held * self.prices[space])
        cash += self.income
        share_value = self.discount ** (self.rounds - rounds + 1) * self.cash * self.held / self.all_shares
        return max(
            share_value * amount + self.best_future(cash - amount, self.moved(space, spaces), rounds - 1)
            for amount, spaces in self.choices(cash)
        )


class AllOrNothing(PayoutPlan):
    """The module `standard_divs`: a major pays everything or nothing, now and later (M.2/1)."""

    def choices(self, cash: int) -> list[tuple[int, int]]:
        nothing, *moves = super().choices(cash)
        return [nothing, *moves[-1:]]


PAYOUT_PLANS: Final[Mapping[str, type[PayoutPlan]]] = {"standard_divs": AllOrNothing}
"""Payout plan by the module that restricts payouts."""
