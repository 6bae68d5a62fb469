"""18CZ as pages and the JSON interface show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Record, Revenue
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.acquisition import turning_cost
from ostbahn.titles.cz.bohemia_table import is_his
from ostbahn.titles.cz.events import Closed
from ostbahn.titles.cz.stations import next_price
from ostbahn.titles.cz.track import terrain_cost
from ostbahn.titles.cz.views.ahead import CzAhead
from ostbahn.titles.cz.views.offers import CzOffers
from ostbahn.views.question import Widget
from ostbahn.views.title_views import Chip, Opening, Run

POOL: Final = "Trains from the pool"


class CzViews(CzAhead, CzOffers):
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
    chips = (Chip("locals", "Local Railways"),)
    asides = frozenset(("offer_for_local", "sell_local", "offer_for_train", "assign_train", "lay_purple_tile"))
    subjects = ("company", "paper", "local", "card", "face")
    price_rules: Mapping[str, str] = {"sold out": "IX.3/3"}

    def cost(self, question: Question, action: Action) -> int | None:
        """None where nothing is paid, or the price is one's choice."""
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
        """Trains in the pool stand apart from those of the stack."""
        in_pool = isinstance(action, cz.BuyTrain) and any(train.card == action.card for train in self.table.state.pool)
        return POOL if in_pool else None

    def tile(self, question: Question, action: Action) -> str | None:
        """A large company's red home tile goes without saying."""
        if isinstance(action, cz.LayRedTile):
            return self.table.title.home_tiles[question.company or ""]
        return getattr(action, "tile", None)

    def how(self, action: Action) -> str:
        """A Local Railway may waive the cost of track, or lay a tile of its own (IV.1)."""
        match action:
            case cz.LayTile(waiver=str(waiver)):
                return f"{waiver} waives the cost"
            case cz.LayPurpleTile():
                return f"by the power of {action.local}"
            case _:
                return ""

    def payouts(self, record: Record, run: Run | None) -> Iterable[tuple[str, int]]:
        """Where nothing was earned there is nothing to decide, and Vaclav's companies always pay out (XI.1/13)."""
        yield from super().payouts(record, run)
        for event in record.events:
            if isinstance(event, Revenue) and (not event.amount or is_his(self.table, event.company)):
                yield event.company, event.amount

    def openings(self, record: Record) -> Iterable[Opening]:
        """Companies that are started, and Local Railways before them (VI)."""
        yield from super().openings(record)
        if isinstance(record.action, cz.BuyLocal):
            yield Opening("Local Railways", record.action.local)

    def did(self, record: Record) -> Iterator[str]:
        return (f"took over {event.company}" for event in record.events if isinstance(event, Closed))

    def aside(self, question: Question, action: Action) -> bool:
        """Track of any kind is what a question about track is about; elsewhere it is a power that can wait."""
        return super().aside(question, action) and not (
            isinstance(action, cz.LayPurpleTile) and question.kind in ("lay_track", "lay_waived")
        )
