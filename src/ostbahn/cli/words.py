"""Actions and events in words, for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ostbahn.kernel import records
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.ledger import BANK
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import Event
from ostbahn.titles.cz import actions as cz

Names = Mapping[str, str]
"""What people call the seats."""

BETWEEN: Final = "–"


def describe(action: Action) -> str:
    """An action in words: "lay tile 57 on D4, rotation 2"."""
    return _with_price(action, str(getattr(action, "price", "")))


def describe_option(option: Option) -> str:
    """An option in words; where the price is free, the prices between which it is."""
    if option.span is None:
        return describe(option.action)
    return _with_price(option.action, f"{option.span.low}{BETWEEN}{option.span.high}")


def _with_price(action: Action, price: str) -> str:
    tell_it = _ACTIONS.get(type(action))
    if tell_it is None:
        return str(type(action).__struct_config__.tag).replace("_", " ")
    return tell_it(action, price)


def _run(action: Action) -> str:
    assert isinstance(action, cz.RunTrains)
    claim = "" if action.claim is None else f", said to earn {action.claim} K"
    if not action.runs:
        return f"run no train{claim}"
    return "; ".join(f"run {run.card}: {' '.join(run.path)}" for run in action.runs) + claim


def _lay(action: Action) -> str:
    assert isinstance(action, cz.LayTile)
    waiver = f", {action.waiver} waives the cost" if action.waiver else ""
    return f"lay tile {action.tile} on {action.hex}, rotation {action.rotation}{waiver}"


_TEXTS: Final[Mapping[type[Action], str]] = {
    Pass: "pass",
    Accept: "accept the offer",
    Decline: "decline the offer",
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
}


def _filled(text: str) -> Callable[[Action, str], str]:
    return lambda action, price: text.format(a=action, price=price)


_ACTIONS: Final[Mapping[type[Action], Callable[[Action, str], str]]] = {
    **{kind: _filled(text) for kind, text in _TEXTS.items()},
    cz.RunTrains: lambda action, _: _run(action),
    cz.LayTile: lambda action, _: _lay(action),
}


# What happened


def tell(event: Event, names: Names) -> str:
    """An event in words: "Anna pays the bank 30 K (Local Railway S2)"."""

    def who(account: str) -> str:
        return "the bank" if account == BANK else names.get(account, account)

    match event:
        case records.Paid():
            return f"{who(event.source)} pays {who(event.target)} {event.amount} K ({event.why})"
        case records.PriceMoved():
            return _price_moved(event)
        case records.CertificateMoved():
            return f"{event.percent}% of {event.company}: {who(event.source)} to {who(event.target)}"
        case records.DirectorChanged():
            return f"{who(event.after)} is Director of {event.company} instead of {who(event.before)}"
        case records.TileLaid():
            return f"{event.company} lays tile {event.tile} on {event.hex}, rotation {event.rotation}"
        case records.StationPlaced():
            return f"{event.company} has a station in {event.city}"
        case records.TrainMoved():
            return _train_moved(event)
        case records.PhaseBegan():
            return f"phase {event.phase} begins"
        case records.RoundBegan():
            return f"{round_name(event.round)} begins"
        case records.Noted():
            return _noted(event, who(event.who))
    return str(event)


def _price_moved(event: records.PriceMoved) -> str:
    if not event.before:
        return f"{event.company} enters the chart at {event.after} K"
    verb = "rises" if event.after > event.before else "falls"
    return f"{event.company} {verb} from {event.before} K to {event.after} K ({event.why})"


def _train_moved(event: records.TrainMoved) -> str:
    train = f"{event.face}-train {event.card}" if event.face else f"train {event.card}"
    match event.source, event.target:
        case source, target if source == target:
            return f"{source} turns card {event.card} into a {event.face}-train"
        case _, "abroad":
            return f"{train} goes abroad"
        case "stack", "scrap":
            return f"{train} is scrapped"
        case source, "scrap":
            return f"the {train} of {source} is scrapped"
        case source, "pool":
            return f"the {train} of {source} goes to the pool"
        case "stack" | "pool" as source, target:
            return f"{target} gets {train} from the {source}"
        case source, target:
            return f"{target} gets {train} from {source}"


_NOTES: Final[Mapping[str, str]] = {
    "turn": "it is the turn of {who}",
    "floated": "{who} floats",
    "paper sold": "the private paper {who} is sold",
    "train given": "{who} gets the 3E-train for its next run",
    "wins unsold": "nobody wanted a private paper, so {who} wins",
    "joined by Vaclav": "Vaclav gets {who}, which starts at {amount} K",
    "closed": "{who} is closed",
    "revenue": "{who} earns {amount} K",
    "claim believed": "{who} is believed to earn {amount} K",
    "loan": "{who} borrows {amount} K, and as much again is a penalty at the end",
    "power used": "the power of {who} is used up",
    "local railway gone": "Local Railway {who} is out of the game",
    "station returned": "a station of {who} goes back to its charter",
    "offer declined": "{who} declines {amount} K",
    "wealth": "{who} is worth {amount} K",
}


def _noted(event: records.Noted, who: str) -> str:
    text = _NOTES.get(event.what)
    if text is None:
        return f"{event.what}: {who}" + (f", {event.amount}" if event.amount else "")
    return text.format(who=who, amount=event.amount)


def round_name(code: str) -> str:
    """A round by its full name: `OR 5.2` is Operating Round 5.2."""
    kind, _, number = code.partition(" ")
    name = {
        "PRE": "Pre-Stock Round",
        "AUC": "Auction of private papers",
        "SR": "Stock Round",
        "OR": "Operating Round",
    }.get(kind, kind)
    return f"{name} {number}".strip()
