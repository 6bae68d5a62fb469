"""18CZ in words."""

from __future__ import annotations

from typing import Final

from ostbahn.telling.words import Words
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz import events


def _run(action: cz.RunTrains, _: str) -> str:
    claim = "" if action.claim is None else f", said to earn {action.claim} K"
    if not action.runs:
        return f"run no train{claim}"
    return "; ".join(f"run {run.card}: {' '.join(run.path)}" for run in action.runs) + claim


def _lay(action: cz.LayTile, _: str) -> str:
    waiver = f", {action.waiver} waives the cost" if action.waiver else ""
    return f"lay tile {action.tile} on {action.hex}, rotation {action.rotation}{waiver}"


WORDS: Final = Words(
    currency="K",
    actions={
        cz.BuyLocal: "buy Local Railway {a.local}",
        cz.OpenAuction: "put {a.paper} up for auction with a bid of {price} K",
        cz.NamePaper: "put {a.paper} up for auction without a bid",
        cz.Bid: "bid {price} K",
        cz.AssignTrain: "give the {a.paper} to the company for this run",
        cz.StartCompany: "start {a.company} at {price} K",
        cz.BuyShare: "buy a share of {a.company}",
        cz.SellShares: "sell {a.percent}% of {a.company}",
        cz.RepayDebt: "repay the debt",
        cz.LayRedTile: "lay the red home tile on {a.hex}, rotation {a.rotation}",
        cz.ChooseCity: "put the home station into {a.city}",
        cz.LayPurpleTile: "by {a.local} lay purple-edged tile {a.tile} on {a.hex}, rotation {a.rotation}",
        cz.OfferForLocal: "offer {price} K for Local Railway {a.local}",
        cz.SellLocal: "sell Local Railway {a.local} to the bank",
        cz.PlaceStation: "put a station into {a.city}",
        cz.PayOut: "pay the income out",
        cz.Withhold: "keep the income",
        cz.OfferAcquisition: "offer {price} K a share to take over {a.company}",
        cz.ChooseReturn: "take the station back from {a.city}",
        cz.TurnTrain: "turn train {a.card} to {a.face}",
        cz.ScrapTrain: "scrap train {a.card}",
        cz.BuyTrain: "buy train {a.card} as {a.face}",
        cz.OfferForTrain: "offer {price} K for train {a.card}",
        cz.ReturnTrain: "return train {a.card} to the pool",
        cz.RunTrains: _run,
        cz.LayTile: _lay,
    },
    events={
        events.Floated: "{who.company} floats",
        events.Closed: "{who.company} is closed",
        events.StationReturned: "a station of {who.company} goes back to its charter",
        events.LoanTaken: "{who.player} borrows {e.amount} K, and as much again is a penalty at the end",
        events.PowerUsed: "the power of {e.local} is used up",
        events.LocalRailwayGone: "Local Railway {e.local} is out of the game",
        events.PaperSold: "the private paper {e.paper} is sold",
        events.NoPaperSold: "nobody wanted a private paper, so {who.player} wins",
        events.TrainGiven: "{who.company} gets the 3E-train for its next run",
        events.MarkerGained: "{who.company} gets one more station marker for its charter",
        events.JoinedVaclav: "Vaclav gets {who.company}, which starts at {e.price} K",
    },
    rounds={
        "PRE": "Pre-Stock Round",
        "AUC": "Auction of private papers",
        "SR": "Stock Round",
        "OR": "Operating Round",
    },
)
