"""Scrapping, buying and trading trains (18Mag III.3.2, VI.3.5, VI.3.8)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.actions import Accept, Decline
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.native import class_attribute, native
from ostbahn.kernel.questions import Option, Span
from ostbahn.kernel.records import OfferDeclined, TrainMoved
from ostbahn.kernel.steps import PlainStep, Step
from ostbahn.titles.mag.actions import BuyTrain, OfferForTrain, ScrapTrain
from ostbahn.titles.mag.draft import give_new_train
from ostbahn.titles.mag.rounds import advance_after_sale
from ostbahn.titles.mag.state import Consent, MagTable, PurchaseTrains, ScrapTrains


class ScrapTrainStep(Step[MagTable, ScrapTrains, ScrapTrain]):
    """Return trains to their stacks for nothing, before the run (VI.3.5)."""

    action = ScrapTrain

    def answers(self, table: MagTable, task: ScrapTrains) -> Iterator[Option]:
        for train in table.trains_of(task.company):
            yield Option(ScrapTrain(train.card))

    def refusal(self, table: MagTable, task: ScrapTrains, action: ScrapTrain) -> Refusal | None:
        if table.owner_of(action.card) != task.company:
            return table.refuse("VI.3.5/1", f"minor {task.company} has no such train")
        return None

    def perform(self, table: MagTable, task: ScrapTrains, action: ScrapTrain) -> None:
        train = table.take_train(task.company, action.card)
        table.note(TrainMoved(train.card, train.face, task.company, "stack"))


def train_limit_refusal(table: MagTable, minor: str) -> Refusal | None:
    limit = table.title.minor.train_limit
    if len(table.trains_of(minor)) >= limit:
        return table.refuse(
            "VI.3.8/4", f"minor {minor} has {limit} trains, the limit; it could have scrapped one before its run"
        )
    return None


@native(allow_interpreted_subclasses=True)
class BuyFromStack(Step[MagTable, PurchaseTrains, BuyTrain]):
    """Buy any kind of train, from the first Operating Round on (VI.3.8/1 to VI.3.8/3)."""

    action = BuyTrain

    def answers(self, table: MagTable, task: PurchaseTrains) -> Iterator[Option]:
        if train_limit_refusal(table, task.company):
            return
        action, cash = class_attribute(self, "action"), table.state.cash[task.company]
        for face in table.title.stacks:
            if self.price(table, face) <= cash:
                offered = action(face)
                if self.refusal(table, task, offered) is None:
                    yield Option(offered)

    def refusal(self, table: MagTable, task: PurchaseTrains, action: BuyTrain) -> Refusal | None:
        stack = table.title.stacks.get(action.face)
        if stack is None:
            return table.refuse(
                table.title.stacks_rule, f"there are no {action.face}-trains, only {', '.join(table.title.stacks)}"
            )
        if refusal := train_limit_refusal(table, task.company):
            return refusal
        return table.cannot_afford("VI.3.8/3", task.company, self.price(table, action.face), f"a {action.face}-train")

    def perform(self, table: MagTable, task: PurchaseTrains, action: BuyTrain) -> None:
        sell_from_stack(table, task.company, action.face, self.price(table, action.face))

    def price(self, table: MagTable, face: str) -> int:
        return table.title.stacks[face].price


def sell_from_stack(table: MagTable, minor: str, face: str, price: int) -> None:
    """Sell a new train; the major gets its part of the full price, and the bank gets or bears the rest."""
    stack, name = table.title.stacks[face], f"{face}-train"
    seller_share = stack.price * stack.part[0] // stack.part[1]
    pay(table, minor, stack.seller, seller_share, name, "trains")
    pay(table, minor, BANK, price - seller_share, name, "trains")
    give_new_train(table, minor, face)
    advance_after_sale(table, face)


class BuyFromMinor(Step[MagTable, PurchaseTrains, OfferForTrain]):
    """Offer any whole price for a train; the other minor's owner must agree (III.3.2/6)."""

    action = OfferForTrain

    def answers(self, table: MagTable, task: PurchaseTrains) -> Iterator[Option]:
        buyer, cash = task.company, table.state.cash[task.company]
        for seller, trains in table.state.trains.items() if not train_limit_refusal(table, buyer) else ():
            for train in trains if seller != buyer else ():
                low = lowest_offer(table, train.card)
                if low <= cash and self.sale_refusal(table, seller) is None:
                    yield Option(OfferForTrain(train.card, low), Span(low, cash))

    def refusal(self, table: MagTable, task: PurchaseTrains, action: OfferForTrain) -> Refusal | None:
        buyer, seller = task.company, table.owner_of(action.card)
        if seller is None or seller == buyer:
            return table.refuse("III.3.2/6", "no other minor has this train")
        if refusal := self.sale_refusal(table, seller) or train_limit_refusal(table, buyer):
            return refusal
        least, cash = table.title.minor.least_train_price, table.state.cash[buyer]
        if not least <= action.price <= cash:
            return table.refuse("III.3.2/6", f"offer {least} to {cash} Ft, which is all that minor {buyer} has")
        if action.price < lowest_offer(table, action.card):
            declined = table.state.declined[action.card]
            return table.refuse("III.3.2/6", f"{declined} Ft was declined in this turn: offer more")
        return None

    def sale_refusal(self, table: MagTable, seller: str) -> Refusal | None:
        """Why a minor sells no trains; None in the base game."""
        return None

    def perform(self, table: MagTable, task: PurchaseTrains, action: OfferForTrain) -> None:
        seller = table.owner_of(action.card)
        assert seller is not None
        owners = table.state.owners
        if owners[seller] == owners[task.company] or table.ruled("consent") == "taken for granted":
            trade_train(table, task.company, action)
        else:
            table.push(Consent(task.company, owners[seller], action))


def lowest_offer(table: MagTable, card: str) -> int:
    """Lowest price to offer: above the one declined in this turn, unless the ruling repeated_offer is free."""
    least = table.title.minor.least_train_price
    if table.ruled("repeated_offer") == "free":
        return least
    return max(least, table.state.declined.get(card, 0) + 1)


def trade_train(table: MagTable, buyer: str, offer: OfferForTrain) -> None:
    seller = table.owner_of(offer.card)
    assert seller is not None
    pay(table, buyer, seller, offer.price, table.train(offer.card), "trains")
    train = table.take_train(seller, offer.card)
    table.give_train(buyer, train)
    table.note(TrainMoved(train.card, train.face, seller, buyer))


class AcceptOffer(PlainStep[MagTable, Consent, Accept]):
    action = Accept

    def perform(self, table: MagTable, task: Consent, action: Accept) -> None:
        table.pop()
        trade_train(table, task.company, task.offer)


class DeclineOffer(PlainStep[MagTable, Consent, Decline]):
    action = Decline

    def perform(self, table: MagTable, task: Consent, action: Decline) -> None:
        table.pop()
        table.state.declined = {**table.state.declined, task.offer.card: task.offer.price}
        table.note(OfferDeclined(task.player, task.offer.price))
