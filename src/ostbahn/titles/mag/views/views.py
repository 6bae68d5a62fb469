"""Views of 18Mag for pages and the JSON interface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ostbahn.eighteen.text import joined
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Paid, Record
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.cars import car_price
from ostbahn.titles.mag.costs import station_cost, track_cost, train_cost
from ostbahn.titles.mag.events import PaidOut
from ostbahn.titles.mag.majors import SLEEPING_CARS, SOLD_SERVICES, service_name
from ostbahn.titles.mag.running import CAR_NAMES
from ostbahn.titles.mag.state import LayTrack, OperateWithCars
from ostbahn.titles.mag.views.offers import MagOffers
from ostbahn.titles.mag.views.table import MagTableViews
from ostbahn.titles.mag.words import cards
from ostbahn.views.question import Widget
from ostbahn.views.title_views import CourseChoice, LastRun, PictureLink


class MagViews(MagTableViews, MagOffers):
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
    chips = (PictureLink("services", "What majors sell"),)
    rare_actions = frozenset(("offer_for_train", "scrap_train", "take_from_rothschild", "add_town"))
    subjects = ("company", "major", "minor", "supporter", "card", "face", "car")
    price_rules: Mapping[str, str] = {"sold out": "VIII.3/2"}
    incomes_if = "by best runs, all treasuries paid out"

    def cost(self, question: Question, action: Action) -> int | None:
        """None for free actions and offers with a price of the player's choice."""
        table, task = self.table, question.task
        match action:
            case mag.LayTile() if isinstance(task, LayTrack):
                return track_cost(table, task, action).cost or None
            case mag.PlaceStation():
                return station_cost(table, question.company or "", action)
            case mag.BuyShare() | mag.BuyDirectorShare():
                return chart.price(table, action.major)
            case mag.BuyTrain():
                return train_cost(table, action)
            case mag.BuyCar() if isinstance(task, OperateWithCars):
                return car_price(table, task)
            case _:
                return None

    def payouts(self, record: Record, run: LastRun | None) -> Iterable[tuple[str, int]]:
        """Dividends of majors; minors decide nothing, they always pay half (III.3.2/5)."""
        for event in record.events:
            if isinstance(event, PaidOut):
                yield event.company, event.amount

    def service_sold(self, paid: Paid) -> str:
        """Majors earn by services to minors (III.3.3), and CIWL by trains from red to red (M.4/9)."""
        is_service = paid.purpose in SOLD_SERVICES or paid.why == SLEEPING_CARS
        return service_name(paid.why) if paid.target in self.table.title.companies and is_service else ""

    def course_choices(self, record: Record) -> Iterable[CourseChoice]:
        """Drafted minors, shares and supporters; start prices are dealt (II.4/2)."""
        if isinstance(record.action, mag.DraftMinor):
            yield CourseChoice("Drafted minors", f"minor {record.action.minor}")
        elif isinstance(record.action, mag.DraftShare):
            yield CourseChoice("Drafted shares", record.action.major)
        elif isinstance(record.action, mag.DraftSupporter):
            yield CourseChoice("Drafted supporters", cards.supporter_name(record.action.supporter))

    def turn_notes(self, record: Record) -> Iterator[str]:
        if isinstance(record.action, mag.BuyCar):
            yield CAR_NAMES[record.action.car]

    def distinction(self, action: Action) -> str:
        """Supporter, terrain token, and whose city gets the track of a yellow OO tile."""
        match action:
            case mag.LayTile():
                has_feketehazy = isinstance(action, mag.LayByFeketehazy) or getattr(action, "feketehazy", False)
                return joined(
                    "one more by Sina" if isinstance(action, mag.PromoteBySina) else "",
                    "Feketeházy pays the terrain" if has_feketehazy else "",
                    "with a terrain token" if action.token else "",
                    f"track for {action.track_for}" if action.track_for else "",
                )
            case mag.PlaceByDdsg():
                return "with the DDSG"
            case mag.BuyByKando():
                return "with Kandó"
            case _:
                return ""

    def is_rare(self, question: Question, action: Action) -> bool:
        """One more town is a rare action until the run, which is the last chance."""
        return super().is_rare(question, action) and not (
            isinstance(action, mag.AddTown) and isinstance(question.task, OperateWithCars)
        )
