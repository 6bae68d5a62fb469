"""Stock Rounds: bots invest all money in what grows fastest, and float their own companies first.

S plans its portfolio for the end of the round. It gives money and certificate room a shadow price each, tries a few
pairs of prices, and at each pair sells what does not earn its price and buys what exceeds it most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from ostbahn.bots.policies import Proposal, best_first, with_pass
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK, director, holding, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import BuyShare, RepayDebt, SellShares, StartCompany
from ostbahn.titles.cz.opponents.prospects import CzBotView, Foresight, shares_to_float
from ostbahn.titles.cz.opponents.weights import FixedShares
from ostbahn.titles.cz.state import CzTable, StockRound
from ostbahn.titles.cz.stock import FLOATS_AT, certificate_count

KEEP_REASON: Final = "no share on offer is expected to grow more than money kept"


class Investment(NamedTuple):
    """A possible purchase; all values in K."""

    action: Action
    worth: float
    """Final value."""
    cost: float
    """To pay in this round."""
    now: float
    """To pay in this turn."""
    certificates: int
    reasons: tuple[str, ...]

    @property
    def growth(self) -> float:
        return self.worth / max(self.cost, 1)


class SaleOption(NamedTuple):
    """A block of shares that can be sold."""

    action: SellShares
    worth: float
    """Final value if kept, plus the loss that the price drop would cause."""
    money: int
    certificates: int

    @property
    def growth(self) -> float:
        return self.worth / max(self.money, 1)


def proposals(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    table, player = view.table, question.decider
    sales = sorted(sales_of(question, view), key=lambda sale: sale.growth)
    if first := mandatory_proposal(question, view, sales):
        return [first]
    buys = sorted(investments_of(question, view, sales), key=lambda buy: -buy.growth)
    factor, fixed = view.calendar.cash_idle, view.weights.fixed.shares
    spare = table.certificate_limit - certificate_count(table, player)
    reserved = costs_to_float(table, player)
    free = table.state.cash[player] - due(view, player) - sum(reserved.values())
    proposed, swaps, tried = [], [], 0
    for buy in buys:
        money = free + reserved.get(company_of(buy.action), 0)
        if buy.cost <= money and spare > 0:
            proposed.append(Proposal(buy.action, _gain_with_remaining_cash(buy, buys, money, factor), buy.reasons))
        elif buy.worth > buy.cost * factor and tried < fixed.swaps:
            tried += 1
            swaps += _swap_proposals(view, buy, sales, money, spare)
    proposed += swaps
    proposed += [sale_proposal(view, sale) for sale in sales if sale.worth < sale.money * factor * fixed.sale][
        : fixed.sales
    ]
    return best_first(with_pass(proposed, KEEP_REASON))


def company_of(action: Action) -> str:
    return str(getattr(action, "company", ""))


def due(view: CzBotView, player: str) -> float:
    """Money that a Director reserves for trains due before the next Stock Round; a loan would cost double."""
    return view.due(player) * view.weights.dealing.reserve


def costs_to_float(table: CzTable, player: str) -> dict[str, int]:
    """Return the price of the shares missing for each unfloated company that a player directs."""
    return {
        company: shares_to_float(table, company) * chart.price(table, company)
        for company in table.state.start_prices
        if director(table, company) == player and company not in table.state.floated
    }


def _gain_with_remaining_cash(first: Investment, buys: list[Investment], cash: float, factor: float) -> float:
    """Return the gain of one investment and of those that the remaining cash can buy."""
    gain = first.worth - first.cost * factor
    if gain < 0:
        return gain
    cash -= first.cost
    taken = {company_of(first.action)}
    for other in buys:
        company = company_of(other.action)
        if company not in taken and other.cost <= cash and other.worth > other.cost * factor:
            taken.add(company)
            cash -= other.cost
            gain += other.worth - other.cost * factor
    return gain


# Purchases


def investments_of(question: Question, view: CzBotView, sales: list[SaleOption]) -> Iterator[Investment]:
    if view.table.state.debts.get(question.decider):
        return
    money = view.table.state.cash[question.decider] + sum(sale.money for sale in largest_blocks(sales))
    for company, holders in view.table.state.certificates.items():
        if holders[0] == BANK:
            yield from _start_investments(question, view, company, money)
    for company in view.table.state.start_prices:
        if buy := _share_investment(question, view, company):
            yield buy


def _start_investments(question: Question, view: CzBotView, company: str, money: float) -> Iterator[Investment]:
    """Yield a start at every price at which the player can float the company alone."""
    table, player = view.table, question.decider
    assert isinstance(question.task, StockRound)
    spec = table.title.companies[company]
    if not table.phase_from(spec.spec.opens_in_phase) or (player, company) in question.task.bans:
        return
    shares = -(-FLOATS_AT // spec.certificates[-1])
    for price in spec.spec.start_prices:
        if shares * price > money:
            break
        space = table.title.prices.index(price)
        cash = spec.spec.capital * price
        prospect = Foresight(view, company, cash=cash, space=space, trains=()).prospect()
        worth = shares * (prospect.dividends * spec.certificates[-1] / 100 + prospect.price) - prospect.levies
        worth += view.weights.shares.control * cash
        reasons = [f"the company gets {cash} K, its shares cost you {shares * price} K"]
        if prospect.price > price:
            reasons.append(f"a share may grow from {price} K to {prospect.price} K")
        yield Investment(StartCompany(company, price), worth, shares * price, 2 * price, shares - 1, tuple(reasons))


def _share_investment(question: Question, view: CzBotView, company: str) -> Investment | None:
    table, player = view.table, question.decider
    price = chart.price(table, company)
    action = BuyShare(company)
    share_value = worth = view.share(company, player)
    held, unit, current = holding(table, player, company), share_unit(table, company), director(table, company)
    if shares_to_float(table, company) > 0:
        is_own = current == player
        worth *= view.weights.fixed.shares.own_unfloated if is_own else view.weights.shares.unfloated
    if current != player:
        worth -= view.burden(company, player, held + unit) - view.burden(company, player, held)
        if current is not None and held + unit > holding(table, current, company):
            worth += view.weights.shares.exposed * table.state.cash[company]
    refusal = question.refusal(action)
    at_limit = certificate_count(table, player) >= table.certificate_limit
    if refusal is not None and table.state.cash[player] >= price and not at_limit:
        return None
    if not _may_buy(question, view, company):
        return None
    pays = view.prospect(company).next_revenue * unit / 100
    reasons = [f"pays about {pays:.0f} K a round"] if pays >= 1 else []
    if share_value > price:
        reasons.append(f"brings about {share_value:.0f} K until the end, for {price} K")
    return Investment(action, worth, cost=price, now=price, certificates=1, reasons=tuple(reasons))


def _may_buy(question: Question, view: CzBotView, company: str) -> bool:
    """Whether the rules allow a share, leaving aside money and the certificate limit."""
    table, player = view.table, question.decider
    assert isinstance(question.task, StockRound)
    unit = share_unit(table, company)
    spec = table.title.companies[company].spec
    return (
        BANK in table.state.certificates[company][1:]
        and (player, company) not in question.task.bans
        and holding(table, player, company) + unit <= spec.holding_limit
        and table.phase_from(spec.opens_in_phase)
        and not table.state.debts.get(player)
    )


# Sales


def sales_of(question: Question, view: CzBotView) -> Iterator[SaleOption]:
    """Yield every legal block of shares; blocks that keep control of a company are worth more."""
    table, player, fixed = view.table, question.decider, view.weights.fixed.shares
    for action in question.actions(SellShares):
        company = action.company
        if company not in table.state.floated:
            continue
        unit = share_unit(table, company)
        shares = action.percent // unit
        price = chart.price(table, company)
        held = holding(table, player, company)
        left = (held - action.percent) // unit
        worth = shares * view.share(company, player) + fixed.fall * left * price
        worth -= view.burden(company, player, held) - view.burden(company, player, held - action.percent)
        if director(table, company) == player and left * unit < table.title.companies[company].certificates[0]:
            worth += fixed.control * price * shares
        worth += view.weights.shares.exposed * _treasury_at_stake(view, company, player, held - action.percent)
        yield SaleOption(action, worth, shares * price, shares)


def _treasury_at_stake(view: CzBotView, company: str, player: str, left: int) -> int:
    """Return the treasury of an own company that others could take over only after this sale."""
    table = view.table
    if director(table, company) != player or _can_be_outdone(table, company, player, holding(table, player, company)):
        return 0
    return table.state.cash[company] if _can_be_outdone(table, company, player, left) else 0


def _can_be_outdone(table: CzTable, company: str, player: str, left: int) -> bool:
    """Whether another player could outdo the Director in this round if he kept only `left` percent."""
    unit, price = share_unit(table, company), chart.price(table, company)
    sold = holding(table, player, company) - left
    in_bank = table.state.certificates[company].count(BANK) * unit + sold
    for other in table.state.players:
        if other == player or table.state.debts.get(other):
            continue
        room = table.certificate_limit - certificate_count(table, other)
        shares = min(table.state.cash[other] // price, room, in_bank // unit)
        if holding(table, other, company) + max(shares, 0) * unit > left:
            return True
    return False


def largest_blocks(sales: list[SaleOption]) -> list[SaleOption]:
    """Return the largest block of each company."""
    largest: dict[str, SaleOption] = {}
    for sale in sales:
        known = largest.get(sale.action.company)
        if known is None or sale.money > known.money:
            largest[sale.action.company] = sale
    return list(largest.values())


def _swap_proposals(
    view: CzBotView, buy: Investment, sales: list[SaleOption], cash: float, spare: int
) -> list[Proposal]:
    """Propose the sale that pays or makes room for an investment that grows much faster."""
    company = company_of(buy.action)
    swap = view.weights.shares.swap_for_start if isinstance(buy.action, StartCompany) else view.weights.shares.swap
    candidates = [sale for sale in sales if sale.action.company != company and sale.growth * swap < buy.growth]
    if spare <= 0:
        candidates = [sale for sale in candidates if sale.certificates == 1 and sale.money + cash >= buy.now]
    elif cash + sum(sale.money for sale in largest_blocks(candidates)) < buy.cost:
        return []
    if not candidates:
        return []
    missing = buy.cost - cash
    sufficient = [sale for sale in candidates if sale.money >= missing]
    sale = min(sufficient, key=lambda each: (each.growth, each.money)) if sufficient else candidates[0]
    gain = buy.worth - sale.worth - (buy.cost - sale.money) * view.calendar.cash_now
    return [Proposal(sale.action, gain, (swap_reason(sale, buy),))]


def swap_reason(sale: SaleOption, buy: Investment) -> str:
    return f"{sale.money} K {_swap_purpose(buy)}, where money is expected to grow faster"


def _swap_purpose(buy: Investment) -> str:
    return f"{'to start' if isinstance(buy.action, StartCompany) else 'for shares of'} {company_of(buy.action)}"


def sale_proposal(view: CzBotView, sale: SaleOption) -> Proposal:
    """Propose a sale; the reason compares both final values only where selling wins."""
    grown = sale.money * view.calendar.cash_now
    reason = f"{sale.money} K for something that grows faster"
    if grown > sale.worth:
        reason = f"{sale.money} K that may become {grown:.0f} K; kept, the shares bring about {sale.worth:.0f} K"
    return Proposal(sale.action, grown - sale.worth, (reason,))


def mandatory_proposal(question: Question, view: CzBotView, sales: list[SaleOption]) -> Proposal | None:
    """Repay a debt first; above the certificate limit, sell the block that is worth least."""
    if question.only(RepayDebt):
        return Proposal(RepayDebt(), 0.0, ("who has a debt can buy nothing",))
    if certificate_count(view.table, question.decider) <= view.table.certificate_limit or not sales:
        return None
    least = sale_proposal(view, min(sales, key=lambda sale: sale.worth))
    return least._replace(reasons=("you are above the certificate limit, and these are worth least",))


class PortfolioPlan(NamedTuple):
    """Sales and purchases for the rest of a Stock Round."""

    value: float
    sales: tuple[SaleOption, ...]
    purchases: tuple[Investment, ...]


class BuyingPower(NamedTuple):
    money: float
    room: int
    idle: float
    """Final value of 1 K left unspent."""


def buying_power_of(view: CzBotView, player: str) -> BuyingPower:
    table = view.table
    room = table.certificate_limit - certificate_count(table, player)
    return BuyingPower(table.state.cash[player] - due(view, player), room, view.calendar.cash_idle)


def planned_proposals(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    # early sales cost more than the share: the price drops, and others may buy
    friction = view.weights.shares.friction * min(1.0, view.calendar.cash_now - 1)
    sales = [sale._replace(worth=sale.worth * (1 + friction)) for sale in sales_of(question, view)]
    if first := mandatory_proposal(question, view, sales):
        return [first]
    unfloated, funds = costs_to_float(view.table, question.decider), buying_power_of(view, question.decider)
    buys = [_as_full_float(view.table, unfloated, buy) for buy in investments_of(question, view, sales)]
    plan = best_plan(buys, sales, funds, set(unfloated), view.weights.fixed.shares)
    return best_first(with_pass(_next_steps(view, plan, funds, set(unfloated)), KEEP_REASON))


def _as_full_float(table: CzTable, unfloated: Mapping[str, int], buy: Investment) -> Investment:
    """Turn one share of an own unfloated company into all shares that it needs to float."""
    company = company_of(buy.action)
    if company not in unfloated:
        return buy
    missing = unfloated[company] // chart.price(table, company)
    return buy._replace(worth=buy.worth * missing, cost=unfloated[company], certificates=missing)


def best_plan(
    buys: Sequence[Investment],
    sales: Sequence[SaleOption],
    funds: BuyingPower,
    unfloated: set[str],
    weights: FixedShares,
) -> PortfolioPlan:
    """Return the best plan that floats own companies first, or without that priority if it would lose money."""
    best = _best_priced_plan(buys, sales, funds, unfloated, weights)
    return best if best.value >= 0 or not unfloated else _best_priced_plan(buys, sales, funds, set(), weights)


def _best_priced_plan(
    buys: Sequence[Investment],
    sales: Sequence[SaleOption],
    funds: BuyingPower,
    unfloated: set[str],
    weights: FixedShares,
) -> PortfolioPlan:
    prices = product(weights.money_prices, weights.room_prices)
    plans = (plan_at_prices(buys, sales, funds, unfloated, funds.idle * money, room) for money, room in prices)
    return max(plans, key=lambda plan: plan.value)


def plan_at_prices(
    buys: Sequence[Investment],
    sales: Sequence[SaleOption],
    funds: BuyingPower,
    unfloated: set[str],
    money: float,
    room: float,
) -> PortfolioPlan:
    sold = list(_blocks_to_sell(sales, unfloated, money, room))
    cash = funds.money + sum(sale.money for sale in sold)
    spare = funds.room + sum(sale.certificates for sale in sold)
    sold_companies = {sale.action.company for sale in sold}

    def surplus(buy: Investment) -> float:
        price = buy.cost * money + buy.certificates * room
        return (buy.worth - price) / price

    ranked = sorted(((company_of(buy.action) not in unfloated, -surplus(buy)), place) for place, buy in enumerate(buys))
    bought: list[Investment] = []
    bought_companies: set[str] = set()
    for (is_optional, rank), place in ranked:
        buy = buys[place]
        company = company_of(buy.action)
        if (is_optional and rank >= 0) or company in bought_companies or company in sold_companies:
            continue
        if buy.cost <= cash and buy.certificates <= spare:
            bought_companies.add(company)
            bought.append(buy)
            cash -= buy.cost
            spare -= buy.certificates
    value = sum(buy.worth for buy in bought) - sum(sale.worth for sale in sold)
    return PortfolioPlan(value + (cash - funds.money) * funds.idle, tuple(sold), tuple(bought))


def _blocks_to_sell(
    sales: Sequence[SaleOption], unfloated: set[str], money: float, room: float
) -> Iterator[SaleOption]:
    """Return for each company the block whose worth falls furthest below its shadow price."""
    worst: dict[str, tuple[float, SaleOption]] = {}
    for sale in sales:
        company = sale.action.company
        loss = sale.worth - sale.money * money - sale.certificates * room
        if company not in unfloated and loss < min(0.0, worst[company][0] if company in worst else 0.0):
            worst[company] = (loss, sale)
    return (sale for _, sale in worst.values())


def _next_steps(view: CzBotView, plan: PortfolioPlan, funds: BuyingPower, unfloated: set[str]) -> Iterator[Proposal]:
    """Propose the plan's first purchase, or the sales that it needs first."""
    purchases = sorted(plan.purchases, key=lambda buy: (company_of(buy.action) not in unfloated, -buy.growth))
    if not purchases:
        if plan.sales and plan.value > 0:
            yield from (sale_proposal(view, sale)._replace(score=plan.value) for sale in plan.sales[:1])
        return
    cost, certificates = (sum(buy.cost for buy in purchases), sum(buy.certificates for buy in purchases))
    first = purchases[0]
    if plan.sales and (cost > funds.money or certificates > funds.room):
        worst = min(plan.sales, key=lambda sale: sale.growth)
        room = f"room among your certificates {_swap_purpose(first)}, which are expected to bring more"
        reason = swap_reason(worst, first) if cost > funds.money else room
        yield Proposal(worst.action, plan.value, (reason,))
    else:
        yield Proposal(first.action, plan.value, first.reasons)
