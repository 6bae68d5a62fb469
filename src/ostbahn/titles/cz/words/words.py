"""18CZ in words."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel import records
from ostbahn.text.words import Naming, Passing, Words
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz import events
from ostbahn.titles.cz.words.deeds import DEEDS, paper, said_to_earn, terms


def _run(action: cz.RunTrains, naming: Naming, _: str) -> str:
    return f"run {naming.ways(action.runs) if action.runs else 'no train'}{said_to_earn(action)}"


def _lay(action: cz.LayTile, naming: Naming, _: str) -> str:
    waiver = f", {action.waiver} waives the cost" if action.waiver else ""
    return f"lay {action.tile} {naming.at(action.hex)}{waiver}"


def _purple(action: cz.LayPurpleTile, naming: Naming, _: str) -> str:
    return f"lay purple-edged {action.tile} {naming.at(action.hex)} by {action.local}"


def _red(action: cz.LayRedTile, naming: Naming, _: str) -> str:
    return f"lay the red home tile {naming.at(action.hex)}"


def _offer(action: cz.Offer, naming: Naming, price: str) -> str:
    return f"offer {terms(action, naming, price)}"


def _open_auction(action: cz.OpenAuction, naming: Naming, price: str) -> str:
    return f"put {paper(naming, action.paper)} up for auction with a bid of {price} K"


WORDS: Final = Words(
    currency="K",
    actions={
        cz.BuyLocal: lambda action, naming, _: f"buy {paper(naming, action.local)}",
        cz.OpenAuction: _open_auction,
        cz.NamePaper: lambda action, naming, _: f"put {paper(naming, action.paper)} up for auction without a bid",
        cz.Bid: "bid {price} K",
        cz.AssignTrain: lambda action, naming, _: f"give {paper(naming, action.paper)} to the company for this run",
        cz.StartCompany: "start {a.company} at {price} K",
        cz.BuyShare: "buy a share of {a.company}",
        cz.SellShares: "sell {a.percent}% of {a.company}",
        cz.RepayDebt: "repay the debt",
        cz.LayRedTile: _red,
        cz.ChooseCity: "put the home station in {at.city}",
        cz.LayPurpleTile: _purple,
        cz.OfferForLocal: _offer,
        cz.SellLocal: lambda action, naming, _: f"sell {paper(naming, action.local)} to the bank",
        cz.PlaceStation: "place a station in {at.city}",
        cz.PayOut: "pay out",
        cz.Withhold: "withhold",
        cz.OfferAcquisition: _offer,
        cz.ChooseReturn: "take the station in {at.city} back",
        cz.TurnTrain: "turn a {train.card} into a {a.face}-train",
        cz.ScrapTrain: "scrap a {train.card}",
        cz.BuyTrain: "buy a {a.face}-train",
        cz.OfferForTrain: _offer,
        cz.ReturnTrain: "give a {train.card} back to the pool",
        cz.RunTrains: _run,
        cz.LayTile: _lay,
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
        "pre_stock": Passing("pass", why="no Local Railway can be bought"),
        "stock_round": Passing("pass", why="no share can be bought or sold"),
        "bidding": Passing("pass", why="there is not enough money for a bid"),
        "lay_track": Passing("lay no track", "lay no more track", "no track can be laid"),
        "lay_waived": Passing("lay no tile", why="no tile can be laid for nothing"),
        "establish_station": Passing("place no station", why="no station can be placed"),
        "operate_trains": Passing("run no train", why="there is no train to run"),
        "acquire": Passing("take over no company", "take over no more companies", "no company can be taken over"),
        "settle_trains": Passing("keep the trains", why="no train can be turned or scrapped"),
        "purchase_trains": Passing("buy no train", "buy no more trains", "no train can be bought"),
        "build_home": Passing("build nothing", why="nothing can be built"),
    },
    deeds=DEEDS,
    gists={
        records.DirectorChanged: "{who.after} becomes Director of {who.company}",
        events.Floated: "{who.company} floats",
        events.LoanTaken: "{who.player} borrows {e.amount} K",
        events.StationReturned: "a station goes back to the charter",
        events.PaperSold: lambda event, naming: f"{paper(naming, event.paper)} is sold",
        events.MarkerGained: "one more station marker",
        events.JoinedVaclav: "Vaclav gets {who.company} at {e.price} K",
    },
)
