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
from ostbahn.titles.cz.purchase import at_train_limit, must_buy_train
from ostbahn.titles.cz.rounds import dividend
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CompanyTask, Consent, CzTable, UseIncome
from ostbahn.titles.cz.stock import certificate_count


def income_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    assert isinstance(question.task, UseIncome)
    player, company, revenue = question.decider, question.task.company, question.task.revenue
    held = holding(view.table, player, company)
    allowed = [action for action in (PayOut(), Withhold()) if question.only(type(action))]
    views = {action: view_after(game, action, view.weights) for action in allowed}
    final_prices = {action: views[action].prospect(company).price for action in allowed}
    lowest = min(final_prices.values(), default=0)
    proposed = []
    for action in allowed:
        score, reasons = relative_wealth(views[action], player), [f"{revenue} K more for trains"]
        if action == PayOut():
            reasons = [f"a dividend of {dividend(revenue, held)} K for you"]
        else:
            score -= revenue * held / 100 * view.calendar.cash_now * view.weights.dealing.doubt
        if final_prices[action] > lowest:
            reasons.append(f"a share ends at about {final_prices[action]} K instead of {lowest} K")
        proposed.append(Proposal(action, score, tuple(reasons)))
    return proposed


def sales_to_company(question: Question, view: CzBotView) -> Iterator[Proposal]:
    """Propose to sell the Director's Local Railways to the company once cash is worth more."""
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
    """Propose to sell the company's Local Railways: those with a used power and a low income first."""
    table = view.table
    for action in question.actions(SellLocal):
        has_power = action.local not in table.state.used_powers
        score = -table.title.locals[action.local].income - view.weights.building.power * has_power
        yield Proposal(action, score, (f"{table.state.local_price} K for the company's treasury",))


USEFUL: Final = 1000.0
"""More than any train earns, so trains that the company can run are returned last."""


def trains_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    assert isinstance(question.task, CompanyTask)
    company, player = question.task.company, question.decider
    if sale := _sale_for_train(question, view, company):
        return [sale]
    pass_score = relative_wealth(CzBotView(view.table, view.weights, company), player) if question.only(Pass) else None
    trains = [action for action in question.actions(BuyTrain) if useful(view.table, company, action)]
    proposed = [_purchase_proposal(game, view, company, action, pass_score) for action in trains]
    proposed += _from_own_companies(question, game, view)
    if pass_score is not None:
        proposed = with_pass(proposed, "no train here is expected to earn its price", pass_score)
    proposed = best_first(proposed)
    if proposed and isinstance(proposed[0].action, Pass):
        top = proposed[0].score
        return [*(sale._replace(score=top + sale.score) for sale in sales_to_company(question, view)), *proposed]
    return proposed


def useful(table: CzTable, company: str, action: BuyTrain) -> bool:
    """Whether the company can run the train."""
    return table.title.train_faces[action.face].size == table.size(company)


def _purchase_proposal(
    game: Game, view: CzBotView, company: str, action: BuyTrain, pass_score: float | None
) -> Proposal:
    after = view_after(game, action, view.weights, company)
    score = relative_wealth(after, director(view.table, company) or "")
    if pass_score is None:
        return Proposal(action, score, ("a train must be bought",))
    price = view.table.title.stack.spec[action.card[0]].faces[action.face]
    gain = score - pass_score
    reasons = (f"worth about {gain:.0f} K to you, its price of {price} K paid",) if gain >= 1 else ()
    return Proposal(action, score, reasons)


def _sale_for_train(question: Question, view: CzBotView, company: str) -> Proposal | None:
    """Propose to sell a Local Railway for a train that the company must buy or that is worth more."""
    table = view.table
    sales = best_first(sales_to_bank(question, view))
    if not sales:
        return None
    cash, faces = table.state.cash[company], on_sale(table, company)
    if must_buy_train(table, company):
        return sales[0] if faces and cash < min(faces.values()) else None
    used_up = [sale for sale in sales if getattr(sale.action, "local", "") in table.state.used_powers]
    money = cash + len(used_up) * table.state.local_price
    if at_train_limit(table, company) or not faces or not used_up:
        return None
    is_worthwhile = any(cash < price <= money and Foresight(view, company).pays(face) for face, price in faces.items())
    return used_up[0] if is_worthwhile else None


def _from_own_companies(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """Propose trains of the Director's other companies, at the lowest and at the full price."""
    assert isinstance(question.task, CompanyTask)
    table, player, company = view.table, question.decider, question.task.company
    proposed = []
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
            after = view_after(game, offer, view.weights, company)
            proposed.append(
                Proposal(offer, relative_wealth(after, player), (f"the {price} K go to {seller}, your own company",))
            )
    return proposed


def train_returns(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """Propose to return the weakest train first."""
    assert isinstance(question.task, CompanyTask)
    table, company = view.table, question.task.company
    runnable_cards = {train.card for train in runnable(table, company)}
    worth = {train.card: view.weights.trains.typical[train.face] for train in table.state.trains[company]}
    cards = [action.card for action in question.actions(ReturnTrain)]
    proposed = [Proposal(ReturnTrain(card), -worth[card] - USEFUL * (card in runnable_cards)) for card in cards]
    return with_reason_for_best(proposed, "the train that can do least")


def takeovers_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    player = question.decider
    proposed: list[Proposal] = []
    for option in question.only(OfferAcquisition):
        action = option.action
        assert isinstance(action, OfferAcquisition)
        if option.span is None or director(view.table, action.company) != player:
            continue
        for price in sorted({option.span.high, option.span.low}, reverse=True):
            offer = option.with_price(price)
            score = relative_wealth(view_after(game, offer, view.weights), player)
            proposed.append(Proposal(offer, score, (f"each of your shares of {action.company} brings {price} K",)))
    if not proposed:
        return with_pass((), "none of your companies can take over another one of yours")
    return with_pass(proposed, "no takeover is expected to leave you better off", relative_wealth(view, player))


def settlements(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """Propose what to do with acquired trains: turn, scrap or keep them, by the wealth that follows."""
    player = question.decider
    pass_score = relative_wealth(view_after(game, Pass(), view.weights), player) if question.only(Pass) else None
    proposed = []
    for kind in (TurnTrain, ScrapTrain):
        for option in question.only(kind):
            score = relative_wealth(view_after(game, option.action, view.weights), player) - (kind is ScrapTrain)
            reasons = () if pass_score is None else _gain_reason(score - pass_score)
            proposed.append(Proposal(option.action, score, reasons))
    if pass_score is None:
        return proposed
    return with_pass(proposed, "the trains are expected to earn most as they are", pass_score)


def replies_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    assert isinstance(question.task, Consent)
    player, offer = question.decider, question.task.offer
    gain = relative_wealth(view_after(game, Accept(), view.weights), player) - relative_wealth(view, player)
    fair = fair_price(view, offer)
    if (missing := fair - offer.price) > 0:
        reason = f"it is worth about {fair:.0f} K to you, and {offer.price} K are offered"
        return [Proposal(Decline(), 0.0, (reason,)), Proposal(Accept(), min(gain, -missing))]
    against = (f"to agree would cost you about {-gain:.0f} K in the end",) if gain <= -1 else ()
    return [Proposal(Decline(), 0.0, against), Proposal(Accept(), gain, _gain_reason(gain))]


def _gain_reason(gain: float) -> tuple[str, ...]:
    return (f"worth about {gain:.0f} K to you",) if gain >= 1 else ()


def fair_price(view: CzBotView, offer: Offer) -> float:
    """Return the lowest acceptable price: for a train its future earnings or a part of its bank price.

    The floor is needed because losing a train can seem to pay: the company then buys a better one sooner.
    """
    if not isinstance(offer, OfferForTrain):
        return 0.0
    seller = view.table.owner_of(offer.card)
    if seller is None:
        return 0.0
    train = next(train for train in view.table.state.trains[seller] if train.card == offer.card)
    still_runs = view.calendar.ahead.lives(train.face, view.calendar.rounds_before)
    least_part = view.weights.fixed.least_for_train * view.table.title.stack.price(train)
    return max(Foresight(view, seller).earned_by(train.face), still_runs * least_part)
