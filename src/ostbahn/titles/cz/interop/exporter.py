"""Export of 18CZ games in the form of 18xx.games."""

from __future__ import annotations

from collections.abc import Mapping

from ostbahn.interop.exporter import ExportedAnswer, Exporter
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import OstbahnError, Refusal
from ostbahn.kernel.game import Game
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz import state as tasks
from ostbahn.titles.cz.bohemia_table import BohemiaTable
from ostbahn.titles.cz.interop import steps
from ostbahn.titles.cz.running import rides_of
from ostbahn.titles.cz.state import CompanyTask, CzTable
from ostbahn.titles.cz.title import RANKS

AT_ANY_POINT = (cz.OfferForLocal, cz.SellLocal, cz.LayPurpleTile)
"""Actions that do not end the company's current step."""


CzAnswer = ExportedAnswer[CzTable]


class CzExporter(Exporter[CzTable]):
    end_reason = "fixed_round"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.turned: set[steps.TurnedTrain] = set()
        self.held: list[CzAnswer] = []
        """Actions held back until the choice of a home, which the site expects first."""

    def company(self, name: str) -> str:
        return steps.SITE_COMPANIES.get(name, name)

    def hex(self, name: str) -> str:
        return f"{name[0]}{int(name[1:]) + steps.SHIFTED}"

    def standings(self) -> Mapping[str, int]:
        return self.table.standings()

    def draw_as_site(self, chance: Chance) -> None:
        if isinstance(self.table, BohemiaTable):
            for invitation in self.table.title.invitations:
                chance.pick(len(invitation.candidates))

    # Writing actions

    def write_answer(self, answer: CzAnswer) -> None:
        task = answer.question.task
        if isinstance(task, (tasks.RedHome, tasks.HomeCity)) and isinstance(answer.action, AT_ANY_POINT):
            self.held.append(answer)
            return
        if self.lingering is not None and not isinstance(answer.action, AT_ANY_POINT):
            self.add("pass", self.lingering)
            self.lingering = None
        self.translate(answer)
        for earlier in self.held:
            self.translate(earlier)
        self.held = []
        self.linger(answer)

    def linger(self, answer: CzAnswer) -> None:
        """The site keeps a company in the track step while a Local Railway could matter."""
        next_task = None if answer.after.question is None else answer.after.question.task
        laying = isinstance(answer.question.task, (tasks.LayTrack, tasks.LayWaived, tasks.HomeCity))
        if laying and not isinstance(answer.action, Pass) and isinstance(next_task, tasks.EstablishStation):
            self.lingering = next_task.company
        if self.lingering is not None and not steps.is_lingering(answer.later, self.lingering):
            self.lingering = None

    def passes(self, answer: CzAnswer) -> int:
        """Return how many of the site's steps one of our passes ends."""
        table = answer.table
        match answer.question.task:
            case tasks.SettleTrains() as task:
                return int(steps.has_unsettled_trains(table, task, self.turned))
            case tasks.PurchaseTrains(company=company):
                return steps.can_buy_train(table, company) + steps.waits_for_locals(table, company)
            case CompanyTask() as task:
                return int(steps.site_waits(table, task))
            case _:
                return int(len(answer.question) > 1)

    def translate(self, answer: CzAnswer) -> None:
        match answer.action:
            case Pass():
                for _ in range(self.passes(answer)):
                    self.add("pass", answer.who)
            case cz.LayTile() | cz.LayPurpleTile() | cz.LayRedTile():
                self.lay(answer)
            case cz.PlaceStation() | cz.ChooseCity() | cz.ChooseReturn():
                self.station(answer)
            case cz.RunTrains():
                self.run_trains(answer, answer.action)
            case cz.BuyTrain() | cz.OfferForTrain() | cz.TurnTrain() | cz.ScrapTrain() | cz.ReturnTrain():
                self.train(answer)
            case _:
                self.deal(answer)

    def deal(self, answer: CzAnswer) -> None:
        table, who = answer.table, answer.who
        match answer.action:
            case cz.BuyLocal(local=local):
                self.add("bid", who, company=local, price=table.title.locals[local].price)
            case cz.OfferForLocal(local=local, price=price):
                self.add("buy_company", who, company=local, price=price)
            case cz.SellLocal(local=local):
                self.add("sell_company", who, company=local, price=table.state.local_price)
            case cz.PayOut():
                self.add("dividend", who, kind="payout")
            case cz.Withhold():
                self.add("dividend", who, kind="withhold")
            case cz.OfferAcquisition(company=target, price=price):
                self.add("buy_corporation", who, corporation=self.company(target), price=price)
            case cz.StartCompany(company=company, price=price):
                space = f"{price},0,{table.title.prices.index(price)}"
                self.add("par", who, corporation=self.company(company), share_price=space)
            case cz.BuyShare(company=company):
                percent = table.title.companies[company].certificates[-1]
                self.add("buy_shares", who, shares=self.bought(answer, company), percent=percent)
            case cz.SellShares(company=company, percent=percent):
                self.add("sell_shares", who, shares=self.sold(answer, company), percent=percent)
            case cz.RepayDebt():
                self.add("special_buy", who, description="Payoff all debt", cost=table.state.debts[who])
            case _:
                raise OstbahnError(f"18xx.games has no word for {answer.action}")

    # On the board

    def lay(self, answer: CzAnswer) -> None:
        """Write a lay; on the site a Local Railway is the entity that uses its power."""
        match answer.action:
            case cz.LayTile(hex=hex_id, tile=tile, rotation=rotation, waiver=None):
                self.add("lay_tile", answer.who, **self.tile(hex_id, tile, rotation))
            case cz.LayTile(hex=hex_id, tile=tile, rotation=rotation, waiver=str(local)):
                self.write("lay_tile", local, "company", self.tile(hex_id, tile, rotation))
            case cz.LayPurpleTile(local=local, hex=hex_id, tile=tile, rotation=rotation):
                self.write("lay_tile", local, "company", self.tile(hex_id, tile, rotation))
            case cz.LayRedTile(hex=hex_id, rotation=rotation):
                tile = answer.table.title.home_tiles[answer.who]
                self.add("lay_tile", answer.who, **self.tile(hex_id, tile, rotation))

    def station(self, answer: CzAnswer) -> None:
        """Write a station; for a home split by a tile, the company that laid the tile acts."""
        table, who = answer.table, answer.who
        match answer.action:
            case cz.PlaceStation(city=city):
                self.add("place_token", who, city=self.city(city), slot=self.slot(answer, city))
            case cz.ChooseCity(city=city):
                self.add("place_token", steps.company_in_turn(table, who), city=self.city(city), slot=0)
            case cz.ChooseReturn(city=city):
                task = answer.question.task
                both = (who, task.target) if isinstance(task, tasks.JoinStations) else (who,)
                held = table.state.board.stations[city]
                slot = next(place for place, company in enumerate(held) if company in both)
                self.add("remove_token", who, city=self.city(city), slot=slot)

    # Trains

    def card(self, table: CzTable, card: str) -> str:
        """`3d-1` is the second d-card; the site calls cards by their smallest face."""
        faces, sizes = table.title.stack.spec[card[0]].faces, table.title.train_faces
        smallest = min(faces, key=lambda face: RANKS[sizes[face].size])
        return f"{smallest}{card[0]}-{int(card[1:]) - 1}"

    def train(self, answer: CzAnswer) -> None:
        table, who = answer.table, answer.who
        match answer.action:
            case cz.BuyTrain(card=card, face=face):
                price = table.title.stack.spec[card[0]].faces[face]
                self.add("buy_train", who, train=self.card(table, card), price=price, variant=f"{face}{card[0]}")
            case cz.OfferForTrain(card=card, price=price):
                self.add("buy_train", who, train=self.card(table, card), price=price)
            case cz.TurnTrain(card=card):
                self.turned.add((who, card))
                self.add("swap_train", who, train=self.card(table, card))
            case cz.ScrapTrain(card=card) if (who, card) in self.turned:
                raise OstbahnError(f"18xx.games has no words for {who} scrapping {card}, which it has just turned")
            case cz.ScrapTrain(card=card) | cz.ReturnTrain(card=card):
                self.add("discard_train", who, train=self.card(table, card))

    def run_trains(self, answer: CzAnswer, action: cz.RunTrains) -> None:
        table, task = answer.table, answer.question.task
        assert isinstance(task, CompanyTask)
        if not action.runs and not action.claim and not steps.site_waits(table, task):
            return
        rides = rides_of(table, task.company, action.runs)
        earned = [0] * len(action.runs) if isinstance(rides, Refusal) else [ride.revenue for ride in rides]
        routes = [
            self.route(self.card(table, run.card), run.path, revenue)
            for run, revenue in zip(action.runs, earned, strict=True)
        ]
        self.add_run(task.company, routes, action.claim)
