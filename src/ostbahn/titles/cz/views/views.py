"""The views of 18CZ for pages and the JSON interface: cards, items, groups and short refusals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Record, Revenue
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.acquisition import turning_cost
from ostbahn.titles.cz.auction import least_bid, minimum, on_sale, opener
from ostbahn.titles.cz.bohemia_table import is_his
from ostbahn.titles.cz.events import Closed
from ostbahn.titles.cz.moravia_table import MoraviaTable
from ostbahn.titles.cz.pictures import INCOMES, PAPERS, powers
from ostbahn.titles.cz.state import Auction, Bidding, CzTable, PreStock, StockRound
from ostbahn.titles.cz.stations import next_price
from ostbahn.titles.cz.track import terrain_cost
from ostbahn.titles.cz.views.ahead import CzAhead
from ostbahn.views.common import who_view
from ostbahn.views.question import AuctionView, ItemView, PickView, Widget
from ostbahn.views.title_views import CandidateAnswer, CourseChoice, LastRun, PictureLink

POOL: Final = "Trains from the pool"

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
"""Short refusals for cards, by the rule that they cite."""


class CzViews(CzAhead):
    short_reasons = SHORT
    widgets: Mapping[str, Widget] = {
        "build_home": "track",
        "red_home": "track",
        "lay_waived": "track",
        "home_city": "stations",
        "return_station": "stations",
        "join_stations": "stations",
        "lay_track": "track",
        "establish_station": "stations",
        "operate_trains": "routes",
        "consent": "offer",
    }
    groups: Mapping[str, str] = {
        "lay_red_tile": "Red home tile",
        "lay_tile": "Track",
        "lay_purple_tile": "Purple-edged track",
        "choose_city": "Home station",
        "place_station": "Stations",
        "choose_return": "Station to take back",
        "run_trains": "Run",
        "accept": "Offer",
        "decline": "Offer",
        "pay_out": "Income",
        "withhold": "Income",
        "buy_share": "Buy",
        "start_company": "Start a company",
        "sell_shares": "Sell",
        "repay_debt": "Debt",
        "buy_train": "Trains from the bank",
        "pool_train": POOL,
        "turn_train": "Turn trains",
        "scrap_train": "Scrap trains",
        "return_train": "Give trains back",
        "offer_acquisition": "Take over a company",
        "offer_for_train": "Offers for other companies' trains",
        "bid": "Bid",
        "open_auction": "Bid for a private paper",
        "name_paper": "Name a private paper without a bid",
        "assign_train": "Private papers",
        "buy_local": "Local Railways",
        "offer_for_local": "Offers for Local Railways",
        "sell_local": "Sell Local Railways to the bank",
        "pass": "Pass",
    }
    income_questions = ("use_income",)
    income_answers = ("pay_out", "withhold")
    picked = frozenset(("start_company", "sell_shares"))
    chips = (PictureLink("locals", "Local Railways"),)
    rare_actions = frozenset(("offer_for_local", "sell_local", "offer_for_train", "assign_train", "lay_purple_tile"))
    subjects = ("company", "paper", "local", "card", "face")
    price_rules: Mapping[str, str] = {"sold out": "IX.3/3"}

    def cost(self, question: Question, action: Action) -> int | None:
        """Return the fixed price of an action, None if nothing is paid or the player names the price."""
        table, company = self.table, question.company or ""
        match action:
            case cz.LayTile():
                free = action.waiver is not None or not company
                return (0 if free else terrain_cost(table, company, action.hex)) or None
            case cz.PlaceStation():
                return next_price(table, company) or None
            case cz.BuyLocal():
                return table.title.locals[action.local].price
            case cz.StartCompany():
                return 2 * action.price
            case cz.BuyShare():
                return chart.price(table, action.company)
            case cz.BuyTrain():
                return table.title.stack.spec[action.card[0]].faces[action.face]
            case cz.TurnTrain():
                train = next(train for train in table.state.trains[company] if train.card == action.card)
                return turning_cost(table, train, action.face) or None
            case cz.RepayDebt():
                return table.state.debts.get(question.decider)
            case _:
                return None

    def heading(self, action: Action) -> str | None:
        """Return the separate heading for trains in the pool."""
        in_pool = isinstance(action, cz.BuyTrain) and any(train.card == action.card for train in self.table.state.pool)
        return POOL if in_pool else None

    def tile(self, question: Question, action: Action) -> str | None:
        """Return the tile of a lay; for a red home it follows from the company."""
        if isinstance(action, cz.LayRedTile):
            return self.table.title.home_tiles[question.company or ""]
        return getattr(action, "tile", None)

    def distinction(self, action: Action) -> str:
        """Return the Local Railway that waives the cost or lays the tile (IV.1)."""
        match action:
            case cz.LayTile(waiver=str(waiver)):
                return f"{waiver} waives the cost"
            case cz.LayPurpleTile():
                return f"by the power of {action.local}"
            case _:
                return ""

    def payouts(self, record: Record, run: LastRun | None) -> Iterable[tuple[str, int]]:
        """Yield payouts, also those without a decision: no revenue, and Vaclav's companies (XI.1/13)."""
        yield from super().payouts(record, run)
        for event in record.events:
            if isinstance(event, Revenue) and (not event.amount or is_his(self.table, event.company)):
                yield event.company, event.amount

    def course_choices(self, record: Record) -> Iterable[CourseChoice]:
        """Yield starts of companies, and purchases of Local Railways before them (VI)."""
        yield from super().course_choices(record)
        if isinstance(record.action, cz.BuyLocal):
            yield CourseChoice("Local Railways", record.action.local)

    def turn_notes(self, record: Record) -> Iterator[str]:
        return (f"took over {event.company}" for event in record.events if isinstance(event, Closed))

    def is_rare(self, question: Question, action: Action) -> bool:
        """Whether an action stays folded; purple tiles do, except in questions about track."""
        return super().is_rare(question, action) and not (
            isinstance(action, cz.LayPurpleTile) and question.kind in ("lay_track", "lay_waived")
        )

    # Cards and items

    def candidates(self, question: Question) -> Iterator[CandidateAnswer]:
        table, task = self.table, question.task
        if isinstance(task, StockRound):
            for company in table.state.certificates:
                yield from self._shares(task.player, company)
        elif isinstance(task, PreStock):
            for local, spec in table.title.locals.items():
                if table.state.locals.get(local) == BANK:
                    yield CandidateAnswer(local, "buy", "Buy", spec.price, cz.BuyLocal(local))
        elif isinstance(table, MoraviaTable) and isinstance(task, Auction):
            for paper in on_sale(table):
                least = minimum(table, paper)
                yield CandidateAnswer(paper, "bid", "Bid", least, cz.OpenAuction(paper, least))
                yield CandidateAnswer(paper, "name", "Name without a bid", None, cz.NamePaper(paper))
        elif isinstance(table, MoraviaTable) and isinstance(task, Bidding):
            least = least_bid(table, task)
            yield CandidateAnswer(task.paper, "bid", "Bid", least, cz.Bid(least))

    def _shares(self, player: str, company: str) -> Iterator[CandidateAnswer]:
        if company in self.table.state.start_prices:
            yield self.buying(company, cz.BuyShare(company))
            yield from self.sales(player, company, cz.SellShares)
            return
        for price in self.table.title.companies[company].spec.start_prices:
            start, short = cz.StartCompany(company, price), str(price)
            yield CandidateAnswer(
                company, "start", f"Start at {price}", 2 * price, start, "Start", "Start higher", short
            )

    def facts(self, player: str, candidate: CandidateAnswer) -> dict[str, Any]:
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
            case cz.StartCompany():
                company = self.table.title.companies[action.company]
                return PickView(
                    label=f"Start {company.id} at",
                    asks=f"Price at which {company.id} starts",
                    option=f"{action.price} K",
                    button="Start",
                    about=f"{company.name}, {company.size}",
                )
            case cz.SellShares():
                return self.sale_pick(action.company, action.percent, self.table.title.companies[action.company].name)
            case _:
                return None

    def items(self, question: Question) -> tuple[ItemView, ...]:
        """Return all Local Railways or papers with their owners while they are sold."""
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


def item_words(table: CzTable, local: str) -> str:
    """Return the income and the powers of a Local Railway or paper."""
    spec = table.title.locals[local]
    uses = powers(spec) or [*PAPERS.get(local, ("", ""))]
    return "; ".join([f"income: {INCOMES.get(local, f'{spec.income} K')}", *filter(None, uses)])
