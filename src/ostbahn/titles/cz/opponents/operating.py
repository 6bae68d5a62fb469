"""A company's turn after its run: income, trains, Local Railways, takeovers, and offers of others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ostbahn.bots.policies import Proposal, best_first, with_pass, with_reason_for_best
from ostbahn.kernel.actions import Accept, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director, holding
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import (
    BuyTrain,
    Offer,
    OfferAcquisition,
    OfferForLocal,
    OfferForTrain,
    PayOut,
    ReturnTrain,
    ScrapTrain,
    SellLocal,
    TurnTrain,
    Withhold,
)
from ostbahn.titles.cz.opponents.prospects import (
    CzBotView,
    Foresight,
    local_worth,
    on_sale,
    relative_wealth,
    view_after,
)
from ostbahn.titles.cz.purchase import forced, full
from ostbahn.titles.cz.rounds import dividend
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CompanyTask, Consent, CzTable, UseIncome
from ostbahn.titles.cz.stock import certificate_count


def income_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    assert isinstance(question.task, UseIncome)
    player, company, revenue = question.decider, question.task.company, question.task.revenue
    part = holding(view.table, player, company)
    able = [action for action in (PayOut(), Withhold()) if question.only(type(action))]
    then = {action: view_after(game, action, view.weights) for action in able}
    ends = {action: then[action].prospect(company).price for action in able}
    lowest = min(ends.values(), default=0)
    found = []
    for action in able:
        score, reasons = relative_wealth(then[action], player), [f"{revenue} K more for trains"]
        if action == PayOut():
            reasons = [f"a dividend of {dividend(revenue, part)} K for you"]
        else:
            score -= revenue * part / 100 * view.calendar.cash_now * view.weights.dealing.doubt
        if ends[action] > lowest:
            reasons.append(f"a share ends at about {ends[action]} K instead of {lowest} K")
        found.append(Proposal(action, score, tuple(reasons)))
    return found


def sales_to_company(question: Question, view: CzBotView) -> Iterator[Proposal]:
    """The Director's own Local Railways at the highest price, once they earn less than his money elsewhere."""
    table, player = view.table, question.decider
    price = table.state.local_price
    for option in question.only(OfferForLocal):
        action = option.action
        assert isinstance(action, OfferForLocal)
        if option.span is None or option.span.high < price or table.state.locals[action.local] != player:
            continue
        keep = view.weights.dealing.keep_local[table.title.locals[action.local].size]
        if certificate_count(table, player) >= table.certificate_limit:
            keep *= view.weights.fixed.keep_when_full
        gain = price * view.calendar.cash_now - local_worth(view, action.local) * keep
        if gain > 0:
            yield Proposal(option.with_price(price), gain, (f"{price} K for you, out of the company's treasury",))


def sales_to_bank(question: Question, view: CzBotView) -> Iterator[Proposal]:
    """A company's Local Railways for money, those first whose power is used and that earn least."""
    table = view.table
    for action in question.actions(SellLocal):
        fresh = action.local not in table.state.used_powers
        score = -table.title.locals[action.local].income - view.weights.building.power * fresh
        yield Proposal(action, score, (f"{table.state.local_price} K for the company's treasury",))


USEFUL: Final = 1000.0
"""More than any train earns: one that the company can run goes back after all others."""


def trains_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    assert isinstance(question.task, CompanyTask)
    company, player = question.task.company, question.decider
    if sale := _money_first(question, view, company):
        return [sale]
    left = relative_wealth(CzBotView(view.table, view.weights, company), player) if question.only(Pass) else None
    trains = [action for action in question.actions(BuyTrain) if useful(view.table, company, action)]
    found = [_bought(game, view, company, action, left) for action in trains]
    found += _from_own_companies(question, game, view)
    found = best_first(found if left is None else with_pass(found, "no train here is expected to earn its price", left))
    if found and isinstance(found[0].action, Pass):
        top = found[0].score
        return [*(sale._replace(score=top + sale.score) for sale in sales_to_company(question, view)), *found]
    return found


def useful(table: CzTable, company: str, action: BuyTrain) -> bool:
    """Whether the company could run it."""
    return table.title.train_faces[action.face].size == table.size(company)


def _bought(game: Game, view: CzBotView, company: str, action: BuyTrain, left: float | None) -> Proposal:
    then = view_after(game, action, view.weights, company)
    player = director(view.table, company)
    score = relative_wealth(then, player or "")
    if left is None:
        return Proposal(action, score, ("a train must be bought",))
    price = view.table.title.stack.spec[action.card[0]].faces[action.face]
    gain = score - left
    reasons = (f"worth about {gain:.0f} K to you, its price of {price} K paid",) if gain >= 1 else ()
    return Proposal(action, score, reasons)


def _money_first(question: Question, view: CzBotView, company: str) -> Proposal | None:
    """A company sells its Local Railways for a train that it must buy, or that is worth more than they are."""
    table = view.table
    sales = best_first(sales_to_bank(question, view))
    if not sales:
        return None
    cash, faces = table.state.cash[company], on_sale(table, company)
    if forced(table, company):
        return sales[0] if faces and cash < min(faces.values()) else None
    spent = [sale for sale in sales if getattr(sale.action, "local", "") in table.state.used_powers]
    money = cash + len(spent) * table.state.local_price
    if full(table, company) or not faces or not spent:
        return None
    wanted = any(cash < price <= money and Foresight(view, company).pays(face) for face, price in faces.items())
    return spent[0] if wanted else None


def _from_own_companies(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """A train of another company of the same Director, for as little as it costs or as much as there is."""
    assert isinstance(question.task, CompanyTask)
    table, player, company = view.table, question.decider, question.task.company
    found = []
    for option in question.only(OfferForTrain):
        action = option.action
        assert isinstance(action, OfferForTrain)
        seller = table.owner_of(action.card)
        if seller is None or option.span is None or director(table, seller) != player:
            continue
        train = next(train for train in table.state.trains[seller] if train.card == action.card)
        if table.title.train_faces[train.face].size != table.size(company):
            continue
        if table.size(seller) == table.size(company) and len(runnable(table, seller)) < 2:
            continue
        for price in {option.span.low, min(option.span.high, table.title.stack.price(train))}:
            offer = option.with_price(price)
            then = view_after(game, offer, view.weights, company)
            found.append(
                Proposal(offer, relative_wealth(then, player), (f"the {price} K go to {seller}, your own company",))
            )
    return found


def train_returns(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """The train that can do least goes back first."""
    assert isinstance(question.task, CompanyTask)
    table, company = view.table, question.task.company
    own = {train.card for train in runnable(table, company)}
    worth = {train.card: view.weights.trains.typical[train.face] for train in table.state.trains[company]}
    cards = [action.card for action in question.actions(ReturnTrain)]
    found = [Proposal(ReturnTrain(card), -worth[card] - USEFUL * (card in own)) for card in cards]
    return with_reason_for_best(found, "the train that can do least")


def takeovers_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    player = question.decider
    found: list[Proposal] = []
    for option in question.only(OfferAcquisition):
        action = option.action
        assert isinstance(action, OfferAcquisition)
        if option.span is None or director(view.table, action.company) != player:
            continue
        for price in sorted({option.span.high, option.span.low}, reverse=True):
            offer = option.with_price(price)
            score = relative_wealth(view_after(game, offer, view.weights), player)
            found.append(Proposal(offer, score, (f"each of your shares of {action.company} brings {price} K",)))
    if not found:
        return with_pass((), "none of your companies can take over another one of yours")
    return with_pass(found, "no takeover is expected to leave you better off", relative_wealth(view, player))


def settlements(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """Trains just taken over: turned where the larger face earns more than it costs; what cannot run is scrapped."""
    player = question.decider
    left = relative_wealth(view_after(game, Pass(), view.weights), player) if question.only(Pass) else None
    found = []
    for kind in (TurnTrain, ScrapTrain):
        for option in question.only(kind):
            score = relative_wealth(view_after(game, option.action, view.weights), player) - (kind is ScrapTrain)
            found.append(Proposal(option.action, score, () if left is None else _worth(score - left)))
    return found if left is None else with_pass(found, "the trains are expected to earn most as they are", left)


def replies_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    assert isinstance(question.task, Consent)
    player, offer = question.decider, question.task.offer
    gain = relative_wealth(view_after(game, Accept(), view.weights), player) - relative_wealth(view, player)
    fair = fair_price(view, offer)
    if (missing := fair - offer.price) > 0:
        reason = f"it is worth about {fair:.0f} K to you, and {offer.price} K are offered"
        return [Proposal(Decline(), 0.0, (reason,)), Proposal(Accept(), min(gain, -missing))]
    against = (f"to agree would cost you about {-gain:.0f} K in the end",) if gain <= -1 else ()
    return [Proposal(Decline(), 0.0, against), Proposal(Accept(), gain, _worth(gain))]


def _worth(gain: float) -> tuple[str, ...]:
    return (f"worth about {gain:.0f} K to you",) if gain >= 1 else ()


def fair_price(view: CzBotView, offer: Offer) -> float:
    """For a train at least what it will still earn for its company, or a part of what the bank would take.

    Others would otherwise get it for next to nothing: with fewer trains a company may seem to get better ones sooner.
    """
    if not isinstance(offer, OfferForTrain):
        return 0.0
    seller = view.table.owner_of(offer.card)
    if seller is None:
        return 0.0
    train = next(train for train in view.table.state.trains[seller] if train.card == offer.card)
    used = view.calendar.ahead.lives(train.face, view.calendar.rounds_before)
    least = view.weights.fixed.least_for_train * view.table.title.stack.price(train)
    return max(Foresight(view, seller).earned_by(train.face), used * least)
