"""What was done in 18CZ, as the log tells it: with what it brought, and with whom it was done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ostbahn.kernel.actions import Accept, Action, Decline
from ostbahn.kernel.records import Paid, Record, Revenue
from ostbahn.text.words import Deed, Naming
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.state import Bidding, Consent, CzTable, StockRound, UseIncome


def said_to_earn(action: cz.RunTrains) -> str:
    """What an imported file claims."""
    return "" if action.claim is None else f", said to earn {action.claim} K"


def _ran(record: Record, naming: Naming) -> str:
    action = record.action
    assert isinstance(action, cz.RunTrains)
    if not action.runs:
        return f"ran no train{said_to_earn(action)}"
    earned = sum(event.amount for event in record.events if isinstance(event, Revenue))
    return f"ran {naming.ways(action.runs)} for {earned} K"


def _income(naming: Naming) -> str:
    return naming.money(naming.task.revenue) if isinstance(naming.task, UseIncome) else "the income"


def paper(naming: Naming, local: str) -> str:
    """A Local Railway, or a private paper of Moravia-Silesia."""
    assert isinstance(naming.table, CzTable)
    return naming.table.paper(local)


def terms(offer: cz.Offer, naming: Naming, price: str) -> str:
    """What is offered for what."""
    match offer:
        case cz.OfferForLocal(local=local):
            return f"{price} K for {paper(naming, local)}"
        case cz.OfferForTrain(card=card):
            return f"{price} K for a {naming.train(card)} of {naming.owner(card)}"
        case cz.OfferAcquisition(company=company):
            return f"{price} K a share for {company}"


def _offered(record: Record, naming: Naming) -> str:
    """Where one player is on both sides an offer is a purchase at once."""
    offer = record.action
    assert isinstance(offer, cz.OfferForLocal | cz.OfferForTrain | cz.OfferAcquisition)
    if not any(isinstance(event, Paid) for event in record.events):
        return f"offered {terms(offer, naming, str(offer.price))}"
    match offer:
        case cz.OfferForLocal():
            assert isinstance(naming.table, CzTable)
            seller = naming.who(naming.table.state.locals[offer.local])
            return f"bought {paper(naming, offer.local)} from {seller} for {offer.price} K"
        case cz.OfferForTrain():
            return f"bought a {naming.train(offer.card)} from {naming.owner(offer.card)} for {offer.price} K"
        case cz.OfferAcquisition():
            return f"took over {offer.company} for {offer.price} K a share"


def _replied(verb: str) -> Deed:
    """What somebody said to an offer, and whose it was."""

    def told(_: Record, naming: Naming) -> str:
        task = naming.task
        assert isinstance(task, Consent)
        return f"{verb} the offer of {task.company}: {terms(task.offer, naming, str(task.offer.price))}"

    return told


def _bid(record: Record, naming: Naming) -> str:
    assert isinstance(record.action, cz.Bid)
    what = f" for {paper(naming, naming.task.paper)}" if isinstance(naming.task, Bidding) else ""
    return f"bid {record.action.price} K{what}"


def _debt(naming: Naming) -> str:
    table = naming.table
    assert isinstance(table, CzTable)
    assert isinstance(naming.task, StockRound)
    return naming.money(table.state.debts.get(naming.task.player, 0))


DEEDS: Final[Mapping[type[Action], Deed]] = {
    cz.RunTrains: _ran,
    cz.PayOut: lambda _, naming: f"paid out {_income(naming)}",
    cz.Withhold: lambda _, naming: f"kept {_income(naming)}",
    cz.StartCompany: "started {a.company} at {a.price} K",
    cz.OfferForLocal: _offered,
    cz.OfferForTrain: _offered,
    cz.OfferAcquisition: _offered,
    Accept: _replied("accepted"),
    Decline: _replied("declined"),
    cz.RepayDebt: lambda _, naming: f"repaid the debt of {_debt(naming)}",
    cz.Bid: _bid,
}
"""The other answers are told as what they say, with what they cost."""
