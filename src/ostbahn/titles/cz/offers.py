"""Offers that need the consent of another player (18CZ IV.1/10, VIII.9/2, VIII.10/9)."""

from __future__ import annotations

from collections.abc import Callable

from ostbahn.eighteen.operating import PlayerDecision
from ostbahn.kernel.actions import Accept, Decline
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import director
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.records import OfferDeclined
from ostbahn.kernel.steps import PlainStep
from ostbahn.titles.cz.actions import Offer, OfferAcquisition, OfferForLocal, OfferForTrain
from ostbahn.titles.cz.state import Consent, CzTable

Settle = Callable[[CzTable, str, Offer], None]
"""Function that carries out an accepted offer of a company."""


def propose(table: CzTable, company: str, owner: str, offer: Offer, settle: Settle) -> None:
    """Settle at once if one player is on both sides; otherwise ask the owner."""
    if owner == director(table, company) or table.ruled("consent") == "taken for granted":
        settle(table, company, offer)
    else:
        table.push(Consent(company, owner, offer))


def thing(offer: Offer) -> str:
    match offer:
        case OfferForLocal(local=local):
            return f"Local Railway {local}"
        case OfferForTrain(card=card):
            return f"train {card}"
        case OfferAcquisition(company=company):
            return f"company {company}"


def lowest_offer(table: CzTable, offer: Offer, low: int) -> int:
    """Return the lowest legal price: above the one declined in this turn."""
    declined = table.state.declined
    if not declined or table.ruled("repeated_offer") == "free":
        return low
    return max(low, declined.get(thing(offer), 0) + 1)


def repeated_offer_refusal(table: CzTable, offer: Offer) -> Refusal | None:
    """Refuse an offer declined in this turn unless its price is higher."""
    if lowest_offer(table, offer, 1) > offer.price:
        declined = table.state.declined[thing(offer)]
        text = f"{declined} K for {thing(offer)} was declined in this turn: offer more"
        return table.refuse(offer.consent_rule, text)
    return None


# Answers to an offer


class AcceptOffer(PlainStep[CzTable, Consent, Accept]):
    action = Accept

    def __init__(self, settlements: Lookup[type[Offer], Settle]) -> None:
        self.settlements = settlements

    def perform(self, table: CzTable, task: Consent, action: Accept) -> None:
        table.pop()
        self.settlements[type(task.offer)](table, task.company, task.offer)


class DeclineOffer(PlainStep[CzTable, Consent, Decline]):
    action = Decline

    def perform(self, table: CzTable, task: Consent, action: Decline) -> None:
        table.pop()
        table.state.declined = {**table.state.declined, thing(task.offer): task.offer.price}
        table.note(OfferDeclined(task.player, task.offer.price))


class ConsentAsked(PlayerDecision[CzTable]):
    def rule_for(self, task: Consent) -> str:
        return task.offer.consent_rule
