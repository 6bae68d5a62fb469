"""Stock Rounds for S: what to hold when the round is over, with the money and the certificates that there may be.

Money is scarce first, certificates are later. Both get a price: what they must earn elsewhere. A few pairs of prices
are tried; at each, what is not worth its place is sold, and what is worth most beyond its price is bought.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from ostbahn.bots.proposal import Proposal, best_first, or_pass
from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import RepayDebt
from ostbahn.titles.cz.opponents.prospects import View
from ostbahn.titles.cz.opponents.shares import (
    KEEP,
    Chance,
    Holding,
    above_limit,
    chances_of,
    company_of,
    due,
    for_better,
    for_room,
    promised,
    sales_of,
    sold,
)
from ostbahn.titles.cz.opponents.weights import FixedShares
from ostbahn.titles.cz.shares import certificate_count, certificate_limit
from ostbahn.titles.cz.state import CzTable, StockRound


class Plan(NamedTuple):
    """Sales and purchases of the rest of a Stock Round."""

    value: float
    sales: tuple[Holding, ...]
    purchases: tuple[Chance, ...]


class Means(NamedTuple):
    """What a player can invest."""

    money: float
    room: int
    idle: float
    """What 1 K becomes that is kept."""


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    assert isinstance(question.task, StockRound)
    table, player = view.table, question.decider
    if question.only(RepayDebt):
        return [Proposal(RepayDebt(), 0.0, ("who has a debt can buy nothing",))]
    sales = [_regretted(view, sale) for sale in sales_of(question, view)]
    room = certificate_limit(table) - certificate_count(table, player)
    if room < 0 and sales:
        return [above_limit(view, sales)]
    chances = list(chances_of(question, view, sales))
    means = Means(table.state.cash[player] - due(view, player), room, view.calendar.cash_idle)
    own = promised(table, player)
    chances = [_floating(table, own, chance) for chance in chances]
    plan = best_plan(chances, sales, means, set(own), view.weights.fixed.shares)
    return best_first(or_pass(_next_steps(view, plan, means, set(own)), KEEP))


def _regretted(view: View, sale: Holding) -> Holding:
    """A sale costs more than the share, as long as there is time: the price falls, and others may buy."""
    lost = view.weights.shares.friction * min(1.0, view.calendar.cash_now - 1)
    return sale._replace(worth=sale.worth * (1 + lost))


def _floating(table: CzTable, own: Mapping[str, int], chance: Chance) -> Chance:
    """Of a company that its Director has still to float, all shares that are missing."""
    company = company_of(chance.action)
    if company not in own:
        return chance
    missing = own[company] // chart.price(table, company)
    return chance._replace(worth=chance.worth * missing, cost=own[company], certificates=missing)


def best_plan(
    chances: Sequence[Chance], sales: Sequence[Holding], means: Means, own: set[str], weights: FixedShares
) -> Plan:
    """The best of the plans that the prices lead to; companies of one's own come first, unless that loses money."""
    best = _best_with(chances, sales, means, own, weights)
    return best if best.value >= 0 or not own else _best_with(chances, sales, means, set(), weights)


def _best_with(
    chances: Sequence[Chance], sales: Sequence[Holding], means: Means, own: set[str], weights: FixedShares
) -> Plan:
    prices = product(weights.money_prices, weights.room_prices)
    plans = (plan_at(chances, sales, means, own, means.idle * money, room) for money, room in prices)
    return max(plans, key=lambda plan: plan.value)


def plan_at(
    chances: Sequence[Chance], sales: Sequence[Holding], means: Means, own: set[str], money: float, room: float
) -> Plan:
    gone = list(_cleared(sales, own, money, room))
    cash = means.money + sum(sale.money for sale in gone)
    spare = means.room + sum(sale.certificates for sale in gone)
    away = {sale.action.company for sale in gone}

    def surplus(chance: Chance) -> float:
        price = chance.cost * money + chance.certificates * room
        return (chance.worth - price) / price

    ranked = sorted(
        ((company_of(chance.action) not in own, -surplus(chance)), place) for place, chance in enumerate(chances)
    )
    taken: list[Chance] = []
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
    return Plan(value + (cash - means.money) * means.idle, tuple(gone), tuple(taken))


def _cleared(sales: Sequence[Holding], own: set[str], money: float, room: float) -> Iterator[Holding]:
    """Of each company the block that is least worth its money and its place."""
    worst: dict[str, tuple[float, Holding]] = {}
    for sale in sales:
        company = sale.action.company
        loss = sale.worth - sale.money * money - sale.certificates * room
        if company not in own and loss < min(0.0, worst[company][0] if company in worst else 0.0):
            worst[company] = (loss, sale)
    return (sale for _, sale in worst.values())


def _next_steps(view: View, plan: Plan, means: Means, own: set[str]) -> Iterator[Proposal]:
    """What the plan begins with: the first purchase, and before it the sales that it needs."""
    ahead = sorted(plan.purchases, key=lambda chance: (company_of(chance.action) not in own, -chance.growth))
    if not ahead:
        if plan.sales and plan.value > 0:
            yield from (sold(view, sale)._replace(score=plan.value) for sale in plan.sales[:1])
        return
    cost, certificates = (sum(chance.cost for chance in ahead), sum(chance.certificates for chance in ahead))
    first = ahead[0]
    if plan.sales and (cost > means.money or certificates > means.room):
        worst = min(plan.sales, key=lambda sale: sale.growth)
        reason = for_better(worst, first) if cost > means.money else for_room(first)
        yield Proposal(worst.action, plan.value, (reason,))
    else:
        yield Proposal(first.action, plan.value, first.reasons)
