"""Offers that need somebody else's consent (18CZ IV.1/10, VIII.9/2, VIII.10/9)."""

from __future__ import annotations

from collections.abc import Callable

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import director
from ostbahn.titles.cz.actions import Offer, OfferAcquisition, OfferForLocal, OfferForTrain
from ostbahn.titles.cz.state import Consent, CzTable


def propose(
    table: CzTable, company: str, owner: str, offer: Offer, settle: Callable[[CzTable, str, Offer], None]
) -> None:
    """Settle at once where one player is on both sides, otherwise ask the other one."""
    if owner == director(table, company) or table.ruled("consent") == "taken for granted":
        settle(table, company, offer)
    else:
        table.push(Consent(company, owner, offer))


def thing(offer: Offer) -> str:
    """What an offer is made for."""
    match offer:
        case OfferForLocal(local=local):
            return f"Local Railway {local}"
        case OfferForTrain(card=card):
            return f"train {card}"
        case OfferAcquisition(company=company):
            return f"company {company}"


def lowest_offer(table: CzTable, offer: Offer, low: int) -> int:
    """The lowest price that may be offered: more than what was declined in this turn."""
    declined = table.state.declined
    if not declined or table.ruled("repeated_offer") == "free":
        return low
    return max(low, declined.get(thing(offer), 0) + 1)


def repeated(table: CzTable, offer: Offer, rule: str) -> Refusal | None:
    """An offer that was declined may be made again in the same turn only at a better price."""
    if lowest_offer(table, offer, 1) > offer.price:
        declined = table.state.declined[thing(offer)]
        return table.refuse(rule, f"{declined} K for {thing(offer)} was declined in this turn: offer more")
    return None
