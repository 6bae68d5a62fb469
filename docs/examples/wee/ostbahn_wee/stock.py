"""Stock Rounds (2)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product, starmap

from msgspec.structs import replace

from ostbahn.eighteen import stock
from ostbahn.eighteen.table import PlainTable
from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay, share_unit
from ostbahn.kernel.records import StationPlaced
from ostbahn.kernel.steps import ListedStep, PlainStep
from ostbahn_wee.actions import BuyShare, Founded, SellShare, StartCompany
from ostbahn_wee.state import StockRound


def end_turn(table: PlainTable, task: StockRound) -> None:
    """End a turn with an action: passes count from 0 again (2.1)."""
    following = stock.next_turn(table, replace(task, last=task.player), passed=False)
    assert following is not None
    table.replace(following)


class PassTurn(PlainStep[PlainTable, StockRound, Pass]):
    action = Pass

    def perform(self, table: PlainTable, task: StockRound, action: Pass) -> None:
        """Pass; the round ends when all players pass in a row (2.1)."""
        following = stock.next_turn(table, task, passed=True)
        if following is not None:
            table.replace(following)
            return
        table.pop()
        if task.last is not None:
            table.state.priority = stock.player_to_left(table, task.last)


def cannot_buy(table: PlainTable, task: StockRound, company: str, price: int) -> Refusal | None:
    """Why a player cannot buy shares of a company at this price (2.3, 2.4, 2.5)."""
    name = table.name(task.player)
    if money.count_certificates(table, task.player) >= table.certificate_limit:
        return table.refuse("2.4", f"{name} has as many certificates as the limit allows")
    if (task.player, company) in task.bans:
        return table.refuse("2.5", f"{name} has sold {company} in this round")
    return table.cannot_afford("2.3", task.player, price, "that")


class Start(ListedStep[PlainTable, StockRound, StartCompany]):
    action = StartCompany

    def candidates(self, table: PlainTable, task: StockRound) -> Iterable[StartCompany]:
        return starmap(StartCompany, product(table.title.companies, table.title.game.start_prices))

    def refusal(self, table: PlainTable, task: StockRound, action: StartCompany) -> Refusal | None:
        if action.company not in table.title.companies or chart.position(table, action.company) is not None:
            return table.refuse("2.2", f"{action.company} is not a company that could be started")
        if action.price not in table.title.game.start_prices:
            return table.refuse("2.2", f"no company starts at {action.price}")
        return cannot_buy(table, task, action.company, 2 * action.price)

    def perform(self, table: PlainTable, task: StockRound, action: StartCompany) -> None:
        company, home = action.company, table.title.companies[action.company].home
        table.note(Founded(company, task.player))
        stock.start_company(table, task.player, company, action.price)
        pay(table, BANK, company, 5 * action.price, "capital", "capital")
        table.state.board = table.state.board.with_station(home, company)
        table.note(StationPlaced(home, company))
        end_turn(table, task)


class Buy(ListedStep[PlainTable, StockRound, BuyShare]):
    action = BuyShare

    def candidates(self, table: PlainTable, task: StockRound) -> Iterable[BuyShare]:
        return map(BuyShare, table.title.companies)

    def refusal(self, table: PlainTable, task: StockRound, action: BuyShare) -> Refusal | None:
        company = action.company
        if company not in chart.companies_by_price(table):
            return table.refuse("2.3", f"{company} has not started")
        if not money.ordinary_certificates(table, BANK, company):
            return table.refuse("2.3", f"the bank has no share of {company}")
        return cannot_buy(table, task, company, chart.price(table, company))

    def perform(self, table: PlainTable, task: StockRound, action: BuyShare) -> None:
        company = action.company
        stock.buy_share(table, task.player, company)
        stock.change_director_if_outdone(table, company)
        end_turn(table, task)


class Sell(ListedStep[PlainTable, StockRound, SellShare]):
    action = SellShare

    def candidates(self, table: PlainTable, task: StockRound) -> Iterable[SellShare]:
        return map(SellShare, table.title.companies)

    def refusal(self, table: PlainTable, task: StockRound, action: SellShare) -> Refusal | None:
        known = action.company in table.title.companies
        if not known or not money.ordinary_certificates(table, task.player, action.company):
            return table.refuse("2.5", f"{table.name(task.player)} has no share of {action.company} to sell")
        return None

    def perform(self, table: PlainTable, task: StockRound, action: SellShare) -> None:
        """Sell one share; the price falls by a space."""
        stock.sell_shares(table, task.player, action.company, share_unit(table, action.company))
        stock.move_price(table, action.company, -1, "sale")
        end_turn(table, stock.with_sale(task, action.company))
