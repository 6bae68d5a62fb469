"""The words of 18CZ: actions, past actions, events and rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ostbahn.eighteen.text import PASSING, ran_words, reply_words, run_words
from ostbahn.kernel import records
from ostbahn.kernel.actions import Accept, Action, Decline
from ostbahn.kernel.records import Paid, Record
from ostbahn.text.words import DeedText, Naming, Passing, Words
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz import events
from ostbahn.titles.cz.state import Bidding, CzTable, StockRound, UseIncome


def _income_amount(naming: Naming) -> str:
    return naming.money(naming.task.revenue) if isinstance(naming.task, UseIncome) else "the income"


def paper(naming: Naming, local: str) -> str:
    """Return the name of a Local Railway or private paper."""
    assert isinstance(naming.table, CzTable)
    return naming.table.paper(local)


def terms(offer: cz.Offer, naming: Naming, price: str) -> str:
    match offer:
        case cz.OfferForLocal(local=local):
            return f"{price} K for {paper(naming, local)}"
        case cz.OfferForTrain(card=card):
            return f"{price} K for a {naming.train(card)} of {naming.owner(card)}"
        case cz.OfferAcquisition(company=company):
            return f"{price} K a share for {company}"


def _offered_words(record: Record, naming: Naming) -> str:
    """Describe an offer; it is a purchase at once if one player is on both sides."""
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


def _bid_words(record: Record, naming: Naming) -> str:
    assert isinstance(record.action, cz.Bid)
    for_paper = f" for {paper(naming, naming.task.paper)}" if isinstance(naming.task, Bidding) else ""
    return f"bid {record.action.price} K{for_paper}"


def _debt_amount(naming: Naming) -> str:
    assert isinstance(naming.table, CzTable)
    assert isinstance(naming.task, StockRound)
    return naming.money(naming.table.state.debts.get(naming.task.player, 0))


DEEDS: Final[Mapping[type[Action], DeedText]] = {
    cz.RunTrains: ran_words,
    cz.PayOut: lambda _, naming: f"paid out {_income_amount(naming)}",
    cz.Withhold: lambda _, naming: f"kept {_income_amount(naming)}",
    cz.StartCompany: "started {a.company} at {a.price} K",
    cz.OfferForLocal: _offered_words,
    cz.OfferForTrain: _offered_words,
    cz.OfferAcquisition: _offered_words,
    Accept: reply_words("accepted", terms),
    Decline: reply_words("declined", terms),
    cz.RepayDebt: lambda _, naming: f"repaid the debt of {_debt_amount(naming)}",
    cz.Bid: _bid_words,
}
"""Past forms; all other actions use their own words, with the cost."""


def _lay_words(action: cz.LayTile, naming: Naming, _: str) -> str:
    waiver = f", {action.waiver} waives the cost" if action.waiver else ""
    return f"lay {action.tile} {naming.at(action.hex)}{waiver}"


def _offer_words(action: cz.Offer, naming: Naming, price: str) -> str:
    return f"offer {terms(action, naming, price)}"


def _open_auction_words(action: cz.OpenAuction, naming: Naming, price: str) -> str:
    return f"put {paper(naming, action.paper)} up for auction with a bid of {price} K"


WORDS: Final = Words(
    currency="K",
    actions={
        cz.BuyLocal: lambda action, naming, _: f"buy {paper(naming, action.local)}",
        cz.OpenAuction: _open_auction_words,
        cz.NamePaper: lambda action, naming, _: f"put {paper(naming, action.paper)} up for auction without a bid",
        cz.Bid: "bid {price} K",
        cz.AssignTrain: lambda action, naming, _: f"give {paper(naming, action.paper)} to the company for this run",
        cz.StartCompany: "start {a.company} at {price} K",
        cz.BuyShare: "buy a share of {a.company}",
        cz.SellShares: "sell {a.percent}% of {a.company}",
        cz.RepayDebt: "repay the debt",
        cz.LayRedTile: lambda action, naming, _: f"lay the red home tile {naming.at(action.hex)}",
        cz.ChooseCity: "put the home station in {at.city}",
        cz.LayPurpleTile: lambda lay, naming, _: f"lay purple-edged {lay.tile} {naming.at(lay.hex)} by {lay.local}",
        cz.OfferForLocal: _offer_words,
        cz.SellLocal: lambda action, naming, _: f"sell {paper(naming, action.local)} to the bank",
        cz.PlaceStation: "place a station in {at.city}",
        cz.PayOut: "pay out",
        cz.Withhold: "withhold",
        cz.OfferAcquisition: _offer_words,
        cz.ChooseReturn: "take the station in {at.city} back",
        cz.TurnTrain: "turn a {train.card} into a {a.face}-train",
        cz.ScrapTrain: "scrap a {train.card}",
        cz.BuyTrain: "buy a {a.face}-train",
        cz.OfferForTrain: _offer_words,
        cz.ReturnTrain: "give a {train.card} back to the pool",
        cz.RunTrains: run_words,
        cz.LayTile: _lay_words,
    },
    events={
        records.DirectorChanged: "{who.after} becomes Director of {who.company} instead of {who.before}",
        events.Floated: "{who.company} floats",
        events.Closed: "{who.company} closes",
        events.StationReturned: "a station of {who.company} goes back to its charter",
        events.LoanTaken: "{who.player} borrows {e.amount} K and pays as much again as a penalty at the end",
        events.PowerUsed: "the power of {e.local} is used up",
        events.LocalRailwayGone: lambda event, naming: f"{paper(naming, event.local)} leaves the game",
        events.PaperSold: lambda event, naming: f"{paper(naming, event.paper)} is sold",
        events.NoPaperSold: "nobody wanted a private paper, so {who.player} wins",
        events.TrainGiven: "{who.company} gets the 3E-train for its next run",
        events.MarkerGained: "{who.company} gets one more station marker",
        events.JoinedVaclav: "Vaclav gets {who.company}, which starts at {e.price} K",
    },
    rounds={
        "PRE": "Pre-stock round",
        "AUC": "Auction of private papers",
        "SR": "Stock round",
        "OR": "Operating round",
    },
    passing={
        **PASSING,
        "pre_stock": Passing("pass", why="no Local Railway can be bought"),
        "bidding": Passing("pass", why="there is not enough money for a bid"),
        "lay_waived": Passing("lay no tile", why="no tile can be laid for nothing"),
        "acquire": Passing("take over no company", "take over no more companies", "no company can be taken over"),
        "settle_trains": Passing("keep the trains", why="no train can be turned or scrapped"),
        "build_home": Passing("build nothing", why="nothing can be built"),
    },
    deeds=DEEDS,
    summaries={
        records.DirectorChanged: "{who.after} becomes Director of {who.company}",
        events.Floated: "{who.company} floats",
        events.LoanTaken: "{who.player} borrows {e.amount} K",
        events.StationReturned: "a station goes back to the charter",
        events.PaperSold: lambda event, naming: f"{paper(naming, event.paper)} is sold",
        events.MarkerGained: "one more station marker",
        events.JoinedVaclav: "Vaclav gets {who.company} at {e.price} K",
    },
)
