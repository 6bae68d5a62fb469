"""18CZ as pages and the JSON interface show it."""

from __future__ import annotations

from collections.abc import Mapping

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import LayRedTile, SellShares, StartCompany
from ostbahn.titles.cz.views import costs
from ostbahn.titles.cz.views.companies import cz_companies
from ostbahn.titles.cz.views.costs import POOL
from ostbahn.titles.cz.views.course import cz_course, turns_of
from ostbahn.titles.cz.views.players import cz_players, parts
from ostbahn.titles.cz.views.trains import cz_trains
from ostbahn.titles.cz.words.remarks import cz_table, proceeds
from ostbahn.views.models import CompanyView, PlayerView, TrainsView
from ostbahn.views.question_models import PickView, Widget
from ostbahn.views.title_views import Chip, Course, TitleViews, Turns


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
        "lay_purple_tile": "Purple-edged track by a Local Railway",
        "choose_city": "Home station",
        "place_station": "Stations",
        "choose_return": "Stations to take back",
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
        "return_train": "Return trains",
        "offer_acquisition": "Take over a company",
        "offer_for_train": "Offers for trains",
        "bid": "Bid",
        "open_auction": "Bid for a private paper",
        "name_paper": "Name a private paper without a bid",
        "assign_train": "Private papers",
        "buy_local": "Local Railways",
        "offer_for_local": "Offers for Local Railways",
        "sell_local": "Local Railways to the bank",
        "pass": "Nothing (more)",
    }
    income_questions = ("use_income",)
    income_answers = ("pay_out", "withhold")
    picked = frozenset(("start_company", "sell_shares"))
    chips = (Chip("locals", "Local Railways"),)
    subjects = ("company", "paper", "local", "card", "face")

    def __init__(self, game: Game) -> None:
        self.table = cz_table(game)

    @property
    def round(self) -> str:
        return self.table.state.round

    def players(self, decider: str | None) -> tuple[PlayerView, ...]:
        return cz_players(self.table, decider)

    def companies(self) -> tuple[CompanyView, ...]:
        return cz_companies(self.table)

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

    def pick(self, action: Action) -> PickView | None:
        match action:
            case StartCompany():
                company = self.table.title.companies[action.company]
                return PickView(
                    label=f"start {company.id} at",
                    asks=f"Price at which {company.id} starts",
                    option=f"{action.price} K",
                    button="Start",
                    about=f"{company.name}, {company.size}",
                )
            case SellShares():
                company = self.table.title.companies[action.company]
                return PickView(
                    label=f"sell {company.id}",
                    asks=f"How much of {company.id} to sell",
                    option=f"{action.percent}% brings {proceeds(self.table, company.id, action.percent)} K",
                    button="Sell",
                    about=company.name,
                )
            case _:
                return None
