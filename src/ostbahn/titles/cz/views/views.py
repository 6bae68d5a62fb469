"""18CZ as pages and the JSON interface show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ostbahn.eighteen.text import proceeds
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Record, Revenue
from ostbahn.titles.cz.actions import BuyLocal, LayPurpleTile, LayRedTile, SellShares, StartCompany
from ostbahn.titles.cz.bohemia_table import is_his
from ostbahn.titles.cz.events import Closed
from ostbahn.titles.cz.views import costs, outlook
from ostbahn.titles.cz.views.companies import cz_companies
from ostbahn.titles.cz.views.costs import POOL
from ostbahn.titles.cz.views.course import cz_course, turns_of
from ostbahn.titles.cz.views.mat import expected, stages_of
from ostbahn.titles.cz.views.offers import cz_auction, cz_candidates, cz_items, short_reason
from ostbahn.titles.cz.views.players import can_raise, cz_players, parts
from ostbahn.titles.cz.views.trains import cz_trains
from ostbahn.titles.cz.words.face import cz_table
from ostbahn.views.models import CompanyView, PlayerView, TrainsView
from ostbahn.views.outlook import ComingView, LeavingView, MustBuyView
from ostbahn.views.question import AuctionView, ItemView, PickView, Widget
from ostbahn.views.title_views import Candidate, Chip, Course, Opening, Run, Stage, TitleViews, Turns


class CzViews(TitleViews):
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

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.table = cz_table(game)

    @property
    def round(self) -> str:
        return self.table.state.round

    def players(self, decider: str | None) -> tuple[PlayerView, ...]:
        return cz_players(self.table, self.past, decider)

    def companies(self) -> tuple[CompanyView, ...]:
        return cz_companies(self.table, self.past)

    def trains(self) -> TrainsView:
        return cz_trains(self.table)

    def course(self) -> Course:
        return cz_course(self.table)

    def turns(self) -> Turns:
        return turns_of(self.table)

    def wealth_parts(self, seat: str) -> Mapping[str, int]:
        return parts(self.table, seat)

    def cost(self, question: Question, action: Action) -> int | None:
        return costs.cost(self.table, question, action)

    def heading(self, action: Action) -> str | None:
        return costs.heading(self.table, action)

    def tile(self, question: Question, action: Action) -> str | None:
        """A large company's red home tile goes without saying."""
        if isinstance(action, LayRedTile):
            return self.table.title.home_tiles[question.company or ""]
        return getattr(action, "tile", None)

    def payouts(self, record: Record, run: Run | None) -> Iterable[tuple[str, int]]:
        """Where nothing was earned there is nothing to decide, and Vaclav's companies always pay out (XI.1/13)."""
        yield from super().payouts(record, run)
        for event in record.events:
            if isinstance(event, Revenue) and (not event.amount or is_his(self.table, event.company)):
                yield event.company, event.amount

    def openings(self, record: Record) -> Iterable[Opening]:
        """Companies that are started, and Local Railways before them (VI)."""
        yield from super().openings(record)
        if isinstance(record.action, BuyLocal):
            yield Opening("Local Railways", record.action.local)

    def stages(self, company: str) -> tuple[Stage, ...]:
        return stages_of(self.table, company)

    def expected(self, company: str, stage: str) -> str:
        return expected(self.game, self.table, self.past, company, stage)

    def did(self, record: Record) -> Iterator[str]:
        return (f"took over {event.company}" for event in record.events if isinstance(event, Closed))

    def candidates(self, question: Question) -> Iterable[Candidate]:
        return cz_candidates(self.table, question)

    def short_reason(self, question: Question, candidate: Candidate, refusal: Refusal) -> str:
        return short_reason(self.table, question, candidate, refusal)

    def items(self, question: Question) -> tuple[ItemView, ...]:
        return cz_items(self.table, question)

    def auction(self, question: Question) -> AuctionView | None:
        return cz_auction(self.table, question)

    def aside(self, question: Question, action: Action) -> bool:
        """Track of any kind is what a question about track is about; elsewhere it is a power that can wait."""
        return super().aside(question, action) and not (
            isinstance(action, LayPurpleTile) and question.kind in ("lay_track", "lay_waived")
        )

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
                company = self.table.title.companies[action.company]
                return PickView(
                    label=f"Sell {company.id}",
                    asks=f"How much of {company.id} to sell",
                    option=f"{action.percent}% brings {proceeds(self.table, company.id, action.percent)} K",
                    button="Sell",
                    about=company.name,
                )
            case _:
                return None

    def shared_out(self, company: str, amount: int) -> Mapping[str, int]:
        return outlook.shared_out(self.table, company, amount)

    def can_raise(self, seat: str) -> int:
        return can_raise(self.table, seat)

    def must_buy(self, can_raise: Callable[[str], int] | None) -> Iterator[MustBuyView]:
        return outlook.must_buy(self.table, can_raise)

    def coming_trains(self) -> Iterator[ComingView]:
        return outlook.coming_trains(self.game)

    def leaving_trains(self) -> LeavingView | None:
        return outlook.leaving_trains(self.game)
