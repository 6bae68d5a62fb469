"""Export of 18Mag games to 18xx.games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from ostbahn.interop.exporter import ExportedAnswer, Exporter
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import OstbahnError, Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.printed import PrintedHex
from ostbahn.kernel.money import share_unit
from ostbahn.kernel.state import Task
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.cars import car_price
from ostbahn.titles.mag.costs import train_cost
from ostbahn.titles.mag.interop.steps import SITE_MAJORS, next_site_question, site_waits, waits_for_sina
from ostbahn.titles.mag.modules.new_minors import draw_minors
from ostbahn.titles.mag.modules.supporters_table import DDSG, FEKETEHAZY, KANDO, MAV, ROTHSCHILD, SINA
from ostbahn.titles.mag.running import checked_routes
from ostbahn.titles.mag.state import LayTrack, MagTable, OperateWithCars

CARS: Final[Mapping[mag.Car, str]] = {
    "off_board": "+{bonus} Offboard Bonus",
    "plus": "Plus Train Upgrade",
    "mine": "Mine Access",
}
EITHER_CAR: Final = "+{bonus} Offboard Bonus / Train Upgrade"
"""In the two-player game, where the run shows which car it is."""

ANY_TIME: Final = (mag.TakeFromRothschild, mag.AddTown)
"""Actions of supporters in any step of a turn."""
BY_SUPPORTERS: Final = (*ANY_TIME, mag.DraftSupporter, mag.LayByFeketehazy, mag.PromoteBySina, mag.PlaceByDdsg)
IN_SKIPPED: Final = (Pass, mag.PayDividend, mag.RunTrains, *ANY_TIME)
"""Answers allowed in steps that the site skips: it gives them itself, or supporters help later."""
STANDARD_DIVS: Final = "standard_divs"


def inexpressible(answer: MagAnswer, reason: str) -> OstbahnError:
    return OstbahnError(f"18xx.games has no words for answer {answer.number}: {reason}")


def skipped_step_reason(answer: MagAnswer) -> str:
    """Why the site does not offer an answer in a step that it skips."""
    minor = answer.who
    match answer.action:
        case mag.BuyCar():
            return f"there a minor without a route buys no rail car, and minor {minor} has none"
        case mag.AddTown():
            return f"there a minor without a route gets no town, and minor {minor} has none"
        case mag.DeclareToken():
            missing = f"and minor {minor} can pay for none"
            return f"there no terrain token is declared in a turn without another tile, {missing}"
        case _:
            return f"there the step is over for minor {minor}, which could not pay before Rothschild gave it money"


def without_names(printed: PrintedHex) -> PrintedHex:
    """A printed hex without its names."""
    return replace(printed, name=None, city_names=())


MagAnswer = ExportedAnswer[MagTable]


class MagExporter(Exporter[MagTable]):
    end_reason = "final_phase"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.resumes: Task | None = None
        """The site's next step after a supporter helped in a step that it skips; None otherwise."""
        self.trains: dict[str, str] = {}
        """Our card to the site's train id."""
        self.returned: defaultdict[str, list[str]] = defaultdict(list)
        """Face to the site's trains returned to the top of their stack."""
        self.drawn: Counter[str] = Counter()
        """Face to the number of the site's trains drawn so far."""

    def company(self, name: str) -> str:
        return SITE_MAJORS.get(name, name)

    def entity_type_of(self, company: str) -> str:
        return "minor" if company in self.table.title.minors else "corporation"

    def printed_copy(self, hex_id: str) -> int:
        """The site's number of a hex among those printed alike, in the order of their ids."""
        hexes = self.table.title.map.hexes
        printed = without_names(hexes[hex_id].printed)
        alike = [other for other, hex_ in hexes.items() if without_names(hex_.printed) == printed]
        return sorted(alike, key=lambda other: (other[0], int(other[1:]))).index(hex_id)

    def standings(self) -> Mapping[str, int]:
        return self.table.standings()

    def draw_as_site(self, chance: Chance) -> None:
        title = self.table.title
        if "new_minors_simple" in self.game.setup.modules:
            draw_minors(title, chance)
        chance.first(title.chart.start_cards, len(title.companies))

    # Answers

    def write_answer(self, answer: MagAnswer) -> None:
        site_waiting = self.is_awaited_by_site(answer)
        idle_run = isinstance(answer.question.task, OperateWithCars) and isinstance(answer.action, mag.AddTown)
        if not site_waiting and (idle_run or not isinstance(answer.action, IN_SKIPPED)):
            raise inexpressible(answer, skipped_step_reason(answer))
        if self.lingering and not isinstance(answer.action, ANY_TIME):
            self.add("pass", self.lingering)
            self.lingering = None
        if site_waiting or not isinstance(answer.action, Pass | mag.PayDividend):  # the site gives these answers itself
            self.add_answer(answer, site_waiting)
        if self.is_lingering(answer):
            self.lingering = answer.who

    def is_awaited_by_site(self, answer: MagAnswer) -> bool:
        """Whether the site waits for an answer, judged by the money before Rothschild's gift."""
        is_help, task = isinstance(answer.action, ANY_TIME), answer.question.task
        if self.resumes is not None:
            site_waiting = task == self.resumes
            self.resumes = None if site_waiting else self.resumes
        else:
            site_waiting = site_waits(answer.table, answer.question) or (is_help and self.lingering is not None)
            if is_help and not site_waiting:
                self.resumes = self.next_site_task(answer)
        return site_waiting

    def next_site_task(self, answer: MagAnswer) -> Task:
        question = next_site_question(answer.before)
        if question is None or question.company != answer.who:
            raise inexpressible(answer, f"there the turn of minor {answer.who} is over by then")
        return question.task

    def add_answer(self, answer: MagAnswer, waiting: bool) -> None:
        """Append the entries of an answer that the site records."""
        who = answer.who
        match answer.action:
            case Pass():
                self.add("pass", who)
            case mag.PayDividend(amount=amount):
                self.add_dividend(who, amount)
            case action if isinstance(action, BY_SUPPORTERS):
                self.add_supporter_action(answer)
            case mag.LayTile(hex=hex_id, tile=tile, rotation=rotation):
                self.add("lay_tile", who, **self.tile(hex_id, tile, rotation))
            case mag.DeclareToken():
                self.add("special_buy", who, description="Use Terrain Token", cost=0)
            case mag.PlaceStation(city=city):
                self.add("place_token", who, city=self.city(city), slot=self.slot(answer, city))
            case mag.BuyCar() as action:
                self.add_car(answer, action)
            case mag.RunTrains() as action:
                self.add_trains_run(answer, action, waiting)
            case mag.ScrapTrain() | mag.BuyTrain() | mag.OfferForTrain():
                self.add_train(answer)
            case action:
                self.add_deal(answer, action)

    def add_dividend(self, major: str, amount: int) -> None:
        if STANDARD_DIVS in self.game.setup.modules:
            self.add("dividend", major, kind="payout" if amount else "withhold")
        else:
            self.add("dividend", major, kind="variable", amount=amount)

    def is_lingering(self, answer: MagAnswer) -> bool:
        """Whether our track step is over but the site still waits for a pass."""
        question = answer.after.question
        has_laid = isinstance(answer.question.task, LayTrack) and answer.action != Pass()
        is_over = question is None or question.company != answer.who or not isinstance(question.task, LayTrack)
        return has_laid and is_over and waits_for_sina(answer.later, answer.who)

    def add_deal(self, answer: MagAnswer, action: Action) -> None:
        """Append a pick of the draft, or a purchase or sale of shares."""
        who = answer.who
        match action:
            case mag.DraftMinor(minor=minor):
                (train,) = answer.later.trains_of(minor)
                self.assign_train(train.card)
                self.add("bid", who, minor=minor, price=0)
            case mag.DraftShare(major=major):
                self.add("bid", who, corporation=self.company(major), price=0)
            case mag.BuyShare(major=major):
                unit = share_unit(answer.table, major)
                self.add("buy_shares", who, shares=self.bought(answer, major), percent=unit)
            case mag.BuyDirectorShare(major=major):
                percent = answer.table.title.companies[major].certificates[0]
                self.add("buy_shares", who, shares=[f"{self.company(major)}_0"], percent=percent)
            case mag.SellShares(major=major, percent=percent):
                self.add("sell_shares", who, shares=self.sold(answer, major), percent=percent)
            case _:
                raise OstbahnError(f"18xx.games has no word for {action}")

    def add_supporter_action(self, answer: MagAnswer) -> None:
        """Append the entries of a supporter, which on the site acts for the minor in turn."""
        who = answer.who
        match answer.action:
            case mag.DraftSupporter(supporter=supporter):
                self.add("bid", who, company=supporter, price=0)
            case mag.TakeFromRothschild():
                self.add_for_supporter(ROTHSCHILD, "choose_ability", choice="claim")
            case mag.AddTown(card=card):
                self.swap_train_ids(answer, card)
                self.add_for_supporter(MAV, "choose_ability", choice=card.partition("-")[0])
            case mag.PlaceByDdsg(city=city):
                slot = self.slot(answer, city)
                self.add_for_supporter(DDSG, "place_token", city=self.city(city), slot=slot, tokener=who)
            case mag.PromoteBySina() as action:
                if action.feketehazy:
                    self.add_for_supporter(FEKETEHAZY, "choose_ability", choice="virtual_token")
                self.add_for_supporter(SINA, "lay_tile", **self.tile(action.hex, action.tile, action.rotation))
            case mag.LayByFeketehazy() as action:
                self.add_for_supporter(FEKETEHAZY, "choose_ability", choice="virtual_token")
                self.add("lay_tile", who, **self.tile(action.hex, action.tile, action.rotation))

    def add_for_supporter(self, supporter: str, type_: str, **fields: Any) -> None:
        self.write(type_, supporter, "company", fields)

    # Trains

    def assign_train(self, card: str) -> str:
        """Assign the site's next train of a kind to our card; returned ones come first."""
        face = card.partition("-")[0]
        if self.returned[face]:
            self.trains[card] = self.returned[face].pop()
        else:
            self.trains[card] = f"{face}-{self.drawn[face]}"
            self.drawn[face] += 1
        return self.trains[card]

    def swap_train_ids(self, answer: MagAnswer, card: str) -> None:
        """Swap the site's ids of a train and the minor's first of its kind, as the site names only the kind."""
        trains = answer.table.trains_of(answer.who)
        first = next(train.card for train in trains if train.face == card.partition("-")[0])
        self.trains[first], self.trains[card] = self.trains[card], self.trains[first]

    def add_train(self, answer: MagAnswer) -> None:
        minor = answer.who
        match answer.action:
            case mag.ScrapTrain(card=card):
                self.add("discard_train", minor, train=self.trains[card])
                self.returned[card.partition("-")[0]].append(self.trains[card])
            case mag.BuyTrain(face=face) as action:
                price = train_cost(answer.table, action)
                train = self.assign_train(answer.later.trains_of(minor)[-1].card)
                if isinstance(action, mag.BuyByKando):
                    self.add_for_supporter(KANDO, "buy_train", train=train, price=price, variant=face)
                else:
                    self.add("buy_train", minor, train=train, price=price, variant=face)
            case mag.OfferForTrain(card=card, price=price):
                self.add("buy_train", minor, train=self.trains[card], price=price)

    def add_car(self, answer: MagAnswer, action: mag.BuyCar) -> None:
        table, task = answer.table, answer.question.task
        assert isinstance(task, OperateWithCars)
        pattern = EITHER_CAR if table.title.one_rail_car else CARS[action.car]
        seller = self.company(table.title.rail_cars[action.car].major)
        description = f"{pattern.format(bonus=table.phase.off_board_bonus)} [{seller}]"
        cost = car_price(table, task) if action.claim is None else action.claim
        self.add("special_buy", task.company, description=description, cost=cost)

    def add_trains_run(self, answer: MagAnswer, action: mag.RunTrains, waiting: bool) -> None:
        table, task = answer.table, answer.question.task
        assert isinstance(task, OperateWithCars)
        if not action.runs and not action.claim and not waiting:
            return
        checked = checked_routes(table, task.company, action.runs, task.cars)
        if isinstance(checked, Refusal):  # the claim states only totals
            claims = (action.claim or 0, action.claimed_subsidy or 0)
            incomes = [(0, 0) if index else claims for index in range(len(action.runs))]
        else:
            incomes = [(ride.revenue, ride.subsidy) for ride in checked]
        routes = [
            {**self.route(self.trains[run.card], run.path, revenue), "subsidy": subsidy}
            for run, (revenue, subsidy) in zip(action.runs, incomes, strict=True)
        ]
        self.add_run(task.company, routes, action.claim)
