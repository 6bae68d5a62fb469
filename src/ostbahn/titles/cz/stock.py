"""Stock Rounds: purchase and sale of shares, their prices, and whose turn it is (18CZ VI, VII, IX)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.eighteen import stock as shares
from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, director, holding, holdings, pay, share_unit
from ostbahn.kernel.questions import Option
from ostbahn.kernel.steps import PassStep, PlainStep, Step
from ostbahn.titles.cz.actions import BuyShare, RepayDebt, SellShares, StartCompany
from ostbahn.titles.cz.events import Floated
from ostbahn.titles.cz.state import CzTable, Markers, StockRound

# Share-price changes

ROW = 2
"""Index distance of one space right or left in the zigzag of prices; a diagonal space is 1."""


def rise_for_dividend(table: CzTable, company: str) -> None:
    """Move the price one space right, for a large company two, up to the end of the row (IX.2/1, IX.2/2)."""
    space = chart.space_of(table, company)
    for _ in range(table.title.companies[company].spec.price_steps):
        if space + ROW < len(table.title.prices):
            space += ROW
    chart.place_marker(table, company, space, "dividend")


def fall_without_dividend(table: CzTable, company: str) -> None:
    """Move the price one space left, unless it is at the end of the row (IX.2/3, IX.2/4)."""
    if chart.space_of(table, company) >= ROW:
        shares.move_price(table, company, -ROW, "no dividend")


# Playing Order cards and whose turn it is


def order_by_cash(table: CzTable, most_first: bool) -> tuple[str, ...]:
    """Return players by cash; ties keep their old order (VI/8, VII.2/4)."""
    return tuple(sorted(table.state.order, key=table.state.cash.__getitem__, reverse=most_first))


def next_player(table: CzTable, task: StockRound, passed: bool) -> None:
    """Pass the turn on; end the round once all have passed in a row (VII.2/1, VII.2/2)."""
    following = shares.next_turn(table, task, passed)
    if following is None:
        end_stock_round(table)
    else:
        table.replace(following)


def end_stock_round(table: CzTable) -> None:
    """Raise sold-out companies diagonally (IX.3/3, IX.3/4) and reorder players, most cash first (VII.2/3)."""
    table.pop()
    shares.raise_sold_out(table, 1)
    table.state.order = order_by_cash(table, most_first=True)


# Purchase and sale of shares, and what follows from them

FLOATS_AT = 50
"""Percent in players' hands that floats a company (VII.3/11)."""


def certificate_count(table: CzTable, player: str) -> int:
    """Count share certificates and Local Railways (VII.4/3, VII.4/4)."""
    return money.count_certificates(table, player) + sum(owner == player for owner in table.state.locals.values())


def buyer_refusal(table: CzTable, player: str) -> Refusal | None:
    """Check what holds for any purchase: no debt, and room below the certificate limit (VII.3, VII.4)."""
    debt, limit = table.state.debts.get(player), table.certificate_limit
    if debt:
        return table.refuse("VII.3/7", f"{table.name(player)} owes {debt} K and must repay that before buying shares")
    if certificate_count(table, player) >= limit:
        return table.refuse("VII.4/1", f"{table.name(player)} already has {limit} certificates, the limit")
    return None


def certificate_refusal(table: CzTable, task: StockRound, company: str, percent: int) -> Refusal | None:
    """Check what holds for certificates of a company: phase, sales in this round and holding limit."""
    player, bans = task.player, task.bans
    spec = table.title.companies[company].spec
    opens = spec.opens_in_phase
    if not table.phase_from(opens):
        return table.refuse(
            "VII.3/1" if task.first else spec.cites.opens,
            f"{company} is a {table.size(company)} company: its shares open with the first {opens}-train",
        )
    if bans and (player, company) in bans:
        text = f"{table.name(player)} sold {company} in this stock round and may not buy it again in it"
        return table.refuse("VII.3/8", text)
    if holding(table, player, company) + percent > spec.holding_limit:
        return table.refuse(spec.cites.holding_limit, f"nobody may hold more than {spec.holding_limit}% of {company}")
    return None


class StartCompanyStep(Step[CzTable, StockRound, StartCompany]):
    """Buy a Director's certificate for two shares at a chosen start price (VII.3/5)."""

    action = StartCompany

    def answers(self, table: CzTable, task: StockRound) -> Iterator[Option]:
        cash = table.state.cash[task.player]
        if buyer_refusal(table, task.player):
            return
        companies = table.title.companies
        for company, holders in table.state.certificates.items():
            if holders[0] != BANK:
                continue
            spec = companies[company]
            prices = [price for price in spec.spec.start_prices if 2 * price <= cash]
            if prices and certificate_refusal(table, task, company, spec.certificates[0]) is None:
                for price in prices:
                    yield Option(StartCompany(company, price))

    def refusal(self, table: CzTable, task: StockRound, action: StartCompany) -> Refusal | None:
        company = action.company
        if refusal := not_in_play_refusal(table, company):
            return refusal
        if (holder := director(table, company)) is not None:
            return table.refuse("VII.3/4", f"{table.name(holder)} already has the Director's certificate of {company}")
        spec = table.title.companies[company]
        if action.price not in spec.spec.start_prices:
            prices = ", ".join(map(str, spec.spec.start_prices))
            text = f"a {spec.size} company starts at {prices}, not at {action.price}"
            return table.refuse(spec.spec.cites.start_prices, text)
        if refusal := certificate_refusal(table, task, company, spec.certificates[0]) or buyer_refusal(
            table, task.player
        ):
            return refusal
        return table.cannot_afford("VII.3/6", task.player, 2 * action.price, f"the Director's certificate of {company}")

    def perform(self, table: CzTable, task: StockRound, action: StartCompany) -> None:
        company, price = action.company, action.price
        shares.start_company(table, task.player, company, price)
        table.state.start_prices = {**table.state.start_prices, company: price}
        float_if_sold(table, company)
        next_player(table, task, passed=False)


class BuyFromBank(Step[CzTable, StockRound, BuyShare]):
    """Buy one ordinary certificate at the current price (VII.1/2, VII.1/3)."""

    action = BuyShare

    def answers(self, table: CzTable, task: StockRound) -> Iterator[Option]:
        player, state = task.player, table.state
        if buyer_refusal(table, player):
            return
        held = state.certificates
        for company in state.start_prices:
            if BANK in held.get(company, ()) and not (
                self.none_left_refusal(table, company)
                or certificate_refusal(table, task, company, share_unit(table, company))
                or self.cannot_afford(table, task, company)
            ):
                yield Option(BuyShare(company))

    def refusal(self, table: CzTable, task: StockRound, action: BuyShare) -> Refusal | None:
        company = action.company
        return (
            self.none_left_refusal(table, company)
            or certificate_refusal(table, task, company, share_unit(table, company))
            or buyer_refusal(table, task.player)
            or self.cannot_afford(table, task, company)
        )

    def none_left_refusal(self, table: CzTable, company: str) -> Refusal | None:
        """Return why the bank sells no ordinary certificate of a company."""
        if refusal := not_in_play_refusal(table, company):
            return refusal
        if director(table, company) is None:
            text = f"the first certificate of {company} is the Director's: start the company with it"
            return table.refuse("IV.2.a/2", text)
        if BANK not in table.state.certificates[company]:
            return table.refuse("VII.1/1", f"the bank has no certificate of {company} left")
        return None

    def cannot_afford(self, table: CzTable, task: StockRound, company: str) -> Refusal | None:
        return table.cannot_afford("VII.3/6", task.player, chart.price(table, company), f"a share of {company}")

    def perform(self, table: CzTable, task: StockRound, action: BuyShare) -> None:
        company = action.company
        shares.buy_share(table, task.player, company)
        shares.change_director_if_outdone(table, company)
        float_if_sold(table, company)
        next_player(table, task, passed=False)


class SellSharesStep(Step[CzTable, StockRound, SellShares]):
    """Sell any number of shares of one company to the bank (VII.6)."""

    action = SellShares

    def answers(self, table: CzTable, task: StockRound) -> Iterator[Option]:
        player = task.player
        for company in table.state.start_prices if not task.first else ():
            held = holding(table, player, company)
            if held:
                unit, most = share_unit(table, company), held - must_keep(table, company, player)
                for percent in range(unit, most + 1, unit):
                    yield Option(SellShares(company, percent))

    def refusal(self, table: CzTable, task: StockRound, action: SellShares) -> Refusal | None:
        company, player = action.company, task.player
        if refusal := not_in_play_refusal(table, company):
            return refusal
        if task.first:
            return table.refuse("VII.6/4", "no shares may be sold in the very first stock round")
        unit = share_unit(table, company)
        if action.percent <= 0 or action.percent % unit:
            return table.refuse("VII.6/2", f"shares of {company} are sold in steps of {unit}%")
        held = holding(table, player, company)
        if action.percent > held:
            return table.refuse("VII.6/2", f"{table.name(player)} holds only {held}% of {company}")
        card = must_keep(table, company, player)
        if held - action.percent >= card:
            return None
        rule = "VII.6/5" if list(holdings(table, company)) == [player] else "VII.5.b/6"
        text = f"the Director's certificate of {company} is never sold, and nobody else holds {card}% to take it over"
        return table.refuse(rule, text)

    def perform(self, table: CzTable, task: StockRound, action: SellShares) -> None:
        """Sell, and lower the price one diagonal space, whatever the number sold (IX.3/1, IX.3/2)."""
        company = action.company
        shares.sell_shares(table, task.player, company, action.percent)
        if company not in task.sold or table.ruled("price_drop_per") == "block":
            shares.move_price(table, company, -1, "sale")
        table.replace(shares.with_sale(task, company))


def must_keep(table: CzTable, company: str, player: str) -> int:
    """Return the unsellable percentage: a Director's certificate nobody can take over (VII.5.b/6, VII.6/5)."""
    if director(table, company) != player:
        return 0
    card = table.title.companies[company].certificates[0]
    others = (other for other in table.state.players if other != player)
    return 0 if any(holding(table, other, company) >= card for other in others) else card


def not_in_play_refusal(table: CzTable, company: str) -> Refusal | None:
    if company in table.state.certificates:
        return None
    if company in table.state.closed:
        return table.refuse("VIII.9/17", f"{company} was taken over: its shares are out of the game")
    return table.refuse(table.title.companies_rule, f"there is no company {company} in this game")


def float_if_sold(table: CzTable, company: str) -> None:
    """Give a company its capital and markers once half of it is sold (VII.3/11, VII.5.a)."""
    state = table.state
    if company in state.floated or sum(holdings(table, company).values()) < FLOATS_AT:
        return
    spec = table.title.companies[company].spec
    state.floated = (*state.floated, company)
    state.markers = {**state.markers, company: Markers(spec.markers, 0)}
    table.note(Floated(company))
    pay(table, BANK, company, spec.capital * state.start_prices[company], "capital", "capital")


# Other actions of a player's turn


class RepayDebtStep(PlainStep[CzTable, StockRound, RepayDebt]):
    """Repay the whole loan in one's own turn (VIII.11/10)."""

    action = RepayDebt

    def refusal(self, table: CzTable, task: StockRound, action: RepayDebt) -> Refusal | None:
        debt = table.state.debts.get(task.player, 0)
        if not debt:
            return table.refuse("VIII.11/10", f"{table.name(task.player)} has no debt")
        cash = table.state.cash[task.player]
        if cash >= debt:
            return None
        text = f"the whole debt of {debt} K must be repaid at once and {table.name(task.player)} has only {cash} K"
        return table.refuse("VIII.11/9", text)

    def perform(self, table: CzTable, task: StockRound, action: RepayDebt) -> None:
        pay(table, task.player, BANK, table.state.debts[task.player], "debt repaid", "loans")
        table.state.debts = {player: debt for player, debt in table.state.debts.items() if player != task.player}


class LeaveStockTurn(PassStep[CzTable, StockRound]):
    """End the turn; without a sale it counts as a pass (VII.1/5)."""

    def refusal(self, table: CzTable, task: StockRound, action: Pass) -> Refusal | None:
        held, limit = certificate_count(table, task.player), table.certificate_limit
        must_sell = held > limit and table.ruled("above_certificate_limit") == "must sell"
        if not must_sell or next(SellSharesStep().answers(table, task), None) is None:
            return None
        text = f"{table.name(task.player)} has {held} certificates and must sell down to {limit} first"
        return table.refuse("VII.4/7", text)

    def perform(self, table: CzTable, task: StockRound, action: Pass) -> None:
        next_player(table, task, passed=not task.sold)
