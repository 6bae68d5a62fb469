"""18Wee as pages and the JSON interface show it."""

from __future__ import annotations

from collections.abc import Mapping

from ostbahn.eighteen.track import terrain_cost
from ostbahn.eighteen.views import PlainViews
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.questions import Question
from ostbahn.views.question import PickView, Widget
from ostbahn_wee import actions as wee
from ostbahn_wee.state import WeeTable


class WeeViews(PlainViews[WeeTable]):
    widgets: Mapping[str, Widget] = {"lay_track": "track", "operate_trains": "routes"}
    groups: Mapping[str, str] = {
        "start_company": "Start a company",
        "buy_share": "Buy",
        "sell_share": "Sell",
        "lay_tile": "Track",
        "run_trains": "Run",
        "pay_out": "Income",
        "withhold": "Income",
        "buy_train": "Trains",
        "pass": "Pass",
    }
    income_questions = ("use_income",)
    income_answers = ("pay_out", "withhold")

    def cost(self, question: Question, action: Action) -> int | None:
        match action:
            case wee.StartCompany():
                return 2 * action.price
            case wee.BuyShare():
                return chart.price(self.table, action.company)
            case wee.LayTile():
                return terrain_cost(self.table, action.hex) or None
            case wee.BuyTrain():
                return self.table.title.trains[action.face].price
        return None

    def pick(self, action: Action) -> PickView | None:
        """The price at which a company starts is chosen from a list."""
        if not isinstance(action, wee.StartCompany):
            return None
        return PickView(
            label=f"Start {action.company} at",
            asks=f"Price at which {action.company} starts",
            option=self.face.words.money(action.price),
            button="Start",
            about=self.table.title.companies[action.company].name,
        )
