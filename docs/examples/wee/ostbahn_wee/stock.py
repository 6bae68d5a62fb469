"""Stock Rounds (2)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product, starmap

from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.records import StationPlaced
from ostbahn.kernel.steps import Decision, Listed, Plain
from ostbahn_wee.actions import BuyShare, Founded, SellShare, StartCompany
from ostbahn_wee.state import StockRound, WeeTable


class StockTurn(Decision[WeeTable, StockRound]):
    order_rule = "2.1"
    asks_for = "sell and buy shares"

    def decider(self, table: WeeTable, task: StockRound) -> str:
        return task.player


def left_of(table: WeeTable, player: str) -> str:
    order = table.state.order
    return order[(order.index(player) + 1) % len(order)]


def acted(table: WeeTable, task: StockRound, sold: str | None = None) -> None:
    """The turn is over, and passes begin anew (2.1)."""
    sales = task.sales if sold is None else (*task.sales, (task.player, sold))
    table.replace(StockRound(left_of(table, task.player), 0, task.player, sales))


class Leave(Plain[WeeTable, StockRound, Pass]):
    action = Pass

    def perform(self, table: WeeTable, task: StockRound, action: Pass) -> None:
        """When all have passed in a row the round is over (2.1)."""
        if task.passes + 1 < len(table.state.order):
            table.replace(StockRound(left_of(table, task.player), task.passes + 1, task.last, task.sales))
            return
        table.pop()
        if task.last is not None:
            table.state.priority = left_of(table, task.last)


def cannot_buy(table: WeeTable, task: StockRound, company: str, price: int) -> Refusal | None:
    """What stands in the way of any purchase (2.4, 2.5)."""
    name, cash = table.name(task.player), table.state.cash[task.player]
    if money.count_certificates(table, task.player) >= table.certificate_limit:
        return table.refuse("2.4", f"{name} has as many certificates as the limit allows")
    if (task.player, company) in task.sales:
        return table.refuse("2.5", f"{name} has sold {company} in this round")
    if cash < price:
        return table.refuse("2.3", f"that costs {price} {table.title.currency}, and {name} has only {cash}")
    return None


class Start(Listed[WeeTable, StockRound, StartCompany]):
    action = StartCompany

    def candidates(self, table: WeeTable, task: StockRound) -> Iterable[StartCompany]:
        return starmap(StartCompany, product(table.title.companies, table.title.game.start_prices))

    def refusal(self, table: WeeTable, task: StockRound, action: StartCompany) -> Refusal | None:
        if action.company not in table.title.companies or chart.position(table, action.company) is not None:
            return table.refuse("2.2", f"{action.company} is not a company that could be started")
        if action.price not in table.title.game.start_prices:
            return table.refuse("2.2", f"no company starts at {action.price}")
        return cannot_buy(table, task, action.company, 2 * action.price)

    def perform(self, table: WeeTable, task: StockRound, action: StartCompany) -> None:
        company, board = action.company, table.state.board
        table.note(Founded(company, task.player))
        pay(table, task.player, BANK, 2 * action.price, f"40% of {company}", "shares")
        money.move_certificate(table, company, 0, task.player)
        chart.enter(table, company, table.title.prices.index(action.price), "start")
        pay(table, BANK, company, 5 * action.price, "capital", "capital")
        home = table.title.companies[company].home
        table.state.board = board.with_stations({**board.stations, home: (*board.stations.get(home, ()), company)})
        table.note(StationPlaced(home, company))
        acted(table, task)


class Buy(Listed[WeeTable, StockRound, BuyShare]):
    action = BuyShare

    def candidates(self, table: WeeTable, task: StockRound) -> Iterable[BuyShare]:
        return map(BuyShare, table.title.companies)

    def refusal(self, table: WeeTable, task: StockRound, action: BuyShare) -> Refusal | None:
        company = action.company
        if company not in chart.by_price(table):
            return table.refuse("2.3", f"{company} has not started")
        if not money.ordinary_certificates(table, BANK, company):
            return table.refuse("2.3", f"the bank has no share of {company}")
        return cannot_buy(table, task, company, chart.price(table, company))

    def perform(self, table: WeeTable, task: StockRound, action: BuyShare) -> None:
        company = action.company
        pay(table, task.player, BANK, chart.price(table, company), f"20% of {company}", "shares")
        money.move_certificate(table, company, money.ordinary_certificates(table, BANK, company)[0], task.player)
        change_director(table, company)
        acted(table, task)


class Sell(Listed[WeeTable, StockRound, SellShare]):
    action = SellShare

    def candidates(self, table: WeeTable, task: StockRound) -> Iterable[SellShare]:
        return map(SellShare, table.title.companies)

    def refusal(self, table: WeeTable, task: StockRound, action: SellShare) -> Refusal | None:
        known = action.company in table.title.companies
        if not known or not money.ordinary_certificates(table, task.player, action.company):
            return table.refuse("2.5", f"{table.name(task.player)} has no share of {action.company} to sell")
        return None

    def perform(self, table: WeeTable, task: StockRound, action: SellShare) -> None:
        company = action.company
        pay(table, BANK, task.player, chart.price(table, company), f"20% of {company}", "shares")
        money.move_certificate(table, company, money.ordinary_certificates(table, task.player, company)[0], BANK)
        move_price(table, company, -1, "sale")
        change_director(table, company)
        acted(table, task, sold=company)


def move_price(table: WeeTable, company: str, spaces: int, why: str) -> None:
    """Up or down the chart, which has two ends."""
    space = (chart.position(table, company) or 0) + spaces
    chart.enter(table, company, min(max(space, 0), len(table.title.prices) - 1), why)


def change_director(table: WeeTable, company: str) -> None:
    """Who holds more than the Director takes over; only one can (2.6)."""
    held, leader = money.holdings(table, company), money.director(table, company)
    strongest = max(held, key=lambda player: (held[player], player == leader))
    if strongest != leader:
        money.hand_over_directorship(table, company, strongest)
