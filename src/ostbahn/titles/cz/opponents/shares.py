"""Stock Rounds: all money into what grows fastest, and companies of one's own before everything else.

S plans what to hold when the round is over. Money is scarce first, certificates are later. Both get a price: what they
must earn elsewhere. A few pairs of prices are tried; at each, what is not worth its place is sold, and what is worth
most beyond its price is bought.
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
    """Something to put money into."""

    action: Action
    worth: float
    """What it becomes until the end."""
    cost: float
    """What has to be paid for it in this round."""
    now: float
    """What has to be paid for it in this turn."""
    certificates: int
    reasons: tuple[str, ...]

    @property
    def growth(self) -> float:
        return self.worth / max(self.cost, 1)


class SaleOption(NamedTuple):
    """Shares that could be sold."""

    action: SellShares
    worth: float
    """What they would become until the end, with what the fall of the price costs."""
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
    chances = sorted(investments_of(question, view, sales), key=lambda chance: -chance.growth)
    factor, fixed = view.calendar.cash_idle, view.weights.fixed.shares
    spare = table.certificate_limit - certificate_count(table, player)
    reserved = costs_to_float(table, player)
    free = table.state.cash[player] - due(view, player) - sum(reserved.values())
    found, swaps, tried = [], [], 0
    for chance in chances:
        money = free + reserved.get(company_of(chance.action), 0)
        if chance.cost <= money and spare > 0:
            gain = _gain_with_remaining_cash(chance, chances, money, factor)
            found.append(Proposal(chance.action, gain, chance.reasons))
        elif chance.worth > chance.cost * factor and tried < fixed.swaps:
            tried += 1
            swaps += _to_make_room(view, chance, sales, money, spare)
    found += swaps
    found += [sale_proposal(view, sale) for sale in sales if sale.worth < sale.money * factor * fixed.sale][
        : fixed.sales
    ]
    return best_first(with_pass(found, KEEP_REASON))


def company_of(action: Action) -> str:
    return str(getattr(action, "company", ""))


def due(view: CzBotView, player: str) -> float:
    """What will be asked of a Director for trains before the next Stock Round; a loan would cost double."""
    return view.due(player) * view.weights.dealing.reserve


def costs_to_float(table: CzTable, player: str) -> dict[str, int]:
    """What it costs a player to float the companies that he has started."""
    return {
        company: shares_to_float(table, company) * chart.price(table, company)
        for company in table.state.start_prices
        if director(table, company) == player and company not in table.state.floated
    }


def _gain_with_remaining_cash(first: Investment, chances: list[Investment], cash: float, factor: float) -> float:
    """What something brings, together with what the rest of the money can still be put into."""
    gain = first.worth - first.cost * factor
    if gain < 0:
        return gain
    cash -= first.cost
    taken = {company_of(first.action)}
    for chance in chances:
        company = company_of(chance.action)
        if company not in taken and chance.cost <= cash and chance.worth > chance.cost * factor:
            taken.add(company)
            cash -= chance.cost
            gain += chance.worth - chance.cost * factor
    return gain


# What could be bought


def investments_of(question: Question, view: CzBotView, sales: list[SaleOption]) -> Iterator[Investment]:
    if view.table.state.debts.get(question.decider):
        return
    money = view.table.state.cash[question.decider] + sum(sale.money for sale in largest_blocks(sales))
    for company, holders in view.table.state.certificates.items():
        if holders[0] == BANK:
            yield from _start_investments(question, view, company, money)
    for company in view.table.state.start_prices:
        if chance := _share_investment(question, view, company):
            yield chance


def _start_investments(question: Question, view: CzBotView, company: str, money: float) -> Iterator[Investment]:
    """A company of one's own, at every price at which one can float it alone."""
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
    brings = worth = view.share(company, player)
    held, unit, head = holding(table, player, company), share_unit(table, company), director(table, company)
    if shares_to_float(table, company) > 0:
        own = head == player
        worth *= view.weights.fixed.shares.own_unfloated if own else view.weights.shares.unfloated
    if head != player:
        worth -= view.burden(company, player, held + unit) - view.burden(company, player, held)
        if head is not None and held + unit > holding(table, head, company):
            worth += view.weights.shares.exposed * table.state.cash[company]
    refusal = question.refusal(action)
    full = certificate_count(table, player) >= table.certificate_limit
    if refusal is not None and table.state.cash[player] >= price and not full:
        return None
    if not _open_to(question, view, company):
        return None
    pays = view.prospect(company).next_revenue * unit / 100
    reasons = [f"pays about {pays:.0f} K a round"] if pays >= 1 else []
    if brings > price:
        reasons.append(f"brings about {brings:.0f} K until the end, for {price} K")
    return Investment(action, worth, cost=price, now=price, certificates=1, reasons=tuple(reasons))


def _open_to(question: Question, view: CzBotView, company: str) -> bool:
    """Whether a share could be bought if there were money and room for it."""
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


# What could be sold


def sales_of(question: Question, view: CzBotView) -> Iterator[SaleOption]:
    """Each holding from one share up; those that keep companies under one's direction are dear."""
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
        worth += view.weights.shares.exposed * _at_stake(view, company, player, held - action.percent)
        yield SaleOption(action, worth, shares * price, shares)


def _at_stake(view: CzBotView, company: str, player: str, left: int) -> int:
    """The treasury of a company of one's own, if somebody else can take it over only when no more than that is left."""
    table = view.table
    if director(table, company) != player or _in_reach(table, company, player, holding(table, player, company)):
        return 0
    return table.state.cash[company] if _in_reach(table, company, player, left) else 0


def _in_reach(table: CzTable, company: str, player: str, left: int) -> bool:
    """Whether another player can come to hold more of a company in this round than its Director would have left."""
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
    """Of each company the largest block."""
    found: dict[str, SaleOption] = {}
    for sale in sales:
        kept = found.get(sale.action.company)
        if kept is None or sale.money > kept.money:
            found[sale.action.company] = sale
    return list(found.values())


def _to_make_room(
    view: CzBotView, chance: Investment, sales: list[SaleOption], cash: float, spare: int
) -> list[Proposal]:
    """What to sell for something that grows much better, if the money or the room for it is missing."""
    company = company_of(chance.action)
    starts = isinstance(chance.action, StartCompany)
    swap = view.weights.shares.swap_for_start if starts else view.weights.shares.swap
    good = [sale for sale in sales if sale.action.company != company and sale.growth * swap < chance.growth]
    if spare <= 0:
        good = [sale for sale in good if sale.certificates == 1 and sale.money + cash >= chance.now]
    elif cash + sum(sale.money for sale in largest_blocks(good)) < chance.cost:
        return []
    if not good:
        return []
    missing = chance.cost - cash
    enough = [sale for sale in good if sale.money >= missing]
    sale = min(enough, key=lambda each: (each.growth, each.money)) if enough else good[0]
    gain = chance.worth - sale.worth - (chance.cost - sale.money) * view.calendar.cash_now
    return [Proposal(sale.action, gain, (swap_reason(sale, chance),))]


def swap_reason(sale: SaleOption, chance: Investment) -> str:
    return f"{sale.money} K {_purpose(chance)}, where money is expected to grow faster"


def _purpose(chance: Investment) -> str:
    return f"{'to start' if isinstance(chance.action, StartCompany) else 'for shares of'} {company_of(chance.action)}"


def sale_proposal(view: CzBotView, sale: SaleOption) -> Proposal:
    """Shares for money; what they bring if kept is told only where that is less than what the money becomes."""
    grown = sale.money * view.calendar.cash_now
    reason = f"{sale.money} K for something that grows faster"
    if grown > sale.worth:
        reason = f"{sale.money} K that may become {grown:.0f} K; kept, the shares bring about {sale.worth:.0f} K"
    return Proposal(sale.action, grown - sale.worth, (reason,))


def mandatory_proposal(question: Question, view: CzBotView, sales: list[SaleOption]) -> Proposal | None:
    """What must be done before anything else: a debt is repaid, and with too many certificates some are sold."""
    if question.only(RepayDebt):
        return Proposal(RepayDebt(), 0.0, ("who has a debt can buy nothing",))
    if certificate_count(view.table, question.decider) <= view.table.certificate_limit or not sales:
        return None
    least = sale_proposal(view, min(sales, key=lambda sale: sale.worth))
    return least._replace(reasons=("you are above the certificate limit, and these are worth least",))


class PortfolioPlan(NamedTuple):
    """Sales and purchases of the rest of a Stock Round."""

    value: float
    sales: tuple[SaleOption, ...]
    purchases: tuple[Investment, ...]


class BuyingPower(NamedTuple):
    money: float
    room: int
    idle: float
    """What 1 K becomes that is kept."""


def buying_power_of(view: CzBotView, player: str) -> BuyingPower:
    table = view.table
    room = table.certificate_limit - certificate_count(table, player)
    return BuyingPower(table.state.cash[player] - due(view, player), room, view.calendar.cash_idle)


def planned_proposals(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    # a sale costs more than the share, as long as there is time: the price falls, and others may buy
    lost = view.weights.shares.friction * min(1.0, view.calendar.cash_now - 1)
    sales = [sale._replace(worth=sale.worth * (1 + lost)) for sale in sales_of(question, view)]
    if first := mandatory_proposal(question, view, sales):
        return [first]
    own, means = costs_to_float(view.table, question.decider), buying_power_of(view, question.decider)
    chances = [_floating(view.table, own, chance) for chance in investments_of(question, view, sales)]
    plan = best_plan(chances, sales, means, set(own), view.weights.fixed.shares)
    return best_first(with_pass(_next_steps(view, plan, means, set(own)), KEEP_REASON))


def _floating(table: CzTable, own: Mapping[str, int], chance: Investment) -> Investment:
    """Of a company that its Director has still to float, all shares that are missing."""
    company = company_of(chance.action)
    if company not in own:
        return chance
    missing = own[company] // chart.price(table, company)
    return chance._replace(worth=chance.worth * missing, cost=own[company], certificates=missing)


def best_plan(
    chances: Sequence[Investment], sales: Sequence[SaleOption], means: BuyingPower, own: set[str], weights: FixedShares
) -> PortfolioPlan:
    """The best of the plans that the prices lead to; companies of one's own come first, unless that loses money."""
    best = _best_with(chances, sales, means, own, weights)
    return best if best.value >= 0 or not own else _best_with(chances, sales, means, set(), weights)


def _best_with(
    chances: Sequence[Investment], sales: Sequence[SaleOption], means: BuyingPower, own: set[str], weights: FixedShares
) -> PortfolioPlan:
    prices = product(weights.money_prices, weights.room_prices)
    plans = (plan_at_prices(chances, sales, means, own, means.idle * money, room) for money, room in prices)
    return max(plans, key=lambda plan: plan.value)


def plan_at_prices(
    chances: Sequence[Investment],
    sales: Sequence[SaleOption],
    means: BuyingPower,
    own: set[str],
    money: float,
    room: float,
) -> PortfolioPlan:
    gone = list(_blocks_to_sell(sales, own, money, room))
    cash = means.money + sum(sale.money for sale in gone)
    spare = means.room + sum(sale.certificates for sale in gone)
    away = {sale.action.company for sale in gone}

    def surplus(chance: Investment) -> float:
        price = chance.cost * money + chance.certificates * room
        return (chance.worth - price) / price

    ranked = sorted(
        ((company_of(chance.action) not in own, -surplus(chance)), place) for place, chance in enumerate(chances)
    )
    taken: list[Investment] = []
    names: set[str] = set()
    for (stranger, rank), place in ranked:
        chance = chances[place]
        company = company_of(chance.action)
        if (stranger and rank >= 0) or company in names or company in away:
            continue
        if chance.cost <= cash and chance.certificates <= spare:
            names.add(company)
            taken.append(chance)
            cash -= chance.cost
            spare -= chance.certificates
    value = sum(chance.worth for chance in taken) - sum(sale.worth for sale in gone)
    return PortfolioPlan(value + (cash - means.money) * means.idle, tuple(gone), tuple(taken))


def _blocks_to_sell(sales: Sequence[SaleOption], own: set[str], money: float, room: float) -> Iterator[SaleOption]:
    """Of each company the block that is least worth its money and its place."""
    worst: dict[str, tuple[float, SaleOption]] = {}
    for sale in sales:
        company = sale.action.company
        loss = sale.worth - sale.money * money - sale.certificates * room
        if company not in own and loss < min(0.0, worst[company][0] if company in worst else 0.0):
            worst[company] = (loss, sale)
    return (sale for _, sale in worst.values())


def _next_steps(view: CzBotView, plan: PortfolioPlan, means: BuyingPower, own: set[str]) -> Iterator[Proposal]:
    """What the plan begins with: the first purchase, and before it the sales that it needs."""
    ahead = sorted(plan.purchases, key=lambda chance: (company_of(chance.action) not in own, -chance.growth))
    if not ahead:
        if plan.sales and plan.value > 0:
            yield from (sale_proposal(view, sale)._replace(score=plan.value) for sale in plan.sales[:1])
        return
    cost, certificates = (sum(chance.cost for chance in ahead), sum(chance.certificates for chance in ahead))
    first = ahead[0]
    if plan.sales and (cost > means.money or certificates > means.room):
        worst = min(plan.sales, key=lambda sale: sale.growth)
        room = f"room among your certificates {_purpose(first)}, which are expected to bring more"
        reason = swap_reason(worst, first) if cost > means.money else room
        yield Proposal(worst.action, plan.value, (reason,))
    else:
        yield Proposal(first.action, plan.value, first.reasons)
