"""Share Rounds: which shares to buy, and what to sell for better ones."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal, best_first, or_pass
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.money import count_certificates, director, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.actions import BuyDirectorShare, BuyShare, SellShares
from ostbahn.titles.mag.opponents.horizon import rounds_after
from ostbahn.titles.mag.opponents.majors import outlook, shares
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.shares import certificate_limit
from ostbahn.titles.mag.state import MagTable, StockRound


def proposals(question: Question, table: MagTable, task: StockRound, weights: MagWeights) -> list[Proposal]:
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
        self.room = certificate_limit(table) - count_certificates(table, player)
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
        usual = self.weights.fixed.shares.usual_price
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
        lost = self.gain(action.major) + self.weights.fixed.shares.sale
        gain = -number * lost - self.weights.shares.swap_margin
        return Proposal(action, gain, ("money and room for better shares",))
