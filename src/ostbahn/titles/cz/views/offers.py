"""What stands on the cards of 18CZ in Stock Rounds, in the Pre-Stock Round and in the auction, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ostbahn.eighteen.views import BaseViews
from ostbahn.kernel.actions import Action
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import Bid, BuyLocal, BuyShare, NamePaper, OpenAuction, SellShares, StartCompany
from ostbahn.titles.cz.auction import least_bid, minimum, on_sale, opener
from ostbahn.titles.cz.moravia_table import MoraviaTable
from ostbahn.titles.cz.pictures import INCOMES, PAPERS, powers
from ostbahn.titles.cz.state import Auction, Bidding, CzTable, PreStock, StockRound
from ostbahn.views.common import who_view
from ostbahn.views.question import AuctionView, ItemView, PickView
from ostbahn.views.title_views import Candidate

OPENS: Final = "opens with the first {opens}-train"
LIMIT: Final = "at most {holding_limit} %"
SUCCESSOR: Final = "must keep {card} %"
DEAR: Final = "you have only {cash} K"

SHORT: Final[Mapping[str, str]] = {
    "VI/3": DEAR,
    "VII.1/1": "none left",
    "VII.3/1": OPENS,
    "VII.3/2": OPENS,
    "VII.3/3": OPENS,
    "VII.3/6": DEAR,
    "VII.3/7": "repay your debt of {debt} K first",
    "VII.3/8": "sold in this round",
    "VII.4/1": "{certificates} of {limit} certificates",
    "VII.4/5": LIMIT,
    "VII.4/6": LIMIT,
    "XI.1/17": LIMIT,
    "XI.2/6": LIMIT,
    "VII.5.b/6": SUCCESSOR,
    "VII.6/5": SUCCESSOR,
    "VII.6/4": "no sales in the first Stock Round",
    "XI.2/20": DEAR,
}
"""Refusals as they stand on a card, by the rule that they cite."""


class CzOffers(BaseViews[CzTable]):
    short_reasons = SHORT

    def candidates(self, question: Question) -> Iterator[Candidate]:
        table, task = self.table, question.task
        if isinstance(task, StockRound):
            for company in table.state.certificates:
                yield from self._shares(task.player, company)
        elif isinstance(task, PreStock):
            for local, spec in table.title.locals.items():
                if table.state.locals.get(local) == BANK:
                    yield Candidate(local, "buy", "Buy", spec.price, BuyLocal(local))
        elif isinstance(table, MoraviaTable):
            yield from _bids(table, task)

    def _shares(self, player: str, company: str) -> Iterator[Candidate]:
        if company in self.table.state.start_prices:
            yield self.buying(company, BuyShare(company))
            yield from self.sales(player, company, SellShares)
            return
        for price in self.table.title.companies[company].spec.start_prices:
            start, short = StartCompany(company, price), str(price)
            yield Candidate(company, "start", f"Start at {price}", 2 * price, start, "Start", "Start higher", short)

    def facts(self, player: str, candidate: Candidate) -> dict[str, Any]:
        facts = {**super().facts(player, candidate), "debt": self.table.state.debts.get(player, 0)}
        company = self.table.title.companies.get(candidate.subject)
        if company is None:
            return facts
        return {
            **facts,
            "holding_limit": company.spec.holding_limit,
            "card": company.certificates[0],
            "opens": company.spec.opens_in_phase,
        }

    def pick(self, action: Action) -> PickView | None:
        match action:
            case StartCompany():
                company = self.table.title.companies[action.company]
                return PickView(
                    label=f"Start {company.id} at",
                    asks=f"Price at which {company.id} starts",
                    option=f"{action.price} K",
                    button="Start",
                    about=f"{company.name}, {company.size}",
                )
            case SellShares():
                name = self.table.title.companies[action.company].name
                return self.sale_pick(action.company, action.percent, name)
            case _:
                return None

    def items(self, question: Question) -> tuple[ItemView, ...]:
        """All of the sheet while they are sold, with those who have them already."""
        if not isinstance(question.task, PreStock | Auction | Bidding):
            return ()
        table = self.table
        return tuple(
            ItemView(
                id=local,
                name=table.title.locals[local].name,
                label=table.label(local),
                words=item_words(table, local),
                price=table.title.locals[local].price,
                holder=who_view(table, owner) if owner != BANK else None,
            )
            for local, owner in table.state.locals.items()
        )

    def auction(self, question: Question) -> AuctionView | None:
        table, task = self.table, question.task
        if not isinstance(table, MoraviaTable) or not isinstance(task, Auction | Bidding):
            return None
        bidding = task if isinstance(task, Bidding) else Bidding("", opener(table, task))
        paper, asked, bidder = bidding.paper, bidding.player, bidding.bidder
        still_in = [player for player in table.state.order if player not in bidding.out]
        first = still_in.index(asked)
        return AuctionView(
            item=paper,
            name=table.title.locals[paper].name if paper else "",
            words=item_words(table, paper) if paper else f"{table.name(asked)} names the next paper",
            high_bid=None if bidder is None else bidding.bid,
            high_bidder=None if bidder is None else who_view(table, bidder),
            still_in=tuple(who_view(table, player) for player in (*still_in[first:], *still_in[:first])),
            passed=tuple(who_view(table, player) for player in bidding.out),
            minimum=least_bid(table, bidding) if paper else None,
        )


def _bids(table: MoraviaTable, task: object) -> Iterator[Candidate]:
    if isinstance(task, Auction):
        for paper in on_sale(table):
            least = minimum(table, paper)
            yield Candidate(paper, "bid", "Bid", least, OpenAuction(paper, least))
            yield Candidate(paper, "name", "Name without a bid", None, NamePaper(paper))
    elif isinstance(task, Bidding):
        least = least_bid(table, task)
        yield Candidate(task.paper, "bid", "Bid", least, Bid(least))


def item_words(table: CzTable, local: str) -> str:
    """What it pays, and what a company can do with it."""
    spec = table.title.locals[local]
    uses = powers(spec) or [*PAPERS.get(local, ("", ""))]
    return "; ".join([f"income: {INCOMES.get(local, f'{spec.income} K')}", *filter(None, uses)])
