"""The other side of an offer: accept it or decline it (18CZ IV.1/10, VIII.9/2, VIII.10/9)."""

from __future__ import annotations

from ostbahn.kernel.actions import Accept, Decline
from ostbahn.kernel.records import OfferDeclined
from ostbahn.kernel.state import Task
from ostbahn.kernel.steps import Decision, Plain
from ostbahn.titles.cz.acquisition import take_over
from ostbahn.titles.cz.actions import Offer, OfferAcquisition, OfferForLocal, OfferForTrain
from ostbahn.titles.cz.local_railways import hand_over
from ostbahn.titles.cz.offers import thing
from ostbahn.titles.cz.purchase import trade
from ostbahn.titles.cz.state import Consent, CzTable


def settle(table: CzTable, company: str, offer: Offer) -> None:
    """What an offer brings about once it is accepted."""
    match offer:
        case OfferForLocal():
            hand_over(table, company, offer)
        case OfferForTrain():
            trade(table, company, offer)
        case OfferAcquisition():
            take_over(table, company, offer)


def rule_of(task: Task) -> str:
    """The rule that asks for consent to an offer."""
    match task:
        case Consent(offer=OfferForLocal()):
            return "IV.1/10"
        case Consent(offer=OfferForTrain()):
            return "VIII.10/9"
        case _:
            return "VIII.9/2"


class AcceptOffer(Plain[CzTable, Consent, Accept]):
    action = Accept

    def perform(self, table: CzTable, task: Consent, action: Accept) -> None:
        table.pop()
        settle(table, task.company, task.offer)


class DeclineOffer(Plain[CzTable, Consent, Decline]):
    action = Decline

    def perform(self, table: CzTable, task: Consent, action: Decline) -> None:
        table.pop()
        table.state.declined = {**table.state.declined, thing(task.offer): task.offer.price}
        table.note(OfferDeclined(task.player, task.offer.price))


class ConsentAsked(Decision[CzTable, Consent]):
    asks_for = "accept or decline the offer"

    def rule_for(self, task: Consent) -> str:
        return rule_of(task)

    def decider(self, table: CzTable, task: Consent) -> str:
        return task.player

    def company(self, table: CzTable, task: Consent) -> str | None:
        return task.company
