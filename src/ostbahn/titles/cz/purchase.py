"""Purchase of trains and emergency financing (18CZ VIII.10, VIII.11)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, director, pay
from ostbahn.kernel.questions import Option, Span
from ostbahn.kernel.records import TrainMoved
from ostbahn.kernel.state import Train
from ostbahn.kernel.steps import PassStep, Step
from ostbahn.titles.cz.actions import BuyTrain, Offer, OfferForTrain
from ostbahn.titles.cz.events import LoanTaken
from ostbahn.titles.cz.offers import lowest_offer, propose, repeated_offer_refusal
from ostbahn.titles.cz.phases import card_left_stack, sold, train_limit
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CzTable, PurchaseTrains, ReturnTrains
from ostbahn.titles.cz.title import RANKS

SIZE_RULES = {"small": "IV.2.b/3", "medium": "IV.2.c/3", "large": "IV.2.d/3"}


def must_buy_train(table: CzTable, company: str) -> bool:
    """Whether a company must buy a train because it has none that it can run (VIII.10/1)."""
    return not runnable(table, company)


def at_train_limit(table: CzTable, company: str) -> bool:
    return len(table.state.trains.get(company, ())) >= train_limit(table, company)


def ownership_refusal(table: CzTable, company: str, face: str) -> Refusal | None:
    """Check size and train limit (IV.2, VIII.10/4 to VIII.10/6)."""
    size, own = table.title.train_faces[face].size, table.size(company)
    if RANKS[size] > RANKS[own]:
        return table.refuse(SIZE_RULES[own], f"{company} is a {own} company and may not own a {face}-train")
    held, limit = len(table.state.trains.get(company, ())), train_limit(table, company)
    if held >= limit:
        if size == own and must_buy_train(table, company):
            return None
        text = f"{company} already has {limit} trains, the limit in phase {table.state.phase}"
        return table.refuse("VIII.10/5", text)
    if held + 1 == limit and size != own and must_buy_train(table, company):
        return table.refuse("VIII.10/5", f"the last train of {company} must be one that it can run")
    return None


def on_sale(table: CzTable) -> list[str]:
    """Return the next card of the stack and the cards of the pool (VIII.10/8, VIII.12/23)."""
    return [table.title.stack.card(table.state.cards_gone), *(train.card for train in table.state.pool)]


def runnable_on_sale(table: CzTable, company: str) -> list[tuple[int, str]]:
    """Return price and face of the trains on sale that a company can run (VIII.11/2, VIII.11/3)."""
    size, title = table.size(company), table.title
    return [
        (price, face)
        for card in on_sale(table)
        for face, price in title.stack.spec[card[0]].faces.items()
        if title.train_faces[face].size == size and face not in table.state.scrapped
    ]


class BuyFromStack(Step[CzTable, PurchaseTrains, BuyTrain]):
    """Buy the next card of the stack or a card of the pool, on any unscrapped face (VIII.10/7, VIII.12/23)."""

    action = BuyTrain

    def answers(self, table: CzTable, task: PurchaseTrains) -> Iterator[Option]:
        company, spec = task.company, table.title.stack.spec
        for card in on_sale(table):
            for face in spec[card[0]].faces:
                if self._face_refusal(table, company, card, face) is None:
                    yield Option(BuyTrain(card, face))

    def refusal(self, table: CzTable, task: PurchaseTrains, action: BuyTrain) -> Refusal | None:
        if action.card in on_sale(table):
            return self._face_refusal(table, task.company, action.card, action.face)
        stack = table.title.stack
        faces = " or ".join(stack.spec[stack.card(table.state.cards_gone)[0]].faces)
        return table.refuse("VIII.10/8", f"this train is not for sale: the next is a {faces}-train")

    def _face_refusal(self, table: CzTable, company: str, card: str, face: str) -> Refusal | None:
        """Return why a company cannot buy a card for sale on this face."""
        faces = table.title.stack.spec[card[0]].faces
        if face not in faces:
            return table.refuse("VIII.10/7", f"the card shows {' and '.join(faces)}, not {face}")
        if face in table.state.scrapped:
            return table.refuse("VIII.12/20", f"{face}-trains have been scrapped")
        if refusal := ownership_refusal(table, company, face):
            return refusal
        cannot_afford = table.cannot_afford("VIII.11/4", company, faces[face], f"the {face}-train")
        if cannot_afford is None or not must_buy_train(table, company):
            return cannot_afford
        if table.title.train_faces[face].size != table.size(company):
            return table.refuse("VIII.11/4", f"the Director pays only for a train that {company} can run")
        return self._emergency_refusal(table, company, face)

    def _emergency_refusal(self, table: CzTable, company: str, face: str) -> Refusal | None:
        """Refuse emergency financing if the treasury can pay for another train that runs (VIII.11/1)."""
        cash = table.state.cash[company]
        within_means = [other for price, other in runnable_on_sale(table, company) if price <= cash]
        if not within_means or table.ruled("emergency_money") == "for any train":
            return None
        text = f"{company} can pay for a {within_means[0]}-train, so its Director adds nothing for a {face}-train"
        return table.refuse("VIII.11/1", text)

    def perform(self, table: CzTable, task: PurchaseTrains, action: BuyTrain) -> None:
        company, card, train = task.company, action.card, Train(action.card, action.face)
        beyond_limit, price = at_train_limit(table, company), table.title.stack.price(train)
        finance(table, company, price)
        pay(table, company, BANK, price, f"{action.face}-train", "trains")
        table.give_train(company, train)
        if card == table.title.stack.card(table.state.cards_gone):
            table.note(TrainMoved(card, action.face, "stack", company))
            card_left_stack(table, card)
        else:
            table.state.pool = tuple(other for other in table.state.pool if other.card != card)
            table.note(TrainMoved(card, action.face, "pool", company))
        sold(table, (action.face,), card if beyond_limit else None)


def finance(table: CzTable, company: str, price: int) -> None:
    """Let the Director add exactly what is missing, with a loan if needed (VIII.11/1 to VIII.11/7)."""
    missing = price - table.state.cash[company]
    player = director(table, company)
    if missing <= 0 or player is None:
        return
    loan = missing - table.state.cash[player]
    if loan > 0:
        state = table.state
        pay(table, BANK, player, loan, "loan", "loans")
        state.debts = {**state.debts, player: state.debts.get(player, 0) + loan}
        state.penalties = {**state.penalties, player: state.penalties.get(player, 0) + loan}
        table.note(LoanTaken(player, loan))
    pay(table, player, company, missing, "emergency financing", "emergencies")


class BuyFromCompany(Step[CzTable, PurchaseTrains, OfferForTrain]):
    """Buy from another company, if its Director agrees, with the treasury's money (VIII.10/9 to VIII.10/11)."""

    action = OfferForTrain
    opens_rule = "VIII.10/9"

    def answers(self, table: CzTable, task: PurchaseTrains) -> Iterator[Option]:
        company = task.company
        cash = table.state.cash[company]
        if not table.phase_from(self.opens(table)):
            return
        for seller, trains in table.state.trains.items():
            for train in trains if seller != company else ():
                offer = OfferForTrain(train.card, 1)
                low = lowest_offer(table, offer, 1)
                if low > 1:
                    offer = OfferForTrain(train.card, low)
                if low <= cash and self.refusal(table, task, offer) is None:
                    yield Option(offer, Span(low, cash))

    def opens(self, table: CzTable) -> str:
        """Return the phase in which companies begin to trade trains."""
        return table.ruled("trains_may_be_traded_from")

    def refusal(self, table: CzTable, task: PurchaseTrains, action: OfferForTrain) -> Refusal | None:
        company, opens = task.company, self.opens(table)
        if not table.phase_from(opens):
            return table.refuse(self.opens_rule, f"companies trade trains only after the first {opens}-train")
        seller = table.owner_of(action.card)
        if seller is None:
            return table.refuse("VIII.10/9", "no company owns this train")
        if seller == company:
            return table.refuse("VIII.10/11", f"{company} owns this train already")
        train = next(train for train in table.state.trains[seller] if train.card == action.card)
        if refusal := ownership_refusal(table, company, train.face):
            return refusal
        if action.price < 1:
            return table.refuse("VIII.10/10", "a train of another company costs at least 1 K")
        if action.price > table.state.cash[company]:
            return table.refuse("VIII.10/10", f"{company} has only {table.state.cash[company]} K")
        return repeated_offer_refusal(table, action)

    def perform(self, table: CzTable, task: PurchaseTrains, action: OfferForTrain) -> None:
        seller = table.owner_of(action.card)
        owner = director(table, seller) if seller is not None else None
        assert owner is not None, f"nobody sells {action.card}"
        propose(table, task.company, owner, action, trade)


def trade(table: CzTable, company: str, offer: Offer) -> None:
    assert isinstance(offer, OfferForTrain)
    seller = table.owner_of(offer.card)
    assert seller is not None, f"nobody sells {offer.card}"
    beyond_limit = at_train_limit(table, company)
    pay(table, company, seller, offer.price, table.train(offer.card), "trains")
    train = table.take_train(seller, offer.card)
    table.give_train(company, train)
    table.note(TrainMoved(train.card, train.face, seller, company))
    if beyond_limit:
        table.push(ReturnTrains(company, train.card))


class LeavePurchase(PassStep[CzTable, PurchaseTrains]):
    """End the purchase, only with a train that the company can run (VIII.10/1)."""

    def refusal(self, table: CzTable, task: PurchaseTrains, action: Pass) -> Refusal | None:
        if must_buy_train(table, task.company) and table.ruled("duty_to_own_a_train") == "enforced":
            return table.refuse("VIII.10/1", f"{task.company} must buy a train: it has none that it could run")
        return None
