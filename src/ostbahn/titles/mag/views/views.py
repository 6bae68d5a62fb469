"""18Mag as pages and the JSON interface show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ostbahn.eighteen.text import proceeds
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Paid, Record
from ostbahn.kernel.routes.search import Patience
from ostbahn.titles.mag.actions import AddTown, BuyCar, DraftMinor, DraftShare, DraftSupporter, SellShares
from ostbahn.titles.mag.events import PaidOut
from ostbahn.titles.mag.majors import SLEEPING_CARS, SOLD, service_of
from ostbahn.titles.mag.running import CAR_NAMES
from ostbahn.titles.mag.state import OperateTrains
from ostbahn.titles.mag.views import costs, outlook
from ostbahn.titles.mag.views.companies import mag_companies, start_prices
from ostbahn.titles.mag.views.course import mag_course, turns_of
from ostbahn.titles.mag.views.mat import expected, stages_of
from ostbahn.titles.mag.views.offers import mag_candidates, mag_items, short_reason
from ostbahn.titles.mag.views.players import can_raise, is_automaton, mag_players, parts
from ostbahn.titles.mag.views.trains import mag_trains
from ostbahn.titles.mag.words import cards
from ostbahn.titles.mag.words.face import mag_table, price_after_sale
from ostbahn.views.models import CompanyView, PlayerView, Role, TrainsView
from ostbahn.views.outlook import ComingView
from ostbahn.views.question import ItemView, PickView, Widget
from ostbahn.views.title_views import Candidate, Chip, Course, Earning, Opening, Run, Stage, TitleViews, Turns


class MagViews(TitleViews):
    widgets: Mapping[str, Widget] = {
        "place_marker": "stations",
        "istvan_promotes": "track",
        "lay_track": "track",
        "establish_station": "stations",
        "operate_trains": "routes",
        "consent": "offer",
    }
    groups: Mapping[str, str] = {
        "lay_tile": "Track",
        "declare_token": "Terrain token",
        "place_station": "Stations",
        "place_by_ddsg": "Stations with the DDSG",
        "run_trains": "Run",
        "add_town": "Supporters",
        "buy_car": "Rail cars",
        "accept": "Offer",
        "decline": "Offer",
        "pay_dividend": "Payout",
        "draft_minor": "Minors",
        "draft_share": "Shares",
        "buy_share": "Buy",
        "sell_shares": "Sell",
        "buy_train": "Trains from the bank",
        "scrap_train": "Scrap trains",
        "offer_for_train": "Offers for other minors' trains",
        "draft_supporter": "Supporters",
        "take_from_rothschild": "Supporters",
        "buy_director_share": "Buy",
        "lay_by_feketehazy": "Track",
        "promote_by_sina": "Track",
        "buy_by_kando": "Trains from the bank",
        "pass": "Pass",
    }
    income_questions = ("pay_out",)
    income_answers = ("pay_dividend",)
    picked = frozenset(("sell_shares",))
    chips = (Chip("services", "What majors sell"),)
    asides = frozenset(("offer_for_train", "scrap_train", "take_from_rothschild", "add_town"))
    subjects = ("company", "major", "minor", "supporter", "card", "face", "car")
    price_rules: Mapping[str, str] = {"sold out": "VIII.3/2"}
    incomes_if = "by best runs, all treasuries paid out"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.table = mag_table(game)

    @property
    def round(self) -> str:
        return self.table.state.round

    def players(self, decider: str | None) -> tuple[PlayerView, ...]:
        return mag_players(self.table, self.past, decider)

    def companies(self) -> tuple[CompanyView, ...]:
        return mag_companies(self.table, self.past, start_prices(self.game))

    def trains(self) -> TrainsView:
        return mag_trains(self.table)

    def course(self) -> Course:
        return mag_course(self.table)

    def turns(self) -> Turns:
        return turns_of(self.table)

    def wealth_parts(self, seat: str) -> Mapping[str, int]:
        return parts(self.table, seat)

    def cost(self, question: Question, action: Action) -> int | None:
        return costs.cost(self.table, question, action)

    def payouts(self, record: Record, run: Run | None) -> Iterable[tuple[str, int]]:
        """Majors say how much of their treasury they pay; minors always halve what they earn (III.3.2/5)."""
        for event in record.events:
            if isinstance(event, PaidOut):
                yield event.company, event.amount

    def service(self, paid: Paid) -> str:
        """Majors live on what they sell to minors (III.3.3), and CIWL on how their trains run (M.4/9)."""
        sold = paid.purpose in SOLD or paid.why == SLEEPING_CARS
        return service_of(paid.why) if paid.target in self.table.title.companies and sold else ""

    def openings(self, record: Record) -> Iterable[Opening]:
        """What is drafted; prices were dealt (II.4/2)."""
        if isinstance(record.action, DraftMinor):
            yield Opening("Drafted minors", f"minor {record.action.minor}")
        elif isinstance(record.action, DraftShare):
            yield Opening("Drafted shares", record.action.major)
        elif isinstance(record.action, DraftSupporter):
            yield Opening("Drafted supporters", cards.supporter_name(record.action.supporter))

    def stages(self, company: str) -> tuple[Stage, ...]:
        return stages_of(self.table, company)

    def expected(self, company: str, stage: str) -> str:
        return expected(self.table, company, stage)

    def did(self, record: Record) -> Iterator[str]:
        if isinstance(record.action, BuyCar):
            yield CAR_NAMES[record.action.car]

    def how(self, action: Action) -> str:
        return cards.how(action)

    def aside(self, question: Question, action: Action) -> bool:
        """One more town is seldom thought of before the run, and then it is the last time."""
        return super().aside(question, action) and not (
            isinstance(action, AddTown) and isinstance(question.task, OperateTrains)
        )

    def candidates(self, question: Question) -> Iterable[Candidate]:
        return mag_candidates(self.table, question)

    def short_reason(self, question: Question, candidate: Candidate, refusal: Refusal) -> str:
        return short_reason(self.table, question, candidate, refusal)

    def items(self, question: Question) -> tuple[ItemView, ...]:
        return mag_items(self.table, question)

    def pick(self, action: Action) -> PickView | None:
        if not isinstance(action, SellShares):
            return None
        return PickView(
            label=f"Sell {action.major}",
            asks=f"How much of {action.major} to sell",
            option=f"{action.percent}% brings {proceeds(self.table, action.major, action.percent)} Ft",
            button="Sell",
            about=price_after_sale(self.table, action.major),
        )

    def role(self, seat: str) -> Role:
        return "automaton" if is_automaton(self.table, seat) else "player"

    def earning(self, company: str, patience: Patience) -> Earning | None:
        return outlook.earning(self.table, company, patience)

    def shared_out(self, company: str, amount: int) -> Mapping[str, int]:
        return outlook.shared_out(self.table, company, amount)

    def can_raise(self, seat: str) -> int:
        return can_raise(self.table, seat)

    def coming_trains(self) -> Iterator[ComingView]:
        return outlook.coming_trains(self.table)
