"""Trains: bought for what they will still earn, and in time."""

from __future__ import annotations

from typing import Final

from ostbahn.bots.proposal import Proposal, best_first, or_pass, with_reason
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import BuyTrain, OfferForTrain, ReturnTrain
from ostbahn.titles.cz.opponents.local_railways import sales_to_bank, sales_to_company
from ostbahn.titles.cz.opponents.prospects import Foresight, View
from ostbahn.titles.cz.opponents.trying import after, standing
from ostbahn.titles.cz.phases import owner_of
from ostbahn.titles.cz.purchase import forced, full
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CompanyTask, CzTable

USEFUL: Final = 1000.0
"""More than any train earns: one that the company can run goes back after all others."""


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    assert isinstance(question.task, CompanyTask)
    company, player = question.task.company, question.decider
    if sale := _money_first(question, view, company):
        return [sale]
    found: list[Proposal] = []
    left = None
    if question.only(Pass):
        left = standing(View(view.table, view.weights, company), player)
    for option in question.only(BuyTrain):
        action = option.action
        assert isinstance(action, BuyTrain)
        if useful(view.table, company, action):
            found.append(_bought(game, view, company, action, left))
    found += _from_own_companies(question, game, view)
    found = best_first(found if left is None else or_pass(found, "no train here is expected to earn its price", left))
    if found and isinstance(found[0].action, Pass):
        top = found[0].score
        return [*(sale._replace(score=top + sale.score) for sale in sales_to_company(question, view)), *found]
    return found


def useful(table: CzTable, company: str, action: BuyTrain) -> bool:
    """Whether the company could run it."""
    return table.title.train_faces[action.face].size == table.size(company)


def _bought(game: Game, view: View, company: str, action: BuyTrain, left: float | None) -> Proposal:
    then = after(game, action, view.weights, company)
    player = director(view.table, company)
    score = standing(then, player or "")
    if left is None:
        return Proposal(action, score, ("a train must be bought",))
    price = view.table.title.stack.spec[action.card[0]].faces[action.face]
    gain = score - left
    return Proposal(
        action, score, (f"worth about {gain:.0f} K to you, its price of {price} K paid",) if gain >= 1 else ()
    )


def _money_first(question: Question, view: View, company: str) -> Proposal | None:
    """A company sells its Local Railways for a train that it must buy, or that is worth more than they are."""
    table = view.table
    sales = best_first(sales_to_bank(question, view))
    if not sales:
        return None
    cash = table.state.cash[company]
    money = cash + len(sales) * table.state.local_price
    card = table.title.stack.card(table.state.cards_gone)
    faces = {
        face: price
        for face, price in table.title.stack.spec[card[0]].faces.items()
        if table.title.train_faces[face].size == table.size(company) and face not in table.state.scrapped
    }
    if forced(table, company):
        return sales[0] if faces and cash < min(faces.values()) else None
    spent = [sale for sale in sales if getattr(sale.action, "local", "") in table.state.used_powers]
    money = cash + len(spent) * table.state.local_price
    if full(table, company) or not faces or not spent:
        return None
    wanted = [face for face, price in faces.items() if cash < price <= money and Foresight(view, company).pays(face)]
    return spent[0] if wanted else None


def _from_own_companies(question: Question, game: Game, view: View) -> list[Proposal]:
    """A train of another company of the same Director, for as little as it costs or as much as there is."""
    assert isinstance(question.task, CompanyTask)
    table, player, company = view.table, question.decider, question.task.company
    found = []
    for option in question.only(OfferForTrain):
        action = option.action
        assert isinstance(action, OfferForTrain)
        seller = owner_of(table, action.card)
        if seller is None or option.span is None or director(table, seller) != player:
            continue
        train = next(train for train in table.state.trains[seller] if train.card == action.card)
        if table.title.train_faces[train.face].size != table.size(company):
            continue
        if table.size(seller) == table.size(company) and len(runnable(table, seller)) < 2:
            continue
        for price in {option.span.low, min(option.span.high, table.title.stack.price(train))}:
            offer = option.at(price)
            then = after(game, offer, view.weights, company)
            found.append(Proposal(offer, standing(then, player), (f"the {price} K go to {seller}, your own company",)))
    return found


def returns(question: Question, game: Game, view: View) -> list[Proposal]:
    """The train that can do least goes back first."""
    assert isinstance(question.task, CompanyTask)
    table, company = view.table, question.task.company
    own = {train.card for train in runnable(table, company)}
    faces = {train.card: train.face for train in table.state.trains[company]}
    found = []
    for option in question.only(ReturnTrain):
        action = option.action
        assert isinstance(action, ReturnTrain)
        typical = view.weights.trains.typical[faces[action.card]]
        found.append(Proposal(action, -typical - USEFUL * (action.card in own)))
    return with_reason(found, "the train that can do least")
