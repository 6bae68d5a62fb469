"""What was done in 18Mag, as the log tells it: with what it brought, and with whom it was done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ostbahn.kernel.actions import Accept, Action, Decline
from ostbahn.kernel.records import Paid, Record, Revenue
from ostbahn.text.words import Deed, Naming
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.running import MINE
from ostbahn.titles.mag.services import SLEEPING_CARS
from ostbahn.titles.mag.state import Consent


def said_to_earn(action: mag.RunTrains) -> str:
    """What an imported file claims."""
    claim = "" if action.claim is None else f", said to earn {action.claim} Ft"
    return claim + (f" and {action.claimed_subsidy} Ft from mines" if action.claimed_subsidy else "")


def _ran(record: Record, naming: Naming) -> str:
    action = record.action
    assert isinstance(action, mag.RunTrains)
    if not action.runs:
        return f"ran no train{said_to_earn(action)}"
    earned = sum(event.amount for event in record.events if isinstance(event, Revenue))
    mine = sum(event.amount for event in record.events if isinstance(event, Paid) and event.why == MINE)
    mines = f" and {mine} Ft from the mine" if mine else ""
    sleeping = [event for event in record.events if isinstance(event, Paid) and event.why == SLEEPING_CARS]
    besides = f"; the bank paid {sleeping[0].target} {sum(paid.amount for paid in sleeping)} Ft" if sleeping else ""
    return f"ran {naming.ways(action.runs)} for {earned} Ft{mines}{besides}"


def terms(offer: mag.OfferForTrain, naming: Naming, price: str) -> str:
    """What is offered for what."""
    return f"{price} Ft for a {naming.train(offer.card)} of {naming.owner(offer.card)}"


def _offered(record: Record, naming: Naming) -> str:
    """Between minors of one owner an offer is a purchase at once."""
    offer = record.action
    assert isinstance(offer, mag.OfferForTrain)
    if any(isinstance(event, Paid) for event in record.events):
        return f"bought a {naming.train(offer.card)} from {naming.owner(offer.card)} for {offer.price} Ft"
    return f"offered {terms(offer, naming, str(offer.price))}"


def _replied(verb: str) -> Deed:
    """What somebody said to an offer, and whose it was."""

    def told(_: Record, naming: Naming) -> str:
        task = naming.task
        assert isinstance(task, Consent)
        return f"{verb} the offer of {naming.who(task.company)}: {terms(task.offer, naming, str(task.offer.price))}"

    return told


def _paid_out(record: Record, _: Naming) -> str:
    assert isinstance(record.action, mag.PayDividend)
    return f"paid out {record.action.amount} Ft" if record.action.amount else "paid nothing out"


DEEDS: Final[Mapping[type[Action], Deed]] = {
    mag.RunTrains: _ran,
    mag.OfferForTrain: _offered,
    mag.PayDividend: _paid_out,
    Accept: _replied("accepted"),
    Decline: _replied("declined"),
}
"""The other answers are told as what they say, with what they cost."""
