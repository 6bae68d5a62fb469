"""Export of 18Mag games in the form of 18xx.games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, Final

from ostbahn.interop.exporting import Copies, ExportedAnswer, Exporter
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import OstbahnError, Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.money.certificates import share_unit
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.cars import car_price, service
from ostbahn.titles.mag.dues import train_due
from ostbahn.titles.mag.importing.names import SITE_MAJORS
from ostbahn.titles.mag.importing.steps import waits
from ostbahn.titles.mag.modules.new_minors import new_minors_file
from ostbahn.titles.mag.modules.supporters_table import DDSG, FEKETEHAZY, KANDO, MAV, ROTHSCHILD, SINA
from ostbahn.titles.mag.reckoning import standings
from ostbahn.titles.mag.running import rides_of
from ostbahn.titles.mag.state import MagTable, OperateTrains, ScrapTrains, StockRound
from ostbahn.titles.mag.trains import trains_of

CARS: Final[Mapping[mag.Car, str]] = {
    "off_board": "+{bonus} Offboard Bonus",
    "plus": "Plus Train Upgrade",
    "mine": "Mine Access",
}
ONE_OF_TWO: Final = "+{bonus} Offboard Bonus / Train Upgrade"
"""In the game for two, where the run shows which was meant."""


def table_of(game: Game) -> MagTable:
    table = game.table
    assert isinstance(table, MagTable)
    return table


class MagExporter(Exporter):
    end_reason = "final_phase"

    def __init__(self, game: Game) -> None:
        tiles = table_of(game).title.tiles
        counts = {name: tile.count for name, tile in tiles.items()}
        super().__init__(game, Copies(counts, {name: tile.back for name, tile in tiles.items()}))
        self.trains: dict[str, str] = {}
        """Our trains to the site's."""
        self.returned: defaultdict[str, list[str]] = defaultdict(list)
        """By face, the site's trains that lie on top of their stack again."""
        self.drawn: Counter[str] = Counter()
        """By face, how many of the site's trains have left their stack for the first time."""

    def company(self, ours: str) -> str:
        return SITE_MAJORS.get(ours, ours)

    def sort_of(self, company: str) -> str:
        return "minor" if company in table_of(self.game).title.minors else "corporation"

    def standings(self) -> Mapping[str, int]:
        return standings(table_of(self.game))

    def draw_all(self, chance: Chance) -> None:
        title = table_of(self.game).title
        chance.first(title.chart.start_cards, len(title.companies))
        if "new_minors_simple" in self.game.setup.modules:
            chance.first(title.minors, new_minors_file().removed)

    # One answer after the other

    def tell(self, moment: ExportedAnswer) -> None:
        table, who = table_of(moment.before), moment.who
        match moment.action:
            case Pass():
                if self.passes(moment):
                    self.add("pass", who)
            case (
                mag.DraftSupporter()
                | mag.TakeFromRothschild()
                | mag.AddTown()
                | mag.LayByFeketehazy()
                | mag.PromoteBySina()
                | mag.PlaceByDdsg()
            ):
                self.supporter(moment)
            case mag.LayTile(hex=hex_id, tile=tile, rotation=rotation):
                self.add("lay_tile", who, **self.tile(hex_id, tile, rotation))
            case mag.DeclareToken():
                self.add("special_buy", who, description="Use Terrain Token", cost=0)
            case mag.PlaceStation(city=city):
                slot = len(table.state.board.stations.get(city, ()))
                self.add("place_token", who, city=self.city(city), slot=slot)
            case mag.BuyCar() as action:
                self.car(moment, action)
            case mag.RunTrains() as action:
                self.run_trains(moment, action)
            case mag.PayDividend(amount=amount):
                if waits(table, moment.question):
                    self.add("dividend", who, kind="variable", amount=amount)
            case mag.ScrapTrain() | mag.BuyTrain() | mag.OfferForTrain():
                self.train(moment)
            case action:
                self.deal(moment, action)

    def passes(self, moment: ExportedAnswer) -> bool:
        """Whether a pass of ours is one on the site."""
        table = table_of(moment.before)
        match moment.question.task:
            case StockRound():
                return len(moment.question) > 1
            case ScrapTrains(company=minor):
                return bool(trains_of(table, minor))
            case _:
                return waits(table, moment.question)

    def deal(self, moment: ExportedAnswer, action: Action) -> None:
        who = moment.who
        match action:
            case mag.DraftMinor(minor=minor):
                (train,) = trains_of(table_of(moment.after), minor)
                self.draw(train.card)
                self.add("bid", who, minor=minor, price=0)
            case mag.DraftShare(major=major):
                self.add("bid", who, corporation=self.company(major), price=0)
            case mag.BuyShare(major=major):
                unit = share_unit(moment.before.table, major)
                self.add("buy_shares", who, shares=self.bought(moment.before, major), percent=unit)
            case mag.BuyDirectorShare(major=major):
                percent = moment.before.table.title.companies[major].certificates[0]
                self.add("buy_shares", who, shares=[f"{self.company(major)}_0"], percent=percent)
            case mag.SellShares(major=major, percent=percent):
                self.add("sell_shares", who, shares=self.sold(moment, major), percent=percent)
            case _:
                raise OstbahnError(f"18xx.games has no word for {action}")

    def supporter(self, moment: ExportedAnswer) -> None:
        """On the site a supporter is the one who acts, for the minor in turn."""
        who = moment.who
        match moment.action:
            case mag.DraftSupporter(supporter=supporter):
                self.add("bid", who, company=supporter, price=0)
            case mag.TakeFromRothschild():
                self.by(ROTHSCHILD, "choose_ability", choice="claim")
            case mag.AddTown(card=card):
                self.by(MAV, "choose_ability", choice=card.partition("-")[0])
            case mag.PlaceByDdsg(city=city):
                slot = len(table_of(moment.before).state.board.stations.get(city, ()))
                self.by(DDSG, "place_token", city=self.city(city), slot=slot)
            case mag.PromoteBySina() as action:
                if action.feketehazy:
                    self.by(FEKETEHAZY, "choose_ability", choice="virtual_token")
                self.by(SINA, "lay_tile", **self.tile(action.hex, action.tile, action.rotation))
            case mag.LayByFeketehazy() as action:
                self.by(FEKETEHAZY, "choose_ability", choice="virtual_token")
                self.add("lay_tile", who, **self.tile(action.hex, action.tile, action.rotation))

    def by(self, supporter: str, type_: str, **fields: Any) -> None:
        self.write(type_, supporter, "company", fields)

    # Trains

    def draw(self, card: str) -> str:
        """The site's next train of a kind: one that was returned lies on top of the others."""
        face = card.partition("-")[0]
        if self.returned[face]:
            self.trains[card] = self.returned[face].pop()
        else:
            self.trains[card] = f"{face}-{self.drawn[face]}"
            self.drawn[face] += 1
        return self.trains[card]

    def train(self, moment: ExportedAnswer) -> None:
        minor = moment.who
        match moment.action:
            case mag.ScrapTrain(card=card):
                self.add("discard_train", minor, train=self.trains[card])
                self.returned[card.partition("-")[0]].append(self.trains[card])
            case mag.BuyTrain(face=face) as action:
                price = train_due(table_of(moment.before), action)
                train = self.draw(trains_of(table_of(moment.after), minor)[-1].card)
                if isinstance(action, mag.BuyByKando):
                    self.by(KANDO, "buy_train", train=train, price=price, variant=face)
                else:
                    self.add("buy_train", minor, train=train, price=price, variant=face)
            case mag.OfferForTrain(card=card, price=price):
                self.add("buy_train", minor, train=self.trains[card], price=price)

    def car(self, moment: ExportedAnswer, action: mag.BuyCar) -> None:
        table, task = table_of(moment.before), moment.question.task
        seller = service(table, action.car)
        assert isinstance(task, OperateTrains)
        assert seller is not None
        words = ONE_OF_TWO if table.title.rail_cars.one_of_them else CARS[action.car]
        description = f"{words.format(bonus=table.phase.off_board_bonus)} [{self.company(seller.major)}]"
        cost = car_price(table, task) if action.claim is None else action.claim
        self.add("special_buy", task.company, description=description, cost=cost)

    def run_trains(self, moment: ExportedAnswer, action: mag.RunTrains) -> None:
        table, task = table_of(moment.before), moment.question.task
        assert isinstance(task, OperateTrains)
        if not action.runs and not action.claim and not waits(table, moment.question):
            return
        rides = rides_of(table, task.company, action.runs, task.cars)
        earned = [(0, 0)] * len(action.runs)
        if not isinstance(rides, Refusal):
            earned = [(ride.revenue, ride.subsidy) for ride in rides]
        routes = [
            {**self.route(self.trains[run.card], run.path, revenue), "subsidy": subsidy}
            for run, (revenue, subsidy) in zip(action.runs, earned, strict=True)
        ]
        extra = 0 if action.claim is None else action.claim - sum(revenue for revenue, _ in earned)
        self.add("run_routes", task.company, routes=routes, extra_revenue=extra, subsidy=0)
